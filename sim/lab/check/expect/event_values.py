"""The values of events, as an expectation may ask for them: checked when the file is read."""

from city_unit.desktop.catalogue import _
from city_unit.desktop.toml_reader import Reader, choice, time_ms
from city_unit.facts import BUTTONS, PERMITS
from city_unit.trace import EVENTS
from city_unit.transitions import TRANSITIONS
from sim.engine.scenario import Scenario
from sim.lab.check.expect.expect_block import Block

# The keys of a file, and the names of their values in the trace.
_KEYS = {
    "length": "length_ms",
    "left": "left_ms",
    "permit": "permit",
    "what": "what",
    "why": "why",
    "phase": "phase",
    "program": "program",
}


def take(block: Block, kind: str) -> dict[str, object]:
    """Take the wanted values of an event of a kind, by names in the trace; raises UserError."""
    table, carried = block.table, EVENTS.get(kind, ())
    readers = _readers(block.scenario)
    wanted = {}
    for key, name in _KEYS.items():
        if name in carried:
            wanted[name] = table.take(key, readers[name], None)
        elif key in table:
            has = ", ".join(other for other, field in _KEYS.items() if field in carried)
            words = _('{key}: "{kind}" carries no {key}, but {others}')
            mistake = words.format(key=key, kind=kind, others=has or _("nothing"))
            raise table.error(key, mistake)
    return {name: value for name, value in wanted.items() if value is not None}


def _readers(scenario: Scenario) -> dict[str, Reader]:
    phases = {span[-1] for program in scenario.programs for span in program.marks if span[-1]}
    return {
        "length_ms": time_ms,
        "left_ms": time_ms,
        "permit": _permit,
        "what": choice(BUTTONS),
        "why": choice(_reasons()),
        "phase": choice(sorted(phases)),
        "program": choice(program.name for program in scenario.programs),
    }


def _permit(value: object) -> str:
    """Read a permit, whose number may stand without quotes."""
    if type(value) not in (int, str):  # `true` is an int as well
        numbers = ", ".join(name for name in PERMITS if name.isdigit())
        raise ValueError(_('write one of {numbers}, "station"').format(numbers=numbers))
    return choice(PERMITS)(str(value))


def _reasons() -> list[str]:
    """Return why a button may be refused: the states that do not know it, or a lack of permits."""
    presses = {f"press {button}" for button in BUTTONS}
    states = [state for state, rows in TRANSITIONS.items() if presses - set(rows)]
    return [*(state for state in states if state != "off"), "no-permits"]
