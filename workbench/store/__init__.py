"""SQLite or PostgreSQL through SQLAlchemy: recorder, history, migrations."""

from workbench.store.repository import Store
from workbench.store.rows import RunRow, StoredReply, StoredRun

__all__ = ["RunRow", "Store", "StoredReply", "StoredRun"]
