"""Scenario files: their meaning, and one line for each mistake."""

import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from city_unit.desktop.errors import UserError
from city_unit.desktop.toml_reader import parse
from city_unit.facts import AUCTION, BUILD, SWITCH
from city_unit.programs import PROGRAMS
from sim.engine import scenario


def read(text, **instead):
    table = parse(text.encode(), "mine.toml")
    loaded = scenario.read(table, **instead)
    table.finish()
    return loaded


def steps(*lines):
    """Return a file with a step for each `at: do`, and what else belongs to it."""
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
        (1500, SWITCH | BUILD),
        (2000, SWITCH | BUILD | AUCTION),
        (2500, SWITCH | BUILD),
        (3000, SWITCH),
        (60_000, 0),
    )
    assert loaded.end_ms == 120_000


def test_a_step_may_press_again_when_the_last_one_has_let_go():
    loaded = read(steps("1 s: tap build", "1.081 s: tap build", "1.5 s: press build", "2 s: end"))
    assert loaded.changes == ((1000, BUILD), (1080, 0), (1081, BUILD), (1161, 0), (1500, BUILD))
    assert (loaded.program, loaded.seed) == (PROGRAMS[0], 1)


def test_a_run_ends_with_its_end_or_when_the_last_step_is_done():
    assert read(steps("0 s: switch on", "1 s: tap build")).end_ms == 1080
    loaded = read(steps("0 s: hold build for 2 s", "1 s: end"))
    assert (loaded.changes, loaded.end_ms) == (((0, BUILD),), 1000)


def test_the_time_to_read_grows_with_the_number_of_steps():
    """Counted, not timed: ten times as many steps take ten times as many calls."""
    few, many = (calls_to_read(count) for count in (60, 600))
    assert many < 11 * few


def calls_to_read(count):
    """Return how many lines of Python it takes to read so many taps."""
    text = steps(*(f"{second} s: tap build: bounce = '15 ms'" for second in range(count)))
    table = parse(text.encode(), "mine.toml")
    lines = 0

    def trace(frame, event, argument):
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        scenario.read(table)
    finally:
        sys.settrace(before)
    return lines


def test_program_and_seed_may_come_from_elsewhere():
    loaded = read('program = "city"\nseed = 5\n' + steps("0 s: end"), program="world", seed=6)
    assert (loaded.program.name, loaded.seed) == ("world", 6)


def test_a_program_file_is_looked_for_beside_the_scenario(tmp_path):
    (tmp_path / "mine.toml").write_text('name = "mine"\nauction = "20 s"')
    path = tmp_path / "scenario.toml"
    path.write_text('program = "mine.toml"\n' + steps("0 s: end"))
    loaded = scenario.load(str(path))
    assert loaded.program.name == "mine"
    assert loaded.programs == (*PROGRAMS, loaded.program)


