"""Programs as files: a written one is read back, and each mistake has its line."""

import pytest

from city_unit.desktop.errors import UserError
from city_unit.desktop.toml_reader import parse
from city_unit.programs import PROGRAMS
from sim.engine import program_file, program_text
from sim.engine.program_file import is_plain
from sim.engine.program_text import SOURCES

NAMES = [program.name for program in PROGRAMS]
VALUES = [attribute for attribute, _ in program_file.VALUES.values()] + ["marks", "cues"]

CLOCK = """clock = "10 min"
[[marks]]
tell = "time-called"
left = "0 s"
"""


def read(text):
    return program_file.read(parse(text.encode(), "mine.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_built_in_program_survives_being_written_and_read(name):
    program = program_file.find(name)
    again = read(program_text.write(program))
    assert again.name == name
    assert {key: getattr(again, key) for key in VALUES} == {
        key: getattr(program, key) for key in VALUES
    }


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("soirée", "soiree"),
        ("Straße", "strasse"),
        ("вечер", "program-"),
        ("夜", "program-"),
        ("Lena's game, long", "lena-s-game-long"),
        ("No!", "no"),
    ],
)
def test_a_program_is_called_in_any_script_and_on_the_wire_in_ascii(title, name):
    program = read(f'name = "{title}"\n' + CLOCK)
    assert program.title == title
    assert program.name.startswith(name)
    assert is_plain(program.name)
    again = read(program_text.write(program, {}))
    assert (again.name, again.title) == (program.name, title)
    assert read('name = "вечер"').name != read('name = "утро"').name
    program = read(f'name = "quick"\ntitle = "{title}"\n' + CLOCK)
    assert (program.name, program.title) == ("quick", title)


@pytest.mark.parametrize("name", NAMES)
def test_every_value_says_where_it_comes_from(name):
    assert sorted(SOURCES[name]) == sorted(VALUES)


def test_a_fifth_program_needs_only_what_it_does_differently(tmp_path):
    path = tmp_path / "quick.toml"
    path.write_text('name = "quick"\nauction = "20 s"\n' + CLOCK)
    program = program_file.find(str(path))
    assert (program.auction_ms, program.clock_ms) == ((20_000, 20_000), 600_000)
    assert program.cues == program_file.find("city").cues
    with pytest.raises(UserError, match='unknown program "citty", did you mean "city"'):
        program_file.find("citty")
    with pytest.raises(UserError, match=r"lost\.toml: no such file"):
        program_file.find("lost.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "mine.toml, line 1: no valid TOML: "),
        ('name = "a"\n[[marks]', "no valid TOML"),
        ('auction = "20 s"', '"name" is missing'),
        ('nam = "a"', '"name" is missing; does "nam" mean it?'),
        ('name = "a"\nwarning = "50 s"', "line 2: warning: must be shorter than the shortest"),
        ('name = "a"\nclok = "60 min"', 'unknown key "clok", did you mean "clock"?'),
        ('name = "!"', 'line 1: name: "!" is no name; it needs letters'),
        ('name = " a"', 'line 1: name: " a" is no name; use up to 40 letters'),
        (f'name = "{"é" * 41}"', "use up to 40 letters"),
        ('name = "a\\tb"', "is no name"),
        (
            'name = "a"\n[[marks]]\ntell = "phase-started"\nleft = "1 s"\nphase = "No!"',
            'phase: "No!" is no name; use up to 20 of a-z',
        ),
        ('name = "a"\nauktion = "20 s"', 'line 2: unknown key "auktion", did you mean "auction"?'),
        ('name = "a"\nauction = "20"', 'line 2: auction: "20" has no unit (ms, s, min, h)'),
        ('name = "a"\nauction = "20 sec"', 'the unit "sec" is unknown'),
        ('name = "a"\nauction = 20', "20 is no time"),
        ('name = "a"\nauction = ["30 s", "20 s"]', "the shortest auction comes first"),
        ('name = "a"\nauction = "2 h"', "is not between 20 ms and 1 h"),
        ('name = "a"\nodds = [1, 2]', "this has 2 entries, not 4"),
        ('name = "a"\nodds = [0, 0, 0, 0]', "at least one permit"),
        ('name = "a"\nodds = [1, 2, 3, 1001]', "1001 is not between 0 and 1000"),
        ('name = "a"\nodds = [1, 2, 3, true]', "true is no whole number"),
        ('name = "a"\nclock = "25 h"', "is not at most 24 h"),
        ('name = "a"\nclock = "10 min"', "line 2: a clock needs marks"),
        ('name = "a"\nclock_choices = ["1 min"]\n' + CLOCK, "must be one of its choices"),
        ('name = "a"\n' + CLOCK.replace("called", "caled"), 'did you mean "time-called"?'),
        ('name = "a"\n' + CLOCK.replace("0 s", "1 s"), "ends the game"),
        (
            'name = "a"\n' + CLOCK + '[[marks]]\ntell = "hour-beep"\nleft = "1 s"',
            "line 8: left: marks stand in order of time",
        ),
        ('name = "a"\n[cues]\nrefussed = {}', 'unknown cue "refussed", did you mean "refused"?'),
        ('name = "a"\n[cues.refused]\nrank = "tick"\nplay = ["1"]', '"1" is no note'),
        (
            'name = "a"\n[cues.refused]\nrank = "tick"\nplay = ["４40 Hz 50 ms"]',
            '"４40 Hz 50 ms" is no note',
        ),
    ],
)
def test_each_mistake_is_told_in_one_line(text, message):
    with pytest.raises(UserError) as caught:
        read(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code == 2


def test_every_value_of_a_file_is_explained():
    assert set(program_text.MEANS) == {*program_file.VALUES, "marks", "cues"}
