"""The time line: the unit's last and next beeps.

Its scale is even near the present and ever coarser away from it, so that a
second and an hour are both in sight.
"""

import math

import pygame

from city_unit.clock import ENDS
from city_unit.desktop.catalogue import lazy
from sim.face.box import Box
from sim.face.paint import lettering, mix, put, text_width
from sim.play import state_words
from sim.play.hour import clock_words
from sim.window.paint.view import Mark

PAST_S, FUTURE_S = 600, 3600  # how far it reaches
PRESENT = 0.34  # where on the line the present is
TICKS = (-60, -10, 10, 60, 600, 1800)
ROWS = 2
END_AS_S = 30  # the end of the game is ranked as if it were this close, however far it is
AUCTION_COMES = ("auction-warning", "auction-ended")  # ahead, they are ranked first of all
REASON_S = 8  # how long a refusal says why

NOW = lazy("now")
# To translators: on the time line, where room is dear.
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
BEEN, COMES, HERE = (170, 186, 182), (255, 206, 140), (255, 246, 226)


def place(box: Box, seconds: float) -> float:
    """Return the x of a moment `seconds` from now."""
    present = box.left + box.width * PRESENT
    if seconds < 0:
        return present - box.width * (PRESENT - 0.02) * _far(-seconds) / _far(PAST_S)
    return present + box.width * (0.98 - PRESENT) * _far(seconds) / _far(FUTURE_S)


def _far(seconds: float) -> float:
    return math.log1p(seconds / 5)


def labels(box: Box, text: int, marks: tuple[Mark, ...]) -> list[tuple[str, Mark, Box]]:
    """Choose the words of the marks and where they go, so that none lies over another.

    The nearest marks, and the end of the game, are placed first; where there is no room for a
    mark's name, there may still be room for its time.
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
            left = place(box, mark.seconds) - width / 2
            left = min(max(left, box.left + text * 0.2), box.right - width - text * 0.2)
            for row in range(ROWS):
                spot = Box(left, box.top + text * (1.5 - row * 1.15), width, text * 1.1)
                if not any(spot.meets(other) for _, _, other in chosen):
                    spots.append((words, mark, spot))
        chosen += spots[:1]
    return chosen


def label(mark: Mark) -> str:
    if mark.why and mark.seconds > -REASON_S:
        return state_words.refusal(mark.value, mark.why)
    name = CUES[mark.kind].format(value=state_words.carried(mark.value))
    return f"{name} {span(mark.seconds)}" if mark.seconds >= 1 else name


def span(seconds: float) -> str:
    """Say how long something is, short: "12 s", "4:05", "1:00:00"."""
    whole = math.ceil(seconds)
    return f"{whole} s" if whole < 60 else clock_words(whole * 1000)


def sheet(target: pygame.Surface, box: Box, text: int) -> None:
    """Draw the paper on which the time line or the live trace is."""
    pygame.draw.rect(target, PAPER, box, border_radius=round(text * 0.6))
    pygame.draw.rect(target, mix(PAPER, LINE, 0.3), box, 1, round(text * 0.6))


def draw(target: pygame.Surface, box: Box, text: int, marks: tuple[Mark, ...]) -> None:
    sheet(target, box, text)
    line = box.top + text * 3.3
    thick = max(1, text // 8)
    start, end = place(box, -PAST_S), place(box, FUTURE_S)
    pygame.draw.line(target, LINE, (start, line), (end, line), thick)
    present = place(box, 0)
    now = lettering(str(NOW), text, HERE)
    for tick in TICKS:
        x = place(box, tick)
        pygame.draw.line(target, LINE, (x, line), (x, line + text * 0.35), max(1, text // 10))
        words = f"{abs(tick) // 60} min" if abs(tick) >= 60 else f"{abs(tick)} s"
        small = lettering(words, round(text * 0.9), FAINT)
        # No time lies on the word of the present.
        if abs(x - present) > (small.get_width() + now.get_width()) / 2 + text * 0.4:
            put(target, small, (x, line + text * 0.75), "midtop")
    size = text * 0.3
    for mark in marks:
        if not -PAST_S <= mark.seconds <= FUTURE_S:
            continue
        x = place(box, mark.seconds)
        if mark.seconds < 0:
            pygame.draw.aacircle(target, BEEN, (x, line), size * 0.9)
        else:
            high = size * 1.25
            corners = [(x - size, line), (x, line - high), (x + size, line), (x, line + high)]
            pygame.draw.polygon(target, COMES, corners)
    for name, mark, spot in labels(box, text, marks):
        words = lettering(name, text, COMES if mark.seconds >= 0 else BEEN)
        put(target, words, (spot.left + text * 0.25, spot.top), "topleft")
    pygame.draw.line(
        target, HERE, (present, line - text * 0.55), (present, line + text * 0.55), 2 * thick
    )
    put(target, now, (present, line + text * 0.7), "midtop")
