"""The disc as SVG and CSS, from the same parts as in the window; made when a page is built.

SVG coordinates are hundredths of the disc's radius. The style sheet paints the metal parts, since
SVG has no conic gradient.
"""

# No texts: code for browsers.
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from sim.face import geometry, parts
from sim.face.geometry import AUCTION_LABEL, BUILD_LABEL
from sim.face.parts import Band, Colour, Ink, Point, Rect, polar

LABELS = (AUCTION_LABEL.key, BUILD_LABEL.key)

UNITS = 100  # SVG units per radius
LEFT, TOP, WIDTH, HEIGHT = -1.1, -1.06, 2.2, 2.3  # the area of the picture, in radii
STOPS = 24  # of a conic gradient


LOOKS = """\
.disc > * { position: absolute; transform: translate(-50%, -50%); }
.disc > .disc-picture { inset: 0; width: 100%; height: 100%; transform: none; }
.disc > .disc-picture { overflow: visible; pointer-events: none; }
.rim, .plate, .shadow, .press-auction { border-radius: 50%; }
.shadow { background: radial-gradient(closest-side, #000c 75%, transparent); }
.light, .waves { visibility: hidden; }
.on > .light, .sounding .waves { visibility: visible; }
.hold { stroke-dasharray: 0 100; }
"""


