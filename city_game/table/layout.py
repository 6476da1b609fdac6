"""The layout of the window: pure geometry in px, for any size.

The track runs round the board, clockwise from GO at the bottom left. The deeds lie inside it, each
group in its own row. The panel at the right holds the players, the decision, the unit and the log.
"""

from dataclasses import dataclass
from itertools import chain

from city_game.kernel.board import Board
from sim.face.geometry import Box, Circle, fit

SMALLEST = (800, 600)
LOW = 700  # px; a window lower than this has one line per player, others two
NAMEPLATE_SHARE = 0.24  # share of a plot's height for the plate with its name
MOST_SEATS = 6

# In heights of letters.
NARROW = 6.5  # on a plot narrower than this the owner's badge leaves the name's plate
# Heights of a player's row: of six in a low and in a high window, and the most for fewer.
ROWS, HIGHEST_ROW = (1.95, 2.3), 2.3
LANE = 1.65  # width of the lane between track and city, where the tokens stand
TOKEN = 1.5
CARD_WIDTHS = (34, 18)  # greatest and least width of a card beside a deed


@dataclass(frozen=True)
class Layout:
    """The parts of a window."""

    width: int
    height: int
    text: int  # height of the letters, px
    board: Box  # track and city
    spaces: tuple[Box, ...]  # of the track
    sides: tuple[str, ...]  # of each space: "left", "top", "right", "bottom", or "corner"
    city: Box  # inside the track
    plots: tuple[Box, ...]  # of the deeds
    groups: tuple[Box, ...]  # the quarters, each with the plots of one group
    # The parts of the panel.
    players: Box
    decision: Box
    disc: Box
    circle: Circle  # the unit's disc, below its title
    log: Box
    tools: Box

    @property
    def lane(self) -> float:
        """The width of the lane between track and city."""
        return self.spaces[0].top - self.city.bottom

    def stand(self, space: int, index: int, count: int) -> tuple[float, float]:
        """Return the position of token `index` of `count` on a space.

        Tokens cover no text: they stand on the lane, and on a corner above its name.
        """
        box, side, size = self.spaces[space], self.sides[space], self.text * TOKEN
        along = box.width if side in ("top", "bottom", "corner") else box.height
        step = min(size * 1.05, (along - size) / max(1, count - 1))
        offset = (index - (count - 1) / 2) * step
        if side in ("left", "right"):
            middle = box.right + self.lane / 2 if side == "left" else box.left - self.lane / 2
            return middle, box.middle[1] + offset
        if side == "corner":
            return box.middle[0] + offset, box.top + size * 0.75
        middle = box.bottom + self.lane / 2 if side == "top" else box.top - self.lane / 2
        return box.middle[0] + offset, middle

    def beside(self, deed: int, width: float, height: float) -> Box:
        """Return the box of a card beside a deed's plot, on the side with more room.

        In a window too narrow for that it lies in the middle.
        """
        plot, city, board = self.plots[deed], self.city, self.board
        height = min(height, city.height)
        centre, middle = city.middle
        top = middle - height / 2
        gap = self.text * 0.5
        is_left = plot.middle[0] < centre
        room = board.right - plot.right - gap if is_left else plot.left - board.left - gap
        if room < self.text * CARD_WIDTHS[1]:
            width = min(width, city.width)
            return Box(centre - width / 2, top, width, height)
        width = min(width, room)
        if is_left:
            left = max(centre - width / 2, plot.right + gap)
        else:
            left = min(centre + width / 2, plot.left - gap) - width
        return Box(left, top, width, height)

    def deed_at(self, point: tuple[float, float], board: Board) -> int:
        """Return the deed whose plot or space contains a point, -1 for none."""
        plots = (deed for deed, box in enumerate(self.plots) if box.holds(point))
        spaces = (board.deed_on[space] for space, box in enumerate(self.spaces) if box.holds(point))
        return next(chain(plots, spaces), -1)


