"""Tool sets and their versions.

Revision ID: r0003
"""

import sqlalchemy as sa
from alembic import op

revision = "r0003"
down_revision = "r0002"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Compared character by character, whatever the language of a server."""


def upgrade() -> None:
    """Make the two tables."""
    op.create_table(
        "tool_sets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("deleted_us", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tool_sets")),
        sa.UniqueConstraint("name", name=op.f("uq_tool_sets_name")),
    )
    op.create_table(
        "tool_set_versions",
        sa.Column("set_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("saved_us", sa.BigInteger(), nullable=False),
        sa.Column("note", TEXT, server_default="", nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("body", TEXT, nullable=False),
        sa.ForeignKeyConstraint(
            ["set_id"], ["tool_sets.id"], name=op.f("fk_tool_set_versions_set_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("set_id", "version", name=op.f("pk_tool_set_versions")),
    )
