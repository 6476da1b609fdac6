"""`check --capture`: what a logic analyser saw is held to what a scenario expects."""

import random
import re
import shutil
import subprocess
import zipfile
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from city_unit.facts import LAMPS
from city_unit.programs import PROGRAMS
from sim import cli
from sim.engine import scenario, virtual
from sim.lab.instrument import pins, witness
from sim.lab.instrument.witness import Options
from tests.helpers.expecting import COUNT, check
from tests.helpers.needs import needs, needs_modules
from tests.helpers.quick import some_quick
from tests.helpers.times import ENDED, WARNED
from tests.scenarios import FOLDER, NAMES
from tests.sim.lab.instrument.analyser import Analyser

needs_modules("vcd")

D = {name: f"D{place}" for place, name in enumerate((*LAMPS, "buzzer"))}
PINS = [word for name in LAMPS for word in ("--pin", f"{name}={D[name]}")] + [
    "--buzzer",
    D["buzzer"],
]


def drift(out):
    found = re.search(r"drift ([+-][0-9.]+) ± ([0-9.]+) ppm", out)
    return float(found[1]), float(found[2])


@pytest.mark.parametrize("kind", ["csv", "vcd"])
@pytest.mark.parametrize("ppm", [0, 43, -180])
def test_a_capture_is_held_to_the_same_expectations(tmp_path, capsys, expecting, kind, ppm):
    analyser = Analyser(expecting, drift_ppm=ppm)
    analyser.renamed(D)
    capture = tmp_path / f"run.{kind}"
    (analyser.saleae if kind == "csv" else analyser.vcd)(capture)
    code, out, _err = check(capsys, expecting, "--capture", capture, *PINS)
    assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")
    measured, off = drift(out)
    assert abs(measured - ppm) <= min(off, 3) and off < 40


@pytest.mark.parametrize("name", some_quick(NAMES, 5))
def test_every_scenario_is_seen_edge_by_edge(tmp_path, name):
    """Whatever the unit does at its pins comes back within the jitter that was put in."""
    path = FOLDER / f"{name}.toml"
    told = scenario.load(str(path))
    due = virtual.shown(told)
    if not due.tones or told.end_ms > 200_000:
        return
    capture = Analyser(path, drift_ppm=25).saleae(tmp_path / "a.csv")
    seen = witness.of_capture(str(capture), told, Options()).shown
    for lamp in LAMPS:
        assert [on for _, on in seen.lamps[lamp]] == [on for _, on in due.lamps[lamp]]
        pairs = zip(seen.lamps[lamp], due.lamps[lamp], strict=True)
        assert all(abs(ms - at) <= 1 for (ms, _), (at, _) in pairs)
    assert [hz for _, hz in seen.tones] == [hz for _, hz in due.tones]
    pairs = zip(seen.tones, due.tones, strict=True)
    assert all(abs(ms - at) <= 2 for (ms, _), (at, _) in pairs)


VISIBLE = ("auction-warning", "auction-ended", "auction-cancelled", "permit-granted")


@pytest.mark.parametrize("name", ["auction", "permit-2", "permit-station", "auction-cancelled"])
def test_events_are_known_by_their_cues(tmp_path, name):
    path = FOLDER / f"{name}.toml"
    told = scenario.load(str(path))
    due = virtual.shown(told)
    capture = Analyser(path, drift_ppm=25).saleae(tmp_path / "a.csv")
    seen = witness.of_capture(str(capture), told, Options()).shown
    assert [kind for _, kind, _ in seen.events] == [kind for _, kind, _ in due.events]
    assert all(
        abs(ms - at) <= 1 for (ms, _, _), (at, _, _) in zip(seen.events, due.events, strict=True)
    )
    assert [fields.get("permit") for *_, fields in seen.events] == [
        fields.get("permit") for *_, fields in due.events
    ]


