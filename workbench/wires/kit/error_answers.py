"""Error answers of all providers, read into one shape: what happened, of which kind, what to do next.

Shapes: `{error: {message, type, param, code, …}}`, `{error: "text", code}` (xAI, Ollama, Straico), `[{error}]` (Gemini),
`{object: "error", message}` (vLLM, Mistral), `{detail: "…" | [{loc, msg}]}` (FastAPI), `{type: "error", error: {…}}`
(Anthropic), `{message}`, `{code, message}` (DashScope, SiliconFlow), `{error_code, error_msg}` (Baidu), `{base_resp: {status_code, status_msg}}`
(MiniMax), plain text, a web page, nothing at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.json_text import UNREADABLE
from workbench.wires.kit.jsons import as_dict, as_int, as_list, as_text, json_text, read_json
from workbench.wires.kit.waits import header, wait_asked

if TYPE_CHECKING:
    from workbench.core.exchange import Headers

MESSAGE_LIMIT = 2000
"""Characters of a provider's message that are kept; the bytes have all of it."""
OLLAMA_UNREAD = "error parsing tool call"
"""How Ollama begins when it cannot read a call; version 0.11 took these words for the name of the field, in streams."""

_WORDS_TOGETHER = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Where a code such as `DataInspectionFailed` has no line between its words."""
_HTML = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml|!--)", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]*>([^<]{1,200})", re.IGNORECASE)


def _table(*rows: tuple[ErrorKind, str]) -> tuple[tuple[ErrorKind, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in rows)


_FIRST = _table((ErrorKind.QUOTA, "(?:specified|workspace) api usage limits"))
"""Words that say more than the code beside them: Anthropic calls a spent budget an invalid request or a rate limit."""
_BY_CODE = _table(
    (ErrorKind.MODEL_OUTPUT, "tool_use_failed|output_parse_failed|malformed_function_call"),
    (
        ErrorKind.CONTEXT_LENGTH,
        "context_length|exceed_context_size|request_too_large|string_above_max_length|prompt_tokens_exceeded",
    ),
    (ErrorKind.QUOTA, "insufficient_quota|billing|insufficient_(?:balance|credits|funds)"),
    (ErrorKind.CONTENT_FILTER, "content_filter|content_policy|prohibited_content|responsibleai|data_inspection"),
    (ErrorKind.AUTH, "api_key|authentication|unauthori[sz]ed|unauthenticated|permission_(?:error|denied)"),
    (ErrorKind.RATE_LIMIT, "rate_limit|resource_exhausted|too_many_requests|throttl"),
    (ErrorKind.NOT_FOUND, "not_?found|invalid_model|model_not_available"),
)
"""Providers' codes, types, states and reasons; the vaguest comes last, after the words of the message."""
_VAGUE = _table((ErrorKind.SERVER, "overloaded|server_error|api_error|internal_error|unavailable|timeout_error"))

_BY_MESSAGE = _table(
    (
        ErrorKind.MODEL_OUTPUT,
        f"does not match the expected peg|failed to (?:call a function|parse input at pos)|{OLLAMA_UNREAD}",
    ),
    (
        ErrorKind.CONTEXT_LENGTH,
        (
            "prompt is too long|maximum context length|context (?:window|length|size).{0,40}exceed"
            "|exceeds? (?:the )?(?:available |maximum )?context|(?:input|prompt) token count.{0,60}exceeds"
            "|longer than the maximum model length|maximum prompt length|input is too long|too many tokens"
            "|reduce the length of the (?:messages|prompt|input)|tokens \\+ `?max_new_tokens`? must be|context (?:the )?overflows"
        ),
    ),
    (
        ErrorKind.QUOTA,
        (
            "insufficient.{0,12}(?:balance|credit|funds|coins|quota)|credit balance|spend(?:ing)? (?:limit|cap)"
            "|exceeded your current quota|payment required|out of credits|not enough coins"
        ),
    ),
    (ErrorKind.CONTENT_FILTER, "content management policy|blocked by .{0,40}(?:filter|safety|policy)"),
    (
        ErrorKind.AUTH,
        "api key not valid|(?:incorrect|invalid|missing|wrong|no) (?:x-)?api[ _-]?key|invalid (?:token|credentials)",
    ),
    (ErrorKind.RATE_LIMIT, "rate limit (?:reached|exceeded)|too many requests"),
    (ErrorKind.SERVER, "overloaded"),
    (
        ErrorKind.NOT_FOUND,
        (
            "model .{0,80}(?:does not exist|not found)|model not (?:exist|found)|(?:no such|unknown|invalid) model"
            "|is not a valid model|model identifier is invalid|unable to access model"
        ),
    ),
)
"""Where there is no telling code: unmistakable phrases only."""

