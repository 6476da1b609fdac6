"""Pictures of the lab: their shapes, their axis of time, and their files, as SVG or PNG."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.files import refuse_no_folder, write_whole
from city_unit.desktop.svg import WHITE, document, element


class Boxes(NamedTuple):
    """Rectangles `(x, y, width, height)` of one colour."""

    boxes: list[tuple[float, float, float, float]]
    colour: str


class Line(NamedTuple):
    """A line from one point to another."""

    x: float
    y: float
    to_x: float
    to_y: float
    colour: str
    is_dashed: bool = False


class Words(NamedTuple):
    """A text on its base line.

    anchor  which part of it is at x: "start", "middle" or "end"
    slant   by how many degrees it rises
    """

    x: float
    y: float
    text: str
    colour: str
    size: int = 12
    is_bold: bool = False
    anchor: str = "start"
    slant: int = 0


class Picture(NamedTuple):
    """Shapes on white, the later ones above the earlier."""

    width: int
    height: int
    shapes: "list[Boxes | Line | Words]"


_MOST_LINES = 12  # that are apart enough to carry a label each
_TICKS_MS = (
    *(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000),
    *(60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000),
)
_GREY, _GRID = "#6b6b6b", "#e0e0e0"


class TimeAxis:
    """The times from `start_ms` to `end_ms`, from `left` to `right` px."""

    def __init__(self, start_ms: int, end_ms: int, left: int, right: int) -> None:
        self.start = start_ms
        self.end = max(end_ms, start_ms + 1)
        self._left = left
        self._scale = (right - left) / (self.end - self.start)

    def x(self, ms: float) -> float:
        return round(self._left + (ms - self.start) * self._scale, 2)

    def step(self, steps_ms: Sequence[int]) -> int:
        """Return the least of these steps that gives not too many lines."""
        room = (self.end - self.start) / _MOST_LINES
        return next((step for step in steps_ms if step >= room), steps_ms[-1])

    def lines(self, step: int, top: float, bottom: float, label: Callable[[int], str]) -> list:
        """Return an upright line every `step` ms, and below it its time."""
        shapes: list = []
        for ms in range(-(-self.start // step) * step, self.end + 1, step):
            x = self.x(ms)
            shapes.append(Line(x, top, x, bottom, _GRID))
            shapes.append(Words(x, bottom + 16, label(ms), _GREY, 11, anchor="middle"))
        return shapes


def tick_step(axis: TimeAxis) -> int:
    """Return the time between two lines of an axis of seconds to hours."""
    return axis.step(_TICKS_MS)


def clock(ms: int, step: int) -> str:
    """Return a time as precisely as the steps of the axis need it."""
    if step >= 1000:
        return f"{ms // 60_000}:{ms // 1000 % 60:02}"
    return f"{ms / 1000:.{3 if step < 10 else 2 if step < 100 else 1}f} s"


_STYLE = "<style>text{font-family:system-ui,'DejaVu Sans',sans-serif}</style>"  # no text: a style


def text(picture: Picture) -> str:
    elements = []
    for shape in picture.shapes:
        if isinstance(shape, Boxes):  # one path is a third of the size of as many rectangles
            path = "".join(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z" for x, y, w, h in shape.boxes)
            elements.append(element("path", d=path, fill=shape.colour))
        elif isinstance(shape, Line):
            path = f"M{shape.x:g} {shape.y:g}L{shape.to_x:g} {shape.to_y:g}"
            dashes = "2 3" if shape.is_dashed else None
            elements.append(element("path", d=path, stroke=shape.colour, stroke_dasharray=dashes))
        else:
            slant = f" rotate({-shape.slant})" if shape.slant else ""
            words = element(
                "text",
                shape.text,
                transform=f"translate({shape.x:g} {shape.y:g}){slant}",
                font_size=shape.size,
                fill=shape.colour,
                font_weight="600" if shape.is_bold else None,
                text_anchor=shape.anchor if shape.anchor != "start" else None,
            )
            elements.append(words)
    return document(picture.width, picture.height, elements, _STYLE + WHITE)


SCALE = 2
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


def png(picture: Picture) -> bytes:
    """Return a picture as PNG, at twice its size, for where no SVG is shown; raises ImportError."""
    import pygame

    from sim.face.paint import set_line

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


KINDS = (".svg", ".png")


def is_picture(path: str) -> bool:
    """Return whether a picture can be written to a file of this name."""
    return Path(path).suffix.lower() in KINDS


def refuse(*paths: str | None) -> None:
    """Raise UserError if a picture cannot be written to one of these paths; None is no path."""
    for path in paths:
        if path and not is_picture(path):
            words = _("{path}: a picture is written as .svg or .png")
            raise UserError(words.format(path=path))
    refuse_no_folder(*paths)


def save(path: str, picture: Picture) -> None:
    """Write a picture, as the file's name says; raises UserError."""
    if Path(path).suffix.lower() == ".svg":
        write_whole(path, text(picture))
        return
    try:
        content = png(picture)
    except ImportError:
        raise UserError(
            _("a PNG needs pygame-ce (an .svg does not): {install}").format(
                install=errors.install_command("pygame-ce")
            ),
            UNCHECKED,
        ) from None
    write_whole(path, content)
