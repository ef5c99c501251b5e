"""What endpoints, client libraries and servers say of a request that failed, where no reply of a model stands beside it.

{"error": {"message", …}}     HTTP/1.1 400 …     openai.BadRequestError: Error code: 400 - {'error': {…}}
litellm.APIConnectionError: … - {"error": "…"}     Traceback …/vllm/entrypoints/openai/tool_parsers/hermes_tool_parser.py
API Error: 400 {"type": "error", …}     Request failed with status code 400: {…}     as agents print it, wrapped by a terminal
{"jsonrpc": "2.0", "method": "tools/call", …}     https://github.com/…/issues/1
"""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.json_text import UNREADABLE
from workbench.formats.kit.python_source import FAILURES
from workbench.scan.json_values import json_bytes, json_value
from workbench.wires.kit.error_answers import error_in, read_error

if TYPE_CHECKING:
    from workbench.core.errors import ErrorInfo

_HTTP = re.compile(r"\A\s*(?:< )?HTTP/[\d.]+ (\d{3})[^\n]*\n(?:[^\n]*:[^\n]*\n|< [^\n]*\n)*\s*")
_SDK_ERROR = re.compile(r"(?:Error code: |status[_ ]code[:=] ?)(\d{3})\b[^{\n]{0,40}(\{.*\})", re.DOTALL)
_NUMBERED = re.compile(
    r"\A[^{\n]{0,200}?\b(?:error|failed|status|HTTP|response|answered|returned)\b[^{\n]{0,80}?\b([45]\d\d)\b[^{]{0,160}(\{.*\})",
    re.DOTALL | re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"\A\W{0,8}([45]\d\d)\b[^{\n]{0,80}(\{.*\})", re.DOTALL)
