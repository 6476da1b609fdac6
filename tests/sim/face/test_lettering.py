"""Lines of text: letters side by side, on one line, with their accents."""

import pygame
import pytest

from sim.face import paint

INK = (0, 0, 0)


@pytest.fixture(scope="module")
def font():
    pygame.font.init()
    return pygame.font.Font(None, 100)


def widest_gap(line):
    """Return the largest number of columns without ink between two that have some."""
    inked = [
        any(line.get_at((across, down)).a > 64 for down in range(line.get_height()))
        for across in range(line.get_width())
    ]
    columns = "".join("#" if has_ink else " " for has_ink in inked).strip()
    return max(len(gap) for gap in columns.split("#"))


def lowest_ink(line):
    return line.get_bounding_rect(64).bottom


@pytest.mark.parametrize("word", ["offre", "fracture", "AUCTION", "what"])
def test_a_word_is_in_one_piece(font, word):
    """The toolkit's own lines of 100 px have gaps of 10 and 11 px in them."""
    assert widest_gap(paint.set_line(font, word, INK)) < 10


def test_a_letter_with_an_accent_above_the_line_stands_on_it(font):
    with_accent = paint.set_line(font, "HÉH", INK)
    assert with_accent.get_height() == font.size("É")[1] > font.size("H")[1]
    assert with_accent.get_height() - lowest_ink(with_accent) == (
        font.size("H")[1] - lowest_ink(paint.set_line(font, "H", INK))
    )


def test_an_accent_of_its_own_stands_on_the_letter_before_it(font):
    assert paint.line_width(font, "e\u0301t") == font.size("e\u0301")[0] + font.size("t")[0]
    assert paint.line_width(font, "e\u0301t") < sum(font.size(each)[0] for each in "e\u0301t")


def test_a_line_is_as_wide_as_it_is_said_to_be(font):
    for text in ("", "59:59", "Ça va\u202f?", "дом", "日本", "🎉"):
        assert paint.set_line(font, text, INK).get_width() == paint.line_width(font, text)
