"""The command line; commands are loaded lazily."""
