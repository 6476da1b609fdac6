"""Expectations: kept ones pass, each broken one is told beside what happened."""

from xml.etree import ElementTree

import pytest

from sim import cli
from sim.lab import checking

STEPS = """
seed = 7
[[steps]]
at = "0 s"
do = "switch on"
[[steps]]
at = "1 s"
do = "tap auction"
bounce = "8 ms"
[[steps]]
at = "60 s"
do = "end"
"""

# The press is accepted at 1016 ms: at the end of its debounce.
KEPT = [
    'event = "auction-warning"\nat = "46016 ms"',
    'event = "auction-warning"\ntimes = 1\nfrom = "45 s"\nto = "47 s"',
    'event = "auction-warning"\nat = "46006 ms"\ntolerance = "10 ms"',
    'event = "refused"\ntimes = 0',
    'event = "switched-on"\nprogram = "city"\nat = "0 s"',
    'lamp = "auction"\nis = "on"\nfrom = "1016 ms"\nto = "1500 ms"',
    'lamp = "auction"\nis = "off"\nat = "51016 ms"',
    'lamp = "auction"\nblinks = "4 per s"\nfrom = "47 s"\nto = "50 s"',
    'tone = 2700\nat = "46016 ms"\nlength = "400 ms"',
    'silence = true\nfrom = "52 s"\nto = "60 s"',
    'order = ["auction-started", "auction-warning", "auction-ended"]',
    'event = "auction-started"\nlength = "50 s"',
    'event = "auction-warning"\nleft = "5 s"',
    'lamp = "auction"\nblinks = "4 per s"\nfrom = "47 s"\nto = "50 s"\ntolerance = "5 ms"',
    'silence = true\nfrom = "52 s"\nto = "60 s"\ntolerance = "3999 ms"',
    'event = "switched-on"\nat = "0 s"\ntolerance = "1 s"',
]

BROKEN = [
    ('event = "auction-warning"\nat = "46015 ms"', "at 46016 ms (+1 ms)"),
    ('event = "hour-beep"\nat = "1 s"', "never"),
    ('event = "auction-warning"\ntimes = 2', "1 times: 46016 ms"),
    ('lamp = "auction"\nis = "on"\nfrom = "2 s"\nto = "5 s"', "off at"),
    ('lamp = "auction"\nis = "off"\nat = "1200 ms"', "on at 1200 ms"),
    ('lamp = "auction"\nblinks = "5 per s"\nfrom = "47 s"\nto = "50 s"', "stayed for 125 ms"),
    ('lamp = "permit-1"\nblinks = "5 per s"\nfrom = "47 s"\nto = "50 s"', "0 changes"),
    (
        'tone = 2700\nat = "46016 ms"\nlength = "399 ms"',
        "never; there was 2700 Hz for 400 ms at 46016 ms",
    ),
    (
        'tone = 2600\nat = "46016 ms"',
        "never; there was 2700 Hz for 400 ms at 46016 ms",
    ),
    (
        'tone = 2700\nlength = "400 ms"\nat = "1016 ms"',
        "at 46016 ms (+45000 ms); there was 2700 Hz for 25 ms at 1016 ms",
    ),
    (
        'tone = 2700\nlength = "401 ms"\nfrom = "45 s"\nto = "50 s"',
        "0 times: never; there was 2700 Hz for 400 ms at 46016 ms",
    ),
    (
        'event = "auction-started"\nlength = "51 s"\nat = "1016 ms"',
        "never; there was auction-started length_ms 50000 at 1016 ms",
    ),
    ('silence = true\nfrom = "45 s"\nto = "47 s"', "2700 Hz from 46016 to 46416 ms"),
    ('order = ["auction-ended", "auction-warning"]', "auction-warning, auction-ended"),
]

