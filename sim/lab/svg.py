"""A picture as SVG: small, and as sharp as one likes."""

from html import escape

from sim.lab.shapes import Boxes, Line, Picture, Words

_STYLE = "text{font-family:system-ui,'DejaVu Sans',sans-serif}"


def text(picture: Picture) -> str:
    width, height = picture.width, picture.height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><style>{_STYLE}</style>'
        '<rect width="100%" height="100%" fill="#fff"/>'
    ]
    parts += [_WRITERS[type(shape)](shape) for shape in picture.shapes]
    return "\n".join([*parts, "</svg>\n"])


def _boxes(shape: Boxes) -> str:
    """Return one path, which is a third of the size of as many rectangles."""
    path = "".join(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z" for x, y, w, h in shape.boxes)
    return f'<path d="{path}" fill="{shape.colour}"/>'


def _line(shape: Line) -> str:
    dashes = ' stroke-dasharray="2 3"' if shape.dashed else ""
    return (
        f'<path d="M{shape.x:g} {shape.y:g}L{shape.to_x:g} {shape.to_y:g}" '
        f'stroke="{shape.colour}"{dashes}/>'
    )


def _words(shape: Words) -> str:
    bold = ' font-weight="600"' if shape.bold else ""
    anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
    slant = f" rotate({-shape.slant})" if shape.slant else ""
    return (
        f'<text transform="translate({shape.x:g} {shape.y:g}){slant}" font-size="{shape.size}" '
        f'fill="{shape.colour}"{bold}{anchor}>{escape(shape.text)}</text>'
    )


_WRITERS = {Boxes: _boxes, Line: _line, Words: _words}
