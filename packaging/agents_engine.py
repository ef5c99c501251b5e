"""llama.cpp's own server with a model of half a megabyte that calls one tool and then answers: an engine for try_agents.py.

    python packaging/agents_engine.py          prints its address, serves until it is killed

The engine is the real one; the model is too small to read. A grammar gives it the choice between the call and a sentence,
and the template leads it to the one or the other: to the call as long as no result of a tool is there.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ANSWER = "The file was read."
TEMPLATE = """\
{%- set seen = namespace(result=false) -%}
{%- for message in messages -%}
{%- if '<tool_response>\\n{"success"' in (message.content | string) %}{% set seen.result = true %}{% endif -%}
{%- endfor -%}
<|im_start|>user
{{ (messages[-1].content | string)[-400:] }}<|im_end|>
<|im_start|>assistant{{ ':' if seen.result else '\\n' }}"""
"""What the model sees: the end of the last message. After a line break it opens a call, after a colon it does not."""


def grammar(tool: str, arguments: dict[str, Any]) -> str:
    """One call of one tool, or the sentence."""
    call = "<tool_call>\n" + json.dumps({"name": tool, "arguments": arguments}) + "\n</tool_call>"
    return f"root ::= {json.dumps(call)} | {json.dumps(ANSWER)}\n"


def main() -> None:
    """Serve on a free port of this machine."""
    sys.path.insert(0, str(ROOT))
    import xllamacpp

    from tests.kit import tiny_gguf
    from tests.kit.llama_server import free_port

    tiny_gguf.RULES = (*tiny_gguf.RULES, tiny_gguf.Rule(":", ANSWER[0], 9))
    with tempfile.TemporaryDirectory() as name:
        settings = xllamacpp.CommonParams()
        settings.model.path = str(tiny_gguf.write_model(Path(name) / "tiny.gguf"))
        settings.hostnames, settings.port = ["127.0.0.1"], free_port()
        settings.n_ctx, settings.n_parallel, settings.cpuparams.n_threads = 8192, 2, 1
        settings.use_jinja, settings.warmup, settings.offline = True, False, True
        settings.chat_template = TEMPLATE
        server = xllamacpp.Server(settings)
        assert server is not None
        print(f"http://127.0.0.1:{settings.port}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
