"""What shells and manual pages have of a command line: asked of the shells themselves."""

import argparse
import os
import shutil
import subprocess
import sys

import pytest

from city_unit.desktop import command_line, completion, man
from city_unit.desktop.catalogue import lazy
from city_unit.desktop.command import Program
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S


class module:
    @staticmethod
    def arguments(parser):
        parser.add_argument("file", nargs="?", metavar="FILE", help="it's a file: 'any'")
        parser.add_argument("--mode", choices=("fast", "slow"), help="how")
        parser.add_argument("--out", metavar="FILE", help="where to; 100%% of it")
        actions = parser.add_subparsers(dest="action", metavar="ACTION")
        actions.add_parser("list", help="list all")
        show = actions.add_parser("show", help="show it")
        show.add_argument("--long", action="store_true", help="all of it")

    @staticmethod
    def run(options):
        return 0


@pytest.fixture
def program(monkeypatch):
    monkeypatch.setitem(sys.modules, "tests.play", module)
    monkeypatch.setitem(sys.modules, "tests.trace", module)
    commands = {
        "play": ("tests.play", lazy("play with it")),
        "trace": ("tests.trace", lazy("trace it")),
    }
    return Program("my-unit", lazy("A program.\n.It's one"), commands, "play")


@pytest.fixture
def script(program):
    commands = list(program.described())
    return lambda shell: completion.script(program.name, shell, commands)


def test_a_command_line_is_read_from_its_parsers(program):
    commands = {command.name: command for command in program.described()}
    names = ["my-unit", "play", "play list", "play show", "trace", "trace list", "trace show"]
    assert list(commands) == [*names, "completion", "man"]
    play = commands["play"]
    assert [option.names for option in play.options] == [
        ("-h", "--help"),
        ("--lang",),
        ("--mode",),
        ("--out",),
    ]
    assert play.options[2].choices == ("fast", "slow")
    assert play.options[3].help == "where to; 100% of it"
    assert commands["play show"].about == "show it"
    assert commands["my-unit"].places[0].choices == ("play", "trace", "completion", "man")


def in_bash(script, *words):
    """Return what bash would offer."""
    needs(shutil.which("bash") and os.name == "posix", "bash")
    line = " ".join(f"'{word}'" for word in words)
    code = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _my_unit\n"
    code += 'printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, cwd="/"
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["my-unit", "tr"], ["trace"]),
        (["my-unit", "comp"], ["completion"]),
        (["my-unit", "--mo"], ["--mode"]),
        (["my-unit", "play", "--o"], ["--out"]),
        (["my-unit", "play", "--mode", ""], ["fast", "slow"]),
        (["my-unit", "play", "sh"], ["show"]),
        (["my-unit", "play", "show", "--l"], ["--lang", "--long"]),
        (["my-unit", "play", "mine.toml", "--m"], ["--mode"]),
    ],
)
def test_bash_completes(script, words, offered):
    assert sorted(in_bash(script("bash"), *words)) == offered


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("my-unit tr", "trace"),
        ("my-unit play --o", "--out"),
        ("my-unit play --mode ", "fast"),
        ("my-unit play show --lo", "--long"),
    ],
)
def test_fish_completes(script, tmp_path, line, offered):
    needs(shutil.which("fish"), "fish")
    (tmp_path / "it.fish").write_text(script("fish"))
    code = f"source {tmp_path}/it.fish; complete -C '{line}'"
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        ["fish", "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, env=environment
    )
    assert done.stderr == ""
    assert offered in [row.split("\t")[0] for row in done.stdout.splitlines()]


def test_zsh_reads_it(script, tmp_path):
    needs(shutil.which("zsh"), "zsh")
    (tmp_path / "_my-unit").write_text(script("zsh"))
    stand_ins = "compdef() { }; _files() { }; _describe() { print -l -- ${(P)2} }"
    code = f"{stand_ins}; source {tmp_path}/_my-unit; words=(my-unit play s); CURRENT=3; _my_unit"
    done = subprocess.run(
        ["zsh", "-f", "-c", code], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.stderr == ""
    rows = done.stdout.splitlines()
    assert "show:show it" in rows
    assert "--out:where to; 100% of it" in rows


def test_powershell_has_every_word(script):
    text = script("powershell")
    assert "'play show' = @('-h', '--help', '--lang', '--long')" in text
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_the_real_programs_have_their_scripts(shell, capsys):
    from city_game import cli as game
    from sim import cli

    for main, word in ((cli.main, "trace"), (game.main, "simulate")):
        assert main(["completion", shell]) == 0
        assert word in capsys.readouterr().out


def test_the_manual_page_is_read_without_a_complaint(program, tmp_path):
    text = man.page(program.name, str(program.about), list(program.described()))
    for words in ("my\\-unit", "it's a file: 'any'", "show it", "stopped by Ctrl\\-C"):
        assert words in text
    needs(shutil.which("groff"), "groff")
    done = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-P-cbou"],
        input=text,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.stderr == ""
    assert "--out FILE" in done.stdout


def test_a_suppressed_option_is_told_to_nobody():
    parser = argparse.ArgumentParser(prog="it")
    parser.add_argument("--secret", help=argparse.SUPPRESS)
    (command,) = command_line.read(parser, "it", "")
    assert [option.names for option in command.options] == [("-h", "--help")]
