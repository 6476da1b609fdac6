"""The rules of a tournament, for random steps and for all switches."""

import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from city_game.kernel.switches import HouseRules
from city_game.tournament import view
from city_game.tournament.core import (
    AWAY,
    DEEDS_S,
    PLAYS,
    RESERVE,
    SWITCHES,
    Tournament,
    chairs,
    sizes,
)
from city_unit.desktop import toml_reader
from city_unit.desktop.errors import UserError
from city_unit.programs import PROGRAMS

AT = 1_800_000_000


def entered(teams, seed=1, **rules):
    tournament = Tournament(HouseRules(SWITCHES, **rules), seed)
    for number in range(1, teams + 1):
        tournament.do(AT, f"team Team {number}, Junior {number}, Adult {number}")
    return tournament


def drawn(teams, **rules):
    tournament = entered(teams, **rules)
    tournament.do(AT, "draw")
    return tournament


def play_round(tournament, amount=lambda team: str(1000 + team)):
    for number, table in enumerate(tournament.tables, 1):
        amounts = " ".join(map(amount, tournament.present(table)))
        tournament.do(AT, f"result {number} {amounts}")


def check(tournament):
    """Each team is in one place, and only a team that was at a table goes on from it."""
    for played in tournament.rounds:
        seated = [team for table in played.tables for team in table.teams]
        assert len(set(seated + played.byes)) == len(seated) + len(played.byes)
        assert all(2 <= len(table.teams) <= 3 for table in played.tables)
    if tournament.rules.centre_limit:
        assert len(tournament.numbered(PLAYS)) <= 27
    for before, after in zip(tournament.rounds, tournament.rounds[1:], strict=False):
        firsts = {tournament.first(table) for table in before.tables} - {None}
        seated = {team for table in after.tables for team in table.teams}
        assert seated | set(after.byes) == firsts | set(before.byes)
    for table in tournament.tables:
        first = tournament.first(table)
        assert first is None or first in tournament.present(table)
    champion = tournament.champion()
    assert champion is None or tournament.going_on() == [champion]


def refused(tournament, text, at=AT):
    before = view.whole(tournament, AT, {}), list(tournament.steps)
    with pytest.raises(UserError) as error:
        tournament.do(at, text)
    assert (view.whole(tournament, AT, {}), tournament.steps) == before
    assert "\n" not in str(error.value)
    return True


def test_any_number_of_teams_is_seated_partners_never_side_by_side():
    """At tables of six, with three teams each, and as few tables of four as possible."""
    for teams, byes in product(range(2, 200), (False, True)):
        plan = sizes(teams, byes)
        over = teams - sum(plan)
        assert set(plan) <= {2, 3} and over == (byes and teams % 3 == 1)
        assert plan.count(2) == (0 if over else -teams % 3)
    for teams in (2, 3):
        juniors, adults = zip(*(chairs(teams, place) for place in range(teams)), strict=True)
        assert [*juniors, *adults] == [*range(1, 2 * teams + 1)]  # as in the book's plan


def test_the_book_is_held_27_teams_play_three_rounds_and_three_wait():
    tournament = entered(30)
    assert [len(tournament.numbered(status)) for status in (PLAYS, RESERVE)] == [27, 3]
    assert refused(tournament, "team One more")
    rounds = []
    while tournament.champion() is None:
        tournament.do(AT, "draw")
        rounds.append([len(table.teams) for table in tournament.tables])
        play_round(tournament)
    assert rounds == [[3] * 9, [3] * 3, [3]]
    assert tournament.champion() == 26  # the richest at each of its tables
    assert refused(tournament, "draw")
    assert entered(31, centre_limit=False).numbered(RESERVE) == []


def test_nobody_is_banker_twice_where_it_can_be_helped():
    tournament = drawn(9)
    bankers = {table.teams[-1] for table in tournament.tables}
    one, other = (team for team in tournament.tables[0].teams if team not in bankers)
    winners = {one} | {tournament.tables[1].teams[-1]} | {tournament.tables[2].teams[-1]}
    play_round(tournament, lambda team: "9" if team in winners else "1")
    tournament.do(AT, "draw")
    assert tournament.tables[0].teams[-1] == one and other not in tournament.tables[0].teams


