"""The scanner's budget: 10,000 sessions or a gigabyte of logs in a minute on one core, with memory that does not grow.

    python -m tests.bench.scan [--sessions 10000] [--log-mb 1000] [--folder DIR]

Sessions of Claude Code and Codex and a log of vLLM are made up in a folder, each planted fault on a list; what is found is held
against it. Most sessions are clean, and many of those talk about calls: in code, in quotes, in files that are written. The
yardstick is the time that `json.loads` takes for the same lines, or that reading the log's lines takes.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.kit.scanning import (
    CODEX_HEAD,
    claude_reply,
    claude_result,
    claude_user,
    codex_call,
    codex_output,
    codex_text,
    said,
    thought,
    used,
)  # fmt: skip
from workbench.scan.scanner import Scan
from workbench.scan.sources import Source
from workbench.schema import JsonSchemaChecker

BUDGET_S = 60.0
NAMES = ("Read", "Write", "Edit", "Bash", "Grep", "Glob", "Task", "WebFetch")
PROSE = (
    "I read the module first, since the failure comes from the way in which it joins paths.",
    "The tests pass now. Two of them were wrong themselves: they expected the old message.",
    "Let me look at the callers before I change the signature.",
    "This is done in three steps: read the settings, merge the defaults, and write the file as a whole.",
    "You can run it with `python -m tool --read data.json`; Write access is not needed.",
    "Action items: 1) rename the field, 2) update the docs, 3) release.",
    "The function `read(path)` returns bytes; `write(path, data)` returns nothing.",
)  # fmt: skip
CODE = (
    "```python\ndef read(path):\n    with open(path) as file:\n        return json.load(file)\n\nprint(read('a.json')['name'])\n```",
    '```json\n{"name": "package", "version": "1.2.0", "scripts": {"test": "run"}, "arguments": []}\n```',
    '```html\n<div class="tool"><button onclick="call()">Call</button></div>\n```',
    "```ts\nconst tools: Tool[] = [{ name: 'search', parameters: { type: 'object' } }]\n```",
)
TALK = (
    'Qwen writes a call as `<tool_call>` with JSON inside:\n```\n<tool_call>\n{"name": "Read", "arguments": {"file_path": "a"}}\n</tool_call>\n```\nThe parser cuts at the closing tag.',
    "The <tool_call> tag begins a call, and the </tool_call> tag ends it; the model's text stands before.",
    'For example: `[TOOL_CALLS][{"name": "Bash", "arguments": {"command": "ls"}}]` is what Mistral writes.',
    'ReAct uses labels such as "Action:" and "Action Input:", one a line.',
    'The server returned `{"name": "Read", "arguments": {}}` as content, which is the bug in question.',
)
FILES = (
    '<project><parameter name="a">1</parameter>\n<parameter name="b">2</parameter></project>',
    "TEMPLATE = '<tool_call>\\n{json}\\n</tool_call>'\n\ndef render(call):\n    return TEMPLATE.format(json=call)\n",
    "# Notes\n\nSee [the docs](https://example.org).\n\n" + "A line of notes that goes on for a while. " * 40,
    "def main() -> None:\n    print('hello')\n" * 60,
)


class Planted(NamedTuple):
    """A fault that was put into a file."""

    file: str
    kind: str


class Corpus(NamedTuple):
    """What was made up."""

    folder: Path
    planted: list[Planted]
    files: int
    size: int


class Session:
    """Writes one session turn by turn, in the lines of one of the agents."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.lines, self.number = rng, list[Any](), 0

    def prose(self) -> str:
        parts = [self.rng.choice(PROSE) for _ in range(self.rng.randint(1, 4))]
        if self.rng.random() < 0.25:
            parts.append(self.rng.choice(CODE))
        if self.rng.random() < 0.04:
            parts.append(self.rng.choice(TALK))
        return "\n\n".join(parts)

    def call(self) -> tuple[str, dict[str, Any]]:
        self.number += 1
        name = self.rng.choice(NAMES)
        place = f"src/module_{self.rng.randint(1, 400)}.py"
        arguments: dict[str, Any] = {
            "Read": {"file_path": place, "offset": self.number}, "Write": {"file_path": place, "content": self.rng.choice(FILES)},
            "Edit": {"file_path": place, "old_string": f"a{self.number}", "new_string": self.rng.choice(FILES)},
            "Bash": {"command": f"pytest -k test_{self.number}", "description": "Run the tests"},
        }.get(name, {"pattern": f"needle_{self.number}"})  # fmt: skip
        return name, arguments

    def result(self) -> str:
        return "\n".join(self.rng.choice((*PROSE, *CODE, *TALK)) for _ in range(self.rng.randint(4, 40)))

    def turn(self) -> None:
        raise NotImplementedError

    def plant(self, kind: str) -> None:
        raise NotImplementedError


