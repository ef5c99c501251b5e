from __future__ import annotations

import random

from workbench.simulate.situation import SeenResult
from workbench.simulate.wording import from_memory, from_results, quote


def test_an_answer_quotes_the_result() -> None:
    answer = from_results("weather in Rome", [SeenResult("get_weather", "22 °C", failed=False)], random.Random(1))
    assert "get_weather says: 22 °C" in answer


def test_a_failure_is_told() -> None:
    answer = from_results("read it", [SeenResult("read_file", "no such file", failed=True)], random.Random(1))
    assert "read_file failed: no such file" in answer


def test_several_results_are_listed() -> None:
    results = [SeenResult("a", "1", failed=False), SeenResult("", "2", failed=False)]
    assert from_results("x", results, random.Random(1)).endswith("- a says: 1\n- The tool says: 2")


def test_relevant_result_line_is_quoted() -> None:
    text = "[server]\nport = 1\n[database]\nurl = staging\n"
    assert quote(text, "Which database?") == "[database]"
    assert quote("a\nb", "zzz") == "a; b"


def test_long_and_structured_results_are_shortened() -> None:
    assert len(quote("x" * 1000, "x")) == 240
    assert quote('{"temp": 22, "sky": "clear"}', "") == "temp: 22, sky: clear"
    assert quote('["a", 1]', "") == "a, 1"
    assert quote("", "") == "(nothing)"


def test_answer_without_tools_is_marked_simulated() -> None:
    assert all("simulated" in from_memory("Hello", random.Random(seed)) for seed in range(8))


def test_an_answer_is_in_the_language_that_is_asked_for() -> None:
    assert from_memory("Why does bread rise? Answer in Greek.", random.Random(1)).startswith("Αυτό")
    assert "tool" in from_memory("Why does bread rise? Answer in Klingon.", random.Random(1))
