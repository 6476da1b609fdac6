"""Golden games: whole games of bots as files, with a sentence for each event.

A change of the rules, the bots or the words shows as a difference in them. To write them again, run
`python -m tests.city_game.kernel.test_golden`.
"""

from pathlib import Path

import pytest

from city_game.headless import play
from city_game.words import in_words
from tests.city_game.play import BOARD

FOLDER = Path(__file__).parent / "golden"
NAMES = ["Ada", "Ben", "Cleo", "Dan"]
GAMES = {
    "two-planners": (("planner", "planner"), 11),
    "three-strengths": (("visitor", "builder", "planner"), 12),
    "four-at-a-table": (("planner", "visitor", "builder", "builder"), 13),
}


def log_of(name: str) -> str:
    strengths, seed = GAMES[name]
    events = play(BOARD, strengths, seed).state.events
    return "".join(in_words(event, BOARD, NAMES) + "\n" for event in events)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_golden_game(name):
    assert log_of(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for each in GAMES:
        (FOLDER / f"{each}.txt").write_text(log_of(each), encoding="utf-8", newline="\n")
