"""Batches and their planned runs.

Revision ID: r0002
"""

import sqlalchemy as sa
from alembic import op

revision = "r0002"
down_revision = "r0001"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Compared character by character, whatever the language of a server."""


def upgrade() -> None:
    """Make the two tables."""
    op.create_table(
        "batches",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("created_us", sa.BigInteger(), nullable=False),
        sa.Column("title", TEXT, server_default="", nullable=False),
        sa.Column("suite", TEXT, server_default="", nullable=False),
        sa.Column("seed", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("repeats", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("parallel", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("state", TEXT, server_default="", nullable=False),
        sa.Column("owner", TEXT, nullable=True),
        sa.Column("cases", TEXT, server_default="", nullable=False),
        sa.Column("targets", TEXT, server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batches")),
    )
    op.create_table(
        "batch_items",
        sa.Column("batch_id", TEXT, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("case_id", TEXT, server_default="", nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("state", TEXT, server_default="", nullable=False),
        sa.Column("run_id", TEXT, server_default="", nullable=False),
        sa.Column("verdict", TEXT, server_default="", nullable=False),
        sa.Column("result", TEXT, nullable=True),
        sa.Column("sample", TEXT, nullable=True),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name=op.f("fk_batch_items_batch_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("batch_id", "position", name=op.f("pk_batch_items")),
    )
    op.create_index("ix_batch_items_run_id", "batch_items", ["run_id"], unique=False)
