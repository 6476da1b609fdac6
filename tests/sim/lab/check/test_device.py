"""Device files, with captures, sound, timestamps and live sources."""

import shutil
from array import array

import pytest

from city_unit.desktop.errors import UserError
from sim import cli
from sim.lab.check import device
from sim.lab.check.device import Source
from sim.lab.instrument.digital import Intervals, Signals
from tests.helpers.emulated import ROOT
from tests.helpers.needs import needs, needs_modules
from tests.helpers.scenario_text import steps

EXAMPLES = ROOT / "docs" / "examples"
LIGHT, CSV, LOG = (EXAMPLES / f"bicycle-light.{kind}" for kind in ("toml", "csv", "log"))

LOG_OF_A_BEEP = "100 beep 1\n250 beep 0\n400 beep 1\n550 beep 0\n900 beep 0\n"
CSV_OF_A_BEEP = "Time [s],D0\n0,0\n0.10001,1\n0.25003,0\n0.40002,1\n0.55001,0\n0.9,0\n"


def checked(capsys, *words):
    code = cli.main(["check", *map(str, words)])
    return code, capsys.readouterr().out


def changed(folder, path, old, new):
    text = path.read_text()
    assert old in text
    out = folder / path.name
    out.write_text(text.replace(old, new))
    return out


def test_the_light_by_a_capture_and_by_timestamps(tmp_path, capsys):
    picture = tmp_path / "seen.svg"
    for source in (["--capture", CSV], ["--serial", LOG]):
        code, out = checked(capsys, LIGHT, *source, "--picture", picture, "--force")
        assert code == 0 and "(expectations: 4)" in out
        assert "495 … 505 ms" in out and "20  499.66" in out
        assert ">charger<" in picture.read_text() and "bicycle light" in picture.read_text()


def test_the_metronome_by_sound(capsys):
    needs_modules("numpy", "scipy", "soundfile")
    metronome = [EXAMPLES / "metronome.toml", "--recording", EXAMPLES / "metronome.flac"]
    code, out = checked(capsys, *metronome)
    assert code == 0 and "accent on every 2,000 ms" in out


def test_what_a_source_cannot_see_passes_on_request_only(tmp_path, capsys, city_unit_device):
    (tmp_path / "a.log").write_text(LOG_OF_A_BEEP)
    path = tmp_path / "a.toml"
    path.write_text(
        'device = "a"\ntones = { beep = { hz = 1800 } }\n'
        '[[expect]]\npitch = "beep"\nhz = 1800\nwithin = "1 %"\n'
        '[[expect]]\nlasts = "beep"\nlength = "150 ms"\nwithin = "5 ms"\n'
    )
    log = tmp_path / "a.log"
    code, out = checked(capsys, path, "--serial", log)
    assert code == 3 and out.startswith(f"part  {path} (expectations: 1 of 2 could be judged")
    assert "not visible to this instrument: beep has 1800 Hz" in out
    code, out = checked(capsys, path, "--serial", log, "--allow-unseen")
    assert code == 0 and out.startswith(f"pass  {path} (expectations: 1 of 2 could be judged)")
    with pytest.raises(AssertionError, match="beep has 1800 Hz"):
        city_unit_device(path, serial=log)
    assert city_unit_device(path, serial=log, allow_unseen=True).result.code == 0
    path.write_text(path.read_text().replace("150 ms", "170 ms"))
    assert checked(capsys, path, "--serial", log, "--allow-unseen")[0] == 1


@pytest.mark.parametrize(
    ("source", "rows"), [("serial", LOG_OF_A_BEEP), ("capture", CSV_OF_A_BEEP)]
)
def test_a_pitch_that_a_source_cannot_show_is_not_judged(tmp_path, source, rows):
    (tmp_path / "a.csv").write_text(rows)
    (tmp_path / "a.toml").write_text(
        'device = "a"\ntones = { beep = { hz = 1800, line = "D0" } }\n'
        '[[expect]]\npitch = "beep"\nhz = 1800\nwithin = "1 %"\n'
        '[[expect]]\nlasts = "beep"\nlength = "150 ms"\nwithin = "5 ms"\n'
    )
    report = device.check(
        device.load(str(tmp_path / "a.toml")), Source(**{source: str(tmp_path / "a.csv")})
    )
    pitch, length = report.measured
    assert pitch is None and len(length.values) == 2 and report.result.code == 3


