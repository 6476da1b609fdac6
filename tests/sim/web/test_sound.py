"""The sound of the page, rendered without real time, and analysed by `listen`."""

import base64
import json
import wave

import numpy as np
import pytest

from sim import cli
from tests.scenarios import NAMES, expected, scenario
from tests.sim.web.conftest import opened

pytestmark = [pytest.mark.real_time, pytest.mark.slow]

RATE = 48_000
STARTS = (0, (1 << 30) - 700)


def scenarios():
    cases = []
    for name in NAMES:
        game = scenario(name)
        case = {"name": name, "program": game.program.name, "seed": game.seed}
        cases.append({**case, "end": game.end_ms, "changes": [list(c) for c in game.changes]})
    return [case for case in cases if case["program"] in ("city", "championship", "timed", "world")]


def test_every_scenario_in_the_browsers_interpreter(unit):
    """The traces are equal to the byte, from 0 and from just before the clock wraps."""
    cases = scenarios()
    assert len(cases) == len(NAMES)
    traces = unit.evaluate(
        """async ([cases, starts]) => {
            const { load } = await import("./unit.js");
            const { python } = await load();
            python.runPython(`
import json
from city_unit.draws import Draws
from city_unit.drive import replay
from city_unit.settings import Settings
from city_unit.unit import Unit
def run(text):
    case = json.loads(text)
    settings = Settings()
    for program in settings.programs:
        if program.name == case["program"]:
            settings.choose(program)
    lines = []
    unit = Unit(settings, Draws(case["seed"]).below)
    replay(unit, case["changes"], case["start"], case["end"], lines.append)
    return "\\\\n".join(lines)
`);
            const run = python.globals.get("run");
            const trace = (one, start) => run(JSON.stringify({ ...one, start }));
            return cases.map((one) => starts.map((start) => trace(one, start)));
        }""",
        [cases, list(STARTS)],
    )
    for case, found in zip(cases, traces, strict=True):
        for trace in found:
            assert trace.splitlines() == expected(case["name"]), case["name"]


AUCTION_S = 53


@pytest.fixture
def rendered(people, site):
    """Render an auction as the page schedules it; return the samples and the notes."""
    page = opened(people(), site)
    packed, notes = page.evaluate(
        """async ([seconds, rate]) => {
            const { Core, load } = await import("./unit.js");
            const { Score } = await import("./sound.js");
            const { History } = await import("./unit.js");
            const { python, facts } = await load();
            const memory = { program: "city", clock_ms: null, volume: 3 };
            const core = new Core(python, { seed: 1, start: 0, programs: [], ...memory });
            const first = core.do([0, "switch", 1, null], 5000);
            const history = new History(first.unit);
            history.learn(first);
            const context = new OfflineAudioContext(1, seconds * rate, rate);
            const score = new Score(context, facts.sound);
            score.setVolume(3);
            const notes = history.notes();
            const done = [[500, "press"], [580, "release"]];
            for (const [ms, what] of done) history.learn(core.do([ms, what, 1, null], 3_700_000));
            const later = history.notes().filter((note) => note.ms < seconds * 1000);
            score.lay([...notes, ...later], (ms) => ms / 1000, 0);
            const buffer = await context.startRendering();
            const bytes = new Uint8Array(buffer.getChannelData(0).buffer);
            let text = "";
            for (let at = 0; at < bytes.length; at += 32768)
                text += String.fromCharCode(...bytes.subarray(at, at + 32768));
            return [btoa(text), [...notes, ...later]];
        }""",
        [AUCTION_S, RATE],
    )
    return np.frombuffer(base64.b64decode(packed), np.float32), notes


def test_every_onset_lies_at_its_sample_and_is_heard_at_its_time(rendered, tmp_path, capsys):
    samples, notes = rendered
    loud = np.flatnonzero(samples)
    gaps = np.flatnonzero(np.diff(loud) > RATE // 50)
    onsets = loud[np.concatenate([[0], gaps + 1])]
    ends = loud[np.concatenate([gaps, [-1]])] + 1
    wanted = [note["ms"] * RATE / 1000 for note in notes]
    stops = [(note["ms"] + note["length"]) * RATE / 1000 for note in notes]
    print("onsets in samples from where they are due:", list(onsets - wanted))
    assert np.abs(onsets - wanted).max() <= 1
    assert np.abs(ends - stops).max() <= 1
    path = tmp_path / "auction.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    assert cli.main(["listen", str(path), "--json"]) == 0
    heard = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line[:1] == "{"]
    assert len(heard) == len(notes)
    for beep, note in zip(heard, notes, strict=True):
        assert abs(beep["onset_ms"] - note["ms"]) < 0.5
        assert abs(beep["length_ms"] - note["length"]) < 0.5
        assert abs(beep["hz"] - note["hz"]) < 5
