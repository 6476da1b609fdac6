"""The disc as SVG and CSS, from the same numbers as the window's, made when the page is.

A picture of the page has units of its own, a hundred to the disc's radius. What is metal is
left to the style sheet, since SVG has no gradient that runs round a circle.
"""

import math
from collections.abc import Sequence
from typing import Any

from city_unit.facts import LAMPS
from sim.face import disc as face
from sim.face import geometry, pictograms, skyline
from sim.face.geometry import AUCTION_LABEL, BUILD_LABEL
from sim.face.paint import Colour, Ink, Point, band, mix, polar

LABELS = (AUCTION_LABEL.english, BUILD_LABEL.english)

Paint = Ink | str  # a colour of the window, or the name of a gradient
UNITS = 100  # of the picture, to a radius
LEFT, TOP, WIDTH, HEIGHT = -1.1, -1.06, 2.2, 2.3  # the area of the picture, in radii

RIM_LIGHT, FACE_LIGHT = -50, -58  # where the light on the metal comes from, in degrees
STOPS = 24  # of a gradient that runs round


class Pen:
    """Draws shapes as SVG, called as the window's Canvas is."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def text(self) -> str:
        return "".join(self._parts)

    def raw(self, part: str) -> None:
        self._parts.append(part)

    def circle(self, centre: Point, radius: float, colour: Paint, width: float = 0) -> None:
        place = f'cx="{_n(centre[0])}" cy="{_n(centre[1])}"'
        if width:
            self.raw(f'<circle {place} r="{_n(radius - width / 2)}" {_line(colour, width)}/>')
        else:
            self.raw(f'<circle {place} r="{_n(radius)}" {_fill(colour)}/>')

    def box(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        colour: Paint,
        radius: float = 0,
        line: float = 0,
    ) -> None:
        inset = line / 2
        place = (
            f'x="{_n(left + inset)}" y="{_n(top + inset)}" '
            f'width="{_n(width - line)}" height="{_n(height - line)}"'
        )
        round_ = f' rx="{_n(max(0, radius - inset))}"' if radius else ""
        paint = _line(colour, line) if line else _fill(colour)
        self.raw(f"<rect {place}{round_} {paint}/>")

    def line(self, start: Point, end: Point, colour: Paint, width: float) -> None:
        self.raw(
            f'<path d="M{_point(start)}L{_point(end)}" {_line(colour, width)} '
            'stroke-linecap="round"/>'
        )

    def polygon(self, points: Sequence[Point], colour: Paint, width: float = 0) -> None:
        corners = "L".join(_point(point) for point in points)
        self.raw(f'<path d="M{corners}Z" {_line(colour, width) if width else _fill(colour)}/>')

    def dome(self, centre: Point, radius: float, name: str) -> None:
        """Draw a ball; `name` is the gradient that lights it."""
        self.circle(centre, radius, f"url(#{name})")


def svg() -> str:
    """Return the disc with all its lights; the style sheet hides the dark ones."""
    pen = Pen()
    pen.raw(
        f'<svg class="disc-picture" viewBox="{_n(LEFT)} {_n(TOP)} {_n(WIDTH)} {_n(HEIGHT)}" '
        'aria-hidden="true" focusable="false">'
    )
    pen.raw(_gradients())
    _tab(pen)
    _skyline(pen)
    _speaker(pen)
    _button(pen)
    _switch(pen)
    for lamp, point in geometry.BULBS.items():
        _lamp(pen, lamp, point)
    for place, point in enumerate(geometry.PERMITS):
        _permit(pen, place, point)
    _hold(pen)
    pen.raw("</svg>")
    return pen.text()


def css() -> str:
    """Return the places of the parts that are no SVG: the metal, and the buttons."""
    reach = (geometry.TAB[0] * math.cos(math.radians(geometry.TAB_ANGLE)), geometry.TAB[1] + 0.02)
    wide = 2 * geometry.TAB[1] * math.sin(math.radians(geometry.TAB_ANGLE))
    return "\n".join(
        [
            f".disc {{ aspect-ratio: {_n(WIDTH)} / {_n(HEIGHT)}; }}",
            _metal(".rim", 1.0, face.RIM_DARK, face.RIM_BRIGHT, RIM_LIGHT),
            _metal(".plate", 0.94, face.FACE_DARK, face.FACE_BRIGHT, FACE_LIGHT),
            _area(".shadow", (0.03, 0.1), 1.09, 1.09),
            _area(".press-auction", geometry.BUTTON, *(2 * (geometry.BUTTON_RADIUS,))),
            _area(".press-build", (0, sum(reach) / 2), wide / 2, (reach[1] - reach[0]) / 2),
            _area(".slide", geometry.SWITCH, *(half + 0.05 for half in geometry.SWITCH_HALF)),
            "",
        ]
    )


def icon() -> str:
    """Return the icon: the disc, plain enough to be seen when it is small."""
    pen = Pen()
    pen.raw('<svg xmlns="http://www.w3.org/2000/svg" viewBox="-128 -128 256 256">')
    pen.raw('<path d="M-128-128H128V128H-128Z" fill="#103230"/>')
    pen.polygon(band(0.9, 1.15, 66, 114), face.IVORY_BRIGHT)
    pen.circle((0, 0), 1.0, mix(face.RIM_DARK, face.RIM_BRIGHT, 0.75))
    pen.circle((0, 0), 0.92, face.FACE_DARK)
    pen.circle(geometry.LAMP, 0.11, face.LIGHT)
    pen.circle(geometry.LAMP, 0.06, face.CORE)
    pen.circle((0, 0.06), 0.45, face.IVORY_BRIGHT)
    pictograms.gavel(_canvas(pen), (0.0, 0.08), 0.27, face.INK)
    for point in geometry.PERMITS:
        pen.circle(point, 0.13, face.GLASS)
        pen.circle(point, 0.13, face.DIM, 0.025)
    pen.raw("</svg>\n")
    return pen.text()


# The parts.


def _gradients() -> str:
    ivory, dark, light = face.IVORY_BRIGHT, face.IVORY_DARK, face.LIGHT
    return "<defs>{}</defs>".format(
        _ball("ivory", 0.36, (ivory, 0), (mix(dark, ivory, 0.72), 1))
        + _ball("ring", 0.45, (mix(dark, ivory, 0.85), 0), (mix(dark, (0, 0, 0), 0.25), 1))
        + _ball("glass", 0.35, ((48, 40, 42), 0), (face.GLASS, 1))
        + _ball("bulb", 0.3, ((110, 40, 34), 0), ((44, 14, 13), 1))
        + _ball("lit", 0.5, (face.CORE, 0), (face.CORE, 0.12), (light, 0.95))
        + '<radialGradient id="glow">'
        + f'<stop stop-color="{_hex(light)}" stop-opacity=".85"/>'
        + f'<stop offset=".45" stop-color="{_hex(face.GLOW)}" stop-opacity=".3"/>'
        + f'<stop offset="1" stop-color="{_hex(face.GLOW)}" stop-opacity="0"/></radialGradient>'
        + '<linearGradient id="tab" x2="0" y2="1">'
        + f'<stop stop-color="{_hex(mix(dark, (0, 0, 0), 0.1))}"/>'
        + f'<stop offset=".4" stop-color="{_hex(ivory)}"/>'
        + f'<stop offset="1" stop-color="{_hex(dark)}"/></linearGradient>'
    )


def _skyline(pen: Pen) -> None:
    """Engrave the city round the upper edge, house by house as on the window's disc."""
    outline = ""
    for house in skyline.houses():
        corners = band(skyline.FOOT, house.roof, house.start, house.end, 1)
        outline += f"M{'L'.join(map(_point, corners))}Z"
        if house.has_mast:
            tip = polar(house.roof + skyline.MAST, house.middle)
            outline += f"M{_point(polar(house.roof, house.middle))}L{_point(tip)}"
    dark = _hex(face.ENGRAVED)
    pen.raw(f'<path d="{outline}" fill="{dark}" stroke="{dark}" stroke-width="{_n(0.008)}"/>')
    pen.raw('<g class="windows">')
    windows = [polar(*place) for house in skyline.houses() for place in house.windows]
    _dots(pen, windows, 0.013, mix(face.BRASS, face.ENGRAVED, 0.25))
    pen.raw("</g>")


