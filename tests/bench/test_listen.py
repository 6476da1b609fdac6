"""The figures over the loudness of the noise add up."""

import shutil

import pytest

from tests.helpers.needs import needs, needs_modules

needs_modules("numpy", "scipy", "soundfile")

from sim.lab.listen.listening import Beep  # noqa: E402
from tests.bench import __main__ as bench  # noqa: E402
from tests.bench import listen  # noqa: E402


def test_a_beep_is_found_once_and_the_rest_is_false():
    there = [(1000, 25, 2700), (2000, 25, 2700), (3000, 25, 440)]
    heard = [
        Beep(1009.0, 25, 2690, -20),
        Beep(1003.0, 25, 2700, -20),
        Beep(2011.0, 25, 2700, -20),
    ]
    score = listen.compare(there, heard)
    assert score == ({2700: 2, 440: 1}, {2700: 1}, 2)
    assert listen.total([score, score]) == ({2700: 4, 440: 2}, {2700: 2}, 4)


@pytest.mark.slow
def test_the_benchmark_runs_to_its_end(monkeypatch, capsys):
    needs(shutil.which("espeak-ng"), "espeak-ng")
    monkeypatch.setattr(listen, "SEEDS", (1,))
    monkeypatch.setattr(listen, "SECONDS", 30)
    monkeypatch.setattr(listen, "RATIOS_DB", (0, 20))
    assert bench.main(["listen"]) == 0
    told = capsys.readouterr()
    assert "+20 dB, 0.5 minutes" in told.out and "false beeps in the noise alone: " in told.out
    assert told.err == ""  # progress is for terminals
