"""`workbench demo`: a comparison of simulated models through the real program, without a key, a network or a display."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo")(demo)


def demo(
    screenshot: Annotated[str, typer.Option(metavar="PNG", help="Also a picture of the real window.")] = "",
    repeat: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="How often each prompt is run.")] = 3,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare the simulated models on a few prompts, end to end, and print the table."""
    from workbench.cli.comparing import compare
    from workbench.cli.picture import take_picture

    last = compare(repeat, json=json)
    if screenshot:
        take_picture(screenshot, last)
