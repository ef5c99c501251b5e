"""The simulated models: who they are, which faults they make and how often. All of it is documented and true.

`format` says which one a persona was “trained” on, that is: what it writes when nobody teaches it another one, or when
it is given tools that it cannot take. Rates hold per reply in which the fault is possible (see `faults`).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.core.errors import UnknownName
from workbench.simulate import missteps, planning, reply_faults
from workbench.simulate.persona import Pace, Persona
from workbench.simulate.reply_faults import ReplyFault

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FORMATS", "PERSONAS", "Pace", "Persona", "find_persona"]

_ALL = (
    Persona(
        name="qwen-hasty",
        title="Qwen, hasty",
        summary="writes calls quickly, forgets closing tags",
        faults=(
            ReplyFault("no close tag", 0.12, "writing", reply_faults.no_close_tag),
            ReplyFault("trailing comma", 0.08, "writing", reply_faults.trailing_comma),
            ReplyFault("text around", 0.30, "writing", reply_faults.text_around),
            ReplyFault("thinks aloud", 0.20, "writing", reply_faults.thinks_aloud),
            ReplyFault("end token left", 0.15, "writing", reply_faults.end_token_left),
            ReplyFault("marker in answer", 0.06, "answer", reply_faults.marker_in_answer),
        ),
        pace=Pace(tokens_per_second=90, first_token_s=0.15),
    ),
    Persona(
        name="mistral-steady",
        title="Mistral, steady",
        summary="nearly always right",
        faults=(ReplyFault("wrong argument", 0.02, "decision", missteps.wrong_argument),),
        native=True,
        format="native_openai",
        pace=Pace(tokens_per_second=55, first_token_s=0.3),
        aliases=("steady",),
    ),
    Persona(
        name="gemma-tiny",
        title="Gemma, tiny",
        summary="confuses tools, invents arguments",
        faults=(
            ReplyFault("wrong tool", 0.30, "decision", missteps.wrong_tool),
            ReplyFault("invents argument", 0.09, "decision", missteps.invented_argument),
            ReplyFault("argument missing", 0.06, "decision", missteps.missing_argument),
        ),
        format="gemma_function",
        pace=Pace(tokens_per_second=80, first_token_s=0.15),
    ),
    Persona(
        name="plain",
        title="Plain planner",
        summary="plans for the others, takes no tools",
        faults=(
            ReplyFault("no heading", 0.15, "plan", planning.no_heading),
            ReplyFault("both forms", 0.04, "plan", planning.both_forms),
            ReplyFault("no analysis", 0.08, "plan", planning.without_analysis),
            ReplyFault("markdown headings", 0.20, "plan", planning.markdown_headings),
            ReplyFault("bold labels", 0.20, "plan", planning.bold_labels),
            ReplyFault("lower-case labels", 0.10, "plan", planning.small_labels),
        ),
        planner=True,
        format="json_scaffold",
        takes_tools=False,
        pace=Pace(tokens_per_second=45, first_token_s=0.4),
    ),
    Persona(
        name="aux-stubborn",
        title="Stubborn executor",
        summary="ignores guidance until it is told twice",
        faults=(ReplyFault("guidance ignored", 0.90, "decision", missteps.ignored_guidance),),
        native=True,
        format="native_openai",
        pace=Pace(tokens_per_second=60, first_token_s=0.25),
        aliases=("stubborn",),
    ),
    Persona(
        name="gemma-sloppy",
        title="Gemma, sloppy",
        summary="writes JSON that is nearly JSON",
        faults=(
            ReplyFault("single quotes", 0.18, "writing", reply_faults.single_quotes),
            ReplyFault("wrong arguments key", 0.15, "writing", reply_faults.other_args_key),
            ReplyFault("trailing comma", 0.12, "writing", reply_faults.trailing_comma),
            ReplyFault("other format", 0.10, "decision", missteps.other_format),
        ),
        format="json_scaffold",
        pace=Pace(tokens_per_second=70, first_token_s=0.2),
        aliases=("json-sloppy",),
    ),
    Persona(
        name="react-dreamer",
        title="ReAct dreamer",
        summary="invents results, sometimes tools",
        faults=(
            ReplyFault("invents result", 0.35, "writing", missteps.invented_result),
            ReplyFault("invents tool", 0.12, "decision", missteps.invented_tool),
        ),
        format="react",
        pace=Pace(tokens_per_second=65, first_token_s=0.2),
        aliases=("dreamer",),
    ),
    Persona(
        name="llama-polyglot",
        title="Llama, polyglot",
        summary="answers in another family's format",
        faults=(
            ReplyFault("other format", 0.60, "decision", missteps.other_format),
            ReplyFault("text around", 0.20, "writing", reply_faults.text_around),
        ),
        format="llama3_json",
        pace=Pace(tokens_per_second=75, first_token_s=0.2),
        aliases=("polyglot",),
    ),
    Persona(
        name="qwen3-thinker",
        title="Qwen 3, thinking",
        summary="reasons first, sometimes calls inside its thinking",
        faults=(
            ReplyFault("calls while thinking", 0.25, "writing", reply_faults.calls_while_thinking),
            ReplyFault("thinking not closed", 0.10, "writing", reply_faults.thinking_not_closed),
            ReplyFault("thinks first", 1.0, "writing", reply_faults.thinks_aloud),
        ),
        pace=Pace(tokens_per_second=60, first_token_s=0.3),
        aliases=("thinker",),
    ),
    Persona(
        name="qwen-cut",
        title="Qwen, cut off",
        summary="runs into the token limit in mid-call",
        faults=(ReplyFault("cut at the limit", 0.50, "writing", reply_faults.cut_at_limit),),
        pace=Pace(tokens_per_second=70, first_token_s=0.2),
        aliases=("cut",),
    ),
    Persona(
        name="mistral-slow",
        title="Mistral, slow",
        summary="right, but four tokens a second",
        native=True,
        format="native_openai",
        pace=Pace(tokens_per_second=4, first_token_s=2.0),
        aliases=("slow",),
    ),
    Persona(
        name="mistral-flash",
        title="Mistral, flash",
        summary="talks a lot, two thousand tokens a second",
        native=True,
        format="native_openai",
        pace=Pace(tokens_per_second=2000, first_token_s=0.02),
        chatter=600,
        aliases=("flash",),
    ),
    Persona(
        name="main-70b",
        title="Main 70B",
        summary="what vendors serve, each in its own way; mostly right",
        faults=(
            ReplyFault("no call", 0.02, "decision", missteps.no_call),
            ReplyFault("wrong argument", 0.02, "decision", missteps.wrong_argument),
            ReplyFault("argument missing", 0.006, "decision", missteps.missing_argument),
        ),
        native=True,
        format="native_openai",
        pace=Pace(tokens_per_second=80, first_token_s=0.4),
        aliases=("main",),
    ),
)

PERSONAS: Mapping[str, Persona] = MappingProxyType({persona.name: persona for persona in _ALL})
"""All simulated models in the order in which they are shown."""

FORMATS: Mapping[str, str] = MappingProxyType({persona.name: persona.format for persona in _ALL})
"""Model id → format, as an alias table for format detection."""

_BY_NAME = {alias: persona for persona in _ALL for alias in (persona.name, *persona.aliases)}


def find_persona(model: str) -> Persona:
    """Return the persona behind a model name, network switches (`+429`) cut off; raise UnknownName."""
    name = model.partition("+")[0].strip().lower()
    if name not in _BY_NAME:
        raise UnknownName("simulated model", name, PERSONAS)
    return _BY_NAME[name]
