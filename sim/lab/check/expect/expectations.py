"""The expectations of a scenario: the `[[expect]]` blocks of its file, which `HELP` explains."""

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.toml_reader import Table, choice, list_of
from city_unit.facts import LAMPS
from sim.engine.edges import Edges, spans
from sim.engine.scenario import Scenario
from sim.lab.check.expect import at_instant, over_span, relations
from sim.lab.check.expect.at_instant import EVENTS
from sim.lab.check.expect.expect_block import Block, Expectation, Failure, Slack
from sim.lab.instrument.digital import Signals

# To translators: keys and values stand in a file, and stay as they are.
HELP = lazy(
    """\
What a scenario expects: the `[[expect]]` blocks of its file, and whether a trace keeps them.

    [[expect]]                    [[expect]]                  [[expect]]
    event = "auction-warning"     lamp = "auction"            tone = 2700
    at = "46016 ms"               is = "on"                   at = "46016 ms"
                                  from = "2 s"                length = "400 ms"
                                  to = "2.4 s"

    event = "hour-beep"           lamp = "auction"            silence = true
    from = "0 s"                  blinks = "4 per s"          from = "56 s"
    to = "59 min"                 from = "47 s"               to = "60 s"
    times = 6                     to = "50 s"

An event, and a tone, is expected `at` a time, or a number of `times` within a
span (at least once, if none is given). `order = ["a", "b"]` expects events to
come in this order. All is exact, unless the block has a `tolerance`: an `at`, the
ends of a span, a length, and each half of a blink may then be off by it. Nothing
can be expected after the end of the run.
"""
)
NO_SLACK = Slack()


def read(table: Table, scenario: Scenario, slack: Slack = NO_SLACK) -> list[Expectation]:
    """Take the expectations from a scenario's file; raises UserError.

    slack  by how much times may be off in an expectation that has no tolerance of its own
    """
    return [_read(block, scenario, slack) for block in table.tables("expect")]


def _read(table: Table, scenario: Scenario, slack: Slack) -> Expectation:
    if any(kind in table for kind in relations.KINDS):
        return _relation(table)
    block = Block(table, scenario, slack)
    kinds = [kind for kind in _READERS if kind in table]
    if not kinds:
        for key in (*_READERS, *relations.KINDS, "at", "from", "to"):
            table.take(key, lambda value: value, None)
        table.finish()  # a misspelt word is named as such
    if len(kinds) != 1:
        kinds = (*_READERS, *relations.KINDS)
        words = _("an expectation has one of {kinds}").format(kinds=", ".join(kinds))
        raise table.error(None, words)
    expectation = _READERS[kinds[0]](block)
    table.finish()
    return expectation._replace(line=table.line(None), since=block.since)


def _order(block: Block) -> Expectation:
    order = block.table.take("order", list_of(choice(EVENTS), 2))
    (start, end), off = block.span(), block.off
    words = _("in this order: {events}").format(events=", ".join(order))

    def keeps(edges: Edges) -> Failure | None:
        seen = [kind for ms, kind, _ in edges.events if start - off <= ms <= end + off]
        left = iter(seen)
        if all(kind in left for kind in order):
            return None
        return Failure(words, ", ".join(seen[:12]) or _("none of them"), start)

    return Expectation(words, frozenset(order), keeps)


def _relation(table: Table) -> Expectation:
    """Return the expectation between edges, as of any device: lamps, "tone" and events."""
    relation = relations.read(table, (*LAMPS, "tone", *EVENTS))
    table.finish()

    def keeps(edges: Edges) -> Failure | None:
        failures = relation.judge(_signals(edges)).failures
        return failures[0] if failures else None

    return Expectation(relation.words, relation.needs, keeps, table.line(None))


def _signals(edges: Edges) -> Signals:
    """Return a trace as the signals of a device; an event is on for no time."""
    shown = {lamp: list(spans(changes, edges.end_ms)) for lamp, changes in edges.lamps.items()}
    shown["tone"] = list(spans(edges.tones, edges.end_ms))
    found = {name: [(float(a), float(b)) for a, b, _value in each] for name, each in shown.items()}
    for kind in EVENTS:
        found[kind] = [(float(ms), float(ms)) for ms, what, _fields in edges.events if what == kind]
    return Signals(found, {"tone": [float(hz) for _a, _b, hz in shown["tone"]]}, edges.end_ms)


_READERS = {
    "event": at_instant.event,
    "lamp": over_span.lamp,
    "tone": at_instant.tone,
    "silence": over_span.silence,
    "order": _order,
}