@pytest.mark.slow
def test_a_session_of_sigrok(tmp_path, capsys):
    needs(shutil.which("sigrok-cli"), "sigrok-cli")
    path = tmp_path / "permit.toml"
    path.write_text(
        (FOLDER / "permit-2.toml").read_text()
        + '[[expect]]\nevent = "permit-granted"\npermit = 2\nat = "2216 ms"\n'
        + '[[expect]]\ntone = 2300\nat = "2456 ms"\nlength = "110 ms"\n'
    )
    vcd = Analyser(path, drift_ppm=60).vcd(tmp_path / "a.vcd", tick_ns=10_000)
    for kind, out in (("srzip", "a.sr"), ("csv", "a.csv")):
        words = ["sigrok-cli", "-I", "vcd", "-i", vcd, "-O", kind, "-o", tmp_path / out]
        subprocess.run([str(word) for word in words], check=True, capture_output=True)
        code, told, _ = check(capsys, path, "--capture", tmp_path / out)
        assert (code, told.splitlines()[0]) == (0, f"pass  {path} (expectations: 2)")
        measured, off = drift(told)
        assert abs(measured - 60) <= off + 2


def test_our_own_waveform_through_sigrok(tmp_path, capsys, expecting):
    """Its buzzer is a level, as an active buzzer's pin is: when it sounds, not at which pitch."""
    needs(shutil.which("sigrok-cli"), "sigrok-cli")
    vcd = tmp_path / "a.vcd"
    assert cli.main(["export", str(expecting), str(vcd)]) == 0
    session = tmp_path / "a.sr"
    words = ["sigrok-cli", "-I", "vcd", "-i", str(vcd), "-O", "srzip", "-o", str(session)]
    subprocess.run(words, check=True, capture_output=True)
    capsys.readouterr()
    for capture in (vcd, session):
        code, out, _ = check(capsys, expecting, "--capture", capture)
        assert code == 0 and "any pitch will do" in out
        assert "from the beginning" not in out  # its first tone is due then


def test_what_is_late_is_told(tmp_path, capsys, expecting):
    """A unit whose auction is 40 ms too long: the end fails, what was before passes."""
    analyser = Analyser(expecting)
    end = analyser.ns(ENDED) - 2_000_000
    late = {
        name: (first, [ns + 40_000_000 * (ns >= end) for ns in turns])
        for name, (first, turns) in analyser.lines.items()
    }
    analyser.lines = late
    capture = analyser.saleae(tmp_path / "a.csv")
    code, out, _ = check(capsys, expecting, "--capture", capture, "--junit", tmp_path / "a.xml")
    assert code == 1 and out.startswith(f"FAIL  {expecting} (expectations: 1 of {COUNT} not met)")
    assert f"expected auction-ended at {ENDED} ms within 5 ms" in out
    assert f"happened at {ENDED + 40} ms (+40 ms)" in out
    suites = ElementTree.parse(tmp_path / "a.xml").getroot()
    assert (suites.get("tests"), suites.get("failures")) == (str(COUNT), "1")


@pytest.mark.parametrize(("hz", "code"), [(2700, 0), (2800, 1)])
def test_the_pitch_is_measured(tmp_path, capsys, expecting, hz, code):
    analyser = Analyser(expecting)
    first, turns = analyser.lines["buzzer"]
    start, end = analyser.ns(WARNED - 16), analyser.ns(WARNED + 784)
    began = next(ns for ns in turns if ns > start)
    slower = [round(began + (ns - began) * 2700 / hz) if start < ns < end else ns for ns in turns]
    analyser.lines["buzzer"] = first, slower
    capture = analyser.saleae(tmp_path / "a.csv")
    seen, out, _ = check(capsys, expecting, "--capture", capture)
    assert seen == code
    told = re.findall(r"happened never; there was 2801 Hz for [0-9]+ ms at ([0-9]+) ms", out)
    assert told == [str(WARNED)] * 2 * bool(code)  # for the event, and for the tone


SLOW = (1000, 5000, 6000)  # the last sees each half of a swing, but too few of a short beep


