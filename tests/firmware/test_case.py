"""The case: its measures are sound, and a bad one is named. Needs nothing installed."""

from dataclasses import replace

import pytest

from firmware.case.parameters import HOLDERS, Parameters, mistakes

PARAMETERS = Parameters()


@pytest.mark.parametrize("cells", HOLDERS)
def test_the_measures_are_sound(cells):
    assert mistakes(replace(PARAMETERS, cells=cells)) == []


@pytest.mark.parametrize(
    "change, word",
    [
        ({"wall": 0.8}, "wall"),
        ({"top": 1.5}, "top"),
        ({"gap": 0.1}, "gap"),
        ({"cells": 4}, "cells"),
        ({"diameter": 100.0}, "diameter"),
        ({"pico_length": 58.0}, "Pico"),
        ({"auction_radius": 38.0}, "lamps"),
        ({"seam": 18.0}, "AUCTION"),
    ],
)
def test_a_bad_measure_is_named(change, word):
    found = mistakes(replace(PARAMETERS, **change))
    assert any(word in mistake for mistake in found), found
