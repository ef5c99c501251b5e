from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from workbench.core.errors import InvalidInput, ToolError
from workbench.core.exchange import WireRequest
from workbench.core.tools import NOWHERE, ToolResult
from workbench.tools.openapi import OpenApiTools, operation_request, read_openapi, setups_from_openapi

DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://{region}.shop.example/v1", "variables": {"region": {"default": "eu"}}}],
    "security": [{"token": []}],
    "components": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}, "k": {"type": "apiKey", "in": "query", "name": "k"}},
        "parameters": {"Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}, "description": "Which."}},
        "schemas": {
            "Order": {
                "type": "object",
                "required": ["lines"],
                "properties": {
                    "id": {"type": "string", "nullable": True, "example": "x"},
                    "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
                },
            },
            "Line": {"type": "object", "properties": {"parent": {"$ref": "#/components/schemas/Line"}, "n": {"type": "integer"}}},
        },
    },
    "paths": {
        "/orders/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {
                "operationId": "getOrder",
                "summary": "One order.",
                "parameters": [{"name": "fields", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}],
            },
            "put": {
                "operationId": "put order!",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}},
            },
        },
        "/lines": {
            "post": {
                "security": [{"k": []}],
                "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "array"}}}},
            }
        },
    },
}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "shop.yaml").write_text(yaml.safe_dump(DOCUMENT, sort_keys=False))
    return tmp_path / "shop.yaml"


def test_each_operation_is_a_tool(path: Path) -> None:
    base, operations = read_openapi(path)
    assert base == "https://eu.shop.example/v1"
    get, put, post = operations
    assert (get.name, put.name, post.name) == ("getOrder", "put_order", "post__lines")
    assert get.spec.parameters == {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Which."},
            "fields": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["id"],
    }
    assert set(put.spec.properties) == {"id", "body_id", "lines"}
    assert put.spec.properties["body_id"] == {"type": ["string", "null"]}
    assert post.spec.required == ("body",)


def test_recursive_schema_terminates(path: Path) -> None:
    put = read_openapi(path)[1][1]
    assert len(json.dumps(put.spec.parameters)) < 5000


def test_requests_carry_arguments_in_their_places(path: Path) -> None:
    base, (get, put, post) = read_openapi(path)
    sent = operation_request(base, get, {"id": "../admin?x", "fields": ["a", "b"]}, "sk")
    assert sent.url == "https://eu.shop.example/v1/orders/%2E%2E%2Fadmin%3Fx?fields=a&fields=b"
    assert ("authorization", "Bearer sk") in sent.headers
    assert json.loads(operation_request(base, put, {"id": "1", "body_id": "2"}).body) == {"id": "2"}
    sent = operation_request(base, post, {"body": [1]}, "sk")
    assert (sent.method, sent.url, sent.body) == ("POST", "https://eu.shop.example/v1/lines?k=sk", b"[1]")
    with pytest.raises(ToolError, match="missing"):
        operation_request(base, get, {})


def execute(path: Path, status: int, body: bytes) -> ToolResult:
    async def fetch(request: WireRequest) -> tuple[int, bytes]:
        return status, body

    setup = setups_from_openapi(path)[0]
    return asyncio.run(OpenApiTools(fetch).execute(setup, {"id": "1"}, NOWHERE))


def test_answers_become_results(path: Path) -> None:
    assert execute(path, 200, b'{"total": 3}').result == {"total": 3}
    assert execute(path, 200, b"plain").result == "plain"
    failed = execute(path, 404, b'{"why": "none"}')
    assert (failed.success, failed.result, failed.error) == (
        False,
        {"why": "none"},
        "The server answered with status 404.",
    )


@pytest.mark.parametrize("text", ["", "openapi: 2.0", "{", "openapi: 3.0.0\npaths: {}"])
def test_non_openapi_files_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(InvalidInput):
        read_openapi(tmp_path / "x.yaml")
