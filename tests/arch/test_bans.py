"""What must not stand in the code, where no other check sees it."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.kit.tree import PACKAGE, ROOT, modules, project_files, short, text_of

SQLITE_FILES = frozenset({"workbench/store/sqlite.py", "workbench/store/sqlite_search.py"})
"""The only places for what SQLite alone can do."""

FOREIGN_DATABASES = frozenset({"workbench/scan/readers/opencode.py"})
"""Readers of databases that other programs wrote."""

POSTGRES_FILES = frozenset({"workbench/store/postgres.py", "workbench/store/postgres_search.py"})
"""Their siblings, for what PostgreSQL alone can do."""
POSTGRES_ONLY = re.compile(r"\bimport psycopg\b|dialects\.postgresql|\btsvector\b|pg_(?!dump)\w+\(", re.IGNORECASE)
SQLITE_ONLY = re.compile(r"\bPRAGMA\b|\bsqlite3\b|dialects\.sqlite|\bfts5\b|USING\s+fts|sqlite_master", re.IGNORECASE)

EDGES = frozenset(
    {
        "workbench/cli/failures.py",  # the command line's excepthook
        "workbench/app/runs.py",  # run task
        "workbench/ui/bridge/tasks.py",  # task owner
        "workbench/tools/runner.py",  # tools are other people's code
        "workbench/tools/python_child.py",  # and so are functions in their own process
        "workbench/formats/plugins.py",  # and so are plug-ins
        "workbench/ui/main/crash.py",  # the window's excepthook
    }
)
"""Where a bug is caught, recorded and shown. Everywhere else it must fly."""


def test_no_modal_loops_in_the_window() -> None:
    """A nested event loop inside a task stops all other tasks."""
    assert not [short(path) for path in modules(PACKAGE / "ui") if re.search(r"\.exec_?\(", path.read_text("utf-8"))]


def test_no_nested_event_processing_in_the_window() -> None:
    calls = re.compile(r"\.processEvents\(|\basyncSlot\b|\basyncClose\b")
    assert not [short(path) for path in modules(PACKAGE / "ui") if calls.search(path.read_text("utf-8"))]


@pytest.mark.parametrize(
    ("files", "only"), [(SQLITE_FILES, SQLITE_ONLY), (POSTGRES_FILES, POSTGRES_ONLY)], ids=["sqlite", "postgres"]
)
def test_code_for_one_database_is_in_two_files(files: frozenset[str], only: re.Pattern[str]) -> None:
    found = {short(path): match.group() for path in modules() for match in only.finditer(_code(path))}
    assert found.keys() - FOREIGN_DATABASES == files


def test_decoders_are_made_in_one_place() -> None:
    """Two threads that make decoders of the same class at the same time end the process."""
    makes = re.compile(r"msgspec\.convert\(|msgspec\.\w+\.Decoder\(\w|msgspec\.\w+\.decode\([^)\n]*type=")
    assert [short(path) for path in modules() if makes.search(_code(path))] == ["workbench/decoding.py"]


OWN_JSON = {
    "workbench/core/json_text.py": "the one reader",
    "workbench/export/pytest_folder.py": "in a text that it writes",
    "workbench/export/openai_evals.py": "in a function that is exported as it stands",
    "workbench/tools/keeper.py": "its own messages; starts without the package",
    "workbench/tools/python_child.py": "its own messages; starts without the package",
}
"""Modules that call Python's reader of JSON themselves, and why they may."""


def test_json_is_read_in_one_way() -> None:
    """Python's reader refuses deep nesting by an error of its own, which is easily forgotten."""
    assert {short(path) for path in modules() if re.search(r"\bjson\.loads?\(", _code(path))} == OWN_JSON.keys()


OWN_READING = {
    "workbench/ui/theme/icons.py": "shipped",
    "workbench/cli/parse_parquet.py": "where Parquet files are, clouds too",
    "workbench/export/pytest_folder.py": "in a text that it writes",
    "workbench/app/examples.py": "shipped",
    "workbench/verify/request_sets.py": "shipped",
    "workbench/gateway/port_owner.py": "the system's own tables",
    "workbench/localserver/alive.py": "the system's own tables",
    "workbench/store/lock_holders.py": "the system's own tables",
    "workbench/formats/plugin_box.py": "the system's own tables",
    "workbench/tools/keeper.py": "the system's own tables; starts without the package",
    "workbench/store/lifesign.py": "opened to be locked",
    "workbench/core/atomic_files.py": "a file that it made",
}
"""Modules that open files by other ways than `core.whole_files`, and what these are."""


