"""`city-game simulate`: bots play many games in virtual time.

The statistics are wins, lengths, numbers of events and earned rents, as text or JSON.
"""

import argparse
import json
import math
import sys
import textwrap
import time
from collections import Counter, defaultdict

from city_game import editions, headless
from city_game.bots import MEASURES, STRENGTHS
from city_game.headless import Played
from city_game.kernel.board import Board, load
from city_game.kernel.money import show
from city_game.kernel.switches import HouseRules, with_reversed
from city_game.words import aligned
from city_unit.desktop.catalogue import _, lazy, ngettext
from city_unit.desktop.command import Progress
from city_unit.desktop.errors import STOPPED, UserError, nearest
from city_unit.desktop.forms import any_of, number, percent

TABLE = "planner,builder,visitor,builder"

# The events counted in every edition: report key to (event, text).
COUNTED = {
    "bought": ("bought", lazy("bought {number}")),
    "sold_by_auction": ("sold", lazy("sold by auction {number}")),
    "rents": ("rent", lazy("rents {number}")),
    "deals_offered": ("offered", lazy("deals offered {number}")),
    "deals_agreed": ("agreed", lazy("deals agreed {number}")),
    "mortgages": ("mortgaged", lazy("mortgages {number}")),
}

COLUMNS = 100  # letters in a line


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the Wilson 95 % confidence interval of a share; (0, 1) without games."""
    if not games:
        return 0.0, 1.0
    z = 1.96
    share = wins / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def _share(wins: float, games: int) -> dict:
    interval = [round(end, 4) for end in wilson(wins, games)]
    return {"share": round(wins / games, 4), "interval": interval}


class Statistics:
    """Sums over games; a shared win counts as a fraction for each winner."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.counted = {**COUNTED, **board.edition.words.counted}
        self.games = 0
        self.seats: Counter[str] = Counter()  # by strength: its seats in all games
        self.wins: defaultdict[str, float] = defaultdict(float)  # by strength
        self.seat_wins = [0.0] * 6  # by turn order, the starter first
        self.events: Counter[str] = Counter()
        self.minutes: list[float] = []
        self.sums: Counter[str] = Counter()
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
        """Return the statistics as plain data, money in notes of 10k."""
        games, sums = self.games, self.sums
        return {
            "games": games,
            "strengths": {
                name: {
                    "seats": seats,
                    "wins": round(self.wins[name], 3),
                    **_share(self.wins[name], games),
                }
                for name, seats in sorted(self.seats.items())
            },
            "by_turn": [
                _share(wins, games) for wins in self.seat_wins[: sum(self.seats.values()) // games]
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


def in_words(report: dict, statistics: Statistics) -> str:
    """Return the report as text for a terminal."""
    games = report["games"]
    head = ngettext(
        "{count} game; in brackets the 95 % intervals of the shares",
        "{count} games; in brackets the 95 % intervals of the shares",
        games,
    )
    lines = [head.format(count=number(games))]
    wins = _("{strength} wins {share}, a seat {seat}")
    for name, figures in report["strengths"].items():
        seat = percent(figures["share"] * games / figures["seats"], 1)
        shares = {"share": _interval(figures), "seat": seat}
        lines.append("  " + wins.format(strength=f"{name:8}", **shares))
    turns = _("by turn order, the starter first: {shares}")
    lines.append(_wrapped(turns.format(shares=", ".join(map(_interval, report["by_turn"])))))
    minutes, light = report["minutes"], report["light"]
    sentences = (
        _(
            "{mean} min a game ({shortest} to {longest}), {turns} turns; the hour ends {share} of "
            "them"
        ).format(
            mean=number(minutes["mean"], 2),
            shortest=number(minutes["shortest"], 2),
            longest=number(minutes["longest"], 2),
            turns=number(report["turns"], 1),
            share=percent(report["ended_by_the_hour"]),
        ),
        _("{bankrupt} bankrupt a game; the winner is worth {worth}").format(
            bankrupt=number(report["bankrupt_per_game"], 3), worth=show(report["winner_worth"])
        ),
        _(
            "the auction light is on {share} of the time, and {silent} of the time without bids"
        ).format(share=percent(light["share"], 1), silent=percent(light["silent"], 1)),
    )
    lines += [f"  {sentence}" for sentence in sentences]
    counts = [
        statistics.counted[name][1].format(number=number(count, 1))
        for name, count in report["a_game"].items()
    ]
    lines.append(_wrapped(_("per game: {counts}").format(counts=", ".join(counts))))
    figures_of = (_("earns per game"), _("rents"), _("auctions"), _("sold for"), _("price"))
    rows = [(_("district"), *figures_of)]
    for deed in report["districts"]:
        auctions = deed["auctions_per_game"]
        earned, rents = show(round(deed["earned_per_game"])), number(deed["rents_per_game"], 2)
        mean = show(deed["mean_auction_price"]) if auctions else "-"
        rows.append((deed["name"], earned, rents, number(auctions, 3), mean, show(deed["price"])))
    lines += [f"  {line}" for line in aligned(rows, 1)]
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, COLUMNS, initial_indent="  ", subsequent_indent="    ")


def _interval(figures: dict) -> str:
    low, high = figures["interval"]
    return _("{share} ({low} to {high})").format(
        share=percent(figures["share"], 1), low=percent(low, 1), high=percent(high, 1)
    )


# The command.


def arguments(parser: argparse.ArgumentParser) -> None:
    add, a_number = parser.add_argument, _("N")
    says = _("number of games (default: 1000)")
    add("--games", type=int, default=1000, metavar=a_number, help=says)
    says = _("the same seed plays the same games")
    add("--seed", type=int, default=1, metavar=a_number, help=says)
    add("--board", default="", metavar=_("FILE"), help=_("a board file, or a name"))
    says = _("the edition: {names}").format(names=", ".join(editions.names()))
    add("--edition", metavar=_("NAME"), default=editions.USUAL, help=says)
    says = _("the bots at the table: {strengths}; they change seats each game (default: {table})")
    says = says.format(strengths=any_of([*STRENGTHS, *MEASURES]), table=TABLE)
    add("--bots", metavar=_("LIST"), help=says)
    says = _("how many seats, counted from the first, think, bid and pass as slowly as a person")
    add("--people", type=int, default=0, metavar=a_number, help=says)
    says = _("reverse a house rule; `city-game rules` lists them")
    add("--rule", action="append", default=[], metavar=_("NAME"), help=says)
    says = _("print the figures as JSON, with money in notes of 10k")
    add("--json", action="store_true", help=says)


def run(options: argparse.Namespace) -> int:
    edition = editions.get(options.edition)
    rules = with_reversed(edition.switches, options.rule)
    usual = TABLE.split(",")
    while edition.seats_refusal(len(usual), rules):  # as many seats as the edition allows
        usual.pop()
    seats = _seats(options.bots or ",".join(usual))
    if options.games < 1:
        raise UserError(_("--games must be 1 or more"))
    if not 0 <= options.people <= len(seats):
        wrong = _("--people takes 0 to {most}, the number of seats")
        raise UserError(wrong.format(most=len(seats)))
    if rules.until_one_is_left:
        raise UserError(
            _("until_one_is_left cannot be simulated: bots do not drive each other into bankruptcy")
        )
    board = load(edition, options.board)
    if refused := edition.seats_refusal(len(seats), rules):
        raise UserError(refused)
    statistics = Statistics(board)
    whole = _play(statistics, options, seats, rules)
    if not statistics.games:
        return STOPPED
    report = statistics.report()
    print(json.dumps(report, indent=1) if options.json else in_words(report, statistics))
    if whole:
        return 0
    stopped = _("stopped after {done} of {games} games")
    stopped = stopped.format(done=number(statistics.games), games=number(options.games))
    print(f"city-game: {stopped}", file=sys.stderr)
    return STOPPED


def _play(
    statistics: Statistics, options: argparse.Namespace, seats: tuple[str, ...], rules: HouseRules
) -> bool:
    """Play and add the games; return False if stopped by Ctrl-C, after which those so far count."""
    line, started, games = Progress(patience_s=0.2), time.monotonic(), options.games
    says = _("{done} of {games} games, {rate} a second, {left} s left")
    try:
        for game in range(games):
            turned = game % len(seats)  # so that each bot sits in each seat equally often
            strengths = seats[turned:] + seats[:turned]
            seed = options.seed * 1000003 + game
            played = headless.play(statistics.board, strengths, seed, rules, options.people)
            statistics.add(played, strengths)
            done = game + 1
            rate = done / max(time.monotonic() - started, 1e-9)
            said = {"done": done, "games": games, "rate": rate, "left": (games - done) / rate}
            said = {name: number(value) for name, value in said.items()}
            line.show(says.format(**said), done / games)
    except KeyboardInterrupt:
        return False
    finally:
        line.wipe()
    return True


def _seats(listed: str) -> tuple[str, ...]:
    seats, known = tuple(word.strip() for word in listed.split(",")), STRENGTHS | MEASURES
    for word in seats:
        if word in known:
            continue
        near = nearest(word, known)
        if near:
            unknown = _('unknown bot "{word}"; did you mean "{near}"?')
        else:
            unknown = _('unknown bot "{word}"; it may be {right}')
        raise UserError(unknown.format(word=word, near=near, right=any_of([*STRENGTHS, *MEASURES])))
    if not 2 <= len(seats) <= 6:
        raise UserError(_("--bots takes two to six, as in: planner,builder,visitor"))
    return seats
