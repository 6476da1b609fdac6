"""Draw the time line, or the live trace in its place.

The time line shows the unit's past and coming events on a logarithmic scale, so that a second
and an hour are both visible.

The live trace shows the lamps and tones of the last seconds, scrolling to the left. Each lamp has
a lane; in the lane of the sound the height of a bar is its pitch.
"""

import math
from typing import NamedTuple

import pygame

from city_unit.clock import ENDS
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.lamp_words import LAMP_WORDS
from sim.face.geometry import Box
from sim.face.paint import lettering, mix, put, text_width
from sim.play import phrases
from sim.play.phrases import clock_words
from sim.window.snapshot import FUTURE_S, PAST_S, SPAN_MS, TRACED, Lane, Mark

PRESENT = 0.34  # place of the present, as a fraction of the width
TICKS = (-60, -10, 10, 60, 600, 1800)  # s
ROWS = 2  # of labels
END_AS_S = 30  # the label of the end of the game ranks as if it were at most this far away
AUCTION_COMES = ("auction-warning", "auction-ended")  # coming ones rank first
REASON_S = 8  # how long a refusal shows its reason

NOW = lazy("now")
# To translators: on the time line, where space is scarce.
CUES = {
    "switched-on": lazy("on"),
    "switched-off": lazy("off"),
    "auction-started": lazy("auction"),
    "auction-warning": lazy("warning"),
    "auction-ended": lazy("sold"),
    "auction-cancelled": lazy("stopped"),
    "permit-started": lazy("build"),
    "permit-granted": lazy("permit {value}"),
    "hour-beep": lazy("beep"),
    "hour-ended": lazy("the hour"),
    "phase-started": lazy("phase {value}"),
    "last-round": lazy("last round"),
    "time-called": lazy("time"),
    "refused": lazy("refused"),
}

PAPER = (16, 34, 35)
LINE = (98, 126, 122)
FAINT = (128, 154, 150)
MUTED, ACCENT, BRIGHT = (170, 186, 182), (255, 206, 140), (255, 246, 226)


def x_at(box: Box, seconds: float) -> float:
    """Return the x of the time `seconds` from now."""
    present = box.left + box.width * PRESENT
    if seconds < 0:
        return present - box.width * (PRESENT - 0.02) * _far(-seconds) / _far(PAST_S)
    return present + box.width * (0.98 - PRESENT) * _far(seconds) / _far(FUTURE_S)


def _far(seconds: float) -> float:
    return math.log1p(seconds / 5)


def labels(box: Box, text: int, marks: tuple[Mark, ...]) -> list[tuple[str, Mark, Box]]:
    """Choose the labels of the marks and their places, so that they do not overlap.

    The nearest marks and the end of the game are placed first. A beep whose name does not fit may
    still get its time.
    """

    def nearness(mark: Mark) -> float:
        if mark.kind in AUCTION_COMES and mark.seconds >= 0:
            return -1.0
        return min(abs(mark.seconds), END_AS_S) if mark.kind in ENDS else abs(mark.seconds)

    chosen: list[tuple[str, Mark, Box]] = []
    for mark in sorted(marks, key=nearness):
        if not -PAST_S <= mark.seconds <= FUTURE_S:
            continue
        wordings = [label(mark)]
        if mark.kind == "hour-beep" and mark.seconds >= 1:
            wordings.append(span(mark.seconds))
        spots = []
        for words in wordings:
            width = text_width(words, text) + text * 0.5
            left = x_at(box, mark.seconds) - width / 2
            left = min(max(left, box.left + text * 0.2), box.right - width - text * 0.2)
            for row in range(ROWS):
                spot = Box(left, box.top + text * (1.5 - row * 1.15), width, text * 1.1)
                if not any(spot.meets(other) for _, _, other in chosen):
                    spots.append((words, mark, spot))
        chosen += spots[:1]
    return chosen


def label(mark: Mark) -> str:
    if mark.why and mark.seconds > -REASON_S:
        return phrases.refusal(mark.value, mark.why)
    name = CUES[mark.kind].format(value=phrases.event_value(mark.value))
    return f"{name} {span(mark.seconds)}" if mark.seconds >= 1 else name


def span(seconds: float) -> str:
    """Return a short form of a duration: "12 s", "4:05", "1:00:00"."""
    whole = math.ceil(seconds)
    return f"{whole} s" if whole < 60 else clock_words(whole * 1000)


def draw_background(target: pygame.Surface, box: Box, text: int) -> None:
    """Draw the background of the time line or the live trace."""
    pygame.draw.rect(target, PAPER, box, border_radius=round(text * 0.6))
    pygame.draw.rect(target, mix(PAPER, LINE, 0.3), box, 1, round(text * 0.6))


