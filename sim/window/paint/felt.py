"""The table on which the disc lies: dark felt in the light of a lamp."""

import random
from functools import lru_cache

import pygame

from sim.face.paint import mix

NEAR, FAR = (30, 74, 68), (7, 20, 23)

# The colour added to the cloth in each mood. It brightens with the slow lamp of an auction, once a
# second; the fast lamp of the warning it does not follow, since a whole screen that flashes more
# than three times a second is a danger to some.
GLOWS = {
    "auction": (26, 5, 0),
    "auction lit": (62, 14, 0),
    "warning": (96, 34, 0),
    "sold": (20, 70, 12),
    "over": (22, 10, 44),
}
STRIPES = (255, 196, 92)


def live(target: pygame.Surface, kind: str, lit: bool, calm: bool) -> None:
    """Have the cloth live with the unit: `kind` is the sign's, `lit` its auction lamp.

    calm  whether nothing of it is to move
    """
    name = "auction lit" if kind == "auction" and (lit or calm) else kind
    glow = GLOWS.get(name)
    if glow:
        target.fill(glow, special_flags=pygame.BLEND_RGB_ADD)
    if kind == "warning":  # by a form as well, not by colour alone
        width, height = target.get_size()
        pygame.draw.rect(target, STRIPES, (0, 0, width, height), max(4, min(width, height) // 60))


@lru_cache(maxsize=2)
def cloth(width: int, height: int) -> pygame.Surface:
    """Return the table, `width` times `height` px."""
    surface = pygame.transform.smoothscale(_light(), (width, height))
    fibre = _fibre()
    for left in range(0, width, fibre.get_width()):
        for top in range(0, height, fibre.get_height()):
            surface.blit(fibre, (left, top), special_flags=pygame.BLEND_RGB_ADD)
    return surface


@lru_cache(maxsize=1)
def _light() -> pygame.Surface:
    """Draw the pool of light, small: it has no detail."""
    side = 64
    surface = pygame.Surface((side, side))
    for x in range(side):
        for y in range(side):
            across, down = x / (side - 1) - 0.44, y / (side - 1) - 0.40
            far = min(1.0, (across * across + down * down) ** 0.5 / 0.72)
            surface.set_at((x, y), mix(NEAR, FAR, far**1.25))
    return surface


@lru_cache(maxsize=1)
def _fibre() -> pygame.Surface:
    """Draw a patch of the felt's fibres, the same each time."""
    side = 128
    grain = random.Random(1)
    surface = pygame.Surface((side, side))
    for x in range(side):
        for y in range(side):
            value = grain.randrange(4)
            surface.set_at((x, y), (value, value, value))
    return surface
