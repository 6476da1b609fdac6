"""A picture as a file, of the kind that its name says."""

from pathlib import Path

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.files import refuse_no_folder, write_whole
from city_unit.desktop.svg import WHITE, document, element
from sim.lab.picture.shapes import Boxes, Line, Picture

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
        from sim.lab.picture import png
    except ImportError:
        raise UserError(
            _("a PNG needs pygame-ce (an .svg does not): {install}").format(
                install=errors.install_command("pygame-ce")
            ),
            UNCHECKED,
        ) from None
    write_whole(path, png.content(picture))
