"""Statistics of many simulated games: wins, lengths, numbers of events, and rents earned."""

import math
from collections import Counter, defaultdict

from city_game.kernel.board import Board
from city_game.simulate.headless import Played
from city_unit.desktop.catalogue import lazy

# The counts for a game, beside those of its edition: the name in the report, the event, the words.
COUNTED = {
    "bought": ("bought", lazy("bought {number}")),
    "sold_by_auction": ("sold", lazy("sold by auction {number}")),
    "rents": ("rent", lazy("rents {number}")),
    "deals_offered": ("offered", lazy("deals offered {number}")),
    "deals_agreed": ("agreed", lazy("deals agreed {number}")),
    "mortgages": ("mortgaged", lazy("mortgages {number}")),
}


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share after Wilson; (0, 1) without games."""
    if not games:
        return 0.0, 1.0
    z = 1.96
    share = wins / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games), (middle + spread) / (1 + z * z / games)


class Statistics:
    """Adds up games; a shared win counts in parts."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.counted = {**COUNTED, **board.edition.words.counted}
        self.games = 0
        self.seats: Counter[str] = Counter()  # games that each strength sat in, seat by seat
        self.wins: defaultdict[str, float] = defaultdict(float)
        self.seat_wins = [0.0] * 6  # by the order of turns, the starter first
        self.events: Counter[str] = Counter()
        self.minutes: list[float] = []
        self.sums: Counter[str] = Counter()  # of all games
        self.deeds: list[Counter[str]] = [Counter() for _deed in board.deeds]

    def add(self, played: Played, strengths: tuple[str, ...]) -> None:
        state = played.state
        self.games += 1
        self.seats.update(strengths)
        starter = next(event[1] for event in state.events if event[0] == "starts")
        for winner in state.winners:
            self.wins[strengths[winner]] += 1 / len(state.winners)
            self.seat_wins[(winner - starter) % state.players] += 1 / len(state.winners)
        self.events.update(event[0] for event in state.events)
        self.minutes.append(played.ms / 60000)
        self.sums.update(
            ms=played.ms,
            light_ms=played.light_ms,
            silent_ms=played.silent_ms,
            turns=state.turns,
            bankrupt=state.alive.count(False),
            ended_by_hour=int(state.hour_over),
            winners_worth=state.edition.worth(state, state.winners[0]),
        )
        for event in state.events:
            if event[0] == "rent":
                self.deeds[event[2]].update(rents=1, earned=event[3])
            elif event[0] == "sold" and isinstance(event[2], int):
                self.deeds[event[2]].update(auctions=1, sold_for=event[3])

    def report(self) -> dict:
        """Return all of it as plain data, money in notes of 10k."""
        games, sums = self.games, self.sums
        return {
            "games": games,
            "strengths": {
                name: {
                    "seats": seats,
                    "wins": round(self.wins[name], 3),
                    "share": round(self.wins[name] / games, 4),
                    "interval": [round(end, 4) for end in wilson(self.wins[name], games)],
                }
                for name, seats in sorted(self.seats.items())
            },
            "by_turn": [
                {
                    "share": round(wins / games, 4),
                    "interval": [round(end, 4) for end in wilson(wins, games)],
                }
                for wins in self.seat_wins[: sum(self.seats.values()) // games]
            ],
            "minutes": {
                "mean": round(sum(self.minutes) / games, 2),
                "shortest": round(min(self.minutes), 2),
                "longest": round(max(self.minutes), 2),
            },
            "light": {
                "share": round(sums["light_ms"] / max(1, sums["ms"]), 4),
                "silent": round(sums["silent_ms"] / max(1, sums["ms"]), 4),
            },
            "turns": round(sums["turns"] / games, 1),
            "ended_by_the_hour": round(sums["ended_by_hour"] / games, 4),
            "bankrupt_per_game": round(sums["bankrupt"] / games, 3),
            "winner_worth": sums["winners_worth"] // games,
            "a_game": {
                name: round(self.events[event] / games, 2)
                for name, (event, _words) in self.counted.items()
            },
            "districts": [
                {
                    "name": deed.name,
                    "earned_per_game": round(of["earned"] / games, 1),
                    "rents_per_game": round(of["rents"] / games, 2),
                    "auctions_per_game": round(of["auctions"] / games, 3),
                    "mean_auction_price": of["sold_for"] // max(1, of["auctions"]),
                    "price": deed.price,
                }
                for deed, of in zip(self.board.deeds, self.deeds, strict=True)
            ],
        }
