"""A step of the schema keeps every run, whatever stands in it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit import runs
from workbench.store import Store, upgrade

LATER_STEP = '''"""A later step that rebuilds the largest table."""
import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0099", "HEAD"


def upgrade() -> None:
    with op.batch_alter_table("events") as table:
        table.add_column(sa.Column("author", sa.Text(), nullable=False, server_default="engine"))
'''
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


@given(st.lists(st.tuples(TEXT, TEXT, st.booleans()), min_size=1, max_size=4))
@settings(max_examples=8)
def test_a_step_keeps_every_run(made: list[tuple[str, str, bool]]) -> None:
    recorded = {
        f"r{index}": runs.make_run(f"r{index}", prompt=prompt, text=text, verdict=runs.PASSED if whole else None)
        for index, (prompt, text, whole) in enumerate(made)
    }
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        database = Path(folder) / "workbench.db"
        before = Store.open(database)
        for run_id, events in recorded.items():
            before.record(run_id, events)
        before.close()
        shutil.copytree(upgrade.MIGRATIONS, Path(folder) / "migrations")
        (Path(folder) / "migrations" / "versions" / "r0099_later.py").write_text(
            LATER_STEP.replace("HEAD", upgrade.HEAD)
        )
        patch.setattr(upgrade, "MIGRATIONS", Path(folder) / "migrations")
        patch.setattr(upgrade, "HEAD", "r0099")

        after = Store.open(database)

        assert {run_id: after.load(run_id).events for run_id in recorded} == {
            run_id: tuple(events) for run_id, events in recorded.items()
        }
        assert after.check().problems == ()
        after.close()
