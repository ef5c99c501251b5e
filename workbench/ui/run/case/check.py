"""A case's document as it is typed: the case, or what is wrong with line and column."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import yaml

from workbench.cases.files import read_cases
from workbench.core.errors import InvalidInput
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.json_check import TextFault, fault_at

if TYPE_CHECKING:
    from workbench.core.case import Case

_PLACE = re.compile(r"line (\d+), column (\d+)")
_PATH = re.compile(r"(?:^|[\s:])((?:messages|tools|expect|mocks|modes|tags)[\w.\[\]$-]*(?::\s*messages\[\d+\])?)")
_PART = re.compile(r"([\w$-]+)|\[(\d+)\]")
_KEY = re.compile(r"unknown key '([^']+)'")


class CheckedCase(NamedTuple):
    """A document and what it says."""

    case: Case | None
    fault: TextFault | None


def check_document(text: str, case_id: str) -> CheckedCase:
    """Read a document of one case."""
    try:
        found = read_cases(text, case_id, case_id)
    except InvalidInput as error:
        return CheckedCase(None, fault_of(text, error, case_id))
    if len(found) != 1:
        return CheckedCase(None, fault_at(text, 0, tr("{found} cases; a document here holds one", found=len(found))))
    return CheckedCase(found[0], None)


def fault_of(text: str, error: InvalidInput, place: str) -> TextFault:
    """Where in the text an error lies: by the line it names, else by the path inside the document."""
    message = str(error).removeprefix(place).lstrip(", :")
    if match := _PLACE.search(error.message):
        line, column = int(match[1]), int(match[2])
        told = message.partition(": ")[2] if message.startswith("line") else message
        return TextFault(told, line, column, _offset(text, line, column))
    return fault_at(text, _node_offset(text, error.message.removeprefix(place)), message)


def _offset(text: str, line: int, column: int) -> int:
    lines = text.splitlines(keepends=True)
    return min(sum(map(len, lines[: line - 1])) + column - 1, len(text))


def _node_offset(text: str, message: str) -> int:
    """Offset of the deepest part of the path that exists."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return 0
    match = _PATH.search(message)
    if node is None or match is None:
        return _key_offset(node, message) if node is not None else 0
    parts = [one or int(number) for one, number in _PART.findall(match[1])]
    for part in parts:
        below = _child(node, part)
        if below is None:
            break
        node = below
    return _key_offset(node, message)


def _child(node: yaml.Node, part: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(part)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        found: yaml.Node = node.value[part]
        return found
    return None


def _key_offset(node: yaml.Node, message: str) -> int:
    """An unknown key is shown where it stands; anything else where its value begins."""
    unknown = _KEY.search(message)
    if unknown and isinstance(node, yaml.MappingNode):
        for key, _value in node.value:
            if key.value == unknown[1]:
                return int(key.start_mark.index)
    return int(node.start_mark.index)
