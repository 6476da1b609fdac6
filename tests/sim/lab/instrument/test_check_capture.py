"""`check --capture` judges a logic analyser's capture."""

import random
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from city_unit.facts import LAMPS
from city_unit.programs import PROGRAMS
from sim import cli
from sim.engine import scenario, virtual
from sim.lab.instrument import digital, witness
from sim.lab.instrument.witness import Options
from tests.helpers.needs import needs, needs_modules
from tests.helpers.quick import some_quick
from tests.helpers.scenario_text import COUNT, check
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


def test_a_capture_passes_the_scenarios_expectations(tmp_path, capsys, expecting):
    analyser = Analyser(expecting, drift_ppm=-180)
    analyser.renamed(D)
    for write in (analyser.vcd, analyser.saleae):
        capture = write(tmp_path / f"a.{'vcd' if write == analyser.vcd else 'csv'}")
        code, out, _err = check(capsys, expecting, "--capture", capture, *PINS)
        assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")
        measured, off = drift(out)
        assert abs(measured + 180) <= min(off, 3) and off < 40 and "elsewhere:" not in out


CUED = ("auction", "permit-2", "permit-station", "auction-cancelled")


@pytest.mark.parametrize("name", [*CUED, *some_quick([n for n in NAMES if n not in CUED], 3)])
def test_every_scenario_is_seen_edge_by_edge(tmp_path, name):
    """All edges of a capture are recovered within the jitter, and the cues as events."""
    path = FOLDER / f"{name}.toml"
    told = scenario.load(str(path))
    due = virtual.run(told)
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
    if name in CUED:
        kinds = [(kind, fields.get("permit")) for _, kind, fields in seen.events]
        assert kinds == [(kind, fields.get("permit")) for _, kind, fields in due.events]
        assert all(abs(a[0] - b[0]) <= 1 for a, b in zip(seen.events, due.events, strict=True))


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
    """The exported buzzer line is a level, as for an active buzzer, without a pitch."""
    needs(shutil.which("sigrok-cli"), "sigrok-cli")
    vcd = tmp_path / "a.vcd"
    assert cli.main(["export", str(expecting), str(vcd)]) == 0
    session = tmp_path / "a.sr"
    words = ["sigrok-cli", "-I", "vcd", "-i", str(vcd), "-O", "srzip", "-o", str(session)]
    subprocess.run(words, check=True, capture_output=True)
    capsys.readouterr()
    for capture in (vcd, session):
        code, out, _ = check(capsys, expecting, "--capture", capture)
        assert code == 0 and "any pitch is accepted" in out
        assert "from the start" not in out  # the first tone is due at the start


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
    assert told == [str(WARNED)] * 2 * bool(code)  # once for the event, once for the tone