_BY_STATUS = {
    400: ErrorKind.BAD_REQUEST,
    401: ErrorKind.AUTH,
    402: ErrorKind.QUOTA,
    403: ErrorKind.AUTH,
    404: ErrorKind.NOT_FOUND,
    405: ErrorKind.NOT_FOUND,
    407: ErrorKind.CONNECT,
    408: ErrorKind.TIMEOUT,
    413: ErrorKind.CONTEXT_LENGTH,
    429: ErrorKind.RATE_LIMIT,
}

_HINTS = {
    ErrorKind.CONNECT: "The proxy wants a user name and a password: HTTP_PROXY=http://NAME:PASSWORD@HOST:PORT.",
    ErrorKind.AUTH: "Check the key of this provider.",
    ErrorKind.NOT_FOUND: "Check the base URL and the model's name; the model list shows what is offered.",
    ErrorKind.RATE_LIMIT: "Wait, or lower the number of parallel requests.",
    ErrorKind.QUOTA: "Waiting does not help: check the balance or spend limit of this account.",
    ErrorKind.BAD_REQUEST: "The message names what the provider does not take; see the request as sent.",
    ErrorKind.CONTEXT_LENGTH: "Shorten the messages or the tool list, or take a model with a larger context.",
    ErrorKind.CONTENT_FILTER: "The provider's filter acted; rephrase, or use another provider.",
    ErrorKind.MODEL_OUTPUT: "The model wrote a call that its own provider could not read: a failure of the model.",
    ErrorKind.SERVER: "The provider has a problem; try again later.",
    ErrorKind.TIMEOUT: "Try again, or raise the time limit.",
}

_SPECIAL_HINTS = (
    ("--jinja", "Start llama-server with --jinja."),
    (
        "enable-auto-tool-choice",
        "Start vLLM with --enable-auto-tool-choice and --tool-call-parser, or use a text format.",
    ),
    ("does not support tools", "Use a text format with this model instead of native tools."),
    ("max_completion_tokens", "Set the provider's quirk max_tokens_field to 'max_completion_tokens'."),
)
_PLAIN_WAITS = ("retry-after", "retry-after-ms", "date")

_BARE_WORDS = ("message", "msg", "error_msg", "detail")
_BARE = frozenset(
    (
        *_BARE_WORDS,
        *("code error_code status status_code type param data request_id requestId trace_id id timestamp path").split(),
    )
)
"""Fields of an error that stands alone, under no name that says so."""

WEB_PAGE_HINT = "Check the base URL: this looks like a web site or a proxy, not the API (is '/v1' missing?)."


def read_error(status: int, headers: Headers, body: bytes) -> ErrorInfo:
    """Read an answer whose status says that it failed."""
    text = body.decode("utf-8", "replace")
    if _is_page(text, headers):
        return page_fault(status, headers, text)
    value = read_json(text)
    if value is not UNREADABLE:
        return describe(value, status, headers)
    words = " ".join(text[:MESSAGE_LIMIT].split())
    found = _ReadError(words or f"The server answered {_phrase(status)} without a text.")
    return _judge(found, status, headers, status)


def describe(value: Any, status: int | None = None, headers: Headers = ()) -> ErrorInfo:
    """Read an error value, wherever it came: as a body, in a body, in a stream."""
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, dict)), {"message": json_text(value)[:MESSAGE_LIMIT]})
    outer = as_dict(value)
    inner = _base_fault(outer) or outer.get("error")
    body = inner if isinstance(inner, dict) else outer
    own = as_int(body.get("status_code")) or as_int(body.get("code")) or as_int(outer.get("raw_status_code"))
    judged = own if own is not None and 400 <= own < 600 and (status is None or status < 400) else status
    message = _message(inner, body, outer)
    if not message:
        message = (
            f"The server answered {_phrase(judged)}." if judged else "The server reported an error without a text."
        )
    labels = " ".join((as_text(body.get("type")), as_text(body.get("status")), _reasons(body)))
    return _judge(_ReadError(message, _code(body, outer), labels, value), status, headers, judged)


