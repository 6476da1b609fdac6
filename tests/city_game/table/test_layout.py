import pygame
import pytest

from city_game import editions
from city_game.kernel.board_file import load
from city_game.table.board import City, board_picture
from city_game.table.layout import CARD_WIDTHS, SMALLEST, TOKEN, arrange
from city_game.table.view import Plot
from sim.face import geometry
from sim.face.box import Box
from tests.helpers.virtual_table import BOARD

SIZES = [
    (800, 600),
    (1000, 640),
    (1024, 768),
    (1280, 720),
    (1366, 768),
    (1600, 900),
    (1920, 1080),
]
SIZES += [(1000, 1400), (2560, 1080), (2560, 1440), (3840, 2160), (1001, 641), (1280, 1024)]
BLACK, SAME = (0, 0, 0, 255), (1, 1, 1, 255)  # a mask's colour if it has no other picture


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def layout(request):
    return arrange(*request.param, BOARD.size, BOARD.members)


def parts(layout):
    return [layout.board, layout.tools, layout.players, layout.decision, layout.disc, layout.log]


def test_the_parts_lie_in_the_window_and_apart(layout):
    for index, box in enumerate(parts(layout)):
        assert box.left >= 0 and box.top >= 0
        assert box.right <= layout.width + 0.5 and box.bottom <= layout.height + 0.5
        assert not any(box.meets(other) for other in parts(layout)[index + 1 :])


def test_spaces_and_plots_lie_apart_and_on_the_board(layout):
    boxes = [box.shrink(0.01) for box in (*layout.spaces, *layout.plots)]
    assert len(layout.spaces) == BOARD.size and len(layout.plots) == len(BOARD.deeds)
    for index, box in enumerate(boxes):
        assert box.left >= layout.board.left and box.right <= layout.board.right
        assert box.top >= layout.board.top and box.bottom <= layout.board.bottom
        assert not any(box.meets(other) for other in boxes[index + 1 :])


def test_the_track_is_one_way_round(layout):
    """Each space touches the next one, and the last one the first."""
    for space, box in enumerate(layout.spaces):
        following = layout.spaces[(space + 1) % BOARD.size]
        assert box.shrink(-0.5).meets(following)


def test_what_must_be_read_and_hit_is_large_enough(layout):
    assert layout.text >= 14
    assert layout.decision.height >= layout.text * 8
    least = 70 if layout.width >= 1000 else 52  # there names have the plate for themselves
    assert min(min(box.width, box.height) for box in layout.plots) >= least
    assert min(min(box.width, box.height) for box in layout.spaces) >= 44
    assert layout.circle.radius >= 50


def test_points_are_found_again(layout):
    for deed, box in enumerate(layout.plots):
        assert layout.plot_at(box.middle) == deed
    for space, box in enumerate(layout.spaces):
        assert layout.space_at(box.middle) == space
    assert layout.plot_at(layout.disc.middle) == layout.space_at(layout.disc.middle) == -1


def test_the_disc_has_its_controls_apart_and_lies_in_its_box(layout):
    circle = layout.circle

    def at(x, y):
        return circle.part_at(circle.place((x, y)))

    assert at(*geometry.BUTTON) == "auction"
    assert at(0, 1.05) == "build"
    assert at(*geometry.SWITCH) == "switch"
    assert at(0.9, 0) == at(2, 2) == ""
    for edge in ((-1, 0), (1, 0), (0, -1), (0, geometry.TAB[1])):
        assert layout.disc.holds(circle.place(edge))


def test_a_window_that_is_too_small_is_laid_out_as_the_smallest():
    small = arrange(300, 200, BOARD.size, BOARD.members)
    assert (small.width, small.height) == SMALLEST


@pytest.mark.parametrize("spaces", [22, 30, 36, 40, 43])
def test_boards_of_other_lengths(spaces):
    layout = arrange(1280, 720, spaces, BOARD.members)
    assert len(layout.spaces) == len(layout.sides) == spaces
    for index, box in enumerate(layout.spaces):
        small = box.shrink(0.01)
        assert not any(small.meets(other) for other in layout.spaces[index + 1 :])


@pytest.mark.parametrize("seats", [2, 6])
def test_a_card_leaves_the_deed_free_that_it_is_about(layout, seats):
    high = layout.text * (14.5 + 2.2 * seats)
    for deed, plot in enumerate(layout.plots):
        card = layout.beside(deed, layout.text * CARD_WIDTHS[0], high)
        assert not card.meets(plot)
        assert card.width >= layout.text * CARD_WIDTHS[1]
        assert layout.board.left <= card.left and card.right <= layout.board.right


def test_tokens_stand_beside_what_is_read(layout):
    """Not on a district's name or rent, nor on a plot; at a corner above its words."""
    half = layout.text * TOKEN / 2
    places = [(index, count) for count in range(1, 7) for index in range(count)]
    for space, box in enumerate(layout.spaces):
        for index, count in places:
            x, y = layout.stand(space, index, count)
            token = Box(x - half, y - half, 2 * half, 2 * half).shrink(1)
            assert not any(token.meets(plot) for plot in layout.plots)
            if layout.sides[space] == "corner":
                assert token.bottom < box.bottom - layout.text * 1.1
            else:
                assert not any(token.meets(other) for other in layout.spaces)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (2560, 1440)])
@pytest.mark.parametrize("edition", ["city", "classic"])
def test_no_mark_of_an_owner_and_no_station_covers_a_letter_of_a_name(edition, size):
    pygame.font.init()
    board = load(editions.get(edition))
    layout = arrange(*size, board.size, board.members)
    named, names = board_picture(layout, board), [deed.name for deed in board.deeds]
    for deed in board.deeds:
        deed.name = ""
    plain = pygame.mask.from_threshold(named, BLACK, SAME, board_picture(layout, board))
    for deed, name in zip(board.deeds, names, strict=True):
        deed.name = name
    plot = Plot(0, 300, 200, False, False, (1, 0, 0), (0, 1, 0), ("station",), True)
    owned = City(layout, board).picture(
        tuple(plot._replace(owner=deed % 6) for deed in range(len(names)))
    )
    kept = pygame.mask.from_threshold(named, BLACK, SAME, owned)
    letters = pygame.Mask(size, fill=True)
    letters.erase(plain, (0, 0))
    assert letters.count() > 1000
    letters.erase(kept, (0, 0))
    assert [pygame.Rect(at) for at in letters.get_bounding_rects()] == []
