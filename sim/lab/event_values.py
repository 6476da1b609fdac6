"""What the events carry, as an expectation may ask for it: checked when the file is read."""

from city_unit.lamps import PERMITS
from city_unit.trace import FIELDS
from city_unit.transitions import TRANSITIONS
from sim.lab.expect_block import Block
from sim.scenario import CONTACTS, Scenario
from sim.toml_reader import Reader, choice, time_ms

# The keys of a file, and what the values are called in the trace.
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
    """Take what an event of this kind must carry, by its names in the trace; raises UserError."""
    table, carried = block.table, FIELDS.get(kind, ())
    readers = _readers(block.told)
    wanted = {}
    for key, name in _KEYS.items():
        if name in carried:
            wanted[name] = table.take(key, readers[name], None)
        elif key in table:
            has = ", ".join(other for other, field in _KEYS.items() if field in carried)
            raise table.error(key, f'{key}: "{kind}" carries no {key}, but {has or "nothing"}')
    return {name: value for name, value in wanted.items() if value is not None}


def _readers(told: Scenario) -> dict[str, Reader]:
    phases = {span[-1] for program in told.programs for span in program.marks if span[-1]}
    return {
        "length_ms": time_ms,
        "left_ms": time_ms,
        "permit": _permit,
        "what": choice(CONTACTS),
        "why": choice(_reasons()),
        "phase": choice(sorted(phases)),
        "program": choice(program.name for program in told.programs),
    }


def _permit(value: object) -> str:
    """Read a permit, whose number may stand without quotes."""
    if type(value) not in (int, str):  # `true` is an int as well
        numbers = ", ".join(name for name in PERMITS if name.isdigit())
        raise ValueError(f'write one of {numbers}, "station"')
    return choice(PERMITS)(str(value))


def _reasons() -> list[str]:
    """Return why a button may be refused: the states that do not know it, or a lack of permits."""
    presses = {f"press {button}" for button in CONTACTS}
    states = [state for state, rows in TRANSITIONS.items() if presses - set(rows)]
    return [*(state for state in states if state != "off"), "no-permits"]
