"""A missing need is skipped, but never in CI, unless it is given up by name there."""

import pytest

from tests.helpers.needs import needs


@pytest.mark.parametrize(
    ("ci", "without", "outcome"),
    [
        ("", "", pytest.skip.Exception),
        ("1", "", pytest.fail.Exception),
        ("1", "another", pytest.fail.Exception),
        ("1", "another thing", pytest.skip.Exception),
    ],
)
def test_what_a_missing_thing_does_to_a_test(monkeypatch, ci, without, outcome):
    monkeypatch.setenv("CITY_UNIT_CI", ci)
    monkeypatch.setenv("CITY_UNIT_WITHOUT", without)
    with pytest.raises(outcome, match="a thing is missing"):
        needs(None, "a thing", "thing")


def test_what_has_no_name_cannot_be_given_up(monkeypatch):
    monkeypatch.setenv("CITY_UNIT_CI", "1")
    monkeypatch.setenv("CITY_UNIT_WITHOUT", "")
    with pytest.raises(pytest.fail.Exception):
        needs(None, "a thing")


def test_what_is_there_is_never_skipped(monkeypatch):
    monkeypatch.setenv("CITY_UNIT_WITHOUT", "thing")
    needs("here", "a thing", "thing")
