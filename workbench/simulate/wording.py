"""What personas say in words: answers that quote from tool results, or say that no tool was needed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import parse_json
from workbench.simulate.pace import count_tokens
from workbench.simulate.prompt_words import words

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from workbench.simulate.situation import SeenResult

_LONGEST = 240
"""Characters quoted from one result."""
_ASKED_LANGUAGE = re.compile(r"\b(?:answer|reply|write) in ([A-Z][a-z]+)\b", re.IGNORECASE)
_SENTENCES = {
    "greek": "Αυτό μπορώ να το απαντήσω χωρίς κανένα εργαλείο.",
    "hebrew": "אני יכול לענות על זה בלי שום כלי.",
    "thai": "ฉันตอบเรื่องนี้ได้โดยไม่ต้องใช้เครื่องมือ",
    "korean": "이 질문에는 도구 없이 답할 수 있습니다.",
    "georgian": "ამაზე პასუხი ხელსაწყოს გარეშეც შემიძლია.",
    "armenian": "Սրան կարող եմ պատասխանել առանց գործիքի։",
    "hindi": "इसका उत्तर मैं बिना किसी औज़ार के दे सकता हूँ।",
    "russian": "На это я могу ответить без всяких инструментов.",
    "arabic": "يمكنني الإجابة عن هذا دون أي أداة.",
    "bengali": "এর উত্তর আমি কোনো সরঞ্জাম ছাড়াই দিতে পারি।",
    "tamil": "இதற்கு எந்தக் கருவியும் இல்லாமல் பதில் சொல்ல முடியும்.",
    "japanese": "これには道具を使わずに答えられます。",
}
"""“I can answer this without a tool.”"""


def from_results(request: str, results: Sequence[SeenResult], rng: random.Random) -> str:
    """Return an answer that quotes what the tools gave back."""
    lines = []
    for result in results:
        who = result.name or "The tool"
        if result.failed:
            lines.append(f"{who} failed: {quote(result.text, request)}")
        else:
            lines.append(f"{who} says: {quote(result.text, request)}")
    if len(lines) == 1:
        return rng.choice(("Here is what I found. ", "", "I looked it up. ")) + lines[0]
    return rng.choice(("Here is what I found:\n", "These are the results:\n")) + "\n".join(
        f"- {line}" for line in lines
    )


def from_memory(request: str, rng: random.Random) -> str:
    """Return an answer to a request for which there is no tool, in the language that is asked for."""
    asked = _ASKED_LANGUAGE.search(request)
    if asked and (sentence := _SENTENCES.get(asked[1].lower())):
        return sentence
    short = " ".join(request.split())[:120] or "nothing"
    return rng.choice((
        f"No tool is needed for this. You asked: “{short}”. I am a simulated model, so I answer in words only.",
        f"I can answer without a tool. About “{short}”: a real model would tell you more than a simulated one.",
    ))  # fmt: skip


def small_talk(request: str, tokens: int) -> str:
    """Return about so many tokens of talk that leads nowhere, in lines of readable length; empty for none."""
    about = [word for word in request.split() if word.isalpha()][:12] or ["this"]
    lines: list[str] = []
    while tokens > 0:
        line = f"Point {len(lines) + 1}: about {about[len(lines) % len(about)]} there is much to consider before anything is done."
        lines.append(line)
        tokens -= count_tokens(line) + 1
    return "\n".join([*lines, ""]) if lines else ""


def quote(text: str, request: str) -> str:
    """Return the part of a result that has most to do with the request."""
    text = _flat(text).strip() or "(nothing)"
    if len(text) <= _LONGEST and "\n" not in text:
        return text
    wanted = set(words(request))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    best = max(lines, key=lambda line: len(wanted & set(words(line))))
    shown = best if wanted & set(words(best)) else "; ".join(lines)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def _flat(text: str) -> str:
    """A JSON result as `key: value` lines."""
    try:
        value: Any = parse_json(text)
    except ValueError:
        return text
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_short(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_short(item) for item in value)
    return str(value)


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
