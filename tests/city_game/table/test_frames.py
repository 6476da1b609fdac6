"""How long a picture takes with everything on the board, printed beside a bare fill; not judged."""

import threading
import time

import pygame
import pytest

from city_game.editions.city.board import BONUSES, HAZARDS
from city_game.table.window.loop import Window
from tests.helpers.sales import light, put_up
from tests.helpers.virtual_table import SIZE, draw, make_screen, make_session, press

pytestmark = pytest.mark.real_time

KEYS = 25


def build_everything(state):
    """Fill the board: every deed owned, eight blocks each, a landmark in each group."""
    kinds = (*BONUSES, *HAZARDS)
    for deed in range(len(state.owner)):
        state.transfer(deed, deed % state.players)
        state.residential[deed] = 5
        state.industrial[deed] = 3
        state.made_of["residential"][deed] = (2, 0, 1)
        state.made_of["industrial"][deed] = (1, 1, 0)
        state.station[deed] = deed % 3 == 0
        kind = kinds[deed % len(kinds)]
        (state.bonus if kind in BONUSES else state.hazard)[deed] = kind
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
    draw(screen, surface)
    before = surface.copy()
    bare = milliseconds(lambda: surface.fill((1, 2, 3)), 100)
    frame = milliseconds(lambda: draw(screen, surface), 100)
    step = milliseconds(screen.update, 100)
    key = milliseconds(lambda: press(screen, pygame.K_F11), 100)
    with capsys.disabled():
        print(
            f"\na frame at {SIZE[0]}x{SIZE[1]} with all buildings: {frame:.2f} ms of 16.67; "
            f"a bare fill: {bare:.2f} ms; a step of the game: {step:.3f} ms; a key: {key:.3f} ms"
        )
    assert pygame.image.tobytes(before, "RGB") == pygame.image.tobytes(surface, "RGB")


def test_how_long_a_key_takes_to_be_a_bid(monkeypatch, capsys):
    """Keys at odd times of a frame, in a window that draws an auction; printed, not judged."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    window = Window(sound=False)
    try:
        session, _ = put_up()
        light(session)
        screen = make_screen(session)
        pressed: list[float] = []
        took: list[float] = []
        screen.bidding.bid = lambda _player, _steps: took.append(time.perf_counter() - pressed[-1])

        def type_keys():
            for number in range(KEYS):
                time.sleep(0.031 + number % 7 * 0.003)
                pressed.append(time.perf_counter())
                key = {"key": pygame.K_f, "mod": 0, "unicode": "f", "scancode": 9}
                pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key))
            time.sleep(0.1)
            screen.wants = "close"

        typist = threading.Thread(target=type_keys)
        typist.start()
        assert window.play(screen, lambda: None) == "close"
        typist.join()
    finally:
        window.close()
    assert len(took) == KEYS
    took.sort()
    with capsys.disabled():
        print(f"\na key to its bid: {took[KEYS // 2] * 1000:.1f} ms, {took[-1] * 1000:.1f} at most")
