"""Error answers of all providers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.core.errors import ErrorKind as K
from workbench.wires.kit.error_answers import _time, describe, error_in, page_fault, read_error


def read(status: int, value: Any, *headers: tuple[str, str]) -> tuple[K, str, str]:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    info = read_error(status, headers, body)
    assert info.status == status
    return info.kind, info.message, info.code


def openai(message: str, code: str | None = None, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


@pytest.mark.parametrize(
    ("status", "value", "expected"),
    [
        (400, openai("bad", "unsupported_parameter"), (K.BAD_REQUEST, "bad", "unsupported_parameter")),
        (400, openai("too long", "context_length_exceeded"), (K.CONTEXT_LENGTH, "too long", "context_length_exceeded")),
        (401, openai("wrong", "invalid_api_key"), (K.AUTH, "wrong", "invalid_api_key")),
        (404, openai("none", "model_not_found"), (K.NOT_FOUND, "none", "model_not_found")),
        (429, openai("slow", "rate_limit_exceeded", "requests"), (K.RATE_LIMIT, "slow", "rate_limit_exceeded")),
        (429, openai("pay", "insufficient_quota", "insufficient_quota"), (K.QUOTA, "pay", "insufficient_quota")),
        (500, openai("oops", None, "server_error"), (K.SERVER, "oops", "server_error")),
        (409, openai("conflict"), (K.BAD_REQUEST, "conflict", "invalid_request_error")),
        (400, {"error": {"code": "content_filter", "message": "blocked", "innererror": {}}}, (K.CONTENT_FILTER, "blocked", "content_filter")),
        (400, openai("Failed to call a function.", "tool_use_failed"), (K.MODEL_OUTPUT, "Failed to call a function.", "tool_use_failed")),
        (500, {"error": {"code": 500, "message": "Failed to parse input at pos 3: <tool_call>", "type": "server_error"}},
         (K.MODEL_OUTPUT, "Failed to parse input at pos 3: <tool_call>", "server_error")),
        (500, {"error": "error parsing tool call: raw='x', err=invalid character 'x'"},
         (K.MODEL_OUTPUT, "error parsing tool call: raw='x', err=invalid character 'x'", "")),
        (500, {"error": {"code": 500, "message": "The model output does not match the expected peg-native format", "type": "server_error"}},
         (K.MODEL_OUTPUT, "The model output does not match the expected peg-native format", "server_error")),
        (401, {"detail": "Unauthorized"}, (K.AUTH, "Unauthorized", "")),
        (422, {"detail": [{"loc": ["body", "messages", 0], "msg": "Field required", "type": "missing"}]}, (K.BAD_REQUEST, "body.messages.0: Field required", "")),
        (422, {"object": "error", "message": {"detail": [{"loc": ["body", "top_p"], "msg": "At most 1"}]}, "type": "invalid_request_error"},
         (K.BAD_REQUEST, "body.top_p: At most 1", "invalid_request_error")),
        (400, {"message": {"message": "inner words"}}, (K.BAD_REQUEST, "inner words", "")),
        (400, {"object": "error", "message": "bad model", "type": "invalid_model", "code": "1500", "raw_status_code": 400}, (K.NOT_FOUND, "bad model", "invalid_model")),
        (400, {"code": "Client specified an invalid argument", "error": "Incorrect API key provided: xa***."}, (K.AUTH, "Incorrect API key provided: xa***.", "Client specified an invalid argument")),
        (402, openai("Insufficient Balance", "invalid_request_error", "unknown_error"), (K.QUOTA, "Insufficient Balance", "invalid_request_error")),
        (400, {"error": {"code": 400, "message": "request (9) exceeds the available context size (8)", "type": "exceed_context_size_error", "n_ctx": 8}},
         (K.CONTEXT_LENGTH, "request (9) exceeds the available context size (8)", "exceed_context_size_error")),
        (400, [{"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}}],
         (K.AUTH, "API key not valid.", "INVALID_ARGUMENT")),
        (429, {"error": {"code": 429, "message": "You exceeded your current quota", "status": "RESOURCE_EXHAUSTED"}}, (K.RATE_LIMIT, "You exceeded your current quota", "RESOURCE_EXHAUSTED")),
        (503, {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}, (K.SERVER, "busy", "UNAVAILABLE")),
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, (K.SERVER, "Overloaded", "overloaded_error")),
        (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}}, (K.CONTEXT_LENGTH, "prompt is too long: 9 > 8", "invalid_request_error")),
        (403, {"type": "error", "error": {"type": "permission_error", "message": "no"}}, (K.AUTH, "no", "permission_error")),
        (413, {"type": "error", "error": {"type": "request_too_large", "message": "big"}}, (K.CONTEXT_LENGTH, "big", "request_too_large")),
        (404, {"error": "model 'x' not found, try pulling it first"}, (K.NOT_FOUND, "model 'x' not found, try pulling it first", "")),
        (400, {"error": "m does not support tools"}, (K.BAD_REQUEST, "m does not support tools", "")),
        (422, {"success": False, "error": "Model not found"}, (K.NOT_FOUND, "Model not found", "")),
        (400, {"message": "plain"}, (K.BAD_REQUEST, "plain", "")),
        (400, {"error": {}}, (K.BAD_REQUEST, "The server answered 400 Bad Request.", "")),
        (418, b"short and stout", (K.BAD_REQUEST, "short and stout", "")),
        (502, b"", (K.SERVER, "The server answered 502 Bad Gateway without a text.", "")),
        (404, b"404 page not found", (K.NOT_FOUND, "404 page not found", "")),
        (400, b"[]", (K.BAD_REQUEST, "[]", "")),
        (599, b"null", (K.SERVER, "The server answered 599.", "")),
    ],
)  # fmt: skip
def test_shapes(status: int, value: Any, expected: tuple[K, str, str]) -> None:
    assert read(status, value) == expected


def test_words_in_passing_do_not_decide() -> None:
    kind, _, _ = read(400, openai("Invalid schema: property 'authentication' of billing rate_limit has no type"))
    assert kind is K.BAD_REQUEST


def test_web_pages() -> None:
    page = b"<!DOCTYPE html><html><head><title>nginx\n error</title>"
    info = read_error(404, (("content-type", "text/html"),), page)
    assert (info.kind, "base URL" in info.hint, "'nginx error'" in info.message) == (K.PROTOCOL, True, True)
    assert read(502, page)[0] is K.SERVER
    assert read(429, page)[0] is K.RATE_LIMIT
    assert page_fault(200, (), "<html>").kind is K.PROTOCOL


def test_html_error_page_is_explained() -> None:
    page = b"<html><title>Down</title></html>"
    hints = {status: read_error(status, (), page).hint for status in (200, 404, 429, 502)}
    assert "base URL" in hints[200]
    assert "base URL" in hints[404]
    assert "parallel requests" in hints[429]
    assert "try again later" in hints[502]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
        (400, "Input is too long for requested model."),
        (400, "The decoder prompt (length 40000) is longer than the maximum model length of 32768."),
        (400, "This model's maximum prompt length is 131072 but the request contains 200000 tokens."),
        (400, "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192"),
        (422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32769."),
        (400, "prompt token count of 150000 exceeds the limit of 128000"),
        (400, "Trying to keep the first 5000 tokens when context the overflows."),
        (400, "too many tokens: total number of tokens in the prompt cannot exceed 4081"),
    ],
)
def test_context_length_errors(status: int, words: str) -> None:
    assert read_error(status, (), json.dumps({"error": {"message": words}}).encode()).kind == K.CONTEXT_LENGTH
    assert read_error(429, (), json.dumps({"error": {"message": words}}).encode()).kind == K.RATE_LIMIT


@pytest.mark.parametrize(
    "words",
    [
        "The provided model identifier is invalid.",
        "foo/bar is not a valid model ID",
        "Invalid model: codestrall",
        "Model Not Exist",
        "Invalid model 'sonar-x'. Permitted models can be found in the documentation.",
        "Unable to access model x. Please visit the site to view the list of supported models.",
        "unknown model x",
    ],
)
def test_unknown_model_errors(words: str) -> None:
    assert read_error(400, (), json.dumps({"error": {"message": words}}).encode()).kind == K.NOT_FOUND
    assert read_error(401, (), json.dumps({"error": {"message": words}}).encode()).kind == K.AUTH


@pytest.mark.parametrize(("seconds", "words"), [("1.5", "1.5 seconds"), ("1371", "23 minutes"), ("90000", "25 hours")])
def test_waits_are_told_in_fitting_units(seconds: str, words: str) -> None:
    assert f"wait {words}." in read_error(429, (("retry-after", seconds),), b"{}").hint


@pytest.mark.parametrize(
    ("fields", "headers", "kind"),
    [
        ({}, (), K.QUOTA),
        ({}, (("retry-after", "7"),), K.RATE_LIMIT),
        ({"status": "RESOURCE_EXHAUSTED"}, (), K.RATE_LIMIT),
        ({"code": "insufficient_quota"}, (("retry-after", "7"),), K.QUOTA),
    ],
)
def test_a_quota_that_names_its_wait_is_a_rate_limit(
    fields: dict[str, Any], headers: tuple[tuple[str, str], ...], kind: K
) -> None:
    error = {"error": {"message": "You exceeded your current quota.", **fields}}
    assert read(429, error, *headers)[0] is kind


def test_a_spent_budget_under_another_name() -> None:
    words = "You have reached your specified API usage limits."
    for status, kind in ((400, "invalid_request_error"), (429, "rate_limit_error")):
        value = {"type": "error", "error": {"type": kind, "message": words}}
        assert read(status, value) == (K.QUOTA, words, kind)


def test_hints_for_known_misconfigurations() -> None:
    for words, hint in (
        ("tools param requires --jinja flag", "--jinja"),
        ('"auto" tool choice requires --enable-auto-tool-choice', "--tool-call-parser"),
        ("x does not support tools", "text format"),
    ):
        assert hint in read_error(400, (), json.dumps({"error": {"message": words}}).encode()).hint


def test_upstream_cause_is_told() -> None:
    value = {
        "error": {"code": 502, "message": "Provider returned error", "metadata": {"raw": "boom", "provider_name": "X"}}
    }
    assert describe(value).message == "Provider returned error (X: boom)"


def test_status_inside_a_good_answer() -> None:
    info = describe({"error": {"code": 429, "message": "slow"}}, 200)
    assert (info.kind, info.status, info.code) == (K.RATE_LIMIT, 200, "429")


def test_error_detection() -> None:
    for value in (
        {"error": {"message": "x"}},
        {"error": "x"},
        {"object": "error"},
        {"success": False},
        [{"error": {"a": 1}}],
    ):
        assert error_in(value) is not None
    for value in ({"error": None}, {}, {"success": True}, [], [1], "error", None, {"error": {}}):
        assert error_in(value) is None


def test_retry_after_only_for_retryable_errors() -> None:
    reset = ("x-ratelimit-reset-requests", "6m0s")
    assert read_error(429, (reset,), b"{}").retry_after == 360
    assert read_error(401, (reset,), b"{}").retry_after is None
    assert (
        read_error(429, (("retry-after", "2"),), json.dumps(openai("p", "insufficient_quota")).encode()).retry_after
        == 2
    )


def test_huge_messages_are_cut() -> None:
    assert len(read(400, {"error": {"message": "x" * 100_000}})[1]) == 2000
    assert len(read(400, b"x" * 100_000)[1]) == 2000


def test_proxy_authentication_error() -> None:
    info = read_error(407, (), b"")
    assert (info.kind, info.permanent, "HTTP_PROXY" in info.hint) == (K.CONNECT, True, True)


@pytest.mark.parametrize(
    "field",
    [
        "code", "error_code", "status", "status_code", "type", "param", "data", "request_id", "requestId", "trace_id", "id",
        "timestamp", "path",
    ],
)  # fmt: skip
def test_an_error_that_stands_alone_may_hold_what_errors_hold(field: str) -> None:
    bare = {"message": "no", field: None}
    assert error_in(bare) == bare
    assert error_in({**bare, "choices": []}) is None


@pytest.mark.parametrize(("code", "kind"), [(399, K.SERVER), (400, K.BAD_REQUEST), (404, K.NOT_FOUND), (599, K.SERVER)])
def test_a_status_that_stands_in_the_error_is_judged(code: int, kind: K) -> None:
    assert describe({"error": {"code": code, "message": "It went wrong."}}, 200).kind is kind


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"statusCode": 400, "error": "Bad Request", "message": ["model must be a text", "top_p is too high"]}, "Bad Request: model must be a text; top_p is too high"),
        ({"error": "invalid_client", "error_description": "Client authentication failed"}, "invalid_client: Client authentication failed"),
        ({"error": "busy", "message": "busy"}, "busy"),
    ],
)  # fmt: skip
def test_words_beside_a_label_are_told(value: dict[str, Any], message: str) -> None:
    assert describe(value, 400).message == message


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("DataInspectionFailed", "content_filter"),
        ("InvalidApiKey", "auth"),
        ("ContextLengthExceeded", "context_length"),
    ],
)
def test_codes_whose_words_stand_together_are_known(code: str, kind: str) -> None:
    assert describe({"code": code, "message": "Refused."}, 400).kind == kind


@pytest.mark.parametrize("status", [401, 402, 403, 429])
def test_a_status_that_says_more_than_words_in_passing(status: int) -> None:
    assert read(status, openai("The model is not found, says the server error."))[0] not in (K.NOT_FOUND, K.SERVER)


def test_a_code_of_zero_beside_a_reply_is_no_error() -> None:
    told = {"base_resp": {"status_code": 0, "status_msg": ""}}
    assert error_in({**told, "choices": []}) is None
    assert error_in(told) is None
    wrong = error_in({"base_resp": {"status_code": 1004, "status_msg": "login fail"}})
    assert wrong is not None


@pytest.mark.parametrize(("status", "wait"), [(429, 7.0), (503, 7.0), (500, None), (404, None)])
def test_a_web_page_asks_to_wait_where_that_helps(status: int, wait: float | None) -> None:
    found = page_fault(
        status, (("retry-after", "7"), ("content-type", "text/html")), "<html><title>A\n b</title></html>"
    )
    assert found.retry_after == wait
    assert (found.status, "titled 'A b'" in found.message) == (status, True)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (99.4, "99.4 seconds"),
        (100, "2 minutes"),
        (5_999, "100 minutes"),
        (6_000, "2 hours"),
        (360_000_000, "100000 hours"),
    ],
)
def test_long_waits_are_told_in_whole_units(seconds: float, words: str) -> None:
    assert _time(seconds) == words


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"error": {"message": "x", "code": "a_code"}}, "a_code"),
        ({"error": {"message": "x", "code": 7}}, "7"),
        ({"error": {"message": "x", "code": True}}, ""),
        ({"error": {"message": "x", "code": [1]}}, ""),
        ({"error": {"message": "x", "type": "error"}}, ""),
        ({"error": {"message": "x", "type": "a_type"}}, "a_type"),
        ({"error": {"message": "x"}, "error_code": 9}, "9"),
        ({"error": {"message": "x", "code": "404", "status": "GONE"}}, "GONE"),
    ],
)
def test_the_providers_own_word_for_an_error(value: dict[str, Any], code: str) -> None:
    assert describe(value, 400, ()).code == code


@pytest.mark.parametrize(("status", "wait"), [(429, 7.0), (500, 7.0), (408, 7.0), (400, None)])
def test_limits_that_are_reset_say_how_long_to_wait_where_waiting_helps(status: int, wait: float | None) -> None:
    found = describe({"error": {"message": "It did not go."}}, status, (("x-ratelimit-reset", "7s"),))
    assert found.retry_after == wait


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "No.", "details": [{"reason": "API_KEY_INVALID"}]}, K.AUTH),
        ({"message": "No.", "status": "API_KEY_INVALID"}, K.AUTH),
        ({"message": "No.", "details": [7, {"other": 1}]}, K.BAD_REQUEST),
        ({"message": "No.", "details": "API_KEY_INVALID"}, K.BAD_REQUEST),
    ],
)
def test_reasons_beside_an_error_decide(error: dict[str, Any], kind: K) -> None:
    assert describe({"error": error}, 400, ()).kind is kind


def test_words_far_behind_the_beginning_do_not_decide() -> None:
    for before, kind in ((560, K.CONTEXT_LENGTH), (700, K.BAD_REQUEST)):
        message = "x" * before + " maximum context length"
        assert describe({"error": {"message": message}}, 400, ()).kind is kind, before


def test_an_error_beside_an_empty_reply_is_told_in_its_words() -> None:
    value = {"choices": [], "base_resp": {"status_code": 1004, "status_msg": "login fail"}}
    found = describe(error_in(value), 200, ())
    assert "login fail" in found.message
    assert found.code == "1004"
    assert error_in({"choices": [], "base_resp": {"status_code": 0, "status_msg": ""}}) is None
