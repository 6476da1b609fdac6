"""`city-game rules`: what the rulebook leaves open, how it is decided here, and what to switch."""

import shutil
import textwrap

from city_game import texts
from city_game.house_rules import DECISIONS, SWITCHES

WIDEST = 100  # letters in a line that is good to read


def arguments(parser) -> None:
    pass


def run(options) -> int:
    width = min(WIDEST, shutil.get_terminal_size((WIDEST, 0)).columns)
    print(_wrapped(texts.RULES_HEAD, width))
    for switch in SWITCHES:
        played = texts.RULE_PLAYED if switch.default else texts.RULE_NOT_PLAYED
        print(f"\n{switch.name} ({played})")
        print(_wrapped(f"{switch.says};", width, "  "))
        print(_wrapped(f"{texts.RULE_WHY}: {switch.why}.", width, "  "))
    print(f"\n{texts.RULES_DECIDED}")
    for decision in DECISIONS:
        print(_wrapped(decision, width, "- ", "  "))
    return 0


def _wrapped(text: str, width: int, first: str = "", rest: str | None = None) -> str:
    rest = first if rest is None else rest
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=rest)
