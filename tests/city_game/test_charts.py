"""Pictures that are written by hand: axes at round values, a line for each player."""

import pytest

from city_game.charts import lines, ticks


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (0, [0, 1]),
        (3, [0, 1, 2, 3]),
        (18, [0, 5, 10, 15, 20]),
        (37.7, [0, 10, 20, 30, 40]),
        (100, [0, 20, 40, 60, 80, 100]),
        (197, [0, 50, 100, 150, 200]),
    ],
)
def test_an_axis_has_round_values(most, expected):
    assert ticks(most) == expected


def test_each_line_has_its_own_colour_and_dashes():
    picture = lines("worth", [(name, [(0, 1), (2, 3)]) for name in "ABCDEF"], "x", "y")
    drawn = [line for line in picture.splitlines() if "<polyline" in line]
    assert len({line.split("stroke=")[1] for line in drawn}) == 6
    assert len({line.split("stroke-dasharray=")[1] for line in drawn}) == 6
