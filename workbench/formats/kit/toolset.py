"""The tools that a reply is read against: names as declared and as models bend them, required arguments, types."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.formats.kit.given_tools import specs
from workbench.formats.kit.markdown_escapes import CODE as ESCAPED
from workbench.formats.kit.markdown_escapes import plain_name
from workbench.formats.kit.schema_shape import plain_schema, root_branches
from workbench.formats.kit.types import coerce, member_schema, wanted_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from workbench.core.tools import ToolSpec
    from workbench.formats.kit.given_tools import GivenTools

NAME = re.compile(r"[^\W\d][\w.:/\-]{0,127}")
_SPACE_OF_NAMES = re.compile(r"::?|/")
"""What stands between a group of tools and one of them: `weather/get_weather`, `default_api:get_weather`."""
_PREFIXES = ("functions.", "function.", "functions:", "default_api.", "default_api:", "tools.", "tool.", "functions/")
_FAST: dict[tuple[str, ...], tuple[type, ...]] = {
    ("string",): (str,),
    ("integer",): (int,),
    ("integer", "number"): (int, float),
    ("number",): (int, float),
    ("boolean",): (bool,),
    ("array",): (list,),
    ("object",): (dict,),
}
_INSIDE: dict[type, tuple[str, ...]] = {list: ("items", "prefixItems"), dict: ("properties", "additionalProperties")}
"""Keys under which a schema says more of what is in a value."""
_ANY_TYPE = (str, int, float, bool, list, dict, type(None))


def _kinds_of(schema: Any) -> tuple[type, ...]:
    """The types of values that a schema leaves as they are; empty: that takes a closer look."""
    kinds = _FAST.get(wanted_types(schema), ())
    inside = _INSIDE.get(kinds[0], ()) if kinds else ()
    return () if any(key in schema for key in inside) else kinds


def _has_constants(branch: dict[str, Any], texts: Mapping[str, str]) -> bool:
    """True if a branch has members of one value, and each that is given has it."""
    members = branch.get("properties")
    known = members.items() if isinstance(members, dict) else ()
    listed = {key: member.get("enum") for key, member in known if isinstance(member, dict) and key in texts}
    one = {key: values[0] for key, values in listed.items() if isinstance(values, list) and len(values) == 1}
    return bool(one) and all(texts[key].strip() == str(value) for key, value in one.items())


def fold(name: str) -> str:
    """Fold what may differ in a name: case, `-` and `.` against `_`, and the `functions.` prefix."""
    name = name.strip()
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            name = name[len(prefix) :]
            break
    return _plain(name.lower())


def _plain(low: str) -> str:
    return low.replace("-", "_").replace(".", "_")


_RUN = re.compile("_{2,}")


def _spaced(name: str) -> str:
    """Fold a name further: what stands between a server and its tool is one `.`, one `_` or two, by who asks."""
    return _RUN.sub("_", fold(name))


def folded_text(text: str) -> str:
    """Fold a text as names are folded, to look for them in it; Markdown's escapes go too."""
    low = text.lower()
    if "\\" in low:
        low = low.replace("\\_", "_").replace("\\-", "-")
    return _plain(low)


