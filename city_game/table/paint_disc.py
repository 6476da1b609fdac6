"""The unit's disc, drawn small from what the unit shows; and where its controls are."""

import math
from functools import lru_cache

import pygame

from city_game import texts_table as texts
from city_game.table.layout import Box
from city_game.table.pens import DARK, FAINT, GOLD, INK, mix, put, shade, write

BUTTON, BUTTON_RADIUS = (0.0, -0.08), 0.36
LAMP, LAMP_RADIUS = (0.0, -0.66), 0.1
PERMIT_RADIUS = 0.145
PERMITS = tuple(
    (0.66 * math.cos(math.radians(angle)), 0.66 * math.sin(math.radians(angle)))
    for angle in (150, 112, 68, 30)
)
SWITCH = (-0.64, -0.2)
TAB_TOP, TAB_BOTTOM, TAB_HALF = 0.93, 1.16, 0.42
GLOW = (255, 74, 40)


def frame(box: Box, text: int) -> tuple[tuple[float, float], float]:
    """Return the middle and the radius of the disc in its box."""
    high = box.height - text * 1.4
    radius = min(box.width / 2.08, high / 2.3)
    return (box.left + box.width / 2, box.top + text * 1.4 + radius * 1.05), radius


def part_at(box: Box, text: int, point: tuple[float, float]) -> str:
    """Return which control is at a point of the window: "auction", "build", "switch" or ""."""
    centre, radius = frame(box, text)
    x, y = (point[0] - centre[0]) / radius, (point[1] - centre[1]) / radius
    if math.hypot(x - BUTTON[0], y - BUTTON[1]) <= BUTTON_RADIUS:
        return "auction"
    if abs(x) <= TAB_HALF and TAB_TOP - 0.08 <= y <= TAB_BOTTOM:
        return "build"
    if abs(x - SWITCH[0]) < 0.14 and abs(y - SWITCH[1]) < 0.2:
        return "switch"
    return ""


def paint_disc(target, box: Box, text: int, unit, pressed: str, holding: float = 0) -> None:
    """Draw the disc with its lamps as they are; `holding` is how far the light is being stopped."""
    centre, radius = frame(box, text)

    def place(point):
        return centre[0] + point[0] * radius, centre[1] + point[1] * radius

    put(target, _body(round(radius), pressed == "build"), place((0, 0.05)))
    face = (238, 228, 208) if pressed != "auction" else (196, 184, 162)
    pygame.draw.circle(target, (22, 24, 28), place(BUTTON), radius * (BUTTON_RADIUS + 0.03))
    pygame.draw.circle(target, shade(face, 0.22), place(BUTTON), radius * BUTTON_RADIUS)
    pygame.draw.circle(target, face, place((BUTTON[0], BUTTON[1] - 0.03)), radius * 0.32)
    _hands(target, place(BUTTON), radius * 0.17)
    if holding:
        _hold(target, place(BUTTON), radius * (BUTTON_RADIUS + 0.05), holding)
    size = max(10, round(radius * 0.14))
    write(target, "AUCTION", place((0, BUTTON[1] + 0.21)), size, DARK, "center")
    write(target, "BUILD", place((0, 1.06)), size, DARK, "center")
    _lamp(target, place(LAMP), radius * LAMP_RADIUS, bool(unit.lamps & 1))
    for permit, point in enumerate(PERMITS):
        lit = bool(unit.lamps >> permit + 1 & 1)
        _permit(target, place(point), radius * PERMIT_RADIUS, permit, lit)
    _switch(target, place(SWITCH), radius, unit.state not in ("off", ""))
    _speaker(target, place((0.64, -0.2)), radius, unit.tone)


@lru_cache(maxsize=4)
def _body(radius: int, build_down: bool) -> pygame.Surface:
    fine = 3
    scale = radius * fine
    sheet = pygame.Surface((round(2.2 * scale), round(2.4 * scale)), pygame.SRCALPHA)
    middle = (1.1 * scale, 1.15 * scale)
    tab_end = TAB_BOTTOM - (0.05 if build_down else 0)
    tab = pygame.Rect(0, 0, TAB_HALF * 2 * scale, (tab_end - 0.7) * scale)
    tab.midtop = (round(middle[0]), round(middle[1] + 0.7 * scale))
    pygame.draw.rect(sheet, (150, 138, 118), tab, border_radius=round(0.1 * scale))
    inner = tab.inflate(-0.05 * scale, -0.04 * scale)
    pygame.draw.rect(sheet, (232, 222, 202), inner, border_radius=round(0.09 * scale))
    rings = 40
    for ring in range(rings):
        part = ring / rings
        colour = mix((96, 92, 88), (206, 200, 190), part)
        offset = -0.012 * scale * part
        pygame.draw.circle(
            sheet, colour, (middle[0] + offset, middle[1] + offset), scale * (1 - 0.055 * part)
        )
    for ring in range(rings):
        part = ring / rings
        colour = mix((40, 46, 58), (74, 82, 98), part)
        offset = -0.25 * scale * part
        pygame.draw.circle(
            sheet, colour, (middle[0] + offset, middle[1] + offset), scale * (0.93 - 0.6 * part)
        )
    size = (round(sheet.get_width() / fine), round(sheet.get_height() / fine))
    return pygame.transform.smoothscale(sheet.premul_alpha(), size)


