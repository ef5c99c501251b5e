"""`<tool_call>`, the tag that three families share with different bodies: JSON, Coder XML, key and value pairs.

Each format has one native body; the other two are read as well and marked `wrong_family`.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from workbench.core.calls import ParsedCall, ParseProblem
from workbench.formats.kit.calls import settle
from workbench.formats.kit.grammar import Attempt, Idle
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.tag_json import BODY, TagJson
from workbench.formats.kit.window import TAIL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.core.calls import Span
    from workbench.formats.kit.calls import Draft
    from workbench.formats.kit.pairs_so_far import Pairs
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.tag_shape import TagShape
    from workbench.formats.kit.window import Step

_OWNERS = {"json": "qwen_xml", "coder": "qwen3_coder_xml", "pairs": "glm45"}


class ToolCallTag(TagJson):
    """A grammar of calls in `<tool_call>`."""

    spots = "{<"
    opens: tuple[str, ...] = ("<tool_call>",)
    closes: tuple[str, ...] = ("</tool_call>",)
    bodies: tuple[str, ...] = ("json",)
    """Native bodies: `json`, `coder`, `pairs`."""
    own_pairs: Pairs | None = None
    """Tags of keys and values, where they are not GLM's."""
    reads: tuple[str, ...] = ("attributed", "named", "bare", "parameter")
    bare_function = False
    """`<function=` without the tag around it begins a call too."""

    @cached_property
    def shape(self) -> TagShape:
        """The Coder XML tags; imported when one is seen."""
        from workbench.formats.kit.tag_shape import CODER

        return CODER

    @cached_property
    def pairs(self) -> Pairs:
        """The key and value tags; imported when needed."""
        from workbench.formats.kit.pairs_so_far import GLM

        return self.own_pairs or GLM

    def inside(self) -> tuple[str, ...]:
        """Tags of keys, values and parameters, where they are native."""
        pairs = (self.pairs.key_open, self.pairs.value_open) if "pairs" in self.bodies else ()
        return (*pairs, *(self.shape.param_starts if "coder" in self.bodies else ()))

    def literals(self) -> Mapping[str, str]:
        """Return the tag, its near misses, and bare function tags where they count."""
        found = {**super().literals(), "<tool_call ": "attributed"}
        if self.bare_function:
            found |= dict.fromkeys(self.shape.call_starts, "bare")
            found |= dict.fromkeys((*self.shape.call_closes, *self.shape.param_closes), "orphan")
            found |= dict.fromkeys(self.shape.param_starts, "parameter")
        return found

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """A name right before the tag that follows a name begins a call whose own tag is lost."""
        if "pairs" not in self.bodies:
            return super().patterns()
        name = r"(?<![\w.\-<>=/\\])[A-Za-z_][\w.\-]{0,63}+\s{0,4}+"
        tags = [mark for mark in (self.pairs.key_open, self.pairs.after_name) if mark]
        follows = "|".join(map(re.escape, tags))
        return (
            *super().patterns(),
            ("named", rf"{name}(?={follows})", rf"{name.replace('}+', '}')}(?:{prefix_regex(tags)})?"),
        )

    def _foreign(self, body: str) -> tuple[tuple[str, ...], str]:
        """Return the repair for a body of another family, and the format that owns it."""
        return ((), self.format) if body in self.bodies else (("wrong_family",), _OWNERS[body])

    def idle(self, marker: str, kind: str) -> Idle | None:
        """A near opener may have pairs for its body too."""
        if kind == "near" and type(self).other_body is ToolCallTag.other_body:
            return Idle(kept=True, behind=BODY, lacks=self.pairs.marks)
        return super().idle(marker, kind)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body."""
        if kind == "attributed":
            start, at = match.span()
            match = None  # type: ignore[assignment]
            from workbench.formats.kit.tag_attributes import read_attributed

            return (yield from read_attributed(self, scan, start, at))
        if kind == "named":
            start, name = match.start(), match.group().strip()
            match = None  # type: ignore[assignment]
            return (yield from self._pairs(scan, start, start, kind)) if scan.tools.resolve(name).tool else None
        if kind in ("bare", "parameter"):
            start = match.start()
            match = None  # type: ignore[assignment]
            if kind == "parameter" and not (yield from self._holds_parameters(scan, start)):
                return None
            return (yield from self._coder(scan, start, start, kind))
        return (yield from super().read(scan, match, kind))

    def _holds_parameters(self, scan: Scanner, at: int) -> Step[bool]:
        """True if another parameter's tag follows the one at `at`, whose value would be empty."""
        found = yield from scan.within(at, 200, ">")
        after = (yield from scan.space(found[1])) if found is not None else 0
        return found is not None and (yield from scan.literal(after, *self.shape.param_starts)) >= 0

    def json_repairs(self) -> tuple[str, ...]:
        """JSON is another family's body where it is not native."""
        return self._foreign("json")[0]

    def other_body(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """Coder XML, pairs, or nothing that is a call."""
        if (yield from scan.literal(at, *self.shape.call_starts)) >= 0:
            attempt = yield from self._coder(scan, start, at, kind)
            if attempt is not None:
                return attempt
        found = yield from scan.find(at, *self.pairs.marks, *self.boundaries)
        from workbench.formats.kit.key_value_pairs import looks_like_pairs

        if found is None:
            name_like = "pairs" in self.bodies and len(scan.text) - at < 200 and self._name_alone(scan, at)
        else:
            token = scan.text[found[0] : found[1]].lower()
            glued = token in self.pairs.marks and token == self.pairs.key_close
            name_like = glued or looks_like_pairs(scan.text, at, self.pairs)
        if name_like:
            attempt = yield from self._pairs(scan, start, at, kind)
            if attempt is not None:
                return attempt
        return (yield from super().other_body(scan, start, at, kind))

    @staticmethod
    def _name_alone(scan: Scanner, at: int) -> bool:
        return len(scan.text) - at < TAIL and scan.tail(at).strip() in scan.tools.by_name

    def _coder(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """One or more function tags."""
        repairs, form = self._foreign("coder")
        repairs += {"near": ("near_miss_tag",), "bare": ("missing_open_tag",), "parameter": ("missing_open_tag",)}.get(
            kind, ()
        )
        from workbench.formats.kit.tagged import read_call

        repairs += scan.odd_layout(start, at)
        shape = self.shape
        if kind == "parameter":
            from workbench.formats.kit.tag_shape import TOOL_AS_PARAMETER as shape  # noqa: N811

        items: list[ParsedCall | ParseProblem] = []
        begin = start
        while True:
            found = yield from read_call(
                scan,
                begin,
                at,
                shape,
                canonical=kind == "call",
                form=form,
                repairs=repairs,
                wrapped=kind == "call",
            )
            if found is None:
                return Attempt(at, tuple(items)) if begin > start else None
            draft, end = found
            if isinstance(draft, ParseProblem):
                if kind != "call" and draft.name not in scan.tools.by_name and begin == start:
                    return None
                return Attempt(end, (*items, draft))
            after = yield from scan.layout(end)
            close = yield from scan.literal(after, *self.closers)
            again = close < 0 and (yield from scan.literal(after, *self.shape.call_starts)) >= 0
            if close >= 0:
                end = close
            elif not again and kind not in ("bare", "parameter"):
                end = self._half_close(scan, after, end)
                draft = draft._replace(repairs=(*draft.repairs, "missing_close_tag"))
            if begin > start or (again and kind == "call" and self.bodies == ("json",)):
                draft = draft._replace(repairs=(*draft.repairs, "extra_calls"))
            item = settle(_stretched(draft, scan.span(begin, end)), scan.tools)
            if item is None:
                return Attempt(end, tuple(items), as_text=begin == start)
            items.append(item)
            if not again:
                return Attempt(end, tuple(items))
            scan.early(items)
            begin = at = after

    @staticmethod
    def _half_close(scan: Scanner, after: int, end: int) -> int:
        """Swallow a closing tag that is cut off at the very end."""
        rest = scan.tail(after).lower()
        return len(scan.text) if scan.closed and rest and "</tool_call>".startswith(rest) else end

    def _pairs(self, scan: Scanner, start: int, at: int, kind: str, partner: str = "") -> Step[Attempt | None]:
        """Read calls from the name at `at` on; `partner` closes an opener that is not the family's own."""
        repairs, form = self._foreign("pairs")
        own = repairs + {"near": ("near_miss_tag",), "named": ("missing_open_tag",)}.get(kind, ())
        from workbench.formats.kit.key_value_pairs import call_follows, read_pairs

        items: list[ParsedCall | ParseProblem] = []
        if kind == "near":
            partner = self.near_misses.get(scan.text[start:at].strip().lower(), "")
        near = _near_closes(partner, self.pairs.closes, tuple(self.near_misses.values()))
        while True:
            found = yield from read_pairs(
                scan, start, at, self.pairs, canonical=kind == "call" and not own, form=form, repairs=own, near=near
            )
            if found is None:
                return Attempt(start, tuple(items)) if items else None
            draft, end = found
            if isinstance(draft, ParseProblem):
                known = items or draft.name in scan.tools.by_name or kind == "call"
                return Attempt(end, (*items, draft)) if known else None
            item = settle(draft, scan.tools)
            if item is None:
                return Attempt(start, tuple(items)) if items else None
            items.append(item)
            if "missing_close_tag" not in draft.repairs or not (yield from call_follows(scan, end, self.pairs)):
                return Attempt(end, tuple(items))
            start, at, kind, own = end, end, "named", (*repairs, "missing_open_tag")


@lru_cache
def _near_closes(partner: str, own: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Return what ends a call beside its own closers: what belongs to its opener, and other spellings of its own."""
    words = {_letters(close) for close in own}
    known = (*others, partner) if partner and partner not in others else others
    return tuple(close for close in known if close not in own and (close == partner or _letters(close) in words))


def _letters(tag: str) -> str:
    return "".join(filter(str.isalpha, tag))


def _stretched(draft: Draft, span: Span) -> Draft:
    return draft._replace(span=span)
