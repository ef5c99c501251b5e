"""The chain of hashes over what is recorded. Runs that are there already have none, and the first link says so.

Revision ID: r0006
"""

import time

import sqlalchemy as sa
from alembic import op

from workbench.core.hash_chain import START, link_hash

revision = "r0006"
down_revision = "r0005"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Compared character by character, whatever the language of a server."""


def upgrade() -> None:
    """Make the table and its first link."""
    op.create_table(
        "chain",
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("at_us", sa.BigInteger(), nullable=False),
        sa.Column("hash", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("n", name=op.f("pk_chain")),
    )
    op.create_index("ix_chain_number", "chain", ["number"], unique=False)
    connection = op.get_bind()
    last = connection.execute(sa.text("SELECT max(number) FROM runs")).scalar() or 0
    first = {
        "kind": "begun", "number": last, "run_id": "", "first": 0, "end": 0, "bytes": 0, "content": "",
        "at_us": time.time_ns() // 1000,
    }  # fmt: skip
    columns = sa.table("chain", *map(sa.column, ("n", *first, "hash")))
    connection.execute(sa.insert(columns).values(n=1, **first, hash=link_hash(1, START, list(first.values()))))
