"""What a deed says beside its printed rents: what it brings today, and what would change that."""

from city_game.editions.board import HAZARDS
from city_game.editions.money import show
from city_game.kernel.rents import doubled, rent
from city_game.kernel.state import State
from city_unit.desktop.catalogue import _, lazy

DEED_NOTES = {
    "hazard": lazy("{hazard}: the homes do not count; clearing it costs {price}."),
    "bonus": lazy("{bonus}: no hazard can be placed here."),
    "doubled": lazy("Doubled by a skyscraper or the tower."),
    "skyscraper": lazy("A skyscraper on the whole group would double it."),
    "mortgaged": lazy("Mortgaged: no rent until {price} is paid back."),
    "next": lazy("The next block brings {rise} more."),
    "full": lazy("No room for more blocks."),
}

# What is placed for nothing.
PIECES = {
    "school": lazy("School"),
    "park": lazy("Park"),
    "wind farm": lazy("Wind farm"),
    "water tower": lazy("Water tower"),
    "power station": lazy("Power station"),
    "sewage works": lazy("Sewage works"),
    "prison": lazy("Prison"),
    "rubbish dump": lazy("Rubbish dump"),
}


def counted_blocks(state: State, deed: int) -> int:
    """Return by how many blocks the rent goes today: beside a hazard homes do not count."""
    blocks = state.industrial[deed]
    return blocks if state.hazard[deed] else blocks + state.residential[deed]


def deed_words(state: State, deed: int) -> tuple[str, ...]:
    """Return the lines under the rents."""
    printed = state.board.deeds[deed]
    homes, works = show(printed.residential), show(printed.industrial)
    skyscraper = show(state.board.groups[printed.group].skyscraper)
    today = 0 if state.mortgage[deed] else rent(state, deed)
    return (
        _("A home {home}, a factory {works}").format(home=homes, works=works),
        _("Skyscraper {price}").format(price=skyscraper),
        _("Now: {rent}").format(rent=show(today)),
        *_what_keeps_it(state, deed),
        *_what_would_raise_it(state, deed),
    )


def _what_keeps_it(state: State, deed: int) -> list[str]:
    notes, hazard, bonus = DEED_NOTES, state.hazard[deed], state.bonus[deed]
    words = []
    if state.mortgage[deed]:
        words.append(notes["mortgaged"].format(price=show(state.mortgage[deed])))
    if hazard:
        price = show(HAZARDS[hazard] * state.board.money.hazard_block)
        words.append(notes["hazard"].format(hazard=PIECES[hazard], price=price))
    elif bonus:
        words.append(notes["bonus"].format(bonus=PIECES[bonus]))
    return words


def _what_would_raise_it(state: State, deed: int) -> list[str]:
    notes = DEED_NOTES
    words = []
    if doubled(state, deed):
        words.append(str(notes["doubled"]))
    elif state.owner[deed] >= 0:
        words.append(str(notes["skyscraper"]))
    rents = state.board.rents[deed]
    blocks = state.residential[deed] + state.industrial[deed]
    if blocks >= len(rents) - 1:
        words.append(str(notes["full"]))
    elif not state.hazard[deed]:
        factor = 2 if doubled(state, deed) else 1
        rise = (rents[blocks + 1] - rents[blocks]) * factor
        words.append(notes["next"].format(rise=show(rise)))
    return words
