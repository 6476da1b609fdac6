"""The picture of the board and the city, put together from parts that are kept."""

import pygame

from city_game.board import Board
from city_game.table.layout import Layout
from city_game.table.paint_board import board_picture
from city_game.table.paint_city import paint_plot, standing
from city_game.table.paint_disc import paint_disc, paint_title
from city_game.table.pens import GOLD, INK, PAPER, badge, put, shade

DICE_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


class Picture:
    """Board and city at one size; a plot is drawn anew when what stands there has changed."""

    def __init__(self, layout: Layout, board: Board) -> None:
        self.layout = layout
        self._bare = board_picture(layout, board)
        self._built = self._bare.copy()
        self._standing: list[tuple] = [()] * len(layout.plots)

    def paint(self, target: pygame.Surface, screen) -> None:
        state = screen.session.state
        for district in range(len(self.layout.plots)):
            now = standing(state, district)
            if now != self._standing[district]:
                self._standing[district] = now
                self._rebuild(state, district)
        target.blit(self._built, (0, 0))
        self._marks(target, screen)
        self._tokens(target, screen)
        self._dice(target, screen)
        layout = self.layout
        paint_title(target, layout.disc, layout.text, screen.session.unit)
        unit, held = screen.session.unit, screen.grip.part
        paint_disc(target, layout.disc, layout.text, unit, held, screen.grip.stopping())

    def _rebuild(self, state, district: int) -> None:
        area = pygame.Rect(self.layout.plots[district])
        self._built.blit(self._bare, area, area)
        self._built.set_clip(area)
        paint_plot(self._built, self.layout, state, district)
        self._built.set_clip(None)

    def _marks(self, target, screen) -> None:
        """Mark the districts that can be chosen, the one pointed at, and those in a deal."""
        plots = self.layout.plots
        beat = screen.session.unit.host_ms() % 900 < 450
        for district in screen.targets():
            pygame.draw.rect(target, INK, pygame.Rect(plots[district]), 4, border_radius=5)
        if screen.targets():
            self._point_at(target, screen.target(), beat)
        dealt = screen.deal or screen.session.state.deal
        if dealt:
            for district in (*dealt.gives, *dealt.asks):
                pygame.draw.rect(target, INK, pygame.Rect(plots[district]), 4, border_radius=5)
        if screen.deal:
            self._point_at(target, screen.aim % len(plots), beat)
        elif screen.deed >= 0:
            self._point_at(target, screen.deed, beat)

    def _point_at(self, target, district: int, beat: bool) -> None:
        box = pygame.Rect(self.layout.plots[district]).inflate(6, 6)
        pygame.draw.rect(target, PAPER if beat else GOLD, box, 4, border_radius=7)
        tip = (box.centerx, box.top + 4)
        points = [tip, (tip[0] - 9, tip[1] - 14), (tip[0] + 9, tip[1] - 14)]
        pygame.draw.polygon(target, (30, 30, 36), [(x, y + 2) for x, y in points])
        pygame.draw.polygon(target, PAPER if beat else GOLD, points)

    def _tokens(self, target, screen) -> None:
        state = screen.session.state
        size = round(self.layout.text * 1.7)
        alive = [player for player in range(state.players) if state.alive[player]]
        crowd: dict[int, int] = {}
        for player in alive:
            place = screen.motion.places[player]
            first = int(place) % state.board.size
            part = place - int(place)
            near = self.layout.spaces[first].middle
            far = self.layout.spaces[(first + 1) % state.board.size].middle
            x = near[0] + (far[0] - near[0]) * part
            y = near[1] + (far[1] - near[1]) * part
            if part:
                y -= abs(part - 0.5) * -size + size * 0.5  # a little hop
            else:
                nth = crowd.get(first, 0)
                crowd[first] = nth + 1
                x += (nth % 3 - 0.5) * size * 0.62
                y += (nth // 3 - 0.2) * size * 0.62
            turn = player == state.turn and state.phase != "over"
            if turn:
                pygame.draw.circle(target, (20, 20, 26), (x, y + 1), size * 0.62)
                pygame.draw.circle(target, GOLD, (x, y), size * 0.6, 2)
            put(target, badge(player, size), (x, y))

    def _dice(self, target, screen) -> None:
        motion = screen.motion
        if motion.dice is None:
            return
        now = screen.session.unit.host_ms()
        size = round(self.layout.text * 3.2)
        middle = self.layout.city.middle
        for place, face in enumerate(motion.dice):
            shake = 0.0
            if motion.rolling(now):
                face = int(now / 60 + place * 3) % 6 + 1
                shake = (int(now / 30) % 3 - 1) * 4
            box = pygame.Rect(0, 0, size, size)
            box.center = (
                round(middle[0] + (place - 0.5) * size * 1.25),
                round(middle[1] + shake * (1 - 2 * place)),
            )
            pygame.draw.rect(target, shade(PAPER, 0.45), box.move(3, 5), border_radius=10)
            pygame.draw.rect(target, PAPER, box, border_radius=10)
            for x, y in DICE_PIPS[face]:
                at = (box.centerx + x * size * 0.26, box.centery + y * size * 0.26)
                pygame.draw.circle(target, (44, 40, 48), at, size * 0.09)
