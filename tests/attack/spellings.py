"""How a planted key is written, and whether a recorded text tells it: undone with Python's own tools, not with the mask's."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import yaml

CASES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "cases" / "secrets.yaml").read_text("utf-8"))


def spell(secret: str, how: str) -> str:
    """The key in one of the spellings of `cases/secrets.yaml`."""
    code = base64.b64encode(secret.encode()).decode()
    match how:
        case "plain":
            return secret
        case "json":
            return json.dumps(json.dumps(secret))[3:-3]
        case "json_units":
            return "".join(f"\\u{ord(sign):04x}" for sign in secret)
        case "json_units_twice":
            return "".join(f"\\\\u{ord(sign):04X}" for sign in secret)
        case "javascript":
            return "".join(f"\\u{{{ord(sign):x}}}" for sign in secret)
        case "python":
            return "".join(f"\\x{ord(sign):02x}" for sign in secret)
        case "slashes":
            return json.dumps(secret)[1:-1].replace("/", "\\/").replace("-", "\\u002d")
        case "percent":
            return quote(secret, safe="")
        case "percent_small":
            return re.sub("%..", lambda found: found[0].lower(), quote(secret, safe="").replace("-", "%2D"))
        case "percent_all":
            return "".join(f"%{ord(sign):02X}" for sign in secret)
        case "percent_twice":
            return quote(quote(secret, safe="").replace("-", "%2D"), safe="")
        case "entities":
            return "".join(f"&#{ord(sign)};" for sign in secret)
        case "entities_hex":
            return "".join(f"&#x{ord(sign):02X};" for sign in secret)
        case "entities_named":
            named = {
                "/": "&sol;",
                "+": "&plus;",
                "=": "&equals;",
                "_": "&lowbar;",
                ".": "&period;",
                "-": "&#45;",
                "\n": "&NewLine;",
            }
            return "".join(named.get(sign, sign) for sign in secret)
        case "base64":
            return code
        case "base64_middle":
            return base64.b64encode(f"key={secret}&x".encode()).decode()
        case "base64_url":
            return code.replace("+", "-").replace("/", "_").rstrip("=")
        case "hex":
            return secret.encode().hex()
    raise ValueError(how)


def readings(text: str, depth: int = 4) -> Iterator[str]:
    """The text as a curious reader would undo it."""
    seen = {text}
    level = [text]
    for _ in range(depth):
        yield from level
        level = [made for one in level for made in _undone(one) if made not in seen]
        seen.update(level)
        if not level:
            return


def _undone(text: str) -> Iterator[str]:
    if "&" in text:
        yield html.unescape(text)
    if "%" in text:
        yield unquote(text)
    if "\\" in text:
        units = re.sub(r"\\+u\{([0-9a-fA-F]+)\}", lambda found: chr(int(found[1], 16)), text)
        units = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), units)
        yield re.sub(r"\\+x([0-9a-fA-F]{2})", lambda found: chr(int(found[1], 16)), units)
        yield re.sub(r"\\+n", "\n", re.sub(r"\\+/", "/", text))
    for run in re.findall(r"[A-Za-z0-9+/_-]{24,}", text):
        for shift in range(4):
            piece = run[shift:].translate(str.maketrans("-_", "+/"))
            try:
                yield base64.b64decode(piece[: len(piece) // 4 * 4]).decode("latin-1")
            except (binascii.Error, ValueError):
                continue
    for run in re.findall(r"[0-9a-f]{40,}", text):
        for shift in (0, 1):
            piece = run[shift:]
            yield bytes.fromhex(piece[: len(piece) // 2 * 2]).decode("latin-1")


def told(text: str, secret: str) -> str:
    """The part of a key that a text tells in some spelling: twenty characters of it, or two thirds; empty if none."""
    size = min(max(20, len(secret) * 2 // 3), len(secret) - 8)
    parts = {secret[at : at + size] for at in range(len(secret) - size + 1)}
    for reading in readings(text):
        for part in parts:
            if part in reading:
                return part
    return ""
