"""The cost of the unit on a board: the figures that are the same on every machine."""

import pytest

from tests.bench import boards
from tests.helpers.interpreters import available
from tests.helpers.needs import needs

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("port", ["unix", "32-bit"])
def test_a_steady_step_allocates_nothing(port):
    needs(port in available(), f"the {port} MicroPython")
    assert boards.allocation(port).reached


def test_the_whole_firmware_is_small_and_allocates_nothing():
    needs("32-bit" in available(), "the 32-bit MicroPython")
    assert [figure.reached for figure in boards.whole()] == [True, True]


def test_the_files_that_are_copied_are_small():
    figures = boards.sizes()
    assert len(figures) == len(boards.BYTES) + 1  # each file that is copied, and no other
    assert [figure for figure in figures if not figure.reached] == []


def test_the_core_is_small():
    needs("32-bit" in available(), "the 32-bit MicroPython")
    assert boards.heap().reached
