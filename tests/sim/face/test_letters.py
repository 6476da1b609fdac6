"""Letters are set without gaps, on one baseline, with their accents; labels fit their parts."""

import pygame
import pytest

from city_unit.desktop import catalogue
from sim.face import disc, geometry, paint

INK = (0, 0, 0)
FAINT = 215  # of 255; a smaller difference from the background cannot be seen
# Radii in px: from a disc in the table's smallest window to one in the window of the unit.
RADII = (36, 48, 60, 72, 84, 120, 260)


@pytest.fixture
def font():
    pygame.font.init()
    return pygame.font.Font(None, 100)


def test_a_word_has_no_gaps(font):
    """Lines drawn by pygame itself, at 100 px, have gaps of 10 and 11 px in these words."""
    for word in ("offre", "fracture", "AUCTION", "what"):
        line = paint.set_line(font, word, INK)
        inked = [
            any(line.get_at((across, down)).a > 64 for down in range(line.get_height()))
            for across in range(line.get_width())
        ]
        columns = "".join("#" if has_ink else " " for has_ink in inked).strip()
        assert max(map(len, columns.split("#"))) < 10, word


def test_an_accent_is_on_its_letter_and_extends_the_line(font):
    def lowest_ink(line):
        return line.get_bounding_rect(64).bottom

    with_accent = paint.set_line(font, "HÉH", INK)
    assert with_accent.get_height() == font.size("É")[1] > font.size("H")[1]
    assert with_accent.get_height() - lowest_ink(with_accent) == (
        font.size("H")[1] - lowest_ink(paint.set_line(font, "H", INK))
    )
    assert paint.line_width(font, "e\u0301t") == font.size("e\u0301")[0] + font.size("t")[0]
    assert paint.line_width(font, "e\u0301t") < sum(font.size(each)[0] for each in "e\u0301t")
    for text in ("", "59:59", "Ça va\u202f?", "дом", "日本", "🎉"):
        assert paint.set_line(font, text, INK).get_width() == paint.line_width(font, text)


def inked(monkeypatch, name, radius):
    """Return the box of the letters of a label, in px from the middle of the disc."""
    with_word, without = pygame.Surface((4 * radius,) * 2), pygame.Surface((4 * radius,) * 2)
    circle = geometry.Circle((2 * radius, 2 * radius), radius)
    disc.draw(with_word, disc.Look(), circle)
    with monkeypatch.context() as patch:
        patch.setattr(disc, name, "")
        disc.draw(without, disc.Look(), circle)
    without.blit(with_word, (0, 0), special_flags=pygame.BLEND_RGB_SUB)  # letters are dark
    letters = pygame.mask.from_threshold(without, (255, 255, 255), (FAINT, FAINT, FAINT, 255))
    boxes = letters.get_bounding_rects()
    return boxes[0].unionall(boxes[1:]).move(-2 * radius, -2 * radius)


@pytest.mark.parametrize("language", [*catalogue.languages(), catalogue.PSEUDO])
def test_a_label_fits_its_part_at_any_size(monkeypatch, language):
    pygame.font.init()
    catalogue.speak(language)
    for radius in RADII:
        auction = inked(monkeypatch, "AUCTION_LABEL", radius)
        build = inked(monkeypatch, "BUILD_LABEL", radius)
        button = radius * geometry.BUTTON_RADIUS * 0.85
        assert -button < auction.left and auction.right < button, radius
        plate = radius * 0.40
        assert -plate <= build.left and build.right <= plate, radius
        assert auction.width > button / 2 and build.width > plate / 2, radius