def test_files_of_users_are_opened_in_one_way() -> None:
    """A path may be a pipe that nobody fills, or a device without an end."""
    reads = re.compile(r"\.read_(?:text|bytes)\(|\bopen\((?:[^()]+, )?'r|\.open\(encoding")
    found = {
        short(path)
        for path in modules()
        for line in _code(path).splitlines()
        if reads.search(line) and "resource_path(" not in line
    }
    assert found == OWN_READING.keys()
    assert not [short(path) for path in modules() if ".expanduser()" in _code(path)]  # raises for users there are not


@cache
def _code(path: Path) -> str:
    """A module's source without docstrings and comments."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body[0] = ast.Pass()
    return ast.unparse(tree)


def test_bugs_are_caught_at_the_edges_only() -> None:
    broad = [
        f"{short(path)}:{node.lineno}"
        for path in modules()
        if short(path) not in EDGES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type)
    ]
    assert not broad


def _is_broad(caught: ast.expr | None) -> bool:
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(
        name is None or (isinstance(name, ast.Name) and name.id in ("Exception", "BaseException")) for name in names
    )


def test_no_path_of_one_machine() -> None:
    """Files must not know where they were written."""
    place = re.compile(r"(?<![\w.\-])/(?:" + "|".join(("work", "root", "home/[a-z]+")) + r")/(?:main|shared|\.)")
    found = [f"{short(path)}: {match.group()}" for path in project_files() for match in place.finditer(text_of(path))]
    assert not found


def test_set_up_names_no_package_index() -> None:
    """Whoever installs decides where packages come from; those that were kept in the project's own folder are nobody's index."""
    places = [ROOT / "pyproject.toml", ROOT / "README.md", *(ROOT / "packaging").glob("*"), *(ROOT / ".ci").glob("*")]
    index = re.compile(
        r"index-url|find-links(?!\", str\(WHEELS\))|trusted-host|https?://[^\s\"']*/simple\b", re.IGNORECASE
    )
    assert not [short(path) for path in places if path.is_file() and index.search(text_of(path))]


def test_unfinished_work_is_not_checked_in() -> None:
    marks = re.compile("|".join((r"\bTO" + "DO\\b", r"\bFIX" + "ME\\b", r"\bX" + "XX\\b")))
    assert not [short(path) for path in modules() if marks.search(path.read_text("utf-8"))]


RICH_TEXT = {
    r"\.setToolTip\(|QToolTip\.showText\(": "workbench/ui/widgets/tips.py",
    r"\bQLabel\(": "workbench/ui/widgets/frames.py",
    r"\.(setHtml|insertHtml|appendHtml|setMarkdown|setRichText|setWhatsThis|setStatusTip)\(": "nowhere",
    r"\b(QTextBrowser|QMessageBox|QErrorMessage|QInputDialog|QProgressDialog)\b": "nowhere",
    r"TextFormat\.(AutoText|RichText|MarkdownText)": "nowhere",
}
"""Calls by which a text becomes markup, and the one module that may make them, since it makes the text plain."""


def test_texts_of_models_cannot_become_markup() -> None:
    """A tag in a tool's name must never be read as one: an image in it opens files."""
    found = [
        f"{short(path)}: {match.group()}"
        for path in modules(PACKAGE / "ui")
        for calls, allowed in RICH_TEXT.items()
        if short(path) != allowed
        for match in re.finditer(calls, _code(path))
    ]
    assert not found


def test_menus_are_made_in_one_place() -> None:
    """Qt's own stay open when they are disabled, and then nothing else gets a key or a click."""
    made = re.compile(r"\bQMenu\(")
    assert not [short(path) for path in modules(PACKAGE / "ui") if made.search(_code(path))]


def test_the_clipboard_is_filled_in_one_place() -> None:
    """A text that goes there may be pasted anywhere: keys are left out of it."""
    fills = re.compile(r"\.setMimeData\(|clipboard\(\)\.set|clipboard\.set")
    found = [short(path) for path in modules(PACKAGE / "ui") if fills.search(_code(path))]
    assert found == ["workbench/ui/bridge/clipboard.py"]


def test_text_edits_take_plain_text() -> None:
    """`setText` and `append` of a rich text editor guess whether a text is markup."""
    found = []
    for path in modules(PACKAGE / "ui"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "QTextEdit" for base in node.bases):
                calls = re.findall(r"(?:self|super\(\))\.(?:setText|append)\(", ast.unparse(node))
                found += [f"{short(path)}: {call}" for call in calls]
    assert not found
