"""A user's own formats and registry rows: files in the folder `plugins`, and packages with an entry point.

    plugins/kitty.py       Python with FORMATS = (FormatSpec(…), …)
    plugins/kitty.yaml     samples of those formats, run by `workbench formats --check`
    plugins/models.toml    registry rows, in the shape of the shipped registry; they go first
    entry point            group `workbench.formats`: a module with FORMATS (and SAMPLES), or such a tuple

A plug-in is other people's code. Whatever goes wrong in it becomes a fault with its name; the program starts all the
same, and nothing of a faulty file is used.
"""

from __future__ import annotations

import gc
import importlib.util
import opcode
import sys
import threading
from contextvars import copy_context
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.tools import ToolSpec
from workbench.core.whole_files import text_of_file
from workbench.formats.conformance import Sample, checks, samples_of
from workbench.formats.model_rules import Rules, load_rules, shipped_rules, use_rules
from workbench.formats.plugin_box import called_in_box, read_in_box
from workbench.formats.registry import ALIASES, TABLE, add_formats
from workbench.formats.sanitizer.marker_table import check_markers, use_formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from workbench.core.protocols import Format

GROUP = "workbench.formats"
LONGEST_S = 10.0
"""How long a plug-in may take to be read and tried."""
_SAID = 500
"""Characters of what an exception says."""
_NAMED = 80
"""Characters of an id in a message."""
_NEEDED = ("id", "family", "models", "native", "parser", "parse", "prompt", "render_call", "stop_sequences")
_HINT = "Write FORMATS = (FormatSpec(…),) in it, as the files in workbench/formats/families do."


class PluginFault(NamedTuple):
    """What is wrong with a plug-in; it is not used."""

    origin: str
    """File or entry point."""
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One file or entry point that could be read."""

    origin: str
    formats: tuple[Format, ...] = ()
    samples: tuple[Sample, ...] = ()
    rules: Rules = Rules()

    def samples_for(self, name: str) -> tuple[Sample, ...]:
        """Samples of one of its formats."""
        return tuple(one for one in self.samples if (one.format or self.formats[0].id) == name)


@dataclass(frozen=True, slots=True)
class Plugins:
    """Everything that was found."""

    found: tuple[Plugin, ...] = ()
    faults: tuple[PluginFault, ...] = ()

    @property
    def formats(self) -> tuple[Format, ...]:
        """All formats, in the order found."""
        return tuple(spec for plugin in self.found for spec in plugin.formats)

    @property
    def rules(self) -> Rules:
        """The registry with the users' rows first."""
        shipped = shipped_rules()
        own = [plugin.rules for plugin in self.found]
        return Rules(
            tuple(rule for one in own for rule in one.rules) + shipped.rules,
            tuple(mark for one in own for mark in one.templates) + shipped.templates,
            {**shipped.defaults, **{key: value for one in own for key, value in one.defaults.items()}},
        )


def install(plugins: Plugins) -> None:
    """Put formats, their markers and rows in force, in place of those of another data folder."""
    add_formats(plugins.formats)
    use_formats(plugins.formats)
    use_rules(plugins.rules if any(plugin.rules != Rules() for plugin in plugins.found) else None)


class CheckLine(NamedTuple):
    """One conformance check of a plug-in's format."""

    format: str
    title: str
    wrong: tuple[str, ...]
    """Empty: it holds."""


def load_plugins(folder: Path, *, entry_points: bool = True) -> Plugins:
    """Read everything in the folder, by name, and then the entry points. Never raises."""
    sources = list(_files(folder)) + (list(_entries()) if entry_points else [])
    found: list[Plugin] = []
    faults: list[PluginFault] = []
    for origin, read in sources:
        plugin = _guarded(origin, lambda one=read: _in_time(lambda: _tried(one())), faults)  # type: ignore[misc]
        if plugin is None:
            continue
        taken = {spec.id for one in found for spec in one.formats} | set(TABLE) | set(ALIASES)
        if clash := [spec.id for spec in plugin.formats if spec.id in taken]:
            faults.append(PluginFault(origin, f"The format id {clash[0]!r} is taken.", "Give it another id."))
        else:
            found.append(plugin)
    return Plugins(tuple(found), tuple(faults))


