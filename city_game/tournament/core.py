"""The state of a tournament, without I/O.

A tournament changes only by steps. Each step is a line of text with the time at which it was made,
such as "result 3 1500 900". The same seed and steps always give the same tournament, random draws
included, so that its file consists of its steps, and `undo` replays all but the last; "undo result
3" is refused if the last step does not begin so. A step that is refused changes nothing.
"""

import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from city_game.kernel import money
from city_game.kernel.switches import HouseRules, Switch
from city_unit.desktop.catalogue import Lazy, _, lazy
from city_unit.desktop.errors import UserError, did_you_mean

# Figures of the book; a number after "the book" is a line of the championship's rules.
MOST_TEAMS, MOST_RESERVE = 27, 3
LARGE, SMALL = 3, 2  # teams at a table of six and of four
DEEDS_S = 300
LONGEST_NAME, LONGEST_STEP = 40, 300  # letters
LONGEST_NUMBER = 10  # digits
MOST_MINUTES = 600
ADDRESS = re.compile(r"http://([\w.-]+|\[[0-9A-Fa-f:]+\]):\d{1,5}/[a-z0-9]+/", re.ASCII)

SWITCHES = (
    Switch(
        "centre_limit",
        lazy("A centre accepts at most 27 teams, and 3 in reserve."),
        lazy("The book closes the list at 30 (11)."),
        default=True,
    ),
    Switch(
        "seats_are_drawn",
        lazy("The draw of the tables assigns the seats as well."),
        lazy("In the book the juniors throw dice for them (19): the same odds, but slower."),
        default=True,
    ),
    Switch(
        "byes",
        lazy("A surplus team advances without playing, instead of two tables of four."),
        lazy("The book avoids tables of four (30), but does not mention a surplus team."),
    ),
    Switch(
        "wealth_is_added",
        lazy("A team is worth the sum of its two players, instead of its richer player."),
        lazy("In the book the richest player wins, and that player's team advances (9, 191)."),
    ),
    Switch(
        "ties_by_lot",
        lazy("A draw decides between teams that tie for first place, instead of the referee."),
        lazy("The book does not mention ties; the referee decides open questions (207)."),
    ),
    Switch(
        "penalties_are_money",
        lazy("A penalty reduces the team's wealth at that table, instead of only being noted."),
        lazy("The book does not mention penalties, so the score sheet shows each of them."),
        default=True,
    ),
    Switch(
        "reserves_replace",
        lazy("In the first round a reserve team takes the seats of an absent one."),
        lazy("The book has a reserve (11), but does not say when it plays."),
        default=True,
    ),
    Switch(
        "late_in_play",
        lazy("A late team may still sit down after the deeds have been dealt out."),
        lazy("The book does not mention late players; after five minutes others have their deeds."),
    ),
)
PLAYS, RESERVE, AWAY = "plays", "reserve", "away"
TYPED = ("help", "quit", "save", "show")  # no text: typed words that are not steps
CALLERS = "callers"  # no text: the verb of a step
MOVED_ON = lazy("The tournament has moved on: look again.")


@dataclass
class Team:
    """A junior and an adult.

    status  as of the first draw; AWAY also once a reserve team has taken its seats
    banked  how often its adult was banker
    byes    how often it advanced without playing
    """

    name: str
    junior: str
    adult: str
    status: str = PLAYS
    banked: int = 0
    byes: int = 0


