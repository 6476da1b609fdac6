"""What the lab's pictures are made of; `svg.py` and `png.py` write them."""

from pathlib import Path
from typing import NamedTuple

from sim import installing, texts_lab
from sim.errors import UserError
from sim.files import write_whole


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
    dashed: bool = False


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
    bold: bool = False
    anchor: str = "start"
    slant: int = 0


class Picture(NamedTuple):
    """Shapes on white, the later ones above the earlier."""

    width: int
    height: int
    shapes: list


KINDS = (".svg", ".png")


def is_picture(path: str) -> bool:
    """Return whether a picture can be written to a file of this name."""
    return Path(path).suffix.lower() in KINDS


def save(path: str, picture: Picture) -> None:
    """Write a picture, as the file's name says; raises UserError."""
    if Path(path).suffix.lower() == ".svg":
        from sim.lab import svg

        write_whole(path, svg.text(picture).encode())
        return
    try:
        from sim.lab import png
    except ImportError:
        raise UserError(
            texts_lab.NEEDS_PYGAME.format(install=installing.command("pygame-ce")), 1
        ) from None
    write_whole(path, png.content(picture))