def check_plugins(plugins: Plugins) -> tuple[CheckLine, ...]:
    """Run the conformance checks of every format. Never raises."""
    lines = []
    for plugin in plugins.found:
        for spec in plugin.formats:
            for title, check in checks(spec, plugin.samples_for(spec.id)):
                faults: list[PluginFault] = []
                wrong = _guarded(plugin.origin, check, faults)
                told = wrong if wrong is not None else [faults[0].message]
                lines.append(CheckLine(spec.id, title, tuple(told)))
    return tuple(lines)


def _guarded(origin: str, work: Callable[[], Any], faults: list[PluginFault]) -> Any:
    """The edge: run other people's code; what it raises or prints becomes a fault."""
    try:
        with read_in_box() as said:
            found = work()
    except WorkbenchError as error:
        faults.append(PluginFault(origin, error.message, error.hint))
        return None
    except BaseException as error:  # plug-ins are other people's code
        if isinstance(error, KeyboardInterrupt) and not _raised(error):
            raise  # Ctrl+C
        faults.append(PluginFault(origin, _words(error), _place(error)))
        return None
    if said.getvalue():
        hint = "Take it out: what commands print is read by other programs."
        faults.append(PluginFault(origin, f"It prints: {said.getvalue().strip()[:80]!r}.", hint))
        return None
    return found


def _in_time(work: Callable[[], Any]) -> Any:
    """Other people's code beside the program's own thread; raise InvalidInput if it does not come to an end."""
    done: list[tuple[Any, BaseException | None]] = []

    def tried() -> None:
        try:
            done.append((work(), None))
        except BaseException as error:  # noqa: BLE001  # raised again in the thread that waits
            done.append((None, error))

    beside = threading.Thread(target=copy_context().run, args=(tried,), daemon=True, name="plug-in")
    collects = gc.isenabled()
    gc.disable()  # Python collects in whichever thread makes the one object too many, and widgets must not end in this one
    try:
        beside.start()
        beside.join(LONGEST_S)
    finally:
        if collects:
            gc.enable()
    if not done:
        raise InvalidInput(
            f"It did not come to an end within {LONGEST_S:g} s.", hint="Let it define its formats alone."
        )
    found, error = done[0]
    if error is not None:
        raise error
    return found


def _raised(error: BaseException) -> bool:
    """Whether a statement of the code itself raised it, and not the user's key."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_code.co_code[last.tb_lasti] == opcode.opmap["RAISE_VARARGS"]


class _Guarded:
    """A format of a plug-in, or a parser of it: what its methods raise names the plug-in, and what they print goes nowhere."""

    def __init__(self, inner: object, origin: str) -> None:
        self._inner, self._origin = inner, origin

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found) or name.startswith("__"):
            return found

        def guarded(*given: Any, **named: Any) -> Any:
            made = self._call(name, lambda: _as_promised(name, found(*given, **named)))
            return _Guarded(made, self._origin) if name == "parser" else made

        return guarded

    def _call(self, name: str, work: Callable[[], Any]) -> Any:
        try:
            with called_in_box():
                return work()
        except WorkbenchError:
            raise
        except BaseException as error:  # plug-ins are other people's code
            if isinstance(error, KeyboardInterrupt) and not _raised(error):
                raise  # Ctrl+C
            text = f"The plug-in {self._origin!r} failed in {name}(): {_words(error)}."
            raise InvalidInput(text, hint=_place(error)) from error


def _words(error: BaseException) -> str:
    """What an exception says of itself, if it can."""
    try:
        return f"{type(error).__name__}: {str(error)[:_SAID]}"
    except BaseException:  # noqa: BLE001  # that method is the plug-in's as well
        return type(error).__name__


_TRIAL_TOOLS = (
    ToolSpec("look_up", "Looks something up.", {"type": "object", "properties": {"name": {"type": "string"}}}),
)
_TRIAL_TEXTS = ("", "Hello.", '<tool_call>{"name": "look_up", "arguments": {"name": "x"}}</tool_call>')


def _tried(plugin: Plugin) -> Plugin:
    """Use each format once, so that one that cannot even begin is left out and named."""
    for spec in plugin.formats:
        check_markers(spec)
        for tools in ((), _TRIAL_TOOLS):
            _as_promised("prompt", spec.prompt(tools))
            for text in _TRIAL_TEXTS:
                spec.parse(text, tools)
    return replace(plugin, formats=tuple(cast("Format", _Guarded(spec, plugin.origin)) for spec in plugin.formats))


def _as_promised(name: str, made: Any) -> Any:
    """What a format's own function gave; raise TypeError where it is no text and must be one."""
    if name in ("prompt", "render_call") and not isinstance(made, str):
        raise TypeError(f"{name}() gives {type(made).__name__}, not text")
    return made