def _hold(target, at, radius: float, part: float) -> None:
    """Draw a ring that closes while the button is held."""
    box = pygame.Rect(0, 0, radius * 2, radius * 2)
    box.center = (round(at[0]), round(at[1]))
    top = math.pi / 2
    pygame.draw.arc(target, GOLD, box, top - 2 * math.pi * part, top, max(3, round(radius / 6)))


def _hands(target, at, size: float) -> None:
    """Draw a gavel, for AUCTION."""
    x, y = at[0], at[1] - size * 0.2
    pygame.draw.line(target, DARK, (x, y), (x + size, y + size * 0.7), max(2, round(size / 5)))
    head = [(x - size, y), (x - size * 0.2, y - size * 0.8), (x + size * 0.25, y - size * 0.35)]
    pygame.draw.polygon(target, DARK, [*head, (x - size * 0.55, y + size * 0.45)])


def _lamp(target, at, radius: float, lit: bool) -> None:
    """Draw the auction lamp; a lit one also has rays."""
    if lit:
        put(target, glow(round(radius * 3.4)), at)
        for ray in range(8):
            angle = math.radians(ray * 45)
            near, far = radius * 1.35, radius * 1.8
            start = at[0] + near * math.cos(angle), at[1] + near * math.sin(angle)
            end = at[0] + far * math.cos(angle), at[1] + far * math.sin(angle)
            pygame.draw.line(target, (255, 190, 150), start, end, 2)
    pygame.draw.circle(target, (14, 14, 16), at, radius * 1.14)
    pygame.draw.circle(target, GLOW if lit else (86, 32, 30), at, radius)
    pygame.draw.circle(
        target,
        (255, 226, 206) if lit else (126, 60, 54),
        (at[0] - radius * 0.25, at[1] - radius * 0.25),
        radius * (0.5 if lit else 0.25),
    )


def _permit(target, at, radius: float, permit: int, lit: bool) -> None:
    if lit:
        put(target, glow(round(radius * 2.6)), at)
    pygame.draw.circle(target, (250, 214, 190) if lit else (112, 112, 120), at, radius)
    pygame.draw.circle(target, GLOW if lit else (34, 28, 30), at, radius * 0.9)
    ink = (60, 12, 6) if lit else (160, 136, 130)
    if permit < 3:
        write(target, str(permit + 1), at, round(radius * 1.5), ink, "center")
        return
    x, y = at
    body = pygame.Rect(0, 0, radius * 0.9, radius * 0.95)
    body.center = (round(x), round(y - radius * 0.1))
    pygame.draw.rect(target, ink, body, border_radius=round(radius * 0.25))
    window = pygame.Rect(0, 0, radius * 0.6, radius * 0.3)
    window.center = (round(x), round(y - radius * 0.28))
    pygame.draw.rect(target, GLOW if lit else (34, 28, 30), window)
    pygame.draw.line(
        target, ink, (x - radius * 0.5, y + radius * 0.6), (x + radius * 0.5, y + radius * 0.6), 2
    )


def _switch(target, at, radius: float, on: bool) -> None:
    slot = pygame.Rect(0, 0, radius * 0.15, radius * 0.3)
    slot.center = (round(at[0]), round(at[1]))
    pygame.draw.rect(target, (14, 16, 20), slot, border_radius=5)
    knob = pygame.Rect(0, 0, slot.width - 2, slot.height * 0.52)
    knob.midtop = (slot.centerx, slot.top + 1 if on else round(slot.centery - 1))
    pygame.draw.rect(target, (190, 184, 172) if on else (120, 116, 110), knob, border_radius=4)
    write(
        target,
        "ON" if on else "OFF",
        (at[0], slot.top - 2),
        max(10, round(radius * 0.12)),
        INK if on else FAINT,
        "midbottom",
    )


def _speaker(target, at, radius: float, tone: int) -> None:
    for ring, holes in ((0.0, 1), (0.05, 6), (0.1, 12)):
        for hole in range(holes):
            angle = math.radians(hole * 360 / max(1, holes))
            point = at[0] + ring * radius * math.cos(angle), at[1] + ring * radius * math.sin(angle)
            pygame.draw.circle(target, (16, 18, 22), point, max(1, radius * 0.016))
    if tone:
        for reach in (0.17, 0.23):
            box = pygame.Rect(0, 0, radius * reach * 2, radius * reach * 2)
            box.center = (round(at[0]), round(at[1]))
            pygame.draw.arc(target, (255, 206, 120), box, -0.6, 0.6, 2)
            pygame.draw.arc(target, (255, 206, 120), box, math.pi - 0.6, math.pi + 0.6, 2)


@lru_cache(maxsize=8)
def glow(radius: int) -> pygame.Surface:
    """Return a soft red light."""
    sheet = pygame.Surface((2 * radius, 2 * radius), pygame.SRCALPHA)
    for ring in range(radius, 0, -1):
        part = 1 - ring / radius
        pygame.draw.circle(sheet, (*GLOW, round(150 * part * part)), (radius, radius), ring)
    return sheet.premul_alpha()


def paint_title(target, box: Box, text: int, unit) -> None:
    """Say whose unit it is, and whether it is there."""
    if not unit.online:
        words, colour = texts.UNIT_AWAY, (255, 120, 100)
    else:
        words, colour = (texts.UNIT_HERE if unit.mine else texts.UNIT_REAL), FAINT
    write(target, words, (box.left, box.top), round(text * 0.86), colour, room=box.width)
