"""The parser of command lines, in the user's language."""

import argparse
import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command import ARGPARSE, Parser, Program, start, take_language
from city_unit.desktop.errors import FAILURE, MISTAKE, STOPPED, UserError
from city_unit.facts import VERSION

# What argparse says to programmers only.
FOR_PROGRAMMERS = (
    "conflicting",
    "'required' is",
    ".__call__",
    "mutually",
    "%r is not callable",
    "cannot",
    "invalid option",
    "invalid conflict",
    "dest=",
    'argument "-"',
    "unexpected option",
    "%(prog)s: warning",
    "is deprecated",
)


def test_all_that_argparse_says_is_in_the_catalogue():
    known = {lazy_text.key for lazy_text in ARGPARSE}
    said = {
        call.args[0].value
        for call in ast.walk(ast.parse(Path(argparse.__file__).read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("_", "ngettext")
        and isinstance(call.args[0], ast.Constant)
    }
    lacking = [text for text in said - known if not any(word in text for word in FOR_PROGRAMMERS)]
    assert lacking == []


def test_help_speaks_the_language(capsys):
    catalogue.speak("xx")
    parser = Parser(prog="city-unit", description=_("About it."))
    parser.add_argument("file", metavar=_("FILE"))
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--help"])
    printed = capsys.readouterr().out
    assert ended.value.code == 0
    for said in ("[üságé: ~]", "[öptíöñs~]", "[Áböüt ít.~~]", "[FÍLÉ]", "--lang [LÁÑG]"):
        assert said in printed


def test_a_mistake_is_one_line(capsys):
    catalogue.speak("fr")
    with pytest.raises(UserError) as mistake:
        Parser(prog="city-unit").parse_args(["--sed"])
    assert str(mistake.value) == (
        "arguments inconnus\u202f: --sed\u202f; voir «\u202fcity-unit --help\u202f»"
    )


@pytest.mark.parametrize(
    ("words", "language", "left"),
    [
        ([], "", []),
        (["trace", "x.toml"], "", ["trace", "x.toml"]),
        (["--lang", "fr", "trace"], "fr", ["trace"]),
        (["trace", "--lang=fr", "x.toml"], "fr", ["trace", "x.toml"]),
        (["trace", "--lang"], "", ["trace", "--lang"]),
        (["trace", "--", "--lang", "fr"], "", ["trace", "--", "--lang", "fr"]),
    ],
)
def test_the_language_is_looked_for_before_all_else(words, language, left):
    assert take_language(words) == (language, left)


GROUPS = {
    lazy("Test:"): {"trace": ("sim.commands.trace", lazy("run a scenario"))},
    lazy("Talk:"): {"ports": ("sim.commands.ports", lazy("list the units"))},
}
PROGRAM = Program("city-unit", lazy("A unit."), GROUPS, "trace", lazy("examples: none"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--version", f"city-unit {VERSION}\n"),
        ("--help", "  ports       list the units\n"),
        ("help", "examples: none"),
        ("help ports", "usage: city-unit ports"),
        ("ports --help", "usage: city-unit ports"),
        ("--lang fr --help", "utilisation\u202f: city-unit [COMMANDE]"),
        ("help --lang xx", "[üságé: ~]"),
    ],
)
def test_a_program_teaches(words, says, capsys):
    try:
        code = PROGRAM.main(words.split())
    except SystemExit as ended:
        code = ended.code
    assert code == 0
    assert says in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("prots", 'there is no command "prots"; did you mean "ports"?'),
        ("hepl", 'there is no command "hepl"; did you mean "help"?'),
        ("help prots", 'there is no command "prots"; did you mean "ports"?'),
        ("xyz", 'there is no command "xyz"; `city-unit --help` lists them'),
        ("ports --jsno", 'there is no option "--jsno"; did you mean "--json"?'),
        ("ports more", '"more" is not expected here; see `city-unit ports --help`'),
        ("trace", "the following arguments are required: FILE; see `city-unit trace --help`"),
    ],
)
def test_a_word_that_is_none_is_a_mistake_with_the_nearest(words, says, capsys):
    assert PROGRAM.main(words.split()) == MISTAKE
    assert capsys.readouterr() == ("", f"city-unit: {says}\n")


def _raise(error):
    raise error


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (UserError("no such port"), MISTAKE, "me: no such port\n"),
        (UserError("it broke", FAILURE), FAILURE, "me: it broke\n"),
        (KeyboardInterrupt(), STOPPED, ""),
    ],
)
def test_what_a_program_ends_with(error, code, says, capsys):
    assert start("me", lambda _words: _raise(error), []) == code
    assert capsys.readouterr().err == says


def test_signs_that_a_pipe_cannot_encode_become_plain_ones():
    code = "start('me', lambda _words: print('1\u202f000 é€'), [])"
    done = subprocess.run(
        [sys.executable, "-c", f"from city_unit.desktop.command import start; {code}"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("1 000 e?\n", "")
