"""Labels that stand first in a line, as ReAct has them, in the spellings that models give them.

    Action: f    1. **Action:** f    > ### Action： f    🔧 Action -> f    Step 2: `Action`: f    Ａｃｔｉｏｎ： f

What stands before a label is a list's number, bullets, headings, emphasis, pictures; letters have both widths.
"""

from __future__ import annotations

from workbench.formats.kit.prefix_patterns import Pattern, ahead, alt, cls, lit, opt, seq

_SIGNS = cls(r"""[ \t>*_#+\-–—•·▪◦‣●○■□➤→✓|~=("'“‘«`\[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]""", 0, 12)
_NUMBER = seq(opt(seq(lit("step"), cls(r"[ \t]", 0, 2))), cls(r"\d", 1, 2), cls(r"[.):\]]", 1, 2))
LEAD = seq(_SIGNS, opt(seq(_NUMBER, _SIGNS)))
"""What may stand before a label."""
_COLON = alt(cls("[:：=→]", 1, 1), seq(cls("[–=\\-]", 1, 2), lit(">")))
LINES = 5
"""A pair of labels stands on no more lines than that."""


def both_widths(char: str) -> str:
    """A letter and the same in full width, for a class of characters."""
    return char + chr(ord(char) + 0xFEE0)


def label_words(text: str) -> Pattern:
    """The words of a label; between two words stand blanks, `_`, `-` or nothing."""
    between = cls(r"[ \t\u3000_\-＿－]", 0, 3)
    return seq(*(between if char == " " else cls(f"[{both_widths(char)}]", 1, 1) for char in text))


def any_label(*texts: str) -> str:
    """A regex for any of these labels' words."""
    return "|".join(label_words(text).full for text in texts)


def label_end(*, bare: bool = False) -> Pattern:
    """What closes a label: a number, signs and a colon; `bare`: the end of the line will do."""
    colon = alt(_COLON, ahead(r"(?=[\r\n])")) if bare else _COLON
    return seq(cls(r"[ \t]", 0, 8), cls(r"\d", 0, 3), cls(r"""[ \t*_`\])}"'”]""", 0, 10), colon, cls("[*_`]", 0, 3))


def label_line(text: str, *, bare: bool = False) -> Pattern:
    """All of a label, from the first character of its line."""
    return seq(LEAD, label_words(text), label_end(bare=bare))


def plain_label(words: Pattern) -> Pattern:
    """A label with nothing before it but emphasis."""
    stars = cls(r"[*_]", 0, 3)
    return seq(stars, words, stars, cls(r"[ \t]", 0, 3), cls("[:：]", 1, 1), stars)


def label_pair(first: str) -> Pattern:
    """The label of a tool with its name, and below it that of the input: the first alone is ordinary text.

    Both are a call behind `Action`; behind other words (`Tool`, `Function`) an object has to follow.
    """
    second, follows = label_words("Action Input"), ahead("")
    words = label_words(first)
    if first != "Action":
        blank = cls(r"[ \t_\-]", 0, 3)
        words = seq(words, opt(seq(blank, alt(label_words("Name"), label_words("Call")))))
        second = alt(*map(label_words, ("Input", "Arguments", "Args", "Parameters")))
        second = seq(opt(seq(alt(label_words("Tool"), label_words("Function")), blank)), second)
        follows = seq(cls(r"[ \t]", 0, 4), opt(lit("\n")), cls(r"[ \t]", 0, 4), ahead(r"(?=\{)"))
    name = cls(r"[^\n]", 1, 120)
    below = seq(cls(r"[ \t\r]", 0, 4), lit("\n"), name)
    one = seq(LEAD, words, label_end(bare=True), alt(below, name), lit("\n"))
    blank_line = opt(seq(cls(r"[ \t\r]", 0, 4), lit("\n")))
    return seq(one, blank_line, LEAD, second, label_end(bare=True), follows)


def label_begun(words: str) -> str:
    """A regex for what may be the beginning of a label with these words: what may stand before it, and three letters."""
    return f"{LEAD.full}{label_words(words[:3]).full}"
