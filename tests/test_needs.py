"""A test whose requirement is missing is skipped, but fails in CI unless it is named there."""

import pytest

from tests.helpers.needs import needs


def test_a_missing_thing_skips_a_test_or_fails_it(monkeypatch):
    for ci, given_up, name, outcome in (
        ("", "", "thing", pytest.skip.Exception),
        ("1", "", "thing", pytest.fail.Exception),
        ("1", "another", "thing", pytest.fail.Exception),
        ("1", "another thing", "thing", pytest.skip.Exception),
        ("1", "", "", pytest.fail.Exception),  # without a name it cannot be given up
    ):
        monkeypatch.setenv("CITY_UNIT_CI", ci)
        monkeypatch.setenv("CITY_UNIT_WITHOUT", given_up)
        with pytest.raises(outcome, match="a thing is missing"):
            needs(None, "a thing", *[name] * bool(name))
        needs("here", "a thing", "thing")
