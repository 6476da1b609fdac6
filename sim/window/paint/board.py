"""The board beside the disc: the words for the whole table, as large as possible."""

import random
from functools import lru_cache

import pygame

from sim.face import parts
from sim.face.box import Box
from sim.face.paint import Canvas, Colour, lettering, put, text_width, written
from sim.play.sign import Sign
from sim.window.paint import felt

BRIGHT, SOFT, NEAR = (255, 246, 226), (190, 208, 202), (255, 196, 92)
SILHOUETTE, ALIGHT = (18, 30, 38), (255, 214, 140)

BIG, UNDER, PRESS = 0.62, 0.14, 0.24  # of the height of the board
SMALLEST = 8  # px of letters
DIGITS = "0123456789"


def draw(target: pygame.Surface, box: Box, text: int, sign: Sign) -> None:
    if sign.kind == "offer":  # it can be clicked
        pygame.draw.rect(target, NEAR, box, max(2, text // 6), text)
        box = Box(box.left + text, box.top, box.width - 2 * text, box.height)
    if sign.kind == "over":
        skyline = _skyline(round(box.width), round(box.height * 0.5))
        put(target, skyline, (box.left, box.top + box.height * BIG), "bottomleft")
    if sign.permit >= 0:
        room = _room_of_picture(box, sign)
        side = round(min(room.width, room.height) * 0.94)
        put(target, _permit(side, sign.permit), room.middle, "center")
    for words, spot in places(box, sign):
        is_under = spot.top >= box.top + box.height * BIG - 1
        colour = NEAR if sign.is_refused and is_under else _colour(sign, is_under)
        put(target, large_letters(words, round(spot.height), colour), spot.middle, "center")
    above = box.height * (BIG + UNDER)
    press = Box(box.left, box.top + above, box.width, box.height * PRESS)
    size = press_size(press, text, sign.press)
    for row, words in enumerate(sign.press):
        line = lettering(words, size, _colour(sign, True))
        put(target, line, (press.middle[0], press.top + size * (0.8 + 1.3 * row)), "center")


def _colour(sign: Sign, is_under: bool) -> Colour:
    """Return the colour of letters: bright wherever the cloth is not dark."""
    if sign.kind in felt.GLOWS:
        return BRIGHT
    return NEAR if sign.is_near else SOFT if is_under else BRIGHT


@lru_cache(maxsize=4)
def large_letters(words: str, pixels: int, colour: Colour) -> pygame.Surface:
    """Return large letters; of a clock's hour each second has its own, so that few are kept."""
    return written(words, max(SMALLEST, pixels), colour)


@lru_cache(maxsize=16)
def places(box: Box, sign: Sign) -> list[tuple[str, Box]]:
    """Return where each line of a sign stands, as high as its letters."""
    big = Box(box.left, box.top, box.width, box.height * BIG)
    if sign.permit >= 0:
        picture = _room_of_picture(box, sign)
        big = Box(box.left, picture.bottom, box.width, big.height - picture.height)
    under = Box(box.left, box.top + box.height * BIG, box.width, box.height * UNDER)
    return [*_fitted(big, sign.big), *_fitted(under, sign.under)]


def _room_of_picture(box: Box, sign: Sign) -> Box:
    return Box(box.left, box.top, box.width, box.height * BIG * (0.62 if sign.big else 1.0))


def press_size(box: Box, text: int, lines: tuple[str, ...]) -> int:
    """Return the size of the letters of the hint about buttons: at most twice the window's."""
    size = round(min(text * 2.0, box.height / 2.8))
    while size > SMALLEST and any(text_width(words, size) > box.width for words in lines):
        size -= 1
    return max(SMALLEST, size)


def big_size(box: Box, words: str) -> int:
    """Return how large the letters of `words` may be in a box; a time does not jump with it."""
    shape = "".join("0" if sign in DIGITS else sign for sign in words)
    probe = 100
    wide = 1.03 * text_width(shape, probe) / probe  # a pair of digits may be wider than two 0
    size = int(min(box.width / wide, box.height * 0.98))
    while size > SMALLEST and text_width(shape, size) > box.width:
        size -= 1  # letters of whole pixels are no exact scale of others
    return max(SMALLEST, size)


def _fitted(box: Box, words: str) -> list[tuple[str, Box]]:
    """Place words in the middle of a box as large as it has room, in two lines if larger so."""
    if not words:
        return []
    parts = words.split(" ")
    half = Box(0, 0, box.width, box.height / 2)
    splits = [[" ".join(parts[:at]), " ".join(parts[at:])] for at in range(1, len(parts))]

    def least(split: list[str]) -> int:
        return min(big_size(half, line) for line in split)

    best = max(splits, key=lambda split: (least(split), -max(map(len, split))), default=[])
    lines = best if best and least(best) > big_size(box, words) * 1.1 else [words]
    row_height = box.height / len(lines)
    size = min(big_size(Box(0, 0, box.width, row_height), line) for line in lines)
    spots = []
    for row, line in enumerate(lines):
        wide = text_width(line, size)
        top = box.top + row_height * (row + 0.5) - size / 2
        spots.append((line, Box(box.left + (box.width - wide) / 2, top, wide, size)))
    return spots


@lru_cache(maxsize=8)
def _permit(side: int, permit: int) -> pygame.Surface:
    canvas = Canvas(side / 2.4, 1.2, 1.2)
    canvas.circle((0, 0), 1.16, (120, 40, 20))
    canvas.circle((0, 0), 1.1, (255, 122, 66))
    parts.permit(canvas, permit, 0.72, (66, 16, 8), solid=True)
    return canvas.sprite()


@lru_cache(maxsize=2)
def _skyline(width: int, height: int) -> pygame.Surface:
    """Draw a city by night with its windows alight, the same each time."""
    city = random.Random(60)
    surface = pygame.Surface((max(1, width), max(1, height)), pygame.SRCALPHA)
    left, unit = 0, max(4, width // 60)
    while left < width:
        wide = unit * city.randrange(3, 7)
        top = round(height * city.uniform(0.15, 0.75))
        pygame.draw.rect(surface, SILHOUETTE, (left, top, wide - 1, height - top))
        for x in range(left + unit // 2, left + wide - unit, unit):
            for y in range(top + unit, height - unit, round(unit * 1.5)):
                if city.random() < 0.55:
                    pygame.draw.rect(surface, ALIGHT, (x, y, max(2, unit // 2), max(2, unit // 2)))
        left += wide
    veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    veil.fill((255, 255, 255, 150))
    surface.blit(veil, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return surface.premul_alpha()
