"""Programs as files: a written one is read back, and each mistake has its line."""

import pytest

from city_unit.desktop.errors import UserError
from city_unit.desktop.toml_reader import parse
from city_unit.programs import PROGRAMS
from sim.engine import program_file, program_text
from sim.engine.program_file import is_plain
from sim.engine.program_text import SOURCES

VALUES = [attribute for attribute, _ in program_file.VALUES.values()] + ["marks", "cues"]

CLOCK = """clock = "10 min"
[[marks]]
tell = "time-called"
left = "0 s"
"""


def read(text):
    return program_file.read(parse(text.encode(), "mine.toml"))


def test_each_built_in_program_survives_its_file_and_every_value_has_its_source():
    assert set(program_text.MEANS) == {*program_file.VALUES, "marks", "cues"}
    for program in PROGRAMS:
        again = read(program_text.write(program))
        for key in ("name", *VALUES):
            assert getattr(again, key) == getattr(program, key), (program.name, key)
        assert sorted(SOURCES[program.name]) == sorted(VALUES)


def test_a_program_is_called_in_any_script_and_on_the_wire_in_ascii():
    for title, name in (
        ("soirée", "soiree"),
        ("Straße", "strasse"),
        ("вечер", "program-"),
        ("夜", "program-"),
        ("Lena's game, long", "lena-s-game-long"),
        ("No!", "no"),
    ):
        program = read(f'name = "{title}"\n' + CLOCK)
        assert program.title == title and program.name.startswith(name)
        assert is_plain(program.name)
        again = read(program_text.write(program, {}))
        assert (again.name, again.title) == (program.name, title)
        program = read(f'name = "quick"\ntitle = "{title}"\n' + CLOCK)
        assert (program.name, program.title) == ("quick", title)
    assert read('name = "вечер"').name != read('name = "утро"').name


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
        (
            'name = "a"\n[[marks]]\ntell = "hour-beep"\nleft = "1 s"\nevery = "1 s"\nuntil = "2 s"',
            'line 6: until: must leave less than "left"',
        ),
        ('name = "a"\n[cues]\nrefussed = {}', 'unknown cue "refussed", did you mean "refused"?'),
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
