"""A picture as PNG, at twice its size, for where no SVG is shown."""

import io
import math

import pygame

from sim.face.paint import set_line
from sim.lab.picture.shapes import Boxes, Line, Picture, Words

SCALE = 2
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


def content(picture: Picture) -> bytes:
    pygame.font.init()
    surface = pygame.Surface((picture.width * SCALE, picture.height * SCALE))
    surface.fill("#ffffff")
    for shape in picture.shapes:
        _PAINTERS[type(shape)](surface, shape)
    file = io.BytesIO()
    pygame.image.save(surface, file, "picture.png")
    return file.getvalue()


def _boxes(surface: pygame.Surface, shape: Boxes) -> None:
    for x, y, width, height in shape.boxes:
        left, top = round(x * SCALE), round(y * SCALE)
        right, bottom = round((x + width) * SCALE), round((y + height) * SCALE)
        surface.fill(shape.colour, (left, top, max(1, right - left), max(1, bottom - top)))


def _line(surface: pygame.Surface, shape: Line) -> None:
    """Draw a line that is upright or level."""
    length = math.hypot(shape.to_x - shape.x, shape.to_y - shape.y)
    step = (5, 2) if shape.is_dashed else (max(length, 1), max(length, 1))
    at = 0.0
    while at < length:
        ends = (at, min(at + step[1], length))
        begin, finish = (
            (
                SCALE * (shape.x + (shape.to_x - shape.x) * part / length),
                SCALE * (shape.y + (shape.to_y - shape.y) * part / length),
            )
            for part in ends
        )
        pygame.draw.line(surface, shape.colour, begin, finish)
        at += step[0]


def _words(surface: pygame.Surface, shape: Words) -> None:
    font = pygame.font.Font(None, round(shape.size * SCALE * 1.35))  # its em is smaller; it is bold
    drawn = set_line(font, shape.text, shape.colour)
    anchor = pygame.Vector2(_ANCHORS[shape.anchor] * drawn.get_width(), font.get_ascent())
    middle = pygame.Vector2(drawn.get_size()) / 2
    turned = pygame.transform.rotozoom(drawn, shape.slant, 1) if shape.slant else drawn
    offset = (middle - anchor).rotate(-shape.slant)
    centre = pygame.Vector2(shape.x, shape.y) * SCALE + offset
    surface.blit(turned, centre - pygame.Vector2(turned.get_size()) / 2)


_PAINTERS = {Boxes: _boxes, Line: _line, Words: _words}