class Tool:
    """One declared tool, prepared for quick checks."""

    def __init__(self, spec: ToolSpec) -> None:
        self.spec = spec
        self.name = spec.name

    @cached_property
    def _whole(self) -> ToolSpec:
        """The tool with its schema written out: looked at only if a reply names the tool."""
        shape = plain_schema(self.spec.parameters)
        return self.spec if shape is self.spec.parameters else replace(self.spec, parameters=shape)

    @cached_property
    def properties(self) -> dict[str, Any]:
        """Schema of each argument, references followed and branches joined."""
        return self._whole.properties

    def schema_of(self, key: str) -> Any:
        """Schema of one argument, declared by name or as a further one; None if nothing is said."""
        return member_schema(self._whole.parameters, key)

    @cached_property
    def _branches(self) -> list[dict[str, Any]]:
        return root_branches(self.spec.parameters)

    def schema_for(self, texts: Mapping[str, str]) -> Any:
        """The schema of arguments with these texts: of a root of branches the only one whose constants they have."""
        fit = [branch for branch in self._branches if _has_constants(branch, texts)]
        return fit[0] if len(fit) == 1 else self._whole.parameters

    @cached_property
    def _needed(self) -> tuple[str, ...]:
        return self._whole.required

    @cached_property
    def required(self) -> frozenset[str]:
        """Names of the arguments that must be there."""
        return frozenset(self._needed)

    @cached_property
    def _kinds(self) -> dict[str, tuple[type, ...]]:
        return {key: _kinds_of(schema) for key, schema in self.properties.items()}

    def missing(self, arguments: dict[str, Any]) -> list[str]:
        """Required arguments that are not there, in the schema's order."""
        if self.required <= arguments.keys():
            return []
        return [name for name in self._needed if name not in arguments]

    def wants_text(self, key: str) -> bool:
        """True for a parameter that is text and nothing else."""
        return self._kinds.get(key) == (str,)

    def takes(self, key: str, kind: type) -> bool:
        """True for a parameter whose values are of that type and no other."""
        return self._kinds.get(key) == (kind,)

    def plain(self, arguments: dict[str, Any]) -> bool:
        """True if the quick look finds nothing that a closer one could change."""
        kinds = self._kinds
        for key, value in arguments.items():  # noqa: SIM110 - a plain loop: `all` over a generator costs twice as much
            if type(value) not in kinds.get(key, _ANY_TYPE):
                return False
        return True

    def coerced(self, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        """Return the arguments with types that the schema wants, and whether one was changed."""
        changes: dict[str, Any] = {}
        kinds = self._kinds
        for key, value in arguments.items():
            if type(value) in kinds.get(key, ()) or key not in kinds:
                continue
            new, changed = coerce(value, self.properties[key])
            if changed:
                changes[key] = new
        return ({**arguments, **changes}, True) if changes else (arguments, False)


_HEAD = re.compile(r"""(?:\\[nrt])*\W{0,6}[{\[(<"'“\\]\W{0,3}(?P<key>[A-Za-z_][\w.\-]*)["'”]?\W{0,3}[:>=]""")
_SHORT = 64
_SIGNS = re.compile(r"\W*[{}\[\]()<>|:,\\]\W*|\W*\w{0,2}\W{0,2}\{\s*\}\W*|[^\s<]*\|?>")


def only_text(tool: Tool | None, text: str = "") -> str:
    """Return the one argument that bare text can be meant for: the only required one, or the only one, if it is text.

    None takes what is left of an object of arguments, or of the tags around them.
    """
    if tool is None:
        return ""
    names = list(tool.spec.required) or list(tool.properties)
    if len(names) != 1:
        return ""
    if _is_left_of_arguments(tool, text):
        return ""
    schema = tool.properties.get(names[0])
    return names[0] if not isinstance(schema, dict) or schema.get("type", "string") == "string" else ""


def text_beside(tool: Tool, given: Iterable[str], text: str) -> str:
    """Return the one argument that bare text can be meant for beside those that are given, or an empty string."""
    names = [name for name in tool.properties if name not in given and tool.wants_text(name)]
    return names[0] if len(names) == 1 and not _is_left_of_arguments(tool, text) else ""


def _is_left_of_arguments(tool: Tool, text: str) -> bool:
    bare = text.strip()
    head = _HEAD.match(bare)
    named = head is not None and head["key"] in tool.properties
    return named or (0 < len(bare) < _SHORT and _SIGNS.fullmatch(bare) is not None)


class Named(NamedTuple):
    """A name as resolved against the declared tools."""

    name: str
    tool: Tool | None
    repairs: tuple[str, ...] = ()
    problem: str = ""
    """Empty, `unknown_tool` or `bad_name`."""
    hint: str = ""


class ToolSet:
    """Declared tools by name. `None` declares nothing: canonical shapes may name any tool."""

    __slots__ = ("_folded", "_groups", "by_name", "declared", "known")

    def __init__(self, tools: GivenTools | None) -> None:
        self.declared = tools is not None
        self.by_name = {spec.name: Tool(spec) for spec in specs(tools) or ()}
        self.known: dict[str, Named] = {name: Named(name, tool) for name, tool in self.by_name.items()}
        """Names that were resolved before."""
        self._groups: dict[str, list[tuple[str, str]]] = {}
        """Names as declared and as they are looked for in text, by their first word: many tools share it."""
        for name in self.by_name:
            folded = _plain(name.lower())
            self._groups.setdefault(folded[: folded.find("_", 1) + 1] or folded, []).append((name, folded))
        self._folded: dict[str, list[str]] = {}
        for name in self.by_name:
            self._folded.setdefault(fold(name), []).append(name)

    def has_parameter(self, key: str) -> bool:
        """True if some tool declares a parameter of this name."""
        return any(key in tool.properties for tool in self.by_name.values())

    def parameters_of(self, name: str) -> Iterable[str]:
        """Names of the parameters of a tool; none of one that is not declared as it is written."""
        return self.by_name[name].properties if name in self.by_name else ()

    def resolve(self, name: str) -> Named:
        """Find the tool that a written name means; only case, `-`/`_`/`.`, `functions.` and doubling are forgiven."""
        found = self.known.get(name)
        if found is None:
            found = self._resolve(name)
            if len(self.known) < 1000:
                self.known[name] = found
        return found

    def _resolve(self, name: str) -> Named:
        if "\\" in name and (plain := plain_name(name)) != name:
            named = self.resolve(plain)
            return named._replace(repairs=(ESCAPED, *named.repairs))
        bare = name.strip()
        if not self.declared:
            if not NAME.fullmatch(bare):
                return Named(bare, None, (), "bad_name")
            return Named(bare, None, ("name_prefix",) if bare != name else ())
        if bare in self.by_name:
            return Named(bare, self.by_name[bare], ("name_prefix",))
        found = self._folded.get(fold(bare), [])
        if len(found) == 1:
            return Named(found[0], self.by_name[found[0]], ("name_prefix",))
        spaced = [name for name in self.by_name if _spaced(name) == _spaced(bare)] if "_" in fold(bare) else []
        if len(spaced) == 1:
            return Named(spaced[0], self.by_name[spaced[0]], ("name_prefix",))
        half = bare[: len(bare) // 2]
        if half and half * 2 == bare and half in self.by_name:
            return Named(half, self.by_name[half], ("name_dup",))
        first, _, rest = bare.partition(".")
        if rest in self.by_name and rest.partition(".")[0] == first:  # a tool in the namespace that it makes itself
            return Named(rest, self.by_name[rest], ("name_dup",))
        tail = _SPACE_OF_NAMES.split(bare)[-1]
        if tail != bare and tail in self.by_name:
            return Named(tail, self.by_name[tail], ("name_prefix",))
        if not NAME.fullmatch(bare):
            return Named(bare, None, (), "bad_name", self._closest(bare))
        return Named(bare, None, (), "unknown_tool", self._closest(bare))

    def named_in(self, text: str) -> bool:
        """True if a declared name stands in the text, or a token that calls by a number alone."""
        low = folded_text(text)
        return "<|tool_call_begin|>" in low or next(self._within(low), None) is not None

    def names_in(self, text: str) -> Iterator[str]:
        """Declared names that stand in the text, in whatever spelling that is forgiven."""
        return self._within(folded_text(text))

    def _within(self, low: str) -> Iterator[str]:
        for first, names in self._groups.items():
            if first in low:
                yield from (name for name, folded in names if folded in low)

    def nameable(self, name: str) -> bool:
        """True if a text has the form of a name, Markdown's escapes aside, or is a declared one."""
        return NAME.fullmatch(plain_name(name)) is not None or name in self.by_name

    def taking(self, arguments: Any) -> str:
        """Return the only declared tool that these arguments fit, or an empty string."""
        if not isinstance(arguments, dict):
            return ""
        keys = arguments.keys()
        fit = [tool.name for tool in self.by_name.values() if tool.required <= keys <= tool.properties.keys()]
        return fit[0] if len(fit) == 1 else ""

    def prefix_of(self, text: str) -> str:
        """Return the longest declared name that `text` begins with, or an empty string."""
        return max((name for name in self.by_name if text.startswith(name)), key=len, default="")

    def _closest(self, name: str) -> str:
        if not self.by_name:
            return "No tool is declared."
        from difflib import get_close_matches  # only a wrong name needs it

        close = get_close_matches(fold(name)[:128], self._folded, n=1, cutoff=0.5)
        if close:
            return f"The closest declared name is {self._folded[close[0]][0]!r}."
        return f"Declared: {', '.join(sorted(self.by_name)[:12])}."


_PREPARED: dict[int, tuple[object, ToolSet]] = {}
_MOST_PREPARED = 32


def prepared(tools: GivenTools | None) -> ToolSet:
    """Return the set of these tools; one that was made before of the same tuple is taken again."""
    if not isinstance(tools, tuple):
        return ToolSet(tools)
    found = _PREPARED.get(id(tools))
    if found is not None and found[0] is tools:
        return found[1]
    made = ToolSet(tools)
    while len(_PREPARED) >= _MOST_PREPARED:
        _PREPARED.pop(next(iter(_PREPARED)), None)
    _PREPARED[id(tools)] = (tools, made)
    return made
