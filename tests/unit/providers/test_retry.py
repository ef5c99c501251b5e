"""When a failed try is repeated, and after how long."""

from __future__ import annotations

import pytest

from tests.kit.client_run import GOOD, good, run
from tests.kit.wire_server import Request, Script, answer, head, sse
from workbench.core.errors import ErrorInfo
from workbench.core.errors import ErrorKind as K
from workbench.providers.retry import Failure, RetryPolicy, wait_before_retry

POLICY = RetryPolicy()


def wait(
    kind: K,
    status: int | None = None,
    *,
    attempt: int = 0,
    jitter: float = 0.0,
    permanent: bool = False,
    **more: object,
) -> float | None:
    after = more.pop("after", None)
    assert after is None or isinstance(after, int | float)
    error = ErrorInfo(kind, "x", status=status, retry_after=after, permanent=permanent)
    return wait_before_retry(POLICY, attempt, Failure(error, **more), jitter)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "status", "again"),
    [
        (K.TIMEOUT, 408, True), (K.BAD_REQUEST, 409, True), (K.RATE_LIMIT, 429, True), (K.SERVER, 500, True), (K.SERVER, 529, True),
        (K.CONNECT, None, True), (K.TIMEOUT, None, True), (K.CUT_OFF, 200, True), (K.SERVER, 200, True),
        (K.BAD_REQUEST, 400, False), (K.AUTH, 401, False), (K.QUOTA, 402, False), (K.QUOTA, 429, False), (K.NOT_FOUND, 404, False),
        (K.CONTEXT_LENGTH, 400, False), (K.MODEL_OUTPUT, 400, False), (K.MODEL_OUTPUT, 500, False), (K.CONTENT_FILTER, 400, False),
        (K.PROTOCOL, 200, False), (K.PROTOCOL, None, False), (K.PROTOCOL, 499, False), (K.PROTOCOL, 500, True), (K.PROTOCOL, 502, True), (K.CANCELLED, None, False),
    ],
)  # fmt: skip
def test_retryable_errors(kind: K, status: int | None, again: bool) -> None:
    assert (wait(kind, status) is not None) is again


def test_never_after_output() -> None:
    assert wait(K.CUT_OFF, 200, produced=True) is None


def test_permanent_errors_are_not_retried() -> None:
    assert wait(K.CONNECT, permanent=True) is None


def test_x_should_retry_decides() -> None:
    assert wait(K.SERVER, 500, headers=(("X-Should-Retry", "false"),)) is None
    assert wait(K.BAD_REQUEST, 400, headers=(("x-should-retry", "true"),)) is not None


def test_waits_double_and_are_capped() -> None:
    policy = RetryPolicy(retries=9)
    failure = Failure(ErrorInfo(K.SERVER, "x", status=500))
    assert [wait_before_retry(policy, n, failure, 0.0) for n in range(6)] == [0.5, 1, 2, 4, 8, 8]
    assert wait_before_retry(policy, 1, failure, 1.0) == 0.75


def test_asked_waits_are_obeyed_to_a_limit() -> None:
    assert wait(K.RATE_LIMIT, 429, after=7) == 7
    assert wait(K.RATE_LIMIT, 429, after=0) == 0
    assert wait(K.RATE_LIMIT, 429, after=POLICY.asked_cap) == POLICY.asked_cap
    assert wait(K.RATE_LIMIT, 429, after=POLICY.asked_cap + 0.1) is None


def test_tries_are_counted() -> None:
    assert wait(K.SERVER, 500, attempt=1) is not None
    assert wait(K.SERVER, 500, attempt=2) is None


# -- the client repeats what the policy lets it -----------------------------------------------------------------------


def test_retries_until_success() -> None:
    def script(request: Request, number: int) -> Script:
        return answer(429, b"{}", extra=[("retry-after", "1.5")]) if number < 2 else [head() + GOOD]

    outcome = run(script, retries=2)
    assert good(outcome)
    assert [done.exchange for done in outcome.done] == [0, 1, 2]
    assert [done.retry_in for done in outcome.done] == [1.5, 1.5, None]
    assert outcome.pauses == [1.5, 1.5]


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_a_request_is_repeated_only_so_often(retries: int) -> None:
    def script(request: Request, number: int) -> Script:
        return answer(503, b"{}") if number < 9 else [head() + GOOD]

    outcome = run(script, retries=retries)
    assert len(outcome.done) == retries + 1
    assert (outcome.error.status, outcome.done[-1].retry_in) == (503, None)


def test_server_gives_up_for_us() -> None:
    assert len(run(answer(500, b"{}", extra=[("x-should-retry", "false")]), retries=2).done) == 1
    assert len(run(answer(429, b'{"error":{"code":"insufficient_quota","message":"x"}}'), retries=2).done) == 1


def test_lost_keep_alive_connection_is_tried_again() -> None:
    def script(request: Request, number: int) -> Script:
        return [head() + GOOD] if number else []

    outcome = run(script, retries=1)
    assert good(outcome)
    assert "closed the connection without an answer" in str(outcome.done[0].error)


def test_error_before_any_output_is_tried_again() -> None:
    def script(request: Request, number: int) -> Script:
        return [head() + GOOD] if number else [head(), sse('{"error":{"code":503,"message":"overloaded"}}')]

    assert good(run(script, retries=1))
