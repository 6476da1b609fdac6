"""Scenario and program files and their errors; traces in memory."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from city_unit.desktop import toml_reader
from city_unit.desktop.errors import UserError
from city_unit.desktop.toml_reader import parse
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.programs import PROGRAMS
from city_unit.unit import Unit
from sim.engine import program_file, program_text, scenario, virtual
from sim.engine.program_file import is_plain
from sim.engine.program_text import SOURCES
from sim.engine.trace import Trace, spans
from tests.helpers.times import DEBOUNCE_MS, ENDED, LENGTH_MS, WARNED


def read(text, **instead):
    table = parse(text.encode(), "mine.toml")
    loaded = scenario.read(table, **instead)
    table.finish()
    return loaded


def steps(*lines):
    """Return a file with a step for each `at: do: further lines`."""
    text = ""
    for line in lines:
        at, do, *more = line.split(": ")
        text += f'[[steps]]\nat = "{at}"\ndo = "{do}"\n' + "".join(f"{line}\n" for line in more)
    return text


def test_steps_become_the_levels_of_the_contacts():
    loaded = read(
        steps(
            "0 s: switch on",
            "1 s: tap auction",
            "1.081 s: tap auction",  # as soon as the previous tap has ended
            "1.5 s: press build",
            "2 s: hold auction for 0.5 s",
            "3 s: release build",
            "1 min: switch off",
            "2 min: end",
        )
    )
    assert loaded.changes == (
        (0, SWITCH),
        (1000, SWITCH | AUCTION),
        (1080, SWITCH),
        (1081, SWITCH | AUCTION),
        (1161, SWITCH),
        (1500, SWITCH | BUILD),
        (2000, SWITCH | BUILD | AUCTION),
        (2500, SWITCH | BUILD),
        (3000, SWITCH),
        (60_000, 0),
    )
    assert (loaded.program, loaded.seed, loaded.end_ms) == (PROGRAMS[0], 1, 120_000)
    assert read(steps("0 s: switch on", "1 s: tap build")).end_ms == 1080
    loaded = read(steps("0 s: hold build for 2 s", "1 s: end"))
    assert (loaded.changes, loaded.end_ms) == (((0, BUILD),), 1000)


def test_program_and_seed_can_be_overridden(tmp_path):
    loaded = read('program = "city"\nseed = 5\n' + steps("0 s: end"), program="world", seed=6)
    assert (loaded.program.name, loaded.seed) == ("world", 6)
    (tmp_path / "mine.toml").write_text('name = "mine"\nauction = "20 s"')
    path = tmp_path / "scenario.toml"  # the program's path is relative to it
    path.write_text('program = "mine.toml"\n' + steps("1 s: end"), encoding="utf-8-sig")
    loaded = scenario.load(str(path))
    assert (loaded.program.name, loaded.end_ms) == ("mine", 1000)
    assert loaded.programs == (*PROGRAMS, loaded.program)


BOUNCED = steps("0 s: switch on", '1 s: tap auction: bounce = "15 ms"', "2 s: end")


@given(st.integers(0, 1 << 30))
def test_a_bounce_starts_with_the_edge_and_settles_in_time(seed):
    changes = read(BOUNCED, seed=seed).changes[1:]
    assert changes == read(BOUNCED, seed=seed).changes[1:]
    press = [(ms, levels) for ms, levels in changes if ms < 1080]
    release = [(ms, levels) for ms, levels in changes if ms >= 1080]
    assert press[0] == (1000, SWITCH | AUCTION)
    assert release[0] == (1080, SWITCH)
    assert press[-1][0] <= 1015 and press[-1][1] & AUCTION
    assert release[-1][0] <= 1095 and not release[-1][1] & AUCTION
    assert len(press) >= 3 and len(release) >= 3


def test_a_bounce_depends_only_on_the_seed_and_a_release_cuts_it_short():
    def bounces(text, seed=1):
        return tuple(ms for ms, levels in read(text, seed=seed).changes[1:] if not levels & BUILD)

    assert len({bounces(BOUNCED, seed) for seed in range(50)}) > 45
    more = BOUNCED.replace("2 s", "1.5 s").replace('do = "end"', 'do = "tap build"')
    assert bounces(more + steps("3 s: end"))[:-1] == bounces(BOUNCED)
    loaded = read(steps('0 s: press build: bounce = "100 ms"', "20 ms: release build", "1 s: end"))
    ms, levels = loaded.changes[-1]
    assert ms <= 20 and levels == 0


SCENARIO_MISTAKES = [
    ("", 'mine.toml: "steps" is missing'),
    ('seed = "5"\n' + steps("0 s: end"), 'line 1: seed: "5" is not a whole number'),
    ("seed = -1\n" + steps("0 s: end"), "line 1: seed: -1 is not between 0 and"),
    ('program = "citty"\n' + steps("0 s: end"), 'line 1: program: unknown program "citty"'),
    ('program = "my.toml"\n' + steps("0 s: end"), "line 1: program: my.toml: no such file"),
    ("steps = 5", "line 1: steps: write each one as its own table"),
    ('[[steps]]\ndo = "end"', 'line 1: "at" is missing'),
    (steps("1 s: end").replace("do", "doo"), 'line 3: "do" is missing; is "doo" a typo?'),
    (steps("1: end"), 'line 2: at: "1" has no unit'),
    ('[[steps]]\nat = 1\ndo = "end"', "line 2: at: 1 is not a time"),
    (steps("1 sek: end"), 'line 2: at: "1 sek": the unit "sek" is unknown'),
    (steps("0.1 ms: end"), 'line 2: at: "0.1 ms" is not a whole number of milliseconds'),
    (steps("1001 h: end"), 'line 2: at: "1001 h" is not between 0 ms and 1000 h'),
    (steps("1\u3000s: tap build"), r'line 2: at: "1\u3000s" is not a time'),
    (steps("2 s: switch on", "1 s: end"), "line 5: at: 1000 ms is before the step above it"),
    (steps("1 s: end", "2 s: switch on"), "line 6: do: there is a step after the end"),
    (steps("1 s: tap aution"), 'did you mean "tap auction"?'),
    (steps("1 s: tap build for 2 s"), 'line 3: do: "tap build for 2 s" is unknown'),
    (steps("1 s: hold build for ５ s"), 'line 3: do: "５ s" is not a time'),
    (steps('1 s: tap build: bounce = "2 s"'), "is not between 0 ms and 1 s"),
    (steps('1 s: end: bounce = "9 ms"'), "line 4: bounce: the step"),
    (steps('1 s: end: bunce = "9 ms"'), 'line 4: unknown key "bunce"'),
    (
        steps("1 s: tap build", "1080 ms: tap build"),
        "line 6: do: the button build is still pressed, until 1080 ms",
    ),
    (
        steps("1 s: press build", "2 s: press auction", "3 s: tap build"),
        "line 9: do: the button build is already pressed, since 1000 ms",
    ),
    (
        steps("1 s: press build", "2 s: release build", "2 s: press build"),
        "line 9: do: the button build is still pressed, until 2000 ms",
    ),
    (
        steps("1 s: hold build for 3 s", "2 s: release build"),
        "line 6: do: the button build is not pressed",
    ),
    (steps("1 s: switch off"), "line 3: do: the switch is already off"),
]


def test_a_long_scenario_uses_little_memory_and_a_late_error_has_its_line(monkeypatch):
    def many(presses, *last):
        return steps("0 s: switch on", *(f"{n} s: tap auction" for n in range(1, presses)), *last)

    monkeypatch.setattr(toml_reader, "_FAR", 100)
    peaks = []
    for presses in (200, 200, 1200):  # the first one fills caches
        text = many(presses)
        tracemalloc.start()
        read(text)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert (peaks[2] - peaks[1]) / 1000 < 150  # bytes per step, while the file is read
    for last, line in (("3000 s: tap aution", 3), ("1 s: tap build", 2), ("3000 s: end: b = 1", 4)):
        with pytest.raises(UserError) as caught:
            read(many(300, last, "3001 s: end"))
        assert caught.value.line == 3 * 300 + line


ON = '[[steps]]\nat = "0 s"\ndo = "switch on"\n'


def waiting(*lines, head='program = "city"\nseed = 3\n'):
    """Read a scenario whose steps may wait for events; a line is `do, key value, ...`."""
    text = head + ON
    for line in lines:
        do, *times = line.split(", ")
        text += f'[[steps]]\ndo = "{do}"\n'
        text += "".join('{} = "{}"\n'.format(*time.split(" ", 1)) for time in times)
    return read(text)


def test_a_step_may_wait_for_an_event():
    loaded = waiting(
        "tap auction, at 1 s",
        "tap build, when auction-warning, after 200 ms",
        "tap auction, when auction-ended",
        "end, when auction-ended, after 5 s",  # the next one after the step above
    )
    again = ENDED + DEBOUNCE_MS + LENGTH_MS
    assert [at.at for at in loaded.steps] == [0, 1000, WARNED + 200, ENDED, again + 5000]
    assert loaded.end_ms == again + 5000
    kinds = [(ms, kind) for ms, kind, _ in virtual.run(loaded).events]
    assert (WARNED + 200 + DEBOUNCE_MS, "refused") in kinds
    assert waiting("end, when hour-ended").end_ms == 3_600_000
    ends = set()
    for seed in range(1, 6):  # each draws another length
        head = f'program = "world"\nseed = {seed}\n'
        drawn = waiting("tap auction, at 1 s", "end, when auction-ended, after 1 s", head=head)
        assert virtual.run(drawn).events[-1][:2] == (drawn.end_ms - 1000, "auction-ended")
        ends.add(drawn.end_ms)
    assert len(ends) > 2


def test_the_search_for_events_takes_time_proportional_to_their_number(monkeypatch):
    steps_of_unit = []

    step = Unit.step

    def counted(*arguments):
        steps_of_unit.append(1)
        return step(*arguments)

    monkeypatch.setattr(Unit, "step", counted)
    counts = []
    for rounds in (4, 8):
        steps_of_unit.clear()
        waiting("tap auction, at 1 s", *["tap auction, when auction-ended, after 9 s"] * rounds)
        counts.append(len(steps_of_unit))
    assert counts[1] < 2.5 * counts[0]


@pytest.mark.parametrize(
    ("step", "mistake"),
    [
        ("end, when auction-warning", 'when: "auction-warning" never happens after 0 ms'),
        ("end, when auction-warnin", 'did you mean "auction-warning"?'),
        ("end, when hour-beep, at 1 s", "not both"),
        ("end, at 1 s, after 1 s", "after: needs an event"),
    ],
)
def test_an_error_in_waiting_has_its_line(step, mistake):
    with pytest.raises(UserError, match="line") as raised:
        waiting(step)
    assert mistake in str(raised.value)


def blinking(count):
    """Yield a trace of `count` changes of a lamp and the tone, alternating."""
    for place in range(count // 4):
        ms = place * 125
        yield f'{{"ms": {ms}, "lamp": "auction", "on": true}}'
        yield f'{{"ms": {ms}, "tone": 2700}}'
        yield f'{{"ms": {ms + 60}, "lamp": "auction", "on": false}}'
        yield f'{{"ms": {ms + 60}, "tone": 0}}'


def test_a_trace_in_memory_is_compact():
    shown = Trace.parse(blinking(8), 200)
    assert list(shown.tones) == [(0, 2700), (60, 0), (125, 2700), (185, 0)]
    assert shown.tones[-1] == (185, 0)
    assert shown.tones[1:3] == [(60, 0), (125, 2700)]
    assert shown.tones == Trace.parse(blinking(8), 200).tones
    assert list(shown.lamps["auction"]) == [(0, 1), (60, 0), (125, 1), (185, 0)]
    assert list(spans([(5, 440), (9, 0), (12, 2700)], 20)) == [(5, 9, 440), (12, 20, 2700)]
    assert list(spans([(5, 440), (9, 2700)], 9)) == [(5, 9, 440)]
    assert list(spans([], 9)) == []
    count = 4000  # a month has 2.5 million, which at 20 bytes each are 50 MB
    list(blinking(count))
    tracemalloc.start()
    shown = Trace.parse(blinking(count), 0)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(shown.tones) + len(shown.lamps["auction"]) == count
    assert most < 20 * count


VALUES = [attribute for attribute, _ in program_file.VALUES.values()] + ["marks", "cues"]

CLOCK = """clock = "10 min"
[[marks]]
tell = "time-called"
left = "0 s"
"""


def read_program(text):
    return program_file.read(parse(text.encode(), "mine.toml"))


def test_each_built_in_program_survives_its_file_and_every_value_has_its_source():
    assert set(program_text.MEANS) == {*program_file.VALUES, "marks", "cues"}
    for program in PROGRAMS:
        again = read_program(program_text.write(program))
        for key in ("name", *VALUES):
            assert getattr(again, key) == getattr(program, key), (program.name, key)
        assert sorted(SOURCES[program.name]) == sorted(VALUES)


def test_a_program_has_a_title_in_any_script_and_an_ascii_name_on_the_wire():
    for title, name in (
        ("soirée", "soiree"),
        ("Straße", "strasse"),
        ("вечер", "program-"),
        ("夜", "program-"),
        ("Lena's game, long", "lena-s-game-long"),
        ("No!", "no"),
    ):
        program = read_program(f'name = "{title}"\n' + CLOCK)
        assert program.title == title and program.name.startswith(name)
        assert is_plain(program.name)
        again = read_program(program_text.write(program, {}))
        assert (again.name, again.title) == (program.name, title)
        program = read_program(f'name = "quick"\ntitle = "{title}"\n' + CLOCK)
        assert (program.name, program.title) == ("quick", title)
    assert read_program('name = "вечер"').name != read_program('name = "утро"').name


def test_a_program_file_needs_only_the_differences(tmp_path):
    path = tmp_path / "quick.toml"
    path.write_text('name = "quick"\nauction = "20 s"\n' + CLOCK)
    program = program_file.find(str(path))
    assert (program.auction_ms, program.clock_ms) == ((20_000, 20_000), 600_000)
    assert program.cues == program_file.find("city").cues
    with pytest.raises(UserError, match='unknown program "citty", did you mean "city"'):
        program_file.find("citty")
    with pytest.raises(UserError, match=r"lost\.toml: no such file"):
        program_file.find("lost.toml")


PROGRAM_MISTAKES = [
    ('auction = "20 s"', '"name" is missing'),
    ('nam = "a"', '"name" is missing; is "nam" a typo?'),
    ('name = "a"\nwarning = "50 s"', "line 2: warning: must be shorter than the shortest"),
    ('name = "!"', 'line 1: name: "!" is not a valid name; it needs letters'),
    ('name = " a"', 'line 1: name: " a" is not a valid name; use up to 40 letters'),
    ('name = "a\\tb"', "is not a valid name"),
    (
        'name = "a"\n[[marks]]\ntell = "phase-started"\nleft = "1 s"\nphase = "No!"',
        'phase: "No!" is not a valid name; use up to 20 of a-z',
    ),
    ('name = "a"\nauction = ["30 s", "20 s"]', "the shortest auction comes first"),
    ('name = "a"\nauction = "2 h"', "is not between 20 ms and 1 h"),
    ('name = "a"\nodds = [1, 2]', "this has 2 entries, not 4"),
    ('name = "a"\nodds = [0, 0, 0, 0]', "at least one permit"),
    ('name = "a"\nodds = [1, 2, 3, 1001]', "1001 is not between 0 and 1000"),
    ('name = "a"\nclock = "25 h"', "is not at most 24 h"),
    ('name = "a"\nclock = "10 min"', "line 2: a clock needs marks"),
    ('name = "a"\nclock_choices = ["1 min"]\n' + CLOCK, "must be one of its choices"),
    ('name = "a"\n' + CLOCK.replace("called", "caled"), 'did you mean "time-called"?'),
    ('name = "a"\n' + CLOCK.replace("0 s", "1 s"), "ends the game"),
    (
        'name = "a"\n' + CLOCK + '[[marks]]\ntell = "hour-beep"\nleft = "1 s"',
        "line 8: left: marks must be in order of time",
    ),
    (
        'name = "a"\n[[marks]]\ntell = "hour-beep"\nleft = "1 s"\nevery = "1 s"\nuntil = "2 s"',
        'line 6: until: must be less than "left"',
    ),
    ('name = "a"\n[cues]\nrefussed = {}', 'unknown cue "refussed", did you mean "refused"?'),
    (
        'name = "a"\n[cues.refused]\nrank = "tick"\nplay = ["４40 Hz 50 ms"]',
        '"４40 Hz 50 ms" is not a note',
    ),
]


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        *((read, *mistake) for mistake in SCENARIO_MISTAKES),
        *((read_program, *mistake) for mistake in PROGRAM_MISTAKES),
    ],
)
def test_each_error_is_one_line(reader, text, message):
    with pytest.raises(UserError) as caught:
        reader(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code == 2
