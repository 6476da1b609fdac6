"""The parts of the documentation that are made from the code, so that they cannot disagree.

`python -m sim.docs` rewrites, in each page, the text between the comments `<!-- NAME -->` and `<!--
/NAME -->`, in lines of its own or within one, in the page's own language: `unit.fr.md` is French. A
test holds the pages against the code.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from city_unit.cues import CUES
from city_unit.desktop import catalogue, forms
from city_unit.desktop.catalogue import _, lazy, pgettext
from city_unit.facts import LAMPS
from city_unit.programs import PROGRAMS
from city_unit.transitions import TRANSITIONS
from sim.engine.program_text import shown
from sim.engine.provenance import ASSUMPTION, BEHAVIOURS, SOURCES
from sim.lab.check import examples
from sim.window.paint import panel

ROOT = Path(__file__).parent.parent
PAGES = (
    *sorted(ROOT.glob("README*.md")),
    *sorted((ROOT / "firmware").glob("README*.md")),
    *sorted(
        page
        for name in ("unit", "play", "lab", "protocol")
        for page in (ROOT / "docs").glob(f"{name}*.md")
    ),
)

# The inputs in the order of the table; the others belong to one state only.
INPUTS = ("switch on", "switch off", "press auction", "press build", "stop auction", "clock ended")
_WORDS = {
    "switch on": lazy("switch on"),
    "switch off": lazy("switch off"),
    "press auction": lazy("press AUCTION"),
    "press build": lazy("press BUILD"),
    "stop auction": lazy("stop the auction (AUCTION held for 2 s)"),
    "clock ended": lazy("the clock has ended"),
    "set up": lazy("set up (BUILD held)"),
    "setup done": lazy("all is set up"),
    "restart": lazy("restart"),
    "start auction": lazy("start an auction"),
    "auction warns": lazy("the auction warns"),
    "auction ended": lazy("the auction has ended"),
    "light stopped": lazy("the light has stopped"),
}
_ACTIONS = {
    "_wake": lazy("sign of life, a new game"),
    "_set_up": lazy("show the first choice"),
    "_sleep": lazy("silent and dark"),
    "_take_choice": lazy("take the choice"),
    "_next_choice": lazy("next choice"),
    "_start": lazy("slow flashing"),
    "_draw": lazy("draw, run the light"),
    "_end_game": lazy("end signal"),
    "_arm": lazy("begin the hold that cancels"),
    "_cancel": lazy("cancel"),
    "_warn": lazy("beep, fast flashing"),
    "_end": lazy("light out, end signal"),
    "_postpone": lazy("wait for it"),
    "_grant": lazy("show the permit"),
}


def state_diagram() -> str:
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> off"]
    for state, rows in TRANSITIONS.items():
        for what, (after, _action) in rows.items():
            if after != state and what != "switch off":
                lines.append(f"    {state} --> {after}: {_WORDS[what]}")
    off = _("From every state, *{what}* leads to `off`.").format(what=_WORDS["switch off"])
    return "\n".join([*lines, "```", "", off])


def transition_table() -> str:
    """Return every state and everything that can happen in any of them."""
    inputs = [*INPUTS, *(w for rows in TRANSITIONS.values() for w in rows if w not in INPUTS)]
    inputs = list(dict.fromkeys(inputs))
    states = list(TRANSITIONS)
    lines = [_row(["", *states]), _row(["---"] * (len(states) + 1))]
    for what in inputs:
        lines.append(_row([f"*{_WORDS[what]}*", *(_cell(state, what) for state in states)]))
    return "\n".join(lines)


def _cell(state: str, what: str) -> str:
    row = TRANSITIONS[state].get(what)
    if row is not None:
        after = "" if row[0] == state else f" → `{row[0]}`"
        return f"{_ACTIONS[row[1]]}{after}"
    if what.startswith("press"):
        return _("nothing") if state == "off" else _("refused")
    if what.endswith("auction") or what == "restart":
        return _("refused")
    return "–"


def assumptions() -> str:
    lines = [_row([_("value"), _("program"), _("is")]), _row(["---"] * 3)]
    for program in PROGRAMS:
        for attribute, source in SOURCES[program.name].items():
            value = getattr(program, attribute)
            # A value counts that is the program's own, or the default of the first program.
            is_own = attribute in vars(program) and attribute != "odds"
            if source == ASSUMPTION and (value if program is PROGRAMS[0] else is_own):
                lines.append(_row([f"`{attribute}`", program.name, _in_words(attribute, value)]))
    assumed = [what for what, source in BEHAVIOURS if source == ASSUMPTION]
    lines += [_row([what, _("all"), _("so")]) for what in assumed]
    return "\n".join(lines)


def _in_words(attribute: str, value: Any) -> str:
    if attribute == "marks":
        between = pgettext("how this language writes: between long parts of a list", "; ")
        words = _("{first} to {last}, every {every}")
        return between.join(
            words.format(first=_plain(first), last=_plain(last), every=_plain(every))
            if every
            else _plain(first)
            for _kind, first, last, every, _label in value
        )
    if attribute == "cues":
        return _("see the table of sounds")
    if attribute == "odds":
        return _("{odds} for 1, 2, 3, station").format(odds=":".join(map(str, value)))
    if attribute == "permit_hops_ms":
        words = _("{time} in {count} hops, slower and slower")
        return words.format(time=forms.milliseconds(sum(value)), count=len(value))
    return _plain(value)


def _plain(value: int | tuple[int, ...]) -> str:
    return shown(value).strip("[]").replace('"', "")


def warns_after() -> str:
    """Return how long an auction of the first program goes on before it warns: "45 s"."""
    city = PROGRAMS[0]
    ms = city.auction_ms[0] - city.warning_ms
    return forms.seconds(ms, places=0 if ms % 1000 == 0 else 1)


def sounds() -> str:
    """Return each cue with its rhythm: a tone a block, as long as it lasts."""
    lines = [_row([_("tells"), _("rhythm"), _("Hz, ms")]), _row(["---"] * 3)]
    for name, (_rank, *numbers) in CUES.items():
        notes = list(zip(numbers[::2], numbers[1::2], strict=True))
        rhythm = "".join(("█" if hz else "·") * max(1, round(ms / 50)) for hz, ms in notes)
        played = ", ".join(f"{hz} {ms}" if hz else f"– {ms}" for hz, ms in notes)
        lines.append(_row([name, f"`{rhythm}`", played]))
    return "\n".join(lines)


def lamps() -> str:
    """Return the lamps, as files and the wire call them."""
    return ", ".join(f"`{lamp}`" for lamp in LAMPS)


def lamp_bits() -> str:
    """Return the bit of each lamp in a mask."""
    return ", ".join(f"{1 << place} `{lamp}`" for place, lamp in enumerate(LAMPS))


def keys() -> str:
    lines = [_row([_("key"), _("does")]), _row(["---"] * 2)]
    return "\n".join([*lines, *(_row(row) for row in panel.KEYS)])


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


SECTIONS = {
    "state diagram": state_diagram,
    "transitions": transition_table,
    "assumptions": assumptions,
    "warns after": warns_after,
    "sounds": sounds,
    "keys": keys,
    "lamps": lamps,
    "lamp bits": lamp_bits,
    "scenario example": examples.scenario,
    "pytest example": examples.pytest_file,
}


def rewritten(text: str, language: str = catalogue.ENGLISH) -> str:
    """Return a page with its sections made anew; raises KeyError for an unknown section."""

    def section(found: re.Match) -> str:
        name, line_end = found.groups()
        return f"<!-- {name} -->{line_end}{SECTIONS[name]()}{line_end}<!-- /{name} -->"

    before = catalogue.speaking()
    catalogue.speak(language)
    text = re.sub(r"<!-- ([a-z ]+) -->(\n?).*?<!-- /\1 -->", section, text, flags=re.DOTALL)
    catalogue.speak(before)
    return text


def language_of(page: Path) -> str:
    """Return the language of a page by its name: "fr" of unit.fr.md, "en" of unit.md."""
    return page.stem.partition(".")[2] or catalogue.ENGLISH


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(rewritten(text, language_of(page)), encoding="utf-8")
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