def _dots(pen: Pen, points: list[Point], size: float, colour: Colour) -> None:
    dots = "".join(f"M{_point(point)}h0" for point in points)
    pen.raw(f'<path d="{dots}" {_line(colour, size)} stroke-linecap="round"/>')


def _speaker(pen: Pen) -> None:
    rings = ((0.0, 1), (0.05, 6), (0.1, 12))
    holes = [
        polar(ring, hole * 360 / count, geometry.SPEAKER)
        for ring, count in rings
        for hole in range(count)
    ]
    _dots(pen, holes, 0.033, face.ENGRAVED)
    pen.raw('<g class="waves">')
    for reach in (0.165, 0.205):
        for side in (0, 180):
            start, end = (polar(reach, side + turn, geometry.SPEAKER) for turn in (-38, 38))
            pen.raw(
                f'<path d="M{_point(start)}A{_n(reach)} {_n(reach)} 0 0 1 {_point(end)}" '
                f"{_line(face.BRASS, 0.014)}/>"
            )
    pen.raw("</g>")


def _button(pen: Pen) -> None:
    pen.raw('<g class="auction-knob">')
    pen.circle(geometry.BUTTON, geometry.BUTTON_RADIUS + 0.05, (10, 11, 13))
    pen.dome(geometry.BUTTON, geometry.BUTTON_RADIUS, "ring")
    pen.dome(geometry.BUTTON, geometry.BUTTON_RADIUS * 0.87, "ivory")
    pictograms.gavel(_canvas(pen), (geometry.BUTTON[0], geometry.BUTTON[1] - 0.085), 0.15, face.INK)
    _label(pen, LABELS[0], (geometry.BUTTON[0], geometry.BUTTON[1] + 0.195), 0.125, 0.44)
    pen.raw("</g>")


