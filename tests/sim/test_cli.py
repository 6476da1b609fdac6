"""The command line: teaches, finds the command, and hands over."""

import argparse
import importlib

import pytest

from city_unit.desktop.command import Program
from sim import cli
from sim.play import preferences


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert all(
        name in shown and str(summary)[:30] in shown for name, (_, summary) in cli.COMMANDS.items()
    )


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_each_command_has_its_module_and_its_help(name, capsys):
    module = importlib.import_module(cli.COMMANDS[name][0])
    assert callable(module.run)
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])
    assert ended.value.code == 0
    assert f"city-unit {name}" in capsys.readouterr().out


# What is called alike though it is about other things: a file, a board, a unit, the evening.
OF_SEVERAL_THINGS = {
    *(
        "--against",
        "--plot",
        "--board",
        "--force",
        "--json",
        "--keep",
        "--listen",
        "--micropython",
        "--out",
    ),
    *("--picture", "--program", "--remove", "--seconds", "--seed"),
}
ADDRESSES = ("a serial port, socket://", "where the board is")  # of a unit, of a board


def options():
    program = Program("city-unit", cli.ABOUT, cli.COMMANDS, "play")
    return [(command.name, option) for command in program.described() for option in command.options]


def test_an_option_is_told_in_the_same_words_wherever_it_is():
    wordings = {}
    for command, option in options():
        wordings.setdefault(option.names[-1], {})[option.help] = command
    several = {name for name, helps in wordings.items() if len(helps) > 1}
    assert several - {"--port"} <= OF_SEVERAL_THINGS
    assert all(wordings["--port"])
    ports = [text for text in wordings["--port"] if "where to serve" not in text]
    assert all(text.startswith(ADDRESSES) for text in ports)
    assert len(ports) == len(ADDRESSES)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_each_option_has_its_help_and_each_default_is_told_alike(name):
    parser = argparse.ArgumentParser()
    importlib.import_module(cli.COMMANDS[name][0]).arguments(parser)
    for command, option in options():
        if command == name and option.names:
            assert option.help, option.names
            default = parser.get_default(option.names[-1].lstrip("-").replace("-", "_"))
            if default not in (None, False, "", [], argparse.SUPPRESS):
                assert "(default: " in option.help, option.names


@pytest.mark.parametrize("name", ["", *cli.COMMANDS])
def test_each_help_says_what_the_exit_status_says(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        cli.main([word for word in (name, "--help") if word])
    shown = capsys.readouterr().out
    assert "exit status: 0: done" in shown
    assert "130: stopped by Ctrl-C" in shown


def test_help_is_as_narrow_as_its_terminal_and_breaks_no_path(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    with pytest.raises(SystemExit):
        cli.main(["play", "--help"])
    rows = capsys.readouterr().out.splitlines()
    path = str(preferences.where())
    assert any(path in row for row in rows)
    assert all(len(row) <= 50 for row in rows if path not in row)


def test_an_unknown_command_names_the_nearest(capsys):
    assert cli.main(["trase"]) == 2
    assert capsys.readouterr().err == (
        'city-unit: there is no command "trase"; did you mean "trace"?\n'
    )
