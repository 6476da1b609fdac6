"""The command line: teaches, finds the command, and hands over."""

import importlib

import pytest

from sim import cli


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert all(
        name in shown and summary[:30] in shown for name, (_, summary) in cli.COMMANDS.items()
    )


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_each_command_has_its_module_and_its_help(name, capsys):
    module = importlib.import_module(cli.COMMANDS[name][0])
    assert callable(module.run)
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])
    assert ended.value.code == 0
    assert f"city-unit {name}" in capsys.readouterr().out


def test_an_unknown_command_names_the_nearest(capsys):
    assert cli.main(["trase"]) == 2
    assert capsys.readouterr().err == (
        'city-unit: there is no command "trase"; did you mean "trace"?\n'
    )
