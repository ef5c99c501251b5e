"""Requests as code and other programs write them."""

from __future__ import annotations

import json

import pytest

from tests.kit.scanning import TOOL
from workbench.app.pasted_asks import asked_in_code
from workbench.app.pasted_snippets import snippet_in

MESSAGES = [{"role": "user", "content": "Weather in Rome?"}]
BODY = {"model": "m-7b", "messages": MESSAGES, "tools": [TOOL]}
AS_JSON = json.dumps(BODY)
URL = "http://127.0.0.1:8000/v1/chat/completions"


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("JavaScript", f"fetch('{URL}', {{method: 'POST', body: JSON.stringify({{model: 'm-7b', messages: {MESSAGES}, tools: [{AS_JSON[AS_JSON.index('[{', 60) + 1:-2]}],}})}})"),
        ("JavaScript", f'fetch("{URL}", {{"headers": {{"a": "b"}}, "body": {json.dumps(AS_JSON)}, "method": "POST"}});'),
        ("JavaScript", f"const messages = {MESSAGES};\nconst tools = {[TOOL]};\nnew OpenAI({{baseURL: 'http://127.0.0.1:8000/v1'}}).chat.completions.create({{model: 'm-7b', messages, tools: tools}})"),
        ("Python", f"tools = {[TOOL]!r}\nOpenAI(base_url='http://127.0.0.1:8000/v1').chat.completions.create(model='m-7b', messages={MESSAGES!r}, tools=tools)"),
        ("Python", f">>> payload = {BODY!r}\n>>> requests.post('{URL}', data=json.dumps(payload), headers={{'Authorization': f'Bearer {{key}}'}})"),
        ("Python", f"async with httpx.AsyncClient() as client:\n    await client.post('{URL}', json={BODY!r})"),
        ("PowerShell", f"$body = @'\n{json.dumps(BODY, indent=2)}\n'@\nInvoke-RestMethod -Uri {URL} -Method Post -Body $body"),
        ("PowerShell", f"Invoke-WebRequest -Uri '{URL}' -Method POST -Body '{AS_JSON}'"),
        ("HTTPie", f"http POST {URL} model=m-7b messages:='{json.dumps(MESSAGES)}' tools:='{json.dumps([TOOL])}'"),
        ("HTTPie", f"echo '{AS_JSON}' | http POST {URL}"),
        ("a .http file", f"### ask\nPOST {URL}\nContent-Type: application/json\n\n{AS_JSON}\n"),
        ("wget", f"wget --header='A: b' --post-data '{AS_JSON}' -O - {URL}"),
        ("Postman", json.dumps({"item": [{"request": {"body": {"mode": "raw", "raw": AS_JSON}, "url": {"raw": URL}}}]})),
    ],
)  # fmt: skip
def test_code_is_read_as_the_request_that_it_sends(program: str, text: str) -> None:
    found = asked_in_code(text)
    assert found is not None
    assert found.request is not None
    assert (found.program, found.address, found.wire) == (program, "http://127.0.0.1:8000/v1", "openai_chat")
    assert (found.request.model, len(found.request.messages)) == ("m-7b", 1)
    assert [tool.name for tool in found.request.tools] == ["get_weather"]


def test_hash_tables_of_powershell_are_json() -> None:
    text = f'$b = @{{\n  model = "m-7b"\n  messages = @(@{{ role = "user"; content = "Rome?" }})\n  stream = $false\n}}\nirm {URL} -Body $b'
    found = asked_in_code(text)
    assert found is not None
    assert found.request is not None
    assert found.request.messages[0].text == "Rome?"


def test_a_method_names_the_protocol() -> None:
    found = asked_in_code(
        "client.messages.create(model='m', max_tokens=9, messages=[{'role': 'user', 'content': 'Rome?'}])"
    )
    assert found is not None
    assert (found.wire, found.address) == ("anthropic_messages", "")


def test_a_body_that_is_made_elsewhere_leaves_the_address() -> None:
    found = asked_in_code(f"fetch('{URL}', {{method: 'POST', body: JSON.stringify(payload)}})")
    assert found is not None
    assert (found.request, found.address, found.program) == (None, "http://127.0.0.1:8000/v1", "JavaScript")


def test_further_requests_are_told() -> None:
    found = asked_in_code(f"POST {URL}\n\n{AS_JSON}\n\n###\nPOST {URL}\n\n{AS_JSON}\n")
    assert found is not None
    assert "1 further request of the text" in found.left_out


@pytest.mark.parametrize(
    "text",
    [
        "", "lorem ipsum dolor", "You can use the SDK:\n```python\nclient.chat.completions.create(model='m', messages=[])\n```",
        "fetch('https://example.org/page')", "def create(x):\n    return x.create(1)", "http is a protocol",
    ],
)  # fmt: skip
def test_other_text_is_none(text: str) -> None:
    assert asked_in_code(text) is None


def test_nothing_is_executed() -> None:
    assert snippet_in("client.create(messages=[__import__('os').abort()], model='m')") is not None
