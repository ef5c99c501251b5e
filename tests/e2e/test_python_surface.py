"""What other people's programs rely on: the names of the format library, in an interpreter that knows nothing else."""

from __future__ import annotations

import subprocess
import sys

from tests.kit.waiting import LIMIT_S

PROGRAM = """
from workbench.formats import get_format, list_formats
from workbench.formats.sanitize import sanitize

tools = [{"type": "function", "function": {"name": "find_tree", "parameters": {"type": "object",
          "properties": {"street": {"type": "string"}}, "required": ["street"]}}}]
text = 'Let me see. <tool_call>{"name": "find_tree", "arguments": {"street": "Elm Row",}}</tool_call> Done.'

fmt = get_format("qwen_xml")
parser = fmt.parser(tools)
events = [event for piece in text for event in parser.feed(piece)]
half = parser.result()
events += parser.finish()
result = fmt.parse(text, tools)
assert events and parser.result() == result, (half, result)

(call,) = result.calls
assert (call.name, call.arguments, call.id) == ("find_tree", {"street": "Elm Row"}, "call_1")
assert (call.outcome, call.repairs) == ("recovered", ("trailing_comma",))
assert text[slice(*call.span[:2])].startswith("<tool_call>") and text[slice(*call.span[:2])].endswith("</tool_call>")
assert (result.text, result.reasoning, result.problems) == ("Let me see. Done.", "", ()), result
assert fmt.parse(text, []).problems[0].code == "unknown_tool"
assert fmt.parse(text).calls and fmt.parse(text, None).calls

assert '"find_tree"' in fmt.prompt(tools) and isinstance(fmt.stop_sequences, tuple)
assert "an oak" in fmt.render_result(call, {"success": True, "result": "an oak", "error": None})
assert fmt.parse(fmt.render_call(call), tools).calls[0].arguments == call.arguments
assert sanitize(text) == "Let me see. Done.", sanitize(text)
assert [item.id for item in list_formats()][:1] == ["native_openai"]

for name in ("no_such_format", "", None):
    try:
        get_format(name)
    except Exception as error:
        assert type(error).__name__ == "UnknownName" and "Known: " in str(error), error
    else:
        raise AssertionError(name)
print("held")
"""


def test_documented_python_names_work() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (done.stdout, done.stderr) == ("held\n", "")
