"""The wiring diagram of a board, made from its description."""

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import all_of
from firmware.boards import BOARDS
from firmware.headers import HEADERS
from firmware.maker.wiring import parts, symbols
from firmware.maker.wiring.branches import RAIL_COLOURS, Branch, row_of, sides
from firmware.maker.wiring.parts import FINE, anchor
from firmware.maker.wiring.svg import Sheet

NOTES = (
    lazy("Every wire goes from a pin of the board, through its part, to a thick line: {lines}."),
    lazy(
        "Dots are joints. A number beside a pin counts along the edge as the maker does; "
        "otherwise the pin is found by what is printed beside it."
    ),
)
NOT_ALIKE = lazy("A Pico 2 needs 8.2 kΩ from each button's pin to GND, and pull = outside.")
LINES = {
    "GND": lazy("black is ground (GND)"),
    "3V3": lazy("red is 3.3 V (3V3)"),
    "VBUS": lazy("orange is 5 V of USB (VBUS)"),
    "5V": lazy("orange is 5 V of USB (5V)"),
}
RAIL_NAMES = {
    "GND": lazy("ground"),
    "3V3": lazy("3.3 V"),
    "VBUS": lazy("5 V of USB"),
    "5V": lazy("5 V of USB"),
}
PITCH = 27  # px between two pins of the board
BOARD_WIDTH = 230
CHANNEL = 15  # px between two upright stretches of wire
TOP = 150  # px above the board
FOOT = 48  # px below the drawing, and for each note
NOTE = 24
WIDTH = 1500
PART = 160  # px from the channels to the parts
RAIL_KINDS = ("ground", "supply")
RAILS = {"GND": 240, "3V3": 270, "VBUS": 300, "5V": 300}  # px from the parts to each rail