def error_in(value: Any) -> Any:
    """Return the error part of a 200 body or stream event, or None if it holds none."""
    if isinstance(value, list):
        return value if value and isinstance(value[0], dict) and value[0].get("error") else None
    if not isinstance(value, dict):
        return None
    if isinstance(why := value.get(OLLAMA_UNREAD), str):
        return {"error": f"{OLLAMA_UNREAD}: {why}"}
    if value.get("error") or value.get("object") == "error" or value.get("type") == "error":
        return value
    return value if value.get("success") is False or _base_fault(value) or _is_bare(value) else None


def _base_fault(value: dict[str, Any]) -> dict[str, Any]:
    """MiniMax tells of an error beside an empty reply; code 0 is none."""
    if "base_resp" not in value:
        return {}
    base = as_dict(value["base_resp"])
    code = as_int(base.get("status_code"))
    return {"code": code, "message": base.get("status_msg")} if code else {}


def _is_bare(value: dict[str, Any]) -> bool:
    """Whether this holds words of an error and nothing else: no field of any reply."""
    if not value.keys() <= _BARE or value.get("data") is not None:
        return False
    return any(isinstance(value.get(name), str) and value[name] for name in _BARE_WORDS)


def _is_page(text: str, headers: Headers) -> bool:
    return "text/html" in header(headers, "content-type").lower() or _HTML.match(text[:400]) is not None


def page_fault(status: int, headers: Headers, text: str) -> ErrorInfo:
    """Describe a web page where JSON was promised."""
    title = _TITLE.search(text[:20000])
    about = f" titled {' '.join(title[1].split())!r}" if title else ""
    kind, hint = ErrorKind.PROTOCOL, WEB_PAGE_HINT
    if status >= 500:
        kind, hint = ErrorKind.SERVER, "The provider, or a proxy before it, has a problem; try again later."
    elif status == 429:
        kind, hint = ErrorKind.RATE_LIMIT, _HINTS[ErrorKind.RATE_LIMIT]
    return ErrorInfo(
        kind,
        f"The server answered {_phrase(status)} with a web page{about} instead of JSON.",
        hint=hint,
        status=status,
        retry_after=wait_asked(headers) if status in (429, 503) else None,
    )


def _phrase(status: int | None) -> str:
    if status is None:
        return "an error"
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _message(inner: Any, body: dict[str, Any], outer: dict[str, Any]) -> str:
    for value in (
        inner,
        body.get("message"),
        body.get("detail"),
        outer.get("message"),
        outer.get("detail"),
        body.get("msg"),
        body.get("error_msg"),
    ):
        if isinstance(value, str) and value.strip():
            words = as_text(value) if value is not inner else _with_words_beside(as_text(value), outer)
            return _with_cause(words, body)[:MESSAGE_LIMIT]
        if isinstance(value, list) and value:
            return _details(value)
        if isinstance(value, dict) and value is not body and (words := _wrapped(value)):
            return words
    if body and not isinstance(inner, str):
        return json_text(body)[:MESSAGE_LIMIT].encode("utf-8", "replace").decode()
    return ""


def _with_words_beside(label: str, outer: dict[str, Any]) -> str:
    """An error that is a text may be a label alone, beside what is said of it (NestJS, OAuth)."""
    for more in (outer.get("message"), outer.get("error_description"), outer.get("detail")):
        words = _details(more) if isinstance(more, list) and more else as_text(more)
        if words and words not in label:
            return f"{label}: {words}"
    return label


def _wrapped(value: dict[str, Any]) -> str:
    """A message that is an object itself: `{message}`, or FastAPI's `{detail}` (Mistral)."""
    for key in ("message", "detail"):
        inner = value.get(key)
        if isinstance(inner, list) and inner:
            return _details(inner)
        if words := as_text(inner):
            return words[:MESSAGE_LIMIT]
    return ""


def _details(items: list[Any]) -> str:
    return "; ".join(_detail(item) for item in items[:10])[:MESSAGE_LIMIT]


