"""The help of every command is translated completely: it is shown in the made-up language."""

import re

import pytest

from city_game import cli as game
from city_game import editions
from city_game.tournament.core import STEPS
from city_unit.facts import LAMPS
from sim import cli as unit

# Parts of a help that are not translated: options, paths, choices, defaults, program names.
NO_WORDS = re.compile(r"--?[a-z][\w-]*|\{[^}]*\}|\S*/\S*|city-\w+|[\w-]+\.\w+")
# Words that are typed as they are: actions, pins, strengths of bots, editions, steps.
TYPED = {
    *"-".join(editions.names()).split("-"),
    *("list", "show", "check", "template"),
    *"-".join(LAMPS).split("-"),
    *("press", "build", "buzzer"),
    *("builder", "planner", "visitor", "random"),
    *STEPS,
    *("save", "undo", "help", "quit"),
}
# The made-up language puts an accent on every letter that can have one; other words are English.
PLAIN = re.compile(r"(?<!\w)[A-Za-z]*[aceinouyACEINOUY][A-Za-z]*(?!\w)")


def test_a_help_is_completely_in_the_chosen_language(capsys):
    for module in (unit, game):
        for command in module.PROGRAM.commands:
            with pytest.raises(SystemExit):
                module.main([command, "--help", "--lang", "xx"])
            said = NO_WORDS.sub("", capsys.readouterr().out)
            english = {word for word in PLAIN.findall(said) if len(word) > 2} - {command} - TYPED
            assert english == set(), command
