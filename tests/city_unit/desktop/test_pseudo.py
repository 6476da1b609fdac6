"""The made-up language: longer, strange, and with its fields as they were."""

import pytest

from city_unit.desktop import catalogue, forms
from city_unit.desktop.catalogue import _, ngettext, strange


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Build", "[Büíld]"),
        ("The port is busy.", "[Thé pört ís büsý.~~~~~]"),
        ("{player} bids {amount:>5}.", "[{player} bíds {amount:>5}.~]"),
        ("%(prog)s: %d of %s", "[%(prog)s: %d öf %s]"),
    ],
)
def test_a_text_is_longer_in_brackets_and_accented(text, said):
    assert strange(text) == said


def test_it_comes_right_from_the_catalogue():
    catalogue.speak("xx")
    assert _("Build") == "[Büíld]"
    assert ngettext("{count} game", "{count} games", 2) == "[{count} gámés]"
    assert forms.number(1234.5, 1) == "1,234.5"  # how it writes numbers are no words
