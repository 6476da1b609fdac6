"""The unit's state in words, for whoever shows it: the setup, the end, a refusal, a program."""

from city_unit.programs import Program
from city_unit.unit import Unit
from sim import texts_play as texts


def setup(unit: Unit, held: bool) -> str:
    """Say what is being chosen on the unit; `held` is whether BUILD is still down."""
    setup = unit.setup
    words = texts.SETUP_HELD if held else texts.SETUP
    return words.format(texts.PAGES[setup.page], _choice(setup.page, setup.choices[setup.choice]))


def _choice(page: str, choice) -> str:
    if page == "program":
        return choice.name
    return span_text(choice) if page == "length" else texts.VOLUMES[choice]


def ended(unit: Unit) -> str:
    """Say that the game is over, and how another begins."""
    return texts.ENDED[unit.clock.kind]


def refusal(button: str, why: str) -> str:
    """Say why a button was refused."""
    return texts.REFUSED.format(button.upper(), texts.REASONS.get(why, why))


def about(program: Program) -> str:
    """Describe a program by its data: its clock, its auctions, and whether it has permits."""
    shortest, longest = program.auction_ms
    parts = [
        texts.CLOCK.format(span_text(program.clock_ms)) if program.clock_ms else texts.NO_CLOCK
    ]
    if shortest == longest:
        parts.append(texts.AUCTION.format(span_text(shortest)))
    else:
        parts.append(texts.AUCTION_BETWEEN.format(span_text(shortest), span_text(longest)))
    if program.odds:
        parts.append(texts.WITH_PERMITS)
    return ", ".join(parts)


def span_text(ms: int) -> str:
    """Say how long something is, in the longest unit that is exact: "50 s", "90 min"."""
    if ms % 60_000 == 0:
        return f"{ms // 60_000} min"
    return f"{ms / 1000:g} s"
