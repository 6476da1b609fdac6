"""How long a picture takes with everything on the board, printed beside a bare fill; not judged."""

import time

import pygame

from city_game.board import BONUSES, HAZARDS
from tests.city_game.table.virtual import SIZE, make_screen, make_session, press


def build_everything(state):
    """Fill the board: every deed owned, eight blocks each, a landmark in each group."""
    kinds = (*BONUSES, *HAZARDS)
    for district in range(len(state.owner)):
        state.transfer(district, district % state.players)
        state.residential[district] = 5
        state.industrial[district] = 3
        state.made_of["residential"][district] = (2, 0, 1)
        state.made_of["industrial"][district] = (1, 1, 0)
        state.station[district] = district % 3 == 0
        kind = kinds[district % len(kinds)]
        (state.bonus if kind in BONUSES else state.hazard)[district] = kind
    for group, members in enumerate(state.board.members):
        state.skyscraper[group] = members[0]
        state.stadium[group] = members[-1]
    state.tower = 21


def milliseconds(do, times):
    started = time.perf_counter()
    for _ in range(times):
        do()
    return (time.perf_counter() - started) * 1000 / times


def test_a_frame_with_all_buildings(capsys):
    session, _ = make_session(("human",) * 6)
    screen = make_screen(session)
    surface = pygame.Surface(SIZE)
    build_everything(session.state)
    for _ in range(300):
        screen.update()
    screen.draw(surface)
    before = surface.copy()
    bare = milliseconds(lambda: surface.fill((1, 2, 3)), 100)
    frame = milliseconds(lambda: screen.draw(surface), 100)
    step = milliseconds(screen.update, 100)
    key = milliseconds(lambda: press(screen, pygame.K_F11), 100)
    with capsys.disabled():
        print(
            f"\na frame at {SIZE[0]}x{SIZE[1]} with all buildings: {frame:.2f} ms of 16.67; "
            f"a bare fill: {bare:.2f} ms; a step of the game: {step:.3f} ms; a key: {key:.3f} ms"
        )
    assert pygame.image.tobytes(before, "RGB") == pygame.image.tobytes(surface, "RGB")
