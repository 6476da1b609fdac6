"""House rules: each switch is an attribute, declared once and switched by its name."""

import pytest

from city_game.house_rules import SWITCHES, HouseRules


def test_what_is_declared_is_what_can_be_switched():
    assert set(HouseRules.__annotations__) == {switch.name for switch in SWITCHES}


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_each_switch_can_be_set_otherwise(switch):
    assert getattr(HouseRules(), switch.name) is switch.default
    otherwise = HouseRules(**{switch.name: not switch.default})
    assert otherwise.changed() == {switch.name: not switch.default}


def test_a_switch_that_is_not_there_is_named():
    with pytest.raises(KeyError, match="bid_twice"):
        HouseRules(bid_twice=True)
