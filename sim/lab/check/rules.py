"""Rules that must hold whatever is pressed: the `[[always]]` blocks, which `HELP` explains."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.toml_reader import Table, choice, list_of, time_ms
from city_unit.facts import LAMPS
from city_unit.trace import EVENTS
from sim.engine.edges import Edges

# To translators: keys and values stand in a file, and stay as they are.
HELP = lazy(
    """\
Rules that must hold whatever is pressed: the `[[always]]` blocks of a file.

    [[always]]                                     [[always]]
    after = "auction-started"                      never = "auction-started"
    comes = "auction-ended"                        after = "hour-ended"
    in = "50 s"                                    until = "switched-off"
    unless = ["auction-cancelled", "switched-off"]

    [[always]]
    after = "auction-ended"
    lamp = "auction"
    is = "off"
    in = "0 s"
    unless = ["auction-started"]

After each event a thing `comes`, or a lamp is so, `in` a time, just then or within a `tolerance`,
unless one of those comes first; or an event `never` comes, maybe only after one event and
`until` another.
Before the rules may stand `program = "..."`, and `setup = true` if a button may be held at
switch-on, which lets another program be chosen.
"""
)


class Broken(NamedTuple):
    """A breach of a rule: its demand, in words and as a block `[[expect]]`, and the time in ms."""

    words: str
    expect: dict[str, str]
    ms: int


class Rule(NamedTuple):
    """A rule.

    after     the event after which it holds, "" if it always does
    is_tried  takes the edges of a unit and returns whether the rule applied to them: a rule that
              never applies cannot be broken
    broken    takes the same and returns how the rule was broken, None if it was not
    """

    after: str
    is_tried: Callable[[Edges], bool]
    broken: Callable[[Edges], "Broken | None"]


def read(table: Table, length_ms: int) -> list[Rule]:
    """Take the rules of games of a length from a file; raises UserError."""
    rules = [_read(block, length_ms) for block in table.tables("always")]
    if not rules:
        raise table.error(None, _("there is no rule; write [[always]] blocks"))
    return rules


def _read(block: Table, length_ms: int) -> Rule:
    rule = _never(block) if "never" in block else _comes(block, length_ms)
    block.finish()
    return rule


def _never(block: Table) -> Rule:
    never = block.take("never", choice(EVENTS))
    after: str | None = block.take("after", choice(EVENTS), None)
    until: str | None = block.take("until", choice(EVENTS), None)
    if until and not after:
        raise block.error("until", _("until: from which event on? say after = ..."))

    def broken(shown: Edges) -> Broken | None:
        is_forbidden = after is None
        for ms, kind, _fields in shown.events:
            if kind == never and is_forbidden:
                times = {"event": never, "times": "0", "from": f"{ms - 1} ms", "to": f"{ms} ms"}
                words = _("{event} comes at {ms} ms").format(event=never, ms=ms)
                return Broken(words, times, ms)
            if kind == after:
                is_forbidden = True
            elif kind == until:
                is_forbidden = False
        return None

    def is_tried(shown: Edges) -> bool:
        return after is None or any(kind == after for _ms, kind, _fields in shown.events)

    return Rule(after or "", is_tried, broken)


def _comes(block: Table, length_ms: int) -> Rule:
    after = block.take("after", choice(EVENTS))
    in_ms = block.take("in", time_ms)
    tolerance = block.take("tolerance", time_ms, 0)
    if in_ms + tolerance >= length_ms:
        words = _("in: with its tolerance it is as long as a game, {end} ms, or longer")
        raise block.error("in", words.format(end=length_ms))
    unless = block.take("unless", list_of(choice(EVENTS)), ())
    if "lamp" in block:
        lamp = block.take("lamp", choice(LAMPS))
        state = block.take("is", choice(("on", "off")))
        wanted, what = {"lamp": lamp, "is": state}, f"{lamp} {state}"
        is_so = _lamp_is(lamp, state == "on", tolerance)
    else:
        kind = block.take("comes", choice(EVENTS))
        wanted, what = {"event": kind}, kind
        is_so = _event_comes(kind, tolerance)

    def asked(shown: Edges) -> Iterator[int]:
        """Yield when the event came after which the rule must hold in this game."""
        for place, (ms, kind, _fields) in enumerate(shown.events):
            until = ms + in_ms + tolerance
            if kind != after or until >= shown.end_ms:
                continue
            later = shown.events[place + 1 :]
            if not any(other in unless and at <= until for at, other, _ in later):
                yield ms

    def broken(shown: Edges) -> Broken | None:
        for ms in asked(shown):
            due = ms + in_ms
            if not is_so(shown, due):
                expect = {**wanted, "at": f"{due} ms"}
                if tolerance:
                    expect["tolerance"] = f"{tolerance} ms"
                words = _("after {after} at {ms} ms: no {what} at {due} ms")
                return Broken(words.format(after=after, ms=ms, what=what, due=due), expect, due)
        return None

    return Rule(after, lambda shown: any(True for _ms in asked(shown)), broken)


def _event_comes(kind: str, tolerance: int) -> Callable[[Edges, int], bool]:
    def is_so(shown: Edges, due: int) -> bool:
        return any(found == kind and abs(ms - due) <= tolerance for ms, found, _ in shown.events)

    return is_so


def _lamp_is(lamp: str, lit: bool, tolerance: int) -> Callable[[Edges, int], bool]:
    def is_so(shown: Edges, due: int) -> bool:
        before = [on for ms, on in shown.lamps[lamp] if ms <= due]
        near = [on for ms, on in shown.lamps[lamp] if abs(ms - due) <= tolerance]
        return bool(([0, *before])[-1]) == lit or any(bool(on) == lit for on in near)

    return is_so
