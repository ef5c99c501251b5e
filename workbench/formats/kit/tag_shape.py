"""The tags of a family whose arguments are text between tags, and those of Qwen3-Coder, which several families share."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

IN_QUOTES = (
    r"""(?:(?<=")(?:(?!</)[^"\n]){1,200}+(?="\s{0,40}(?:/?>|[\w:.\-]{1,40}\s{0,9}=))"""
    r"""|(?<=')(?:(?!</)[^'\n]){1,200}+(?='\s{0,40}(?:/?>|[\w:.\-]{1,40}\s{0,9}=)))"""
)
"""What stands in an attribute's quotes, behind the first of them: it ends at its quote, whatever it holds, unless that is lost."""
FURTHER = (
    r"""(?P<further>(?:\s{1,9}(?:type|string|required|optional|desc(?:ription)?|id|index)\s{0,4}="""
    r"""\s{0,4}(?:"[^"<>\n]{0,200}"|'[^'<>\n]{0,200}'|[\w.\-]{1,64}(?=[\s>])))*+)"""
)
"""Attributes behind a name or a key that say something about it, and hold no argument unless one is declared so."""
OPEN_QUOTE = re.compile(r"""=\s*+(?:"[^"\n]*+|'[^'\n]*+)\Z""")
"""An attribute's quote is open where this text ends."""


@dataclass(frozen=True)
class TagShape:
    """The tags of one family. Patterns match a whole tag; literals are what searches stop at (case does not matter)."""

    call_open: re.Pattern[str]
    """With a group `name`, and perhaps `further` (attributes behind it)."""
    call_exact: re.Pattern[str]
    """The canonical spelling; others are near misses."""
    call_starts: tuple[str, ...]
    """How call tags begin."""
    call_closes: tuple[str, ...]
    """A blank that stands before the bracket is added."""
    param_open: re.Pattern[str]
    """With a group `key`, and perhaps `further` or `string` (`true`: text, `false`: JSON)."""
    param_starts: tuple[str, ...]
    param_closes: tuple[str, ...]
    param_exact: tuple[str, ...] = ()
    """How parameter tags begin in the canonical spelling; none: only the first of them."""
    wrapper_opens: tuple[str, ...] = ()
    wrapper_closes: tuple[str, ...] = ()
    short_closes: tuple[str, ...] = ()
    """Closing tags of a call that break off; they are among `call_closes` too."""
    close_optional: bool = False
    """The closing tag of a call may be missing."""
    cdata: bool = False
    """A value may be wrapped in CDATA."""
    between: tuple[str, ...] = ()
    """Tokens that may stand between two calls of a block."""
    inner: tuple[str, ...] = ()
    """Tags around all parameters, which say nothing."""
    lines: bool = False
    """Values stand on lines of their own, so a newline at either side is layout; else only one at both sides is."""
    stops: tuple[str, ...] = field(init=False, default=())
    nameless: tuple[str, ...] = field(init=False, default=())
    """Tags of parameters without their keys."""
    unnamed: tuple[str, ...] = field(init=False, default=())
    """Tags of calls without their names."""

    def __post_init__(self) -> None:
        whole = (close for close in self.call_closes if close not in self.short_closes and not close.endswith(" >"))
        blank = (f"{close[:-1]} >" for close in whole)
        object.__setattr__(self, "call_closes", tuple(dict.fromkeys((*self.call_closes, *blank))))
        every = (*self.param_closes, *self.param_starts, *self.call_closes, *self.wrapper_closes)
        object.__setattr__(self, "param_exact", self.param_exact or self.param_starts[:1])
        object.__setattr__(self, "stops", tuple(dict.fromkeys(every)))
        nameless = (close.replace("</", "<") for close in self.param_closes)
        object.__setattr__(self, "nameless", tuple(dict.fromkeys(nameless)))
        unnamed = (close.replace("</", "<") for close in self.call_closes if not close.endswith(" >"))
        object.__setattr__(self, "unnamed", tuple(dict.fromkeys(unnamed)))


CODER = TagShape(
    call_open=re.compile(
        r"""<function(?:\s*+=\s*+|\s++)(?P<name>["']"""
        rf"""{IN_QUOTES}["']|["']?[^<>"'\n]{{1,128}}?["']?){FURTHER}\s*(?:>|</function>|(?=\n\s*<parameter[=\s]|\n\s*</(?:parameter|function)>))""",
        re.IGNORECASE,
    ),
    call_exact=re.compile(r"<function=[^<>\"'\s]+>"),
    call_starts=("<function=", "<function "),
    call_closes=("</function>",),
    param_open=re.compile(
        r"""<parameter(?:\s*+=\s*+|\s++(?:name\s*+=\s*+)?)(?:parameter=)?(?P<key>["']"""
        rf"""{IN_QUOTES}["']|["']?[^<>"'\n]{{1,200}}?["']?(?={FURTHER.replace("?P<further>", "?:")}\s*>)|[\w.\-]{{1,64}}(?=\n))(?:{FURTHER}\s*>)?""",
        re.IGNORECASE,
    ),
    param_starts=("<parameter=", "<parameter "),
    param_closes=("</parameter>",),
    wrapper_opens=("<tool_call>", "<seed:tool_call>"),
    wrapper_closes=("</tool_call>", "</seed:tool_call>"),
    lines=True,
)
"""Qwen3-Coder's tags."""
TOOL_AS_PARAMETER = replace(
    CODER,
    call_open=re.compile(
        r"""<parameter\s*=\s*(?P<name>["']?[^<>"'\n]{1,128}?["']?)\s*>""",
        re.IGNORECASE,
    ),
    call_starts=(*CODER.call_starts, *CODER.param_starts),
)
"""The tool's name stands in a parameter's tag, with the parameters below it."""
