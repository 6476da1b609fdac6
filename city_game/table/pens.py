"""Drawing by hand: letters, panels, and the shapes by which players are known."""

from functools import lru_cache

import pygame

from city_game.seats import CORNERS, SEATS

Colour = tuple[int, int, int]

# The window.
NIGHT = (20, 26, 38)
PANEL = (31, 39, 55)
RAISED = (45, 56, 77)
EDGE = (66, 80, 106)
INK = (236, 240, 246)
FAINT = (152, 164, 186)
GOLD = (255, 205, 92)
RED = (255, 99, 82)
GREEN = (108, 205, 130)
PAPER = (247, 241, 227)
PAPER_EDGE = (214, 203, 178)
DARK = (48, 44, 52)
PALE_INK = (116, 108, 104)

FINE_LETTERS = 3


@lru_cache(maxsize=32)
def font(pixels: int) -> pygame.font.Font:
    return pygame.font.Font(None, max(9, pixels))


@lru_cache(maxsize=2048)
def lettering(text: str, pixels: int, colour: Colour) -> pygame.Surface:
    """Return a line of letters, drawn large and scaled down: so they stand evenly when small."""
    large = font(pixels * FINE_LETTERS).render(text, True, colour)
    size = (round(large.get_width() / FINE_LETTERS), round(large.get_height() / FINE_LETTERS))
    return pygame.transform.smoothscale(large, size)


def width_of(text: str, pixels: int) -> int:
    return round(font(pixels * FINE_LETTERS).size(text)[0] / FINE_LETTERS)


@lru_cache(maxsize=2048)
def fitting(text: str, pixels: int, room: int) -> str:
    """Return the text, cut to what fits into `room` px."""
    if width_of(text, pixels) <= room:
        return text
    while text and width_of(text + "…", pixels) > room:
        text = text[:-1]
    return text.rstrip() + "…"


@lru_cache(maxsize=1024)
def wrapped(text: str, pixels: int, room: int) -> tuple[str, ...]:
    """Return the text in lines of at most `room` px."""
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            longer = f"{line} {word}" if line else word
            if line and width_of(longer, pixels) > room:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return tuple(fitting(line, pixels, room) for line in lines)


def write(
    target: pygame.Surface,
    text: str,
    at: tuple[float, float],
    pixels: int,
    colour: Colour = INK,
    anchor: str = "topleft",
    room: float = 0,
) -> pygame.Rect:
    """Write one line with its `anchor` at a point, within `room` px if that is given."""
    if room:
        text = fitting(text, pixels, int(room))
    letters = lettering(text, pixels, colour)
    rect = letters.get_rect()
    setattr(rect, anchor, (round(at[0]), round(at[1])))
    target.blit(letters, rect)
    return rect


def write_lines(target, text: str, box, pixels: int, colour: Colour = INK, most: int = 99) -> float:
    """Write a text in lines from the top of a box; return where it ends."""
    top = box[1]
    for line in wrapped(text, pixels, int(box[2]))[:most]:
        write(target, line, (box[0], top), pixels, colour)
        top += round(pixels * 1.12)
    return top


def panel(target, box, colour: Colour = PANEL, edge: Colour | None = None, radius: int = 8) -> None:
    pygame.draw.rect(target, colour, pygame.Rect(box), border_radius=radius)
    if edge:
        pygame.draw.rect(target, edge, pygame.Rect(box), 1, border_radius=radius)


def mix(one: Colour, other: Colour, part: float) -> Colour:
    """Return the colour `part` (0 to 1) of the way from `one` to `other`."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue


def shade(colour: Colour, by: float) -> Colour:
    """Return a darker colour, or for a negative `by` a lighter one."""
    return mix(colour, (0, 0, 0), by) if by >= 0 else mix(colour, (255, 255, 255), -by)


def ink_on(colour: Colour) -> Colour:
    """Return letters that can be read on a colour."""
    light = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
    return DARK if light > 140 else INK


@lru_cache(maxsize=256)
def badge(player: int, size: int, lit: bool = True) -> pygame.Surface:
    """Return a player's shape in the player's colour, `size` px wide."""
    colour, shape = SEATS[player]
    fine = 4
    surface = pygame.Surface((size * fine, size * fine), pygame.SRCALPHA)
    fill = colour if lit else mix(colour, PANEL, 0.65)
    middle = size * fine / 2
    for radius, paint in ((0.98, (18, 20, 28)), (0.86, (255, 255, 255)), (0.74, fill)):
        _shape(surface, shape, middle, middle * radius, paint)
    return pygame.transform.smoothscale(surface.premul_alpha(), (size, size))


def _shape(surface, shape: str, middle: float, radius: float, colour) -> None:
    if shape == "circle":
        pygame.draw.circle(surface, colour, (middle, middle), radius * 0.94)
        return
    points = CORNERS[shape]
    corners = [(middle + x * radius, middle + y * radius) for x, y in points]
    pygame.draw.polygon(surface, colour, corners)


def put(target: pygame.Surface, sprite: pygame.Surface, at, anchor: str = "center") -> None:
    """Blit a sprite with premultiplied alpha."""
    rect = sprite.get_rect()
    setattr(rect, anchor, (round(at[0]), round(at[1])))
    target.blit(sprite, rect, special_flags=pygame.BLEND_PREMULTIPLIED)


@lru_cache(maxsize=64)
def shadow(width: int, height: int, strength: int = 90) -> pygame.Surface:
    """Return a soft shadow, larger than what casts it by a sixth of its height each way."""
    blur = 10
    small = pygame.Surface((width // 4 + 2 * blur, height // 4 + 2 * blur), pygame.SRCALPHA)
    inner = pygame.Rect(blur, blur, width // 4, height // 4)
    pygame.draw.rect(small, (0, 0, 0, strength), inner, border_radius=6)
    soft = pygame.transform.gaussian_blur(small, 5).premul_alpha()
    return pygame.transform.smoothscale(soft, (width + 8 * blur, height + 8 * blur))


def key_cap(target, key: str, at, pixels: int, lit: bool = True) -> float:
    """Draw a key of the keyboard with its left middle at a point; return its width."""
    text = key.upper()
    wide = max(pixels * 1.35, width_of(text, pixels) + pixels * 0.7)
    box = pygame.Rect(at[0], at[1] - pixels * 0.68, wide, pixels * 1.36)
    pygame.draw.rect(target, (16, 20, 30), box.move(0, 2), border_radius=4)
    pygame.draw.rect(target, (226, 230, 238) if lit else EDGE, box, border_radius=4)
    write(target, text, box.center, pixels, DARK if lit else FAINT, "center")
    return wide


def lay(target, box, colour=PANEL, edge=EDGE) -> None:
    """Put a card on the table, with its shadow."""
    put(target, shadow(round(box.width), round(box.height)), (box.middle[0], box.middle[1] + 6))
    panel(target, box, colour, edge, 12)
