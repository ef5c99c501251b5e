"""What the cells of an exchange say: the request, the calls that were read, and what the agent got."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.events import StepRole
from workbench.core.exchange import Ending, ending_of
from workbench.ui.run.cell_words import CellWords
from workbench.ui.run.loop.blocks import Block, BlockRun
from workbench.ui.run.loop.content import ResultLink
from workbench.ui.run.run_words import status_line, step_title, step_tokens
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.gateway.values import ExchangeLine
    from workbench.ui.run.run_view import RunView, StepView

_CALLS = {"anthropic_messages": "tool_use", "openai_responses": "function_call", "gemini_generate": "functionCall"}
_REASONS: dict[str, tuple[str, dict[Ending, str]]] = {
    "anthropic_messages": (
        "stop_reason",
        {Ending.STOP: "end_turn", Ending.CALLS: "tool_use", Ending.LENGTH: "max_tokens", Ending.FILTERED: "refusal"},
    ),
    "openai_responses": ("status", {Ending.STOP: "completed", Ending.CALLS: "completed", Ending.LENGTH: "incomplete"}),
    "gemini_generate": ("finishReason", {Ending.STOP: "STOP", Ending.CALLS: "STOP", Ending.LENGTH: "MAX_TOKENS"}),
}
"""Wire → the field that tells why a reply ended, and its words."""
_LONGEST = 600


class ExchangeWords(CellWords):
    """The words of one exchange."""

    last_title = tr("to the agent")

    def __init__(self, line: ExchangeLine) -> None:
        self.line = line
        """Brought up to date while the exchange goes on."""
        self.by_hand: RunView | None = None
        """What a person gave the agent in place of the model's reply."""

    def title(self, step: StepView) -> str:
        return tr("Request") if step.role is StepRole.EXECUTOR else step_title(step)

    def place(self, step: StepView) -> str:
        return tr(
            "Exchange {number} · {step} {turn}", number=self.line.number, step=self.title(step).lower(), turn=step.turn
        )

    def sent(self, run: RunView, step: StepView, now_us: int, *, narrow: bool) -> Sequence[Block]:
        planner = step.role is StepRole.PLANNER
        icon, tokens = "compass" if planner else "arrow-right", step_tokens(step)
        if narrow:
            blocks = [Block((BlockRun("", "strong"),), icon=icon)]
            return [*blocks, Block((BlockRun(tokens.removesuffix(" tok"), "text3"),), size=11)] if tokens else blocks
        right = BlockRun(tokens, "text3") if tokens else None
        blocks = [Block((BlockRun(self.title(step), "strong"),), icon=icon, right=right)]
        blocks += [Block((BlockRun(words, "text2"),)) for words in self._news(run, step)]
        if words := status_line(step, now_us):
            live = step.state_at(now_us).live
            icon = "spinner" if live else ""
            voice = "accent" if live else "text2"
            blocks.append(Block((BlockRun(words, voice),), icon=icon, icon_voice="accent", spin=live))
        if step.fallback is not None:
            blocks.append(Block((BlockRun(tr("fallback: the planner could not be asked"), "error"),)))
        return blocks

    def _news(self, run: RunView, step: StepView) -> list[str]:
        if step.role is StepRole.PLANNER or step.number:
            return list(step.news)
        line, started = self.line, run.started
        native = started is not None and started.executor.native
        words = [f"+ {counted(line.results, 'tool result')}"] if line.results else []
        if started is not None and started.tools:
            tools = counted(len(started.tools), "tool")
            words.append(f"native, {tools}" if native else f"{tools} as {started.executor.format}")
        else:
            words.append("no tools")
        if line.left_out:
            words.append(f"{len(line.left_out)} left out")
        if line.way == "pass-through":
            words.append("passed through")
        return words

    def parsed(self, run: RunView, step: StepView, now_us: int) -> Sequence[Block]:
        """The calls as a run's own page says them; that a tool was not executed here goes without saying."""
        blocks = [block for block in super().parsed(run, step, now_us) if not _of_result(block)]
        if step is not _last(run) or not self.line.lifted:
            return blocks
        blocks = [block for block in blocks if block.about != "format"]
        for view in step.calls:
            if not view.call.span.source.startswith("call:"):
                words = tr(
                    "lifted out of the text, {format} {outcome}",
                    format=view.call.format,
                    outcome=view.call.outcome.value,
                )
                blocks.append(Block((BlockRun(words, "text3"),), icon="arrow-bend-down-right", icon_voice="text3"))
        lost = tr("Pass-through would have lost it: the agent would have seen no call.")
        return [*blocks, Block((BlockRun(lost, "text2"),), gap=2)]

    def last(self, run: RunView, step: StepView, now_us: int) -> Sequence[Block]:
        """What the agent got of the last step; of the steps before, nothing."""
        live = step.state_at(now_us).live
        if step.role is StepRole.PLANNER and not (run.finished and step is _last(run)):
            return [_empty(tr("nothing: it plans"))]
        if live:
            return (
                []
                if step.shown.source("text").strip() and self.line.way != "pass-through"
                else [_empty(tr("nothing yet"))]
            )
        if step is not _last(run):
            return [_empty(tr("nothing: it was asked again"))]
        if step.reply is None or step.error is not None or step.reply.cancelled:
            return [_empty(tr("an error") if step.error is not None else tr("nothing: it left"))]
        if self.by_hand is not None and (written := _last(self.by_hand)) is not None:
            return self._by_hand(self.by_hand, written)
        return self._given(run, step)

    def _by_hand(self, run: RunView, step: StepView) -> Sequence[Block]:
        """The reply as it was edited, with the arguments, which may be all that was changed."""
        assert step.reply is not None
        text, calls = step.reply.text.strip(), step.reply.native_calls
        blocks = [Block((BlockRun(tr("edited by you"), "text3"),), size=11)]
        blocks += [Block((BlockRun(_short(text)),))] if text else []
        called = _CALLS.get(self.line.wire, "tool_calls")
        for call in calls:
            blocks.append(Block((BlockRun(f"{called} ", "key"), BlockRun(call.name, "name")), mono=True))
            blocks.append(Block((BlockRun(_short(call.arguments), "text2"),), mono=True))
        return [*blocks, *self._given(run, step)[-1:]] if calls else blocks

    def _given(self, run: RunView, step: StepView) -> Sequence[Block]:
        reply = step.reply
        assert reply is not None
        passed = self.line.way == "pass-through"
        answer = run.finished.answer if run.boosted and run.finished else reply.sanitized
        text = reply.text if passed else answer
        as_came = passed or (run.started is not None and run.started.executor.native and self.line.way == "route")
        names = [call.name for call in reply.native_calls] if as_came and reply.native_calls else []
        if not passed and not names:
            names = [call.name for call in reply.result.calls]
        field, words = _REASONS.get(
            self.line.wire, ("finish_reason", {Ending.CALLS: "tool_calls", Ending.STOP: "stop"})
        )
        ending = Ending.CALLS if names else ending_of(reply.finish_reason)
        reason = words.get(ending, reply.finish_reason or "stop")
        if not names and not passed and not run.boosted and text.strip():
            return []  # the text as it was shown; it scrolls
        blocks = (
            [
                Block(
                    (
                        BlockRun(
                            _short(text.strip()),
                        ),
                    )
                )
            ]
            if text.strip()
            else []
        )
        call = _CALLS.get(self.line.wire, "tool_calls")
        blocks += [Block((BlockRun(f"{call} ", "key"), BlockRun(name, "name")), mono=True) for name in names]
        if not blocks:
            blocks.append(_empty(tr("an empty reply")))
        return [*blocks, Block((BlockRun(f"{field} {reason}", "text3"),), size=11)]


def _last(run: RunView) -> StepView | None:
    return run.steps[max(run.steps)] if run.steps else None


def _of_result(block: Block) -> bool:
    return any(isinstance(piece.link, ResultLink) for piece in block.runs)


def _empty(words: str) -> Block:
    return Block((BlockRun(words, "empty"),))


def _short(text: str) -> str:
    return (
        text
        if len(text) <= _LONGEST
        else tr("{beginning}… ({length:,} characters)", beginning=text[:_LONGEST], length=len(text))
    )
