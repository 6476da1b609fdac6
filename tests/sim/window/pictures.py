"""The front page's picture: `python -m tests.sim.window.pictures FILE.png [WIDTH HEIGHT]`.

A real unit lives through a quarter of an evening in virtual time, and is
shown in the warning of an auction. The same each time.
"""

import os
import sys

import pygame

from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim.engine.runner import Runner
from sim.window import snapshot
from sim.window.controls import Controls
from sim.window.paint import layout, scene

EVENING = (  # seconds, and the action then
    (0, "switch"),
    (2370, "auction"),
    (2440, "build"),
    (2481, "auction"),
)
SHOWN_S = 2526.08  # in the warning's beep


def evening() -> tuple[Runner, Controls]:
    """Return a unit that has lived until it is shown."""
    real = [0.0]
    runner = Runner(Unit(Settings(), Draws(7).below), lambda: real[0])
    controls = Controls(runner)
    for seconds, what in EVENING:
        real[0] = seconds
        if what == "switch":
            controls.do("switch")
        else:
            runner.tap(what)
    real[0] = SHOWN_S
    runner.advance()
    return runner, controls


def paint(width: int, height: int, density: float = 1.0) -> pygame.Surface:
    """Return the picture of the window at that moment."""
    surface = pygame.Surface((width, height))
    view = snapshot.take(*evening(), has_sound=True, hover="")
    scene.draw(surface, layout.arrange(width, height, density), view)
    return surface


def main(words: list[str]) -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    pygame.font.init()
    width, height = (int(word) for word in words[1:3]) if len(words) == 3 else (660, 680)
    pygame.image.save(paint(width, height), words[0])


if __name__ == "__main__":
    main(sys.argv[1:])