def test_a_pitch_is_named_by_the_time_of_its_tone(tmp_path):
    """The first tone is a level without a pitch, the second swings at another pitch."""
    rises = [f"{1 + place / 4000:.6f},{1 - place % 2}" for place in range(400)]
    (tmp_path / "a.csv").write_text("\n".join(["Time [s],D0", "0,0", "0.1,1", "0.2,0", *rises]))
    (tmp_path / "a.toml").write_text(
        'device = "a"\ntones = { beep = { hz = 2000, line = "D0", within = "5 %" } }\n'
        '[[expect]]\npitch = "beep"\nhz = 1950\nwithin = "1 %"\n'
    )
    source = Source(capture=str(tmp_path / "a.csv"))
    (pitch,) = device.check(device.load(str(tmp_path / "a.toml")), source).measured
    assert [failure.around_ms for failure in pitch.failures] == [1000]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('within = "100 ms"', 'within = "10 ms"', "lamp on comes within 10 ms after button on"),
        ('period = "500 ms"', 'period = "520 ms"', "lamp on every 520 ms, within 5 ms"),
        ('length = "50 ms"', 'length = "60 ms"', "lamp lasts 60 ms, within 2 ms"),
        ('while = "charger"', 'while = "button"', "never lamp while button"),
    ],
)
def test_each_kind_of_fault_fails_one_expectation(tmp_path, capsys, old, new, words):
    code, out = checked(capsys, changed(tmp_path, LIGHT, old, new), "--capture", CSV)
    assert code == 1 and "expectations: 1 of 4 not met" in out and f"expected {words}\n" in out
    assert "happened at " in out
    assert "520" not in words or ("it is 500" in out and "  20 failures in total\n" in out)


@pytest.mark.parametrize(
    "option",
    [
        *("--plot p.svg", "--pin lamp=D1", "--buzzer D1", "--align on", "--glitch-us 3"),
        *("--on cpython", "--clock-error 1%", "--seconds 3", "--rate 5000"),
        "--retries 1",
    ],
)
def test_an_option_that_does_not_apply_is_rejected(capsys, option):
    words = option.split()
    assert cli.main(["check", str(LIGHT), "--capture", str(CSV), *words]) == 2
    told = capsys.readouterr()
    assert words[0] in told.err and not told.out and told.err.count("\n") == 1


def test_no_plot_of_a_device_and_no_empty_name(capsys):
    by_capture = ("--capture", str(CSV))
    assert checked(capsys, LIGHT, *by_capture, "--plot", "none")[0] == 0
    for words in ((), (LIGHT, *by_capture, "--picture"), (LIGHT, *by_capture, "--junit")):
        assert cli.main(["check", *map(str, words), ""]) == 2
        told = capsys.readouterr()
        assert "must not be empty" in told.err and not told.out and told.err.count("\n") == 1


def test_no_verdict_beyond_the_end(tmp_path, capsys):
    """A window that starts or ends after the last sample neither fails nor passes."""
    path, log = tmp_path / "a.toml", tmp_path / "a.log"
    path.write_text(RULES + 'comes = "bell"\nafter = "lamp"\nat = "60 s"\nwithin = "5 ms"')
    log.write_text("0 lamp 1\n5000 lamp 0\n")
    code, out = checked(capsys, path, "--serial", log, "--junit", tmp_path / "a.xml")
    assert code == 3 and "the observation ends at 5.0 s: bell on" in out and "never" not in out
    assert "the observation ends before" in (tmp_path / "a.xml").read_text()
    log.write_text("0 lamp 1\n70000 lamp 0\n")
    assert checked(capsys, path, "--serial", log)[0] == 1


@pytest.mark.parametrize("source", ["capture", "recording", "serial"])
def test_a_missing_file_is_an_error(tmp_path, capsys, source):
    path = tmp_path / "missing.csv"
    code = cli.main(["check", str(LIGHT), f"--{source}", str(path)])
    assert code == (3 if source == "serial" else 2)  # no such port
    assert capsys.readouterr().err.count("\n") == 1


RULES = """device = "a"
lines = { lamp = "A", bell = "B" }
[[expect]]
"""