def _tab(pen: Pen) -> None:
    start, end = 90 - geometry.TAB_ANGLE, 90 + geometry.TAB_ANGLE
    pen.raw('<g class="build-knob">')
    pen.polygon(band(0.97, geometry.TAB[1], start, end), mix(face.IVORY_DARK, (0, 0, 0), 0.35))
    pen.polygon(band(0.97, geometry.TAB[1] - 0.012, start + 0.8, end - 0.8), "url(#tab)")
    _label(pen, LABELS[1], (0, 1.1), 0.13, 0.54)
    pen.raw("</g>")


def _label(pen: Pen, key: str, at: Point, size: float, room: float) -> None:
    """Write a word, which the page fits into its room in any language and any font."""
    pen.raw(
        f'<text x="{_n(at[0])}" y="{_n(at[1])}" font-size="{_n(size)}" '
        f'lengthAdjust="spacingAndGlyphs" text-anchor="middle" fill="{_hex(face.INK)}" '
        f'data-size="{_n(size)}" data-room="{_n(room)}" data-say="{key}">{key}</text>'
    )


def _switch(pen: Pen) -> None:
    (x, y), (wide, high) = geometry.SWITCH, geometry.SWITCH_HALF
    mark = mix(face.FACE_BRIGHT, (255, 255, 255), 0.55)
    pen.box(x - wide, y - high, 2 * wide, 2 * high, (13, 15, 18), wide)
    pen.raw('<g class="knob">')
    pen.box(
        x - wide + 0.012,
        y + 0.002,
        2 * wide - 0.024,
        high - 0.014,
        mix(face.RIM_DARK, face.RIM_BRIGHT, 0.8),
        0.05,
    )
    for ridge in (0.3, 0.5, 0.7):
        ridge_y = y + (high - 0.012) * ridge
        pen.line((x - 0.032, ridge_y), (x + 0.032, ridge_y), face.RIM_DARK, 0.009)
    pen.raw("</g>")
    pen.line((x, y - high - 0.095), (x, y - high - 0.045), mark, 0.014)
    pen.circle((x, y + high + 0.075), 0.032, mark, 0.013)


def _lamp(pen: Pen, name: str, point: Point) -> None:
    radius = geometry.LAMP_RADIUS
    pen.raw(f'<g class="lamp" data-lamp="{name}">')
    pen.circle(point, radius + 0.016, mix(face.RIM_DARK, face.RIM_BRIGHT, 0.6))
    pen.circle(point, radius, (12, 8, 8))
    pen.dome(point, radius * 0.93, "bulb")
    pen.raw('<g class="light">')
    pen.dome(point, 0.5, "glow")
    _rays(pen, point, radius + 0.035, radius + 0.075, 12)
    pen.dome(point, radius * 0.96, "lit")
    pen.raw("</g></g>")


