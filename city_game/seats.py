"""The colour and shape of each player in every picture, and the names of the bots' strengths.

The shape alone identifies a player, for people who cannot tell the colours apart. The colours are
bright, for a dark table; on white paper they need an outline.
"""

import math

from city_unit.desktop.catalogue import lazy


def _ring(count: int, start: float, inner: float = 1) -> list[tuple[float, float]]:
    """Return corners on a circle of radius 1, every second one at the radius `inner`."""
    points = []
    for corner in range(count):
        radius = inner if corner % 2 else 1
        angle = math.radians(start + corner * 360 / count)
        points.append((radius * math.cos(angle), radius * math.sin(angle)))
    return points


SEATS = (
    ((235, 87, 87), "circle"),
    ((64, 156, 255), "square"),
    ((247, 190, 55), "triangle"),
    ((94, 201, 116), "diamond"),
    ((190, 120, 240), "star"),
    ((255, 145, 77), "hexagon"),
)

# The corners of each shape around its centre, for a radius of 1; a circle has none.
CORNERS = {
    "square": [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)],
    "triangle": [(0, -0.95), (0.98, 0.8), (-0.98, 0.8)],
    "diamond": [(0, -1), (0.9, 0), (0, 1), (-0.9, 0)],
    "star": _ring(10, -90, 0.52),
    "hexagon": _ring(6, 0),
}

STRENGTHS = {
    "visitor": lazy("visitor"),
    "builder": lazy("builder"),
    "planner": lazy("planner"),
}
