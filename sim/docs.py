"""The parts of the documentation that are made from the code, so that they cannot disagree.

`python -m sim.docs` rewrites, in each page, what stands between the comments
`<!-- NAME -->` and `<!-- /NAME -->`; a test holds the pages against the code.
"""

import re
from pathlib import Path

from city_unit.cues import CUES
from city_unit.programs import PROGRAMS
from city_unit.provenance import ASSUMPTION, BEHAVIOURS, SOURCES
from city_unit.transitions import TRANSITIONS
from sim import texts_window
from sim.program_text import shown

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "unit.md")

# What can happen, in the order of the table; the rest happens in one state only.
INPUTS = ("switch on", "switch off", "press auction", "press build", "stop auction", "clock ended")
NAMES = {"stop auction": "stop auction (AUCTION held for 2 s)", "set up": "set up (BUILD held)"}
_ACTIONS = {
    "_wake": "sign of life, a new game",
    "_set_up": "show the first choice",
    "_sleep": "silent and dark",
    "_take": "take the choice",
    "_next": "next choice",
    "_start": "slow flashing",
    "_draw": "draw, run the light",
    "_end_game": "end signal",
    "_arm": "begin the hold that cancels",
    "_cancel": "cancel",
    "_warn": "beep, fast flashing",
    "_end": "light out, end signal",
    "_postpone": "wait for it",
    "_grant": "show the permit",
}


def state_diagram() -> str:
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> off"]
    for state, rows in TRANSITIONS.items():
        for what, (after, _) in rows.items():
            if after != state and what != "switch off":
                lines.append(f"    {state} --> {after}: {what}")
    return "\n".join([*lines, "```", "", "From every state, *switch off* leads to `off`."])


def transition_table() -> str:
    """Return every state and everything that can happen in any of them."""
    inputs = [*INPUTS, *(w for rows in TRANSITIONS.values() for w in rows if w not in INPUTS)]
    inputs = list(dict.fromkeys(inputs))
    states = list(TRANSITIONS)
    lines = [_row(["", *states]), _row(["---"] * (len(states) + 1))]
    for what in inputs:
        lines.append(
            _row([f"*{NAMES.get(what, what)}*", *(_cell(state, what) for state in states)])
        )
    return "\n".join(lines)


def _cell(state: str, what: str) -> str:
    row = TRANSITIONS[state].get(what)
    if row is not None:
        after = "" if row[0] == state else f" → `{row[0]}`"
        return f"{_ACTIONS[row[1]]}{after}"
    if what.startswith("press"):
        return "nothing" if state == "off" else "refused"
    if what.endswith("auction") or what == "restart":
        return "refused"
    return "–"


def assumptions() -> str:
    lines = [_row(["value", "program", "is"]), _row(["---"] * 3)]
    for program in PROGRAMS:
        for attribute, source in SOURCES[program.name].items():
            value = getattr(program, attribute)
            if source == ASSUMPTION and _matters(program, attribute):
                lines.append(_row([f"`{attribute}`", program.name, _told(attribute, value)]))
    lines += [_row([what, "all", "so"]) for what, source in BEHAVIOURS if source == ASSUMPTION]
    return "\n".join(lines)


def _matters(program, attribute: str) -> bool:
    """Return whether the value is this program's own, or the default of the first program."""
    if program is PROGRAMS[0]:
        return bool(getattr(program, attribute))
    return attribute in vars(program) and attribute != "odds"


def _told(attribute: str, value) -> str:
    if attribute == "marks":
        return "see the program (`city-unit program show NAME`)"
    if attribute == "cues":
        return "see the table of sounds"
    if attribute == "odds":
        return " : ".join(map(str, value)) + " for 1, 2, 3, station"
    if attribute == "permit_hops_ms":
        return f"{sum(value)} ms in {len(value)} hops, slower and slower"
    return shown(value).strip("[]").replace('"', "")


def sounds() -> str:
    """Return each cue with its rhythm: a tone a block, as long as it lasts."""
    lines = [_row(["tells", "rhythm", "Hz, ms"]), _row(["---"] * 3)]
    for name, (_, *numbers) in CUES.items():
        notes = list(zip(numbers[::2], numbers[1::2], strict=True))
        rhythm = "".join(("█" if hz else "·") * max(1, round(ms / 50)) for hz, ms in notes)
        played = ", ".join(f"{hz} {ms}" if hz else f"– {ms}" for hz, ms in notes)
        lines.append(_row([name, f"`{rhythm}`", played]))
    return "\n".join(lines)


def keys() -> str:
    lines = [_row(["key", "does"]), _row(["---"] * 2)]
    return "\n".join([*lines, *(_row([key, does]) for key, does in texts_window.KEYS)])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


SECTIONS = {
    "state diagram": state_diagram,
    "transitions": transition_table,
    "assumptions": assumptions,
    "sounds": sounds,
    "keys": keys,
}


def rewritten(text: str) -> str:
    """Return a page with its sections made anew; raises KeyError for an unknown section."""

    def section(found: re.Match) -> str:
        return f"<!-- {found[1]} -->\n{SECTIONS[found[1]]()}\n<!-- /{found[1]} -->"

    return re.sub(r"<!-- ([a-z ]+) -->\n.*?<!-- /\1 -->", section, text, flags=re.DOTALL)


def main() -> None:
    for page in PAGES:
        page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"{page.relative_to(ROOT)} is up to date")


if __name__ == "__main__":
    main()
