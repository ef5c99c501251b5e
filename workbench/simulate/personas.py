"""The simulated models: who they are, which faults they make and how often. All of it is documented and true.

Names are chosen so that a model's name leads to a fitting format; `format` says which one a persona was “trained” on,
that is: what it writes when nobody teaches it another one. Rates hold per reply in which the fault is possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from workbench.core.errors import UnknownName
from workbench.simulate import faults, missteps, planning
from workbench.simulate.faults import Fault


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a persona writes."""

    tokens_per_second: float = 60.0
    """0: as fast as possible."""
    first_token_s: float = 0.25
    tokens_per_delta: int = 1


@dataclass(frozen=True, slots=True)
class Persona:
    """One simulated model."""

    name: str
    """Its model id."""
    title: str
    summary: str
    """One line for people."""
    faults: tuple[Fault, ...] = ()
    planner: bool = False
    """Meant to plan in boost mode."""
    native: bool = False
    """Takes the `tools` field and answers with structured calls."""
    format: str = "qwen_xml"
    """Text format it falls into by itself; `native_openai` for those that take tools."""
    takes_tools: bool = True
    """False: refuses the `tools` field with status 400."""
    pace: Pace = Pace()
    token_limit: int | None = None
    """Cuts its own replies here, whatever the request allows."""
    aliases: tuple[str, ...] = ()
    wire: str = "openai_chat"

    @property
    def rates(self) -> Mapping[str, float]:
        """The true rate of each fault, by its label, the most telling first."""
        return MappingProxyType({fault.label: fault.rate for fault in self.faults})


_ALL = (
    Persona(
        name="qwen-hasty",
        title="Qwen, hasty",
        summary="writes calls quickly, forgets closing tags",
        faults=(
            Fault("no close tag", 0.12, "writing", faults.no_close_tag),
            Fault("trailing comma", 0.08, "writing", faults.trailing_comma),
            Fault("text around", 0.30, "writing", faults.text_around),
            Fault("thinks aloud", 0.20, "writing", faults.thinks_aloud),
            Fault("end token left", 0.15, "writing", faults.end_token_left),
            Fault("marker in answer", 0.06, "answer", faults.marker_in_answer),
        ),
        pace=Pace(tokens_per_second=90, first_token_s=0.15),
    ),
    Persona(
        name="mistral-steady",
        title="Mistral, steady",
        summary="nearly always right",
        faults=(Fault("wrong argument", 0.02, "decision", missteps.wrong_argument),),
        native=True,
        format="native_openai",
        pace=Pace(tokens_per_second=55, first_token_s=0.3),
        aliases=("steady",),
    ),
    Persona(
        name="gemma-sloppy",
        title="Gemma, sloppy",
        summary="writes JSON that is nearly JSON",
        faults=(
            Fault("single quotes", 0.18, "writing", faults.single_quotes),
            Fault("wrong arguments key", 0.15, "writing", faults.other_args_key),
            Fault("trailing comma", 0.12, "writing", faults.trailing_comma),
            Fault("other format", 0.10, "decision", missteps.other_format),
        ),
        format="json_scaffold",
        pace=Pace(tokens_per_second=70, first_token_s=0.2),
        aliases=("json-sloppy",),
    ),
    Persona(
        name="plain",
        title="Plain planner",
        summary="plans for the others, takes no tools",
        faults=(
            Fault("no heading", 0.15, "plan", planning.no_heading),
            Fault("both forms", 0.04, "plan", planning.both_forms),
            Fault("no analysis", 0.08, "plan", planning.without_analysis),
            Fault("markdown headings", 0.20, "plan", planning.markdown_headings),
            Fault("bold labels", 0.20, "plan", planning.bold_labels),
            Fault("lower-case labels", 0.10, "plan", planning.small_labels),
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
        faults=(Fault("guidance ignored", 0.90, "decision", missteps.ignored_guidance),),
        native=True,
        format="native_openai",
        pace=Pace(tokens_per_second=60, first_token_s=0.25),
        aliases=("stubborn",),
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