class Claude(Session):
    KINDS = (
        "tool_markup_in_content", "tool_markup_in_reasoning", "invented_tool", "schema_violation", "absorbed_parameter", "repeated_call",
        "all_output_lost",
    )  # fmt: skip

    def reply(self, *blocks: dict[str, Any], tokens: int = 90) -> None:
        self.lines += claude_reply(f"m{len(self.lines)}", *blocks, tokens=tokens)

    def turn(self) -> None:
        if self.rng.random() < 0.15:
            self.lines.append(claude_user(self.result()))
        name, arguments = self.call()
        ident = f"t{self.number}"
        thoughts = [thought(self.prose())] if self.rng.random() < 0.3 else []
        self.reply(*thoughts, said(self.prose()), used(name, arguments, ident))
        self.lines.append(claude_result(ident, self.result()))

    def plant(self, kind: str) -> None:
        ident = f"p{len(self.lines)}"
        match kind:
            case "tool_markup_in_content":
                self.reply(said(f"{self.prose()}\n{written_call(self.rng)}"))
            case "tool_markup_in_reasoning":
                self.reply(thought(f"{self.rng.choice(PROSE)}\n{written_call(self.rng)}"))
            case "invented_tool":
                self.reply(used("Frobnicate", {"x": 1}, ident))
                self.lines.append(
                    claude_result(
                        ident, "<tool_use_error>Error: No such tool available: Frobnicate</tool_use_error>", failed=True
                    )
                )
            case "schema_violation":
                self.reply(used("Read", {"path": "a"}, ident))
                self.lines.append(
                    claude_result(
                        ident,
                        "<tool_use_error>InputValidationError: Read failed: `file_path` is missing</tool_use_error>",
                        failed=True,
                    )
                )
            case "absorbed_parameter":
                self.reply(used("Write", {"file_path": 'a.txt</file_path>\n<parameter name="content">hello'}, ident))
                self.lines.append(
                    claude_result(
                        ident,
                        "<tool_use_error>InputValidationError: `content` is missing</tool_use_error>",
                        failed=True,
                    )
                )
            case "repeated_call":
                for at in range(2):
                    self.reply(used("Read", {"file_path": "same.py"}, f"{ident}{at}"))
                    self.lines.append(claude_result(f"{ident}{at}", "the very same"))
            case _:
                self.reply(said(""), tokens=700)


class Codex(Session):
    KINDS = ("tool_markup_in_content", "invented_tool", "malformed_arguments", "schema_violation", "repeated_call")

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.lines += CODEX_HEAD

    def turn(self) -> None:
        if self.rng.random() < 0.15:
            self.lines.append(codex_text(self.result(), "user"))
        name, arguments = self.call()
        ident = f"c{self.number}"
        self.lines += [
            codex_text(self.prose()),
            codex_call(name, json.dumps(arguments), ident),
            codex_output(self.result(), ident),
        ]

    def plant(self, kind: str) -> None:
        ident = f"p{len(self.lines)}"
        told = {
            "invented_tool": ("frob", "{}", "unsupported call: frob"),
            "malformed_arguments": ("run", '{"cmd": "ls"', "failed to parse function arguments: EOF while parsing an object at line 1 column 12"),
            "schema_violation": ("run", '{"c": 1}', "failed to parse function arguments: missing field `cmd` at line 1 column 8"),
        }  # fmt: skip
        if kind == "tool_markup_in_content":
            self.lines.append(codex_text(f"{self.prose()}\n{written_call(self.rng)}"))
            return
        for at in range(2 if kind == "repeated_call" else 1):
            name, arguments, output = told.get(kind, ("run", '{"cmd": "git status"}', "nothing to commit"))
            self.lines += [codex_call(name, arguments, f"{ident}{at}"), codex_output(output, f"{ident}{at}")]


CALLS = (
    '<tool_call>\n{{"name": "{name}", "arguments": {{"file_path": "{path}"}}}}\n</tool_call>',
    "<tool_call>\n<function={name}>\n<parameter=file_path>\n{path}\n</parameter>\n</function>\n</tool_call>",
    '[TOOL_CALLS][{{"name": "{name}", "arguments": {{"file_path": "{path}"}}}}]',
    '<function_calls>\n<invoke name="{name}">\n<parameter name="file_path">{path}</parameter>\n</invoke>\n</function_calls>',
    "<tool_call>{name}<arg_key>file_path</arg_key><arg_value>{path}</arg_value></tool_call>",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{{"file_path": "{path}"}}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    '<|tool_call>call:{name}{{file_path:<|"|>{path}<|"|>}}<tool_call|>',
    '<tool_call>\n{{"name": "{name}", "arguments": {{"file_path": "{path}"',
)


def written_call(rng: random.Random) -> str:
    """A call as some family writes it."""
    return rng.choice(CALLS).format(
        name=rng.choice(("Read", "Write", "search_orders")), path=f"a_{rng.randint(1, 99)}.txt"
    )


