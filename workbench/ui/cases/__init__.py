"""Cases: suites and their documents."""