@dataclass
class Table:
    """A table of one round; teams are indices into the tournament's list.

    teams      in the order of play; the adult of the last one is the banker
    started    when its clock was started, s; None before
    more       seconds that the referee has added
    absent     its absent teams
    counts     once there is a result: the wealth of each team, as one sum or one for each player
    heard      the distinct results that were entered
    is_open    whether these contradict each other, and the referee has not decided yet
    penalties  the total of each team
    notes      rulings as text
    decided    the team that the referee has chosen to advance, None for the richest
    call       the reason for a call for the referee, "" without one
    callers    the players who are calling at a watched table, "?" for an unknown one
    ruled      callers who were answered, until the table reports that their call has ended
    live       the address of a watched table, else ""
    """

    teams: list[int]
    started: int | None = None
    more: int = 0
    absent: list[int] = field(default_factory=list)
    counts: dict[int, tuple[int, ...]] = field(default_factory=dict)
    heard: list[dict[int, tuple[int, ...]]] = field(default_factory=list)
    is_open: bool = False
    penalties: dict[int, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    decided: int | None = None
    call: str = ""
    callers: list[str] = field(default_factory=list)
    ruled: list[str] = field(default_factory=list)
    live: str = ""


@dataclass
class Round:
    """byes  the teams that advance without playing"""

    tables: list[Table]
    byes: list[int]


def sizes(teams: int, byes: bool) -> list[int]:
    """Return the number of teams at each table, with as few tables of four as possible.

    byes  whether one team may stay without a table
    """
    small = -teams % LARGE
    if byes and small == SMALL:
        return sizes(teams - 1, byes)
    return [LARGE] * ((teams - SMALL * small) // LARGE) + [SMALL] * small


def chairs(teams: int, place: int) -> tuple[int, int]:
    """Return the chairs of junior and adult for a place in the order of play.

    Chairs are numbered clockwise from 1: first all juniors, then all adults, so that partners sit
    opposite each other.
    """
    return place + 1, place + 1 + teams


class Tournament:
    """A tournament, changed by `do`.

    steps  the steps that count, each with its time; `undo` removes the last
    """

    def __init__(self, rules: HouseRules, seed: int) -> None:
        self.rules = rules
        self.seed = seed
        self._begin()

    def _begin(self) -> None:
        self.steps: list[tuple[int, str]] = []
        self.teams: list[Team] = []
        self.rounds: list[Round] = []

    def do(self, at: int, text: str) -> None:
        """Perform a step; raises UserError with the reason if it is refused."""
        if len(text) > LONGEST_STEP or not text.isprintable():
            wrong = _("a step must be one line of at most {most} characters")
            raise UserError(wrong.format(most=LONGEST_STEP))
        verb, rest = _split(text.strip())
        if verb == "undo":
            last = self.last()
            if not last:
                raise UserError(_("there is no step to undo"))
            if not last.startswith(rest):  # another referee was faster, or a finger pressed twice
                raise UserError(str(MOVED_ON))
            while _split(self.steps[-1][1])[0] == CALLERS:  # a watched table reports them again
                self.steps.pop()
            steps = self.steps[:-1]
            self._begin()
            for done_at, done in steps:
                self.do(done_at, done)
            return
        if verb not in STEPS:
            unknown = _('"{word}" is unknown{hint}')
            hint = did_you_mean(verb, [*STEPS, "undo", *TYPED])
            raise UserError(unknown.format(word=verb, hint=hint))
        STEPS[verb].do(self, at, rest)
        self.steps.append((at, text.strip()))

    def refuse_stale(self, text: str, seen: int) -> None:
        """Refuse a step from a page that showed the first `seen` steps if a later one is a draw, or
        about the same team or table; raises UserError.
        """
        later = [_subject(step) for _at, step in self.steps[seen:]]
        if seen > len(self.steps) or _subject(text) in later or _subject("draw") in later:
            raise UserError(str(MOVED_ON))

    def last(self) -> str:
        """Return the last step entered by a person, which `undo` reverts, "" for none."""
        of_people = (text for _at, text in reversed(self.steps) if _split(text)[0] != CALLERS)
        return next(of_people, "")

    # The current state.

    @property
    def tables(self) -> list[Table]:
        """The tables of the current round."""
        return self.rounds[-1].tables if self.rounds else []

    def table(self, word: str) -> Table:
        """Return a table of the current round by its number; raises UserError."""
        number = _number(word)
        if not 0 < number <= len(self.tables):
            raise UserError(_("there is no table {table} in this round").format(table=word))
        return self.tables[number - 1]

    def numbered(self, status: str) -> list[int]:
        return [number for number, team in enumerate(self.teams) if team.status == status]

    def present(self, table: Table) -> list[int]:
        return [team for team in table.teams if team not in table.absent]

    def wealth(self, table: Table, team: int) -> int:
        """Return the wealth of a team at a table with a result."""
        counted = table.counts[team]
        wealth = sum(counted) if self.rules.wealth_is_added else max(counted)
        return wealth - (table.penalties.get(team, 0) if self.rules.penalties_are_money else 0)

    def leaders(self, table: Table) -> list[int]:
        """Return the teams in first place: none before a result, several in a tie."""
        present = self.present(table)
        if len(present) < SMALL:
            return present
        if not table.counts:
            return []
        best = max(self.wealth(table, team) for team in present)
        return [team for team in present if self.wealth(table, team) == best]

    def first(self, table: Table) -> int | None:
        """Return the team that advances, None while that is undecided."""
        if table.decided is not None:
            return table.decided
        if table.is_open:
            return None
        leaders = self.leaders(table)
        if len(leaders) > 1 and self.rules.ties_by_lot:  # the same teams never meet twice
            return random.Random(f"{self.seed}-lot-{sorted(leaders)}").choice(leaders)
        return leaders[0] if len(leaders) == 1 else None

    def is_closed(self, table: Table) -> bool:
        """Return whether a table is decided: a team advances, or none is present."""
        return self.first(table) is not None or not self.present(table)

    def going_on(self) -> list[int]:
        """Return the teams known to play the next round."""
        if not self.rounds:
            return self.numbered(PLAYS)
        firsts = [self.first(table) for table in self.tables]
        return sorted([*(team for team in firsts if team is not None), *self.rounds[-1].byes])

    def champion(self) -> int | None:
        """Return the winner of the tournament, None before its end."""
        going = self.going_on()
        over = self.rounds and len(going) == 1 and all(map(self.is_closed, self.tables))
        return going[0] if over else None

    # The steps. Each one validates everything before it changes anything.

    def enter(self, _at: int, rest: str) -> None:
        names = [" ".join(name.split()) for name in rest.split(",")]
        if not 1 <= len(names) <= 3 or not all(0 < len(name) <= LONGEST_NAME for name in names):
            wrong = _("a team must be NAME, JUNIOR, ADULT, each of at most {most} characters")
            raise UserError(wrong.format(most=LONGEST_NAME))
        if self.rounds:
            raise UserError(_("entries closed when the first round was drawn"))
        if any(team.name.casefold() == names[0].casefold() for team in self.teams):
            taken = _('there is already a team "{name}"; a line is one team: NAME, JUNIOR, ADULT')
            raise UserError(taken.format(name=names[0]))
        if self.rules.centre_limit and len(self.teams) == MOST_TEAMS + MOST_RESERVE:
            full = _("a centre accepts {teams} teams and {reserve} in reserve; see centre_limit")
            raise UserError(full.format(teams=MOST_TEAMS, reserve=MOST_RESERVE))
        self.teams.append(Team(*[*names, "", ""][:3], status=self._place()))

    def absent(self, at: int, rest: str) -> None:
        team = self._team(rest)
        table = self._table_of(team) if self.rounds else None
        if team in (table.absent if table else self.numbered(AWAY)):
            raise UserError(_("{team} is already absent").format(team=self.teams[team].name))
        if table:
            self._need_open(table)
        may_sit = table is None or (len(self.rounds) == 1 and self._may_sit(at, table))
        reserve = self.numbered(RESERVE) if self.rules.reserves_replace and may_sit else []
        if table and not reserve:
            table.absent.append(team)
            return
        was_in = self.teams[team].status == PLAYS
        self.teams[team].status = AWAY
        if was_in and reserve:
            self.teams[reserve[0]].status = PLAYS
            if table:
                table.teams[table.teams.index(team)] = reserve[0]

    def late(self, at: int, rest: str) -> None:
        team = self._team(rest)
        table = self._table_of(team) if self.rounds else None
        if team not in (table.absent if table else self.numbered(AWAY)):
            raise UserError(_("{team} is not absent").format(team=self.teams[team].name))
        if table is None:
            self.teams[team].status = self._place()
            return
        self._need_open(table)
        if not self._may_sit(at, table):
            too_late = _(
                "{team} is too late: the deeds of table {table} are dealt out, and the rule "
                "late_in_play is off"
            )
            words = {"team": self.teams[team].name, "table": self.tables.index(table) + 1}
            raise UserError(too_late.format(**words))
        table.absent.remove(team)

    def draw(self, _at: int, rest: str) -> None:
        if rest:
            raise UserError(_('unexpected "{word}"').format(word=rest))
        for number, table in enumerate(self.tables, 1):
            if not self.is_closed(table):
                raise UserError(_("table {table} is not decided yet").format(table=number))
        teams = self.going_on()
        if len(teams) < SMALL:
            raise UserError(_("a round needs at least two teams"))
        random.Random(f"{self.seed}-round-{len(self.rounds)}").shuffle(teams)
        plan, byes = sizes(len(teams), self.rules.byes), []
        if sum(plan) < len(teams):
            byes = [min(teams, key=lambda team: self.teams[team].byes)]
            teams.remove(byes[0])
            self.teams[byes[0]].byes += 1
        tables = []
        for size in plan:
            seated, teams = teams[:size], teams[size:]
            # The book: nobody is banker twice if that can be avoided (199).
            banker = min(seated, key=lambda team: self.teams[team].banked)
            self.teams[banker].banked += 1
            seated.remove(banker)
            tables.append(Table([*seated, banker]))
        self.rounds.append(Round(tables, byes))

    def start(self, at: int, rest: str) -> None:
        tables = [self.table(rest)] if rest else self.tables
        waiting = [table for table in tables if table.started is None]
        if not waiting:
            raise UserError(_("there is no clock to start"))
        for table in waiting:
            table.started = at

    def add_time(self, _at: int, rest: str) -> None:
        word, minutes = _split(rest)
        table, added = self.table(word), _number(minutes)
        if table.started is None or added > MOST_MINUTES:
            words = _("at most {most} minutes can be added, and only to a clock that was started")
            raise UserError(words.format(most=MOST_MINUTES))
        table.more += 60 * added

    def result(self, _at: int, rest: str) -> None:
        """Record a result; if it contradicts another, the referee must decide."""
        table, counts = self.counted(rest)
        if counts in table.heard:
            return
        table.heard.append(counts)
        table.is_open = len(table.heard) > 1
        table.counts = table.counts or counts

    def correct(self, _at: int, rest: str) -> None:
        """Record the right result, which overrides earlier ones and a decision."""
        table, counts = self.counted(rest)
        if counts not in table.heard:
            table.heard.append(counts)
        table.counts, table.is_open, table.decided = counts, False, None

    def counted(self, rest: str) -> tuple[Table, dict[int, tuple[int, ...]]]:
        """Parse "TABLE WEALTH ..."; return the table and each team's amounts; raises UserError."""
        word, amounts = _split(rest)
        table = self.table(word)
        present = self.present(table)
        counts = [tuple(map(_wealth, amount.split("+"))) for amount in amounts.split()]
        if len(counts) != len(present) or any(len(counted) > 2 for counted in counts):
            names = ", ".join(self.teams[team].name for team in present)
            wrong = _("table {table} needs an amount for each of {names}: 1500, 900+600, or 15M")
            raise UserError(wrong.format(table=word, names=names))
        return table, dict(zip(present, counts, strict=True))

    def punish(self, _at: int, rest: str) -> None:
        word, more = _split(rest)
        amount, why = _split(more)
        team, taken = self._team(word), _number(amount)
        table = self._table_of(team)
        table.penalties[team] = table.penalties.get(team, 0) + taken
        table.notes += [why] if why else []

    def decide(self, _at: int, rest: str) -> None:
        word, more = _split(rest)
        team_word, why = _split(more)
        table, team = self.table(word), self._team(team_word)
        if team not in self.present(table):
            wrong = _("{team} is not at table {table}")
            raise UserError(wrong.format(team=self.teams[team].name, table=word))
        table.decided = team
        table.notes += [why] if why else []

    def call(self, _at: int, rest: str) -> None:
        word, why = _split(rest)
        self.table(word).call = why or "?"

    def answer(self, _at: int, rest: str) -> None:
        word, ruling = _split(rest)
        table = self.table(word)
        if not (table.call or table.callers):
            raise UserError(_("table {table} has not called").format(table=word))
        table.ruled += table.callers
        table.call, table.callers = "", []
        table.notes += [ruling] if ruling else []

    def hear(self, _at: int, rest: str) -> None:
        word, names = _split(rest)
        table = self.table(word)
        calling = [name.strip() for name in names.split(",") if name.strip()]
        table.ruled = [name for name in table.ruled if name in calling]
        table.callers = [name for name in calling if name not in table.ruled]

    def look_at(self, _at: int, rest: str) -> None:
        word, address = _split(rest)
        table = self.table(word)
        found = ADDRESS.match(address)
        if address and not found:
            wrong = _("{address}: an address of a table looks like http://192.168.1.20:8737/code/")
            raise UserError(wrong.format(address=address))
        table.live = found[0] if found else ""

    # Parsing of steps, and limits of the rules.

    def _place(self) -> str:
        """Return the status of a team that enters now."""
        is_full = len(self.numbered(PLAYS)) >= MOST_TEAMS
        return RESERVE if self.rules.centre_limit and is_full else PLAYS

    def _may_sit(self, at: int, table: Table) -> bool:
        is_late = table.started is not None and at - table.started >= DEEDS_S
        return self.rules.late_in_play or not is_late

    def _need_open(self, table: Table) -> None:
        if table.counts or table.decided is not None:
            raise UserError(_("this table has a result: the referee can use `decide`"))

    def _team(self, word: str) -> int:
        number = _number(word)
        if not 0 < number <= len(self.teams):
            raise UserError(_("there is no team {number}").format(number=word))
        return number - 1

    def _table_of(self, team: int) -> Table:
        for table in self.tables:
            if team in table.teams:
                return table
        raise UserError(_("{team} has no table in this round").format(team=self.teams[team].name))


def _number(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < LONGEST_NUMBER):
        raise UserError(_('"{word}" is not a whole number').format(word=word))
    return int(word)


def _wealth(word: str) -> int:
    """Parse an amount in notes, or as the table shows money, for example 15M."""
    if word.isascii() and len(word) < LONGEST_NUMBER:
        with suppress(ValueError):
            return money.parse(word)
    return _number(word)


def _split(rest: str) -> tuple[str, str]:
    word, _space, more = rest.partition(" ")
    return word, more.strip()


def _subject(text: str) -> tuple[str, str]:
    """Return the verb of a step and its team or table; `decide` counts as `correct`."""
    verb, rest = _split(text)
    return "correct" if verb == "decide" else verb, _split(rest)[0]


class Step(NamedTuple):
    """A kind of step: its arguments, its description, and the method that performs it."""

    usage: Lazy | str
    says: Lazy
    do: Callable[[Tournament, int, str], None]


STEPS = {
    "team": Step(lazy("NAME, JUNIOR, ADULT"), lazy("enter a team"), Tournament.enter),
    "absent": Step(
        lazy("TEAM"),
        lazy("a team is absent; a reserve team takes its seats"),
        Tournament.absent,
    ),
    "late": Step(lazy("TEAM"), lazy("an absent team has arrived"), Tournament.late),
    "draw": Step("", lazy("draw the tables of the next round"), Tournament.draw),
    "start": Step(lazy("[TABLE]"), lazy("start all clocks, or one table's"), Tournament.start),
    "more": Step(lazy("TABLE MINUTES"), lazy("give a table more time"), Tournament.add_time),
    "result": Step(
        lazy("TABLE WEALTH ..."),
        lazy("enter the wealth of each team, in the order shown: 1500, or 900+600"),
        Tournament.result,
    ),
    "correct": Step(
        lazy("TABLE WEALTH ..."),
        lazy("the referee decides that this result is right"),
        Tournament.correct,
    ),
    "penalty": Step(
        lazy("TEAM AMOUNT [WHY]"), lazy("penalise a team at its table"), Tournament.punish
    ),
    "decide": Step(
        lazy("TABLE TEAM [WHY]"),
        lazy("the referee decides that this team advances"),
        Tournament.decide,
    ),
    "call": Step(lazy("TABLE [WHY]"), lazy("a table calls the referee"), Tournament.call),
    "answer": Step(lazy("TABLE [RULING]"), lazy("the referee has ruled"), Tournament.answer),
    CALLERS: Step(
        lazy("TABLE [NAME, ...]"),
        lazy("players who call at a watched table; entered automatically"),
        Tournament.hear,
    ),
    "live": Step(
        lazy("TABLE [ADDRESS]"),
        lazy("watch the table at this address: use its clock and result"),
        Tournament.look_at,
    ),
}
