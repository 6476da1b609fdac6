"""The sound of the page, rendered without real time."""

import base64
import json

import numpy as np
import pytest

from tests.firmware.test_conformance import all_traces, replay_of_all
from tests.helpers.times import LENGTH_MS, SLOW_MS

RATE = 48_000


@pytest.mark.real_time
@pytest.mark.slow
def test_every_scenario_in_the_browsers_interpreter(unit):
    """The traces are equal to the byte, from 0 and from just before the clock wraps."""
    found = unit.evaluate(
        """async (code) => {
            const { load } = await import("./unit.js");
            const { python } = await load();
            python.runPython(code);
            return python.globals.get("traces");
        }""",
        f"lines = []\n{replay_of_all('lines.append')}\ntraces = '\\n'.join(lines)",
    )
    assert found.splitlines() == all_traces()


AUCTION_S = 53


@pytest.mark.real_time
@pytest.mark.slow
def test_every_note_starts_and_ends_at_its_sample_with_its_pitch(unit):
    """In an auction as the page schedules it."""
    packed, notes = unit.evaluate(
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
    samples = np.frombuffer(base64.b64decode(packed), np.float32)
    loud = np.flatnonzero(samples)
    gaps = np.flatnonzero(np.diff(loud) > RATE // 50)
    onsets = loud[np.concatenate([[0], gaps + 1])]
    ends = loud[np.concatenate([gaps, [-1]])] + 1
    wanted = [note["ms"] * RATE / 1000 for note in notes]
    stops = [(note["ms"] + note["length"]) * RATE / 1000 for note in notes]
    print("onsets in samples from where they are due:", list(onsets - wanted))
    assert np.abs(onsets - wanted).max() <= 1
    assert np.abs(ends - stops).max() <= 1
    for onset, end, note in zip(onsets, ends, notes, strict=True):
        played = samples[onset:end]
        periods = np.count_nonzero((played[:-1] < 0) & (played[1:] >= 0))
        assert abs(periods - note["hz"] * note["length"] / 1000) <= 1


# A loudspeaker whose clocks are functions of `now`, and a main thread that may be blocked.
AN_AUCTION = """
import { Speaker } from "./page/sound.js";

const { notes, ...clocks } = JSON.parse(process.argv[2]);
const { ppm, jitter_ms, stall_at_ms, stall_ms, blocked_after_ms, late_ms } = clocks;
let now = 1000 + late_ms;
let alarm = { at: Infinity };
const audio = (ms) => 7 + (ms * (1 + ppm / 1e6) - (ms > stall_at_ms ? stall_ms : 0)) / 1000;
const due = (ms) => 1000 + ms;
const sources = [];
let readings = 0;
Object.defineProperty(globalThis, "performance", { value: { now: () => now } });
Object.defineProperty(globalThis, "navigator", { value: {} });
globalThis.window = { setTimeout: (call, ms) => (alarm = { at: now + ms, call }) };
globalThis.setTimeout = globalThis.clearTimeout = () => {};
globalThis.ConstantSourceNode = class { start() {} };
globalThis.AudioContext = class {
  state = "running";
  sampleRate = 48000;
  get currentTime() { return audio(now); }
  getOutputTimestamp() {
    const early = jitter_ms * Math.sin(readings++ * 2.4);
    return { contextTime: audio(now) + early / 1000, performanceTime: now };
  }
  createGain() { return { gain: {}, connect() {} }; }
  createBuffer(_channels, samples) {
    return { samples, getChannelData: () => new Float32Array(samples) };
  }
  createBufferSource() {
    const source = { connect() {} };
    source.start = (when) => sources.push({ source, when, length: source.buffer.samples / 48 });
    source.stop = (when = 0) => (source.stopped = Math.max(when, audio(now)));
    return source;
  }
  async resume() {}
};
const speaker = new Speaker({ harmonics: [[1, 1]], fade_ms: 1, volumes: [0, 0, 1, 1] }, () => {});
speaker.unlock();
speaker.play(notes, 0, due);
while (alarm.at < due(52000)) {
  const { at, call } = alarm;
  alarm = { at: Infinity };
  now = at;
  if (now < due(blocked_after_ms)) call();
}
const heard = sources.filter(({ source, when }) => !(source.stopped <= when));
const late = (when, ms) => {
  const at = [0, stall_ms].map((stall) => ((when - 7) * 1000 + stall) / (1 + ppm / 1e6));
  return (at[0] > stall_at_ms ? at[1] : at[0]) - due(ms);
};
console.log(JSON.stringify(notes.map(({ ms, length }) =>
  heard.filter((one) => one.length === length).map(({ when }) => late(when, ms)))));
"""
EXACT = {"ppm": 0, "jitter_ms": 0, "stall_at_ms": 1e9, "stall_ms": 0, "blocked_after_ms": 1e9}
EXACT["late_ms"] = 0
SAMPLE_MS = 1000 / RATE


@pytest.mark.parametrize(
    ("clocks", "warning_ms", "interval_ms"),
    [
        ({}, SAMPLE_MS, SAMPLE_MS),
        ({"blocked_after_ms": 30_000}, SAMPLE_MS, SAMPLE_MS),
        ({"ppm": 200}, 3, 1.1),  # 5 s at 200 ppm are 1 ms
        ({"jitter_ms": 4}, 7, SAMPLE_MS),  # notes in a row keep their distance
        ({"stall_at_ms": 20_000, "stall_ms": 300}, SAMPLE_MS, SAMPLE_MS),
        ({"stall_at_ms": 48_000, "stall_ms": 300}, SAMPLE_MS, SAMPLE_MS),
    ],
)
def test_notes_are_scheduled_for_their_time(run, clocks, warning_ms, interval_ms):
    """The audio clock drifts from the unit's, is misread, or stands still."""
    notes = [(0, 25), (SLOW_MS, 400), (LENGTH_MS, 150), (LENGTH_MS + 225, 600)]
    notes = [{"ms": ms, "hz": 2000, "length": length} for ms, length in notes]
    tick, warning, end, second = run(AN_AUCTION, json.dumps({**EXACT, **clocks, "notes": notes}))
    assert list(map(len, (tick, warning, end, second))) == [1, 1, 1, 1]
    assert abs(warning[0]) <= warning_ms
    assert abs(end[0] - warning[0]) <= interval_ms and abs(second[0] - end[0]) <= 0.1


def test_a_note_that_is_over_before_it_can_start_is_left_out(run):
    notes = [{"ms": ms, "hz": 2000, "length": length} for ms, length in ((0, 200), (1, 400))]
    over, late = run(AN_AUCTION, json.dumps({**EXACT, "late_ms": 250, "notes": notes}))
    assert (len(over), len(late)) == (0, 1)
