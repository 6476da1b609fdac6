"""Random legal games of every edition, in which people and bots reach every phase of the rules.

`walks` yields a session after each step of a game. The session does not act by itself: the steps
are drawn from the legal actions. The unit's light, loss and clock are random too, so that each
phase is seen with every state of the unit. Many players start poor and go bankrupt.
"""

import os
import random
import re
import time
from collections.abc import Iterator
from functools import cache

from city_game import editions
from city_game.bots import STRENGTHS
from city_game.game import HUMAN, Game, Setup
from city_game.kernel import legal_actions, why_not
from city_game.kernel.board import Board, load, parse
from city_game.kernel.deals import awaits_light, refusal
from city_game.kernel.sales import most_opening
from city_game.phones.hand import hand_view, referee_view, table_view
from city_game.table.session import Session
from city_game.table.view import view
from city_unit import host
from tests.city_game.play import random_offer
from tests.helpers.virtual_table import VirtualUnit

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Élodie-Rose")
BUDGET_S = float(os.environ.get("CITY_GAME_WALK_S", "4"))  # CPU time of all walks, s
MOST_STEPS = 900


@cache
def boards(name: str) -> tuple[Board, Board]:
    """Return an edition's board, and a copy on which players start poor."""
    board = load(editions.get(name))
    poor, _mistakes = parse(board.edition, re.sub('start = ".*"', 'start = "1M"', board.text))
    assert poor is not None and poor.money.start == 100
    return board, poor


class StillSession(Session):
    """A session that never acts by itself."""

    def step(self) -> None:
        self.hour.step()


class Walk:
    """One whole game, determined by its seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = rng = random.Random(seed)
        count = rng.randint(2, 6)
        seats = tuple(rng.choice((HUMAN, HUMAN, *STRENGTHS)) for _ in range(count))
        names = editions.names()
        rich, poor = boards(names[seed % len(names)])
        self.edition = edition = rich.edition
        switched = {s.name: not s.default for s in edition.switches if rng.random() < 0.2}
        if count not in (4, 6):
            switched.pop("partners_play_apart", None)
        board = rng.choice((rich, poor, poor))
        rules = edition.rules(**switched)
        while edition.seats_refusal(len(seats), rules):
            seats = seats[:-1]
        self.memory = host.Memory(seed=seed, program=edition.program)
        game = Game(Setup(board, NAMES[: len(seats)], seats, rules, seed))
        unit = VirtualUnit(self.memory, 40)
        self.session: Session = StillSession(game, unit)

    def steps(self) -> Iterator[Session]:
        yield self.session
        for step in range(MOST_STEPS):
            if self.session.state.phase == "over":
                return
            self._disturb()
            self._act(step)
            yield self.session

    def _disturb(self) -> None:
        """Change the unit and the pause at random, regardless of the rules."""
        rng, unit, program = self.rng, self.session.unit, f"program {self.edition.program}"
        if rng.random() < 0.3:
            unit.poll()
        if rng.random() < 0.05:
            unit.press(rng.choice(sorted(host.BUTTONS)))
            unit.lift()
        if rng.random() < 0.02:
            unit.ask(rng.choice(("stop", "switch off", "switch on", "restart", program)))
        session = self.session
        session.gathers = rng.random() < 0.02
        session.is_paused = rng.random() < 0.05
        session.paused_by = rng.randrange(-1, len(session.names))

    def _act(self, step: int) -> None:
        rng, state = self.rng, self.session.state
        if step > MOST_STEPS * 0.8 and not state.hour_over and not state.rules.until_one_is_left:
            self.session.do(("hour ended", 3600000))
            return
        auction = state.auction
        if state.phase == "bidding" and auction and rng.random() < 0.05:
            known = [auction.started or 0, *(bid.at for bid in auction.bids)]
            if not why_not(state, ("interrupted", max(known) + 500)):
                self.session.do(("interrupted", max(known) + 500))
                return
        if awaits_light(state) and rng.random() < 0.8:
            self.session.do(("deal light on", step))
        actions = legal_actions(state)
        if rng.random() < 0.7:  # else games consist of building only
            actions = [action for action in actions if action[0] not in ("hour ended", "new hour")]
        action = rng.choice(actions or legal_actions(state))
        if state.phase in ("manage", "debt", "roll") and rng.random() < 0.1:
            offer = random_offer(state, rng)
            action = action if refusal(state, offer) else offer
        elif action[0] == "bid":
            raised = min(state.cash[action[1]], action[2] + rng.randrange(100))
            action = (*action[:2], raised, *action[3:])
        elif action[0] == "put up" and rng.random() < 0.5:
            most = most_opening(state, action[1])
            action = (*action[:2], rng.randint(1, most))
        assert self.session.do(action), action


def walks(budget_s: float) -> Iterator[tuple[int, Iterator[Session]]]:
    """Yield seeds and walks until `budget_s` of CPU time is spent, at least one per edition."""
    ends, seed, least = time.process_time() + budget_s, 1, len(editions.names())
    while time.process_time() < ends or seed <= least:
        yield seed, Walk(seed).steps()
        seed += 1


def tell_all(session: Session) -> list[dict]:
    """Return all views of a session for telephones: the common one, the referee's, each hand."""
    seen = view(session.table()._replace(online=frozenset({0})))
    common = table_view(seen, session.unit.now(), session.left()) | {"title": seen.title}
    about = session.unit.client.about
    name = about.name if about else ""
    views = [common, referee_view(seen.table, name, session.unit.within())]
    for player in range(session.state.players):
        views.append(hand_view(seen.seen_by(player), player, []))
    return views
