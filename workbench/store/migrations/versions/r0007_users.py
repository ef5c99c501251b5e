"""Who recorded a run.

Revision ID: r0007
"""

import sqlalchemy as sa
from alembic import op

revision = "r0007"
down_revision = "r0006"


def upgrade() -> None:
    """Add the column; runs from before stay without a name."""
    op.add_column("runs", sa.Column("user_id", sa.Integer(), nullable=True))
