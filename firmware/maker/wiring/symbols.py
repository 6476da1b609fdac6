"""How each part looks: drawn on a level wire, towards the outside (`way` 1 is right)."""

from collections.abc import Sequence

from city_unit.desktop.catalogue import _
from city_unit.desktop.svg import document, element, number

Point = tuple[float, float]

ANCHORS: dict[int | None, str] = {-1: "end", 0: "middle", 1: "start"}
FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"  # no text: names of fonts


class Sheet:
    """A drawing; coordinates and sizes are in pixels."""

    def __init__(self) -> None:
        self._shapes: list[str] = []

    def add(self, tag: str, **attributes: object) -> None:
        self._shapes.append(element(tag, **attributes))

    def rect(self, x: float, y: float, width: float, height: float, **attributes: object) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, **attributes)

    def circle(self, x: float, y: float, r: float, **attributes: object) -> None:
        self.add("circle", cx=x, cy=y, r=r, **attributes)

    def wire(self, points: Sequence[Point], colour: str, width: float = 4) -> None:
        """Draw a wire with round corners and a light rim, so that crossings can be read."""
        path = rounded(points, 10)
        shape = {"fill": "none", "stroke_linecap": "round", "d": path}
        self.add("path", stroke="#ffffff", stroke_width=width + 4, **shape)
        self.add("path", stroke=colour, stroke_width=width, **shape)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        way: int | None = None,
        bold: bool = False,
        **attributes: object,
    ) -> None:
        """Write words from a point to the right (`way` 1), to the left (-1), or around it (0)."""
        look = {"text_anchor": ANCHORS.get(way), "font_weight": "bold" if bold else None}
        self._shapes.append(element("text", words, x=x, y=y, font_size=size, **look, **attributes))

    def drawn(self, width: float, height: float, title: str) -> str:
        """Return the SVG."""
        shapes = [element("title", title), *self._shapes]
        return document(width, height, shapes, font_family=FONT)


def rounded(points: Sequence[Point], radius: float) -> str:
    """Return a path through level and upright stretches, its corners rounded."""

    def towards(start: Point, goal: Point) -> str:
        (x, y), (goal_x, goal_y) = start, goal
        length = abs(goal_x - x) + abs(goal_y - y)
        step = min(radius, length / 2) / length if length else 0
        return f"{number(x + (goal_x - x) * step)} {number(y + (goal_y - y) * step)}"

    path = f"M{number(points[0][0])} {number(points[0][1])}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        path += f" L{towards(corner, before)} Q{number(corner[0])} {number(corner[1])}"
        path += f" {towards(corner, after)}"
    return path + f" L{number(points[-1][0])} {number(points[-1][1])}"


INK = "#22262e"
FINE = "#4a5160"  # of less important words and lines
BANDS = {"0": "#1b1b1b", "1": "#7a4a21", "2": "#c23a2b", "3": "#e8862e", "4": "#e6c619"}
CAPS = {"auction-button": "#d8392b", "build-button": "#f0b429"}
RIM = {"stroke": INK, "stroke_width": 1.5}


def resistor(sheet: Sheet, x: float, y: float, ohms: int) -> None:
    """Draw a resistor with its middle at x, its rings as they are sold."""
    sheet.rect(x - 26, y - 9, 52, 18, rx=8, fill="#ead9b5", stroke="#b59c66", stroke_width=1.5)
    digits = str(ohms)
    rings = (BANDS[digits[0]], BANDS[digits[1]], BANDS[str(len(digits) - 2)], "#c9a227")
    for place, ring in zip((-17, -7, 3, 16), rings, strict=True):
        sheet.rect(x + place, y - 9, 4.5, 18, fill=ring)
    value = f"{ohms // 1000} kΩ" if ohms > 9999 else f"{ohms} Ω"  # no text: a number and its unit
    sheet.text(x, y + 25, value, 12, 0, fill=FINE)


def button(sheet: Sheet, x: float, y: float, key: str) -> None:
    sheet.rect(x - 26, y - 22, 52, 44, rx=7, fill="#3a3f4a", **RIM)
    for corner_x, corner_y in ((-19, -15), (19, -15), (-19, 15), (19, 15)):
        sheet.circle(x + corner_x, y + corner_y, 3, fill="#171a20")
    sheet.circle(x, y, 15, fill=CAPS[key], stroke="#ffffff", stroke_width=1.5)


def lamp(sheet: Sheet, x: float, y: float, colour: str, long_leg: int) -> None:
    """Draw an LED; its long leg lies on the side `long_leg` (-1 left, 1 right)."""
    sheet.circle(x, y, 21, fill=colour, opacity=0.18)
    sheet.circle(x, y, 14, fill=colour, **RIM)
    sheet.circle(x - 4, y - 5, 4, fill="#ffffff", opacity=0.7)
    flat = x - long_leg * 14
    sheet.add("line", x1=flat, y1=y - 11, x2=flat, y2=y + 11, stroke=INK, stroke_width=3)
    sheet.text(x + long_leg * 26, y - 8, "+", 17, 0, bold=True, fill=INK)


