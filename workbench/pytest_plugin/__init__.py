"""The pytest plug-in: cases of a suite as tests, and runs of the gateway named by their test. No window, no network.

    from workbench.pytest_plugin import assert_calls, workbench_cases

    @workbench_cases("suite")                       # a folder, a file, a suite of yours, or `demo`
    def test_my_agent(case):
        assert_calls(my_agent(**request_of(case)), case)

    def test_over_the_gateway(workbench_run):
        client = OpenAI(base_url=workbench_run.base_url, api_key=workbench_run.api_key, default_headers=workbench_run.headers)

pytest loads it wherever the workbench is installed, so it imports nothing before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from workbench.core.case import Case, Expectation
    from workbench.pytest_plugin.named_run import NamedRun

__all__ = ("assert_calls", "request_of", "workbench_cases", "workbench_run")

_MARKER = "workbench_cases"
_ARGUMENT = "case"


def workbench_cases(suite: str | Path, *, tags: str | Sequence[str] = ()) -> pytest.MarkDecorator:
    """Run a test once for each case of a suite, as its argument `case`; `tags` takes those that have one of them."""
    words = (tags,) if isinstance(tags, str) else tuple(tags)
    found: pytest.MarkDecorator = getattr(pytest.mark, _MARKER)(str(suite), tags=words)
    return found


def assert_calls(
    reply: Any,
    expected: Case | Expectation | Sequence[dict[str, Any]],
    *,
    format: str = "",  # noqa: A002  the word for it everywhere
    tools: Sequence[dict[str, Any]] = (),
) -> None:
    """Fail unless the reply makes the expected calls, with a line for each argument that is wrong.

    `reply` is what a client gave: a response or a message of OpenAI's, Anthropic's, Google's or Ollama's SDK, a list of
    calls, or the raw text of a model, read as `format` (whichever fits best if empty). `expected` is a case, its
    expectation, or plain calls `{"name", "arguments"}`.
    """
    __tracebackhide__ = True
    from workbench.pytest_plugin.checking import wrong_calls

    if problems := wrong_calls(reply, expected, format=format, tools=tools):
        pytest.fail("\n".join(problems), pytrace=False)


def request_of(case: Case) -> dict[str, Any]:
    """A case as arguments for `chat.completions.create`: messages, and tools and tool_choice where it has any."""
    request: dict[str, Any] = {"messages": [message.to_openai() for message in case.messages]}
    if case.tools:
        request["tools"] = [setup.spec.to_openai() for setup in case.tools]
    if case.tool_choice is not None:
        request["tool_choice"] = case.tool_choice
    return request


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare where suites and the gateway are."""
    parser.addini("workbench_suites", "folder with suites, from the root of the tests", default="")
    group = parser.getgroup("workbench", "Tool-Calling Workbench")
    group.addoption("--workbench-gateway", metavar="URL", default="", help="address of a running `workbench gateway`")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", f"{_MARKER}(suite, tags=()): run the test for each case of a suite, as `case`")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each case."""
    marker = metafunc.definition.get_closest_marker(_MARKER)
    if marker is None:
        return
    from workbench.pytest_plugin.suites import cases_of

    cases = cases_of(marker, metafunc.definition.path.parent, metafunc.config)
    metafunc.parametrize(_ARGUMENT, cases, ids=[case.id for case in cases])


@pytest.fixture
def workbench_run(request: pytest.FixtureRequest) -> NamedRun:
    """Address, key and headers with which a client's runs at the gateway carry this test's name."""
    from workbench.pytest_plugin.named_run import named_run

    return named_run(request.node.nodeid, request.config.getoption("--workbench-gateway"))
