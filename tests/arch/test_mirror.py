"""`tests/unit` mirrors the package: every module has a test file of its own, or a reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.tree import PACKAGE, ROOT, UNIT, modules, short

if TYPE_CHECKING:
    from pathlib import Path

SAMPLES = ROOT / "tests" / "data" / "formats"
ELSEWHERE: dict[str, str] = {
    "workbench/app/local_model.py": "values without behaviour; what they do is in the tests of targets",
    "workbench/cli/verify_arguments.py": "values without behaviour",
    "workbench/core/events.py": "values without behaviour; every end-to-end test reads them",
    "workbench/core/exchange.py": "values without behaviour",
    "workbench/core/protocols.py": "protocols without behaviour; mypy checks who implements them",
    "workbench/core/versions.py": "one constant",
    "workbench/core/verdict.py": "values without behaviour",
    "workbench/export/report_facts.py": "values without behaviour",
    "workbench/formats/drafting/grammar_fields.py": "values without behaviour; what fills them in is in the tests of argument_marks",
    "workbench/simulate/situation.py": "values without behaviour",
    "workbench/store/database.py": "protocols without behaviour; mypy checks who implements them",
    "workbench/ui/gateway/values.py": "values without behaviour; what they hold is in the tests of from_gateway",
}
"""Module → where it is tested, or why it needs no test."""


def test_a_checkout_below_a_folder_of_any_name_is_looked_at(tmp_path: Path) -> None:
    package = tmp_path / "scratch" / "workbench"
    (package / "__pycache__").mkdir(parents=True)
    for name in ("a.py", "__pycache__/b.py"):
        (package / name).touch()
    assert modules(package) == [package / "a.py"]


def test_every_module_has_a_test_file() -> None:
    missing = []
    for path in modules():
        relative = path.relative_to(PACKAGE)
        if path.name == "__init__.py" or short(path) in ELSEWHERE:
            continue
        name = f"test_{relative.stem.strip('_')}.py"
        expected = UNIT / relative.parent / name
        clicked = relative.parts[0] == "ui" and _clicked(relative.parent, name)
        if not expected.exists() and not clicked and not _has_samples(relative):
            missing.append(f"{short(path)} needs {short(expected)}")
    assert not missing, "\n".join(missing)


def _has_samples(module: Path) -> bool:
    """A format alone in its file is tested by its data file: every sample, in every chunking."""
    return module.parts[:2] == ("formats", "families") and (SAMPLES / f"{module.stem}.yaml").exists()


def _clicked(folder: Path, name: str) -> bool:
    """Parts of the window may be tested where they are clicked instead."""
    return (ROOT / "tests" / folder / name).exists()


def test_the_list_of_exceptions_is_true() -> None:
    assert not [name for name in ELSEWHERE if not (ROOT / name).exists()]


def test_every_unit_test_file_has_its_module() -> None:
    orphans = []
    for path in modules(UNIT):
        relative = path.relative_to(UNIT)
        stem = relative.stem.removeprefix("test_")
        wanted = [PACKAGE / relative.parent / f"{name}.py" for name in (stem, f"__{stem}__", f"_{stem}")]
        if path.name.startswith("test_") and not any(place.exists() for place in wanted):
            orphans.append(short(path))
    assert not orphans
