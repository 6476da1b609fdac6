"""`city-game rules`: what the rulebook leaves open, how it is decided here, and what to switch."""

from city_game.house_rules import DECISIONS, SWITCHES

HEAD = "House rules. `city-game --rule NAME` plays one the other way.\n"
DECIDED = "Decided without a switch:\n"


def arguments(parser) -> None:
    pass


def run(options) -> int:
    print(HEAD)
    for switch in SWITCHES:
        print(f"{switch.name} ({'yes' if switch.default else 'no'})")
        print(f"  {switch.says};\n  {switch.why}.\n")
    print(DECIDED)
    for decision in DECISIONS:
        print(f"- {decision}")
    return 0
