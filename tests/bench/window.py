"""The window at rest and at work: how often it wakes, and what of a core it takes.

Beside it, in the same run, a bare pygame loop that shows one rectangle 60 times a second: what
such a window usually costs. The thread of the sound is not counted: it wakes 125 times a second,
once for each buffer of 8 ms, in whatever program has opened a sound device. Under a display of
its own, where there is Xvfb, on Linux.
"""

import contextlib
import os
import shutil
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tests.bench import Figure, NotMeasured
from tests.helpers.screens import Hand, screen_of

MEASURED_S = 3.0
SETTLING_S = 1.5  # the first pictures are drawn
RESTING_S = 11.0  # after which nothing near the present moves on the time line
MOST_WAKINGS = 50  # a second, with nothing to do

BARE = """
import pygame
pygame.display.init()
window = pygame.Window("bare", (1100, 720))
surface = window.get_surface()
clock = pygame.time.Clock()
while True:
    pygame.event.get()
    surface.fill((30, 74, 68))
    pygame.draw.rect(surface, (255, 255, 255), (100, 100, 300, 200))
    window.flip()
    clock.tick(60)
"""
STATES = (  # the name of a state, the keys that lead there, and whether it rests there
    ("off", (), True),
    ("on, the hour runs", ("o",), True),
    ("in an auction", ("o", "a"), False),
)


def run(options: Namespace) -> Iterator[Figure]:
    if not (sys.platform == "linux" and shutil.which("Xvfb") and shutil.which("xdotool")):
        raise NotMeasured("this wants Linux, Xvfb and xdotool")
    with screen_of(1366, 768, is_managed=False) as environment:
        Path(environment["CITY_UNIT_SETTINGS"]).write_text('{"toured": true}')
        with _program([sys.executable, "-c", BARE], environment) as bare:
            wakings, share = _measured(bare.program.pid)
            beside = f"a bare loop at 60 pictures a second: {wakings:.0f}, {share:.1%}"
        for what, keys, rests in STATES:
            for with_link in (False, True):
                link = ["--listen", "127.0.0.1:0"] if with_link else []
                command = [sys.executable, "-m", "sim.cli", "play", *link]
                with _program(command, environment) as window:
                    for key in keys:
                        window.key(key)
                        time.sleep(0.3)
                    time.sleep(RESTING_S if rests and keys else 0)
                    wakings, share = _measured(window.program.pid)
                yield Figure(
                    f"{what}{', with --listen' if with_link else ''}: wakings a second, of a core",
                    f"{wakings:.0f}, {share:.1%}",
                    f"at most {MOST_WAKINGS}" if rests else "",
                    wakings <= MOST_WAKINGS if rests else None,
                    beside,
                )


@contextlib.contextmanager
def _program(command: list[str], environment: dict[str, str]) -> Iterator[Hand]:
    """Start a program and wait until its window has the keys."""
    hand = Hand(command, environment)
    try:
        hand.sit_down()
        time.sleep(SETTLING_S)
        yield hand
    finally:
        hand.end()


def _measured(pid: int) -> tuple[float, float]:
    """Return how often the program's threads woke in a second, and its share of a core."""
    before, began = _spent(pid), time.monotonic()
    time.sleep(MEASURED_S)
    after, seconds = _spent(pid), time.monotonic() - began
    return (after[0] - before[0]) / seconds, (after[1] - before[1]) / seconds


def _spent(pid: int) -> tuple[int, float]:
    """Return how often all threads but those of the sound have slept, and the seconds used."""
    slept, used = 0, 0.0
    for task in Path(f"/proc/{pid}/task").iterdir():
        name = (task / "comm").read_text().strip()
        fields = (task / "stat").read_text().rpartition(")")[2].split()
        used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        if name.startswith("SDLAudio"):
            continue
        status = dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines())
        slept += int(status["voluntary_ctxt_switches"])
    return slept, used
