from __future__ import annotations

from workbench.ui.servers.values import ServerFacts, StartForm


def test_an_empty_form_leaves_everything_to_the_workbench() -> None:
    form = StartForm()
    assert (form.file, form.port, form.context, form.flags) == ("", "", "", "")
    assert (form.parallel, form.tool_calling) == (1, True)


def test_a_server_can_do_nothing_unless_it_is_said() -> None:
    facts = ServerFacts("a", "plain", "not running", ())
    assert (facts.can_stop, facts.can_try, facts.can_start) == (False, False, False)
