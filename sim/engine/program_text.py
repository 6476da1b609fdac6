"""A program as the text of a file, to read, to change, and to run."""

import json
from collections.abc import Mapping

from city_unit.desktop.catalogue import Lazy, lazy
from city_unit.desktop.toml_reader import UNITS_MS
from city_unit.programs import Program
from sim.engine.program_file import RANKS, VALUES
from sim.engine.provenance import SOURCES

# To translators: comments in a file; each line begins with #.
HEAD = lazy(
    """\
# A program of the unit. Change what you like and run it: city-unit --program FILE
# Leave out what you do not want to change; a clock and odds that are left out are none.
# Times need a unit (ms, s, min, h).
# In [brackets]: where the value comes from."""
)
MEANS = {
    "auction": lazy("how long; two times: drawn between them, and secret"),
    "clock": lazy("length of the game; 0 s for none"),
    "clock_choices": lazy("what players may choose instead; the clock is one of them"),
    "warning": lazy("how long before its end an auction beeps; 0 s for never"),
    "cancel_hold": lazy("how long AUCTION is held to cancel"),
    "slow_flash": lazy("half a period of the lamp"),
    "fast_flash": lazy("the same, after the warning"),
    "odds": lazy("of the permits 1, 2, 3 and station; leave out for no permits"),
    "permit_hops": lazy("how long the running light stays on each lamp"),
    "permit_shown": lazy("how long the permit stays lit"),
    "marks": lazy(
        "The events of the clock, in order of time, by the time that is left of the game."
    ),
    "cues": lazy(
        "The sounds. By rank a tick gives way to a beep, a beep to a signal, a signal to a moment; "
        "signals wait for their turn."
    ),
}
Sources = Mapping[str, str | Lazy]


def write(program: Program, sources: Sources | None = None) -> str:
    """Return `program` as a file that explains each value and names its source.

    sources  of values by their names in Program; those of the built-in program if None
    """
    sources = SOURCES.get(program.name, {}) if sources is None else sources
    lines = [str(HEAD), "", f'name = "{program.name}"']
    if program.title:
        lines.append(f"title = {json.dumps(program.title, ensure_ascii=False)}")
    for key, (attribute, _) in VALUES.items():
        value = getattr(program, attribute)
        if value != () and (value or key == "warning"):
            if key == "odds":
                text = str(list(value))
            else:
                text = shown(value[0] if key == "auction" and value[0] == value[1] else value)
            lines.append(f"{key} = {text}{_comment(sources, key, attribute)}")
    if program.marks:
        lines += ["", f"# {MEANS['marks']}{_comment(sources, '', 'marks')}"]
    for kind, first, last, every, label in program.marks:
        lines += ["[[marks]]", f'tell = "{kind}"', f"left = {shown(first)}"]
        lines += [f"every = {shown(every)}", f"until = {shown(last)}"] if every else []
        lines += [f'phase = "{label}"'] if label else []
    lines += ["", f"# {MEANS['cues']}{_comment(sources, '', 'cues')}", "[cues]"]
    names = {rank: name for name, rank in RANKS.items()}
    for name, (rank, *numbers) in program.cues.items():
        notes = zip(numbers[::2], numbers[1::2], strict=True)
        play = ", ".join(f'"{hz} Hz {ms} ms"' for hz, ms in notes)
        lines.append(f'{name} = {{ rank = "{names[rank]}", play = [{play}] }}')
    return "\n".join(lines) + "\n"


def shown(value: int | tuple[int, ...]) -> str:
    """Return a time in ms as it is written in a file, in the longest unit that fits."""
    if isinstance(value, tuple):
        return f"[{', '.join(shown(length) for length in value)}]"
    if not value:
        return '"0 s"'
    for unit in ("min", "s", "ms"):
        if value % UNITS_MS[unit] == 0:
            return f'"{value // UNITS_MS[unit]} {unit}"'
    raise AssertionError(value)


def _comment(sources: Sources, key: str, attribute: str) -> str:
    meaning = str(MEANS.get(key, ""))
    source = f"[{sources[attribute]}]" if attribute in sources else ""
    comment = " ".join(filter(None, (meaning, source)))
    return f"  # {comment}" if comment and key else f" {comment}" if comment else ""
