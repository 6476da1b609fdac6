"""A picture as SVG: small, and as sharp as one likes."""

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
