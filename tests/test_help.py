"""The help of every command, in the made-up language."""

import re

import pytest

from city_game import cli as game
from city_game import editions
from city_game.tournament.core import STEPS
from city_unit.facts import LAMPS
from sim import cli as unit

# Parts of a help that are no words: options, paths, choices, defaults, names of programs.
NO_WORDS = re.compile(r"--?[a-z][\w-]*|\{[^}]*\}|\S*/\S*|city-\w+|[\w-]+\.\w+")
# Words to type as they are: what some commands do, pins, strengths of bots, editions, steps.
TYPED = {
    *"-".join(editions.names()).split("-"),
    *("list", "show", "check", "template"),
    *"-".join(LAMPS).split("-"),
    *("press", "build", "buzzer"),
    *("builder", "planner", "visitor", "random"),
    *STEPS,
    *("save", "undo", "help", "quit"),
}
# The made-up language has an accent wherever it can: a word without one is English.
PLAIN = re.compile(r"(?<!\w)[A-Za-z]*[aceinouyACEINOUY][A-Za-z]*(?!\w)")


def test_a_help_is_all_in_the_language_that_was_asked_for(capsys):
    for module in (unit, game):
        for command in module.PROGRAM.commands:
            with pytest.raises(SystemExit):
                module.main([command, "--help", "--lang", "xx"])
            said = NO_WORDS.sub("", capsys.readouterr().out)
            english = {word for word in PLAIN.findall(said) if len(word) > 2} - {command} - TYPED
            assert english == set(), command
