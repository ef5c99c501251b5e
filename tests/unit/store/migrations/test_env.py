from __future__ import annotations

from alembic import command
from sqlalchemy import create_engine, inspect

from workbench.store.upgrade import alembic_config


def test_migrations_use_the_given_connection() -> None:
    engine = create_engine("sqlite://")
    config = alembic_config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        assert "alembic_version" in inspect(connection).get_table_names()
        command.upgrade(config, "head")
    engine.dispose()
