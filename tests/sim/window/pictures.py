"""Draw the README's picture unit.png: `python -m tests.sim.window.pictures FOLDER`.

A unit runs through part of a game in virtual time and is shown in the warning of an auction, the
same each time.
"""

import os
import sys
from pathlib import Path

import pygame

from sim.window import layout, scene
from tests.helpers.desk import Desk

SIZE = (1280, 720)
AUCTION_S, BUILD_S, NEXT_S = 2370, 2440, 2481
SHOWN_S = 2526.08  # during the warning's beep


def evening() -> Desk:
    """Return a unit at the time of the picture."""
    desk = Desk()
    desk.controls.do("switch")
    for seconds, button in ((AUCTION_S, "auction"), (BUILD_S, "build"), (NEXT_S, "auction")):
        desk.seconds = seconds
        desk.runner.tap(button)
    desk.seconds = SHOWN_S
    desk.runner.advance()
    return desk


def main(words: list[str]) -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    pygame.font.init()
    desk, picture = evening(), pygame.Surface(SIZE)
    scene.draw(picture, layout.arrange(*SIZE), desk.view())
    pygame.image.save(picture, Path(words[0]) / "unit.png")


if __name__ == "__main__":
    main(sys.argv[1:])
