"""The layout of the window at any size: pure geometry, in pixels."""

from dataclasses import dataclass

from sim.face.geometry import Box, Circle, fit

STRIP_LINES, TRACE_LINES = 5.2, 7.0  # heights of the time line and the trace, in lines of text

BESIDE, ABOVE = 0.44, 0.5  # the disc's share of the width, or of the height
# Largest font size of a clock such as "45:12" by the width and height of the board (measured).
CLOCK_WIDTH, CLOCK_HEIGHT = 0.53, 0.607
LOWEST_STRIP = 300  # points; a lower window needs its whole height for the clock

SMALLEST = (320, 240)  # points
WIDEST = 1.64  # aspect ratio above which the clock does not grow any more
FRAME, TASK_BAR = 16, 96  # points to leave for the frame, the title and a task bar


def initial_size(wanted: tuple[int, int], desktop: tuple[int, int]) -> tuple[int, int]:
    """Return the initial size of a window, in points.

    wanted  the saved size; it is reduced to fit the desktop, so that the title stays in reach.
            (0, 0) for the size at which the clock is largest, to be read across a table
    """
    usable = (desktop[0] - FRAME, desktop[1] - TASK_BAR)
    if not all(wanted):
        wanted = (round(usable[1] * WIDEST), usable[1])
    width, height = (
        max(least, min(size, room))
        for least, size, room in zip(SMALLEST, wanted, usable, strict=True)
    )
    return width, height


@dataclass(frozen=True)
class Layout:
    """The places of the parts of a window.

    text    height of the letters, px
    tools   the buttons at the top: program, language, volume, help, and three for the speed of time
    notice  the line below them, for offers and messages
    disc    the disc
    board   the sign for the whole table
    strip   the time line or the live trace; has no height in a window that is too low
    """

    width: int
    height: int
    text: int
    tools: dict[str, Box]
    notice: Box
    disc: Circle
    board: Box
    strip: Box

    def box(self, part: str) -> Box:
        """Return the rectangle of a part, named as by `part_at`."""
        boxes = {**self.tools, "trace": self.strip, "take offer": self.notice, "board": self.board}
        return boxes[part] if part in boxes else self.disc.box(part)

    def part_at(self, x: float, y: float) -> str:
        """Return the part at a point.

        It is "auction", "build", "switch", "trace", "board", "take offer", a tool's name, or "".
        """
        boxes = {"trace": self.strip, "take offer": self.notice, "board": self.board}
        for name, box in {**self.tools, **boxes}.items():
            if box.holds((x, y)):
                return name
        return self.disc.part_at((x, y))


def arrange(
    width: int,
    height: int,
    density: float = 1.0,
    shows_trace: bool = False,
    has_tools: bool = False,
) -> Layout:
    """Lay out a window of `width` by `height` px.

    density      px per point of its screen
    shows_trace  whether it shows the live trace, which is higher than the time line
    has_tools    whether it shows the tools for the speed of time
    """
    short = min(width, height)
    text = round(max(short / 40, 13 * density))
    gap = text * 0.6
    bar = text * 2.0
    tools = {}
    right = width - gap
    buttons = [("help", 1.0), ("volume", 1.35), ("language", 1.2)]
    if has_tools:
        buttons += [("faster", 0.85), ("speed", 1.5), ("slower", 0.85)]
    for name, part in buttons:
        tools[name] = Box(right - bar * part, gap, bar * part, bar)
        right -= bar * part + gap * 0.4
    tools["program"] = Box(gap, gap, min(right - gap, text * 11), bar)
    strip_height = text * (TRACE_LINES if shows_trace else STRIP_LINES)
    if height < LOWEST_STRIP * density:
        strip = Box(gap, height - gap, width - 2 * gap, 0)
    else:
        strip = Box(gap, height - gap - strip_height, width - 2 * gap, strip_height)
    notice = Box(gap, gap + bar + gap * 0.5, width - 2 * gap, text * 1.8)
    room = Box(gap, notice.bottom + gap * 0.5, width - 2 * gap, strip.top - notice.bottom - gap)
    # The board is beside or below the disc, wherever the clock is larger: at 584 x 720 it is twice
    # as high below.
    disc_width = min(room.width * BESIDE, room.height * 0.95)
    disc = Box(room.left, room.top, disc_width, room.height)
    board = Box(disc.right + gap, room.top, room.right - disc.right - 2 * gap, room.height)
    top = Box(room.left, room.top, room.width, room.height * ABOVE)
    below = Box(room.left, top.bottom + gap, room.width, room.bottom - top.bottom - gap)
    if _clock_size(below) > _clock_size(board):
        disc, board = top, below
    return Layout(width, height, text, tools, notice, fit(disc), board, strip)


def _clock_size(board: Box) -> float:
    return min(board.width * CLOCK_WIDTH, board.height * CLOCK_HEIGHT)
