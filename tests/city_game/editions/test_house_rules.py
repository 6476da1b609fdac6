"""House rules: each switch is an attribute, declared once and switched by its name."""

import pytest

from city_game import cli, editions
from city_game.editions import is_short
from city_game.editions.city import EDITION
from city_game.editions.city.words import DECISIONS, SWITCHES
from city_game.kernel.switches import otherwise
from city_unit.desktop.errors import UserError


def test_each_switch_can_be_set_otherwise_and_no_other():
    for switch in SWITCHES:
        assert getattr(EDITION.rules(), switch.name) is switch.default
        assert otherwise(SWITCHES, [switch.name]).changed() == {switch.name: not switch.default}
    with pytest.raises(KeyError, match="bid_twice"):
        EDITION.rules(bid_twice=True)
    with pytest.raises(UserError, match='no house rule "station_anywhere"; did you mean "stations'):
        otherwise(SWITCHES, ["station_anywhere"])


def test_in_an_hour_shorter_than_the_box_s_nobody_is_out_unless_that_is_chosen():
    city, championship = editions.get("city"), editions.get("championship")
    assert [is_short(city, minutes) for minutes in (0, 50, 60, 90)] == [False, True, False, False]
    assert [is_short(championship, minutes) for minutes in (0, 45, 50)] == [False, True, False]
    assert otherwise(SWITCHES, [], True).nobody_is_out
    assert not otherwise(SWITCHES, ["nobody_is_out"], True).nobody_is_out
    assert otherwise(SWITCHES, ["nobody_is_out"]).nobody_is_out


def test_the_command_line_lists_them_all_in_a_narrow_terminal_and_refuses_others(
    monkeypatch, capsys
):
    monkeypatch.setenv("COLUMNS", "60")
    assert cli.main(["rules"]) == 0
    listed = capsys.readouterr().out
    assert max(map(len, listed.splitlines())) <= 60
    shown = " ".join(listed.split())
    assert all(switch.name in shown and str(switch.why) in shown for switch in SWITCHES)
    assert all(str(decision).replace(" - ", " ") in shown for decision in DECISIONS)
    assert cli.main(["--rule", "stations"]) == 2
    assert "did you mean" in capsys.readouterr().err
