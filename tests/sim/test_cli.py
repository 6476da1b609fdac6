"""The command line of the unit: its help, and its words for mistakes."""

import argparse
import re
import subprocess
import sys

import pytest

from sim import cli
from sim.play import preferences

# Options with one name and several meanings: a file, a board, a unit, the evening.
OF_SEVERAL_THINGS = {
    *("--against", "--board", "--folder", "--force", "--json", "--keep", "--listen"),
    *("--micropython", "--out", "--picture", "--pin", "--plot", "--port", "--program"),
    *("--remove", "--seconds", "--seed"),
}
ADDRESSES = ("a serial port, socket://", "where the board is")  # of a unit, of a board


def helped(*words, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main([*words, "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


def parsers(parser=None, name="city-unit"):
    """Yield each command's parser with its whole name."""
    parser = parser or cli.PROGRAM.whole()
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                yield from parsers(inner, f"{name} {word}")


def options():
    for name, parser in parsers():
        for action in parser._actions:
            if action.option_strings and action.help != argparse.SUPPRESS:
                yield name, action


def test_the_help_has_four_groups_and_a_line_for_each_command(capsys):
    shown = helped(capsys=capsys)
    groups = re.findall(r"^[A-Z][a-z]+:$", shown, re.MULTILINE)
    assert groups == ["Play:", "Build:", "Test:", "Talk:"]
    rows = dict(re.findall(r"^  ([a-z0-9]+) +(.+)$", shown, re.MULTILINE))
    for name, (_path, summary) in cli.PROGRAM.commands.items():
        assert rows[name] == str(summary)
        one = " ".join(helped(name, capsys=capsys).split())
        assert f"city-unit {name}" in one
        assert "exit status: 0: done" in one and "130: stopped by Ctrl-C" in one
    assert "--terminal" not in shown  # an option of playing
    assert "--terminal" in helped("play", capsys=capsys)


def test_the_helps_of_the_lab_load_neither_a_client_nor_a_body_nor_an_instrument():
    code = """
import contextlib, sys
from sim import cli
for name in sys.argv[1:]:
    with contextlib.suppress(SystemExit):
        cli.main([name, "--help"])
print(*sys.modules)
"""
    lab = ("trace", "check", "export", "compare", "listen")
    run = [sys.executable, "-c", code, *lab]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert {"sim.commands.scenarios", "sim.commands.listen"} <= loaded
    assert not {"asyncio", "city_unit.host", "numpy", "pygame", "serial"} & loaded


def test_each_option_has_its_help_in_the_same_words_wherever_it_is():
    wordings = {}
    for command, action in options():
        assert action.help, (command, action.option_strings)
        if action.default not in (None, False, "", [], argparse.SUPPRESS):
            assert "(default: " in action.help, (command, action.option_strings)
        wordings.setdefault(action.option_strings[-1], set()).add(action.help)
    assert {name for name, helps in wordings.items() if len(helps) > 1} <= OF_SEVERAL_THINGS
    ports = [text for text in wordings["--port"] if "where to serve" not in text]
    assert all(text.startswith(ADDRESSES) for text in ports)
    assert len(ports) == len(ADDRESSES)


def test_help_is_as_narrow_as_its_terminal_and_breaks_no_path(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1")
    assert "--terminal" in helped("play", capsys=capsys)
    monkeypatch.setenv("COLUMNS", "50")
    rows = helped("play", capsys=capsys).splitlines()
    path = str(preferences.where())
    assert any(path in row for row in rows)
    assert all(len(row) <= 50 for row in rows if path not in row)


def test_a_former_name_runs_its_new_command_and_says_so(capsys):
    with pytest.raises(SystemExit):
        cli.main(["capture", "--help"])
    said = capsys.readouterr()
    assert said.err == "city-unit: capture is called lateness now\n"
    assert "usage: city-unit lateness" in said.out