def arrange(
    width: int, height: int, spaces: int, members: list[tuple[int, ...]], seats: int = MOST_SEATS
) -> Layout:
    """Lay out a window for `spaces` spaces, the deeds of each group, and `seats` players."""
    width, height = max(width, SMALLEST[0]), max(height, SMALLEST[1])
    text = letters(width, height)
    gap = round(text * 0.5)
    panel = round(min(max(width * 0.27, min(290, width * 0.33)), 24 * text + 80))
    board = Box(gap, gap, width - panel - 3 * gap, height - 2 * gap)
    depth = round(min(board.height * 0.105, max(board.width * 0.09, 4 * text)))
    city = board.shrink(depth + round(text * LANE))
    boxes, sides = _track(board, depth, spaces)
    plots, groups = _plots(city, gap, members)
    side = Box(board.right + gap, gap, panel, height - 2 * gap)
    tools = Box(side.left, side.top, side.width, text * 2)
    rows = min(MOST_SEATS * round(text * ROWS[height >= LOW]), seats * round(text * HIGHEST_ROW))
    players = Box(side.left, tools.bottom + gap, side.width, rows)
    foot = round(min(side.height * 0.31, side.width * 0.72))
    below = Box(side.left, side.bottom - foot, side.width, foot)
    disc = Box(below.left, below.top, min(foot, side.width * 0.44), foot)
    title = text * 1.4
    circle = fit(Box(disc.left, disc.top + title, disc.width, disc.height - title))
    log = Box(disc.right + gap, below.top, side.right - disc.right - gap, foot)
    top = players.bottom + gap
    decision = Box(side.left, top, side.width, below.top - gap - top)
    places = board, tuple(boxes), tuple(sides), city, tuple(plots), tuple(groups)
    return Layout(width, height, text, *places, players, decision, disc, circle, log, tools)


def letters(width: int, height: int) -> int:
    """Return the height of body text in a window of that size."""
    return round(max(min(height / 41, width / 72), 14))


def _track(board: Box, depth: float, count: int) -> tuple[list[Box], list[str]]:
    """Place the spaces clockwise: a corner, the left side, a corner, the top, and so on."""
    between = max(0, count - 4)
    right, bottom = board.right - depth, board.bottom - depth
    corners = {
        "left": (board.left, bottom),
        "top": (board.left, board.top),
        "right": (right, board.top),
        "bottom": (right, bottom),
    }
    boxes: list[Box] = []
    sides: list[str] = []
    for place, (side, corner) in enumerate(corners.items()):
        boxes.append(Box(*corner, depth, depth))
        on_side = between // 4 + (place < between % 4)
        is_upright = side in ("left", "right")
        whole = (board.height if is_upright else board.width) - 2 * depth
        long = whole / max(1, on_side)
        for at in range(on_side):
            if side in ("left", "bottom"):  # from the corner back to the left, or to the top
                along = (bottom if is_upright else right) - (at + 1) * long
            else:
                along = (board.top if is_upright else board.left) + depth + at * long
            spot = (
                (corner[0], along, depth, long) if is_upright else (along, corner[1], long, depth)
            )
            boxes.append(Box(*spot))
        sides += ["corner"] + [side] * on_side
    return boxes[:count], sides[:count]


def _plots(city: Box, gap: float, members: list[tuple[int, ...]]) -> tuple[list[Box], list[Box]]:
    """Place each group as a row of plots, in two columns of groups with streets between them."""
    columns = 2 if len(members) > 3 else 1
    rows = -(-len(members) // columns)
    street = gap * 1.6
    plots: dict[int, Box] = {}
    groups = []
    for group, deeds in enumerate(members):
        # Up the left column and down the right one, like the track.
        column, row = divmod(group, rows)
        row = rows - 1 - row if column == 0 else row
        cell = city.column(column, columns, street).row(row, rows, street)
        groups.append(cell)
        for place, deed in enumerate(deeds):
            plots[deed] = cell.column(place, len(deeds), gap * 0.7)
    return [plots[deed] for deed in sorted(plots)], groups
