"""Exports of a trace as waveform, sound and picture."""

import json
import tracemalloc
import wave
from array import array
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from sim import cli
from sim.engine.trace import Trace
from sim.lab import export, picture
from sim.lab.instrument import capture_file
from tests.helpers.needs import needs_modules
from tests.helpers.quick import some_quick
from tests.helpers.scenario_text import steps
from tests.helpers.times import WARNED
from tests.scenarios import FOLDER, NAMES, expected
from tests.scenarios import scenario as scenario_of

SCENARIO = steps(("0 s", "switch on"), ("1 s", "tap auction"), ("60 s", "end"))


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "auction.toml"
    path.write_text(SCENARIO)
    return str(path)


def traced(capsys, scenario):
    assert cli.main(["trace", scenario]) == 0
    return Trace.parse(capsys.readouterr().out.splitlines(), 60_000)


def test_sound_begins_on_its_sample(tmp_path, capsys, scenario):
    due = [ms for ms, hz in traced(capsys, scenario).tones if hz]
    out = tmp_path / "a.wav"
    assert cli.main(["export", scenario, str(out)]) == 0
    with wave.open(str(out)) as file:
        rate = file.getframerate()
        samples = array("h", file.readframes(file.getnframes()))
    assert len(samples) == 60 * rate
    quiet = rate * 20 // 1000  # shorter than any pause between two tones
    onsets = []
    last = -quiet
    for place, sample in enumerate(samples):
        if sample:
            if place - last >= quiet:
                onsets.append(place)
            last = place
    assert onsets == [ms * rate // 1000 for ms in due]


def test_picture_shows_the_lamp_and_the_sound(capsys, scenario):
    shown = traced(capsys, scenario)
    for start, end in ((0, 60_000), (WARNED - 16, WARNED + 984)):
        drawn = ElementTree.fromstring(picture.text(picture.timeline(shown, "a <b>", start, end)))
        words = [element.text for element in drawn.iter() if element.text]
        assert {"a <b>", "auction", "sound", "auction-warning"} <= set(words)
        assert "permit-1" not in words


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "give the files to write"),
        (["a.gif"], 2, "the format must be one of .jsonl, .csv, .vcd, .wav, .svg"),
        (["a.csv", "no/a.svg"], 2, "there is no folder"),
        (["folder.wav"], 1, "is a directory"),
        (["a.svg", "--from", "100 s"], 2, "--from 100 s: the run ends at 60000 ms"),
        (["a.svg", "--from", "60 s"], 2, "not before its end at 60000 ms"),
        (["a.svg", "--from", "5"], 2, '--from: "5" has no unit'),
        (["a.vcd", "--to", "5 s"], 2, "--to: only for a picture"),
        (["a.csv", "there.csv"], 2, "there.csv already exists; choose another name"),
    ],
)
def test_an_export_that_is_impossible_writes_nothing(
    tmp_path, capsys, monkeypatch, scenario, words, code, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.wav").mkdir()
    (tmp_path / "there.csv").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    assert cli.main(["export", scenario, *words]) == code
    told = capsys.readouterr()
    assert told.out == "" and message in told.err and told.err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "there.csv").read_text() == "mine"


@pytest.mark.parametrize(("answer", "code", "content"), [("y", 0, "Time"), ("", 2, "mine")])
def test_overwriting_is_confirmed_at_a_terminal(
    tmp_path, monkeypatch, scenario, answer, code, content
):
    out = tmp_path / "a.csv"
    out.write_text("mine")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: answer)
    assert cli.main(["export", scenario, str(out)]) == code
    assert out.read_text().startswith(content)
    assert cli.main(["export", scenario, str(out), "--force"]) == 0


@pytest.mark.parametrize("name", some_quick(NAMES, 8))
def test_lines_are_those_of_the_trace(tmp_path, name):
    out = tmp_path / "a.jsonl"
    assert cli.main(["export", str(FOLDER / f"{name}.toml"), str(out)]) == 0
    assert out.read_text().splitlines() == expected(name)


