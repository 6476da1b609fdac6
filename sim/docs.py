"""Generate the parts of the documentation that repeat the code.

`python -m sim.docs` rewrites the text between the comments `<!-- NAME -->` and `<!-- /NAME -->`
in each page, in the language of the page: `unit.fr.md` is French. The comments are either on
lines of their own or within a line. A test fails if a page differs from the code.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from city_unit.cues import CUES
from city_unit.desktop import catalogue, forms
from city_unit.desktop.catalogue import _, lazy, pgettext
from city_unit.draws import Draws
from city_unit.facts import LAMP_COUNT, LAMPS, SWITCH
from city_unit.link import Link
from city_unit.programs import PROGRAMS
from city_unit.settings import Settings
from city_unit.transitions import TRANSITIONS
from city_unit.unit import Unit
from city_unit.wire import seal
from sim.engine.program_text import ASSUMPTION, BEHAVIOURS, SOURCES, shown
from sim.window import panel

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

# The first rows of the table, in this order; the inputs of single states follow.
INPUTS = ("switch on", "switch off", "press auction", "press build", "stop auction", "clock ended")
_WORDS = {
    "switch on": lazy("switch on"),
    "switch off": lazy("switch off"),
    "press auction": lazy("press AUCTION"),
    "press build": lazy("press BUILD"),
    "stop auction": lazy("stop the auction (AUCTION held for 2 s)"),
    "clock ended": lazy("the clock has ended"),
    "set up": lazy("set up (BUILD held)"),
    "setup done": lazy("the setup is done"),
    "restart": lazy("restart"),
    "start auction": lazy("start an auction"),
    "auction warns": lazy("the auction warns"),
    "auction ended": lazy("the auction has ended"),
    "light stopped": lazy("the light has stopped"),
}
_ACTIONS = {
    "_start_game": lazy("start-up signal, a new game"),
    "_open_setup": lazy("show the first choice"),
    "_switch_off": lazy("silent and dark"),
    "_accept_choice": lazy("accept the choice"),
    "_next_choice": lazy("next choice"),
    "_start_auction": lazy("slow flashing"),
    "_draw_permit": lazy("draw, run the light"),
    "_end_game": lazy("end signal"),
    "_arm_cancel": lazy("start the hold that cancels"),
    "_cancel_auction": lazy("cancel"),
    "_warn": lazy("beep, fast flashing"),
    "_end_auction": lazy("light out, end signal"),
    "_postpone_end": lazy("postpone the end signal"),
    "_grant_permit": lazy("show the permit"),
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
    """Return a table of every state and every input."""
    lines = []
    for what in dict.fromkeys([*INPUTS, *(w for rows in TRANSITIONS.values() for w in rows)]):
        cells = []
        for state, rows in TRANSITIONS.items():
            if what in rows:
                after, action = rows[what]
                cells.append(f"{_ACTIONS[action]}" + ("" if after == state else f" → `{after}`"))
            elif what.startswith("press"):
                cells.append(_("nothing") if state == "off" else _("refused"))
            else:
                is_refused = what.endswith("auction") or what == "restart"
                cells.append(_("refused") if is_refused else "–")
        lines.append([f"*{_WORDS[what]}*", *cells])
    return _table(["", *TRANSITIONS], lines)


def assumptions() -> str:
    lines: list[Sequence[object]] = []
    for program in PROGRAMS:
        for attribute, source in SOURCES[program.name].items():
            value = getattr(program, attribute)
            # List a default value once, for the first program.
            is_own = attribute in vars(program) and attribute != "odds"
            if source == ASSUMPTION and (value if program is PROGRAMS[0] else is_own):
                lines.append([f"`{attribute}`", program.name, _in_words(attribute, value)])
    lines += [[what, _("all"), _("yes")] for what, source in BEHAVIOURS if source == ASSUMPTION]
    return _table([_("value"), _("program"), _("assumption")], lines)


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
    """Return the time from the start of an auction of the first program to its warning."""
    city = PROGRAMS[0]
    ms = city.auction_ms[0] - city.warning_ms
    return forms.seconds(ms, places=0 if ms % 1000 == 0 else 1)


def sounds() -> str:
    """Return a table of the cues, with their rhythm drawn in blocks of 50 ms."""
    lines = []
    for name, (_rank, *numbers) in CUES.items():
        notes = list(zip(numbers[::2], numbers[1::2], strict=True))
        rhythm = "".join(("█" if hz else "·") * max(1, round(ms / 50)) for hz, ms in notes)
        played = ", ".join(f"{hz} {ms}" if hz else f"– {ms}" for hz, ms in notes)
        lines.append([name, f"`{rhythm}`", played])
    return _table([_("event"), _("rhythm"), _("Hz, ms")], lines)


def keys() -> str:
    return _table([_("key"), _("effect")], panel.KEYS)


def dialogue() -> str:
    """Return the lines of a session with a unit: ">" from the desktop, "<" from the unit."""
    name = "0.1.0 emulated red"  # no text: words of the link
    link = Link(Unit(Settings(), Draws(1).below), 4711, name)
    for now in (0, 1000, 3000):
        link.step(now, SWITCH if now else 0)
    lines = []
    for request in ("hello 1 k3x9", "since 4711.1 0", "do 4711.1 1 tap auction", "bye 4711.1"):
        frame = seal(request)
        link.receive(3000, frame)
        answers = link.unsent
        link.sent(len(answers))
        lines.append(f"    > {frame.decode().rstrip()}")
        lines += [f"    < {answer}" for answer in answers.decode().splitlines()]
    return "\n".join(lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in lines)


SECTIONS = {
    "state diagram": state_diagram,
    "transitions": transition_table,
    "assumptions": assumptions,
    "warns after": warns_after,
    "sounds": sounds,
    "keys": keys,
    "dialogue": dialogue,
    "lamp count": lambda: str(LAMP_COUNT),
    "lamps": lambda: ", ".join(f"`{lamp}`" for lamp in LAMPS),
    "lamp bits": lambda: ", ".join(f"{1 << place} `{lamp}`" for place, lamp in enumerate(LAMPS)),
}


def rewritten(text: str, language: str = catalogue.ENGLISH) -> str:
    """Return a page with its sections regenerated; raises KeyError for an unknown section."""

    def section(found: re.Match) -> str:
        name, line_end = found.groups()
        return f"<!-- {name} -->{line_end}{SECTIONS[name]()}{line_end}<!-- /{name} -->"

    with catalogue.spoken(language):
        return re.sub(r"<!-- ([a-z ]+) -->(\n?).*?<!-- /\1 -->", section, text, flags=re.DOTALL)


def language_of(page: Path) -> str:
    """Return the language of a page: "fr" for unit.fr.md, "en" for unit.md."""
    return page.stem.partition(".")[2] or catalogue.ENGLISH


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(rewritten(text, language_of(page)), encoding="utf-8")
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
