"""SQLite through SQLAlchemy: recorder, history, migrations."""
