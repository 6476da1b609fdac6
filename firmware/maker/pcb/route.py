"""Tracks on two layers: for each net the shortest ways between its legs, on a grid."""

import heapq
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from firmware.maker.case.parameters import HOLES_MM, Parameters
from firmware.maker.pcb.circuit import (
    GRID_MM,
    GROUND,
    Leg,
    Piece,
    Place,
    outline,
    to_edge,
)

TRACK_MM, CLEARANCE_MM, EDGE_MM = 0.4, 0.2, 0.6
PAD_MM, DRILL_MM = 1.6, 1.0
HOLE_MM = 3.2
VIA_MM, VIA_DRILL_MM = 0.8, 0.4
VIA_COSTS = 12  # steps of the grid
LAYERS = ("F.Cu", "B.Cu")

Node = tuple[int, int, int]  # of the grid: to the right, down, and the layer


class NoWay(Exception):
    """A net has no way left; names it."""


class Track(NamedTuple):
    """A straight piece of copper."""

    net: str
    layer: str
    begin: Place
    end: Place


class Via(NamedTuple):
    """Where a net changes its layer."""

    net: str
    at: Place


class Router:
    """The grid of a board; the ground has no tracks, since it fills what is left."""

    def __init__(self, pieces: list[Piece], p: Parameters | None = None) -> None:
        self.origin = 0.0, (p or Parameters()).pico_middle
        self.tracks: list[Track] = []
        self.vias: list[Via] = []
        self._legs = [leg for piece in pieces for leg in piece.legs]
        corners = outline(p)
        self._free: set[tuple[int, int]] = set()
        reach = int(64 / GRID_MM)
        down = int(-self.origin[1] / GRID_MM)
        for column in range(-reach, reach):
            for row in range(-reach + down, reach + down):
                at = self.place(column, row)
                if to_edge(at, corners) >= EDGE_MM and self._is_clear_of_holes(at):
                    self._free.add((column, row))
        self._near: dict[tuple[int, int], set[str]] = {}  # nets that a track would come too near
        for leg in self._legs:
            self._keep_off(leg.at, PAD_MM / 2 + CLEARANCE_MM + TRACK_MM / 2, leg.net or str(leg.at))
        self._taken: dict[Node, str] = {}

    def place(self, column: int, row: int) -> Place:
        return (
            round(self.origin[0] + column * GRID_MM, 4),
            round(self.origin[1] + row * GRID_MM, 4),
        )

    def cell(self, at: Place) -> tuple[int, int]:
        return (
            round((at[0] - self.origin[0]) / GRID_MM),
            round((at[1] - self.origin[1]) / GRID_MM),
        )

    def route(self) -> None:
        """Lay every net; raises NoWay."""
        nets: dict[str, list[Leg]] = {}
        for leg in self._legs:
            if leg.net and leg.net != GROUND:
                nets.setdefault(leg.net, []).append(leg)

        def reach(net: str) -> float:
            places = [leg.at for leg in nets[net]]
            return max(hypot(a[0] - b[0], a[1] - b[1]) for a in places for b in places)

        for net in sorted(nets, key=reach):
            first, *others = nets[net]
            joined = {(*self.cell(first.at), layer) for layer in (0, 1)}
            for leg in others:
                joined |= self._join(net, joined, self.cell(leg.at))

    def _is_clear_of_holes(self, at: Place) -> bool:
        least = HOLE_MM / 2 + 1.4 + TRACK_MM / 2  # a screw's head is wider than its hole
        return all(hypot(at[0] - x, at[1] - y) >= least for x, y in HOLES_MM)

    def _keep_off(self, at: Place, least: float, net: str) -> None:
        column, row = self.cell(at)
        reach = int(least / GRID_MM) + 2
        for far in range(column - reach, column + reach + 1):
            for deep in range(row - reach, row + reach + 1):
                place = self.place(far, deep)
                if hypot(place[0] - at[0], place[1] - at[1]) < least - 1e-6:
                    self._near.setdefault((far, deep), set()).add(net)

    def _may(self, net: str, node: Node) -> bool:
        column, row, _layer = node
        cell = column, row
        if cell not in self._free or self._near.get(cell, {net}) != {net}:
            return False
        return self._taken.get(node, net) == net

    def _may_change(self, net: str, node: Node) -> bool:
        """A via is wider than a track: its neighbours must be free on both layers."""
        column, row, _layer = node
        return all(
            self._may(net, (column + right, row + down, layer))
            for right in (-1, 0, 1)
            for down in (-1, 0, 1)
            for layer in (0, 1)
        )

    def _join(self, net: str, joined: set[Node], goal: tuple[int, int]) -> set[Node]:
        """Lay the shortest way from what is joined to a leg; return its nodes."""
        before: dict[Node, Node | None] = dict.fromkeys(joined)
        costs = dict.fromkeys(joined, 0)
        waiting = [(0, node) for node in sorted(joined)]
        while waiting:
            cost, node = heapq.heappop(waiting)
            if node[:2] == goal:
                return self._laid(net, before, node)
            if cost > costs[node]:
                continue
            column, row, layer = node
            steps = [((column + 1, row, layer), 1), ((column - 1, row, layer), 1)]
            steps += [((column, row + 1, layer), 1), ((column, row - 1, layer), 1)]
            if self._may_change(net, node):
                steps.append(((column, row, 1 - layer), VIA_COSTS))
            for other, more in steps:
                whole = cost + more
                if self._may(net, other) and whole < costs.get(other, 1 << 30):
                    costs[other] = whole
                    before[other] = node
                    heapq.heappush(waiting, (whole, other))
        raise NoWay(net)

    def _laid(self, net: str, before: dict[Node, Node | None], end: Node) -> set[Node]:
        nodes = [end]
        while (node := before[nodes[-1]]) is not None:
            nodes.append(node)
        begin = nodes[0]
        for place, node in enumerate(nodes[1:], 1):
            after = nodes[place + 1] if place + 1 < len(nodes) else None
            if node[2] != begin[2]:
                self.vias.append(Via(net, self.place(*node[:2])))
                begin = node
            elif after is None or not _in_line(begin, node, after):
                ends = self.place(*begin[:2]), self.place(*node[:2])
                self.tracks.append(Track(net, LAYERS[node[2]], *ends))
                begin = node
        for node in nodes:
            self._taken[node] = net
        for node, other in pairwise(nodes):
            if node[2] != other[2]:
                least = VIA_MM / 2 + CLEARANCE_MM + TRACK_MM / 2
                self._keep_off(self.place(*node[:2]), least, net)
        return set(nodes)


def _in_line(begin: Node, node: Node, after: Node) -> bool:
    """Return whether a way goes straight on, on its layer."""
    if node[2] != after[2]:
        return False
    return (begin[0] == node[0] == after[0]) or (begin[1] == node[1] == after[1])
