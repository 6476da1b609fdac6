"""A picture as PNG, at twice its size, for where no SVG is shown."""

import io

import pygame

from sim.face.paint import set_line
from sim.lab.picture.shapes import Boxes, Line, Picture

SCALE = 2
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


def content(picture: Picture) -> bytes:
    pygame.font.init()
    surface = pygame.Surface((picture.width * SCALE, picture.height * SCALE))
    surface.fill("#ffffff")
    for shape in picture.shapes:
        if isinstance(shape, Boxes):
            for x, y, width, height in shape.boxes:
                left, top = round(x * SCALE), round(y * SCALE)
                right, bottom = round((x + width) * SCALE), round((y + height) * SCALE)
                size = max(1, right - left), max(1, bottom - top)
                surface.fill(shape.colour, ((left, top), size))
        elif isinstance(shape, Line):
            begin = pygame.Vector2(shape.x, shape.y)
            way = pygame.Vector2(shape.to_x, shape.to_y) - begin  # upright or level
            length = way.length()
            step, dash = (5.0, 2.0) if shape.is_dashed else (max(length, 1.0), max(length, 1.0))
            at = 0.0
            while at < length:
                start, end = (
                    SCALE * (begin + way * (p / length)) for p in (at, min(at + dash, length))
                )
                pygame.draw.line(surface, shape.colour, start, end)
                at += step
        else:
            # Its em is smaller; it is bold.
            font = pygame.font.Font(None, round(shape.size * SCALE * 1.35))
            drawn = set_line(font, shape.text, shape.colour)
            anchor = pygame.Vector2(_ANCHORS[shape.anchor] * drawn.get_width(), font.get_ascent())
            middle = pygame.Vector2(drawn.get_size()) / 2
            turned = pygame.transform.rotozoom(drawn, shape.slant, 1) if shape.slant else drawn
            offset = (middle - anchor).rotate(-shape.slant)
            centre = pygame.Vector2(shape.x, shape.y) * SCALE + offset
            surface.blit(turned, centre - pygame.Vector2(turned.get_size()) / 2)
    file = io.BytesIO()
    pygame.image.save(surface, file, "picture.png")
    return file.getvalue()
