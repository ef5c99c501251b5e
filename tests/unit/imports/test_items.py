from __future__ import annotations

from pathlib import Path

from workbench.core.errors import InvalidInput
from workbench.imports.items import Item, NotCarried, ReadOptions, items_of_rows
from workbench.imports.rows import BadRow, FileRow


def test_nothing_is_known_unless_said() -> None:
    assert ReadOptions().known("suite") == {}
    assert NotCarried("x") == NotCarried("x")


def test_a_row_that_is_refused_is_named_and_the_next_one_is_read(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text("1\nnot json\n2\n")
    second.write_text("3\n")

    def items(row: FileRow, name: str) -> list[Item]:
        if row.value == 2:
            raise InvalidInput("Two is refused.")
        return [NotCarried(f"{name} {row.value}"), NotCarried("more")]

    seen: list[int] = []
    found = list(items_of_rows([first, second], items, seen.append))
    kinds = [one.what if isinstance(one, NotCarried) else one.place for one in found]
    assert kinds == ["a 1", "more", "a.jsonl, line 2", "a.jsonl, line 3", "b 3", "more"]
    assert isinstance(found[3], BadRow)
    assert found[3].message == "Two is refused."
    assert sum(seen) == first.stat().st_size + second.stat().st_size