@pytest.mark.parametrize(
    ("differences", "failed"),
    [
        ([(10, 12), (20, 22), (30, 32)], (0, 0, 0)),
        (
            [(0, 2), (10, 12), (20, 22), (90, 92), (100, 102)],
            (0, 0, 0),
        ),  # cut off, and with a pause
        ([(0, 12), (20, 22), (30, 32), (95, 110)], (0, 0, 0)),  # cut off at both ends
        ([(9, 11), (20, 21), (30, 33)], (0, 0, 0)),  # at the limits
        ([(10, 12), (20, 22), (30, 32), (42, 46)], (1, 0, 1)),
        ([(10, 12)], (1, 1, 0)),  # without a gap nothing is measured
    ],
)
def test_gaps_and_lengths(tmp_path, differences, failed):
    path = tmp_path / "a.toml"
    every = 'every = "lamp"\nperiod = "10 ms"\nwithin = "1 ms"\npause = "30 ms"\n'
    off = 'every = "lamp off"\nperiod = "40 ms"\nwithin = "40 ms"\n'
    lasts = 'lasts = "lamp"\nlength = "2 ms"\nwithin = "1 ms"\n'
    path.write_text(RULES + f"{every}[[expect]]\n{off}[[expect]]\n{lasts}")
    shown = Signals({"lamp": Intervals(differences)}, {}, 110)
    assert tuple(each.judge(shown).failed for each in device.load(str(path)).expected) == failed


def bells(*times):
    """Return timestamps of strokes of 10 ms that start at these times in ms."""
    return "\n".join(f"{ms} bell 1\n{ms + 10} bell 0" for ms in times)


THREE = 'sequence = ["bell", "bell", "bell"]\nwithin = "250 ms"'
ORDER = 'sequence = ["lamp", "bell", "lamp off"]\nwithin = "9 ms"'
AGAIN = 'comes = "bell"\nafter = "bell"\nwithin = "300 ms"'


NEAR = 'comes = "bell"\nof = "lamp"\nwithin = "20 ms"'
LATER = 'comes = "bell"\nafter = "lamp"\nat = "1 s"\nwithin = "1 ms"'
COUNTED = 'count = "bell"\ntimes = 1\nafter = "lamp"\nwithin = "20 ms"'
SLOW = 'lasts = "lamp"\nlength = "2 s"\nwithin = "1 ms"\n[limits]\ntick = "1 s"'
BY_RULE = [  # rule, timestamps, number of failures
    (NEAR, "5 bell 1\n9 bell 0\n20 lamp 1", 0),
    (NEAR, "5 bell 1\n9 bell 0\n40 lamp 1", 1),
    # the bell near the first lamp may precede the observation
    (NEAR, "0 other 1\n5 lamp 1\n9 lamp 0\n1000 lamp 1\n1001 bell 1", 0),
    (LATER, "0 lamp 1\n1001 bell 1", 0),
    (LATER, "0 lamp 1\n1002 bell 1", 1),
    # the bell nearest to the middle of the window, not to its start
    (LATER, "0 lamp 1\n998.5 bell 1\n998.6 bell 0\n1000.5 bell 1", 0),
    (COUNTED, "0 other 1\n10 lamp 1\n30 bell 1", 0),
    # the lamp was on before its first line
    ('never = "lamp"\nwhile = "bell"', "0 bell 1\n5 lamp 0\n6 bell 0", 1),
    (SLOW, "0 other 1\n1 lamp 1\n3 lamp 0", 0),  # with another tick
    (ORDER, "0 lamp 1\n4 bell 1\n9 lamp 0", 0),
    (ORDER, "0 lamp 1\n4 lamp 0\n9 bell 1", 1),
    # three beeps per group: an edge does not follow itself
    (THREE, bells(0, 100, 200, 1000, 1100, 1200), 0),
    (THREE, bells(0, 200, 1000, 1100, 1200, 2000, 2100, 2200), 1),
    (AGAIN, bells(0, 100, 1000, 1100), 2),
    ('count = "lamp"\ntimes = 2', "0 lamp 1\n1 lamp 0\n2 lamp 1", 0),
    ('count = "lamp"\ntimes = 3', "0 lamp 1\n1 lamp 0\n2 lamp 1", 1),
    ('never = "bell"', "0 lamp 1", 0),
    ('never = "bell"', "0 bell 1\n5 bell 0", 1),
    ('every = "bell"\nperiod = "1 s"\nwithin = "1 ms"', "0 lamp 1", 1),  # never observed
]


@pytest.mark.parametrize(("rule", "rows", "failed"), BY_RULE)
def test_each_rule(tmp_path, rule, rows, failed):
    path, log = tmp_path / "a.toml", tmp_path / "a.log"
    path.write_text(RULES + rule)
    log.write_text(rows + "\n5000 other 1\n")
    report = device.check(device.load(str(path)), Source(serial=str(log)))
    (one,) = report.measured
    assert one.failed == failed and report.result.code == (1 if failed else 0)