def seen(tournament, seats):
    """Return the facts of the first table, with teams as the letters of their seats."""
    table = tournament.tables[0]
    letters = {None: "none"} | dict(zip(seats, "abc", strict=False))
    counted = [str(tournament.wealth(table, team)) for team in table.counts]
    return {
        "champion": letters[tournament.champion()],
        "leaders": " ".join(letters[team] for team in tournament.leaders(table)),
        "waits": str(len(view.waits(tournament, AT, {}))),
        "wealth": " ".join(counted),
        "notes": ", ".join(table.notes),
        "heard": str(len(table.heard)),
        "absent": " ".join(letters[team] for team in table.absent) or "none",
        "seated": str(len(tournament.present(table))),
        "reserve": str(len(tournament.numbered(RESERVE))),
    }


def test_rulings():
    text = (Path(__file__).parent / "rulings.toml").read_text(encoding="utf-8")
    for case in toml_reader.read(text)[0]["case"]:
        tournament = drawn(case["teams"], **case.get("rules", {}))
        seats = list(tournament.tables[0].teams)
        numbers = {letter: team + 1 for letter, team in zip("abc", seats, strict=False)}
        for line in case["steps"]:
            later = re.match(r"@(\d+) ", line)
            at = AT + int(later[1]) if later else AT
            step = line[later.end() :] if later else line
            mark, _space, rest = step.partition(" ")
            if mark == "=":
                fact, _space, expected = rest.partition(" ")
                assert seen(tournament, seats)[fact] == expected, f"{case['fact']}: {line}"
            elif mark == "!":
                assert refused(tournament, rest.format(**numbers), at), f"{case['fact']}: {line}"
            else:
                tournament.do(at, step.format(**numbers))


def test_of_two_referees_who_rule_on_the_same_question_the_second_looks_again():
    tournament = drawn(9)
    tournament.do(AT, "result 1 1 2 3")
    seen = len(tournament.steps)
    for step in ("correct 1 2 2 3", "penalty 1 5", "draw"):
        tournament.refuse_stale(step, seen)
    for step in ("correct 1 30 20 10", "penalty 1 5", "result 2 1 2 3", "result 3 1 2 3"):
        tournament.do(AT, step)
    for step in ("correct 1 2 2 3", "decide 1 1", "penalty 1 5", "result 2 1 2 3"):
        with pytest.raises(UserError):
            tournament.refuse_stale(step, seen)
        tournament.refuse_stale(step, len(tournament.steps))
    for step in ("correct 2 1 2 3", "penalty 2 5", "draw"):
        tournament.refuse_stale(step, seen)
    tournament.do(AT, "draw")
    for step, shown in (("draw", seen), ("call 1", seen), ("call 1", len(tournament.steps) + 1)):
        with pytest.raises(UserError):
            tournament.refuse_stale(step, shown)


def test_equal_teams_are_chosen_by_lot_if_so_agreed():
    firsts = set()
    for seed in range(20):
        tournament = drawn(3, seed=seed, ties_by_lot=True)
        tournament.do(AT, "result 1 7 7 1")
        firsts.add(tournament.champion() == tournament.tables[0].teams[0])
    assert firsts == {True, False}


def test_before_the_draw_the_reserve_takes_the_place_of_an_absent_team():
    tournament = entered(29)
    tournament.do(AT, "absent 1")
    assert tournament.teams[27].status == PLAYS and tournament.teams[0].status == AWAY
    tournament.do(AT, "late 1")  # behind the others in the reserve
    assert tournament.teams[0].status == RESERVE


