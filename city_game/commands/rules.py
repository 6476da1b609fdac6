"""`city-game rules`: the open questions of the rulebook, our answers, and the switches."""

import argparse
import shutil
import textwrap

from city_game import editions
from city_game.kernel.switches import Switch
from city_game.words import footnotes
from city_unit.desktop.catalogue import _

WIDEST = 100  # letters in a line that is good to read


def arguments(parser: argparse.ArgumentParser) -> None:
    says = _("which game: {names}").format(names=", ".join(editions.names()))
    parser.add_argument("--edition", metavar=_("NAME"), default=editions.USUAL, help=says)


def run(options: argparse.Namespace) -> int:
    edition = editions.get(options.edition)
    width = min(WIDEST, shutil.get_terminal_size((WIDEST, 0)).columns)
    for source in edition.sources:
        print(_wrapped(f"{edition.title}: {source.book}", width))
        if source.gaps:
            print(_wrapped(str(source.gaps), width, "  "))
    head = _(
        "The rulebook leaves these open. `city-game --rule NAME` plays one the other way in a new "
        "game, as the first screen does; --rule may be given several times."
    )
    print(_wrapped(head, width))
    for switch in edition.switches:
        print_switch(switch, width)
    print()
    print(_("Decided without a switch:"))
    for decision in edition.decisions:
        print(_wrapped(str(decision), width, "- ", "  "))
    print()
    print(_("The rules behind what the game refuses, and whose they are:"))
    for footnote in footnotes(edition):
        print(_wrapped(footnote, width, "- ", "  "))
    return 0


def print_switch(switch: Switch, width: int) -> None:
    """Print an open question, our answer and the reason, in lines of up to `width` letters."""
    played = _("yes, unless switched") if switch.default else _("no, unless switched")
    print(f"\n{switch.name} ({played})")
    print(_wrapped(str(switch.says), width, "  "))
    print(_wrapped(_("Why: {reason}").format(reason=switch.why), width, "  "))


def _wrapped(text: str, width: int, first: str = "", rest: str | None = None) -> str:
    rest = first if rest is None else rest
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=rest)