@pytest.mark.parametrize(
    ("kind", "hertz"),
    [("sr", 10_000), ("sr", 20_000), ("vcd", 10_000), ("csv", 12_000), ("csv", 48_000)],
)
def test_a_slow_analyser_counts_the_pitch(tmp_path, capsys, expecting, kind, hertz):
    """A period of 2700 Hz is 3.7 or 7.4 samples, now more and now less: 400 ms are 1080 periods."""
    analyser = Analyser(expecting)
    capture = tmp_path / f"a.{kind}"
    if kind == "sr":
        analyser.sigrok(capture, hertz)
    elif kind == "vcd":
        analyser.vcd(capture, tick_ns=1_000_000_000 // hertz)
    else:
        analyser.sampled(hertz).saleae(capture)
    code, out, _ = check(capsys, expecting, "--capture", capture)
    assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")


@pytest.mark.parametrize(("kind", "hertz"), [*(("sr", hertz) for hertz in SLOW), ("csv", 1000)])
def test_too_slow_for_the_pitch(tmp_path, capsys, expecting, kind, hertz):
    """Times that no sample can tell are not judged, also where the file tells them finer."""
    analyser = Analyser(expecting)
    capture = tmp_path / f"a.{kind}"
    if kind == "sr":
        analyser.sigrok(capture, hertz)
    else:
        analyser.sampled(hertz).saleae(capture)
    code, out, _ = check(capsys, expecting, "--capture", capture)
    assert code == 0 and f"expectations: 1 of {COUNT} could be seen" in out
    words = f"sampled at {hertz / 1000:g} kHz: too slow to tell 2700 Hz, no sound is judged"
    assert f"{words}; record at {LEAST_KHZ} kHz or more" in out


LEAST_KHZ = 8
LAB = Path(__file__).parents[4] / "docs" / "lab.md"


def test_the_page_names_the_least_rate(expecting):
    cues = [cue for program in PROGRAMS for cue in program.cues.values()]
    notes = [note for cue in cues for note in zip(cue[1::2], cue[2::2], strict=True) if note[0]]
    assert pins.least_rate(notes) == LEAST_KHZ * 1000
    assert f"{LEAST_KHZ} kHz" in LAB.read_text()


def test_too_slow_for_anything(tmp_path, capsys, expecting):
    """Rises of a tone lie in the same sample then."""
    capture = Analyser(expecting).vcd(tmp_path / "a.vcd", tick_ns=10_000_000)
    code, out, err = check(capsys, expecting, "--capture", capture)
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert "one sample every 10 ms is too few" in err and f"{LEAST_KHZ} kHz" in err


def test_two_tones_without_a_pause_between_them(tmp_path, capsys):
    """Where one ends and the other begins is known to about a millisecond, at any rate."""
    path = tmp_path / "siren.toml"
    (tmp_path / "mine.toml").write_text(
        'name = "siren"\n[cues]\nauction-warning = { rank = "moment", play = '
        '["2000 Hz 200 ms", "2700 Hz 200 ms"] }\n'
    )
    path.write_text(
        'program = "mine.toml"\n'
        + (FOLDER / "auction.toml").read_text()
        + f'[[expect]]\ntone = 2700\nat = "{WARNED + 200} ms"\nlength = "200 ms"\n'
        + f'[[expect]]\nevent = "auction-warning"\nat = "{WARNED} ms"\n'
    )
    for hertz in (10_000, 12_000, 20_000, 1_000_000):
        capture = Analyser(path).sampled(hertz).saleae(tmp_path / "a.csv")
        code, out, _ = check(capsys, path, "--capture", capture)
        assert code == 0, out


@pytest.mark.parametrize("kind", ["csv", "vcd"])
def test_a_file_of_changes_has_no_end(tmp_path, capsys, expecting, kind):
    """The time after the last change is taken as quiet, and it is said; samples do end."""
    analyser = Analyser(expecting)
    capture = tmp_path / f"a.{kind}"
    (analyser.saleae if kind == "csv" else analyser.vcd)(capture, has_end=False)
    code, out, _ = check(capsys, expecting, "--capture", capture)
    assert code == 0 and "taken as quiet from there" in out
    analyser.end_ns = analyser.ns(ENDED + 2000)
    code, _, err = check(capsys, expecting, "--capture", analyser.sigrok(tmp_path / "a.sr", 20_000))
    assert code == 2 and "it ends at" in err and "record for longer" in err


@pytest.mark.parametrize("has_end", some_quick([True, False], 1))
def test_what_does_not_fit_at_all(tmp_path, capsys, expecting, has_end):
    """Chance lays some of it on the scenario; it is not for that too short."""
    chance = random.Random(5)
    analyser = Analyser(expecting)
    turns = sorted(chance.randrange(analyser.end_ns) for _ in range(200))
    analyser.lines = {"auction": (0, turns)}
    capture = analyser.saleae(tmp_path / "a.csv", has_end)
    code, out, err = check(capsys, expecting, "--capture", capture)
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert "nothing here resembles" in err and "--pin auction=!..." in err


def test_a_bit_as_a_vector(tmp_path, capsys, expecting):
    capture = Analyser(expecting).vcd(tmp_path / "a.vcd", as_vectors=True)
    code, out, _ = check(capsys, expecting, "--capture", capture)
    assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")


@pytest.mark.parametrize("words", [[], ["--pin", "auction=auction"]])
def test_a_bus_is_no_pin(tmp_path, capsys, expecting, words):
    capture = Analyser(expecting).vcd(tmp_path / "a.vcd", wide="auction")
    code, out, err = check(capsys, expecting, "--capture", capture, *words)
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert 'the line "auction" is a bus of 8 bits' in err


def test_a_vcd_that_was_cut_off(tmp_path, capsys, expecting):
    capture = tmp_path / "a.vcd"
    capture.write_text(Analyser(expecting).vcd(capture).read_text().rstrip("\n")[:-4] + "\n")
    code, out, err = check(capsys, expecting, "--capture", capture)
    assert (code, out) == (2, "") and "its times go backwards" in err


def test_edges_that_lie_elsewhere_are_named(tmp_path, capsys, expecting):
    analyser = Analyser(expecting)
    analyser.glitch("permit-1", 30_000, 40_000)
    code, out, _ = check(capsys, expecting, "--capture", analyser.saleae(tmp_path / "a.csv"))
    assert code == 0 and "elsewhere: permit-1 on at 30000 ms, permit-1 off at 30040 ms\n" in out
    code, out, _ = check(
        capsys, expecting, "--capture", Analyser(expecting).saleae(tmp_path / "a.csv")
    )
    assert code == 0 and "elsewhere:" not in out


def test_an_inverted_lamp_in_a_session(tmp_path, capsys, expecting):
    """A line that is high in the beginning is, and its first edge counts."""
    analyser = Analyser(expecting, inverted=("auction",))
    capture = analyser.sigrok(tmp_path / "a.sr", 20_000)
    words = ["--pin", "auction=!auction", "--buzzer", "buzzer"]
    code, out, _ = check(capsys, expecting, "--capture", capture, *words)
    assert code == 0 and "142 of 142 edges" in out and "from the beginning" not in out


def test_a_pin_that_is_inverted_for_nothing(tmp_path, capsys, expecting):
    capture = Analyser(expecting).saleae(tmp_path / "a.csv")
    words = ["--pin", "permit-1=!permit-1", "--buzzer", "buzzer"]
    code, out, _ = check(capsys, expecting, "--capture", capture, *words)
    assert code == 0 and "if high is on, say --pin permit-1=permit-1" in out


def test_samples_as_csv(tmp_path, capsys, expecting):
    """As sigrok writes them, a row each: most are as the row above."""
    analyser = Analyser(expecting)
    analyser.end_ns -= 500_000_000
    capture = tmp_path / "a.csv"
    hertz = 40_000
    with open(capture, "w") as file:
        file.write(f"; Samplerate: 40 kHz\n; Channels (6/6): {', '.join(analyser.lines)}\n")
        file.write(f"{','.join(['logic'] * 6)}\n")
        turns = [(-(-ns * hertz // 10**9), levels) for ns, levels in analyser.changes()]
        for (at, levels), (until, _) in pairwise([*turns, (analyser.end_ns * hertz // 10**9, ())]):
            file.write(f"{','.join(map(str, levels))}\n" * (until - at))
    code, out, _ = check(capsys, expecting, "--capture", capture)
    assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")
    assert "142 of 142 edges" in out
    text = capture.read_text()
    capture.write_text(f"{text}0,0,x,0,0,0\n")
    rows = text.count("\n") - 2
    code, _, err = check(capsys, expecting, "--capture", capture)
    assert code == 2 and f'row {rows}: "x" is no level' in err


def test_polarity(tmp_path, capsys, expecting):
    analyser = Analyser(expecting, inverted=("auction",))
    capture = analyser.saleae(tmp_path / "a.csv")
    pins = ["--pin", "auction=!auction", "--buzzer", "buzzer"]
    assert check(capsys, expecting, "--capture", capture, *pins)[0] == 0
    code, out, err = check(capsys, expecting, "--capture", capture)
    assert (code, out) == (2, "") and "nothing here resembles" in err
    assert "If low is on, say `--pin auction=!...`" in err


def test_the_polarity_of_the_buzzer(tmp_path, capsys, expecting):
    analyser = Analyser(expecting)
    analyser.lines["buzzer"] = (1, analyser.lines["buzzer"][1])
    words = ["--capture", analyser.saleae(tmp_path / "a.csv")]
    code, out, _ = check(capsys, expecting, *words)
    assert code == 1 and "if low is on, say --pin buzzer=!buzzer" in out
    words += ["--pin", "auction=auction", "--pin", "buzzer=!buzzer"]
    assert check(capsys, expecting, *words)[0] == 0


def test_a_lamp_that_is_stuck_is_told(tmp_path, capsys, expecting):
    """It is a fault of the unit maybe: it fails, beside what to do if low is on."""
    analyser = Analyser(expecting)
    analyser.lines["permit-1"] = (1, [])
    code, out, _ = check(capsys, expecting, "--capture", analyser.saleae(tmp_path / "a.csv"))
    assert code == 0 and "if low is on, say --pin permit-1=!permit-1" in out


def test_glitches_are_left_out_and_counted(tmp_path, capsys, expecting):
    analyser = Analyser(expecting)
    for ms in (WARNED + 1284, WARNED + 1884, ENDED + 1984):
        analyser.glitch("auction", ms, 5)
    capture = analyser.saleae(tmp_path / "a.csv")
    code, out, _ = check(capsys, expecting, "--capture", capture)
    assert code == 0 and "3 pulses shorter than 20 µs were left out" in out
    assert check(capsys, expecting, "--capture", capture, "--glitch-us", "0")[0] == 1


def test_without_a_buzzer_sounds_are_not_judged(tmp_path, capsys, expecting):
    analyser = Analyser(expecting)
    del analyser.lines["buzzer"]
    capture = analyser.saleae(tmp_path / "a.csv")
    junit = tmp_path / "a.xml"
    code, out, _ = check(capsys, expecting, "--capture", capture, "--junit", junit)
    assert code == 0 and f"expectations: 1 of {COUNT} could be seen" in out
    unseen = f"2700 Hz for 400 ms at {WARNED} ms"
    assert f"not to be seen by this instrument: {unseen}" in out
    assert ElementTree.parse(junit).getroot().get("skipped") == str(COUNT - 1)


def test_aligned_at_one_edge(tmp_path, capsys, expecting):
    """Aligned at the press, what the light is late shows; aligned at all, it is nobody's.

    The edges come to the microsecond, for what is late at random is taken for drift in part.
    """
    analyser = Analyser(expecting, late_us=0)
    pressed = analyser.ns(1000)
    released = analyser.ns(1080)
    shifted = {
        name: (first, [ns + 9_000_000 for ns in turns])
        for name, (first, turns) in analyser.lines.items()
    }
    analyser.lines = {**shifted, "press-auction": (0, [pressed, released])}
    capture = analyser.saleae(tmp_path / "a.csv")
    words = ["--capture", capture, "--align", "press-auction on"]
    code, out, _ = check(capsys, expecting, *words)
    assert code == 1 and "(+9 ms)" in out  # of the end, which has 5 ms
    assert check(capsys, expecting, *words[:2])[0] == 0


def test_a_picture_of_what_was_seen(tmp_path, capsys, expecting):
    capture = Analyser(expecting).saleae(tmp_path / "a.csv")
    out = tmp_path / "a.svg"
    assert check(capsys, expecting, "--capture", capture, "--picture", out)[0] == 0
    assert "auction-warning" in out.read_text()


MISTAKES = [
    (["--pin", "auktion=D0"], 'the pin "auktion" is unknown, did you mean "auction"?'),
    (["--pin", "auction"], "on which line?"),
    (["--pin", "auction=D9"], 'there is no line "D9" in this capture'),
    (["--pin", "auction=auction", "--pin", "auction=buzzer"], "given twice"),
    (["--align", "auction of"], "nothing here to align at"),
    (["--on", "cpython"], "an instrument saw it already"),
    (["--recording", "a.wav"], "not both"),
    (["--glitch-us", "-1"], "--glitch-us is a number"),
]


@pytest.mark.parametrize(("words", "mistake"), MISTAKES)
def test_a_mistake_is_one_line(tmp_path, capsys, expecting, words, mistake):
    capture = Analyser(expecting).saleae(tmp_path / "a.csv")
    code, out, err = check(capsys, expecting, "--capture", capture, *words)
    assert (code, out) == (2, "") and mistake in err and err.count("\n") == 1


FILES = [
    ("a.vcd", b"", "$enddefinitions is missing"),
    ("a.vcd", b"\x00\xff" * 99, "cannot be read"),
    ("a.sr", b"PK\x03\x04 nothing", "no whole session of sigrok"),
    ("a.csv", b"", "it is empty"),
    ("a.csv", b"Time [s],D0\n", "nothing below its heading"),
    ("a.csv", b"Time [s],D0\n0.0,0\nx,1\n", 'row 2: "x" is no time'),
    ("a.csv", b"Time [s],D0\n0.0,3.3\n", 'row 1: "3.3" is no level'),
    ("a.csv", b"Time [s],D0\n1.0,0\n0.5,1\n", "row 2 is earlier"),
    ("a.csv", b"Time [s],D0\nnan,0\n", 'row 1: "nan" is no time'),
    ("a.csv", b"D0,D1\n0,1\n", "neither a column of times nor a rate"),
    ("a.csv", b"Time [s],D0\n0.0,0\n1.0,1\n", "which line is which pin?"),
    ("a.sal", b"", "export one of these"),
]


@pytest.mark.parametrize(("name", "content", "mistake"), FILES)
def test_a_file_that_is_no_capture(tmp_path, capsys, expecting, name, content, mistake):
    path = tmp_path / name
    path.write_bytes(content)
    code, out, err = check(capsys, expecting, "--capture", path)
    assert (code, out) == (2, "") and mistake in err and err.count("\n") == 1


def test_a_capture_that_is_too_short_or_of_another_scenario(tmp_path, capsys, expecting):
    analyser = Analyser(FOLDER / "permit-2.toml")
    code, _, err = check(capsys, expecting, "--capture", analyser.saleae(tmp_path / "a.csv"))
    assert code == 2 and "it ends at" in err
    path = tmp_path / "b.csv"
    path.write_text("Time [s],permit-1\n0.0,0\n70.0,0\n")
    code, _, err = check(capsys, expecting, "--capture", path)
    assert code == 2 and "nothing here resembles" in err


def in_scopes(path, capture, is_same):
    """Put a second line called "auction" into a VCD, in a scope of its own; return its text."""
    lines = Analyser(path).vcd(capture).read_text().splitlines()
    code = next(line.split()[3] for line in lines if "wire 1" in line and " auction " in line)
    second = code if is_same else "zz"
    at = lines.index("$enddefinitions $end")
    scope = ["$scope module other $end", f"$var wire 1 {second} auction $end", "$upscope $end"]
    capture.write_text("\n".join([*lines[:at], *scope, *lines[at:]]) + "\n")


def test_lines_of_one_name_in_several_scopes(tmp_path, capsys, expecting):
    capture = tmp_path / "a.vcd"
    in_scopes(expecting, capture, is_same=False)
    for words in ([], ["--pin", "auction=auction", "--buzzer", "buzzer"]):
        code, out, err = check(capsys, expecting, "--capture", capture, *words)
        assert (code, out) == (2, "") and err.count("\n") == 1
        assert 'several lines of this capture are called "auction"' in err
        assert "say one of libsigrok.auction, other.auction" in err
    words = ["--pin", "auction=libsigrok.auction", "--buzzer", "buzzer"]
    code, out, _ = check(capsys, expecting, "--capture", capture, *words)
    assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")


def test_one_line_that_is_declared_in_several_scopes(tmp_path, capsys, expecting):
    capture = tmp_path / "a.vcd"
    in_scopes(expecting, capture, is_same=True)
    code, out, _ = check(capsys, expecting, "--capture", capture)
    assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")


def test_a_line_that_rustles_is_told_at_once(tmp_path, capsys, expecting):
    """As in a session whose samples are damaged, or with the wrong line: no search is made."""
    capture = tmp_path / "a.sr"
    samples = random.Random(1).randbytes(500_000)
    with zipfile.ZipFile(capture, "w") as session:
        about = "[device 1]\ncapturefile=logic-1\nunitsize=1\nsamplerate=200 kHz\nprobe1=auction\n"
        session.writestr("metadata", about)
        session.writestr("logic-1", samples)
    code, out, err = check(capsys, expecting, "--capture", capture)
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert 'the line "auction" turns over' in err and "is it the right one" in err


def test_a_capture_that_begins_in_the_middle(tmp_path, capsys, expecting):
    """Nothing is said of what was before: silence there, and an order of the whole run."""
    unseen = (
        '[[expect]]\nsilence = true\nfrom = "2 s"\nto = "15 s"\n',
        '[[expect]]\norder = ["auction-warning", "auction-ended"]\n',
    )
    expecting.write_text(expecting.read_text() + "\n".join(unseen))
    analyser = Analyser(expecting)
    start = analyser.ns(20_300)
    for name, (first, turns) in analyser.lines.items():
        later = [ns - start for ns in turns if ns > start]
        analyser.lines[name] = (first + len(turns) - len(later)) % 2, later
    analyser.end_ns -= start
    capture = analyser.saleae(tmp_path / "a.csv")
    code, out, _ = check(capsys, expecting, "--capture", capture)
    words = f"pass  {expecting} (expectations: {COUNT} of {COUNT + 2} could be seen)"
    assert (code, out.splitlines()[0]) == (0, words)
    assert "it begins at 20.3 s of the scenario: what is expected before is not judged" in out
    assert "not to be seen by this instrument: silence from 2020 to 14980 ms" in out
    code, out, _ = check(capsys, expecting, "--capture", Analyser(expecting).saleae(capture))
    assert code == 0 and "not to be seen" not in out and "it begins" not in out


def test_what_sees_nothing_of_what_is_expected_is_no_pass(tmp_path, capsys):
    path = tmp_path / "a.toml"
    expected = f'[[expect]]\ntone = 2700\nat = "{WARNED} ms"\n'
    path.write_text((FOLDER / "auction.toml").read_text() + expected)
    analyser = Analyser(path)
    del analyser.lines["buzzer"]
    code, out, _ = check(capsys, path, "--capture", analyser.saleae(tmp_path / "a.csv"))
    assert code == 3 and "0 of 1 could be seen" in out and "pass" not in out
