"""A microphone, by SDL's disk driver: it hears the content of a file, faster than time passes."""

import json
import os
import subprocess
import sys
import wave

import pytest

from tests.helpers.emulated import ROOT
from tests.helpers.needs import needs_modules
from tests.helpers.patience import PATIENCE_S

needs_modules("numpy", "scipy", "soundfile", "pygame")

import numpy as np  # noqa: E402

from sim import cli  # noqa: E402
from tests.helpers.sounds import every_cue, sound  # noqa: E402

pytestmark = pytest.mark.real_time

RATE = 48000
# Ends as by Ctrl-C once something was recorded, often: SDL's thread and ours must never wait for
# each other.
INTERRUPTED = """
import pathlib, signal, sys
from sim.lab.listen import microphone
def show(seconds, peak):
    if seconds > 0.5:
        signal.raise_signal(signal.SIGINT)
for _ in range(40):
    print(microphone.record(pathlib.Path(sys.argv[1]), "", 3600, show))
"""


def run(tmp_path, *words, heard=b"", driver="disk"):
    raw = tmp_path / "in.raw"
    raw.write_bytes(heard)
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "SDL_AUDIODRIVER": driver,
        "SDL_DISKAUDIOFILEIN": str(raw),
        "SDL_DISKAUDIODELAY": "1",
    }
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=PATIENCE_S,
    )


def test_beeps_at_a_microphone_are_heard_and_kept(tmp_path):
    beeps, end_ms = every_cue()
    heard = (sound(beeps, end_ms, RATE) * 32768).astype("<i2").tobytes()
    words = ["listen", "--microphone", "--seconds", "30", "--keep", "kept.wav", "--json"]
    done = run(tmp_path, "-m", "sim.cli", *words, heard=heard)
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    with wave.open(str(tmp_path / "kept.wav")) as file:
        kept = file.readframes(file.getnframes())
    # SDL may hand over some silence before the first sample.
    first = kept.find(heard[: 48 * 600 * 2].lstrip(b"\0"))
    late_ms = first / 2 * 1000 / RATE - beeps[0][0]
    assert len(kept) == 30 * RATE * 2
    assert [beep["onset_ms"] for beep in told] == pytest.approx(
        [at + late_ms for at, _, _ in beeps], abs=2
    )
    assert [beep["length_ms"] for beep in told] == pytest.approx([ms for _, ms, _ in beeps], abs=2)


def test_ctrl_c_ends_a_recording_and_loses_nothing(tmp_path):
    noise = np.random.default_rng(1).integers(-99, 99, 20 * RATE).astype("<i2").tobytes()
    done = run(tmp_path, "-c", INTERRUPTED, "a.wav", heard=noise)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("is_silent=False") == 40
    with wave.open(str(tmp_path / "a.wav")) as file:
        assert 0.5 < file.getnframes() / RATE < 20
        assert file.readframes(RATE) in noise


def test_a_microphone_that_is_off_is_told(tmp_path):
    done = run(tmp_path, "-m", "sim.cli", "listen", "--microphone", "--seconds", "1")
    assert done.returncode == 0
    assert "nothing but silence" in done.stderr
    assert done.stdout.startswith("0 beeps in 1.0 s of the microphone ")
    assert not list(tmp_path.glob("*.wav"))


def test_no_microphone_is_one_line(tmp_path):
    for words, driver, told in (
        (["--microphone"], "none such", "no microphone found"),
        (["--microphone", "usb"], "disk", 'no microphone has "usb" in its name'),
    ):
        done = run(tmp_path, "-m", "sim.cli", "listen", *words, driver=driver)
        assert done.returncode in (1, 2)
        own = [line for line in done.stderr.splitlines() if line.startswith("city-unit: ")]
        assert len(own) == 1 and told in own[0] and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], ""),
        (["a.wav", "--microphone"], "exclude each other"),
        (["a.wav", "--seconds", "3"], ""),
        (["a.wav", "--keep", "b.wav"], ""),
        (["--microphone", "--seconds", "0"], ""),
        (["--microphone", "--seconds", "nan"], ""),
        (["--microphone", "--keep", "a.mp3"], ""),
        (["--microphone", "--keep", __file__.replace(".py", ".wav/a.wav")], ""),
    ],
)
def test_options_that_do_not_go_together(words, told, capsys):
    assert cli.main(["listen", *words]) == 2
    err = capsys.readouterr().err
    assert told in err and err.count("\n") == 1


def test_a_recording_is_no_name_of_a_microphone(tmp_path, capsys):
    path = tmp_path / "rec.wav"
    path.write_bytes(b"")
    assert cli.main(["listen", "--microphone", str(path)]) == 2
    err = capsys.readouterr().err
    assert f"{path} is a file" in err and err.count("\n") == 1
