"""The panels over the disc: help, introduction, menu of programs, and problem report."""

import pygame

from city_unit.desktop.catalogue import _, lazy
from sim.face.geometry import Box
from sim.face.paint import lettering, mix, put, text_width
from sim.play import phrases
from sim.window.layout import Layout
from sim.window.snapshot import View
from sim.window.timeline import ACCENT, BRIGHT, LINE, PAPER

SAVE = lazy("save this as a file; it stays on this computer until you send it")
UPDATE = lazy("check for a newer version")
REPORT = lazy("report a problem: shows a file, and saves it if you like")
TOUR_AGAIN = lazy("your first game: show the introduction again")
KEYS = (
    (lazy("A, Space"), lazy("AUCTION")),
    (lazy("B, Return"), lazy("BUILD")),
    (lazy("O, R"), lazy("the slide; continue a game, or undo what ended it")),
    (lazy("Shift+A, Shift+B"), lazy("hold it down until its next press; also by right click")),
    (lazy("S, K"), lazy("show the seconds of an auction; stop the background pulsing")),
    (lazy("Up, Down, M"), lazy("louder, quieter, mute")),
    (lazy("C, L"), lazy("choose the game; the next language")),
    (lazy("F, F11"), lazy("full screen")),
    (lazy("Tab, Return"), lazy("go to the next control; press it")),
    (lazy("E, + - 0"), lazy("tools for engineers: faster, slower, real time")),
    (lazy("P, N, T"), lazy("pause; the next change; the last ten seconds, lamp by lamp")),
    (lazy("W"), TOUR_AGAIN),
    (lazy("U"), UPDATE),
    (lazy("I"), REPORT),
    (lazy("H, ?, F1"), lazy("this help; Esc closes it")),
    (lazy("Q, Ctrl+Q"), lazy("quit; the game is saved")),
)
ACTIONS = {TOUR_AGAIN: "tour", UPDATE: "update", REPORT: "report", SAVE: "save report"}
TOUR = (
    lazy("Slide the switch (O): the hour of your game starts."),
    lazy("Press AUCTION (A) when a district is for sale, and bid until the light goes out."),
    lazy("Press BUILD (B) when you may build, and the light chooses what."),
    lazy("Quit whenever you like (Q): at the next start, R continues the game."),
)

HEAD_LINES, ROW_LINES = 3.8, 1.55  # heights of the title and of a row, in heights of a letter
LARGER = 2.0  # largest letters of a panel, by the letters of the window


def shown_rows(view: View) -> list[tuple[str, str]]:
    """Return the rows of the open panel: a key and its effect."""
    if view.panel in ("help", "report"):
        content = _content(view)
        begin = view.page * view.page_rows if len(content) > view.page_rows else 0
        return content[begin : begin + view.page_rows]
    if view.panel == "tour":
        steps = [(str(number), str(words)) for number, words in enumerate(TOUR, 1)]
        return [*steps, ("", _("Any key, or a click, closes this card. Help (?) shows it again."))]
    choices = [
        _("{name}: {about}").format(name=choice.name, about=choice.about)
        for choice in view.programs
    ]
    choices.append(_("a file of your own ... (or drop it on this window)"))
    return [(str(number), words) for number, words in enumerate(choices, 1)]


def _content(view: View) -> list[tuple[str, str]]:
    """Return all rows of the help or the report, of which a page may show a part."""
    if view.panel == "report":
        return [(_("Return"), str(SAVE)), *(("", row) for row in view.report)]
    return [(str(key), str(what)) for key, what in (*phrases.USES, *KEYS)]


def page_rows(layout: Layout) -> int:
    """Return how many rows fit into a panel in readable letters."""
    return max(3, int(((layout.height - 8) / layout.text - HEAD_LINES) / ROW_LINES))


def pages(layout: Layout) -> int:
    """Return the number of pages of the help."""
    return -(-len((*phrases.USES, *KEYS)) // page_rows(layout))


def arrange(layout: Layout, view: View) -> tuple[int, Box, list[Box]]:
    """Return the height of the letters, the box of the panel, and the boxes of its rows."""
    content = shown_rows(view)
    text = round(layout.text * LARGER)
    width, height = _size(content, text)
    while text > 8 and (width > layout.width - 8 or height > layout.height - 8):
        text -= 1
        width, height = _size(content, text)
    left, top = (layout.width - width) / 2, (layout.height - height) / 2
    boxes = [
        Box(
            left + text,
            top + text * (HEAD_LINES - 0.8 + ROW_LINES * row),
            width - 2 * text,
            text * 1.5,
        )
        for row in range(len(content))
    ]
    return text, Box(left, top, width, height), boxes


def _size(content: list[tuple[str, str]], text: int) -> tuple[float, float]:
    widest = max(text_width(words, text) for _, words in content)
    return _keys_width(content, text) + widest + 3.5 * text, text * (
        HEAD_LINES + ROW_LINES * len(content)
    )


def _keys_width(content: list[tuple[str, str]], text: int) -> float:
    return max(text_width(key, text) for key, _ in content) + text


def row_at(layout: Layout, view: View, x: float, y: float) -> int | None:
    """Return the row at a point, None if there is none."""
    boxes = arrange(layout, view)[2]
    return next((row for row, box in enumerate(boxes) if box.holds((x, y))), None)


def action_at(layout: Layout, view: View, x: float, y: float) -> str:
    """Return the action of a click on the help or the report: the row's, else the next page."""
    row = row_at(layout, view, x, y)
    words = "" if row is None else shown_rows(view)[row][1]
    return next((name for text, name in ACTIONS.items() if str(text) == words), view.panel)


def draw(target: pygame.Surface, layout: Layout, view: View) -> None:
    veil = pygame.Surface(target.get_size(), pygame.SRCALPHA)
    veil.fill((0, 0, 0, 140))
    target.blit(veil, (0, 0))
    text, box, boxes = arrange(layout, view)
    pygame.draw.rect(target, PAPER, box, border_radius=text)
    pygame.draw.rect(target, LINE, box, max(1, text // 10), text)
    title = view.sentence or _("Which game?")
    if view.panel == "tour":
        title = _("Your first game")
    elif view.panel in ("help", "report"):
        count = -(-len(_content(view)) // max(1, view.page_rows))
        words = _("The unit and its keys")
        if view.panel == "report":
            words = _("Problem report ({page} of {pages}; I: next page, Esc: close)")
        elif count > 1:
            words = _("The unit and its keys ({page} of {pages}; ?: next page)")
        title = words.format(page=view.page + 1, pages=count)
    large = round(text * 1.3)
    while large > 8 and text_width(title, large) > box.width - 2 * text:
        large -= 1
    put(target, lettering(title, large, BRIGHT), (box.left + text, box.top + text), "topleft")
    content = shown_rows(view)
    keys_width = _keys_width(content, text)
    for row, ((key, words), spot) in enumerate(zip(content, boxes, strict=True)):
        if view.panel == "program" and row == view.chosen:
            pygame.draw.rect(target, mix(PAPER, LINE, 0.4), spot, border_radius=text // 3)
        if view.panel == "program" and row == view.marker:
            pygame.draw.rect(target, ACCENT, spot, max(1, text // 10), text // 3)
        top = spot.top + text * 0.25
        put(target, lettering(key, text, ACCENT), (spot.left + text * 0.3, top), "topleft")
        put(target, lettering(words, text, BRIGHT), (spot.left + keys_width, top), "topleft")
