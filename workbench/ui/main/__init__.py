"""The main window: rail, top bar, status bar, actions."""
