"""A picture as a file, of the kind that its name says."""

from pathlib import Path

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.files import write_whole
from city_unit.desktop.svg import WHITE, document, element
from sim.lab.picture.shapes import Boxes, Line, Picture, Words

_STYLE = "<style>text{font-family:system-ui,'DejaVu Sans',sans-serif}</style>"  # no text: a style


def text(picture: Picture) -> str:
    elements = [_WRITERS[type(shape)](shape) for shape in picture.shapes]
    return document(picture.width, picture.height, elements, _STYLE + WHITE)


def _boxes(shape: Boxes) -> str:
    """Return one path, which is a third of the size of as many rectangles."""
    path = "".join(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z" for x, y, w, h in shape.boxes)
    return element("path", d=path, fill=shape.colour)


def _line(shape: Line) -> str:
    path = f"M{shape.x:g} {shape.y:g}L{shape.to_x:g} {shape.to_y:g}"
    dashes = "2 3" if shape.is_dashed else None
    return element("path", d=path, stroke=shape.colour, stroke_dasharray=dashes)


def _words(shape: Words) -> str:
    slant = f" rotate({-shape.slant})" if shape.slant else ""
    return element(
        "text",
        shape.text,
        transform=f"translate({shape.x:g} {shape.y:g}){slant}",
        font_size=shape.size,
        fill=shape.colour,
        font_weight="600" if shape.is_bold else None,
        text_anchor=shape.anchor if shape.anchor != "start" else None,
    )


_WRITERS = {Boxes: _boxes, Line: _line, Words: _words}


KINDS = (".svg", ".png")


def is_picture(path: str) -> bool:
    """Return whether a picture can be written to a file of this name."""
    return Path(path).suffix.lower() in KINDS


def save(path: str, picture: Picture) -> None:
    """Write a picture, as the file's name says; raises UserError."""
    if Path(path).suffix.lower() == ".svg":
        write_whole(path, text(picture))
        return
    try:
        from sim.lab.picture import png
    except ImportError:
        raise UserError(
            _("a PNG needs pygame-ce (an .svg does not): {install}").format(
                install=errors.install_command("pygame-ce")
            ),
            UNCHECKED,
        ) from None
    write_whole(path, png.content(picture))
