"""The unit in a terminal, heard: its warning is in the file that the sound device writes."""

import array
import sys
import time

from tests.needs import needs


def loudest_run_ms(samples, rate):
    """Return the length of the longest stretch in which hardly a millisecond is silent."""
    block = rate // 1000
    loud = [
        max(map(abs, samples[at : at + block])) > 500
        for at in range(0, len(samples) - block, block)
    ]
    longest = run = 0
    for one in loud:
        run = run + 1 if one else 0
        longest = max(longest, run)
    return longest


def test_a_tone_reaches_the_sound_device(tmp_path, monkeypatch):
    needs(sys.platform != "win32", "a sound device that writes a file")
    raw = tmp_path / "sound.raw"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(raw))
    from sim import terminal
    from sim.commands import play

    def one_beep(runner, remembered, why, server, open_speaker):
        speaker = open_speaker()
        speaker.show(2700, 3)
        time.sleep(0.4)  # the device is real: its time is real
        speaker.close()
        return 0

    monkeypatch.setattr(terminal, "run", one_beep)
    assert play._terminal(None, None, "", None) == 0
    samples = array.array("h")
    data = raw.read_bytes()
    samples.frombytes(data[: len(data) // 2 * 2])
    assert 200 <= loudest_run_ms(samples, 32000) <= 1500
