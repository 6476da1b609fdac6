"""The words on the disc keep to their places, however small the disc and long the language."""

import pygame
import pytest

from city_unit.desktop import catalogue
from sim.face import disc, geometry
from sim.face.geometry import Circle

# px, the radius: of a table in a window of 1000x640, less, more, and of the window of the unit
FAINT = 215  # of 255; letters that differ less from their ground cannot be seen
RADII = (36, 48, 60, 72, 84, 120, 260)


def inked(monkeypatch, name, radius):
    """Return where the letters of a label are, px from the middle of the disc."""
    with_word, without = pygame.Surface((4 * radius,) * 2), pygame.Surface((4 * radius,) * 2)
    circle = Circle((2 * radius, 2 * radius), radius)
    disc.draw(with_word, disc.Look(), circle)
    with monkeypatch.context() as patch:
        patch.setattr(disc, name, "")
        disc.draw(without, disc.Look(), circle)
    without.blit(with_word, (0, 0), special_flags=pygame.BLEND_RGB_SUB)  # ink is dark
    letters = pygame.mask.from_threshold(without, (255, 255, 255), (FAINT, FAINT, FAINT, 255))
    boxes = letters.get_bounding_rects()
    return boxes[0].unionall(boxes[1:]).move(-2 * radius, -2 * radius)


@pytest.mark.parametrize("language", [*catalogue.languages(), catalogue.PSEUDO])
@pytest.mark.parametrize("radius", RADII)
def test_a_word_on_the_disc_keeps_to_its_place(monkeypatch, language, radius):
    pygame.font.init()
    catalogue.speak(language)
    auction = inked(monkeypatch, "AUCTION_LABEL", radius)
    build = inked(monkeypatch, "BUILD_LABEL", radius)
    button = radius * geometry.BUTTON_RADIUS * 0.85
    assert -button < auction.left and auction.right < button
    plate = radius * 0.40
    assert -plate <= build.left and build.right <= plate
    assert auction.width > button / 2 and build.width > plate / 2  # they are there