class Counted(array):
    """Times that count how many of them are copied."""

    copied = 0

    def __getitem__(self, place):
        found = super().__getitem__(place)
        Counted.copied += len(found) if isinstance(place, slice) else 0
        return found


@pytest.mark.parametrize("rule", [LATER, AGAIN.replace("300", "20"), NEAR])
def test_the_time_for_a_rule_is_proportional_to_the_edges(tmp_path, rule):
    path = tmp_path / "a.toml"
    path.write_text(RULES + rule)
    spans = Intervals((ms, ms + 0.5) for ms in range(1, 3001))
    spans.starts = Counted("d", spans.starts)
    shown = Signals({"lamp": spans, "bell": spans}, {}, 5000)
    Counted.copied = 0
    (rule,) = device.load(str(path)).expected
    assert len(rule.judge(shown).values) > 1900
    assert Counted.copied < 4 * 3000


def test_microseconds_are_shown(tmp_path):
    (tmp_path / "a.toml").write_text(RULES + 'every = "lamp"\nperiod = "20 us"\nwithin = "4 us"\n')
    (rule,) = device.load(str(tmp_path / "a.toml")).expected
    found = rule.judge(Signals({"lamp": Intervals([(1, 1.005), (1.0192, 1.02)])}, {}, 3))
    assert found.row()[:5] == ["1", "0.0192", "0.0192", "0.0192", "0.016 … 0.024 ms"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (RULES + 'every = "lmap"\nperiod = "1 s"\nwithin = "1 ms"', 'did you mean "lamp"'),
        (RULES + 'every = "lamp"\nperiod = "1"\nwithin = "1 ms"', "is not a time"),
        (RULES + 'comes = "lamp"\nwithin = "1 ms"', "needs one of after and of"),
        (RULES + 'ever = "lamp"', "an expectation must have one of every"),
        ('device = "a"', "a device needs [lines] or [tones]"),
        ('device = "a"\nlines = { a = "!" }', "write the analyser's line"),
        (RULES.replace("[[expect]]", ""), "nothing is expected"),
        (RULES + 'never = "lamp"' + "\n[[expect]]" * 10_000, "10001 entries, not 0 to 10,000"),
    ],
)
def test_an_error_in_the_file_is_one_line(tmp_path, text, words):
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(UserError) as caught:
        device.load(str(path))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_capture_too_slow_for_a_tone_is_named_by_its_file(tmp_path, capsys):
    path, capture = tmp_path / "a.toml", tmp_path / "slow.csv"
    rule = 'count = "beep"\ntimes = 1\n'
    beep = 'tones.beep = { hz = 2000, line = "B", within = "500 ppm" }'
    path.write_text(f'device = "a"\n{beep}\nlimits = {{ glitch = "3 us" }}\n[[expect]]\n{rule}')
    described = device.load(str(path))
    assert (described.tones["beep"].part, described.glitch_us) == (0.0005, 3)
    capture.write_text("Time [ms],B\n" + "".join(f"{ms},{ms % 2}\n" for ms in range(9)))
    assert cli.main(["check", str(path), "--capture", str(capture)]) == 2
    assert f"{capture}: sampled too slowly for 2000 Hz" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("", "it contains no timestamps"),
        ("1 lamp 1\n0 lamp 0", "line 2: the time goes backwards"),
        ("0 lamp 1\n1e99 lamp 0", "line 2: the time goes backwards, or too far"),
        ("0 lamp 1\nnan lamp 0", "line 2: the time goes backwards"),
        ("0 lamp 1\n" + "x" * 5000, "is not a time, a name and 1 or 0"),
        ("0 lamp \x1b[2J\x07", '"0 lamp ?[2J?" is not a time'),  # a terminal would obey it
    ],
)
def test_hostile_timestamps_are_one_line(tmp_path, rows, words):
    log = tmp_path / "a.log"
    log.write_text(rows)
    with pytest.raises(UserError) as caught:
        device.check(device.load(str(LIGHT)), Source(serial=str(log)))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_failure_has_the_time_of_its_line_in_the_file(tmp_path, capsys):
    """A board counts from its start, and prints the first line later."""
    path, log = tmp_path / "a.toml", tmp_path / "a.log"
    lasts = 'lasts = "lamp"\nlength = "20 ms"\nwithin = "1 ms"\n'
    comes = 'comes = "bell"\nafter = "lamp"\nat = "9 s"\nwithin = "1 ms"\n'
    path.write_text(RULES + "[[expect]]\n".join([lasts, comes, 'count = "bell"\ntimes = 2\n']))
    log.write_text("70000 lamp 1\n70020 lamp 0\n70500 lamp 1\n70525 lamp 0\n71000 bell 1\n")
    picture = tmp_path / "a.svg"
    code, out = checked(capsys, path, "--serial", log, "--picture", picture)
    assert code == 1 and "at 70,500 ms it is 25 ms" in out and "^ 70500 ms" in out
    assert "at 70,000 ms it is 1, not 2" in out and "the observation ends at 71.0 s" in out
    assert ">70.5 s<" in picture.read_text()