def _with_cause(message: str, body: dict[str, Any]) -> str:
    """OpenRouter hides the upstream's own words in `metadata`."""
    meta = as_dict(body.get("metadata"))
    raw, name = as_text(meta.get("raw")), as_text(meta.get("provider_name"))
    if not raw and not name:
        return message
    return f"{message} ({': '.join(filter(None, (name, raw[:500])))})"


def _detail(item: Any) -> str:
    """One entry of FastAPI's list: `body.messages: Field required`."""
    entry = as_dict(item)
    place = ".".join(str(part) for part in as_list(entry.get("loc")))
    text = as_text(entry.get("msg")) or as_text(entry.get("message")) or as_text(item) or json_text(item)[:200]
    return f"{place}: {text}" if place else text


def _code(body: dict[str, Any], outer: dict[str, Any]) -> str:
    """Return the provider's own word: code, else type or status; numbers that repeat the HTTP status are none."""
    for value in (body.get("code"), body.get("type"), body.get("status"), outer.get("code")):
        if isinstance(value, str) and value and value != "error" and not value.isdigit():
            return as_text(value)[:200]
    number = body.get("code", outer.get("code", outer.get("error_code")))
    return str(number)[:200] if isinstance(number, int | str) and not isinstance(number, bool) else ""


def _reasons(body: dict[str, Any]) -> str:
    return " ".join(as_text(as_dict(detail).get("reason")) for detail in as_list(body.get("details")))


@dataclass(frozen=True, slots=True)
class _ReadError:
    """An error as read, before it is judged."""

    message: str
    code: str = ""
    labels: str = ""
    """Type, state and reasons, joined."""
    value: Any = None
    """The JSON around it."""


def _kind(found: _ReadError, status: int | None, headers: Headers) -> ErrorKind:
    """Judge by the provider's code, then by its words, then by the status."""
    codes = _WORDS_TOGETHER.sub("_", f"{found.code} {found.labels}")
    said = found.message[:600]
    for table, words in ((_FIRST, said), (_BY_CODE, codes), (_BY_MESSAGE, said), (_VAGUE, codes)):
        for kind, pattern in table:
            if pattern.search(words) and _fits(kind, codes, status, headers):
                return kind
    if status is None or status < 400 or status >= 500:
        return ErrorKind.SERVER
    return _BY_STATUS.get(status, ErrorKind.BAD_REQUEST)


def _fits(kind: ErrorKind, codes: str, status: int | None, headers: Headers) -> bool:
    """Whether the status allows this kind: a status says more than a word in passing."""
    if kind is ErrorKind.QUOTA and status == 429:
        # A quota per minute that names its wait (Gemini words it so) is a rate limit.
        return "insufficient_quota" in codes or not ("RESOURCE_EXHAUSTED" in codes or header(headers, "retry-after"))
    if kind is ErrorKind.CONTEXT_LENGTH and status == 429:
        return "context" in codes  # else tokens a minute are meant
    if kind in (ErrorKind.NOT_FOUND, ErrorKind.SERVER):
        return status not in (401, 402, 403, 429)
    return True


def _judge(found: _ReadError, status: int | None, headers: Headers, judged: int | None) -> ErrorInfo:
    """Build the error; `judged` is the status that fits it, where a 200 answer carries another one inside."""
    kind = _kind(found, judged, headers)
    if kind in (ErrorKind.RATE_LIMIT, ErrorKind.SERVER, ErrorKind.TIMEOUT):
        wait = wait_asked(headers, found.value)
    else:
        wait = wait_asked(tuple(pair for pair in headers if pair[0].lower() in _PLAIN_WAITS))
    hint = _hint(kind, found.message)
    if wait and kind is ErrorKind.RATE_LIMIT:
        hint = f"The provider asks to wait {_time(wait)}. {hint}"
    refused_by_proxy = kind is ErrorKind.CONNECT
    return ErrorInfo(kind, found.message, "", hint, status, found.code, wait, permanent=refused_by_proxy)


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.3g} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 6000 else f"{seconds / 3600:.0f} hours"


def _hint(kind: ErrorKind, message: str) -> str:
    low = message.lower()
    return next((hint for words, hint in _SPECIAL_HINTS if words in low), _HINTS.get(kind, ""))
