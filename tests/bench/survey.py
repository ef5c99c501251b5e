"""How long all formats take over one text of dense calls, no two of them alike; `--json` has one object a line.

    python tests/bench/survey.py                         256 KiB of five formats
    python tests/bench/survey.py --size 1048576 qwen_xml

Budget: 2 s for 1 MiB. Beside it: how many times the format's own reading of the text that is. Processor time, the shortest of three.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.formats import call, written
from tests.bench.parse import TOOLS, best
from workbench.core.protocols import Format
from workbench.formats import get_format, list_formats
from workbench.formats.survey.forensics import survey

FORMATS = ("qwen_xml", "gemma4", "glm45", "harmony", "react")
WORDS = "alpha beta gamma river stone wind query total path open close north table report value cloud light".split()


def dense(spec: Format, size: int) -> str:
    """Turns of one call or two, now and then with a sentence before them."""
    dice, turns, length = random.Random(1), [], 0
    while length < size:
        prose = f"Now {' '.join(dice.choices(WORDS, k=8))}.\n" if dice.random() < 0.3 else ""
        calls = [
            call(
                "get_weather", {"city": " ".join(dice.choices(WORDS, k=4)), "days": dice.randrange(999)}, len(turns) + 1
            )
            for _ in range(dice.randint(1, 2))
        ]
        turns.append(prose + written(spec, calls[: 1 if spec.id == "react" else 2]))
        length += len(turns[-1]) + 1
    return "\n".join(turns)


def main() -> int:
    options = argparse.ArgumentParser(description="Speed of the survey.")
    options.add_argument("formats", nargs="*", default=FORMATS)
    options.add_argument("--size", type=int, default=1 << 18)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    for name in chosen.formats:
        spec = get_format(name)
        text = dense(spec, chosen.size)
        whole, own = (
            best(lambda text=text: survey(text, TOOLS)),
            best(lambda text=text, spec=spec: spec.parse(text, TOOLS)),
        )
        row = {
            "format": name,
            "s_a_mib": whole / len(text) * (1 << 20),
            "of_own": whole / own,
            "formats": len(list_formats()),
        }
        print(
            json.dumps(row)
            if chosen.json
            else f"{name:16} {row['s_a_mib']:6.2f} s a MiB (≤ 2)   {row['of_own']:6.1f} × its own reading",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
