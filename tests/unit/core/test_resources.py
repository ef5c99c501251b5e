from __future__ import annotations

from workbench.core.resources import resource_path


def test_shipped_files_are_found() -> None:
    assert resource_path("boost", "wrapper.txt").is_file()
    assert resource_path("examples").is_dir()
    assert not resource_path("nothing", "here").exists()
