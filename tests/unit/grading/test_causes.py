from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, target
from workbench.core.batch import Batch
from workbench.core.variations import READ_HERE, STRICT
from workbench.core.verdict import Verdict
from workbench.grading.causes import GRAMMAR, MODEL, PARSER, PARSER_ALONE, Causes, causes, causes_line
from workbench.grading.sensitivity import sensitivities

PLAIN = target("served")
WAYS = (PLAIN, replace(PLAIN, format="text"), replace(PLAIN, variation=STRICT))


def asked(*words: str, targets: tuple[object, ...] = WAYS, code: str = "", native: bool = True) -> Causes:
    """Thirty cases, each way with the same letters in all of them."""
    made = batch({f"c{at}": [word * 8 for word in words] for at in range(30)}, targets=targets)  # type: ignore[arg-type]
    made = _coded(made, code, native=native)
    (found,) = causes(made, sensitivities(made))
    return found


def _coded(made: Batch, code: str, *, native: bool) -> Batch:
    items = []
    for item in made.items:
        sample = replace(item.sample, format="native_openai" if native else "qwen_xml")
        result = item.result
        if code and result is not None and result.verdict.state.value == "fail":
            result = replace(result, verdict=Verdict(result.verdict.state, result.verdict.basis, "", (code,)))
        items.append(replace(item, sample=sample, result=result))
    return replace(made, items=tuple(items))


def test_a_way_that_is_shown_to_be_better_names_what_it_leaves_out() -> None:
    found = asked("sff", "sss", "sff")

    assert found.blamed == (PARSER,)
    assert "As text, read here: better, +67 points (" in found.told
    assert "Held to the schemas by the server: same, 0 points" in found.told
    assert found.told.endswith(f"So it is {PARSER}.")
    assert asked("sff", "sff", "sss").blamed == (GRAMMAR,)


def test_where_no_way_helps_it_is_the_model() -> None:
    found = asked("sff", "sff", "sff")

    assert found.blamed == (MODEL,)
    assert causes_line(found, "A").startswith("A: is it the model, the grammar or the parser? As text, read here: same")


def test_calls_that_the_server_left_in_the_text_are_counted() -> None:
    made = batch({"a": ["sf", "ss", "sf"], "b": ["fs", "ss", "ss"]}, targets=WAYS)
    made = _coded(made, "parse.wrong_family", native=True)
    (found,) = causes(made, sensitivities(made))

    assert found.blamed == ()
    assert (
        f"In 2 of its 2 failed runs the call stands in the text, unread by the server: {PARSER}, by count" in found.told
    )
    assert "would decide" in found.told
    assert found.told.endswith("The rest cannot be told from these runs.")
    assert "unread" not in asked("sff", "sss", "sff", code="parse.wrong_family", native=False).told
    assert "unread" not in asked("sff", "sss", "sff", code="decision.no_call").told


def test_one_way_alone_says_which_is_missing() -> None:
    assert asked("sff", "sff", targets=WAYS[:2]).told.endswith(f"The other way, {STRICT}, was not asked.")
    other = batch({"a": ["s", "f"]}, targets=(PLAIN, replace(PLAIN, variation="tools=renamed")))
    assert causes(other, sensitivities(other)) == ()


def test_the_same_prompt_read_here_tells_the_parser_from_the_template() -> None:
    here = replace(PLAIN, variation=READ_HERE)
    found = asked("sff", "sss", "sss", targets=(PLAIN, here, WAYS[1]))
    assert found.blamed == (PARSER_ALONE,)
    assert "The same prompt, read here: better, +67 points (" in found.told
    assert asked("sff", "sff", "sss", targets=(PLAIN, here, WAYS[1])).blamed == (PARSER,)
    assert asked("sff", "sff", "sff", targets=(PLAIN, here, WAYS[2])).blamed == (MODEL,)
    assert asked("sff", "sff", targets=(PLAIN, here)).told.endswith(f"The other way, {STRICT}, was not asked.")
    alone = asked("sff", "sff", targets=(PLAIN, WAYS[2])).told
    assert alone.endswith(f"The other way, {READ_HERE} or format=text, was not asked.")
