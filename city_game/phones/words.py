"""The texts of the telephones' page, in the language of the moment; its English is the key."""

import json
import re
from functools import cache
from importlib.resources import files

from city_unit.desktop.catalogue import lazy, of_file, pgettext

PHONES = "city_game.phones"  # its page, and its texts, are part of others
SAID = re.compile(r"""\b(?:say\(\s*|data-say=)("(?:[^"\\]|\\.)*")""")

# Said after the edition's own words on how it is played.
ON_A_TELEPHONE = (
    lazy("In an auction the large button bids as soon as a finger is on it, and binds you."),
    lazy("With a secret maximum the table bids for you, each time no more than it must."),
    lazy("A deal that you propose is seen by the other side alone until it is agreed."),
    lazy("A telephone that sleeps, falls or is closed keeps its seat: open the page again."),
)


def page_words(package: str = PHONES) -> dict[str, str]:
    """Return all that the page of a package says, and that of the telephones, by its English."""
    return {text: of_file(text) for text in _said(PHONES) + _said(package)}


@cache
def _said(package: str) -> tuple[str, ...]:
    parts = sorted((files(package) / "page").iterdir(), key=lambda part: part.name)
    texts = (part.read_text("utf-8") for part in parts if part.name.endswith((".html", ".js")))
    return tuple(json.loads(said) for text in texts for said in SAID.findall(text))


def money_words() -> dict[str, str]:
    """Return how sums are written, as `city_unit.desktop.forms.money` does it."""
    return {
        "thousands": pgettext("how this language writes: thousands of money", "{number}k"),
        "millions": pgettext("how this language writes: millions of money", "{number}M"),
        "mark": pgettext("how this language writes: the decimal mark", "."),
        "group": pgettext("how this language writes: what groups thousands", ","),
    }