def _place(error: BaseException) -> str:
    """File and line of the plug-in in which it was raised."""
    trace, place = error.__traceback__, ""
    while trace is not None and not isinstance(error, SyntaxError):  # that one names its line itself
        name = trace.tb_frame.f_code.co_filename
        place = place if name.startswith("<") else f"{name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return f"At {place}." if place else ""


def _files(folder: Path) -> Iterable[tuple[str, Callable[[], Plugin]]]:
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.suffix == ".py" and not path.name.startswith("_"):
            yield path.name, lambda one=path: _read_python(_plain(one))  # type: ignore[misc]
        elif path.suffix == ".toml":
            yield path.name, lambda one=path: _read_rows(_plain(one))  # type: ignore[misc]


def _plain(path: Path) -> Path:
    """The path of a file that has an end; raise InvalidInput for devices, pipes and folders, which hang or never end."""
    if not path.is_file():
        raise InvalidInput(f"{path.name} is no regular file.", hint="Put the file itself there, or take it away.")
    return path


def _entries() -> Iterable[tuple[str, Callable[[], Plugin]]]:
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        yield f"entry point {entry.name!r}", lambda one=entry: _plugin(f"entry point {one.name!r}", one.load())  # type: ignore[misc]


def _read_rows(path: Path) -> Plugin:
    merged, shipped = load_rules(path), shipped_rules()
    own = Rules(
        merged.rules[: len(merged.rules) - len(shipped.rules)],
        merged.templates[: len(merged.templates) - len(shipped.templates)],
        {key: value for key, value in merged.defaults.items() if shipped.defaults.get(key) != value},
    )
    return Plugin(path.name, rules=own)


def _read_python(path: Path) -> Plugin:
    name = f"workbench_plugin_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InvalidInput(f"{path.name} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    plugin = _plugin(path.name, module)
    beside = path.with_suffix(".yaml")
    if not beside.is_file():
        return plugin
    from workbench.documents import read_yaml

    try:
        text = text_of_file(beside, "utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{beside.name} is not UTF-8 text: {error}") from error
    data = read_yaml(text, beside.name)
    return Plugin(plugin.origin, plugin.formats, plugin.samples + samples_of(data, beside.name))


def _plugin(origin: str, value: Any) -> Plugin:
    """A module with FORMATS and SAMPLES, a tuple of formats, or one format."""
    formats = getattr(value, "FORMATS", value)
    formats = tuple(formats) if isinstance(formats, list | tuple) else (formats,)
    if not formats:
        raise InvalidInput(f"{origin} has no format in FORMATS.", hint=_HINT)
    for one in formats:
        if isinstance(getattr(one, "id", None), str) and len(one.id) > _NAMED:
            raise InvalidInput(f"{origin}: the id {one.id[:_NAMED]!r}… has more than {_NAMED} characters.")
        if missing := [name for name in _NEEDED if not hasattr(one, name)]:
            raise InvalidInput(f"{origin}: {repr(one)[:_NAMED]} is no format, it has no {missing[0]!r}.", hint=_HINT)
        if wrong := [name for name in ("family", "models") if not isinstance(getattr(one, name), str)]:
            raise InvalidInput(f"{origin}: {wrong[0]} of {repr(one)[:_NAMED]} is no text.", hint=_HINT)
        stops = one.stop_sequences
        if not isinstance(stops, list | tuple) or not all(isinstance(stop, str) for stop in stops):
            raise InvalidInput(f"{origin}: stop_sequences is no tuple of texts.", hint=_HINT)
        if type(one.id) is not str or not one.id.isidentifier() or one.id != one.id.lower():
            raise InvalidInput(
                f"{origin}: the id {repr(one.id)[:_NAMED]} is not in lower case letters, digits and '_'."
            )
    samples = getattr(value, "SAMPLES", None)
    return Plugin(origin, formats, samples_of(samples, origin) if samples is not None else ())
