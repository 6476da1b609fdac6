"""The listening page: its detector and its recordings, from a fake microphone."""

import json
import random
import wave

import numpy as np
import pytest
import soundfile

from city_unit.desktop import catalogue
from sim import cli
from tests.helpers.sounds import sound
from tests.sim.web.conftest import opened

pytestmark = pytest.mark.slow

RATE = 48_000


def notes(seed):
    """Draw a random tune of 20 s: `(onset, length, hz)`, times in ms."""
    chance = random.Random(seed)
    drawn = []
    ms = 300
    while ms < 19_000:
        length = chance.choice((25, 35, 60, 80, 110, 150, 250, 400, 600))
        drawn.append((ms, length, round(500 * 10 ** chance.random())))
        ms += length + chance.choice((35, 75, 130, 400, 900))
    return drawn


# In blocks, as a microphone delivers them.
LISTEN = """
    import { readFileSync } from "node:fs";
    import { Detector } from "./hear/detector.js";
    const bytes = readFileSync("samples");
    const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const beeps = [];
    const detector = new Detector(48000, (beep) => beeps.push(beep));
    for (let at = 0; at < samples.length; at += 2048)
        detector.take(samples.subarray(at, at + 2048));
    detector.end();
    process.stdout.write(JSON.stringify(beeps));
"""


@pytest.fixture
def heard(run, tmp_path):
    """Return a function that runs the page's detector on samples."""

    def heard(samples):
        (tmp_path / "samples").write_bytes(np.asarray(samples, "<f4").tobytes())
        return run(LISTEN)

    return heard


def noise(seed, samples, decibels):
    """Return the samples with noise at a given distance below the tone."""
    amplitude = np.abs(samples).max() * 10 ** (-decibels / 20)
    return samples + np.random.default_rng(seed).normal(0, amplitude / np.sqrt(2), len(samples))


@pytest.mark.parametrize(("seed", "decibels"), [(0, 90), (1, 20)])
def test_every_beep_is_heard_at_its_time(heard, seed, decibels):
    played = notes(seed)
    beeps = heard(noise(seed, sound(played, 20_000, RATE), decibels))
    assert len(beeps) == len(played)
    errors = [
        (beep["onset_ms"] - onset, beep["length_ms"] - length, beep["hz"] / hz - 1)
        for beep, (onset, length, hz) in zip(beeps, played, strict=True)
    ]
    onset, length, pitch = worst = np.abs(errors).max(axis=0)
    print(f"{decibels} dB, {len(played)} notes: errors of onset, length and pitch {worst}")
    assert onset < 3 and length < 5 and pitch < 0.01


def test_silence_noise_and_a_voice_are_no_beeps(heard):
    """A tone whose pitch varies by a semitone is a voice."""
    at = np.arange(RATE * 3) / RATE
    sung = 0.3 * np.sin(2 * np.pi * 600 * at + 10 * np.sin(2 * np.pi * 6 * at))
    hiss = np.random.default_rng(0).normal(0, 0.1, RATE * 40)
    pause = np.zeros(RATE * 2)
    after = [part for each in np.split(hiss, 40) for part in (pause, each)]
    assert heard(hiss) == heard(np.concatenate([pause, sung, *after])) == []


GAME = [(1000, 25, 2700), (3000, 400, 2700), (5000, 150, 2000), (5225, 600, 2000), (7000, 35, 440)]


HALF_AN_HOUR = """
    const RATE = 1000;
    Object.defineProperty(BaseAudioContext.prototype, "sampleRate", { get: () => RATE });
    window.AudioWorkletNode = function (context) {
        const node = new GainNode(context);
        const hand = (heard) => setTimeout(() => heard({ data: new Float32Array(30 * 60 * RATE) }));
        node.port = { set onmessage(heard) { hand(heard); } };
        return node;
    };
"""


@pytest.mark.real_time
def test_it_records_shows_and_saves_what_it_hears(people, site, chromium_path, tmp_path, capsys):
    path = tmp_path / "game.wav"  # is the microphone
    soundfile.write(path, sound(GAME, 9000, RATE), RATE)
    flags = (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-audio-capture={path}%noloop",
    )
    page = opened(people(chromium_path, *flags, locale="fr"), site + "hear.html")
    page.set_viewport_size({"width": 320, "height": 568})
    for percent in ("200%", "100%"):
        page.evaluate("size => void (document.documentElement.style.fontSize = size)", percent)
        assert page.evaluate("document.documentElement.scrollWidth") == 320
    with catalogue.spoken("fr"):
        saving = catalogue.gettext("Save the recording (WAV)")
    page.get_by_role("button", name="Enregistrer").click()
    page.wait_for_selector(f"#beeps tr:nth-child({len(GAME)})")
    page.get_by_role("button", name="Arrêter").click()
    page.get_by_text("enregistrées").wait_for()  # no warning of overload
    shown = page.inner_text("#beeps").replace(",", ".")  # the page speaks French
    rows = [row.split("\t") for row in shown.splitlines()][::-1]
    print(*rows, sep="\n")
    with page.expect_download() as download:
        page.get_by_text(saving).click()
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    assert f"city-unit listen {kept.name}" in page.inner_text("#command")
    size = int.from_bytes(kept.read_bytes()[4:8], "little")
    assert size == kept.stat().st_size - 8  # RIFF counts the bytes that follow
    with wave.open(str(kept)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        assert file.getnframes() / file.getframerate() > 7
    assert cli.main(["listen", str(kept), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line[:1] == "{"]
    assert [round(beep["hz"] / 10) for beep in lines] == [round(hz / 10) for _, _, hz in GAME]
    for row, beep, (_, length, hz) in zip(rows, lines, GAME, strict=True):
        assert abs(float(row[0]) * 1000 - beep["onset_ms"]) < 3
        assert abs(float(row[2]) - length) < 6
        assert abs(float(row[3]) / hz - 1) < 0.01
    # A recording ends after half an hour, which arrives here at once.
    page.add_init_script(HALF_AN_HOUR)
    page.reload()
    page.get_by_role("button", name="Enregistrer").click()
    page.get_by_text("30:00").first.wait_for()
    page.get_by_role("button", name="Enregistrer encore").wait_for()
