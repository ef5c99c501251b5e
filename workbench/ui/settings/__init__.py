"""Settings: looks, defaults and places."""