@pytest.mark.parametrize("rule", [None, *(switch.name for switch in SWITCHES)])
def test_every_number_of_teams_plays_to_a_champion_by_every_rule(rule):
    """With ties, a penalty, an absent team and a late one in each round; no team has two byes."""
    defaults = {switch.name: switch.default for switch in SWITCHES}
    for teams in (2, 3, 4, 7, 10, 30):
        tournament = entered(teams, **({rule: not defaults[rule]} if rule else {}))
        while tournament.champion() is None:
            playing = tournament.going_on()
            tournament.do(AT, "draw")
            seated = [team for table in tournament.tables for team in table.teams]
            assert sorted(seated + tournament.rounds[-1].byes) == playing
            late, away = tournament.tables[0].teams[0], tournament.tables[-1].teams[-1]
            tournament.do(AT, f"absent {late + 1}")
            if late in tournament.tables[0].teams:  # otherwise a reserve team has its seats
                tournament.do(AT, f"late {late + 1}")
            tournament.do(AT, "start")
            if len(tournament.tables) > 1:
                tournament.do(AT + DEEDS_S, f"absent {away + 1}")
                if rule != "late_in_play":
                    assert refused(tournament, f"late {away + 1}", AT + DEEDS_S)
            play_round(tournament, lambda team: str(team // 4))
            tournament.do(AT, f"penalty {tournament.tables[0].teams[-1] + 1} 1 loud")
            for number, table in enumerate(tournament.tables, 1):
                if not tournament.is_closed(table):
                    tournament.do(AT, f"decide {number} {tournament.leaders(table)[0] + 1} a coin")
            assert len(tournament.rounds) < 9
        check(tournament)
        byes = [team for played in tournament.rounds for team in played.byes]
        assert len({*byes}) == len(byes)


def test_the_clock_of_a_table_is_the_units():
    """Its figures are the program's, and so are the five minutes of the deeds."""
    (program,) = (program for program in PROGRAMS if program.name == view.PROGRAM)
    assert program.clock_ms - program.marks[1][1] == 1000 * DEEDS_S
    tournament = drawn(2)
    table = tournament.tables[0]
    assert view.clock(table, AT) == ("", 3000)
    tournament.do(AT, "start")
    tournament.do(AT, "more 1 2")
    times = {0: ("deeds", 300), 299: ("deeds", 1), 300: ("play", 2820), 2819: ("play", 301)}
    times |= {2820: ("last-round", 300), 3120: ("time-called", 0), 9999: ("time-called", 0)}
    assert {after: view.clock(table, AT + after) for after in times} == times
    assert not view.waits(tournament, AT + 3119, {}) and view.waits(tournament, AT + 3120, {})


def test_a_table_that_is_over_has_no_clock_and_its_team_may_have_a_plural_name():
    tournament = drawn(4)
    tournament.do(AT, "start")
    assert view.lines(tournament, AT, {})[1] == "Table 1, 5:00: dealing out the deeds"
    tournament.do(AT, "result 1 5 5")
    tournament.do(AT, "result 2 9 5")
    said = view.lines(tournament, AT, {})
    name = tournament.teams[tournament.tables[1].teams[0]].name
    assert "Table 1, tie: the referee decides" in said and f"Table 2, next round: {name}" in said


def test_the_terminal_shows_each_stage():
    tournament = entered(2)
    tournament.do(AT, "absent 2")
    one, other = "    1 Team 1 (Junior 1, Adult 1)", "    2 Team 2 (Junior 2, Adult 2)"
    assert view.lines(tournament, AT, {}) == ["Entries: 1 team", one, f"{other}: absent"]
    tournament.do(AT, "late 2")
    tournament.do(AT, "draw")
    assert view.lines(tournament, AT, {}) == ["Final", "Table 1, 50:00: not started", one, other]
    tournament.do(AT, "result 1 1500 900+600")
    assert view.lines(tournament, AT, {}) == [
        "The tournament is over", "Table 1, Champions: Team 1", f"{one}: 1,500", f"{other}: 900",
    ]  # fmt: skip
    entries = view.lines(entered(28), AT, {})
    assert entries[0] == "Entries: 27 teams" and entries[28].endswith(": in reserve")
    assert entries[29:] == ["The next round can be drawn"]


SENSELESS = [
    "", "draw now", "nonsense", "start 9", "start x", "result", "result 1", "result 1 5",
    "result 1 -5 3", "result 1 1+2+3 4", "result 1 9999999999999 1", "result ١ 1 2",
    "decide 1 9", "penalty 1", "late 1", "absent 0", "more 1 5", "answer 1", "team Late",
    "x" * 400, "call 1 \u2028", "call 1 \x1b[2J", "live 1 ftp://x/y/", "live 1 http://a/",
    "team , ,", "undo now",
]  # fmt: skip


def test_a_step_that_makes_no_sense_changes_nothing():
    tournament = drawn(2)
    for text in SENSELESS:
        assert refused(tournament, text), text
    with pytest.raises(UserError, match="table 1 is not decided"):
        tournament.do(AT, "draw")


def test_every_limit_is_exact():
    tournament, name = entered(2), 40 * "x"
    assert refused(tournament, f"team {name}x") and refused(tournament, f"team a, {name}x")
    assert refused(tournament, "draw now")
    for step in (f"team {name}, {name}, {name}", "draw", "start", "more 1 600"):
        tournament.do(AT, step)
    for step in ("more 1 601", "result 1 1000000000 1 1", f"call 1 {293 * 'x'}x"):
        assert refused(tournament, step), step
    for step in ("result 1 999999999 1 1", f"call 1 {293 * 'x'}"):
        tournament.do(AT, step)


@pytest.mark.parametrize("are_drawn", [True, False])
def test_the_pages_get_each_fact_of_a_table(are_drawn):
    tournament = drawn(3, seats_are_drawn=are_drawn)
    a, b, c = tournament.tables[0].teams
    steps = (f"absent {b + 1}", "start", "result 1 900 800", f"penalty {a + 1} 200 late")
    for step in (*steps, "result 1 900 700", "call 1 a deal", "callers 1 Junior 1"):
        tournament.do(AT, step)
    rows = [(a, False, 700, 200, False), (b, True, None, 0, False), (c, False, 800, 0, False)]
    (table,) = view.whole(tournament, AT + 301, {})["rounds"][0]["tables"]
    assert table == {
        "teams": [
            {
                "team": team,
                "chairs": (place + 1, place + 4) if are_drawn else ("", ""),
                "absent": is_absent, "wealth": wealth, "penalty": penalty, "first": is_first,
            }
            for place, (team, is_absent, wealth, penalty, is_first) in enumerate(rows)
        ],
        "bank": c if are_drawn else None,
        "phase": "play", "words": "different results: the referee decides", "left": 2699,
        "runs": True, "closed": False, "results": ["900 800", "900 700"], "call": "a deal",
        "callers": ["Junior 1 (Team 1) calls the referee"], "notes": ["late"], "asks": True,
    }  # fmt: skip


VERBS = ["absent", "late", "decide", "penalty", "call", "answer", "start", "more", "undo"]


class Referee(RuleBasedStateMachine):
    """Random steps in any order; refused ones change nothing."""

    def __init__(self):
        super().__init__()
        self.rules = {}
        self.tournament = Tournament(HouseRules(SWITCHES), 1)
        self.said = []
        self.now = AT

    def do(self, text):
        self.now += 40
        before = view.whole(self.tournament, AT, {})
        try:
            self.tournament.do(self.now, text)
        except UserError:
            assert view.whole(self.tournament, AT, {}) == before
            return
        self.said.append((self.now, text))

    @rule(names=some.sampled_from(SWITCHES))
    def decide_a_question_otherwise(self, names):
        if not self.said:
            self.rules[names.name] = not names.default
            self.tournament = Tournament(HouseRules(SWITCHES, **self.rules), 1)

    @rule(count=some.integers(1, 31))
    def enter(self, count):
        for number in range(count):
            self.do(f"team {len(self.said)} {number}, junior, adult")

    @rule(numbers=some.data())
    def play(self, numbers):
        self.do("draw")
        self.do("start")
        for place, table in enumerate(self.tournament.tables, 1):
            present = self.tournament.present(table)
            amounts = [str(numbers.draw(some.integers(0, 3))) for _ in present]
            self.do(f"result {place} {' '.join(amounts)}")

    @rule(verb=some.sampled_from(VERBS), one=some.integers(0, 31), other=some.integers(0, 31))
    def rule_on_something(self, verb, one, other):
        words = {"undo": "undo", "absent": f"absent {one}", "late": f"late {one}"}
        self.do(words.get(verb, f"{verb} {one} {other}"))

    @rule(text=some.text(max_size=20))
    def say_anything(self, text):
        self.do(text)

    @invariant()
    def each_team_is_in_one_place(self):
        check(self.tournament)

    def teardown(self):
        """The same steps give the same tournament."""
        again = Tournament(HouseRules(SWITCHES, **self.rules), 1)
        for at, text in self.said:
            again.do(at, text)
        assert view.whole(again, self.now, {}) == view.whole(self.tournament, self.now, {})


Referee.TestCase.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
TestReferee = Referee.TestCase