class Diagram:
    """One board in the middle, with the parts on its two edges to the left and right."""

    def __init__(self, board: str, title: str, description: dict) -> None:
        self.header = HEADERS[board]
        self.title = title
        self.rows = sides(board, description)
        self.sheet = Sheet()
        inside = description["closed"] == "high" and description["pull"] == "inside"
        self.latches = inside and BOARDS[board].chip == "rp2040"
        pins = len(self.header.left) * PITCH + 40
        self.tall = max(pins, *(room(found) for found in self.rows.values()))
        self.board_top = TOP + (self.tall - pins) / 2
        self.used = {
            (side, row_of(branch, getattr(self.header, side))): branch
            for side, found in self.rows.items()
            for branch in found
        }
        one_sided = [side for side, found in self.rows.items() if not found]
        shift = 300 if one_sided == ["right"] else -300 if one_sided == ["left"] else 0
        self.middle = WIDTH / 2 + shift

    def draw(self) -> str:
        """Return the SVG."""
        notes = self.notes()
        height = TOP + self.tall + FOOT + NOTE * len(notes)
        sheet = self.sheet
        sheet.rect(0, 0, WIDTH, height, fill="#f7f8fb")
        sheet.text(WIDTH / 2, 52, self.title, 30, text_anchor="middle", font_weight="bold")
        sheet.text(WIDTH / 2, 84, str(self.header.about), 17, text_anchor="middle", fill=FINE)
        for side, way in (("left", -1), ("right", 1)):
            self.draw_side(side, way)
        self.draw_board()
        for place, note in enumerate(notes):
            y = height + 2 - NOTE * (len(notes) - place)
            sheet.text(WIDTH / 2, y, note, 15, text_anchor="middle", fill=FINE)
        return sheet.drawn(WIDTH, height, self.title)

    def notes(self) -> list[str]:
        """Return the lines below the drawing."""
        ends = {end for found in self.rows.values() for branch in found for end in branch.ends}
        lines = all_of([str(words) for end, words in LINES.items() if end in ends])
        far = [end for side, found in self.rows.items() for end in self.far_rails(side, found)]
        other = _("The pin of the {end} line is on the other edge of the board.")
        return [
            *([str(NOT_ALIKE)] if self.latches else []),
            *(note.format(lines=lines) for note in NOTES),
            *(other.format(end=end) for end in far),
        ]

    def far_rails(self, side: str, found: list[Branch]) -> list[str]:
        """Return the rails of a side for which no pin is on that edge of the board."""
        labels = getattr(self.header, side)
        used = {end for branch in found for end in branch.ends}
        return [end for end in RAILS if end in used and end not in labels]

    # The board.

    def pin(self, side: str, row: int) -> tuple[float, float]:
        way = -1 if side == "left" else 1
        return self.middle + way * (BOARD_WIDTH / 2 - 12), self.board_top + 34 + row * PITCH

    def draw_board(self) -> None:
        sheet = self.sheet
        left = self.middle - BOARD_WIDTH / 2
        tall = len(self.header.left) * PITCH + 40
        sheet.rect(left, self.board_top, BOARD_WIDTH, tall, rx=14, fill="#14683c")
        self.draw_socket(tall)
        sheet.rect(self.middle - 30, self.board_top + tall / 2 - 30, 60, 60, rx=4, fill="#1d2027")
        for side in ("left", "right"):
            for row, label in enumerate(getattr(self.header, side)):
                self.draw_pin(side, row, label)

    def draw_socket(self, tall: float) -> None:
        top = self.header.usb == "top"
        y = self.board_top - 14 if top else self.board_top + tall - 26
        self.sheet.rect(self.middle - 32, y, 64, 40, rx=5, fill="#c3c8d0", stroke="#7d8592")
        self.sheet.text(
            self.middle, y + 26, "USB", 15, text_anchor="middle", font_weight="bold", fill="#22262e"
        )

    def draw_pin(self, side: str, row: int, label: str) -> None:
        sheet = self.sheet
        way = -1 if side == "left" else 1
        x, y = self.pin(side, row)
        branch = self.used.get((side, row))
        if branch is None:
            sheet.circle(x, y, 6, fill="#c9a227", stroke="#0d4a2a", stroke_width=1.5)
            sheet.text(x - way * 14, y + 5, label, 13, text_anchor=anchor(-way), fill="#a9d3bb")
            return
        sheet.circle(x, y, 9, fill=branch.colour, stroke="#ffffff", stroke_width=2.5)
        sheet.text(
            x - way * 16,
            y + 5,
            label,
            15,
            text_anchor=anchor(-way),
            font_weight="bold",
            fill="#ffffff",
        )
        if self.header.numbered:
            number = str(self.header.number(side, row))
            sheet.text(x + way * 19, y - 5, number, 12, text_anchor=anchor(way), fill=FINE)

    # The parts on it.

    def draw_side(self, side: str, way: int) -> None:
        found = self.rows[side]
        if not found:
            return
        labels = getattr(self.header, side)
        ys = self.levels(side, found, labels)
        channels = self.channels(side, found, labels, ys)
        start = self.middle + way * (BOARD_WIDTH / 2 + 40 + CHANNEL * len(found))
        self.rail(way, found, ys, start)
        placed = list(zip(found, ys, channels, strict=True))
        # The wire that comes round to a buzzer comes first: the buzzer lies over its end.
        for branch, y, channel in sorted(placed, key=lambda place: place[0].kind != "bridge"):
            x, pin_y = self.pin(side, row_of(branch, labels))
            turn = self.middle + way * (BOARD_WIDTH / 2 + 36 + CHANNEL * channel)
            joins = branch.kind in RAIL_KINDS
            end = self.rail_x(way, start, branch.end) if joins else start + way * PART
            way_in = parts.way_in(branch, end, y, way)
            self.sheet.wire([(x, pin_y), (turn, pin_y), (turn, y), *way_in], branch.colour)
            if joins:
                self.sheet.circle(end, y, 7, fill=branch.colour)
                self.name_rail(branch, start, y, way)
            else:
                self.draw_branch(branch, start, y, way)

    def levels(self, side: str, found: list[Branch], labels: list[str]) -> list[float]:
        """Return the y of each branch: near its pin, with room for the parts above and below."""
        ys = []
        top = TOP
        for place, branch in enumerate(found):
            wanted = self.pin(side, row_of(branch, labels))[1]
            highest = top + parts.above(branch)
            lowest = TOP + self.tall - room(found[place:]) + parts.above(branch)
            ys.append(max(highest, min(wanted, lowest)))
            top = ys[-1] + parts.below(branch)
        return ys

    def channels(
        self, side: str, found: list[Branch], labels: list[str], ys: list[float]
    ) -> list[int]:
        """Return the upright stretch that each wire takes, so that no two cross.

        Of the wires that go up, the lower ones turn further out; of those that go
        down, the upper ones.
        """
        places = list(range(len(found)))
        rows = [row_of(branch, labels) for branch in found]
        up = [place for place in places if ys[place] < self.pin(side, rows[place])[1]]
        down = [place for place in places if place not in up]
        channels = [0] * len(found)
        for order in (up, down[::-1]):
            for channel, place in enumerate(order):
                channels[place] = channel
        return channels

    def rail_x(self, way: int, start: float, end: str) -> float:
        return start + way * (PART + RAILS[end])

    def rail(self, way: int, found: list[Branch], ys: list[float], start: float) -> None:
        for end, colour in RAIL_COLOURS.items():
            joined = [y for branch, y in zip(found, ys, strict=True) if branch.end == end]
            joined += [
                y - parts.rise(branch)
                for branch, y in zip(found, ys, strict=True)
                if branch.supply == end
            ]
            if not joined:
                continue
            x = self.rail_x(way, start, end)
            above = 16 if end == "GND" else 36
            self.sheet.wire([(x, min(joined)), (x, max(joined))], colour, 7)
            self.sheet.text(
                x,
                min(joined) - above,
                end,
                15,
                text_anchor="middle",
                font_weight="bold",
                fill=colour,
            )

    def draw_branch(self, branch: Branch, start: float, y: float, way: int) -> None:
        sheet = self.sheet
        part = start + way * PART
        sheet.text(
            start - way * 14,
            y - 9,
            _("pin {number}").format(number=branch.pin) if branch.pin.isdigit() else branch.pin,
            13,
            text_anchor=anchor(way),
            font_weight="bold",
            fill=branch.colour,
        )
        if branch.ohms:
            symbols.resistor(sheet, start + way * 72, y, branch.ohms)
        parts.draw(sheet, branch, part, y, way, lambda end: self.rail_x(way, start, end))

    def name_rail(self, branch: Branch, start: float, y: float, way: int) -> None:
        words = str(RAIL_NAMES[branch.end])
        self.sheet.text(start, y - 10, words, 15, text_anchor=anchor(way), fill=FINE)


def room(found: list[Branch]) -> int:
    """Return how tall some branches are together, in px."""
    return sum(parts.above(branch) + parts.below(branch) for branch in found)
