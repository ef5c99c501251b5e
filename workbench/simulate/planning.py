"""How a persona plans: the reply to a boost wrapper, its styles and its faults."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from workbench.simulate.choose import plan
from workbench.simulate.wording import from_memory, from_results

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from workbench.simulate.choose import SimulatedStep
    from workbench.simulate.reply_draft import ReplyDraft
    from workbench.simulate.situation import Wrapper

_NO_CALL = re.compile(r"\b(?:no|any) (?:tool|call)|guidance (?:was )?ignored|called nothing", re.IGNORECASE)
_LABEL = re.compile(r"^(SUMMARY|ANALYSIS|GUIDANCE):", re.MULTILINE)


def write_plan(wrapper: Wrapper, rng: random.Random) -> str:
    """Return a reply in the wrapper's own form: SUMMARY where no tool fits or all were called, else ANALYSIS and GUIDANCE."""
    steps = () if wrapper.choice == "none" else plan(wrapper.request, wrapper.tools)[len(wrapper.results) :]
    if not steps and wrapper.results:
        return f"SUMMARY:\n{from_results(wrapper.request, wrapper.results, rng)}"
    if not steps:
        return f"SUMMARY:\n{from_memory(wrapper.request, rng)}"
    return f"ANALYSIS:\n{_analysis(wrapper, steps, rng)}\n\nGUIDANCE:\n{_guidance(wrapper, steps)}"


def _analysis(wrapper: Wrapper, steps: tuple[SimulatedStep, ...], rng: random.Random) -> str:
    names = " and ".join(dict.fromkeys(step.tool.name for step in steps))
    opening = rng.choice((
        f"The request cannot be answered without {names}.",
        f"What is asked for is known only after {names}.",
        f"The user wants facts that {names} can give.",
    ))  # fmt: skip
    return f"{opening} The earlier attempt made no call, so it must be said plainly." if _idle(wrapper) else opening


def _guidance(wrapper: Wrapper, steps: tuple[SimulatedStep, ...]) -> str:
    lines = []
    for number, step in enumerate(steps, 1):
        given = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in step.arguments.items())
        lines.append(f"{number}. {step.tool.name} {given}".rstrip())
    if _idle(wrapper):
        lines.append("This time make the calls themselves; do not answer in words before the results are there.")
    return "\n".join(lines)


def _idle(wrapper: Wrapper) -> bool:
    """An earlier attempt failed because no tool was called."""
    return bool(_NO_CALL.search(wrapper.attempts))


def no_heading(draft: ReplyDraft, rng: random.Random) -> bool:
    """Answer without any of the labels."""
    wrapper = draft.situation.wrapper
    steps = plan(wrapper.request, wrapper.tools) if wrapper else ()
    names = " and then ".join(dict.fromkeys(step.tool.name for step in steps)) or "nothing special"
    draft.answer = rng.choice((
        f"Sure, I can help with that! I would use {names}.",
        f"Good question. The way to go here is {names}, then the answer is clear.",
    ))  # fmt: skip
    return True


def both_forms(draft: ReplyDraft, _: random.Random) -> bool:
    """Give guidance and a summary at once."""
    if "GUIDANCE:" not in draft.answer:
        return False
    draft.answer += "\n\nSUMMARY:\nThe tools will show what is asked for."
    return True


def without_analysis(draft: ReplyDraft, _: random.Random) -> bool:
    """Leave ANALYSIS out."""
    text = re.sub(r"\AANALYSIS:.*?(?=^GUIDANCE:)", "", draft.answer, flags=re.DOTALL | re.MULTILINE)
    changed, draft.answer = text != draft.answer, text
    return changed


def markdown_headings(draft: ReplyDraft, _: random.Random) -> bool:
    """Write the labels as headings without a colon."""
    return _restyle(draft, lambda label: f"## {label}")


def bold_labels(draft: ReplyDraft, _: random.Random) -> bool:
    """Write the labels in bold."""
    return _restyle(draft, lambda label: f"**{label}:**")


def small_labels(draft: ReplyDraft, _: random.Random) -> bool:
    """Write the labels in lower case."""
    return _restyle(draft, lambda label: f"{label.capitalize()}:")


def _restyle(draft: ReplyDraft, style: Callable[[str], str]) -> bool:
    text = _LABEL.sub(lambda match: style(match[1]), draft.answer)
    changed, draft.answer = text != draft.answer, text
    return changed
