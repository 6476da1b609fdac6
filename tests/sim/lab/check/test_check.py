"""Expectations pass or fail, and a failure says what happened instead."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from city_unit import ticks
from sim import cli
from sim.lab.check import checking, lab
from tests.helpers.scenario_text import BROKEN, KEPT, steps, write
from tests.helpers.times import WARNED

BLINKS = 'lamp = "auction"\nblinks = "4 per s"'
BAD = [
    ('event = "auction-warnin"', 'did you mean "auction-warning"?'),
    ('evnt = "refused"', 'did you mean "event"?'),
    ('tone = 2700\nat = "46"', "has no unit"),
    ("tone = 2700\nsilence = true", "an expectation must have one of"),
    ('silence = true\nfrom = "3 s"\nto = "1 s"', "is before from"),
    ('event = "permit-granted"\npermit = 4', '"4" is unknown (valid: 1, 2, 3, station)'),
    ('event = "permit-granted"\npermit = true', 'permit: write one of 1, 2, 3, "station"'),
    ('event = "refused"\nwhy = "off"', '"off" is unknown'),
    ('event = "phase-started"\nphase = "dedes"', 'did you mean "deeds"?'),
    ('event = "switched-on"\nprogram = "citty"', 'did you mean "city"?'),
    ('event = "auction-ended"\npermit = 2', "carries no permit, but nothing"),
    ('event = "refused"\npermit = 2', '"refused" carries no permit, but what, why'),
    ('silence = true\nfrom = "70 s"\nto = "90 s"', 'from: "70 s" is after the end of the run'),
    ('lamp = "auction"\nis = "off"\nat = "2 min"', "the end of the run at 60000 ms"),
    ('lamp = "auction"\nblinks = "500.1 per s"', "a lamp blinks at most 500 times per s"),
    ('lamp = "permit"\nis = "on"', "did you mean one of permit-1, permit-2, permit-3, permit-s"),
    (f"{BLINKS}\nis = 'on'", "only one of them"),
    (f"{BLINKS}\nzz = 1", 'unknown key "zz" (valid: blinks, from, lamp, to, tolerance)'),
    (f"{BLINKS}\nfrom = '47 s'\nto = '47.1 s'", "one period (250 ms)"),
    ('silence = true\nfrom = "52 s"\ntolerance = "4 s"', "it leaves nothing of the span"),
    ('silence = true\nfrom = "5 s"\nto = "5 s"', "to: the span is empty: it starts and ends at 5"),
    ('lamp = "auction"\nis = "off"\nfrom = "60 s"', "from: the span is empty"),
    (
        'event = "auction-warning"\nat = "1 s"\ntolerance = "10 h"',
        '"10 h" is not shorter than the run',
    ),
    ('tone = 440\nlength = "1 s"\nat = "1 s"\ntolerance = "1 s"', "less than the length (1000"),
    ('tone = 440\nat = "30 s"\ntolerance = "30 s"', "it covers the whole run"),
    ('event = "hour-beep"\nfrom = "1 s"\nto = "59 s"\ntolerance = "1 s"', "the whole run"),
    (f"{BLINKS}\ntolerance = '125 ms'", "tolerance: must be less than half a period (125 ms)"),
    ('lamp = "auction"\nblinks = "４ per s"', "is not a rate"),
    ("silence = true" + "\n[[expect]]" * 10_000, "10001 entries, not 0 to 10,000"),
]


@pytest.mark.parametrize("faults", ["", '[faults]\nwrap = "20 s"\n'])
def test_kept(tmp_path, capsys, faults):
    path = write(tmp_path, *KEPT, faults=faults)
    assert cli.main(["check", path, "--plot", "none"]) == 0
    assert capsys.readouterr().out.startswith("pass")
    assert ticks.add(checking.load(path).start, 20_000 if faults else 0) == 0


@pytest.mark.parametrize(("expectation", "happened"), BROKEN)
def test_broken(tmp_path, capsys, expectation, happened):
    assert cli.main(["check", write(tmp_path, expectation)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("FAIL") and happened in out and "^" in out


def test_the_client_library_is_imported_for_a_port_only(tmp_path):
    code = "import sys\nfrom sim import cli\ncli.main(sys.argv[1:])\nprint(*sys.modules)"
    run = [sys.executable, "-c", code, "check", write(tmp_path, KEPT[0])]
    out = subprocess.run(run, capture_output=True, text=True, timeout=60).stdout
    assert out.startswith("pass") and "city_unit.host" not in out.splitlines()[-1].split()


def judged(tmp_path, expectation, changes):
    """Judge an expectation with these changes of the auction lamp; return the failures."""
    case = checking.load(write(tmp_path, expectation))
    shown = checking.run(case)
    lit = [(ms, place % 2 == 0) for place, ms in enumerate(changes)]
    broken = checking.broken(case, shown._replace(lamps={**shown.lamps, "auction": lit}))
    return [judged.failures[0] for judged in broken]


@pytest.mark.parametrize("rate", ["1", "3", "4", "4.02", "6.5", "7", "30"])
@pytest.mark.parametrize("part", [0, 0.3, 0.9])
def test_a_rate_is_met_by_no_other_rate(tmp_path, rate, part):
    """Half a blink may be a fraction of a ms; each change is then rounded to a whole one."""
    expectation = f'lamp = "auction"\nblinks = "{rate} per s"\nfrom = "10 s"\nto = "20 s"'

    def changes(faster):
        half = 500 / float(rate) / faster
        return [int(10_000 + part + place * half) for place in range(int(10_000 / half) + 1)]

    assert judged(tmp_path, expectation, changes(1)) == []
    for faster in (0.998, 1.002):
        assert len(judged(tmp_path, expectation, changes(faster))) == 1
    for place in (0, 5, -1):
        one_off = changes(1)
        one_off[place] += 2 if place == 0 else -2
        assert len(judged(tmp_path, expectation, one_off)) == 1

    if rate == "4" and not part:
        assert judged(tmp_path, expectation, changes(1)[:-1]) == []  # lit for half a blink only
        (failure,) = judged(tmp_path, expectation, changes(1)[:-2])
        assert failure.happened == "from 19750 ms no change for 250 ms"


@pytest.mark.parametrize(("permit", "code"), [("2", 1), ('"1"', 0), ("1", 0), ('"station"', 1)])
def test_a_permit_with_and_without_quotes(tmp_path, capsys, permit, code):
    path = tmp_path / "a.toml"
    permits = steps(("0 s", "switch on"), ("1 s", "tap build"), ("3 s", "end"))
    path.write_text(f'{permits}[[expect]]\nevent = "permit-granted"\npermit = {permit}\n')
    assert cli.main(["check", str(path)]) == code
    told = "there was permit-granted permit 1 at 2216 ms" in capsys.readouterr().out
    assert told == bool(code)


@pytest.mark.parametrize(("expectation", "mistake"), BAD)
def test_bad_file(tmp_path, capsys, expectation, mistake):
    assert cli.main(["check", write(tmp_path, expectation)]) == 2
    err = capsys.readouterr().err
    assert "line" in err and mistake in err and err.count("\n") == 1


def test_junit_has_a_case_for_each_expectation_with_its_line(tmp_path, capsys):
    out = tmp_path / "results.xml"
    path = write(tmp_path, KEPT[0], BROKEN[0][0], KEPT[1])
    places = [n for n, row in enumerate(Path(path).read_text().splitlines(), 1) if "[[exp" in row]
    line = places[1]
    assert cli.main(["check", path, "--junit", str(tmp_path / "no" / "a.xml")]) == 2
    assert capsys.readouterr().out == ""  # nothing was checked
    assert cli.main(["check", path, "--junit", str(out)]) == 1
    assert f"  line {line}: expected auction-warning at {WARNED - 1} ms" in capsys.readouterr().out
    (suite,) = ElementTree.parse(out).getroot()
    assert [suite.get(key) for key in ("name", "tests", "failures")] == [path, "3", "1"]
    assert float(suite.get("time")) >= 0 and "T" in suite.get("timestamp")
    assert suite[1].get("name") == f"2. auction-warning at {WARNED - 1} ms"
    failed = [case.find("failure") for case in suite]
    assert [failure is not None for failure in failed] == [False, True, False]
    assert f"{WARNED} ms" in failed[1].get("message")
    assert [(case.get("file"), case.get("line")) for case in suite] == [
        (path, str(place)) for place in places
    ]
    assert all(float(case.get("time")) >= 0 for case in suite)
    with pytest.raises(AssertionError, match=f"line {line}: expected auction-warning"):
        lab.run_file(path).check()