def sampled(analyser, path, kind, hertz):
    """Write a capture at a low sample rate."""
    if kind == "sr":
        return analyser.sigrok(path, hertz)
    if kind == "vcd":
        return analyser.vcd(path, tick_ns=1_000_000_000 // hertz)
    return analyser.sampled(hertz).saleae(path)


@pytest.mark.parametrize(
    ("kind", "hertz"),
    [("sr", 10_000), ("vcd", 10_000), ("csv", 12_000), ("sr", 6000), ("csv", 1000)],
)
def test_a_slow_analyser_counts_the_pitch_or_hears_nothing(
    tmp_path, capsys, expecting, kind, hertz
):
    """A period of 2700 Hz is 3.7 or 7.4 samples, but 400 ms are 1080 periods.

    6 kHz see each half of a swing, but too few of a short beep. Times that no sample can tell are
    not judged, also where the file tells them finer.
    """
    capture = sampled(Analyser(expecting), tmp_path / f"a.{kind}", kind, hertz)
    code, out, _ = check(capsys, expecting, "--capture", capture, "--allow-unseen")
    if hertz > 6000:
        assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")
        return
    assert code == 0 and f"expectations: 1 of {COUNT} could be judged" in out
    words = (
        f"sampled at {hertz / 1000:g} kHz: too slow for a tone of 2700 Hz, so no sound is judged"
    )
    assert f"{words}; record at {LEAST_KHZ} kHz or more" in out


LEAST_KHZ = 8
LAB = Path(__file__).parents[4] / "docs" / "lab.md"


def test_the_page_names_the_least_rate(expecting):
    cues = [cue for program in PROGRAMS for cue in program.cues.values()]
    notes = [note for cue in cues for note in zip(cue[1::2], cue[2::2], strict=True) if note[0]]
    assert digital.least_rate(notes) == LEAST_KHZ * 1000
    assert f"{LEAST_KHZ} kHz" in LAB.read_text()


def test_two_tones_without_a_pause_between_them(tmp_path, capsys):
    """The boundary between two pitches is found to about a millisecond at any rate."""
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
    for hertz in (10_000, 1_000_000):
        capture = Analyser(path).sampled(hertz).saleae(tmp_path / "a.csv")
        code, out, _ = check(capsys, path, "--capture", capture)
        assert code == 0, out


@pytest.mark.parametrize("kind", ["csv", "vcd"])
def test_a_file_of_changes_has_no_end(tmp_path, capsys, expecting, kind):
    """Time after the last change is assumed to be quiet, with a note. A sampled file has an end."""
    analyser = Analyser(expecting)
    capture = tmp_path / f"a.{kind}"
    (analyser.saleae if kind == "csv" else analyser.vcd)(capture, has_end=False)
    code, out, _ = check(capsys, expecting, "--capture", capture)
    assert code == 0 and "taken as quiet from then on" in out
    analyser.end_ns = analyser.ns(ENDED + 2000)
    code, _, err = check(capsys, expecting, "--capture", analyser.sigrok(tmp_path / "a.sr", 20_000))
    assert code == 2 and "it ends at" in err and "make a longer recording" in err


def stuck(analyser):
    analyser.lines["permit-1"] = (1, [])


def with_glitches(analyser):
    for ms in (WARNED + 1284, WARNED + 1884, ENDED + 1984):
        analyser.glitch("auction", ms, 5)


def low_is_on(analyser):
    analyser.lines["buzzer"] = (1, analyser.lines["buzzer"][1])


def deaf(analyser):
    del analyser.lines["buzzer"]


# A change of the capture, options, exit status, text in the output, text not in it.
SEEN = [
    (lambda a: a.glitch("permit-1", 30_000, 40_000), [], 0,
     "elsewhere: permit-1 on at 30000 ms, permit-1 off at 30040 ms\n", "FAIL"),
    (None, ["--pin", "permit-1=!permit-1", "--buzzer", "buzzer"], 3,
     "if high is on, say --pin permit-1=permit-1", "FAIL"),
    (low_is_on, [], 1, "if low is on, say --pin buzzer=!buzzer", "pass"),
    (low_is_on, ["--pin", "auction=auction", "--pin", "buzzer=!buzzer"], 0, "pass", "say --pin"),
    (stuck, [], 0, "if low is on, say --pin permit-1=!permit-1", "FAIL"),
    (with_glitches, [], 0, "3 pulses shorter than 20 µs were ignored", "FAIL"),
    (with_glitches, ["--glitch-us", "0"], 1, "FAIL", "ignored"),
    (deaf, [], 3, f"not visible to this instrument: 2700 Hz for 400 ms at {WARNED} ms", "FAIL"),
]  # fmt: skip


@pytest.mark.parametrize(("done", "words", "code", "told", "untold"), SEEN)
def test_observations_are_reported(tmp_path, capsys, expecting, done, words, code, told, untold):
    analyser = Analyser(expecting)
    if done:
        done(analyser)
    capture, junit = analyser.saleae(tmp_path / "a.csv"), tmp_path / "a.xml"
    found, out, _ = check(capsys, expecting, "--capture", capture, "--junit", junit, *words)
    assert found == code and told.format(path=expecting) in out and untold not in out
    if done is deaf:
        assert ElementTree.parse(junit).getroot().get("skipped") == str(COUNT - 1)


def test_a_lamp_that_is_lit_before_the_scenario_is_one_change(tmp_path, expecting):
    analyser = Analyser(expecting)
    analyser.lines["permit-1"] = (1, [analyser.ns(ms) for ms in (500, 3000, 4000)])
    capture = analyser.saleae(tmp_path / "a.csv")
    told = scenario.load(str(expecting))
    seen = witness.of_capture(str(capture), told, Options()).shown.lamps["permit-1"]
    assert seen == [(0, 1), (500, 0), (3000, 1), (4000, 0)]


WRITTEN = [  # form of the VCD, options, error, "" if it passes
    ({"as_vectors": True}, [], ""),
    ({"wide": "auction"}, [], 'the line "auction" is a bus of 8 bits'),
    ({"tick_ns": 10_000_000}, [], "one sample every 10 ms is too coarse"),
    ({}, None, "its times go backwards"),
]


@pytest.mark.parametrize(("how", "words", "refusal"), WRITTEN)
def test_a_vcd_as_programs_write_it(tmp_path, capsys, expecting, how, words, refusal):
    capture = Analyser(expecting).vcd(tmp_path / "a.vcd", **how)
    if words is None:  # cut off
        capture.write_text(capture.read_text().rstrip("\n")[:-4] + "\n")
    code, out, err = check(capsys, expecting, "--capture", capture, *(words or []))
    if refusal:
        assert (code, out) == (2, "") and err.count("\n") == 1 and refusal in err
    else:
        assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")


def test_polarity(tmp_path, capsys, expecting):
    analyser = Analyser(expecting, inverted=("auction",))
    capture = analyser.saleae(tmp_path / "a.csv")
    words = ["--pin", "auction=!auction", "--buzzer", "buzzer"]
    for written in (capture, analyser.sigrok(tmp_path / "a.sr", 20_000)):
        code, out, _ = check(capsys, expecting, "--capture", written, *words)
        assert code == 0 and re.search(r"\b(\d+) of \1 edges", out)
        assert "from the start" not in out
    code, out, err = check(capsys, expecting, "--capture", capture)
    assert (code, out) == (2, "") and "does not resemble" in err
    assert "If low is on, say `--pin auction=!...`" in err


def test_aligned_at_one_edge(tmp_path, capsys, expecting):
    """Aligned at the press, the light's delay shows; aligned at all edges, it does not.

    The edges come to the microsecond, since random delays are taken for drift in part.
    """
    analyser = Analyser(expecting, lambda _line, ms: ms + 9, late_us=0)
    analyser.lines["press-auction"] = (0, [analyser.ns(1000), analyser.ns(1080)])
    capture = analyser.saleae(tmp_path / "a.csv")
    words = ["--capture", capture, "--align", "press-auction on"]
    code, out, _ = check(capsys, expecting, *words)
    assert code == 1 and "(+9 ms)" in out  # the end, which has a tolerance of 5 ms
    assert check(capsys, expecting, *words[:2])[0] == 0


MISTAKES = [
    (["--pin", "auktion=D0"], 'the pin "auktion" is unknown, did you mean "auction"?'),
    (["--pin", "auction"], "the line is missing"),
    (["--pin", "auction=D9"], 'there is no line "D9" in this capture'),
    (["--pin", "auction=auction", "--pin", "auction=buzzer"], "given twice"),
    (["--align", "auction of"], "to align at"),
    (["--on", "cpython"], "an instrument has recorded it already"),
    (["--recording", "a.wav"], "not both"),
    (["--glitch-us", "-1"], "--glitch-us must be"),
    ([], "no line is named like a pin"),
]


def test_an_error_is_one_line(tmp_path, capsys, expecting):
    capture, unnamed = Analyser(expecting).saleae(tmp_path / "a.csv"), tmp_path / "b.csv"
    unnamed.write_text("Time [s],D0\n0.0,0\n1.0,1\n")
    for words, mistake in MISTAKES:
        written = unnamed if words == [] else capture
        code, out, err = check(capsys, expecting, "--capture", written, *words)
        assert (code, out) == (2, "") and mistake in err and err.count("\n") == 1


@pytest.mark.parametrize("is_same", [False, True])
def test_lines_of_one_name_in_several_scopes(tmp_path, capsys, expecting, is_same):
    """A name of two lines is rejected; one line declared in two scopes is a single line."""
    capture = Analyser(expecting).vcd(tmp_path / "a.vcd")
    lines = capture.read_text().splitlines()
    code = next(line.split()[3] for line in lines if "wire 1" in line and " auction " in line)
    at, second = lines.index("$enddefinitions $end"), code if is_same else "zz"
    scope = ["$scope module other $end", f"$var wire 1 {second} auction $end", "$upscope $end"]
    capture.write_text("\n".join([*lines[:at], *scope, *lines[at:]]) + "\n")
    for name in ("", "auction", "libsigrok.auction"):
        words = ["--pin", f"auction={name}", "--buzzer", "buzzer"] if name else []
        if is_same and "." in name:
            continue
        code, out, err = check(capsys, expecting, "--capture", capture, *words)
        if is_same or "." in name:
            assert (code, out.splitlines()[0]) == (0, f"pass  {expecting} (expectations: {COUNT})")
            continue
        assert (code, out) == (2, "") and err.count("\n") == 1
        assert 'several lines of this capture are called "auction"' in err
        assert "use one of libsigrok.auction, other.auction" in err


def test_a_noisy_line_is_rejected_before_the_alignment(tmp_path, capsys, expecting):
    """A damaged session or a wrong line is rejected before the search for an alignment."""
    capture = tmp_path / "a.sr"
    samples = random.Random(1).randbytes(500_000)
    with zipfile.ZipFile(capture, "w") as session:
        about = "[device 1]\ncapturefile=logic-1\nunitsize=1\nsamplerate=200 kHz\nprobe1=auction\n"
        session.writestr("metadata", about)
        session.writestr("logic-1", samples)
    code, out, err = check(capsys, expecting, "--capture", capture)
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert 'the line "auction" has' in err and "check the pin" in err


def test_a_capture_that_starts_late(tmp_path, capsys, expecting):
    """Earlier times are not judged: silence there, and an order over the whole run."""
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
    words = f"part  {expecting} (expectations: {COUNT} of {COUNT + 2} could be judged;"
    assert code == 3 and out.startswith(words)
    assert "it starts at 20.3 s of the scenario: earlier expectations are not judged" in out
    assert "not visible to this instrument: silence from 2020 to 14980 ms" in out
    code, out, _ = check(capsys, expecting, "--capture", Analyser(expecting).saleae(capture))
    assert code == 0 and "not visible to" not in out and "it starts" not in out