class Pen:
    """Draws shapes as SVG: a `parts.Sheet`."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._gradients: dict[str, str] = {}  # names of gradients, by their content

    def text(self) -> str:
        named = (
            f'<radialGradient id="{name}"{inner}</radialGradient>'
            for inner, name in self._gradients.items()
        )
        return "".join([*named, *self._parts])

    def raw(self, part: str) -> None:
        self._parts.append(part)

    @contextmanager
    def group(self, attributes: str) -> Iterator[None]:
        self.raw(f"<g {attributes}>")
        yield
        self.raw("</g>")

    @contextmanager
    def at(self, middle: Point) -> Iterator[None]:
        """Draw with the origin at `middle`."""
        with self.group(f'transform="translate({_point(middle)})"'):
            yield

    def circle(self, centre: Point, radius: float, colour: Ink, width: float = 0) -> None:
        paint = _line(colour, width) if width else f'fill="{_hex(colour)}"'
        self._round(centre, radius - width / 2, paint)

    def box(self, rect: Rect, colour: Ink, radius: float = 0, line: float = 0) -> None:
        left, top, width, height = rect
        inset = line / 2
        place = (
            f'x="{_n(left + inset)}" y="{_n(top + inset)}" '
            f'width="{_n(width - line)}" height="{_n(height - line)}"'
        )
        round_ = f' rx="{_n(max(0, radius - inset))}"' if radius else ""
        paint = _line(colour, line) if line else f'fill="{_hex(colour)}"'
        self.raw(f"<rect {place}{round_} {paint}/>")

    def line(self, start: Point, end: Point, colour: Ink, width: float) -> None:
        ends = f"M{_point(start)}L{_point(end)}"
        self.raw(f'<path d="{ends}" {_line(colour, width)} stroke-linecap="round"/>')

    def polygon(self, points: Sequence[Point], colour: Ink) -> None:
        corners = "L".join(_point(point) for point in points)
        self.raw(f'<path d="M{corners}Z" fill="{_hex(colour)}"/>')

    def bands(self, bands: Iterable[Band], colour: Ink, edge: Colour | None = None) -> None:
        rim = f' stroke="{_hex(edge)}" stroke-width="{_n(0.006)}"' if edge else ""
        self.raw(f'<path d="{"".join(map(_band, bands))}" fill="{_hex(colour)}"{rim}/>')

    def shell(self, band: Band, hues: Sequence[Colour]) -> None:
        inner, outer, *_ = band
        inwards = [
            (1 - (1 - inner / outer) * place / (len(hues) - 1), hue)
            for place, hue in enumerate(hues)
        ]
        middle = f' gradientUnits="userSpaceOnUse" cx="0" cy="0" r="{_n(outer)}"'
        paint = self._gradient(middle, reversed(inwards))
        self.raw(f'<path d="{_band(band)}" fill="{paint}"/>')

    def dots(self, points: Iterable[Point], radius: float, colour: Colour) -> None:
        dots = "".join(f"M{_point(point)}h0" for point in points)
        self.raw(f'<path d="{dots}" {_line(colour, 2 * radius)} stroke-linecap="round"/>')

    def rays(self, inner: float, outer: float, count: int) -> None:
        """Draw rays as the dashes of a thick ring."""
        radius, width = (inner + outer) / 2, 0.011
        gap = (2 * math.pi * radius / count - width) * UNITS
        dashes = f'stroke-dasharray="{_n(width)} {gap:.2f}"'
        self._round((0, 0), radius, f"{_line(parts.RAY, outer - inner)} {dashes}")

    def dome(self, centre: Point, radius: float, dark: Colour, bright: Colour, lean: float) -> None:
        towards = f"{0.5 - lean / 2:g}"
        focus = f' fx="{towards}" fy="{towards}"' if lean else ""
        paint = self._gradient(focus, [(0, bright), (1, dark)])
        self._round(centre, radius, f'fill="{paint}"')

    def glow(self, radius: float) -> None:
        stops = ((0, (*parts.LIGHT, 217)), (0.45, (*parts.GLOW, 77)), (1, (*parts.GLOW, 0)))
        self._round((0, 0), radius, f'fill="{self._gradient("", stops)}"')

    def _round(self, centre: Point, radius: float, paint: str) -> None:
        middle = f' cx="{_n(centre[0])}" cy="{_n(centre[1])}"' if any(centre) else ""
        self.raw(f'<circle{middle} r="{_n(radius)}" {paint}/>')

    def _gradient(self, place: str, stops: Iterable[tuple[float, Ink]]) -> str:
        """Return a gradient as a paint; equal gradients share one definition."""
        hues = "".join(
            f'<stop offset="{part:.3g}" stop-color="{_hex(colour)}"/>' for part, colour in stops
        )
        inner = f"{place}>{hues}"
        name = self._gradients.setdefault(inner, f"hue{len(self._gradients)}")
        return f"url(#{name})"


def svg() -> str:
    """Return the disc with all its lamps lit; the style sheet hides the lights that are off."""
    pen = Pen()
    button, switch = geometry.BUTTON, geometry.SWITCH
    with pen.group('class="build-knob"'):
        parts.build(pen)
        _label(pen, LABELS[1], (0, 1.1), 0.13, 0.54)
    parts.skyline(pen)
    with pen.group('class="windows"'):
        parts.windows(pen)
    with pen.at(geometry.SPEAKER):
        parts.speaker(pen)
        with pen.group('class="waves"'):
            parts.waves(pen)
    with pen.group('class="auction-knob"'):
        with pen.at(button):
            pen.circle((0, 0), geometry.BUTTON_RADIUS + 0.05, (10, 11, 13))
            parts.auction(pen)
        _label(pen, LABELS[0], (button[0], button[1] + 0.195), 0.125, 0.44)
    with pen.at(switch):
        parts.slot(pen)
        with pen.group('class="knob"'):
            parts.knob(pen)
        parts.marks(pen)
    for lamp, point in geometry.LAMP_PLACES.items():
        with pen.at(point), pen.group(f'class="lamp" data-lamp="{lamp}"'):
            parts.lamp(pen, lamp, False)
            with pen.group('class="light"'):
                pen.glow(parts.glow_reach(lamp))
                parts.lamp(pen, lamp, True)
    # The ring that fills while AUCTION is held to cancel an auction.
    inner, outer = parts.HOLD
    pen.raw(
        f'<circle class="hold" r="{_n((inner + outer) / 2)}" pathLength="100" '
        f'transform="translate({_point(button)}) rotate(-90)" '
        f"{_line(parts.LIGHT, outer - inner)}/>"
    )
    return (
        f'<svg class="disc-picture" viewBox="{_n(LEFT)} {_n(TOP)} {_n(WIDTH)} {_n(HEIGHT)}" '
        f'aria-hidden="true" focusable="false">{pen.text()}</svg>'
    )


def css() -> str:
    """Return the style of the disc on every page, and the places of its HTML parts."""
    reach = (geometry.TAB[0] * math.cos(math.radians(geometry.TAB_ANGLE)), geometry.TAB[1] + 0.02)
    width = 2 * geometry.TAB[1] * math.sin(math.radians(geometry.TAB_ANGLE))
    return "\n".join(
        [
            LOOKS + f".disc {{ aspect-ratio: {_n(WIDTH)} / {_n(HEIGHT)}; }}",
            _metal(".rim", *parts.RIM),
            _metal(".plate", *parts.PLATE),
            _area(".shadow", (0.03, 0.1), 1.09, 1.09),
            _area(".press-auction", geometry.BUTTON, *(2 * (geometry.BUTTON_RADIUS,))),
            _area(".press-build", (0, sum(reach) / 2), width / 2, (reach[1] - reach[0]) / 2),
            _area(".slide", geometry.SWITCH, *(half + 0.05 for half in geometry.SWITCH_HALF)),
            f".switched-on .knob {{ transform: translateY(-{_n(parts.SLIDE)}px); }}",
            "",
        ]
    )


def _label(pen: Pen, key: str, at: Point, size: float, room: float) -> None:
    """Write a label; the page fits its translation into `room`, in any font."""
    pen.raw(
        f'<text x="{_n(at[0])}" y="{_n(at[1])}" font-size="{_n(size)}" '
        f'lengthAdjust="spacingAndGlyphs" text-anchor="middle" fill="{_hex(parts.INK)}" '
        f'data-size="{_n(size)}" data-room="{_n(room)}" data-say="{key}">{key}</text>'
    )


def _metal(name: str, radius: float, dark: Colour, bright: Colour, light: float) -> str:
    turns = (stop * 360 / STOPS - 90 - light for stop in range(STOPS + 1))  # CSS starts at the top
    hues = ", ".join(_hex(parts.metal(dark, bright, turn)) for turn in turns)
    return f"{_area(name, (0, 0), radius, radius)}\n{name} {{ --metal: conic-gradient({hues}); }}"


def _area(name: str, centre: Point, half_width: float, half_height: float) -> str:
    """Return the CSS rule that places an element by its centre, in per cent of the picture."""
    left = (centre[0] - LEFT) / WIDTH * 100
    top = (centre[1] - TOP) / HEIGHT * 100
    return (
        f"{name} {{ left: {left:.2f}%; top: {top:.2f}%; "
        f"width: {2 * half_width / WIDTH * 100:.2f}%; "
        f"height: {2 * half_height / HEIGHT * 100:.2f}%; }}"
    )


def _line(colour: Ink, width: float) -> str:
    return f'fill="none" stroke="{_hex(colour)}" stroke-width="{_n(width)}"'


def _hex(colour: Ink) -> str:
    return "#" + bytes(colour).hex()


def _band(band: Band) -> str:
    inner, outer, start, end = band
    corners = [
        _point(polar(*at)) for at in ((outer, start), (outer, end), (inner, end), (inner, start))
    ]
    if end - start < 10:  # too short to look curved
        return f"M{'L'.join(corners)}Z"
    there, back = (f"A{_n(radius)} {_n(radius)} 0 0 " for radius in (outer, inner))
    return f"M{corners[0]}{there}1 {corners[1]}L{corners[2]}{back}0 {corners[3]}Z"


def _n(value: float) -> str:
    """Format a length in SVG units."""
    return f"{round(value * UNITS, 1):g}"


def _point(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}".replace(" -", "-")
