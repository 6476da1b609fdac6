"""What a scenario expects: the `[[expect]]` blocks of its file, and whether a trace keeps them.

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

from sim.lab import occurrences, stretches
from sim.lab.edges import Edges
from sim.lab.expect_block import Block, Check, Failure
from sim.lab.occurrences import EVENTS
from sim.scenario import Scenario
from sim.toml_reader import Table, choice, list_of


def read(table: Table, told: Scenario, slack_ms: int = 0) -> list[Check]:
    """Take the expectations from a scenario's file; raises UserError.

    slack_ms  by how much times may be off in an expectation that has no tolerance of its own
    """
    return [_read(block, told, slack_ms) for block in table.tables("expect")]


def _read(table: Table, told: Scenario, slack_ms: int) -> Check:
    block = Block(table, told, slack_ms)
    kinds = [kind for kind in _READERS if kind in table]
    if not kinds:
        for key in (*_READERS, "at", "from", "to"):
            table.take(key, lambda value: value, None)
        table.finish()  # a misspelt word is told as such
    if len(kinds) != 1:
        raise table.error(None, f"an expectation has one of {', '.join(_READERS)}")
    check = _READERS[kinds[0]](block)
    table.finish()
    return check


def _order(block: Block) -> Check:
    order = block.table.take("order", list_of(choice(EVENTS), 2))
    (start, end), off = block.span(), block.off

    def keeps(edges: Edges) -> Failure | None:
        seen = [kind for ms, kind, _ in edges.events if start - off <= ms <= end + off]
        left = iter(seen)
        if all(kind in left for kind in order):
            return None
        return Failure("in this order: " + ", ".join(order), ", ".join(seen[:12]), start)

    return keeps


_READERS = {
    "event": occurrences.event,
    "lamp": stretches.lamp,
    "tone": occurrences.tone,
    "silence": stretches.silence,
    "order": _order,
}