def draw_line(target: pygame.Surface, box: Box, text: int, marks: tuple[Mark, ...]) -> None:
    draw_background(target, box, text)
    line = box.top + text * 3.3
    thick = max(1, text // 8)
    start, end = x_at(box, -PAST_S), x_at(box, FUTURE_S)
    pygame.draw.line(target, LINE, (start, line), (end, line), thick)
    present = x_at(box, 0)
    now = lettering(str(NOW), text, BRIGHT)
    for tick in TICKS:
        x = x_at(box, tick)
        pygame.draw.line(target, LINE, (x, line), (x, line + text * 0.35), max(1, text // 10))
        words = f"{abs(tick) // 60} min" if abs(tick) >= 60 else f"{abs(tick)} s"
        small = lettering(words, round(text * 0.9), FAINT)
        # Leave out a time that would touch the word for the present.
        if abs(x - present) > (small.get_width() + now.get_width()) / 2 + text * 0.4:
            put(target, small, (x, line + text * 0.75), "midtop")
    size = text * 0.3
    for mark in marks:
        if not -PAST_S <= mark.seconds <= FUTURE_S:
            continue
        x = x_at(box, mark.seconds)
        if mark.seconds < 0:
            pygame.draw.aacircle(target, MUTED, (x, line), size * 0.9)
        else:
            tip = size * 1.25
            corners = [(x - size, line), (x, line - tip), (x + size, line), (x, line + tip)]
            pygame.draw.polygon(target, ACCENT, corners)
    for name, mark, spot in labels(box, text, marks):
        words = lettering(name, text, ACCENT if mark.seconds >= 0 else MUTED)
        put(target, words, (spot.left + text * 0.25, spot.top), "topleft")
    pygame.draw.line(
        target, BRIGHT, (present, line - text * 0.55), (present, line + text * 0.55), 2 * thick
    )
    put(target, now, (present, line + text * 0.7), "midtop")


# The live trace.

LANES = {**{lamp: words.short for lamp, words in LAMP_WORDS.items()}, "tone": lazy("sound")}

TICKS_S = (10, 8, 6, 4, 2)
HIGHEST_HZ = 3000  # this pitch and higher ones fill the lane
LIT = (255, 106, 62)


class LanesLayout(NamedTuple):
    """The layout of the live trace: height of letters, boxes of the lanes, row of the times."""

    text: int
    lanes: dict[str, Box]
    times: Box


def arrange_lanes(box: Box, text: int) -> LanesLayout:
    small = max(8, round(text * 0.85))
    pad = text * 0.5
    gutter = max(text_width(str(LANES[name]), small) for name in TRACED) + pad
    row_height = (box.height - pad) / (len(TRACED) + 1)
    left, width = box.left + pad + gutter, box.width - 2 * pad - gutter
    tops = [box.top + pad / 2 + row * row_height for row in range(len(TRACED) + 1)]
    lanes = {
        name: Box(left, top + row_height * 0.12, width, row_height * 0.76)
        for name, top in zip(TRACED, tops, strict=False)
    }
    return LanesLayout(small, lanes, Box(left, tops[-1], width, row_height))


def x_in(lane: Box, ms: float) -> float:
    """Return the x of a time in ms from now."""
    return lane.right + lane.width * ms / SPAN_MS


def draw_trace(target: pygame.Surface, box: Box, text: int, lanes: tuple[Lane, ...]) -> None:
    draw_background(target, box, text)
    where = arrange_lanes(box, text)
    times, text = where.times, where.text
    top = next(iter(where.lanes.values())).top
    for seconds in (*TICKS_S, 0):
        x = round(x_in(times, -seconds * 1000))
        pygame.draw.line(target, mix(PAPER, LINE, 0.5), (x, top), (x, times.top))
        words = _("-{seconds} s").format(seconds=seconds) if seconds else str(NOW)
        letters = lettering(words, text, FAINT if seconds else BRIGHT)
        half = letters.get_width() / 2
        middle = min(max(x, times.left + half), times.right - half)
        put(target, letters, (middle, times.middle[1]))
    for lane in lanes:
        spot = where.lanes[lane.name]
        ground = round(spot.bottom) - 1
        pygame.draw.line(target, mix(PAPER, LINE, 0.5), (spot.left, ground), (spot.right, ground))
        is_on = bool(lane.stretches) and lane.stretches[-1][1] == 0
        name = lettering(str(LANES[lane.name]), text, BRIGHT if is_on else MUTED)
        put(target, name, (spot.left - text * 0.4, spot.middle[1]), "midright")
        colour = {"auction": LIT, "tone": MUTED}.get(lane.name, ACCENT)
        for stretch in lane.stretches:
            pygame.draw.rect(target, colour, bar(spot, lane.name, *stretch))
        if lane.name != "tone":
            continue
        # The pitch follows each tone, if it fits before the next one.
        limits = [x_in(spot, start) for start, _end, _hz in lane.stretches[1:]] + [spot.right]
        for (_start, end, hz), limit in zip(lane.stretches, limits, strict=False):
            words = _("{hz} Hz").format(hz=hz)
            left = x_in(spot, end) + text * 0.3
            if left + text_width(words, text) <= limit:
                put(target, lettering(words, text, FAINT), (left, spot.middle[1]), "midleft")


def bar(lane: Box, name: str, start: int, end: int, value: int) -> pygame.Rect:
    """Return the bar of a span, at least a pixel wide."""
    left, right = round(x_in(lane, start)), round(x_in(lane, end))
    part = min(value / HIGHEST_HZ, 1) if name == "tone" else 1
    height = max(2, round(lane.height * part))
    return pygame.Rect(left, round(lane.bottom) - height, max(1, right - left), height)
