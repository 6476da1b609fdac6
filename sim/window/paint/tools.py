"""The tools at the top, and the notice that this is not real time."""

import pygame

from city_unit.desktop.catalogue import lazy
from city_unit.desktop.forms import shortest
from sim.face.box import Box
from sim.face.paint import Colour, lettering, mix, put, text_width
from sim.window.paint.layout import Layout
from sim.window.paint.strip import COMES, HERE, LINE, PAPER, span
from sim.window.paint.view import View

PAUSED_LABEL = lazy("paused")
NOT_REAL_TIME = lazy("Not real time: {speed} x")
PAUSED = lazy("Not real time: paused at {speed} x")
NO_SOUND = lazy("no sound device")
NOTHING_LEFT = "0:00"

# The use of each control, said while the mouse or Tab is on it.
TIPS = {
    "program": lazy("The game that is played. A click shows all (C)"),
    "language": lazy("The language. A click takes the next (L)"),
    "volume": lazy("How loud it is (arrows; M for silence)"),
    "help": lazy("The unit and its keys (?)"),
    "slower": lazy("Time runs slower (-)"),
    "speed": lazy("How fast time runs. A click makes it real time (0)"),
    "faster": lazy("Time runs faster (+)"),
    "auction": lazy("AUCTION: starts an auction; held for 2 seconds, stops it (A)"),
    "build": lazy("BUILD: tells what may be built (B)"),
    "switch": lazy("The slide: switches on and off (O)"),
    "take offer": lazy("A click takes what is offered (R)"),
    "trace": lazy("The past and the coming events. A click shows lamp by lamp (T)"),
}

NO_PERMITS = lazy("BUILD: this game has no permits")

ALARM, ALARM_INK = (240, 176, 64), (40, 26, 4)


def draw(target: pygame.Surface, layout: Layout, view: View) -> None:
    captions = {
        "program": caption(view),
        "slower": "-",
        "speed": str(PAUSED_LABEL) if view.is_paused else f"{shortest(view.speed, 3)} x",
        "faster": "+",
        "volume": "",
        "help": "?",
        "language": view.language.partition("_")[0].upper(),  # no text: a code of a language
    }
    for name, box in layout.tools.items():
        fill = mix(PAPER, LINE, 0.35) if name in (view.hover, view.focus) else PAPER
        pygame.draw.rect(target, fill, box, border_radius=round(layout.text * 0.6))
        pygame.draw.rect(target, mix(PAPER, LINE, 0.6), box, 1, round(layout.text * 0.6))
        write(target, box, layout.text, captions[name], HERE)
    # The volume as three bars, crossed out when nothing can be heard.
    x, y = layout.tools["volume"].middle
    text = layout.text
    for bar in range(3):
        wide, high, is_on = text * 0.34, text * (0.5 + 0.32 * bar), bar < view.volume
        spot = pygame.Rect(x + (bar - 1.4) * wide * 1.6, y + text * 0.55 - high, wide, high)
        pygame.draw.rect(target, COMES if is_on else LINE, spot, 0 if is_on else 1)
    if view.is_muted or not view.volume or not view.has_sound:
        reach, thick = text * 0.75, max(2, text // 6)
        pygame.draw.line(target, HERE, (x - reach, y + reach), (x + reach, y - reach), thick)
    said = notice(view)
    if said:
        unreal = said not in (view.sentence, view.offer) and (view.is_paused or view.speed != 1)
        size, radius = round(text * 1.3) if view.offer else text, round(text * 0.6)
        width = min(layout.notice.width, text_width(said, size) + 2 * size)
        left = layout.notice.middle[0] - width / 2
        box = Box(left, layout.notice.top, width, layout.notice.height)
        if unreal:
            pygame.draw.rect(target, ALARM, box, border_radius=radius)
        elif view.offer:  # it can be clicked
            pygame.draw.rect(target, PAPER, box, border_radius=radius)
            thick = 4 if "take offer" in (view.focus, view.hover) else 2
            pygame.draw.rect(target, COMES, box, thick, radius)
        write(target, box, size, said, ALARM_INK if unreal else HERE)
    pointed = view.focus or view.hover
    if view.offer and view.sentence and not view.panel:
        _tip(target, layout, view.sentence, layout.notice)
    elif pointed in TIPS and view.has_tip and not view.panel:
        _tip(target, layout, tip(view, pointed), tip_spot(layout, view, pointed))


def tip(view: View, part: str) -> str:
    """Return the purpose of a control in the present game."""
    return str(NO_PERMITS if part == "build" and not view.has_permits else TIPS[part])


def tip_spot(layout: Layout, view: View, part: str) -> Box:
    """Return the rectangle that the tip of a part belongs to: of a tool, below the notice that is
    there."""
    if part == "take offer" and view.sign.kind == "offer":
        return layout.board
    spot = layout.box(part)
    if part not in layout.tools or not notice(view):
        return spot
    return Box(spot.left, spot.top, spot.width, layout.notice.bottom - spot.top)


def tip_rows(layout: Layout, words: str, part: Box) -> tuple[Box, list[tuple[str, Box]]]:
    """Return where a tip stands, and its lines: below its part, or above where there is no room."""
    text = layout.text
    edge = layout.notice.left
    lines: list[str] = []
    for word in words.split(" "):  # not at a no-break space
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, text) <= layout.notice.width - 2 * text:
            lines[-1] = longer
        else:
            lines.append(word)
    width = max(text_width(line, text) for line in lines) + 2 * text
    high = text * (0.6 + 1.2 * len(lines))
    top = part.bottom + text * 0.3
    if top + high > layout.height:
        top = max(0.0, part.top - text * 0.3 - high)
    left = min(max(part.middle[0] - width / 2, edge), layout.width - edge - width)
    box = Box(left, top, width, high)
    tops = [box.top + text * (0.3 + 1.2 * row) for row in range(len(lines))]
    rows = [Box(box.left, top, width, text * 1.2) for top in tops]
    return box, list(zip(lines, rows, strict=True))


def _tip(target: pygame.Surface, layout: Layout, words: str, part: Box) -> None:
    box, rows = tip_rows(layout, words, part)
    pygame.draw.rect(target, HERE, box, border_radius=round(layout.text * 0.4))
    for line, spot in rows:
        write(target, spot, layout.text, line, PAPER)


def caption(view: View) -> str:
    """Return the label of the tool of the program."""
    if view.is_over:
        return f"{view.program}  {NOTHING_LEFT}"
    return f"{view.program}  {span(view.left_ms / 1000)}" if view.left_ms else view.program


def write(target: pygame.Surface, box: Box, text: int, words: str, colour: Colour) -> None:
    """Write in the middle of a box, smaller if there is not the room."""
    while text > 8 and text_width(words, text) > box.width - 4:
        text -= 1
    put(target, lettering(words, text, colour), box.middle)


def notice(view: View) -> str:
    """Return what must be said under the tools, "" for nothing; an offer before all else.

    It may have a deadline, and a sentence can stand below it.
    """
    if view.offer:
        return view.offer
    if view.sentence and not _waits(view):
        return view.sentence
    if view.is_paused:
        pace = PAUSED.format(speed=shortest(view.speed, 3))
    elif view.speed != 1:
        pace = NOT_REAL_TIME.format(speed=shortest(view.speed, 3))
    else:
        return view.hint or ("" if view.has_sound else str(NO_SOUND))
    return f"{pace}.  {view.hint}" if _waits(view) else pace


def _waits(view: View) -> bool:
    """Return whether the unit is on and does nothing until somebody knows what to do."""
    return view.look.is_on and bool(view.hint)
