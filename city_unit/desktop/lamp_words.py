"""The names of the lamps for people. Their names in files and on the wire are in `facts.py`."""

from typing import NamedTuple

from city_unit.desktop.catalogue import Lazy, lazy, plazy
from city_unit.facts import LAMPS


class LampWords(NamedTuple):
    """The words for a lamp.

    short  for narrow places: a lane of the live trace, or below a lamp in the terminal
    name   for a sentence: "Is the lamp {lamp} lit?"
    tells  what it means when lit, for people who cannot see it
    part   the component to solder
    key    the identifier of the component in drawings and projects, not translated
    """

    short: Lazy | str
    name: Lazy
    tells: Lazy
    part: Lazy
    key: str


LAMP_WORDS = {
    "auction": LampWords(
        lazy("auction"),
        plazy("a lamp", "auction"),
        lazy("Auction lamp"),
        lazy("AUCTION lamp"),
        "auction-lamp",
    ),
    "permit-1": LampWords(
        "1", plazy("a lamp", "permit 1"), lazy("1 block"), lazy("Lamp 1"), "lamp-1"
    ),
    "permit-2": LampWords(
        "2", plazy("a lamp", "permit 2"), lazy("2 blocks"), lazy("Lamp 2"), "lamp-2"
    ),
    "permit-3": LampWords(
        "3", plazy("a lamp", "permit 3"), lazy("3 blocks"), lazy("Lamp 3"), "lamp-3"
    ),
    "permit-station": LampWords(
        lazy("station"),
        plazy("a lamp", "station"),
        lazy("A station"),
        lazy("STATION lamp"),
        "station-lamp",
    ),
}
WORDS = tuple(LAMP_WORDS[lamp] for lamp in LAMPS)  # in bit order
