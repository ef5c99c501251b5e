from __future__ import annotations

import pytest

from workbench.simulate.persona import Persona
from workbench.simulate.reply_faults import ReplyFault, end_token_left


def test_rates_are_read_from_the_faults_and_cannot_be_changed() -> None:
    persona = Persona("n", "N", "s", (ReplyFault("end token left", 0.25, "writing", end_token_left),))
    assert dict(persona.rates) == {"end token left": 0.25}
    with pytest.raises(TypeError):
        persona.rates["end token left"] = 1  # type: ignore[index]
