"""How each part looks: drawn on a level wire, towards the outside (`way` 1 is right)."""

from firmware.wiring import texts
from firmware.wiring.svg import Sheet

INK = "#22262e"
BANDS = {"0": "#1b1b1b", "1": "#7a4a21", "3": "#e8862e"}
PLUS = {"text_anchor": "middle", "font_weight": "bold"}
CAPS = {texts.AUCTION_BUTTON: "#d8392b", texts.BUILD_BUTTON: "#f0b429"}


def resistor(sheet: Sheet, x: float, y: float, ohms: int) -> None:
    """Draw a resistor with its middle at x, its rings as they are sold."""
    sheet.rect(x - 26, y - 9, 52, 18, rx=8, fill="#ead9b5", stroke="#b59c66", stroke_width=1.5)
    digits = str(ohms)
    rings = [BANDS[digits[0]], BANDS[digits[1]], BANDS[str(len(digits) - 2)], "#c9a227"]
    for place, ring in enumerate(rings):
        sheet.rect(x - 17 + 10 * place + (3 if place == 3 else 0), y - 9, 4.5, 18, fill=ring)
    sheet.text(x, y + 25, texts.OHMS.format(ohms=ohms), 12, text_anchor="middle", fill="#4a5160")


def button(sheet: Sheet, x: float, y: float, name: str) -> None:
    sheet.rect(x - 26, y - 22, 52, 44, rx=7, fill="#3a3f4a", stroke=INK, stroke_width=1.5)
    for corner_x, corner_y in ((-19, -15), (19, -15), (-19, 15), (19, 15)):
        sheet.circle(x + corner_x, y + corner_y, 3, fill="#171a20")
    sheet.circle(x, y, 15, fill=CAPS.get(name, "#888888"), stroke="#ffffff", stroke_width=1.5)


def lamp(sheet: Sheet, x: float, y: float, colour: str, long_leg: int) -> None:
    """Draw an LED; its long leg lies on the side `long_leg` (-1 left, 1 right)."""
    sheet.circle(x, y, 21, fill=colour, opacity=0.18)
    sheet.circle(x, y, 14, fill=colour, stroke=INK, stroke_width=1.5)
    sheet.circle(x - 4, y - 5, 4, fill="#ffffff", opacity=0.7)
    flat = x - long_leg * 14
    sheet.add("line", x1=flat, y1=y - 11, x2=flat, y2=y + 11, stroke=INK, stroke_width=3)
    sheet.text(
        x + long_leg * 26, y - 8, "+", 17, text_anchor="middle", font_weight="bold", fill=INK
    )


def buzzer(sheet: Sheet, x: float, y: float, plus: int) -> None:
    sheet.circle(x, y, 25, fill="#1d2027", stroke=INK, stroke_width=1.5)
    sheet.circle(x, y, 5, fill="#6d7480")
    sheet.text(x + plus * 15, y + 6, "+", 17, **PLUS, fill="#ffffff")


def switch(sheet: Sheet, x: float, y: float) -> None:
    sheet.rect(x - 27, y - 15, 54, 30, rx=4, fill="#d4d8df", stroke=INK, stroke_width=1.5)
    sheet.rect(x - 17, y - 7, 34, 14, rx=3, fill="#6d7480")
    sheet.rect(x, y - 9, 17, 18, rx=3, fill="#22262e")


def diode(sheet: Sheet, x: float, y: float, way: int) -> None:
    """Draw a diode whose ring lies towards the board."""
    sheet.rect(x - 22, y - 9, 44, 18, rx=3, fill="#22262e")
    sheet.rect(x - way * 15 - 3, y - 9, 6, 18, fill="#e8eaee")
    sheet.text(x, y + 25, "1N5817", 12, text_anchor="middle", fill="#4a5160")


def cells(sheet: Sheet, x: float, y: float, way: int) -> None:
    """Draw two cells with plus towards the board."""
    sheet.rect(x - 44, y - 25, 88, 50, rx=6, fill="#2b2f38", stroke=INK, stroke_width=1.5)
    for middle in (y - 11, y + 11):
        sheet.rect(x - 38 - (4 if way > 0 else 0), middle - 3, 80, 6, fill="#c3c8d0")
        sheet.rect(x - 38, middle - 9, 76, 18, rx=3, fill="#2f6f8f")
        sheet.rect(x - 38 if way > 0 else x + 18, middle - 9, 20, 18, rx=3, fill="#d9b44a")
        sheet.text(x + way * 8, middle + 5, "AAA", 12, **PLUS, fill="#ffffff")
        sheet.text(x - way * 28, middle + 5, "+", 15, **PLUS, fill=INK)


def strip(sheet: Sheet, x: float, y: float) -> None:
    sheet.rect(x - 60, y - 14, 120, 28, rx=4, fill="#f4f5f7", stroke=INK, stroke_width=1.5)
    for place in range(5):
        sheet.rect(x - 54 + 23 * place, y - 8, 16, 16, rx=2, fill="#ffffff", stroke="#9aa1ac")
        sheet.circle(x - 46 + 23 * place, y, 5, fill="#d8392b")
