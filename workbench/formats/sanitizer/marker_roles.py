"""What a recognised marker means: what it opens or closes, and which markers belong together."""

from __future__ import annotations

import re
from functools import lru_cache

from workbench.formats.sanitizer.markers import BAR_CHARS, PLAIN_WORDS, THINK_WORDS, Body, Marker, own_markers, small

_FOLD = str.maketrans({**dict.fromkeys(BAR_CHARS, "|"), "▁": "_", "＿": "_", "-": "_", "＜": "<", "＞": ">"})
_EDGE = re.compile(r"[_:]?(begin|start|prefix|end|suffix|stop)[_:]?")
_CALL_STEM = re.compile(r"tool|function|action|python|plugin|invoke")
_THINK_STEM = re.compile(r"think|inner|reason")
_RESULT_STEM = re.compile(r"result|response|output")
_NAME = re.compile(r"^(?:\w+:)?([a-z_ ]+)")


def _stem(word: str) -> str:
    return re.sub(r"[_:\s]|section", "", word).replace("calls", "call").replace("results", "result").rstrip("s")


@lru_cache(4096)
def classify(text: str) -> Marker:
    """Tell what a recognised marker means."""
    folded = text.lower().translate(_FOLD).replace("&lt;", "<").replace("&gt;", ">")
    if folded.startswith("<"):
        return _classify_angle(folded)
    if folded.startswith("["):
        return _classify_square(folded)
    if folded.startswith("```"):
        return Marker("open", "fence", "result" if "output" in folded else "call")
    if folded.startswith("to="):
        return Marker("open", "message", "call")
    if folded.startswith("functools"):
        return Marker("open", "functools", "call")
    if folded.startswith((">>>", "function")):
        return Marker("mark") if folded.strip() == ">>>all" else Marker("open", "bare", "call")
    return Marker("mark")


def _classify_angle(folded: str) -> Marker:
    if "<|message|>" in folded and folded != "<|message|>":
        if "to=" in folded and not re.search(r"to=python|\bcode\b", folded):
            return Marker("open", "message", "call")
        hidden = "to=" in folded or "analysis" in folded
        return Marker("open", "message", "hidden") if hidden else Marker("mark", "message")
    if folded.startswith(("<|start|>", "<|channel|>", "<|constrain|>")):
        return Marker("mark", "message")
    if folded.startswith(("<|open|>", "<|close|>")) and folded.endswith("<|sep|>"):
        word = re.split(r"\W", folded[8 if folded.startswith("<|open|>") else 9 :])[0]
        if word in {"response", "text"}:
            return Marker("mark")
        body: Body = "think" if word == "think" else "value" if word == "argument" else "call"
        return Marker("open", "k3" + word, body) if folded.startswith("<|open|>") else Marker("close", "k3" + word)
    if "content_invoke_tool" in folded:
        return Marker("open", "bare", "call")
    if folded.startswith("<call:"):
        return Marker("mark") if folded.endswith("/>") else Marker("open", "call:", "call")
    if folded.startswith("<|channel>"):
        return Marker("open", "channel", "think") if "thought" in folded else Marker("mark", "channel")
    if folded == "<channel|>":
        return Marker("close", "channel")
    if folded.startswith("<|") and folded.endswith("|>") and folded.count("<") == 1:
        return _classify_special(folded.strip("<|>"))
    return _classify_tag(folded)


def _classify_special(word: str) -> Marker:
    if word in {"message", "call", "return", "end", "end_message", "eot_id", "eom_id"}:
        return Marker("close", "message")
    if word == "python_tag":
        return Marker("open", "message", "call")
    if word.startswith("content_think"):
        return Marker("open", "message", "hidden")
    slash, name = word.startswith("/"), word.lstrip("/")
    edge = _EDGE.search(name)
    stem = _stem(name.replace(edge.group(), "", 1) if edge else name)
    if stem == "headerid":
        return Marker("open", stem, "head") if edge and edge.group(1) == "start" else Marker("close", stem)
    if edge and edge.group(1) in {"end", "suffix", "stop"}:
        return Marker("close", _special_group(stem)) if _special_body(stem) else Marker("mark")
    body = _special_body(stem)
    if stem.endswith("argument") or stem == "toolarg":
        return Marker("mark", "inner")
    if not body or not (edge or slash or stem in {"toolcall", "functioncall", "toolresponse", "toolresult", "think"}):
        return Marker("mark", "inner" if body in {"call", "value"} else "")
    return Marker("close", _special_group(stem)) if slash else Marker("open", _special_group(stem), body)