def buzzer(sheet: Sheet, x: float, y: float, plus: int) -> None:
    sheet.circle(x, y, 25, fill="#1d2027", **RIM)
    sheet.circle(x, y, 5, fill="#6d7480")
    sheet.text(x + plus * 15, y + 6, "+", 17, 0, bold=True, fill="#ffffff")


def switch(sheet: Sheet, x: float, y: float) -> None:
    sheet.rect(x - 27, y - 15, 54, 30, rx=4, fill="#d4d8df", **RIM)
    sheet.rect(x - 17, y - 7, 34, 14, rx=3, fill="#6d7480")
    sheet.rect(x, y - 9, 17, 18, rx=3, fill="#22262e")


def diode(sheet: Sheet, x: float, y: float, ring: int, kind: str, label: int = 25) -> None:
    """Draw a diode whose ring lies on the side `ring` (-1 left, 1 right).

    label  how far below its middle its name stands
    """
    sheet.rect(x - 22, y - 9, 44, 18, rx=3, fill=INK)
    sheet.rect(x + ring * 15 - 3, y - 9, 6, 18, fill="#e8eaee")
    sheet.text(x, y + label, kind, 12, 0, fill=FINE)


def transistor(sheet: Sheet, x: float, y: float, way: int) -> None:
    """Draw a transistor by the letters of its legs: B towards the pin, C above, E outside.

    Below it stands which leg has which letter, as one looks at the transistor's flat side.
    """
    sheet.circle(x, y, 24, fill="#3a3f4a", **RIM)
    for right, down, letter in ((-way * 14, 5, "B"), (0, -9, "C"), (way * 14, 5, "E")):
        sheet.text(x + right, y + down, letter, 15, 0, bold=True, fill="#ffffff")
    y += 40
    sheet.rect(x - 28, y - 8, 56, 22, rx=3, fill="#3a3f4a", **RIM)
    sheet.text(x, y + 8, "BC547", 12, 0, bold=True, fill="#ffffff")
    for leg, letter in ((-16, "C"), (0, "B"), (16, "E")):
        line = {"x1": x + leg, "y1": y + 14, "x2": x + leg, "y2": y + 24}
        sheet.add("line", **line, stroke="#9aa1ac", stroke_width=3)
        sheet.text(x + leg, y + 36, letter, 13, 0, bold=True, fill=INK)
    sheet.text(x, y + 50, _("its flat side"), 12, 0, fill=FINE)


def cells(sheet: Sheet, x: float, y: float, way: int) -> None:
    """Draw two cells with plus towards the board."""
    sheet.rect(x - 44, y - 25, 88, 50, rx=6, fill="#2b2f38", **RIM)
    for middle in (y - 11, y + 11):
        sheet.rect(x - 38 - (4 if way > 0 else 0), middle - 3, 80, 6, fill="#c3c8d0")
        sheet.rect(x - 38, middle - 9, 76, 18, rx=3, fill="#2f6f8f")
        sheet.rect(x - 38 if way > 0 else x + 18, middle - 9, 20, 18, rx=3, fill="#d9b44a")
        sheet.text(x + way * 8, middle + 5, "AAA", 12, 0, bold=True, fill="#ffffff")
        sheet.text(x - way * 28, middle + 5, "+", 15, 0, bold=True, fill=INK)


def plate(sheet: Sheet, x: float, y: float, half: float, up: float, fill: str, deep=0.0) -> None:
    """Draw a board of a part's own: twice `half` wide, from `up` above to `deep` + `up` below."""
    sheet.rect(x - half, y - up, 2 * half, 2 * up + deep, rx=4, fill=fill, **RIM)


def strip(sheet: Sheet, x: float, y: float, half: float) -> None:
    """Draw a strip of five lamps that is twice `half` wide."""
    plate(sheet, x, y, half, 24, "#f4f5f7")
    for place in range(-2, 3):
        lamp_x = x + 20 * place
        sheet.rect(lamp_x - 7, y - 7, 14, 14, rx=2, fill="#ffffff", stroke="#9aa1ac")
        sheet.circle(lamp_x, y, 5, fill="#d8392b")


def module(sheet: Sheet, x: float, y: float, half: float) -> None:
    """Draw a buzzer on a board of its own, which is twice `half` wide."""
    plate(sheet, x, y, half, 24, "#2c4f7c")
    sheet.circle(x, y, 17, fill="#1d2027")
    sheet.circle(x, y, 4, fill="#6d7480")


def pad(sheet: Sheet, x: float, y: float, label: str) -> None:
    sheet.rect(x - 14, y - 10, 28, 13, rx=3, fill="#ffffff")
    sheet.text(x, y, label, 11, 0, bold=True, fill=INK)