class Talking:
    """A serial port with pending data when it is opened, and silent afterwards."""

    def __init__(self, said):
        self._said = [said[place : place + 7] for place in range(0, len(said), 7)]
        self.is_closed = False

    def read(self, _timeout):
        return self._said.pop(0) if self._said else b""

    def close(self):
        self.is_closed = True


def test_a_serial_port_that_prints_timestamps(tmp_path, monkeypatch):
    path = tmp_path / "a.toml"
    path.write_text(RULES + 'every = "lamp"\nperiod = "100 ms"\nwithin = "1 ms"')
    rows = "".join(f"{at} lamp 1\r\n{at + 20} lamp 0\r\n" for at in range(100, 900, 100))
    port = Talking(b"mp 0\n" + rows.encode())
    monkeypatch.setattr("city_unit.host.ports.open_port", lambda name: port)
    report = device.check(device.load(str(path)), Source(serial="/dev/ttyACM0", seconds=0.05))
    assert len(report.measured[0].values) == 7 and report.result.code == 0 and port.is_closed


@pytest.fixture
def demo(tmp_path):
    """Write a device file for sigrok's demo analyser, whose D0 toggles steadily."""
    needs(shutil.which("sigrok-cli"), "sigrok-cli")
    path = tmp_path / "demo.toml"
    path.write_text(
        'device = "demo"\nlines = { lamp = "D0" }\nlimits = { glitch = "0 us" }\n'
        '[[expect]]\nevery = "lamp"\nperiod = "1 s"\nwithin = "999 ms"\n'
    )
    return path


def test_a_live_analyser(demo):
    described = device.load(str(demo))
    report = device.check(described, Source(analyser="demo", seconds=0.05, hertz=10_000))
    assert len(report.measured[0].values) > 3
    with pytest.raises(UserError) as caught:
        device.check(described, Source(analyser="no-such-driver", seconds=0.05))
    assert "\n" not in str(caught.value)


def test_retries_are_counted(demo, capsys):
    words = ["--analyser", "demo", "--seconds", "0.05", "--rate", "10000", "--retries", "2"]
    demo.write_text(demo.read_text().replace("999 ms", "1 ms"))
    code, out = checked(capsys, demo, *words)
    assert code == 1 and "measured again: 2\n" in out
    assert checked(capsys, demo, "--capture", CSV, "--retries", "2")[0] == 2


def test_the_fixture_reports_measurements(city_unit_device):
    report = city_unit_device(LIGHT, capture=CSV)
    flashes = report.of("lamp on every 500 ms, within 5 ms")
    assert len(flashes.values) == 20 and (flashes.low, flashes.high) == (495, 505)
    assert report.retries == 0
    with pytest.raises(UserError, match='did you mean "lamp on every 500 ms, within 5 ms"'):
        report.of("lamp on every 500 ms, within 6 ms")


def test_the_fixture_fails_with_the_measurements(city_unit_device, tmp_path):
    path = changed(tmp_path, LIGHT, 'period = "500 ms"', 'period = "520 ms"')
    with pytest.raises(AssertionError, match=r"lamp on every 520 ms(.|\n)*515 … 525 ms"):
        city_unit_device(path, serial=LOG)


def test_the_rules_apply_to_scenarios_too(tmp_path, capsys):
    path = tmp_path / "auction.toml"
    path.write_text(
        steps(("0 s", "switch on"), ("1 s", "tap auction"), ("60 s", "end"))
        + '[[expect]]\ncomes = "auction-ended"\nafter = "auction-warning"\n'
        + 'at = "5 s"\nwithin = "0 ms"\n'
        + '[[expect]]\nnever = "permit-1"\nwhile = "auction"\n'
    )
    assert checked(capsys, path)[0] == 0
    path.write_text(path.read_text().replace('"5 s"', '"6 s"'))
    code, out = checked(capsys, path)
    assert code == 1 and "auction-ended on comes 6,000 ms after auction-warning on" in out
    assert "it is 5,000 ms" in out
