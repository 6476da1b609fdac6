"""One line for people, and nothing for anybody else."""

import io
import sys

import pytest

from city_unit.desktop import progress
from city_unit.desktop.progress import Progress


class Terminal(io.StringIO):
    def __init__(self, is_terminal=True):
        super().__init__()
        self.isatty = lambda: is_terminal


@pytest.fixture
def clock(monkeypatch):
    """The time, as a list whose one value a test sets."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_terminal_is_shown_a_line_now_and_then_and_then_none(monkeypatch, clock):
    monkeypatch.setattr(sys, "stderr", Terminal())
    line = Progress()
    for clock[0], part in ((100, 0.1), (100.1, 0.2), (100.3, 0.3), (100.4, 1)):
        line.show(f"{part:.0%}", part)
    assert sys.stderr.getvalue() == "\r\x1b[K10%\r\x1b[K30%\r\x1b[K"


def test_who_has_to_wait_for_less_than_a_moment_is_told_nothing(monkeypatch, clock):
    monkeypatch.setattr(sys, "stderr", Terminal())
    line = Progress(patience_s=1)
    for clock[0], part in ((100.9, 0.9), (101.5, 1)):
        line.show("writing", part)
    line.wipe()
    assert sys.stderr.getvalue() == ""


def test_what_is_no_terminal_is_told_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal(False))
    line = Progress()
    line.show("writing", 0.5)
    line.show("writing", 1)
    assert sys.stderr.getvalue() == ""