def turns(lines):
    """Return the times in ms at which each bit of a waveform must change."""
    told = [json.loads(line) for line in lines]
    pitches = {line["tone"] for line in told if line.get("tone")}
    levels = {}  # of each bit, by time
    for line in told:
        if "lamp" in line:
            now = {line["lamp"].replace("-", "_"): line["on"]}
        elif "tone" in line:
            now = {f"buzzer_{hz}_hz": line["tone"] == hz for hz in pitches}
            now["buzzer"] = line["tone"] > 0
        else:
            words = [word for word in line.values() if isinstance(word, str)]
            name = "_".join(words).replace("-", "_")
            now = {name: len(levels.get(name, ())) % 2 == 0}
        for name, level in now.items():
            levels.setdefault(name, {})[line["ms"]] = level
    return {
        name: [ms for (_, was), (ms, level) in pairwise([(0, False), *of.items()]) if level != was]
        for name, of in levels.items()
    }


@pytest.mark.parametrize("name", ["championship", "hour-over", "world", "permit-light-runs"])
def test_a_waveform_has_a_bit_for_each_lamp_pitch_and_event(tmp_path, name):
    """The bit of an event toggles each time; readers skip, and sigrok rejects, other lines."""
    needs_modules("vcd")
    out = tmp_path / "a.vcd"
    assert cli.main(["export", str(FOLDER / f"{name}.toml"), str(out)]) == 0
    capture = capture_file.load(str(out))
    found = {
        bit: [*[0] * line.first, *(ns // 1_000_000 for ns in line.turns)]
        for bit, line in capture.lines.items()
    }
    assert {bit: times for bit, times in found.items() if times} == turns(expected(name))
    assert capture.end_ns == scenario_of(name).end_ms * 1_000_000


@pytest.mark.parametrize("kind", ["jsonl", "csv", "vcd", "wav"])
def test_an_export_compares_equal_to_its_trace(tmp_path, capsys, scenario, kind):
    out = tmp_path / f"a.{kind}"
    assert cli.main(["export", scenario, str(out)]) == 0
    pairs = [scenario, str(out)], [str(out), scenario]
    for pair in pairs[kind == "wav" :]:  # once is enough for the slow one
        assert cli.main(["compare", *pair]) == 0
        assert capsys.readouterr().out.endswith("no difference\n")


def test_bars_stay_in_their_lanes(capsys, scenario):
    drawn = picture.timeline(traced(capsys, scenario), "a", 46_200, 46_300)
    boxes = [
        box for shape in drawn.shapes if isinstance(shape, picture.Boxes) for box in shape.boxes
    ]
    lane = boxes[0]
    assert len(boxes) > 2
    assert all(lane[0] <= x and x + width <= lane[0] + lane[2] for x, _, width, _ in boxes)


def test_labels_do_not_touch_and_important_ones_come_first(capsys, scenario):
    shown = traced(capsys, scenario)
    crowd = shown._replace(
        events=[(ms, "auction-warning", {}) for ms in range(0, 60_000, 100)]
        + [(30_050, "hour-ended", {})]
    )
    labels = [
        shape
        for shape in picture.timeline(crowd, "a").shapes
        if isinstance(shape, picture.Words) and shape.slant
    ]
    places = sorted(label.x for label in labels)
    assert all(b - a >= 24 for a, b in pairwise(places))
    assert "hour-ended" in [label.text for label in labels]


def test_more_than_a_wav_file_holds(tmp_path, capsys):
    path = tmp_path / "long.toml"
    path.write_text('[[steps]]\nat = "19 h"\ndo = "end"\n')
    assert cli.main(["export", str(path), str(tmp_path / "long.wav")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", [".jsonl", ".csv", ".vcd"])
def test_a_month_is_written_without_a_copy_of_it(tmp_path, kind):
    peaks = []
    for count in (1000, 3000, 5000):  # the first run also imports modules
        shown = Trace.empty(1000 * count)
        for place in range(count):
            shown.add(1000 * place, "auction", 1 - place % 2)
            shown.add(1000 * place, "auction-started", None)
        tracemalloc.start()
        export.save(str(tmp_path / f"month{kind}"), shown, "")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] - peaks[1] < 2000  # bytes, for 4000 more changes
