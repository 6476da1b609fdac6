"""Presents a tournament: as plain data for its pages, and as lines for a terminal."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from city_game.editions import described
from city_game.tournament import network
from city_game.tournament.core import AWAY, RESERVE, Table, Tournament, chairs
from city_game.tournament.network import Facts
from city_unit.desktop.catalogue import Lazy, _, lazy, ngettext
from city_unit.desktop.forms import all_of, any_of, minutes, number

PROGRAM = "championship"  # the unit's program, which times a table
PHASES: dict[str, Lazy] = {
    "deeds": lazy("dealing out the deeds"),
    "play": lazy("play"),
    "last-round": lazy("last round"),
    "time-called": lazy("time is up"),
}


Known = Mapping[str, Facts | None]  # the facts of watched tables, by address


class Clock(NamedTuple):
    """The clock of a table: its phase, "" before the start, and the seconds left of it."""

    phase: str
    left: int


def clock(table: Table, now: int, report: Facts | None = None) -> Clock:
    """Return the clock of a table at `now`, s since 1970; added time prolongs the play.

    report  the facts of a watched table, whose own clock then counts
    """
    program = described(PROGRAM)
    whole = program.clock_ms // 1000
    begins = {mark.label or mark.kind: whole - mark.first_left_ms // 1000 for mark in program.marks}
    left = report.left_at(now) if report else None
    if left is not None:
        passed = max(0, whole - left)
    elif table.started is None:
        return Clock("", whole)
    else:
        passed = max(0, now - table.started)
        for name in ("last-round", "time-called"):
            begins[name] += table.more
    phase = [name for name, at in begins.items() if at <= passed][-1]
    ends = begins["play" if phase == "deeds" else "time-called"]
    return Clock(phase, max(0, ends - passed))


def waits(tournament: Tournament, now: int, facts: Known) -> list[str]:
    """Return the questions for the referee as text, those from people first."""
    found = [
        _("Table {table} calls: {why}").format(table=number(place), why=table.call)
        for place, table in enumerate(tournament.tables, 1)
        if table.call
    ]
    found += [
        _("Table {table}: {why}").format(table=number(place), why=why)
        for place, said in network.questions(tournament, facts).items()
        for why in said
    ]
    for place, table in enumerate(tournament.tables, 1):
        words = {"table": number(place)}
        leaders = tournament.leaders(table)
        if table.is_open and not tournament.is_closed(table):
            results = [_amounts(heard) for heard in table.heard]
            found.append(
                _("Table {table}: which result is right, {results}?").format(
                    results=any_of(results), **words
                )
            )
        elif tournament.first(table) is None and len(leaders) > 1:
            names = all_of([tournament.teams[team].name for team in leaders])
            found.append(
                _("Table {table}: {names} tie for first place").format(names=names, **words)
            )
        is_up = clock(table, now, facts.get(table.live)).phase == "time-called"
        if is_up and not table.counts and not tournament.is_closed(table):
            found.append(_("Table {table}: time is up, but there is no result").format(**words))
    if len(tournament.going_on()) > 1 and all(map(tournament.is_closed, tournament.tables)):
        found.append(_("The next round can be drawn"))
    return found


def _amounts(counts: dict[int, tuple[int, ...]]) -> str:
    """Return a result in the form in which it is typed."""
    return " ".join("+".join(map(str, counted)) for counted in counts.values())


def whole(tournament: Tournament, now: int, facts: Known) -> dict[str, Any]:
    """Return the whole content of the page, in the current language."""
    asks = network.questions(tournament, facts)
    champion = tournament.champion()
    return {
        "title": title(tournament),
        "steps": len(tournament.steps),
        "champion": "" if champion is None else tournament.teams[champion].name,
        "teams": [
            {"name": team.name, "junior": team.junior, "adult": team.adult, "status": team.status}
            for team in tournament.teams
        ],
        "rounds": [
            {
                "tables": [
                    _table(tournament, table, now, facts.get(table.live))
                    | {"asks": played is tournament.rounds[-1] and place in asks}
                    for place, table in enumerate(played.tables, 1)
                ],
                "byes": played.byes,
            }
            for played in tournament.rounds
        ],
        "waits": waits(tournament, now, facts),
    }


def title(tournament: Tournament) -> str:
    teams = len(tournament.going_on())
    if not tournament.rounds:
        words = ngettext("Entries: {count} team", "Entries: {count} teams", teams)
        return words.format(count=number(teams))
    if tournament.champion() is not None:
        return _("The tournament is over")
    if len(tournament.tables) == 1:
        return _("Final")
    return _("Round {round}").format(round=number(len(tournament.rounds)))


def _table(tournament: Tournament, table: Table, now: int, report: Facts | None) -> dict[str, Any]:
    time, drawn = clock(table, now, report), tournament.rules.seats_are_drawn
    first = tournament.first(table)
    return {
        "teams": [
            {
                "team": team,
                "chairs": chairs(len(table.teams), place) if drawn else ("", ""),
                "absent": team in table.absent,
                "wealth": tournament.wealth(table, team) if team in table.counts else None,
                "penalty": table.penalties.get(team, 0),
                "first": team == first,
            }
            for place, team in enumerate(table.teams)
        ],
        "bank": table.teams[-1] if drawn else None,
        "phase": time.phase,
        "words": _state(tournament, table, time.phase),
        "left": time.left,
        "runs": bool(time.phase) and not (report and report.stands),
        "closed": tournament.is_closed(table),
        "results": list(map(_amounts, table.heard)) if table.is_open else [],
        "call": table.call,
        "callers": network.called(tournament, table),
        "notes": table.notes,
    }


def _state(tournament: Tournament, table: Table, phase: str) -> str:
    """Return the state of a table as text."""
    first = tournament.first(table)
    if first is not None:
        if tournament.champion() == first:
            return _("Champions: {team}").format(team=tournament.teams[first].name)
        return _("next round: {team}").format(team=tournament.teams[first].name)
    if table.is_open:
        return _("different results: the referee decides")
    if table.counts:
        return _("tie: the referee decides")
    return str(PHASES[phase]) if phase else _("not started")


def lines(tournament: Tournament, now: int, facts: Known) -> list[str]:
    """Return the tournament as lines for a terminal."""
    said = [title(tournament)]
    for place, table in enumerate(tournament.tables, 1):
        time = clock(table, now, facts.get(table.live))
        is_over = table.counts or tournament.is_closed(table)
        head = _("Table {table}, {state}") if is_over else _("Table {table}, {left}: {state}")
        state = _state(tournament, table, time.phase)
        said.append(head.format(table=place, left=minutes(1000 * time.left), state=state))
        said += [f"  {_team(tournament, team, table)}" for team in table.teams]
    if not tournament.rounds:
        said += [f"  {_team(tournament, team)}" for team in range(len(tournament.teams))]
    return [*said, *waits(tournament, now, facts)]


def _team(tournament: Tournament, team: int, table: Table | None = None) -> str:
    """Return a team as a line: number, name, players, and its wealth or status."""
    known = tournament.teams[team]
    players = f" ({known.junior}, {known.adult})" if known.junior or known.adult else ""
    status = ""
    if table is not None and team in table.counts:
        status = f": {number(tournament.wealth(table, team))}"
    elif known.status == AWAY or (table is not None and team in table.absent):
        status = f": {_('absent')}"
    elif known.status == RESERVE:
        status = f": {_('in reserve')}"
    return f"{team + 1:3} {known.name}{players}{status}"
