"""The help of every command, in the made-up language: no English word is left in it."""

import re

import pytest

from city_game import cli as game
from sim import cli as unit

PROGRAMS = {"city-unit": unit, "city-game": game}
COMMANDS = [(program, name) for program in PROGRAMS for name in PROGRAMS[program].COMMANDS]
# What a help may hold that is no word: options, paths, choices, defaults, names of programs.
NO_WORDS = re.compile(r"--?[a-z][\w-]*|\{[^}]*\}|\S*/\S*|city-\w+|[\w-]+\.\w+")
# What is typed as it stands: what some commands do, pins, strengths of bots.
TYPED = {
    *("list", "show", "check", "template"),
    *("auction", "permit", "press", "build", "buzzer"),
    *("builder", "planner", "visitor"),
}
# The made-up language has an accent wherever it can: a word without one is English.
PLAIN = re.compile(r"(?<!\w)[A-Za-z]*[aceinouyACEINOUY][A-Za-z]*(?!\w)")


def help_of(program, command, capsys):
    with pytest.raises(SystemExit):
        PROGRAMS[program].main([command, "--help", "--lang", "xx"])
    return capsys.readouterr().out


@pytest.mark.parametrize(("program", "command"), COMMANDS)
def test_a_help_is_all_in_the_language_that_was_asked_for(program, command, capsys):
    said = NO_WORDS.sub("", help_of(program, command, capsys))
    assert {word for word in PLAIN.findall(said) if len(word) > 2} - {command} - TYPED == set()