def _permit(pen: Pen, place: int, point: Point) -> None:
    radius = geometry.PERMIT_RADIUS
    pen.raw(f'<g class="lamp" data-lamp="{LAMPS[place + 1]}">')
    pen.circle(point, radius, mix(face.RIM_DARK, face.RIM_BRIGHT, 0.4))
    pen.circle(point, radius - 0.012, (10, 10, 12))
    pen.dome(point, radius - 0.016, "glass")
    _pictogram(pen, place, point, radius * 0.62, face.DIM, False)
    pen.raw('<g class="light">')
    pen.dome(point, 0.42, "glow")
    _rays(pen, point, radius + 0.014, radius + 0.045, 16)
    pen.dome(point, radius - 0.016, "lit")
    _pictogram(pen, place, point, radius * 0.62, (66, 16, 8), True)
    pen.raw("</g></g>")


def _pictogram(pen: Pen, place: int, at: Point, size: float, colour: Colour, solid: bool) -> None:
    pen.raw(f'<g transform="translate({_n(at[0])} {_n(at[1])})">')
    pictograms.permit(_canvas(pen), place, size, colour, solid)
    pen.raw("</g>")


def _rays(pen: Pen, centre: Point, inner: float, outer: float, count: int) -> None:
    """Draw rays as the dashes of a thick ring."""
    radius = (inner + outer) / 2
    gap = 2 * math.pi * radius / count - 0.011
    dashes = f'stroke-dasharray="{_n(0.011)} {gap * UNITS:.2f}"'
    pen.raw(
        f'<circle cx="{_n(centre[0])}" cy="{_n(centre[1])}" r="{_n(radius)}" '
        f"{_line((255, 176, 120), outer - inner)} {dashes}/>"
    )


def _hold(pen: Pen) -> None:
    """Draw the ring that fills while AUCTION is held to cancel."""
    (x, y), radius = geometry.BUTTON, geometry.BUTTON_RADIUS + 0.028
    pen.raw(
        f'<circle class="hold" cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" pathLength="100" '
        f'transform="rotate(-90 {_n(x)} {_n(y)})" {_line(face.LIGHT, 0.05)}/>'
    )


# The style sheet's part.


def _metal(name: str, radius: float, dark: Colour, bright: Colour, light: float) -> str:
    """Turn metal as the window does: it mirrors the light in two opposite fans."""
    stops = []
    for stop in range(STOPS + 1):
        angle = math.radians(stop * 360 / STOPS - 90 - light)  # a style sheet's 0 is upwards
        part = 0.12 + 0.5 * abs(math.cos(angle)) ** 5 + 0.25 * (0.5 + 0.5 * math.cos(angle))
        stops.append(_hex(mix(dark, bright, part)))
    turned = f"{name} {{ --metal: conic-gradient({', '.join(stops)}); }}"  # no text: a style
    return f"{_area(name, (0, 0), radius, radius)}\n{turned}"


def _area(name: str, centre: Point, half_width: float, half_height: float) -> str:
    """Place something round its middle, in parts of the picture."""
    left = (centre[0] - LEFT) / WIDTH * 100
    top = (centre[1] - TOP) / HEIGHT * 100
    return (
        f"{name} {{ left: {left:.2f}%; top: {top:.2f}%; "
        f"width: {2 * half_width / WIDTH * 100:.2f}%; "
        f"height: {2 * half_height / HEIGHT * 100:.2f}%; }}"
    )


def _ball(name: str, lean: float, *stops: tuple[Colour, float]) -> str:
    lit = "".join(
        f'<stop offset="{part:g}" stop-color="{_hex(colour)}"/>' for colour, part in stops
    )
    return f'<radialGradient id="{name}" cx="{lean:g}" cy="{lean:g}" r=".75">{lit}</radialGradient>'


def _canvas(pen: Pen) -> Any:
    """Return a pen as the window's Canvas; it has the methods that are called."""
    return pen


def _fill(colour: Paint) -> str:
    return f'fill="{_hex(colour)}"'


def _line(colour: Paint, width: float) -> str:
    return f'fill="none" stroke="{_hex(colour)}" stroke-width="{_n(width)}"'


def _hex(colour: Paint) -> str:
    if isinstance(colour, str):
        return colour
    return "#" + "".join(f"{part:02x}" for part in colour[:3])


def _n(value: float) -> str:
    """Write a length in the units of the picture."""
    return f"{round(value * UNITS, 1):g}"


def _point(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}".replace(" -", "-")
