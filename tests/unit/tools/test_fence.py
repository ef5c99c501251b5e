from __future__ import annotations

from pathlib import Path

import pytest

from workbench.tools import fence as module
from workbench.tools.fence import Fence, bubblewrap_arguments, command_facts, find_fence


def test_bubblewrap_gives_no_network_and_no_rights() -> None:
    options = bubblewrap_arguments("/usr/bin/bwrap", Path("/ws"), {"PATH": "/bin"})
    line = " ".join(options)
    for part in ("--unshare-all", "--disable-userns", "--die-with-parent", "--cap-drop ALL", "--remount-ro /proc"):
        assert part in line
    assert "--bind /ws /ws" in line
    assert "--share-net" not in line
    assert options[-1] == "--"


def test_programs_are_wrapped_by_kind() -> None:
    wrapped = Fence("bubblewrap", "/usr/bin/bwrap").program(("/bin/ls",), Path("/ws"), "/h")
    assert (wrapped.argv[0], wrapped.argv[-1], wrapped.inside) == ("/usr/bin/bwrap", "/bin/ls", ())
    kept = Fence("landlock").program(("/bin/ls",), Path("/ws"), "/h")
    assert (kept.argv, kept.inside, kept.cwd) == (("/bin/ls",), ("/ws", "/h"), "/ws")
    assert Fence("").program(("/bin/ls",), Path("/ws"), "/h").inside == ()


@pytest.mark.parametrize(("kind", "unkept"), [("bubblewrap", 0), ("landlock", 2), ("", 2)])
def test_fence_facts_list_unfenced_items(kind: str, unkept: int) -> None:
    facts = command_facts(Fence(kind))  # type: ignore[arg-type]
    assert sum(not fact.kept for fact in facts) == unkept
    assert all(fact.title and fact.detail.endswith(".") for fact in facts)


def test_broken_bubblewrap_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(module, "PATHS", (str(tmp_path),))
    find_fence.cache_clear()
    try:
        assert find_fence().kind != "bubblewrap"
        assert module.why_no_fence() == "bubblewrap does not work here"
    finally:
        find_fence.cache_clear()