BAD = [
    ('event = "auction-warnin"', 'did you mean "auction-warning"?'),
    ('lamp = "auctoin"\nis = "on"', 'did you mean "auction"?'),
    ('evnt = "refused"', 'did you mean "event"?'),
    ('tone = 2700\nat = "46"', "has no unit"),
    ("tone = 2700\nsilence = true", "an expectation has one of"),
    ('silence = true\nfrom = "3 s"\nto = "1 s"', "is before from"),
    ('event = "permit-granted"\npermit = 4', '"4" is unknown (there is: 1, 2, 3, station)'),
    ('event = "permit-granted"\npermit = "permit-1"', '"permit-1" is unknown'),
    *(
        (f'event = "permit-granted"\npermit = {value}', 'permit: write one of 1, 2, 3, "station"')
        for value in ("true", "1.0", "[1]")
    ),
    ('event = "permit-granted"\npermt = 2', 'unknown key "permt", did you mean "permit"?'),
    ('event = "refused"\nwhy = "auktion"', 'did you mean "auction"?'),
    ('event = "refused"\nwhy = "off"', '"off" is unknown'),
    ('event = "refused"\nwhat = "biuld"', 'did you mean "build"?'),
    ('event = "phase-started"\nphase = "dedes"', 'did you mean "deeds"?'),
    ('event = "switched-on"\nprogram = "citty"', 'did you mean "city"?'),
    (
        'event = "auction-ended"\npermit = 2',
        'permit: "auction-ended" carries no permit, but nothing',
    ),
    (
        'event = "refused"\npermit = 2',
        'permit: "refused" carries no permit, but what, why',
    ),
    ('silence = true\nfrom = "70 s"\nto = "90 s"', 'from: "70 s" is never reached, the run ends'),
    ('silence = true\nfrom = "2 s"\nto = "61 s"', "the run ends at 60000 ms"),
    ('event = "auction-ended"\ntimes = 0\nto = "80 s"', "the run ends at 60000 ms"),
    ('event = "auction-ended"\nat = "60001 ms"', "the run ends at 60000 ms"),
    ('lamp = "auction"\nis = "off"\nat = "2 min"', "the run ends at 60000 ms"),
    ('order = ["refused", "refused"]\nto = "2 h"', "the run ends at 60000 ms"),
    ('lamp = "auction"\nblinks = "4 per s"\nat = "47 s"', "unknown key"),
    ('lamp = "auction"\nblinks = "4 per s"\nfrom = "47 s"\nto = "47.1 s"', "one period is 250 ms"),
    (
        'silence = true\nfrom = "52 s"\nto = "60 s"\ntolerance = "4 s"',
        "it leaves nothing of the span",
    ),
]


def write(tmp_path, *expectations, faults=""):
    path = tmp_path / "a.toml"
    path.write_text(STEPS + faults + "".join(f"\n[[expect]]\n{one}\n" for one in expectations))
    return str(path)


@pytest.mark.parametrize("expectation", KEPT)
@pytest.mark.parametrize("faults", ["", '[faults]\nwrap = "20 s"\n'])
def test_kept(tmp_path, capsys, expectation, faults):
    assert cli.main(["check", write(tmp_path, expectation, faults=faults)]) == 0
    assert capsys.readouterr().out.startswith("pass")


