"""JSON and YAML as users hand them in, read into plain JSON values; whatever is wrong with them is said in one sentence.

The one importer of yaml. Dates stay text and keys are text, as in JSON; aliases are allowed as long as they are not circular and the
document does not grow beyond `LARGEST` values when they are written out, since whoever prints or sends it writes them out.
"""

from __future__ import annotations

import errno
import json
import math
import re
from typing import TYPE_CHECKING, Any

import yaml

from workbench.core.errors import InvalidInput
from workbench.core.json_text import parse_json
from workbench.core.whole_files import text_of_file

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.errors import WorkbenchError

_LONGEST = 10**4300
LARGEST = 1_000_000
"""Values of a YAML document with all its aliases written out."""
_PLAIN = frozenset(f"tag:yaml.org,2002:{name}" for name in "str int float bool null seq map merge value".split())

_HINTS = {
    errno.ENOENT: "Is its name right?",
    errno.ENOTDIR: "Is its name right?",
    errno.EISDIR: "Name a file in there.",
    errno.EINVAL: "Give a file with text.",
    errno.EACCES: "May you read it, and open its folder?",
    errno.EPERM: "May you read it, and open its folder?",
    errno.ETIMEDOUT: "It is a pipe: whoever fills it must begin and come to an end. Or give a file.",
    errno.EFBIG: "Give a smaller one.",
    errno.EIO: "Is its disk sound?",
}
"""What to do about a file that cannot be read."""
_BINARY = frozenset({"tag:yaml.org,2002:binary"})


class DocumentError(InvalidInput):
    """Text that is no document; where it can be told, with its line and column."""

    def __init__(self, place: str, what: str, line: int = 0, column: int = 0, hint: str = "") -> None:
        at = f" in line {line}, column {column}" if line else ""
        super().__init__(f"{place}: {what}{at}.", hint=hint)
        self.line, self.column = line, column


def text_of(
    path: Path, what: str = "The file", *, pipes: bool = True, error: type[WorkbenchError] = InvalidInput
) -> str:
    """Return a file's text without its byte order mark; raise `error`, whose first words are `what`. `pipes` as in `opened_file`."""
    name = f"{what} {str(path)!r}"
    try:
        return text_of_file(path, pipes=pipes)
    except UnicodeDecodeError as problem:
        raise error(f"{name} is not UTF-8 text: byte {problem.start}.", hint="Save it as UTF-8.") from problem
    except OSError as problem:
        hint = _HINTS.get(problem.errno or 0, "")
        raise error(f"{name} cannot be read: {problem.strerror or problem}.", hint=hint) from problem
    except ValueError as problem:
        raise error(f"{name} cannot be the name of a file: {problem}.") from problem


def read_json(text: str, place: str, *, strict: bool = True) -> Any:
    """Read JSON; raise DocumentError. `strict`: to the letter, while Python would take NaN and Infinity too."""
    try:
        return parse_json(text, exact=strict)
    except json.JSONDecodeError as error:
        raise DocumentError(place, f"no JSON: {error.msg}", error.lineno, error.colno) from error
    except ValueError as error:
        raise DocumentError(place, f"no JSON: {error}") from error


def read_yaml(text: str, place: str, *, words: bool = False, binary: bool = False) -> Any:
    """Read YAML; raise DocumentError. `words`: `yes`, `no`, `on` and `off` are words, as in YAML 1.2.

    `binary`: bytes may stand in it (`!!binary`).
    """
    loader = None
    try:
        loader = (_WordLoader if words else _Loader)(text)  # looks at the characters already
        node = loader.get_single_node()
        if node is None:
            return None
        _check(node, place, _PLAIN | _BINARY if binary else _PLAIN)
        return loader.construct_document(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise DocumentError(place, f"no YAML: {getattr(error, 'problem', None) or error}", line, column) from error
    except RecursionError as error:
        raise DocumentError(place, "nested too deeply") from error
    except (ValueError, LookupError, TypeError, OverflowError) as error:  # PyYAML's own, of `!!int` with nothing behind
        raise DocumentError(place, f"a value cannot be read: {error}") from error
    finally:
        if loader is not None:
            loader.dispose()


def dump_yaml(value: Any) -> str:
    """Return plain data as YAML that diffs well: block text for several lines, no aliases."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


class _Loader(yaml.SafeLoader):
    """Plain values only."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Keys are text, as in JSON."""
        found = super().construct_mapping(node, deep)
        return {key if isinstance(key, str) else json.dumps(key, default=str): item for key, item in found.items()}

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        """Numbers that Python also writes: those to base 16 or 60 may be longer."""
        found = super().construct_yaml_int(node)
        if abs(found) >= _LONGEST:
            raise ValueError("a number has more than 4300 digits")
        return found

    def construct_yaml_float(self, node: yaml.ScalarNode) -> float:
        """Numbers that JSON knows."""
        found = super().construct_yaml_float(node)
        if not math.isfinite(found):
            raise ValueError(f"JSON has no number {node.value!r}")
        return found


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_yaml_int)
_Loader.add_constructor("tag:yaml.org,2002:float", _Loader.construct_yaml_float)


def _without(*kinds: str) -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    known = yaml.SafeLoader.yaml_implicit_resolvers
    return {first: [pair for pair in pairs if not pair[0].endswith(kinds)] for first, pairs in known.items()}


class _WordLoader(_Loader):
    """Booleans as in YAML 1.2."""


_Loader.yaml_implicit_resolvers = _without(":timestamp")
_WordLoader.yaml_implicit_resolvers = _without(":timestamp", ":bool")
_WordLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false|True|False)$"), list("tfTF"))


def _check(node: yaml.Node, place: str, plain: frozenset[str]) -> None:
    """Refuse circles, foreign types, and documents that are small only because of their aliases."""
    sizes: dict[int, int] = {}
    open_: set[int] = set()

    def size(one: yaml.Node) -> int:
        known = sizes.get(id(one))
        if known is not None:
            return known
        mark = one.start_mark
        line, column = mark.line + 1, mark.column + 1
        if one.tag not in plain:
            raise DocumentError(
                place,
                f"the type {one.tag.removeprefix('tag:yaml.org,2002:')!r} is not for such a document",
                line,
                column,
            )
        if id(one) in open_:
            raise DocumentError(place, "an alias stands inside what it stands for", line, column)
        open_.add(id(one))
        total = 1
        if isinstance(one, yaml.MappingNode):
            total += sum(size(key) + size(value) for key, value in one.value)
        elif isinstance(one, yaml.SequenceNode):
            total += sum(size(item) for item in one.value)
        open_.discard(id(one))
        if total > LARGEST:
            raise DocumentError(
                place, f"with its aliases written out it holds more than {LARGEST:,} values", line, column
            )
        sizes[id(one)] = total
        return total

    size(node)


class _Dumper(yaml.SafeDumper):
    """Block text for several lines, no aliases."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Never write `*id001`."""
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    """Several lines as a block; line ends that only YAML knows, and what cannot be shown, as escapes."""
    odd = re.search(r"[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd]", value)
    block = "\n" in value and not odd and not re.search(r"[ \t]+\n", value)
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if block else '"' if odd else None)


_Dumper.add_representer(str, _text)
