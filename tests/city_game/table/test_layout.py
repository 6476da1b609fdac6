"""In a window of any size the parts of the table are apart, legible and easy to hit."""

from itertools import combinations

import pygame
import pytest

from city_game import editions
from city_game.kernel.board import load
from city_game.kernel.edition import Look
from city_game.table.board import City, board_picture
from city_game.table.layout import CARD_WIDTHS, SMALLEST, TOKEN, arrange
from city_game.table.view import Plot
from sim.face import geometry
from sim.face.geometry import Box
from tests.helpers.virtual_table import BOARD

SIZES = [(800, 600), (1000, 640), (1001, 641), (1280, 720), (1280, 1024), (1000, 1400)]
SIZES += [(2560, 1080), (3840, 2160)]
BLACK, SAME = (0, 0, 0, 255), (1, 1, 1, 255)  # arguments of from_threshold to compare pictures


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def layout(request):
    return arrange(*request.param, BOARD.size, BOARD.members)


def lie_apart(boxes):
    return not any(
        one.shrink(0.01).meets(other.shrink(0.01)) for one, other in combinations(boxes, 2)
    )


def test_all_parts_are_apart_inside_their_whole_and_large_enough(layout):
    parts = (layout.tools, layout.players, layout.decision, layout.disc, layout.log)
    window = Box(0, 0, layout.width + 0.5, layout.height + 0.5)
    squares = (*layout.spaces, *layout.plots)
    assert len(layout.spaces) == BOARD.size and len(layout.plots) == len(BOARD.deeds)
    for whole, inside in ((window, (layout.board, *parts)), (layout.board, squares)):
        assert lie_apart(inside)
        for box in (part.shrink(0.01) for part in inside):
            assert whole.left <= box.left and box.right <= whole.right
            assert whole.top <= box.top and box.bottom <= whole.bottom
    for space, box in enumerate(layout.spaces):
        assert layout.deed_at(box.middle, BOARD) == BOARD.deed_on[space]
        following = layout.spaces[(space + 1) % BOARD.size]
        assert box.shrink(-0.5).meets(following)  # the track is one closed loop
    at_plots = [layout.deed_at(box.middle, BOARD) for box in layout.plots]
    assert at_plots == list(range(len(layout.plots)))
    assert layout.deed_at(layout.disc.middle, BOARD) == -1
    assert layout.text >= 14
    assert layout.decision.height >= layout.text * 8
    least = 70 if layout.width >= 1000 else 52  # on narrow plots the badge leaves the plate
    assert min(min(box.width, box.height) for box in layout.plots) >= least
    assert min(min(box.width, box.height) for box in layout.spaces) >= 44
    assert layout.circle.radius >= 50
    for edge in ((-1, 0), (1, 0), (0, -1), (0, geometry.TAB[1])):
        assert layout.disc.holds(layout.circle.place(edge))


def test_a_too_small_window_is_laid_out_as_the_smallest_and_boards_may_have_other_lengths():
    small = arrange(300, 200, BOARD.size, BOARD.members)
    assert (small.width, small.height) == SMALLEST
    for spaces in (22, 30, 36, 40, 43):
        layout = arrange(1280, 720, spaces, BOARD.members)
        assert len(layout.spaces) == len(layout.sides) == spaces
        assert lie_apart(layout.spaces), spaces


def test_a_card_does_not_cover_its_deed_nor_tokens_names_and_rents(layout):
    for seats in (2, 6):
        high = layout.text * (14.5 + 2.2 * seats)
        for deed, plot in enumerate(layout.plots):
            card = layout.beside(deed, layout.text * CARD_WIDTHS[0], high)
            assert not card.meets(plot)
            assert card.width >= layout.text * CARD_WIDTHS[1]
            assert layout.board.left <= card.left and card.right <= layout.board.right
    half = layout.text * TOKEN / 2
    places = [(index, count) for count in range(1, 7) for index in range(count)]
    for space, box in enumerate(layout.spaces):
        for index, count in places:
            x, y = layout.stand(space, index, count)
            token = Box(x - half, y - half, 2 * half, 2 * half).shrink(1)
            assert not any(token.meets(plot) for plot in layout.plots)
            if layout.sides[space] == "corner":
                assert token.bottom < box.bottom - layout.text * 1.1  # above its name
            else:
                assert not any(token.meets(other) for other in layout.spaces)


@pytest.mark.parametrize("size", [(1080, 1920), (800, 1400), (800, 4000), (5000, 600)])
def test_the_board_is_drawn_in_a_window_of_any_shape(size):
    pygame.font.init()
    for edition in editions.names():
        board = load(editions.get(edition))
        picture = board_picture(arrange(*size, board.size, board.members), board)
        assert picture.get_size() == size


@pytest.mark.parametrize("size", [(1280, 720), (2560, 1440)])
@pytest.mark.parametrize("edition", ["city", "classic"])
def test_no_badge_and_no_station_covers_a_letter_of_a_name(edition, size):
    pygame.font.init()
    board = load(editions.get(edition))
    layout = arrange(*size, board.size, board.members)
    named, names = board_picture(layout, board), [deed.name for deed in board.deeds]
    for deed in board.deeds:
        deed.name = ""
    plain = pygame.mask.from_threshold(named, BLACK, SAME, board_picture(layout, board))
    for deed, name in zip(board.deeds, names, strict=True):
        deed.name = name
    plot = Plot(0, 300, 200, False, Look((1, 0, 0), (0, 1, 0), ("station",), True))
    owned = City(layout, board).picture(
        tuple(plot._replace(owner=deed % 6) for deed in range(len(names)))
    )
    kept = pygame.mask.from_threshold(named, BLACK, SAME, owned)
    letters = pygame.Mask(size, fill=True)
    letters.erase(plain, (0, 0))
    assert letters.count() > 1000
    letters.erase(kept, (0, 0))
    assert [pygame.Rect(at) for at in letters.get_bounding_rects()] == []
