"""The contract of the cohere family, from its data files; its calls as tags: what is written can be read, results say whose they are."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import contract
from tests.kit.timing import growth
from tests.kit.whole_reading import told
from workbench.core.calls import ParsedCall
from workbench.core.tools import ToolResult
from workbench.formats import get_format
from workbench.formats.families.cohere import result_xml
from workbench.formats.sanitize import sanitize

TestFamily = contract("command_a", "command_r", "cohere_xml")
SPEC = get_format("cohere_xml")


def made(**arguments: object) -> ParsedCall:
    text = '<cofl:tool_calls><cofl:tool_call id="0" name="f"></cofl:tool_call></cofl:tool_calls>'
    (call,) = SPEC.parse(text, None).calls
    return call._replace(arguments=arguments)


@pytest.mark.parametrize(
    "text", ["plain", "a < b & c > d", 'say "hi"', "&lt; as it is", "</cofl:tool_param>", "two\nlines", "&copy=1"]
)
def test_text_comes_back_as_it_was_written(text: str) -> None:
    arguments = {"text": text, "list": [text, 1], "flag": True}
    written = SPEC.render_call(made(**arguments))
    assert [one[1] for one in told("cohere_xml", written, declared=False).calls] == [arguments]


def test_a_result_bears_its_calls_id_and_whether_it_failed() -> None:
    call = made()._replace(id="7")
    good, bad = result_xml(call, ToolResult(True, "22")), result_xml(call, ToolResult(False, error="no"))
    assert good.startswith(
        '<cofl:tool_results><cofl:tool_result id="7" is_error="false"><cofl:tool_result_item index="0">{'
    )
    assert 'is_error="true"' in bad
    read = told("cohere_xml", f"{SPEC.render_call(call)}{good} It rains.", declared=False)
    assert (len(read.calls), read.text) == (1, "")  # what stands behind an invented result is not the model's answer


@pytest.mark.parametrize(
    "left",
    [
        '<cofl:tool_param name="city" string="true">Rome</cofl:tool_param>',
        '<cofl:value name="city" type="raw">Rome</cofl:value>',
        '<cofl:value name="o" type="dict"><cofl:value name="city" type="raw">Rome</cofl:value></cofl:value>',
    ],
)
def test_values_that_are_left_over_are_told_and_shown_to_nobody(left: str) -> None:
    assert [problem[0] for problem in told("cohere_xml", f"Hi {left} there").problems] == ["unread_call"]
    assert sanitize(f"Hi {left} there") == "Hi there"


def test_many_nested_values_without_their_end_cost_no_more_than_their_length() -> None:
    def read(count: int) -> None:
        values = '<cofl:value name="a" type="raw">x' * count
        call = f'<cofl:tool_call id="0" name="f">{values}</cofl:value></cofl:tool_call>'
        assert len(SPEC.parse(f"<cofl:tool_calls>{call}</cofl:tool_calls>", None).calls) == 1

    assert growth(read, 500) < 10
