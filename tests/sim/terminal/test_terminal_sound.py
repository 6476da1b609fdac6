"""The unit in a terminal, heard: its warning is in the file that the sound device writes."""

import array
import sys

import pytest

from tests.helpers.needs import needs
from tests.helpers.patience import until

RATE = 32_000
WRITTEN_S = 0.4  # what the device writes before the tone is over


def loudest_run_ms(samples, rate):
    """Return the length of the longest stretch in which hardly a millisecond is silent."""
    block = rate // 1000
    loud = [
        max(map(abs, samples[at : at + block])) > 500
        for at in range(0, len(samples) - block, block)
    ]
    longest = run = 0
    for is_loud in loud:
        run = run + 1 if is_loud else 0
        longest = max(longest, run)
    return longest


@pytest.mark.real_time
def test_a_tone_reaches_the_sound_device(tmp_path, monkeypatch):
    needs(sys.platform != "win32", "a sound device that writes a file")
    raw = tmp_path / "sound.raw"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(raw))
    from sim import cli, terminal

    def one_beep(runner, remembered, why, server, open_speaker, hour):
        speaker = open_speaker()
        speaker.show(2700, 3)
        before = raw.stat().st_size
        until(lambda: raw.stat().st_size > before + WRITTEN_S * RATE * 2)
        speaker.close()
        return 0

    monkeypatch.setattr(terminal, "run", one_beep)
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    assert cli.main(["play", "--terminal"]) == 0
    samples = array.array("h")
    data = raw.read_bytes()
    samples.frombytes(data[: len(data) // 2 * 2])
    assert loudest_run_ms(samples, RATE) >= 200
