"""Literals of all formats, by what they mean."""

from __future__ import annotations

OPENERS = {
    "<tool_call>": "call", "<tool_calls>": "call", "<TOOLCALL>": "call", "<tool-call>": "call", "<ToolCall>": "call",
    "[tool_call]": "call", "[TOOL_CALLS]": "call", "[ARGS]": "call", "<function_call>": "call", "<function=f>": "call",
    '<function name="f">': "call", "<function f>": "call", '<invoke name="f">': "call", "<tools>": "call", "<functions>": "call", "[TOOL_REQUEST]": "call", "[tool request]": "call", "<tool_name>": "call",
    "to=functions.f": "call", "to=functions.f <|channel|>commentary json<|message|>": "call", "<tool_input>": "call",
    "<minimax:tool_call>": "call", "<seed:tool_call>": "call", "<longcat_tool_call>": "call",
    '<steptml:invoke name="f">': "call", "<｜DSML｜function_calls>": "call", '<｜DSML｜invoke name="f">': "call",
    "<|tool_call|>": "call", "<|tool_call>": "call", "<|tool_call_begin|>": "call", "<|tool_call_start|>": "call",
    "<|tool_calls_section_begin|>": "call", "<｜tool▁calls▁begin｜>": "call", "<｜tool▁call▁begin｜>": "call",
    "<｜tool_calls_begin｜>": "call", "<||tool_calls_begin||>": "call", "<‖tool▁calls▁begin‖>": "call",
    "<|tool_call:start|>": "call", "<|tools_prefix|>": "call", "<|START_ACTION|>": "call", "<|action_start|>": "call",
    "<|python_tag|>": "call", "<|python_start|>": "call", "<|function_call|>": "call", "functools[": "call",
    "function call<|role_sep|>": "call", ">>>get_weather\n": "call", "```tool_code": "call",
    "<start_function_call>": "call", '<|open|>call tool="f" index="1"<|sep|>': "call",
    "<|message_model|>f<|content_invoke_tool_json|>": "call", "<call:default_api:f": "call",
    "&lt;tool_call&gt;": "call", "<invoke>": "call",
    "<parameter=city>": "value", '<parameter name="city">': "value", '<param name="city">': "value",
    '<｜DSML｜parameter name="city" string="true">': "value", "<arg_key>": "value", "<longcat_arg_value>": "value",
    '<|open|>argument key="city" type="string"<|sep|>': "value",
    "<tool_response>": "result", "<function_results>": "result", "[TOOL_RESULTS]": "result",
    "<|tool_response|>": "result", "<｜tool▁output▁begin｜>": "result", "<|START_TOOL_RESULT|>": "result",
    "<start_function_response>": "result", "```tool_output": "result",
    "<think>": "think", "<thinking>": "think", "<reasoning>": "think", "<seed:think>": "think", "<mm:think>": "think",
    "[THINK]": "think", "<|START_THINKING|>": "think", "<|inner_prefix|>": "think", "<|channel>thought": "think",
    "<|open|>think<|sep|>": "think",
    "<|channel|>analysis<|message|>": "hidden",
    "<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>": "call",
    "<|channel|>commentary to=python<|message|>": "hidden",
    "<|start_header_id|>": "head",
}  # fmt: skip
CLOSERS = (
    "</tool_call> </tool_calls> </function> </invoke> </parameter> </arg_value> </minimax:tool_call> <tool_call|>"
    " </｜DSML｜function_calls> <|/tool_call|> <|tool_call_end|> <｜tool▁calls▁end｜> <|tools_suffix|> </think> [/THINK]"
    " [/TOOL_RESULTS] <|END_ACTION|> <end_function_call> <|close|>call<|sep|> <channel|> <|eom_id|> <|call|>"
    " &lt;/tool_call&gt; <|end_header_id|> </functions> [END_TOOL_REQUEST]"
).split()
MARKS = (
    "<tool_sep> <escape> <|im_end|> <|im_start|>assistant <start_of_turn>model </s> <|eot|> ]~b]ai ]~!b[ [e~[ [CALL_ID]"
    ' ]<]minimax[>[ <｜end▁of▁sentence｜> <|plugin|> <|"|> <|observation|> <|START_RESPONSE|> <|channel|>final<|message|>'
    " <|open|>response<|sep|> <|open|>tools<|sep|> [TOOL_CONTENT] [EOS] [EOT] [TOOL_CALL:look:x] [INST] <<SYS>> <|end_of_msg|>"
).split()
