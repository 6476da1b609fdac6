"""Every screen of the window, in each language: nothing cut off, overlapping or untranslated.

The made-up language is longer than English by 40 %, and has an accent wherever it can: a word
without one does not come from the catalogue.
"""

import os
import re
import sys

import pygame
import pytest

from city_unit import programs
from city_unit.desktop import catalogue
from city_unit.facts import OUTPUTS
from city_unit.trace import EVENTS
from sim.face import paint
from sim.face.disc import Look
from sim.play import hour, person, sign, state_words
from sim.play.sign import Sign
from sim.window.paint import layout, scene, strip
from sim.window.paint.view import Choice, Lane, Mark, View

SIZES = [(320, 320), (700, 320), (900, 700)]
PLAIN = re.compile(r"(?<!\w)[A-Za-z]*[aceinouyACEINOUY][A-Za-z]*(?!\w)")
NAMES = {"min", "EN", "city", *(program.name for program in programs.PROGRAMS)}
KEYS = re.compile(r"\b(F\d+|[A-Z])\b")


class Sheet(pygame.Surface):
    """A picture that notes where each text was put on it."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(size)
        self.texts: list[tuple[str, pygame.Rect]] = []

    def blit(self, source, dest=(0, 0), area=None, special_flags=0):
        place = super().blit(source, dest, area, special_flags)
        words = LETTERS.get(id(source))
        if words and words.strip():
            corner = dest.topleft if isinstance(dest, pygame.Rect) else dest[:2]
            self.texts.append((words, pygame.Rect(corner, source.get_size())))
        return place


LETTERS: dict[int, str] = {}
KEPT: list[pygame.Surface] = []  # so that no other surface has the same id


@pytest.fixture(autouse=True)
def noted(monkeypatch):
    """Have each text that is drawn known by its surface."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    pygame.font.init()

    def noting(draw):
        def note(text, *look):
            surface = draw(text, *look)
            LETTERS[id(surface)] = text
            KEPT.append(surface)
            return surface

        return note

    lettering = paint.lettering
    for name, module in list(sys.modules.items()):
        if name.startswith("sim.") and getattr(module, "lettering", None) is lettering:
            monkeypatch.setattr(module, "lettering", noting(lettering))
    monkeypatch.setattr(scene, "large_letters", noting(scene.large_letters))
    for wordless, name in ((scene, "cloth"), (scene, "live"), (scene.disc, "draw")):
        monkeypatch.setattr(wordless, name, lambda *_look: pygame.Surface((1, 1)))
    yield
    LETTERS.clear()
    KEPT.clear()


def views():
    """Return a view of every kind, each with the words of this moment's language."""
    choices = tuple(
        Choice(program.name, str(state_words.about(program))) for program in programs.PROGRAMS
    )
    marks = tuple(
        Mark(seconds, kind, {"permit-granted": "station", "phase-started": "deeds"}.get(kind, ""))
        for seconds, kind in enumerate(EVENTS, -7)
    )
    far = (Mark(-300, "auction-ended"), Mark(840, "hour-beep"), Mark(3500, "hour-ended"))
    refused = (Mark(-1, "refused", "build", "auction"),)
    press = (str(sign.PRESS_NEXT), str(sign.PRESS_TAKE))
    signs = [
        Sign("off", str(sign.OFF), "", (str(sign.PRESS_ON),)),
        *(Sign("setup", "city", str(asked), press) for asked in sign.CHOOSE.values()),
        Sign("auction", str(sign.AUCTION), str(sign.BIDDING), (str(sign.PRESS_STOP),)),
        Sign("warning", str(sign.LAST_BIDS), str(sign.GOING), (str(sign.PRESS_STOP),)),
        Sign("drawing", "", str(sign.CHOOSING), (), 2),
        Sign("sold", str(sign.SOLD), str(sign.TO_HIGHEST), (str(sign.PRESS_AUCTION),)),
        Sign("over", str(sign.OVER["hour-ended"]), "", (str(sign.PRESS_OFF),)),
        *(
            Sign("auction", str(sign.AUCTION), str(why), (str(sign.PRESS_STOP),), is_refused=True)
            for why in sign.NOT_NOW.values()
        ),
        *(Sign("offer", *large) for large in offers()),
        *(Sign("permit", str(word), str(sign.MAY_BUILD), (), 3) for word in sign.PERMITS),
    ]
    for shown in signs:
        yield View(sign=shown, marks=marks, programs=choices, left_ms=3_000_000)
    yield View(marks=far, is_over=True, volume=0, has_tools=True, speed=10)
    yield View(marks=refused, is_paused=True, has_tools=True, look=Look(), hint="")
    for hovered in scene.TIPS:
        yield View(hover=hovered, has_tools=True, marks=marks)
    yield View(hover="build", has_permits=False)
    for panel in ("help", "tour", "program"):
        yield View(panel=panel, programs=choices, sentence="")
    yield View(trace=tuple(Lane(name, ((-3000, -1000, 2700),)) for name in OUTPUTS))
    yield View(sentence=str(sign.SECONDS_HIDDEN))
    yield View(sentence=str(person.NEW_GAME.format(program="city")))
    yield View(offer=hour.SWITCHED_OFF.format(left=10), sentence=str(sign.SECONDS_SHOWN))
    yield View(has_sound=False)


def offers():
    on, back = (str(hour.PRESS_GO_ON), str(hour.PRESS_NEW)), (str(hour.PRESS_BACK),)
    yield str(hour.LARGE_GOES_ON), hour.LEFT_TO_PLAY.format(left="1:05:00"), on
    for big in (hour.LARGE_OFF, hour.LARGE_ANOTHER):
        yield str(big), hour.TO_TAKE_BACK.format(left=10), back


def drawn(view, size):
    plan = layout.arrange(*size, has_tools=view.has_tools, shows_trace=bool(view.trace))
    sheet = Sheet(size)
    scene.draw(sheet, plan, view)
    return sheet


def beneath_a_panel(view, texts):
    """Leave out the texts below an open panel."""
    return texts[-1 - 2 * len(state_words.USES) :] if view.panel else texts


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", [*catalogue.languages(), catalogue.PSEUDO])
def test_no_text_is_cut_off_or_lies_on_another(size, language):
    catalogue.speak(language)
    wrong = []
    for view in views():
        texts = drawn(view, size).texts
        assert texts
        if view.panel:
            continue  # held by test_layout, row by row
        spots = [(words, spot.inflate(-2, -spot.height * 0.4)) for words, spot in texts]
        window = pygame.Rect((0, 0), size)
        wrong += [f"{words} is cut off" for words, spot in spots if not window.contains(spot)]
        for place, (words, spot) in enumerate(spots):
            for other, there in spots[:place]:
                if spot.colliderect(there) and not view.hover:
                    wrong.append(f"{words} lies on {other}")
    assert sorted(set(wrong)) == []


def test_every_word_comes_from_the_catalogue():
    catalogue.speak(catalogue.PSEUDO)
    found = set()
    for view in views():
        for words, _spot in drawn(view, (900, 700)).texts:
            found |= set(PLAIN.findall(KEYS.sub("", words)))
    assert found - NAMES == set()


def test_what_lies_on_another_text_is_found(monkeypatch):
    monkeypatch.setattr(strip, "TICKS", (60, 61))
    with pytest.raises(AssertionError, match="lies on"):
        test_no_text_is_cut_off_or_lies_on_another((400, 400), "fr")
