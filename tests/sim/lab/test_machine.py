"""Whose fault a late edge is: the machine's, where it stood still just then."""

import subprocess
from itertools import count

import pytest

from sim.lab import machine
from sim.lab.machine import Stall, Watch


def test_a_board_is_not_this_machine(tmp_path):
    link = tmp_path / "unit"
    link.symlink_to("/dev/pts/7")
    here = ("socket://127.0.0.1:7007", "socket://localhost:7007", "/dev/pts/7", str(link))
    assert all(map(machine.is_here, here))
    far = ("socket://192.168.1.7:7007", "socket://city.example:7007", "/dev/ttyACM0", "COM5")
    assert not any(map(machine.is_here, far))


@pytest.mark.parametrize(
    ("stalls", "excused"),
    [
        ([], 0),
        ([Stall(900, 990)], 0),  # long before it was due
        ([Stall(1021, 1090)], 0),  # after it was shown
        ([Stall(1002, 1012)], 12),  # with the margin of a millisecond on either side
        ([Stall(1002, 1012), Stall(1003, 1013)], 13),  # of two processors at once: once
        ([Stall(1002, 1003), Stall(1010, 1011)], 6),
        ([Stall(0, 5000)], 20),  # never more than it was late
    ],
)
def test_what_the_machine_stood_still_is_not_the_units(stalls, excused):
    """Due at 1000 ms and shown at 1020."""
    assert machine.excused_ms(1020, 20, stalls) == pytest.approx(excused)


def test_the_machine_stands_still_no_longer_than_the_time_that_passes():
    both = [Stall(0, 60), Stall(1, 59), Stall(50, 90), Stall(95, 100)]
    assert machine.still_ms(both) == pytest.approx(95)


def test_the_watchmen_wake_and_go(monkeypatch):
    watchmen = []
    start = subprocess.Popen

    def noted(*words, **more):
        watchmen.append(start(*words, **more))
        return watchmen[-1]

    monkeypatch.setattr(machine.subprocess, "Popen", noted)
    with Watch() as watch:
        assert watch.is_awake == bool(watchmen)
        assert all(stall.end > stall.start for stall in watch.stalls)
    assert all(watchman.poll() is not None for watchman in watchmen)


class Awake(Watch):
    """Has a watchman that sees the test's actions."""

    is_awake = True


@pytest.mark.slow
def test_the_wait_for_a_quiet_machine_ends():
    """Work in progress goes on meanwhile, and earlier news is forgotten."""
    passed = []
    assert Watch().wait_for_quiet(0.5, passed.append)  # nobody is awake: nothing to wait for
    watch = Awake()
    clock = count()
    for disturbed in (True, False):
        watch.stalls.clear()

        def idle(seconds, disturbed=disturbed):
            passed.append(seconds)
            if disturbed:
                watch.stalls.append(Stall(next(clock), next(clock) + 5))

        assert watch.wait_for_quiet(0.3 if disturbed else 30, idle) != disturbed
    assert passed and watch.stalls == []
