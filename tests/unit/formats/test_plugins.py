"""A user's own formats and registry rows: read, checked, and named when they are faulty."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from tests.kit.plugins import KITTY, SAMPLES, kitty_folder
from workbench.core.errors import InvalidInput, UnknownName
from workbench.formats import get_format, list_formats, plugin_box
from workbench.formats import plugins as module
from workbench.formats.detect import detect
from workbench.formats.plugins import check_plugins, install, load_plugins
from workbench.formats.sanitize import sanitize
from workbench.formats.survey.forensics import survey

if TYPE_CHECKING:
    from pathlib import Path


def test_a_format_with_samples_and_rows(tmp_path: Path) -> None:
    found = load_plugins(kitty_folder(tmp_path), entry_points=False)
    assert found.faults == ()
    assert [spec.id for spec in found.formats] == ["kitty"]
    assert found.formats[0].parse('<kitty>{"name": "now"}</kitty>').calls[0].name == "now"
    lines = check_plugins(found)
    assert [line for line in lines if line.wrong] == []
    assert {line.format for line in lines} == {"kitty"}
    assert len(lines) == 14
    known = detect("Acme/Kitty-7B", rules=found.rules, built={"kitty", "react"})
    assert (known.format, known.rule) == ("kitty", "kitty")
    assert detect("qwen3:8b", rules=found.rules).format == detect("qwen3:8b").format


def test_no_folder_and_other_files(tmp_path: Path) -> None:
    assert load_plugins(tmp_path / "none", entry_points=False).found == ()
    (tmp_path / "_helper.py").write_text("raise ValueError", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    assert load_plugins(tmp_path, entry_points=False) == module.Plugins()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("FORMATS = (", "SyntaxError"),
        ("raise ValueError('no luck')", "ValueError: no luck"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        (f"{KITTY}\nimport os; os.write(1, b'past Python')", "It prints: 'past Python'"),
        (f"{KITTY}\nimport subprocess, sys; subprocess.run([sys.executable, '-c', 'print(7)'])", "It prints: '7'"),
        ("import no_such_package", "No module named 'no_such_package'"),
        ("x = 1", "is no format"),
        ("FORMATS = ()", "no format in FORMATS"),
        (KITTY.replace('id="kitty"', 'id="Kitty 7"'), "not in lower case"),
        (KITTY.replace('id="kitty"', 'id="qwen_xml"'), "'qwen_xml' is taken"),
        (KITTY.replace('id="kitty"', 'id="hermes"'), "'hermes' is taken"),
    ],
)
def test_faulty_files_are_named_and_the_rest_is_used(tmp_path: Path, source: str, words: str) -> None:
    kitty_folder(tmp_path)
    (tmp_path / "bad.py").write_text(source, encoding="utf-8")
    found = load_plugins(tmp_path, entry_points=False)
    assert [spec.id for spec in found.formats] == ["kitty"]
    assert len(found.faults) == 1
    assert found.faults[0].origin == "bad.py"
    assert words in found.faults[0].message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_what_never_ends_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "rows.toml").symlink_to("/dev/zero")
    found = load_plugins(tmp_path, entry_points=False)
    assert [(fault.origin, "no regular file" in fault.message) for fault in found.faults] == [
        (name, True) for name in ("folder.py", "pipe.py", "rows.toml")
    ]


@pytest.mark.parametrize("where", ["at its import", "in prompt()"])
def test_a_hanging_plugin_is_named_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    hang = "import threading\nthreading.Event().wait()\n"
    inner = "class Hanging(FormatSpec):\n    def prompt(self, *given, **named):\n        import threading\n        threading.Event().wait()\n"
    spec = (
        KITTY.replace("FORMATS =", f"{inner}\nFORMATS =").replace("(FormatSpec(", "(Hanging(").replace("kitty", "hang")
    )
    (tmp_path / "hang.py").write_text(hang if where == "at its import" else spec, encoding="utf-8")
    monkeypatch.setattr(module, "LONGEST_S", 0.2)
    plugins = load_plugins(tmp_path, entry_points=False)
    assert [(fault.origin, fault.message) for fault in plugins.faults] == [
        ("hang.py", "It did not come to an end within 0.2 s.")
    ]
    assert not plugins.formats


@pytest.mark.skipif(sys.platform != "linux", reason="the system has to keep it")
@pytest.mark.parametrize(
    "line",
    [
        "x = 'x' * (16 << 30)",
        "FORMATS = ('x' * (16 << 30),)",
        "raise ValueError('x' * (16 << 30))",
        "x = list(range(1 << 31))",
    ],
)
def test_a_plugin_takes_no_more_memory_than_it_may(tmp_path: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    monkeypatch.setattr(plugin_box, "MEMORY", 64 << 20)
    before = resource.getrlimit(resource.RLIMIT_DATA)
    (tmp_path / "large.py").write_text(line, encoding="utf-8")
    (tmp_path / "loud.py").write_text(f"{KITTY}\nfor _ in range(1000): print('x' * (1 << 20))", encoding="utf-8")
    (tmp_path / "named.py").write_text(KITTY.replace('id="kitty"', "id='x' * (1 << 20)"), encoding="utf-8")
    large, loud, named = load_plugins(tmp_path, entry_points=False).faults
    assert (large.origin, large.message) == ("large.py", "MemoryError: ")
    assert loud.message == f"It prints: {'x' * 80!r}."
    assert len(named.message) < 300
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_users_interrupt_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import signal; signal.raise_signal(signal.SIGINT)", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        load_plugins(tmp_path, entry_points=False)


def test_the_place_of_a_fault_is_told(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("a = 1\nraise ValueError('x')\n", encoding="utf-8")
    fault = load_plugins(tmp_path, entry_points=False).faults[0]
    assert fault.hint.endswith("bad.py, line 2.")
    (tmp_path / "bad.py").write_text("x = (", encoding="utf-8")
    assert load_plugins(tmp_path, entry_points=False).faults[0].hint == ""


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("kitty.yaml", "examples: {", "no YAML"),
        ("kitty.yaml", "examples:\n- calls: []", "examples[0] has no 'raw'"),
        ("models.toml", "[[rule]]\nid = 'x'", "has no 'pattern'"),
        ("models.toml", "[[rule", "not TOML"),
    ],
)
def test_faulty_samples_and_rows(tmp_path: Path, name: str, text: str, words: str) -> None:
    kitty_folder(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    fault = load_plugins(tmp_path, entry_points=False).faults[0]
    assert words in fault.message


def test_format_breaking_its_samples(tmp_path: Path) -> None:
    kitty_folder(tmp_path)
    (tmp_path / "kitty.yaml").write_text(SAMPLES.replace("{zone: UTC}", "{zone: CET}"), encoding="utf-8")
    wrong = [line for line in check_plugins(load_plugins(tmp_path, entry_points=False)) if line.wrong]
    assert [line.title.rpartition(": ")[2] for line in wrong] == ["reading", "reading"]


def test_raising_format_fails_only_its_checks(tmp_path: Path) -> None:
    kitty_folder(tmp_path)
    source = KITTY.replace("    return f", "    raise KeyError('oh')\n    return f")
    (tmp_path / "kitty.py").write_text(source, encoding="utf-8")
    found = load_plugins(tmp_path, entry_points=False)
    wrong = [told for line in check_plugins(found) for told in line.wrong] + [fault.message for fault in found.faults]
    assert any("KeyError: 'oh'" in told for told in wrong)


def test_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = load_plugins(kitty_folder(tmp_path), entry_points=False).formats[0]

    class Entry:
        def __init__(self, name: str, value: object) -> None:
            self.name, self.value = name, value

        def load(self) -> object:
            if isinstance(self.value, Exception):
                raise self.value
            return self.value

    entries = [Entry("good", (spec,)), Entry("broken", ImportError("gone"))]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries if group == "workbench.formats" else [])
    found = load_plugins(tmp_path / "none")
    assert [one.id for one in found.formats] == ["kitty"]
    assert [(fault.origin, fault.message) for fault in found.faults] == [("entry point 'broken'", "ImportError: gone")]
    lines = check_plugins(found)
    assert ("There is no strict example with a call.",) in [line.wrong for line in lines]


def test_installing(tmp_path: Path) -> None:
    found = load_plugins(kitty_folder(tmp_path), entry_points=False)
    install(found)
    try:
        assert get_format("Kitty").id == "kitty"
        assert list_formats()[-1].id == "kitty"
        assert detect("kitty-7b").format == "kitty"
        readings = survey('<kitty>{"name": "now", "arguments": {}}</kitty>', asked="kitty").readings
        assert readings[0].tolerant.strict == 1
        assert sanitize("Purr. <kitty>and so on</kitty> <kit") == "Purr."
        with pytest.raises(UnknownName, match="kitty"):
            get_format("kity")
    finally:
        install(module.Plugins())
    with pytest.raises(UnknownName):
        get_format("kitty")
    assert detect("kitty-7b").guess
    assert sanitize("<kitty>purr</kitty>") == "<kitty>purr</kitty>"


FORMAT = """
from workbench.formats import get_format

