"""Cases and suites as plain files that diff well, and cases made from runs."""
