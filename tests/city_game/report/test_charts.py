"""Pictures that are written by hand: axes at round values, a line for each player."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from city_game.report.charts import EDGE, bars, lines, spread, ticks
from city_game.seats import SEATS

SVG = "{http://www.w3.org/2000/svg}"


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


def drawn(names: str) -> str:
    return lines("worth", [(name, [(0, 1), (2, 3)]) for name in names], "x", "y")


def test_each_line_has_the_colour_of_its_seat_at_the_table_and_its_own_dashes_and_shape():
    picture = drawn("ABCDEF").splitlines()
    colours = ["#{:02x}{:02x}{:02x}".format(*colour) for colour, _ in SEATS]
    inner = [row for row in picture if "<polyline" in row and EDGE not in row]
    assert [row.split('stroke="')[1][:7] for row in inner] == colours
    assert len({row.split("stroke-dasharray=")[1] for row in inner}) == 6
    shapes = [row for row in picture if "<circle" in row or "<polygon" in row]
    assert [row.split('fill="')[1][:7] for row in shapes] == 2 * colours  # at its end, by its name


def test_the_names_stand_at_the_ends_of_their_lines_and_apart():
    picture = ElementTree.fromstring(drawn("ABCDEF"))
    labels = [label for label in picture.iter(f"{SVG}text") if (label.text or "")[1:] == " 3"]
    assert [label.text for label in labels] == [f"{name} 3" for name in "ABCDEF"]
    levels = sorted(float(label.get("y")) for label in labels)
    assert all(below - above >= 20 for above, below in pairwise(levels))


def test_a_name_is_not_read_as_markup():
    picture = ElementTree.fromstring(lines("worth", [("<A&B>", [(0, 1)])], "x", "y"))
    assert "<A&B> 1" in [label.text for label in picture.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([], []),
        ([10, 90, 50], [10, 90, 50]),
        ([50, 50, 50], [50, 30, 10]),
        ([95, 100], [80, 100]),
        ([120, 30], [100, 30]),
    ],
)
def test_labels_are_moved_apart(levels, expected):
    assert spread(levels, 20, 100) == expected


def test_nothing_to_draw_is_drawn_as_that():
    assert "no player" in lines("no player", [], "x", "y")
    assert "no bar" in bars("no bar", [])


def test_a_long_label_moves_the_bars():
    row = ("The Lane of the Coppersmiths", 1, "1M", "#000000")
    picture = ElementTree.fromstring(bars("earned", [row]))
    label = next(found for found in picture.iter(f"{SVG}text") if found.text == row[0])
    assert float(label.get("x")) >= 8 * len(row[0])


def test_a_long_text_widens_the_picture():
    row = ("planner", 1, "50.0% (35.2% to 64.8%), a seat 25.0%", "#000000")
    picture = ElementTree.fromstring(bars("wins", [row]))
    text = next(found for found in picture.iter(f"{SVG}text") if found.text == row[2])
    assert float(text.get("x")) + 8 * len(row[2]) <= float(picture.get("width"))
