"""Draw the window from a view and a layout.

The disc lies on dark cloth in the light of a lamp. Beside it is the board with the sign for the
whole table, at the top are the tools, and at the bottom is the time line or the live trace.
"""

import random
from functools import lru_cache

import pygame

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.forms import shortest
from sim.face import disc, geometry, parts
from sim.face.geometry import Box
from sim.face.paint import Canvas, Colour, band, lettering, mix, put, text_width, written
from sim.play.sign import Sign
from sim.window import panel, timeline
from sim.window.layout import Layout
from sim.window.snapshot import View
from sim.window.timeline import ACCENT, BRIGHT, LINE, PAPER, span

GAP = 0.03  # between a control and its outline, in radii of the disc


def draw(target: pygame.Surface, layout: Layout, view: View) -> None:
    target.blit(cloth(layout.width, layout.height), (0, 0))
    draw_glow(target, view.sign.kind, bool(view.look.lamps & 1), view.is_calm)
    disc.draw(target, view.look, layout.disc)
    draw_board(target, layout.board, layout.text, view.sign)
    if view.trace and layout.strip.height:
        timeline.draw_trace(target, layout.strip, layout.text, view.trace)
    elif layout.strip.height:
        timeline.draw_line(target, layout.strip, layout.text, view.marks)
    if not view.panel:
        framed = {"", "take offer"} if view.offer else {""}  # the notice has its own frame
        for part in {view.hover, view.focus} - framed:
            outline(target, layout, part, part == view.focus)
    draw_tools(target, layout, view)
    if view.panel:
        panel.draw(target, layout, view)


