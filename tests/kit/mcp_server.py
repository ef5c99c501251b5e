"""An MCP server by stdio without any library, to be run as a script: well behaved, or with one bad habit.

python mcp_server.py HABIT
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

TOOLS = [
    {
        "name": "echo",
        "description": "Echo.",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    },
    {"name": "picture", "description": "A picture.", "inputSchema": {"type": "object"}},
    {"name": "fail", "description": "Fails.", "inputSchema": {"type": "object"}},
    {"name": "key", "description": "Tells its key.", "inputSchema": {"type": "object"}},
]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def call(name: str, arguments: dict[str, Any], habit: str) -> dict[str, Any]:
    match habit:
        case "dies":
            sys.stderr.write("going down\n")
            sys.stderr.flush()
            os._exit(3)
        case "hangs":
            time.sleep(600)
        case "closes":
            os.close(1)
            time.sleep(600)
        case "floods":
            while True:
                os.write(1, b"x" * 1_000_000)
        case "chatters":
            for number in range(20_000):
                send({"method": "notifications/message", "params": {"level": "info", "data": number}})
        case "changes":
            TOOLS[0] = {**TOOLS[0], "description": "Echo, louder."}
            send({"method": "notifications/tools/list_changed"})
            time.sleep(0.2)
        case "babbles":
            print("this is no JSON-RPC")
            sys.stdout.flush()
        case "wrong":
            return {"content": "not a list"}
    if name == "picture":
        return {"content": [{"type": "image", "data": PIXEL, "mimeType": "image/png"}]}
    if name == "fail":
        return {"content": [{"type": "text", "text": "no such thing"}], "isError": True}
    if name == "key":
        return {"content": [{"type": "text", "text": f"key {os.environ.get('SERVER_KEY')}"}]}
    text = str(arguments.get("text", ""))
    return {"content": [{"type": "text", "text": text}], "structuredContent": {"said": text}}


def answer(message: dict[str, Any], habit: str) -> dict[str, Any]:
    match message["method"]:
        case "initialize":
            if habit == "mute":
                os.close(1)
            if habit in ("silent", "mute"):
                time.sleep(600)
            info = {"name": "odd", "version": "1"}
            version = message["params"]["protocolVersion"]
            return {"protocolVersion": version, "capabilities": {"tools": {"listChanged": True}}, "serverInfo": info}
        case "tools/list":
            return {"tools": TOOLS}
        case "tools/call":
            return call(message["params"]["name"], message["params"].get("arguments") or {}, habit)
    return {}


def main() -> None:
    habit = sys.argv[1] if len(sys.argv) > 1 else ""
    if habit == "children":
        subprocess.Popen(["sleep", "4712"], start_new_session=True)
    if habit == "absent":
        sys.exit("cannot start: no licence")
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            send({"id": message["id"], "result": answer(message, habit)})


if __name__ == "__main__":
    main()
