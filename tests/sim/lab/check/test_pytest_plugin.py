"""The pytest plugin in another project."""

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

from tests.helpers.emulated import ROOT
from tests.helpers.times import ENDED, FAST_FROM, FAST_TO, LENGTH_MS, PRESSED, WARNED
from tests.scenarios import FOLDER

EXAMPLES = ROOT / "docs" / "examples"
GAME = (("0 s", "switch on"), ("1 s", "tap auction"), ("60 s", "end"))


def test_a_trace_and_its_expectations(city_unit_trace, tmp_path):
    trace = city_unit_trace(*GAME, seed=7)
    trace.expect(event="auction-warning", at=f"{WARNED} ms")
    fast = {"from_": f"{FAST_FROM} ms", "to": f"{FAST_TO} ms"}
    trace.expect(lamp="auction", blinks="4 per s", **fast)
    trace.expect(lamp="auction", is_="off", at="52 s")
    assert trace.first("auction-ended").ms == ENDED
    assert [tone.hz for tone in trace.tones][:3] == [2000, 2700, 2700]
    assert trace.is_lit("auction", "1100 ms") and not trace.is_lit("auction", "51.1 s")
    trace.save(tmp_path / "a.svg")
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_a_failure_includes_a_picture(city_unit_trace):
    with pytest.raises(AssertionError) as told:
        city_unit_trace(*GAME).expect(event="auction-ended", at=f"{LENGTH_MS} ms")
    assert f"expected auction-ended at {LENGTH_MS} ms" in str(told.value)
    assert f"happened at {ENDED} ms (+{PRESSED} ms)" in str(told.value)
    with pytest.raises(AssertionError, match="hour-ended does not occur"):
        city_unit_trace(*GAME).first("hour-ended")


def test_steps_that_wait_and_faults(city_unit_trace):
    trace = city_unit_trace(
        *GAME[:2],
        {"when": "auction-warning", "after": "1 s", "do": "tap build"},
        {"when": "auction-ended", "after": "5 s", "do": "end"},
        faults={"late": "5 ms"},
    )
    assert trace.first("refused").fields == {"what": "build", "why": "warning"}


def test_a_file_with_its_expectations(city_unit_trace, tmp_path):
    path = tmp_path / "auction.toml"
    expected = f'[[expect]]\nevent = "auction-ended"\nat = "{ENDED - 16} ms"\n'
    path.write_text((FOLDER / "auction.toml").read_text() + expected)
    with pytest.raises(AssertionError, match=f"expected auction-ended at {ENDED - 16} ms"):
        city_unit_trace(path).check()
    city_unit_trace(FOLDER / "auction.toml").check()


MISTAKES = [
    ("city_unit_trace(('0 s', 'switch on'), ('1 s', 'tap auktion'))", "did you mean"),
    ("city_unit_trace(('0 s', 'switch on'), ('1 s', 'end'), sede=3)", 'did you mean "seed"?'),
    (
        "city_unit_trace(('0 s', 'switch on'), ('1 s', 'end')).expect(evnt='refused', at='1 s')",
        'did you mean "event"?',
    ),
    ("city_unit_trace('nowhere.toml')", "nowhere.toml"),
    ("city_unit_search(lambda trace: True, program='citty')", 'did you mean "city"?'),
]


def test_the_plugin_is_active_in_another_project(tmp_path):
    """Each failed test reports the error and its place, not a traceback of the lab.

    The plugin is loaded by its entry point, in an unrelated folder. The measurements of a device
    are in JUnit's file, and cause no warning.
    """
    path = tmp_path / "test_it.py"
    light = {kind: str(EXAMPLES / f"bicycle-light.{kind}") for kind in ("toml", "csv")}
    calls = [call for call, _words in MISTAKES]
    calls.append("city_unit_search(lambda one: not one.of('auction-started'), runs=9, minutes=2)")
    calls.append(f"city_unit_trace(*{GAME!r}).expect(event='auction-ended', at='{ENDED} ms')")
    calls.append("city_unit_search(lambda one: len(one.of('auction-started')) < 9, runs=5)")
    calls.append("city_unit_device({toml!r}, capture={csv!r})".format(**light))
    fixtures = "city_unit_trace, city_unit_search, city_unit_device"
    path.write_text(
        "".join(
            f"def test_{place}({fixtures}):\n    {call}\n\n\n" for place, call in enumerate(calls)
        )
    )
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    words += ["-W", "error", "--junitxml", "out.xml"]
    if not any(entry.name == "city_unit" for entry in entry_points(group="pytest11")):
        words[3:3] = ["-p", "sim.lab.check.pytest_plugin"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    lines = done.stdout.splitlines()
    for place, (_call, said) in enumerate(MISTAKES):
        (line,) = [line for line in lines if line.startswith(f"{path}:{4 * place + 2}: ")]
        assert said in line
    assert f"{len(MISTAKES) + 1} failed, 3 passed" in done.stdout
    assert '<property name="lamp lasts 50 ms, within 2 ms"' in (tmp_path / "out.xml").read_text()
    assert 'do = "tap auction"' in done.stdout and "sim/lab/check" not in done.stdout
