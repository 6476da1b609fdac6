"""Addresses at which a unit listens."""

import pytest

from city_unit.desktop import addresses
from city_unit.desktop.errors import UserError


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("localhost:99999", "from 0 to 65535"),
        ("localhost:-1", "from 0 to 65535"),
        ("localhost:http", "from 0 to 65535"),
        ("localhost:٣", "from 0 to 65535"),
        ("localhost:" + 5000 * "9", "from 0 to 65535"),
        ("localhost", "HOST:PORT"),
        (":7", "HOST:PORT"),
        ("localhost:", "HOST:PORT"),
    ],
)
def test_a_wrong_address_says_which_part_is_wrong(address, what):
    with pytest.raises(UserError, match=what) as caught:
        addresses.parse(address)
    assert address in str(caught.value)


def test_an_address_is_read():
    assert addresses.parse("[::1]:0") == ("::1", 0)