class Mine:
    id = {name!r}
    def __getattr__(self, name):
        return getattr(get_format("qwen_xml"), name)
{more}
FORMATS = (Mine(),)
"""
BAD = {
    "raises BaseException": ("class Stop(BaseException): pass\nraise Stop('now')", "Stop: now"),
    "ends the program": ("import sys\nsys.exit(3)", "SystemExit: 3"),
    "leaves at once": ("import os\nos._exit(0)", "SystemExit: 0"),
    "cannot say what is wrong": ("class E(Exception):\n    def __str__(self): raise SystemExit(0)\nraise E", "E"),
    "prints": ("print('hello')\n" + FORMAT.format(name="chatty", more=""), "It prints: 'hello'"),
    "prompt raises": (FORMAT.format(name="mute", more="    def prompt(self, *_): raise ValueError('no')"), "ValueError: no"),
    "prompt says nothing": (FORMAT.format(name="mute", more="    def prompt(self, *_): return None"), "prompt() gives NoneType, not text"),
    "prompt comes in pieces": (FORMAT.format(name="mute", more="    def prompt(self, *_): yield 'x'"), "prompt() gives generator, not text"),
    "a marker that is everywhere": (KITTY.replace('models="Kitty 7B"', 'models="", markers=(("e", "a"),)'), "'e' is no marker"),
    "a marker that is a book": (KITTY.replace('models="Kitty 7B"', 'models="", markers=(("x" * 5000, "y"),)'), "is no marker"),
    "an id that is odd": (
        "class S(str):\n    def __eq__(self, _): raise ValueError\n    __hash__ = str.__hash__\n" + KITTY.replace('id="kitty"', 'id=S("kitty")'),
        "the id 'kitty' is not in lower case letters",
    ),
    "parse raises": (FORMAT.format(name="blind", more="    def parse(self, *_): raise KeyError('x')"), "KeyError: 'x'"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_plugin_is_named_and_left_out(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = BAD[kind]
    (tmp_path / "bad.py").write_text(code)
    (tmp_path / "good.py").write_text(FORMAT.format(name="good_one", more=""))
    found = load_plugins(tmp_path, entry_points=False)
    assert [spec.id for spec in found.formats] == ["good_one"]
    (fault,) = found.faults
    assert fault.origin == "bad.py"
    assert said in fault.message
    assert capsys.readouterr() == ("", "")


def test_late_plugin_failure_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    later = "    def parse(self, text, tools=None, reason=None):\n        text == 'fine' and print('hm')\n        return 1 // (text != 'bad')"
    (tmp_path / "later.py").write_text(FORMAT.format(name="late_one", more=later))
    (spec,) = load_plugins(tmp_path, entry_points=False).formats
    assert spec.parse("fine") == 1
    with pytest.raises(InvalidInput, match=r"plug-in 'later.py' failed in parse\(\): ZeroDivisionError"):
        spec.parse("bad")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "what", ["raise ValueError('no')", "raise SystemExit(0)", "raise KeyboardInterrupt", "os._exit(0)"]
)
def test_a_parser_that_fails_late_names_its_plugin(tmp_path: Path, what: str) -> None:
    parser = f"""
    def parser(self, *given, **named):
        import os
        class Late:
            def feed(self, text):
                print('hm')
                {what}
        return Late()"""
    (tmp_path / "later.py").write_text(FORMAT.format(name="late_one", more=parser))
    (spec,) = load_plugins(tmp_path, entry_points=False).formats
    with pytest.raises(InvalidInput, match=r"plug-in 'later.py' failed in feed\(\): \w+"):
        spec.parser(()).feed("x")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes that are copies")
def test_a_forked_process_of_a_plugin_may_leave(tmp_path: Path) -> None:
    code = "import os\nchild = os.fork()\nif not child: os._exit(7)\nstatus = os.waitpid(child, 0)[1]\nassert status == 7 << 8"
    (tmp_path / "good.py").write_text(f"{code}\n{FORMAT.format(name='good_one', more='')}")
    assert [spec.id for spec in load_plugins(tmp_path, entry_points=False).formats] == ["good_one"]


@pytest.mark.parametrize(
    ("line", "told"), [("models = ()", "models of"), ("family = 7", "family of"), ("stop_sequences = lambda self: ()", "stop_sequences")]
)  # fmt: skip
def test_a_format_with_values_of_other_types_is_left_out(tmp_path: Path, line: str, told: str) -> None:
    """It would fail later, in whatever lists the formats."""
    source = f"""
from workbench.formats import get_format

class Own:
    id, family, models, native, stop_sequences = "own", "own", "Own 7B", False, ()
    {line}

    def __getattr__(self, name):
        return getattr(get_format("qwen_xml"), name)

FORMATS = (Own(),)
"""
    (tmp_path / "own.py").write_text(source, encoding="utf-8")
    found = load_plugins(tmp_path, entry_points=False)
    assert found.found == ()
    assert told in found.faults[0].message
