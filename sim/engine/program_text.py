"""Write a program as a commented program file, with the source of each value.

A source is a rulebook, a secondary source, or an assumption of ours, which stands until a
recording of an original unit contradicts it.
"""

import json
from collections.abc import Mapping

from city_unit.desktop.catalogue import Lazy, lazy
from city_unit.desktop.toml_reader import UNITS_MS
from city_unit.programs import Program
from sim.engine.program_file import RANKS, VALUES

ASSUMPTION = lazy("assumption")
CITY_BOOK = lazy("Monopoly City rulebook")
CHAMPIONSHIP_BOOK = lazy("French championship rules")
CLASSIC_BOOKS = lazy("classic rulebooks")
SECONDARY = lazy("secondary source")

_ASSUMED: dict[str, Lazy] = {
    **{attribute: ASSUMPTION for attribute, _read in VALUES.values()},
    "marks": ASSUMPTION,
    "cues": ASSUMPTION,
}

SOURCES: dict[str, dict[str, Lazy]] = {
    "city": {**_ASSUMED, "clock_ms": CITY_BOOK, "auction_ms": CITY_BOOK, "warning_ms": CITY_BOOK},
    "championship": {
        **_ASSUMED,
        "clock_ms": CHAMPIONSHIP_BOOK,
        "marks": CHAMPIONSHIP_BOOK,
        "auction_ms": CHAMPIONSHIP_BOOK,
        "odds": CHAMPIONSHIP_BOOK,
    },
    "timed": dict(_ASSUMED),
    "world": {**_ASSUMED, "auction_ms": SECONDARY, "warning_ms": SECONDARY},
}

# Behaviour of the unit that no value describes, and its source.
BEHAVIOURS: tuple[tuple[Lazy, Lazy], ...] = (
    (lazy("AUCTION starts an auction; it warns, then its light goes out"), CITY_BOOK),
    (lazy("the same button times a deal, for the same time"), CITY_BOOK),
    (lazy("BUILD draws 1, 2, 3 or a station"), CITY_BOOK),
    (lazy("the unit beeps more often as the hour approaches, and marks its end"), CITY_BOOK),
    (lazy("only OFF and ON start another hour"), CITY_BOOK),
    (lazy("players may agree on the length of a game"), CLASSIC_BOOKS),
    (lazy("AUCTION during an auction does nothing; holding it cancels the auction"), ASSUMPTION),
    (
        lazy("the press that starts an auction never cancels it, however long it is held"),
        ASSUMPTION,
    ),
    (
        lazy("BUILD during an auction, and either button while the light runs, is refused"),
        ASSUMPTION,
    ),
    (
        lazy("an auction or a running permit light is finished before the hour is marked"),
        ASSUMPTION,
    ),
    (lazy("after the hour the buttons are refused until OFF and ON"), ASSUMPTION),
    (lazy("a shown permit goes out after a while, or at the next accepted press"), ASSUMPTION),
    (lazy("the last flash before the end stays lit until the light goes out"), ASSUMPTION),
    (
        lazy("a button held at switch-on has no effect, except that BUILD opens the setup"),
        ASSUMPTION,
    ),
    (lazy("a contact bounces for 15 ms at most"), ASSUMPTION),
)

# To translators: comments in a file; each line begins with #.
HEAD = lazy(
    """\
# A program of the unit. Edit it and run it: city-unit --program FILE
# A value that you leave out keeps its default; by default there is no clock and no odds.
# Times need a unit (ms, s, min, h).
# In [brackets]: the source of the value."""
)
MEANS = {
    "auction": lazy("length; with two times, a secret length between them is drawn"),
    "clock": lazy("length of the game; 0 s for no clock"),
    "clock_choices": lazy("lengths that players may choose; must include the clock"),
    "warning": lazy("time from the warning beep to the end of an auction; 0 s for no warning"),
    "cancel_hold": lazy("how long AUCTION must be held to cancel"),
    "slow_flash": lazy("half a period of the lamp"),
    "fast_flash": lazy("the same, after the warning"),
    "odds": lazy("weights of the permits 1, 2, 3 and station; leave out for no permits"),
    "permit_hops": lazy("how long the running light stays on each lamp"),
    "permit_shown": lazy("how long the permit stays lit"),
    "marks": lazy("The events of the clock, by the remaining time of the game, earliest first."),
    "cues": lazy(
        "The sounds. A tick gives way to a beep, a beep to a signal, a signal to a moment; "
        "signals wait for their turn."
    ),
}
Sources = Mapping[str, str | Lazy]


def write(program: Program, sources: Sources | None = None) -> str:
    """Return `program` as the text of a file that explains each value and names its source.

    sources  by attribute of Program; None for those of the built-in program of this name
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
    """Return a time in ms as a file spells it, in the largest unit that divides it."""
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
