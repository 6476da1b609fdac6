"""`city-unit update`: whether there is a newer release; it fetches nothing but the answer."""

import argparse

from city_unit.desktop.errors import FAILURE, SUCCESS, UserError
from sim.play.update import Check


def arguments(parser: argparse.ArgumentParser) -> None:
    """Take no argument."""


def run(_options: argparse.Namespace) -> int:
    answer = Check().answer(wait=True)
    assert answer is not None  # it has been waited for
    if answer.is_failed:
        raise UserError(answer.sentence, FAILURE)
    print(answer.sentence)
    return SUCCESS