def make_sessions(folder: Path, count: int, rng: random.Random) -> Corpus:
    """Write sessions, every tenth with one fault."""
    planted: list[Planted] = []
    size = 0
    for number in range(count):
        session: Session = Claude(rng) if number % 3 else Codex(rng)
        faulty = rng.random() < 0.1
        kind = rng.choice(session.KINDS) if faulty else ""  # type: ignore[attr-defined]
        turns = rng.randint(4, 40)
        where = rng.randrange(1, turns) if faulty else -1
        session.lines.append(
            claude_user("Please mend the tests.") if number % 3 else codex_text("Please mend the tests.", "user")
        )
        for turn in range(turns):
            session.turn()
            if turn == where:
                session.plant(kind)
        path = folder / f"{'claude' if number % 3 else 'codex'}" / f"{number // 500}" / f"s{number}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in session.lines)
        path.write_text(text, encoding="utf-8")
        size += len(text.encode())
        if faulty:
            planted.append(Planted(path.name, kind))
    return Corpus(folder, planted, count, size)


def make_log(path: Path, megabytes: int, rng: random.Random) -> Corpus:
    """Write a log of vLLM: requests, replies of some kilobytes, statistics; some replies hold a call."""
    planted: list[Planted] = []
    size, number = 0, 0
    maker = Session(rng)
    with path.open("w", encoding="utf-8") as file:
        while size < megabytes * 1_000_000:
            lines = []
            for _ in range(200):
                number += 1
                stamp = f"INFO 11-{1 + number % 28:02} 10:{number // 60 % 60:02}:{number % 60:02}"
                text = "\n\n".join(maker.prose() for _ in range(rng.randint(1, 12)))
                if rng.random() < 0.02:
                    text = f"{text}\n{written_call(rng)}"
                    planted.append(Planted(path.name, "tool_markup_in_content"))
                lines.append(
                    f"{stamp} [logger.py:43] Received request chatcmpl-{number}: prompt: {maker.result()!r}, params: SamplingParams(n=1)\n"
                )
                lines.append(
                    f"{stamp} [logger.py:71] Generated response chatcmpl-{number}: output: {text!r}, output_token_ids: None, finish_reason: stop\n"
                )
                lines.append(
                    f"{stamp} [loggers.py:127] Engine 000: Avg prompt throughput: {number % 900}.1 tokens/s, Running: 3 reqs\n"
                )
            block = "".join(lines)
            size += len(block.encode())
            file.write(block)
    return Corpus(path, planted, number, size)


def measured(corpus: Corpus) -> tuple[Scan, float, float]:
    """Scan, with the seconds of CPU that it took and the megabytes that the process grew to."""
    scan = Scan([Source(str(corpus.folder), corpus.folder)], JsonSchemaChecker())
    begun = time.process_time()
    scan.run()
    return scan, time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def told(name: str, corpus: Corpus, work: Callable[[Path], float]) -> None:
    """Print how a scan did."""
    scan, seconds, peak = measured(corpus)
    files = {one.file for one in corpus.planted}
    wanted, got = Counter(corpus.planted), Counter(Planted(one.place.split(":")[0], one.kind) for one in scan.findings)
    if scan.tally.findings > len(scan.findings):
        got = Counter({Planted(corpus.folder.name, kind): count for kind, count in scan.tally.kinds.items()})
    hit = sum((wanted & got).values())
    extra = got - wanted
    false = (
        sum(count for one, count in extra.items() if one.file not in files) if len(files) > 1 else sum(extra.values())
    )
    clean = corpus.files - len(corpus.planted)
    yardstick = work(corpus.folder)
    print(f"{name}: {corpus.size / 1e6:,.0f} MB, {corpus.files:,} units, {scan.tally.replies:,} replies")
    print(
        f"  {seconds:.1f} s of one core ({corpus.size / 1e6 / seconds:.0f} MB/s), budget {BUDGET_S:.0f} s; {seconds / yardstick:.1f} x the yardstick ({yardstick:.1f} s)"
    )
    print(f"  peak of the process {peak:.0f} MB")
    print(
        f"  planted {len(corpus.planted):,}, found {hit:,} ({hit / max(len(corpus.planted), 1):.2%}); false on clean ones {false:,} of {clean:,} ({false / max(clean, 1):.3%})"
    )
    for one, count in (wanted - got).most_common(5):
        print(f"  missed: {one.kind} in {one.file} x {count}")
    for one, count in extra.most_common(5):
        print(f"  not planted: {one.kind} in {one.file} x {count}")


def lines_of(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*.jsonl")):
        yield from path.read_bytes().splitlines()


def loads_all(folder: Path) -> float:
    begun = time.process_time()
    for line in lines_of(folder):
        json.loads(line)
    return time.process_time() - begun


def reads_lines(path: Path) -> float:
    begun = time.process_time()
    with path.open("rb") as file:
        for line in file:
            line.find(b"output")
    return time.process_time() - begun


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sessions", type=int, default=10_000)
    asked.add_argument("--log-mb", type=int, default=1_000)
    asked.add_argument("--folder", type=Path)
    options = asked.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="scan-bench-"))
    rng = random.Random(15)
    try:
        if options.sessions:
            (folder / "sessions").mkdir(parents=True)
            told("sessions", make_sessions(folder / "sessions", options.sessions, rng), loads_all)
        if options.log_mb:
            told("log", make_log(folder / "server.log", options.log_mb, rng), reads_lines)
    finally:
        if options.folder is None:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