_WRAPPED = re.compile(r"[ \t]*\r?\n[ \t]*")
_LIBRARY = re.compile(r"\A\s*[\w.]{2,60}(?:Error|Exception)\b[^{\n]{0,160}(\{.*\})\s*\Z", re.DOTALL)
_TRACEBACK = re.compile(r"Traceback \(most recent call last\):")
_PARSER = re.compile(r"(?:tool_parsers|function_call)/(\w+?)(?:_tool_parser|_detector|_parser)?\.py")
_ENGINES = (("sglang", "SGLang"), ("vllm", "vLLM"))
_LAST = re.compile(r"^(?:[^\n]*?\] )?((?:[\w]+\.)*\w*(?:Error|Exception|Exit|Interrupt)\b:?[^\n]*)$", re.MULTILINE)
_PAGE = re.compile(r"\Ahttps?://[^\s'\"<>]+\Z")
_WEB_PAGE = re.compile(r"\A\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_WEB_TITLE = re.compile(r"<title[^>]*>\s*+([^<]{1,200}?)\s*+</title>", re.IGNORECASE)
_SCRIPT_TRACE = re.compile(
    r"\A\s*(?:Uncaught )?((?:[A-Za-z_$][\w$.]*(?:Error|Exception))\b[^\n]{0,2000})\n(?:[^\n]{0,500}\n){0,6}?\s+at [^\n]+[:)\d>]"
)
_RAISED = re.compile(r"\A\s*((?:[A-Za-z_]\w*\.)+\w*(?:Error|Exception)): [^{\n]{1,400}\n")
_HEAD = 20_000


class Told(NamedTuple):
    """What a text is, and what can be said of it."""

    title: str
    sentence: str


def error_in_text(text: str) -> ErrorInfo | None:
    """Return what an error answer says; None for a text that is none."""
    status, body = 0, text
    if head := _HTTP.match(text):
        status, body = int(head[1]), text[head.end() :]
    elif (found := _SDK_ERROR.search(text[:_HEAD])) is not None:
        status, body = int(found[1]), _as_json(found[2])
    elif (told := _numbered(text[:_HEAD])) is not None:
        status, body = told
    elif (found := _LIBRARY.match(text[:_HEAD])) is not None:
        body = _as_json(found[1])
    value = json_value(body) if body.lstrip()[:1] in ("{", "[") else UNREADABLE
    if isinstance(value, dict) and "jsonrpc" in value:
        return None
    if status >= 400 or (value is not UNREADABLE and error_in(value)) or _is_detail(value):
        return read_error(status, (), body.encode("utf-8", "replace"))
    return None


def _numbered(text: str) -> tuple[int, str] | None:
    """A status in words, and the body behind it, which must be an error's: any other number may stand before JSON."""
    found = _NUMBERED.match(text) or _BARE_NUMBER.match(text)
    if found is None:
        return None
    for body in (found[2], _WRAPPED.sub(" ", found[2])):
        read = _as_json(body)
        if (value := json_value(read)) is not UNREADABLE and (error_in(value) or _is_detail(value)):
            return int(found[1]), read
    return None


def _as_json(body: str) -> str:
    """The body of an exception, which Python may have printed as a dict."""
    with suppress(*FAILURES):
        return json_bytes(ast.literal_eval(body)).decode() or body
    return body


def _is_detail(value: Any) -> bool:
    """FastAPI's refusals and bare messages: `{"detail": …}`."""
    return isinstance(value, dict) and value.keys() <= {"detail", "message", "code", "status", "type"} and bool(
        value.get("detail") or (value.get("message") and len(value) > 1)
    )  # fmt: skip


def spoken_of(text: str) -> Told | None:
    """Say what a text is that is about calls and holds none: a traceback, a message of MCP, a page's address."""
    stripped = text.strip()
    if _PAGE.match(stripped):
        return Told("address of a page", "This is a page for people; nothing is fetched. Paste what stands there.")
    if stripped.startswith("{"):
        value = json_value(stripped)
        return _of_mcp(value) if isinstance(value, dict) and "jsonrpc" in value else None
    if _WEB_PAGE.match(stripped):
        title = found[1] if (found := _WEB_TITLE.search(stripped[:_HEAD])) else "without a title"
        told = f"It is called {title!r}: a proxy or another program answered, not the model's server."
        return Told("web page", f"{told} No model's reply stands here.")
    if _TRACEBACK.search(text[:_HEAD]):
        return _of_traceback(text)
    if (trace := _SCRIPT_TRACE.match(stripped[:_HEAD])) is not None and "{" not in trace[1]:
        return Told("traceback of JavaScript", f"It begins with {trace[1].rstrip('.')}. No model's reply stands here.")
    if _RAISED.match(f"{stripped[:_HEAD]}\n"):
        why = " ".join(stripped[:400].split()).rstrip(".")
        return Told("error of a program", f"It says {why}. No model's reply stands here.")
    return None


def _of_mcp(value: dict[str, Any]) -> Told | None:
    error, asked = value.get("error"), value.get("params")
    if isinstance(error, dict):
        told = f"The MCP server refused with code {error.get('code')}: {str(error.get('message')).rstrip('.')}."
        return Told("error of an MCP server", f"{told} No model's reply stands here.")
    if value.get("method") == "tools/call" and isinstance(asked, dict):
        told = f"A client asks an MCP server to carry out {asked.get('name')!r}. No model's reply stands here."
        return Told("call of an MCP tool", f"{told} Paste the reply in which the model called it.")
    return Told("message of MCP", "A message between an MCP client and its server; no model's reply stands here.")


def _of_traceback(text: str) -> Told:
    """A traceback of Python: of a server's parser of calls, or any."""
    ends = _LAST.findall(text[-_HEAD:])
    why = ends[-1].strip().rstrip(".") if ends else "an error that is cut off"
    found = _PARSER.search(text)
    if found is None:
        return Told("traceback of Python", f"It ends with {why}. No model's reply stands here.")
    engine = next((title for word, title in _ENGINES if word in text.lower()), "a server")
    more = "start the server with --enable-log-outputs" if engine == "vLLM" else "have the server log its outputs"
    return Told(
        f"traceback of {engine}'s parser {found[1]}",
        f"The parser {found[1]} of {engine} failed: {why}. The reply that it read is not in the traceback: paste that, or {more}.",
    )
