"""The live trace: the lamps and tones of the last seconds, running to the left.

It has the place of the time line while it is asked for. Each lamp has a lane, and
the sound one in which a bar is as high as its pitch.
"""

from typing import NamedTuple

import pygame

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.lamp_words import LAMP_WORDS
from city_unit.facts import LAMPS
from sim.engine.edges import spans
from sim.engine.runner import Runner
from sim.face.box import Box
from sim.face.paint import lettering, mix, put, text_width
from sim.window.paint.strip import BEEN, COMES, FAINT, HERE, LINE, NOW, PAPER, sheet
from sim.window.paint.view import Lane

LANES = {**{lamp: words.short for lamp, words in LAMP_WORDS.items()}, "tone": lazy("sound")}
AGO = lazy("-{seconds} s")
PITCH = lazy("{hz} Hz")

SPAN_MS = 10_000
FRAME_MS = 40  # of the machine's clock, between two pictures
TICKS_S = (10, 8, 6, 4, 2)
NAMES = (*LAMPS, "tone")
HIGHEST_HZ = 3000  # a bar of this pitch, or a higher one, fills its lane
LIT = (255, 106, 62)


def take(runner: Runner) -> tuple[Lane, ...]:
    """Return the latest edges of a runner's unit, up to the latest frame."""
    frame = max(1, round(FRAME_MS * runner.speed))
    now = runner.ms // frame * frame
    lanes = []
    for name in NAMES:
        changes = [(ms, value) for ms, what, value in runner.edges if what == name and ms <= now]
        stretches = (
            (max(start - now, -SPAN_MS), end - now, value)
            for start, end, value in spans(changes, now)
            if end > now - SPAN_MS
        )
        lanes.append(Lane(name, tuple(stretches)))
    return tuple(lanes)


def moves(lanes: tuple[Lane, ...]) -> bool:
    """Return whether the picture of these lanes is another one a moment later."""
    return any(lane.stretches for lane in lanes)


class Plan(NamedTuple):
    """Where things are: the height of the letters, the box of each lane, the row of the times."""

    text: int
    lanes: dict[str, Box]
    times: Box


def plan(box: Box, text: int) -> Plan:
    small = max(8, round(text * 0.85))
    pad = text * 0.5
    gutter = max(text_width(str(LANES[name]), small) for name in NAMES) + pad
    high = (box.height - pad) / (len(NAMES) + 1)
    left, width = box.left + pad + gutter, box.width - 2 * pad - gutter
    tops = [box.top + pad / 2 + row * high for row in range(len(NAMES) + 1)]
    lanes = {
        name: Box(left, top + high * 0.12, width, high * 0.76)
        for name, top in zip(NAMES, tops, strict=False)
    }
    return Plan(small, lanes, Box(left, tops[-1], width, high))


def place(lane: Box, ms: float) -> float:
    """Return the x of a time in ms from now."""
    return lane.right + lane.width * ms / SPAN_MS


def draw(target: pygame.Surface, box: Box, text: int, lanes: tuple[Lane, ...]) -> None:
    sheet(target, box, text)
    where = plan(box, text)
    times, text = where.times, where.text
    top = next(iter(where.lanes.values())).top
    for seconds in (*TICKS_S, 0):
        x = round(place(times, -seconds * 1000))
        pygame.draw.line(target, mix(PAPER, LINE, 0.5), (x, top), (x, times.top))
        words = AGO.format(seconds=seconds) if seconds else str(NOW)
        letters = lettering(words, text, FAINT if seconds else HERE)
        half = letters.get_width() / 2
        middle = min(max(x, times.left + half), times.right - half)
        put(target, letters, (middle, times.middle[1]))
    for lane in lanes:
        spot = where.lanes[lane.name]
        ground = round(spot.bottom) - 1
        pygame.draw.line(target, mix(PAPER, LINE, 0.5), (spot.left, ground), (spot.right, ground))
        is_on = bool(lane.stretches) and lane.stretches[-1][1] == 0
        name = lettering(str(LANES[lane.name]), text, HERE if is_on else BEEN)
        put(target, name, (spot.left - text * 0.4, spot.middle[1]), "midright")
        colour = {"auction": LIT, "tone": BEEN}.get(lane.name, COMES)
        for stretch in lane.stretches:
            pygame.draw.rect(target, colour, bar(spot, lane.name, *stretch))
        if lane.name != "tone":
            continue
        # The pitch stands behind each tone, where there is room before the next one.
        limits = [place(spot, start) for start, _, _ in lane.stretches[1:]] + [spot.right]
        for (_, end, hz), limit in zip(lane.stretches, limits, strict=False):  # maybe no tone
            words = PITCH.format(hz=hz)
            left = place(spot, end) + text * 0.3
            if left + text_width(words, text) <= limit:
                put(target, lettering(words, text, FAINT), (left, spot.middle[1]), "midleft")


def bar(lane: Box, name: str, start: int, end: int, value: int) -> pygame.Rect:
    """Return the bar of a stretch, at least a pixel wide."""
    left, right = round(place(lane, start)), round(place(lane, end))
    part = min(value / HIGHEST_HZ, 1) if name == "tone" else 1
    high = max(2, round(lane.height * part))
    return pygame.Rect(left, round(lane.bottom) - high, max(1, right - left), high)