class TestBounce:
    TEXT = steps("0 s: switch on", '1 s: tap auction: bounce = "15 ms"', "2 s: end")

    def edges(self, seed):
        return [ms for ms, _ in read(self.TEXT, seed=seed).changes[1:]]

    @given(st.integers(0, 1 << 30))
    def test_it_begins_with_the_edge_and_settles_in_time(self, seed):
        changes = read(self.TEXT, seed=seed).changes[1:]
        press = [(ms, levels) for ms, levels in changes if ms < 1080]
        release = [(ms, levels) for ms, levels in changes if ms >= 1080]
        assert press[0] == (1000, SWITCH | AUCTION)
        assert release[0] == (1080, SWITCH)
        assert press[-1][0] <= 1015 and press[-1][1] & AUCTION
        assert release[-1][0] <= 1095 and not release[-1][1] & AUCTION
        assert len(press) >= 3 and len(release) >= 3

    def test_it_is_repeatable_and_differs_from_seed_to_seed(self):
        assert self.edges(3) == self.edges(3)
        assert len({tuple(self.edges(seed)) for seed in range(50)}) > 45

    def test_other_steps_do_not_change_it(self):
        more = self.TEXT.replace("2 s", "1.5 s") + steps("3 s: end")
        more = more.replace('do = "end"', 'do = "tap build"', 1)
        build = BUILD | SWITCH
        assert [ms for ms, levels in read(more).changes[1:] if levels != build][:-1] == self.edges(
            1
        )

    def test_a_release_cuts_it_short(self):
        loaded = read(
            steps('0 s: press build: bounce = "100 ms"', "20 ms: release build", "1 s: end")
        )
        ms, levels = loaded.changes[-1]
        assert ms <= 20 and levels == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[steps]", "mine.toml, line 1: no valid TOML"),
        ("", 'mine.toml: "steps" is missing'),
        ("sed = 5\n" + steps("0 s: end"), 'line 1: unknown key "sed", did you mean "seed"?'),
        ('seed = "5"\n' + steps("0 s: end"), 'line 1: seed: "5" is no whole number'),
        ("seed = -1\n" + steps("0 s: end"), "line 1: seed: -1 is not between 0 and"),
        ('program = "citty"\n' + steps("0 s: end"), 'line 1: program: unknown program "citty"'),
        ('program = "my.toml"\n' + steps("0 s: end"), "line 1: program: my.toml: no such file"),
        ("steps = 5", "line 1: steps: write each as a table"),
        ('[[steps]]\ndo = "end"', 'line 1: "at" is missing'),
        ('[[steps]]\nat = "1 s"', 'line 1: "do" is missing'),
        (steps("1 s: end").replace("do", "doo"), 'line 3: "do" is missing; does "doo" mean it?'),
        (steps("1: end"), 'line 2: at: "1" has no unit'),
        ('[[steps]]\nat = 1\ndo = "end"', "line 2: at: 1 is no time"),
        (steps("-1 s: end"), 'line 2: at: "-1 s" is no time'),
        (steps("1 sek: end"), 'line 2: at: "1 sek": the unit "sek" is unknown'),
        (steps("0.1 ms: end"), 'line 2: at: "0.1 ms" is no whole number of milliseconds'),
        (steps("1001 h: end"), 'line 2: at: "1001 h" is not between 0 ms and 1000 h'),
        (steps("2 s: switch on", "1 s: end"), "line 5: at: 1000 ms is before the step above it"),
        (steps("1 s: end", "2 s: switch on"), "line 6: do: there is a step after the end"),
        (steps("1 s: tap aution"), 'did you mean "tap auction"?'),
        (steps("1 s: swich off"), 'did you mean "switch off"?'),
        (steps("1 s: hold build"), 'did you mean "hold build for 2 s"?'),
        (steps("1 s: tap build for 2 s"), 'line 3: do: "tap build for 2 s" is unknown'),
        (steps("1 s: hold build for 2"), 'line 3: do: "2" has no unit'),
        (steps('1 s: tap build: bounce = "9"'), 'line 4: bounce: "9" has no unit'),
        (steps('1 s: tap build: bounce = "2 s"'), "is not between 0 ms and 1 s"),
        (steps('1 s: end: bounce = "9 ms"'), "line 4: bounce: nothing bounces"),
        (
            steps("1 s: hold build for 3 s", "2 s: tap build"),
            "line 6: do: the button build is still pressed, until 4000 ms",
        ),
        (
            steps("1 s: tap build", "1080 ms: tap build"),
            "line 6: do: the button build is still pressed, until 1080 ms",
        ),
        (
            steps("1 s: press build", "2 s: press auction", "3 s: tap build"),
            "line 9: do: the button build is pressed already, since 1000 ms",
        ),
        (
            steps("1 s: press build", "2 s: release build", "2 s: press build"),
            "line 9: do: the button build is still pressed, until 2000 ms",
        ),
        (steps("1 s: release build"), "line 3: do: the button build is not pressed; only what a"),
        (
            steps("1 s: hold build for 3 s", "2 s: release build"),
            "line 6: do: the button build is not pressed; only what a press holds",
        ),
        (
            steps("1 s: switch on", "2 s: switch on"),
            "line 6: do: the switch is on already, since 1000 ms",
        ),
        (steps("1 s: switch off"), "line 3: do: the switch is off already"),
        (steps("1 s: hold build for ５ s"), 'line 3: do: "５ s" is no time'),
        (steps("1\u3000s: tap build"), r'line 2: at: "1\u3000s" is no time'),
        (steps('1 s: end: bunce = "9 ms"'), 'line 4: unknown key "bunce"'),
    ],
)
def test_each_mistake_is_told_in_one_line(text, message):
    with pytest.raises(UserError) as caught:
        read(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code == 2


def test_a_file_of_an_editor_that_marks_its_files_as_utf_8(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(steps("1 s: end"), encoding="utf-8-sig")
    assert scenario.load(str(path)).end_ms == 1000


def many(presses, *last):
    return steps("0 s: switch on", *(f"{n} s: tap auction" for n in range(1, presses)), *last)


def test_a_press_of_a_long_scenario_takes_little_memory():
    peaks = []
    for presses in (2000, 4000):
        text = many(presses)
        tracemalloc.start()
        read(text)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert (peaks[1] - peaks[0]) / 2000 < 600  # bytes, while the file is read


@pytest.mark.parametrize(
    ("last", "line"),
    [("3000 s: tap aution", 3), ("1 s: tap build", 2), ("3000 s: end: bounc = 1", 4)],
)
def test_a_mistake_far_down_a_long_scenario_has_its_line(last, line):
    for presses in (3, 3000):
        with pytest.raises(UserError) as caught:
            read(many(presses, last))
        assert caught.value.line == 3 * presses + line