@pytest.mark.parametrize(("expectation", "happened"), BROKEN)
def test_broken(tmp_path, capsys, expectation, happened):
    assert cli.main(["check", write(tmp_path, expectation)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("FAIL") and happened in out and "^" in out


PERMITS = """
seed = 7
[[steps]]
at = "0 s"
do = "switch on"
[[steps]]
at = "1 s"
do = "tap build"
[[steps]]
at = "3 s"
do = "end"
"""


@pytest.mark.parametrize(("permit", "code"), [("2", 1), ('"1"', 0), ("1", 0), ('"station"', 1)])
def test_a_permit_with_and_without_quotes(tmp_path, capsys, permit, code):
    path = tmp_path / "a.toml"
    path.write_text(f'{PERMITS}[[expect]]\nevent = "permit-granted"\npermit = {permit}\n')
    assert cli.main(["check", str(path)]) == code
    if code:
        assert "there was permit-granted permit 1 at 2216 ms" in capsys.readouterr().out


def test_a_run_without_an_end_ends_with_its_last_step(tmp_path, capsys):
    path = tmp_path / "a.toml"
    steps = STEPS[: STEPS.rindex("[[steps]]")]
    path.write_text(f'{steps}[[expect]]\nsilence = true\nfrom = "2 s"\nto = "70 s"\n')
    assert cli.main(["check", str(path)]) == 2
    err = capsys.readouterr().err
    assert 'the run ends at 1088 ms; a step "end" would end it later' in err


@pytest.mark.parametrize(("expectation", "mistake"), BAD)
def test_bad_file(tmp_path, capsys, expectation, mistake):
    assert cli.main(["check", write(tmp_path, expectation)]) == 2
    err = capsys.readouterr().err
    assert "line" in err and mistake in err and err.count("\n") == 1


def test_a_late_body_is_late_once(tmp_path, capsys):
    """What is seen late shifts the press, and nothing after it: the marks keep their distance."""
    press = 'event = "auction-started"\nat = "1016 ms"\ntolerance = "40 ms"'
    length = 'event = "auction-ended"\nat = "51016 ms"\ntolerance = "40 ms"'
    for faults in ('[faults]\nlate = "40 ms"\n', '[faults]\nlate = "40 ms"\nwrap = "30 s"\n'):
        path = write(tmp_path, press, length, faults=faults)
        assert cli.main(["check", path]) == 0
        case = checking.load(path)
        shown = checking.run(case)
        times = {kind: ms for ms, kind, _ in shown.events}
        assert times["auction-started"] > 1016
        assert times["auction-warning"] - times["auction-started"] == 45_000
        assert times["auction-ended"] - times["auction-started"] == 50_000


def several(tmp_path):
    """Return the files of a scenario that is kept, one that is not, and one with a mistake."""
    for name, expectation in (("kept", KEPT[0]), ("broken", BROKEN[0][0]), ("bad", BAD[0][0])):
        (tmp_path / f"{name}.toml").write_text(f"{STEPS}[[expect]]\n{expectation}\n")
    return [str(tmp_path / f"{name}.toml") for name in ("kept", "broken", "bad")]


def test_a_folder_and_junit(tmp_path, capsys):
    several(tmp_path)
    (tmp_path / "bad.toml").unlink()
    out = tmp_path / "results.xml"
    assert cli.main(["check", str(tmp_path), "--junit", str(out)]) == 1
    assert capsys.readouterr().out.endswith("passed: 1, failed: 1, not checked: 0\n")
    suite = ElementTree.parse(out).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert "46016 ms" in suite.find("testcase/failure").get("message")


@pytest.mark.parametrize("as_folder", [True, False])
def test_a_faulty_file_keeps_no_other_from_being_checked(tmp_path, capsys, as_folder):
    files = several(tmp_path)
    out = tmp_path / "results.xml"
    paths = [str(tmp_path)] if as_folder else files
    assert cli.main(["check", *paths, "--junit", str(out)]) == 2
    told = capsys.readouterr()
    assert f"pass  {files[0]}" in told.out and f"FAIL  {files[1]}" in told.out
    assert "passed: 1, failed: 1, not checked: 1" in told.out
    assert f'{files[2]}, line 14: event: "auction-warnin" is unknown' in told.err
    suite = ElementTree.parse(out).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    case = next(one for one in suite if one.get("name") == files[2])
    assert "line 14" in case.find("error").get("message")


def test_junit_where_no_folder_is(tmp_path, capsys):
    out = str(tmp_path / "no" / "a.xml")
    assert cli.main(["check", write(tmp_path, KEPT[0]), "--junit", out]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
