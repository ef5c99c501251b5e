"""The table of wires is true of the wires."""

from __future__ import annotations

import pytest

from workbench.formats import get_format
from workbench.wires import carries_images, counter_for, get_server, get_wire, server_for, table, wires_offered
from workbench.wires.table import OfferedIn, WireRow


@pytest.mark.parametrize("row", table.WIRES, ids=lambda row: row.id)
def test_wire_row_names_existing_classes(row: WireRow) -> None:
    assert get_wire(row.id).id == row.id
    assert row.title
    assert (OfferedIn.SIMULATOR in row.offered) == bool(row.server) == bool(row.paths)
    if row.server:
        assert get_server(row.id).wire == row.id
        assert all(server_for(path) is get_server(row.id) for path in row.paths)
        assert all(counter_for(path) is get_server(row.id) for path in row.counting)
    if row.native:
        assert get_format(row.native).native


@pytest.mark.parametrize(
    ("path", "wire"),
    [
        ("/v1/chat/completions", "openai_chat"),
        ("/chat/completions/", "openai_chat"),
        ("/v1/messages", "anthropic_messages"),
        ("/completion", "completion"),
        ("/v1/completions", "completion"),
        ("/v1beta/models/m:streamGenerateContent", "gemini_generate"),
        ("/api/chat", "ollama_chat"),
        ("/v1/responses", "openai_responses"),
    ],
)
def test_path_chooses_the_server_side(path: str, wire: str) -> None:
    assert server_for(path) is get_server(wire)


def test_other_paths_have_none() -> None:
    assert server_for("/v1/embeddings") is None
    assert counter_for("/v1/messages") is None
    assert [row.id for row in wires_offered(OfferedIn.SIMULATOR)] == [row.id for row in table.WIRES if row.server]


def test_pictures_go_where_they_can() -> None:
    assert carries_images("openai_chat")
    assert not carries_images("straico")
    assert not carries_images("unheard-of")
    inside = {row.id for row in table.WIRES if row.result_images}
    assert inside == {"anthropic_messages", "openai_responses", "bedrock_converse"}


@pytest.mark.parametrize("served", [True, False])
@pytest.mark.parametrize("wire", ["openai_chat", "anthropic_messages", "ollama_chat", "of_tomorrow"])
def test_a_row_says_what_its_wire_can(wire: str, served: bool) -> None:
    paths = ("/x", "/y") if served else ()
    native = "native_x" if wire != "ollama_chat" else ""
    row = table._row(wire, "Title", "Name", *paths, native=native)
    assert (row.id, row.title, row.client, row.native) == (wire, "Title", f"workbench.wires.{wire}:Name", native)
    assert row.images is bool(native)
    assert row.result_images is (wire in table._IMAGES_INSIDE)
    assert row.strict is (wire in table._STRICT)
    assert row.server == (f"workbench.wires.{wire}_server:NameServer" if served else "")
    assert row.paths == paths
    assert row.counting == (table._COUNTING.get(wire, ()) if served else ())
    assert (OfferedIn.SIMULATOR in row.offered) is served
