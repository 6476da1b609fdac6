"""Benchmarks: each can be begun, and beeps are scored."""

from sim.lab.listen.listening import Beep
from tests.bench import listen
from tests.bench.__main__ import ALL, benchmark


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


def test_each_benchmark_can_be_begun():
    assert all(callable(benchmark(name)) for name in ALL)
