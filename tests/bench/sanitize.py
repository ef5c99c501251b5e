"""How fast the sanitizer is, beside `str.replace` over the same text.

Run: python -m tests.bench.sanitize
"""

from __future__ import annotations

import time
from collections.abc import Callable

from workbench.formats.sanitize import StreamSanitizer, sanitize

PROSE = "The quick brown fox jumps over the lazy dog, and of course it finds a way home. "
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>\n'
SIZE = 1 << 20
TEXTS = {
    "prose": PROSE * (SIZE // len(PROSE)),
    "prose and calls": (PROSE * 20 + "\n" + CALL) * (SIZE // (len(PROSE) * 20 + len(CALL))),
    "calls": CALL * (SIZE // len(CALL)),
    "json answer": '{"rows": [' + '{"id": 1, "text": "abc"}, ' * (SIZE // 26) + "{}]}",
    "hostile <": "<" * SIZE,
    "hostile {": "{" * SIZE,
    "hostile quotes": '"' * SIZE,
    "hostile openers": "<tool_call>" * (SIZE // 11),
}


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _stream(text: str) -> None:
    stream = StreamSanitizer()
    for at in range(0, len(text), 4):
        stream.feed(text[at : at + 4])
    stream.finish()


def main() -> None:
    """Print one line for each kind of text."""
    sanitize(CALL)
    print(f"{'text':<18}{'whole MB/s':>12}{'of replace':>12}{'us/delta 8 kB':>15}{'us/delta 256 kB':>17}")
    for name, text in TEXTS.items():
        whole = _seconds(lambda text=text: sanitize(text))
        yardstick = min(_seconds(lambda text=text: text.replace("<tool_call>", "")) for _ in range(5))
        costs = [_seconds(lambda part=text[:size]: _stream(part)) / (size / 4) * 1e6 for size in (1 << 13, 1 << 18)]
        speed = len(text) / whole / 1e6
        print(f"{name:<18}{speed:>12.1f}{yardstick / whole:>12.4f}{costs[0]:>15.2f}{costs[1]:>17.2f}")


if __name__ == "__main__":
    main()
