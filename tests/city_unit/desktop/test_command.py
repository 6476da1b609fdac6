"""Command lines: parsing, errors, translation, completion and progress."""

import argparse
import ast
import errno
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from city_game import cli as game
from city_unit import host
from city_unit.desktop import addresses, command
from city_unit.desktop.catalogue import lazy
from city_unit.desktop.command import ARGPARSE, SHELLS, Program, split_language, start
from city_unit.desktop.errors import FAILURE, INVALID, STOPPED, UNCHECKED, UserError
from city_unit.facts import VERSION
from firmware.maker.wiring import __main__ as wiring
from sim import cli
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import PATIENCE_S

# Texts of argparse that only programmers see.
FOR_PROGRAMMERS = (
    *("conflicting", "'required' is", ".__call__", "mutually", "%r is not callable", "cannot"),
    *("invalid option", "invalid conflict", "dest=", 'argument "-"', "unexpected option"),
    *("%(prog)s: warning", "is deprecated"),
)


def test_all_texts_of_argparse_are_in_the_catalogue():
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


def test_the_language_option_is_parsed_first():
    for line, language, left in (
        ("", "", ""),
        ("trace x.toml", "", "trace x.toml"),
        ("--lang fr trace", "fr", "trace"),
        ("trace --lang=fr x.toml", "fr", "trace x.toml"),
        ("trace --lang", "", "trace --lang"),
        ("--lang= trace", "", "--lang= trace"),
        ("trace -- --lang fr", "", "trace -- --lang fr"),
    ):
        assert split_language(line.split()) == (language, left.split()), line


GROUPS = {
    lazy("Test:"): {"trace": ("sim.commands.scenarios:trace", lazy("run a scenario"))},
    lazy("Talk:"): {"ports": ("sim.commands.talk:ports", lazy("list the units"))},
}
PROGRAM = Program("city-unit", lazy("A unit."), GROUPS, "trace", lazy("examples: none"))


def test_help_and_version(capsys):
    for words, says in (
        ("--version", f"city-unit {VERSION}\n"),
        ("--help", "  ports       list the units\n"),
        ("help", "examples: none"),
        ("help ports", "usage: city-unit ports"),
        ("ports --help", "usage: city-unit ports"),
        ("--lang fr --help", "utilisation\u202f: city-unit [COMMANDE]"),
        ("help --lang xx", "[üságé: ~]"),
    ):
        try:
            code = PROGRAM.main(words.split())
        except SystemExit as ended:
            code = ended.code
        assert code == 0, words
        assert says in capsys.readouterr().out, words


EMPTY = [
    (game.main, "--board "),
    (game.main, "--resume "),
    (game.main, "--phones "),
    (game.main, "board show "),
    (game.main, "board template "),
    (cli.main, "trace "),
    (cli.main, "--lang  ports"),
    (cli.main, "ports --lang="),
    (wiring.main, "--pins "),
]


def test_an_unknown_word_is_an_error_with_a_suggestion(capsys):
    for words, says in (
        ("prots", 'there is no command "prots"; did you mean "ports"?'),
        ("hepl", 'there is no command "hepl"; did you mean "help"?'),
        ("help prots", 'there is no command "prots"; did you mean "ports"?'),
        ("xyz", 'there is no command "xyz"; `city-unit --help` lists them'),
        ("ports --jsno", 'there is no option "--jsno"; did you mean "--json"?'),
        ("ports more", '"more" is not expected here; see `city-unit ports --help`'),
        ("trace", "the following arguments are required: FILE; see `city-unit trace --help`"),
    ):
        assert PROGRAM.main(words.split()) == INVALID, words
        assert capsys.readouterr() == ("", f"city-unit: {says}\n")


@pytest.mark.parametrize("main, line", EMPTY)
def test_an_empty_value_is_an_error(capsys, main, line):
    assert main(line.split(" ")) == INVALID
    assert "must not be empty" in capsys.readouterr().err


LOCALE = "a name is invalid in this locale: set one in UTF-8, such as LC_ALL=C.UTF-8"


def test_errors_become_one_line_and_an_exit_status(capsys):
    for error, code, says in (
        (UserError("no such port"), INVALID, "me: no such port\n"),
        (UserError("it broke", FAILURE), FAILURE, "me: it broke\n"),
        (UserError("\x1b[2J \x9bm \r \u202f: é"), INVALID, "me: ?[2J ?m ? \u202f: é\n"),
        (KeyboardInterrupt(), STOPPED, ""),
        # A file name that is too long.
        (OSError(errno.ENAMETOOLONG, "x", "a.toml"), FAILURE, "me: a.toml: file name too long\n"),
        (host.NoUnit("no unit here"), UNCHECKED, "me: no unit here\n"),
        (UnicodeEncodeError("utf-8", "\udcc3", 0, 1, "x"), INVALID, f"me: {LOCALE}\n"),
    ):

        def fail(_words, error=error):
            raise error

        assert start("me", fail, []) == code
        assert capsys.readouterr().err == says


PROGRAMS = ["sim.cli", "city_game.cli", "firmware.virtual", "firmware.maker.wiring"]


