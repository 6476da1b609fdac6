"""Where everything is, at any size of the window: pure geometry, in px.

The track runs round the board, clockwise from GO at the bottom left; the
districts lie inside it, each group in a row of its own; the panel with players,
the decision, the unit and the log is at the right.
"""

from dataclasses import dataclass

from sim.face.box import Box
from sim.face.geometry import Circle, fit

SMALLEST = (800, 600)

PLATE = 0.24  # the share of a plot's height that its name takes
NARROW = 6.5  # heights of letters: in a plot that is less wide the name has its plate for itself
LOW = 700  # px: in a window that is lower a player has one line, in others two
# How high a player's row is, in heights of letters: of six in a low window, of few and in others.
ROWS, HIGHEST_ROW = (1.95, 2.3), 2.3
SEATS = 6


@dataclass(frozen=True)
class Layout:
    """The parts of a window.

    text      height of the letters, px
    board     track and city
    spaces    the spaces of the track
    sides     for each space the side of the board it is on: left, top, right, bottom
    city      what lies inside the track
    plots     the districts
    groups    the quarters in which they lie
    players, decision, disc, log, tools   the parts of the panel
    """

    width: int
    height: int
    text: int
    board: Box
    spaces: tuple[Box, ...]
    sides: tuple[str, ...]
    city: Box
    plots: tuple[Box, ...]
    players: Box
    decision: Box
    disc: Box
    log: Box
    tools: Box
    groups: tuple[Box, ...]

    @property
    def circle(self) -> Circle:
        """Where the disc is, below its title."""
        title = self.text * 1.4
        box = self.disc
        return fit(Box(box.left, box.top + title, box.width, box.height - title))

    def plot_at(self, point: tuple[float, float]) -> int:
        """Return the district whose plot is there, -1 for none."""
        for district, box in enumerate(self.plots):
            if box.holds(point):
                return district
        return -1

    def space_at(self, point: tuple[float, float]) -> int:
        for space, box in enumerate(self.spaces):
            if box.holds(point):
                return space
        return -1


def arrange(
    width: int, height: int, spaces: int, members: list[tuple[int, ...]], seats: int = SEATS
) -> Layout:
    """Lay out a window for a board of so many spaces, groups of these districts, and players."""
    width, height = max(width, SMALLEST[0]), max(height, SMALLEST[1])
    text = letters(width, height)
    gap = round(text * 0.5)
    panel = round(min(max(width * 0.27, min(290, width * 0.33)), 24 * text + 80))
    board = Box(gap, gap, width - panel - 3 * gap, height - 2 * gap)
    depth = round(min(board.height * 0.105, max(board.width * 0.09, 4 * text)))
    city = board.shrink(depth + gap)
    boxes, sides = _track(board, depth, spaces)
    plots, groups = _plots(city, gap, members)
    side = Box(board.right + gap, gap, panel, height - 2 * gap)
    tools = Box(side.left, side.top, side.width, text * 2)
    rows = min(SEATS * round(text * ROWS[height >= LOW]), seats * round(text * HIGHEST_ROW))
    players = Box(side.left, tools.bottom + gap, side.width, rows)
    foot = round(min(side.height * 0.31, side.width * 0.72))
    below = Box(side.left, side.bottom - foot, side.width, foot)
    disc = Box(below.left, below.top, min(foot, side.width * 0.44), foot)
    log = Box(disc.right + gap, below.top, side.right - disc.right - gap, foot)
    top = players.bottom + gap
    decision = Box(side.left, top, side.width, below.top - gap - top)
    return Layout(
        width,
        height,
        text,
        board,
        tuple(boxes),
        tuple(sides),
        city,
        tuple(plots),
        players,
        decision,
        disc,
        log,
        tools,
        tuple(groups),
    )


def letters(width: int, height: int) -> int:
    """Return how high the letters of the body are in a window of that size, on every screen."""
    return round(max(min(height / 41, width / 72), 14))


def _track(board: Box, depth: float, count: int) -> tuple[list[Box], list[str]]:
    """Place the spaces: a corner, the left side upwards, a corner, the top, and so on."""
    between = max(0, count - 4)
    counts = [between // 4 + (side < between % 4) for side in range(4)]
    tall = (board.height - 2 * depth) / max(1, counts[0])
    tall_right = (board.height - 2 * depth) / max(1, counts[2])
    wide = (board.width - 2 * depth) / max(1, counts[1])
    wide_below = (board.width - 2 * depth) / max(1, counts[3])
    right, bottom = board.right - depth, board.bottom - depth
    boxes = [Box(board.left, bottom, depth, depth)]
    boxes += [Box(board.left, bottom - (at + 1) * tall, depth, tall) for at in range(counts[0])]
    boxes.append(Box(board.left, board.top, depth, depth))
    boxes += [
        Box(board.left + depth + at * wide, board.top, wide, depth) for at in range(counts[1])
    ]
    boxes.append(Box(right, board.top, depth, depth))
    boxes += [
        Box(right, board.top + depth + at * tall_right, depth, tall_right)
        for at in range(counts[2])
    ]
    boxes.append(Box(right, bottom, depth, depth))
    boxes += [
        Box(right - (at + 1) * wide_below, bottom, wide_below, depth) for at in range(counts[3])
    ]
    sides = []
    for name, on_side in zip(("left", "top", "right", "bottom"), counts, strict=True):
        sides += ["corner"] + [name] * on_side
    return boxes[:count], sides[:count]


def _plots(city: Box, gap: float, members: list[tuple[int, ...]]) -> tuple[list[Box], list[Box]]:
    """Place each group as a row of plots; the groups lie in two columns, streets between them."""
    columns = 2 if len(members) > 3 else 1
    rows = -(-len(members) // columns)
    street = gap * 1.6
    plots: dict[int, Box] = {}
    groups = []
    for group, districts in enumerate(members):
        # Up the left column and down the right one, as the track goes.
        column, row = divmod(group, rows)
        row = rows - 1 - row if column == 0 else row
        cell = city.column(column, columns, street).row(row, rows, street)
        groups.append(cell)
        for place, district in enumerate(districts):
            plots[district] = cell.column(place, len(districts), gap * 0.7)
    return [plots[district] for district in sorted(plots)], groups