def _special_body(stem: str) -> Body:
    if stem.endswith("argument") or stem == "toolarg":
        return ""
    if _THINK_STEM.search(stem):
        return "think"
    if not _CALL_STEM.search(stem):
        return ""
    return "result" if _RESULT_STEM.search(stem) else "call"


def _special_group(stem: str) -> str:
    return "think" if stem in {"think", "thinking"} else stem


def _classify_tag(folded: str) -> Marker:
    inner = folded.lstrip("<|")
    slash = inner.startswith("/") or (folded.endswith("|>") and not folded.startswith("<|"))
    found = _NAME.match(inner.lstrip("/|").removeprefix("dsml").lstrip("|"))
    name = (found.group(1) if found else "").strip()
    if name.split(" ")[0] in PLAIN_WORDS:
        name = name.split(" ")[0]
    name = name.replace(" ", "_").strip("_").removeprefix("longcat_")
    if name in THINK_WORDS:
        return Marker("close" if slash else "open", "think", "" if slash else "think")
    if name.startswith(("start_function", "end_function")):
        stem = "fg" + name.split("_", 1)[1]
        body: Body = "result" if stem.endswith("response") else "call"
        return Marker("open", stem, body) if name.startswith("start") else Marker("close", stem)
    stem = _stem(name)
    if stem in {"parameter", "param", "argkey", "argvalue"}:
        return Marker("close" if slash else "open", stem, "" if slash else "value")
    if stem in {"toolsep", "escape"} or not _CALL_STEM.search(stem):
        return Marker("mark", "inner")
    if slash:
        return Marker("close", stem)
    return Marker("open", stem, "result" if _RESULT_STEM.search(stem) else "call")


def _classify_square(folded: str) -> Marker:
    word = folded.strip("[/]")
    slash = folded.startswith(("[/", "[end_"))
    stem = _stem(word.removeprefix("end_"))
    if ":" in word:
        return Marker("mark")
    if word == "begin final response":
        return Marker("close", "phrase")
    if word == "think":
        return Marker("close" if slash else "open", "THINK", "" if slash else "think")
    if word == "args":
        return Marker("open", "bare", "call")
    if _RESULT_STEM.search(stem) and stem.startswith(("tool", "function")):
        return Marker("close" if slash else "open", stem, "" if slash else "result")
    if (
        stem.startswith(("toolcall", "functioncall", "tooluse", "availabletool", "toolcode", "toolrequest"))
        and "final" not in word
    ):
        return Marker("close" if slash else "open", "[" + stem, "" if slash else "call")
    return Marker("mark", "inner" if word in {"call_id", "tool_content"} else "")


@lru_cache(256)
def classify_label(text: str) -> Marker:
    """Tell what a label at line start means."""
    word = re.sub(r"[*_\s\d:]", "", text.lower())
    if word.startswith("here"):
        return Marker("close" if word.endswith("response") else "open", "phrase", "" if "response" in word else "think")
    if word in {"thought", "finalanswer"}:
        return Marker("mark")
    return Marker("open", "action" if word == "action" else "label", "line")


def role_of(text: str) -> Marker:
    """Classify any marker text that `matcher` or `label_matcher` found."""
    own = own_markers().get(small(text)) if own_markers() else None
    if own is not None:
        return own
    head = text[:1]
    if head in "<＜&[]>`" or text.startswith(("funct", "to=")):
        return classify(text)
    return classify_label(text)