@pytest.mark.parametrize("program", [*PROGRAMS, "firmware.maker.case"])
def test_an_interrupt_while_the_program_is_imported_is_quiet(program):
    interrupt = """
import runpy, sys
class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == "city_unit.desktop.command":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
runpy.run_module(sys.argv[1], run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", interrupt, program], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (STOPPED, b"", b"")


def test_an_interrupt_while_the_language_is_chosen_is_quiet(monkeypatch):
    def interrupted(_chosen):
        raise KeyboardInterrupt

    monkeypatch.setattr("city_unit.desktop.language.choose", interrupted)
    assert start("me", lambda _words: 0, []) == STOPPED


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is missing")
def test_output_to_a_full_disk_is_an_error_in_one_line():
    code = "import sys; from city_unit.desktop.command import start; sys.exit(start('me', {}))"
    helps = "lambda words: print('x') or sys.exit(0)"  # as argparse prints a help
    for do in ("lambda words: print('x' * 9999)", "lambda words: print('x')", helps):
        with open("/dev/full", "w") as full:
            command = [sys.executable, "-c", code.format(do)]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == FAILURE
        assert done.stderr == "me: cannot write stdout: no space left on device\n"


def test_output_beyond_a_limit_of_size_is_an_error_in_one_line(tmp_path):
    needs_posix()
    code = (
        "from city_unit.desktop.command import start; start('me', lambda _words: print('x' * 9999))"
    )
    with open(tmp_path / "out", "w") as out:
        command = f'ulimit -f 1; exec "{sys.executable}" -c "{code}"'
        done = subprocess.run(command, shell=True, stdout=out, stderr=subprocess.PIPE, text=True)
    assert done.stderr == "me: cannot write stdout: file too large\n"


def test_without_standard_streams_the_command_runs():
    needs_posix()
    do = "lambda words: print('x') or len(sys.stdin.read())"
    code = (
        f"import sys; from city_unit.desktop.command import start; sys.exit(start('me', {do}, []))"
    )
    command = f'"{sys.executable}" -c "{code}" <&- >&-'
    done = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")


C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("ascii_by", [{"PYTHONIOENCODING": "ascii"}, C_LOCALE])
def test_characters_that_a_pipe_cannot_carry_are_replaced(ascii_by):
    code = r"start('me', lambda _words: print('1\u202f000 \xe9\u20ac', ascii(input())), [])"
    done = subprocess.run(
        [sys.executable, "-c", f"from city_unit.desktop.command import start; {code}"],
        env={**os.environ, **ascii_by},
        input=b"J\xfcrg\n",
        capture_output=True,
        timeout=PATIENCE_S,
    )
    assert (done.stdout.split(), done.stderr) == ([b"1", b"000", b"e?", b"'J\\ufffdrg'"], b"")


# Completion of the real programs, by the scripts of shtab.


def script(shell, capsys, main=cli.main):
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def test_bash_completes(capsys, tmp_path):
    needs(shutil.which("bash") and os.name == "posix", "bash")
    code, expected = script("bash", capsys), []
    for words, offered in (
        ("city-unit tr", {"trace"}),
        ("city-unit play --hea", {"--headless"}),
        ("city-unit program sh", {"show"}),
        ("city-unit completion ", set(SHELLS)),
    ):
        words = words.split(" ")
        code += f"\nCOMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}\n"
        code += "_shtab_city_unit city-unit \"${COMP_WORDS[COMP_CWORD]}\" ''\n"
        code += 'echo "${COMPREPLY[@]}"'
        expected.append(offered)
    done = subprocess.run(
        ["bash", "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, cwd=tmp_path
    )
    assert done.stderr == ""
    assert [set(line.split()) for line in done.stdout.splitlines()] == expected


def test_each_program_has_a_script_for_each_shell(capsys):
    for main, word in ((cli.main, "trace"), (game.main, "simulate")):
        for shell in SHELLS:
            assert word in script(shell, capsys, main)


def test_progress_is_shown_occasionally_and_only_on_a_terminal(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(command.time, "monotonic", lambda: clock[0])

    def shown(times, patience_s=0.0, is_terminal=True):
        clock[0] = 100.0
        terminal = io.StringIO()
        terminal.isatty = lambda: is_terminal
        monkeypatch.setattr(sys, "stderr", terminal)
        line = command.Progress(patience_s)
        for clock[0], part in times:
            line.show(f"{part:.0%}", part)
        line.wipe()
        return terminal.getvalue()

    times = ((100, 0.1), (100.1, 0.2), (100.3, 0.3), (100.4, 1))
    assert shown(times) == "\r\x1b[K10%\r\x1b[K30%\r\x1b[K"
    assert shown(times, patience_s=1) == ""
    assert shown(times, is_terminal=False) == ""


def test_an_invalid_address_names_the_wrong_part():
    assert addresses.parse("[::1]:0") == ("::1", 0)
    for port in ("99999", "-1", "http", "٣", 5000 * "9"):
        with pytest.raises(UserError, match=r"^localhost:.*from 0 to 65535"):
            addresses.parse(f"localhost:{port}")
    for address in ("localhost", ":7", "localhost:"):
        with pytest.raises(UserError, match="^" + address + " .*HOST:PORT"):
            addresses.parse(address)
