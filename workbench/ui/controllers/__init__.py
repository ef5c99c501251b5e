"""The only part of the window that calls the application."""