def outline(target: pygame.Surface, layout: Layout, part: str, has_focus: bool) -> None:
    """Outline a part, named as by `Layout.part_at`; thicker if it has the focus."""
    colour = ACCENT if has_focus else BRIGHT
    thick = max(3, layout.text // 4) if has_focus else max(1, layout.text // 12)
    box = {**layout.tools, "take offer": layout.board, "trace": layout.strip}.get(part)
    if box:
        pygame.draw.rect(target, colour, box, thick, round(layout.text * 0.6))
    else:
        place, unit = layout.disc.place, layout.disc.radius
        if part == "auction":
            radius = (geometry.BUTTON_RADIUS + GAP) * unit
            pygame.draw.circle(target, colour, place(geometry.BUTTON), radius, thick)
        elif part == "switch":
            half_width, half_height = (half + GAP for half in geometry.SWITCH_HALF)
            left, top = place((geometry.SWITCH[0] - half_width, geometry.SWITCH[1] - half_height))
            rect = pygame.Rect(left, top, 2 * half_width * unit, 2 * half_height * unit)
            pygame.draw.rect(target, colour, rect, thick, round(half_width * unit))
        elif part == "build":
            inner, outer = geometry.TAB[0] + GAP, geometry.TAB[1] + GAP
            shape = band(inner, outer, 90 - geometry.TAB_ANGLE, 90 + geometry.TAB_ANGLE)
            pygame.draw.polygon(target, colour, [place(point) for point in shape], thick)


# The cloth.

LIGHT, DARK = (30, 74, 68), (7, 20, 23)

# The colour added to the cloth, by the kind of the sign. It follows the slow lamp of an auction,
# once a second, but not the fast lamp of the warning: a screen that flashes more than three times
# a second is dangerous to people with photosensitive epilepsy.
GLOWS = {
    "auction": (26, 5, 0),
    "auction lit": (62, 14, 0),
    "warning": (96, 34, 0),
    "sold": (20, 70, 12),
    "over": (22, 10, 44),
}
STRIPES = (255, 196, 92)


def draw_glow(target: pygame.Surface, kind: str, lit: bool, calm: bool) -> None:
    """Add the glow of the unit's state to the cloth.

    kind  of the sign
    lit   whether the auction lamp is lit
    calm  whether to reduce motion
    """
    name = "auction lit" if kind == "auction" and (lit or calm) else kind
    glow = GLOWS.get(name)
    if glow:
        target.fill(glow, special_flags=pygame.BLEND_RGB_ADD)
    if kind == "warning":  # a frame, since colour alone is not enough
        width, height = target.get_size()
        pygame.draw.rect(target, STRIPES, (0, 0, width, height), max(4, min(width, height) // 60))


@lru_cache(maxsize=2)
def cloth(width: int, height: int) -> pygame.Surface:
    """Return the cloth, `width` by `height` px."""
    surface = pygame.transform.smoothscale(_light(), (width, height))
    fibre = _fibre()
    for left in range(0, width, fibre.get_width()):
        for top in range(0, height, fibre.get_height()):
            surface.blit(fibre, (left, top), special_flags=pygame.BLEND_RGB_ADD)
    return surface


@lru_cache(maxsize=1)
def _light() -> pygame.Surface:
    """Draw the pool of light; small, since it has no detail and can be enlarged."""
    side = 64
    surface = pygame.Surface((side, side))
    for x in range(side):
        for y in range(side):
            across, down = x / (side - 1) - 0.44, y / (side - 1) - 0.40
            far = min(1.0, (across * across + down * down) ** 0.5 / 0.72)
            surface.set_at((x, y), mix(LIGHT, DARK, far**1.25))
    return surface


@lru_cache(maxsize=1)
def _fibre() -> pygame.Surface:
    """Draw a patch of fibres, always the same."""
    side = 128
    grain = random.Random(1)
    surface = pygame.Surface((side, side))
    for x in range(side):
        for y in range(side):
            value = grain.randrange(4)
            surface.set_at((x, y), (value, value, value))
    return surface


# The board: its text is as large as possible.

SOFT, NEAR = (190, 208, 202), (255, 196, 92)
SILHOUETTE, ALIGHT = (18, 30, 38), (255, 214, 140)

BIG, UNDER, PRESS = 0.62, 0.14, 0.24  # shares of the board's height
SMALLEST = 8  # px, height of letters
DIGITS = "0123456789"


def draw_board(target: pygame.Surface, box: Box, text: int, sign: Sign) -> None:
    if sign.kind == "offer":  # it can be clicked
        pygame.draw.rect(target, NEAR, box, max(2, text // 6), text)
        box = Box(box.left + text, box.top, box.width - 2 * text, box.height)
    if sign.kind == "over":
        skyline = _skyline(round(box.width), round(box.height * 0.5))
        put(target, skyline, (box.left, box.top + box.height * BIG), "bottomleft")
    if sign.permit >= 0:
        room = _room_of_picture(box, sign)
        side = round(min(room.width, room.height) * 0.94)
        put(target, _permit(side, sign.permit), room.middle, "center")
    for words, spot in places_of_lines(box, sign):
        is_under = spot.top >= box.top + box.height * BIG - 1
        colour = NEAR if sign.is_refused and is_under else _colour(sign, is_under)
        put(target, large_letters(words, round(spot.height), colour), spot.middle, "center")
    above = box.height * (BIG + UNDER)
    press = Box(box.left, box.top + above, box.width, box.height * PRESS)
    size = round(min(text * 2.0, press.height / 2.8))
    while size > SMALLEST and any(text_width(words, size) > press.width for words in sign.press):
        size -= 1
    size = max(SMALLEST, size)
    for row, words in enumerate(sign.press):
        line = lettering(words, size, _colour(sign, True))
        put(target, line, (press.middle[0], press.top + size * (0.8 + 1.3 * row)), "center")


def _colour(sign: Sign, is_under: bool) -> Colour:
    """Return the colour of letters; bright on a glowing cloth."""
    if sign.kind in GLOWS:
        return BRIGHT
    return NEAR if sign.is_near else SOFT if is_under else BRIGHT


@lru_cache(maxsize=4)
def large_letters(words: str, pixels: int, colour: Colour) -> pygame.Surface:
    """Return large letters; the cache is small because each second of a clock differs."""
    return written(words, max(SMALLEST, pixels), colour)


@lru_cache(maxsize=16)
def places_of_lines(box: Box, sign: Sign) -> list[tuple[str, Box]]:
    """Return the lines of a sign, with a box as high as the letters of each."""
    big = Box(box.left, box.top, box.width, box.height * BIG)
    if sign.permit >= 0:
        picture = _room_of_picture(box, sign)
        big = Box(box.left, picture.bottom, box.width, big.height - picture.height)
    under = Box(box.left, box.top + box.height * BIG, box.width, box.height * UNDER)
    return [*_fitted(big, sign.big), *_fitted(under, sign.under)]


def _room_of_picture(box: Box, sign: Sign) -> Box:
    return Box(box.left, box.top, box.width, box.height * BIG * (0.62 if sign.big else 1.0))


def big_size(box: Box, words: str) -> int:
    """Return the largest size of `words` in a box, the same for all digits: times do not jump."""
    shape = "".join("0" if sign in DIGITS else sign for sign in words)
    probe = 100
    width = 1.03 * text_width(shape, probe) / probe  # two digits may be wider than "00"
    size = int(min(box.width / width, box.height * 0.98))
    while size > SMALLEST and text_width(shape, size) > box.width:
        size -= 1  # letters have whole pixels, so their widths do not scale exactly
    return max(SMALLEST, size)


def _fitted(box: Box, words: str) -> list[tuple[str, Box]]:
    """Centre words in a box, as large as possible, in two lines if they are larger that way."""
    if not words:
        return []
    parts = words.split(" ")
    half = Box(0, 0, box.width, box.height / 2)
    splits = [[" ".join(parts[:at]), " ".join(parts[at:])] for at in range(1, len(parts))]

    def least(split: list[str]) -> int:
        return min(big_size(half, line) for line in split)

    best = max(splits, key=lambda split: (least(split), -max(map(len, split))), default=[])
    lines = best if best and least(best) > big_size(box, words) * 1.1 else [words]
    row_height = box.height / len(lines)
    size = min(big_size(Box(0, 0, box.width, row_height), line) for line in lines)
    spots = []
    for row, line in enumerate(lines):
        width = text_width(line, size)
        top = box.top + row_height * (row + 0.5) - size / 2
        spots.append((line, Box(box.left + (box.width - width) / 2, top, width, size)))
    return spots


@lru_cache(maxsize=8)
def _permit(side: int, permit: int) -> pygame.Surface:
    canvas = Canvas(side / 2.4, 1.2, 1.2)
    canvas.circle((0, 0), 1.16, (120, 40, 20))
    canvas.circle((0, 0), 1.1, (255, 122, 66))
    parts.permit(canvas, permit, 0.72, (66, 16, 8), solid=True)
    return canvas.sprite()


@lru_cache(maxsize=2)
def _skyline(width: int, height: int) -> pygame.Surface:
    """Draw a city at night with lit windows, always the same."""
    city = random.Random(60)
    surface = pygame.Surface((max(1, width), max(1, height)), pygame.SRCALPHA)
    left, unit = 0, max(4, width // 60)
    while left < width:
        house_width = unit * city.randrange(3, 7)
        top = round(height * city.uniform(0.15, 0.75))
        pygame.draw.rect(surface, SILHOUETTE, (left, top, house_width - 1, height - top))
        for x in range(left + unit // 2, left + house_width - unit, unit):
            for y in range(top + unit, height - unit, round(unit * 1.5)):
                if city.random() < 0.55:
                    pygame.draw.rect(surface, ALIGHT, (x, y, max(2, unit // 2), max(2, unit // 2)))
        left += house_width
    veil = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
    veil.fill((255, 255, 255, 150))
    surface.blit(veil, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return surface.premul_alpha()


# The tools, the notice and the tips.

# The use of each control, shown while the mouse or the focus is on it.
TIPS = {
    "program": lazy("The current game. Click to see all (C)"),
    "language": lazy("The language. Click for the next (L)"),
    "volume": lazy("The volume (arrows; M to mute)"),
    "help": lazy("The unit and its keys (?)"),
    "slower": lazy("Slow time down (-)"),
    "speed": lazy("The speed of time. Click for real time (0)"),
    "faster": lazy("Speed time up (+)"),
    "auction": lazy("AUCTION: starts an auction; held for 2 seconds, stops it (A)"),
    "build": lazy("BUILD: shows what may be built (B)"),
    "switch": lazy("The slide: switches on and off (O)"),
    "take offer": lazy("Click to accept the offer (R)"),
    "trace": lazy("Past and coming events. Click to see them lamp by lamp (T)"),
}

NO_PERMITS = lazy("BUILD: this game has no permits")

ALARM, ALARM_INK = (240, 176, 64), (40, 26, 4)


def draw_tools(target: pygame.Surface, layout: Layout, view: View) -> None:
    captions = {
        "program": caption(view),
        "slower": "-",
        "speed": _("paused") if view.is_paused else f"{shortest(view.speed, 3)} x",
        "faster": "+",
        "volume": "",
        "help": "?",
        "language": view.language.partition("_")[0].upper(),  # no text: a language code
    }
    for name, box in layout.tools.items():
        fill = mix(PAPER, LINE, 0.35) if name in (view.hover, view.focus) else PAPER
        pygame.draw.rect(target, fill, box, border_radius=round(layout.text * 0.6))
        pygame.draw.rect(target, mix(PAPER, LINE, 0.6), box, 1, round(layout.text * 0.6))
        write(target, box, layout.text, captions[name], BRIGHT)
    # The volume as three bars, crossed out if it is silent.
    x, y = layout.tools["volume"].middle
    text = layout.text
    for bar in range(3):
        width, height, is_on = text * 0.34, text * (0.5 + 0.32 * bar), bar < view.volume
        spot = pygame.Rect(x + (bar - 1.4) * width * 1.6, y + text * 0.55 - height, width, height)
        pygame.draw.rect(target, ACCENT if is_on else LINE, spot, 0 if is_on else 1)
    if view.is_muted or not view.volume or not view.has_sound:
        reach, thick = text * 0.75, max(2, text // 6)
        pygame.draw.line(target, BRIGHT, (x - reach, y + reach), (x + reach, y - reach), thick)
    words = notice(view)
    if words:
        unreal = words not in (view.sentence, view.offer) and (view.is_paused or view.speed != 1)
        size, radius = round(text * 1.3) if view.offer else text, round(text * 0.6)
        width = min(layout.notice.width, text_width(words, size) + 2 * size)
        left = layout.notice.middle[0] - width / 2
        box = Box(left, layout.notice.top, width, layout.notice.height)
        if unreal:
            pygame.draw.rect(target, ALARM, box, border_radius=radius)
        elif view.offer:  # it can be clicked
            pygame.draw.rect(target, PAPER, box, border_radius=radius)
            thick = 4 if "take offer" in (view.focus, view.hover) else 2
            pygame.draw.rect(target, ACCENT, box, thick, radius)
        write(target, box, size, words, ALARM_INK if unreal else BRIGHT)
    pointed = view.focus or view.hover
    if view.offer and view.sentence and not view.panel:
        _tip(target, layout, view.sentence, layout.notice)
    elif pointed in TIPS and view.has_tip and not view.panel:
        _tip(target, layout, tip(view, pointed), tip_spot(layout, view, pointed))


def tip(view: View, part: str) -> str:
    """Return the tip of a control in the current game."""
    return str(NO_PERMITS if part == "build" and not view.has_permits else TIPS[part])


def tip_spot(layout: Layout, view: View, part: str) -> Box:
    """Return the rectangle to which a tip belongs: the part, extended over the notice below it."""
    if part == "take offer" and view.sign.kind == "offer":
        return layout.board
    spot = layout.box(part)
    if part not in layout.tools or not notice(view):
        return spot
    return Box(spot.left, spot.top, spot.width, layout.notice.bottom - spot.top)


def tip_rows(layout: Layout, words: str, part: Box) -> tuple[Box, list[tuple[str, Box]]]:
    """Return the box of a tip and its lines: below its part, or above if there is no room."""
    text = layout.text
    edge = layout.notice.left
    lines: list[str] = []
    for word in words.split(" "):  # keeps no-break spaces
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, text) <= layout.notice.width - 2 * text:
            lines[-1] = longer
        else:
            lines.append(word)
    width = max(text_width(line, text) for line in lines) + 2 * text
    height = text * (0.6 + 1.2 * len(lines))
    top = part.bottom + text * 0.3
    if top + height > layout.height:
        top = max(0.0, part.top - text * 0.3 - height)
    left = min(max(part.middle[0] - width / 2, edge), layout.width - edge - width)
    box = Box(left, top, width, height)
    tops = [box.top + text * (0.3 + 1.2 * row) for row in range(len(lines))]
    rows = [Box(box.left, top, width, text * 1.2) for top in tops]
    return box, list(zip(lines, rows, strict=True))


def _tip(target: pygame.Surface, layout: Layout, words: str, part: Box) -> None:
    box, rows = tip_rows(layout, words, part)
    pygame.draw.rect(target, BRIGHT, box, border_radius=round(layout.text * 0.4))
    for line, spot in rows:
        write(target, spot, layout.text, line, PAPER)


def caption(view: View) -> str:
    """Return the label of the tool of the program."""
    if view.is_over:
        return f"{view.program}  0:00"
    return f"{view.program}  {span(view.left_ms / 1000)}" if view.left_ms else view.program


def write(target: pygame.Surface, box: Box, text: int, words: str, colour: Colour) -> None:
    """Write in the middle of a box, in smaller letters if they do not fit."""
    while text > 8 and text_width(words, text) > box.width - 4:
        text -= 1
    put(target, lettering(words, text, colour), box.middle)


def notice(view: View) -> str:
    """Return the text below the tools, "" for none.

    An offer comes first: it may expire, and a message can be shown below it.
    """
    if view.offer:
        return view.offer
    if view.sentence and not _waits(view):
        return view.sentence
    if view.is_paused:
        pace = _("Not real time: paused at {speed} x")
    elif view.speed != 1:
        pace = _("Not real time: {speed} x")
    else:
        return view.hint or ("" if view.has_sound else _("no sound device"))
    pace = pace.format(speed=shortest(view.speed, 3))
    return f"{pace}.  {view.hint}" if _waits(view) else pace


def _waits(view: View) -> bool:
    """Return whether the unit is on and waits for an input that the hint explains."""
    return view.look.is_on and bool(view.hint)
