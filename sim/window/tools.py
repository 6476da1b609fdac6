"""The tools at the top, and the notice that this is not real time."""

import pygame

from sim import texts_window as texts
from sim.window.layout import Box, Layout
from sim.window.paint import lettering, mix, text_width
from sim.window.strip import COMES, HERE, LINE, PAPER, span
from sim.window.view import View

ALARM, ALARM_INK = (240, 176, 64), (40, 26, 4)


def draw(target: pygame.Surface, layout: Layout, view: View) -> None:
    captions = {
        "program": caption(view),
        "slower": texts.SLOWER_LABEL,
        "speed": texts.PAUSED_LABEL if view.paused else f"{view.speed:g} x",
        "faster": texts.FASTER_LABEL,
        "volume": "",
        "help": texts.HELP_LABEL,
    }
    for name, box in layout.tools.items():
        _chip(target, box, layout.text, captions[name], view.hover == name)
    _bars(target, layout.tools["volume"], layout.text, view)
    _notice(target, layout, view)


def caption(view: View) -> str:
    """Return what the tool of the program says."""
    if view.over:
        return f"{view.program}  {texts.NOTHING_LEFT}"
    return f"{view.program}  {span(view.left_ms / 1000)}" if view.left_ms else view.program


def _chip(target: pygame.Surface, box: Box, text: int, caption: str, hovered: bool) -> None:
    fill = mix(PAPER, LINE, 0.35) if hovered else PAPER
    pygame.draw.rect(target, fill, box, border_radius=round(text * 0.6))
    pygame.draw.rect(target, mix(PAPER, LINE, 0.6), box, 1, round(text * 0.6))
    write(target, box, text, caption, HERE)


def write(target: pygame.Surface, box: Box, text: int, words: str, colour) -> None:
    """Write in the middle of a box, smaller if there is not the room."""
    while text > 8 and text_width(words, text) > box.width - 4:
        text -= 1
    letters = lettering(words, text, colour)
    x, y = box.middle
    corner = (round(x - letters.get_width() / 2), round(y - letters.get_height() / 2))
    target.blit(letters, corner, special_flags=pygame.BLEND_PREMULTIPLIED)


def _bars(target: pygame.Surface, box: Box, text: int, view: View) -> None:
    """Show the volume as three bars, crossed out when nothing can be heard."""
    x, y = box.middle
    wide = text * 0.34
    for bar in range(3):
        high = text * (0.5 + 0.32 * bar)
        spot = pygame.Rect(x + (bar - 1.4) * wide * 1.6, y + text * 0.55 - high, wide, high)
        pygame.draw.rect(
            target, COMES if bar < view.volume else LINE, spot, 0 if bar < view.volume else 1
        )
    if view.muted or not view.volume or not view.sound:
        reach = text * 0.75
        thick = max(2, text // 6)
        pygame.draw.line(target, HERE, (x - reach, y + reach), (x + reach, y - reach), thick)


def notice(view: View) -> str:
    """Return what must be said under the tools, "" for nothing."""
    if view.sentence and not _waits(view):
        return view.sentence
    if view.paused:
        pace = texts.PAUSED.format(f"{view.speed:g} x")
    elif view.speed != 1:
        pace = texts.NOT_REAL_TIME.format(f"{view.speed:g}")
    else:
        return view.hint or ("" if view.sound else texts.NO_SOUND_MARK)
    return f"{pace}.  {view.hint}" if _waits(view) else pace


def _waits(view: View) -> bool:
    """Return whether the unit is on and does nothing until somebody knows what to do."""
    return view.look.on and bool(view.hint)


def _notice(target: pygame.Surface, layout: Layout, view: View) -> None:
    words = notice(view)
    if not words:
        return
    unreal = words != view.sentence and (view.paused or view.speed != 1)
    width = min(layout.notice.width, text_width(words, layout.text) + 2 * layout.text)
    x, _ = layout.notice.middle
    box = Box(x - width / 2, layout.notice.top, width, layout.notice.height)
    if unreal:
        pygame.draw.rect(target, ALARM, box, border_radius=round(layout.text * 0.6))
    write(target, box, layout.text, words, ALARM_INK if unreal else HERE)
