"""The panels that lie over the disc when asked for: the keys, the programs."""

import pygame

from sim import texts_window as texts
from sim.window.layout import Box, Layout
from sim.window.paint import lettering, mix, text_width
from sim.window.strip import COMES, HERE, LINE, PAPER
from sim.window.view import View


def lines(view: View) -> list[tuple[str, str]]:
    """Return the rows of the panel that is open, each a key and what it does."""
    if view.panel == "help":
        return list(texts.KEYS)
    return [
        (str(number), f"{choice.name}: {choice.about}")
        for number, choice in enumerate(view.programs, 1)
    ]


def _title(view: View) -> str:
    if view.panel == "help":
        return texts.HELP_TITLE
    return view.sentence or texts.PROGRAM_TITLE


def rows(layout: Layout, view: View) -> tuple[int, Box, list[Box]]:
    """Return the height of the letters, the panel, and its rows."""
    content = lines(view)
    text = layout.text
    while text > 8 and not _fits(layout, content, text):
        text -= 1
    width, height = _size(content, text)
    left, top = (layout.width - width) / 2, (layout.height - height) / 2
    boxes = [
        Box(left + text, top + text * (3.0 + 1.55 * row), width - 2 * text, text * 1.5)
        for row in range(len(content))
    ]
    return text, Box(left, top, width, height), boxes


def _fits(layout: Layout, content, text: int) -> bool:
    width, height = _size(content, text)
    return width <= layout.width - 8 and height <= layout.height - 8


def _size(content, text: int) -> tuple[float, float]:
    widest = max(text_width(words, text) for _, words in content)
    return _keys_width(content, text) + widest + 3.5 * text, text * (3.8 + 1.55 * len(content))


def _keys_width(content, text: int) -> float:
    return max(text_width(key, text) for key, _ in content) + text


def chosen(layout: Layout, view: View, x: float, y: float) -> int | None:
    """Return the row at a point, None if there is none."""
    for row, box in enumerate(rows(layout, view)[2]):
        if box.holds(x, y):
            return row
    return None


def draw(target: pygame.Surface, layout: Layout, view: View) -> None:
    veil = pygame.Surface(target.get_size(), pygame.SRCALPHA)
    veil.fill((0, 0, 0, 140))
    target.blit(veil, (0, 0))
    text, box, boxes = rows(layout, view)
    pygame.draw.rect(target, PAPER, box, border_radius=text)
    pygame.draw.rect(target, LINE, box, max(1, text // 10), text)
    title = _title(view)
    large = round(text * 1.3)
    while large > 8 and text_width(title, large) > box.width - 2 * text:
        large -= 1
    _write(target, title, large, HERE, (box.left + text, box.top + text))
    content = lines(view)
    keys_width = _keys_width(content, text)
    for row, ((key, words), spot) in enumerate(zip(content, boxes, strict=True)):
        if view.panel == "program" and view.programs[row].name == view.program:
            pygame.draw.rect(target, mix(PAPER, LINE, 0.4), spot, border_radius=text // 3)
        if view.panel == "program" and row == view.marker:
            pygame.draw.rect(target, COMES, spot, max(1, text // 10), text // 3)
        _write(target, key, text, COMES, (spot.left + text * 0.3, spot.top + text * 0.25))
        _write(target, words, text, HERE, (spot.left + keys_width, spot.top + text * 0.25))


def _write(target: pygame.Surface, words: str, text: int, colour, corner) -> None:
    target.blit(lettering(words, text, colour), corner, special_flags=pygame.BLEND_PREMULTIPLIED)
