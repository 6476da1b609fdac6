"""`start.py`: which packages it installs for a command, and how it runs the command."""

import errno
import importlib.util
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import start
from firmware.chip.pico import FILLS
from tests.__main__ import main as run_tests
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

# A program that needs a while to end after a signal, and prints then.
SLOW_TO_END = """
import signal, time
signal.signal(signal.SIGTERM, signal.default_int_handler)
try:
    print("it runs", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(0.6)
    print("what was measured", flush=True)
    raise SystemExit(7)
"""


UNIT = "sim.cli"


@pytest.mark.parametrize(
    ("words", "module", "extra"),
    [
        ("", UNIT, ""),
        ("trace a.toml", UNIT, ""),
        ("check a.toml", UNIT, ""),
        ("check a.toml --on micropython", UNIT, "micropython"),
        ("check --on=micropython a.toml", UNIT, "micropython"),
        ("check micropython.toml", UNIT, ""),
        ("check a.toml --recording=a.wav", UNIT, "listen"),
        ("check a.toml --capture a.vcd", UNIT, "vcd"),
        ("export a.toml out.vcd", UNIT, "vcd"),
        ("export a.toml out.svg", UNIT, ""),
        ("compare a.m4a b.m4a", UNIT, "listen"),
        ("check a.toml --on chip --image micropython.uf2", UNIT, "uf2"),
        ("listen missing.wav", UNIT, ""),
        ("listen", UNIT, ""),
        ("listen --json missing.wav", UNIT, "listen"),
        ("virtual", "firmware.virtual", "micropython"),
        ("flash", UNIT, "board"),
        ("mpremote connect PORT reset", "mpremote", "board"),
        ("esptool --port PORT erase-flash", "esptool", "esptool"),
        ("wiring --board pico", "firmware.maker.wiring", ""),
        ("case --cells 3", "firmware.maker.case", "case"),
        ("test --all", "tests", "test"),
        ("bench bots", "tests.bench", "test"),
        ("case --help", "firmware.maker.case", ""),
        ("bench -h", "tests.bench", ""),
        ("mpremote --help", "mpremote", "board"),
        ("test --help", "tests", ""),
    ],
)
def test_a_command_runs_an_existing_module_with_its_extra(
    monkeypatch, tmp_path, words, module, extra
):
    monkeypatch.chdir(tmp_path)
    for name in ("a.toml", "a.m4a"):
        (tmp_path / name).touch()
    done = []
    monkeypatch.setattr(start, "set_up", done.append)
    monkeypatch.setattr(start, "become", lambda *call: done.append(call) or 5)
    assert start.main(words.split()) == 5
    assert done == [extra, (module, words.split()[0 if module == UNIT else 1 :])]
    needed = {re.split(r"[^\w-]", requirement)[0] for requirement in EXTRAS.get(extra, [])}
    ours = importlib.util.find_spec(module.split(".")[0])
    assert module in needed or (ours and str(ours.origin).startswith(str(ROOT)))


@pytest.mark.parametrize(
    ("words", "module", "extra", "rest"),
    [
        ("--lang fr game --silent", "city_game.cli", "", "--lang fr --silent"),
        ("--lang=fr virtual", "firmware.virtual", "micropython", "--lang=fr"),
        ("--lang fr flash", UNIT, "board", "--lang fr flash"),
        ("--lang fr test --all", "tests", "test", "--all"),
        ("--lang", UNIT, "", "--lang"),
    ],
)
def test_the_language_may_precede_the_command(monkeypatch, words, module, extra, rest):
    done = []
    monkeypatch.setattr(start, "set_up", done.append)
    monkeypatch.setattr(start, "become", lambda *call: done.append(call))
    start.main(words.split())
    assert done == [extra, (module, rest.split())]


def test_help_names_the_commands_that_city_unit_lacks(monkeypatch, capsys):
    monkeypatch.setattr(start, "set_up", lambda extra: None)
    monkeypatch.setattr(start, "become", lambda *call: 0)
    start.main(["--help"])
    lines = capsys.readouterr().err.splitlines()[1:-1]
    named = dict(line.split(maxsplit=1) for line in lines)
    assert named == {name: row[2] for name, row in start.COMMANDS.items() if row[0] != UNIT}


@pytest.mark.parametrize("words", ["", "--all", "tests/sim", "tests/sim -k window -x"])
def test_the_requested_tests_run(monkeypatch, capsys, words):
    """With `--all`, tests that measure time run after the others, unless Ctrl-C ended those."""
    calls, codes = [], [1, 0]
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(pytest, "main", lambda words: calls.append(words) or codes[len(calls) - 1])
    assert run_tests(*words.split()) == 1
    usual = {"": ["-m=not slow"], "--all": ["-m=not alone", "-m=alone"]}
    chosen = [call[0] for call in calls] if words in usual else calls
    assert chosen == usual.get(words, [words.split()])
    assert ("left out" in capsys.readouterr().err) == (words == "")  # the run names its omissions
    calls.clear()
    codes[0] = pytest.ExitCode.INTERRUPTED
    assert (run_tests(*words.split()), len(calls)) == (2, 1)


@pytest.mark.parametrize("by", ["environment", "option"])
def test_it_speaks_the_language_of_the_user(monkeypatch, capsys, by):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8" if by == "environment" else "C")
    words = ["game", "--lang", "fr"] if by == "option" else ["game"]

    def fail(extra):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(start, "set_up", fail)
    assert start.main(words) == 1
    assert "le disque est plein" in capsys.readouterr().err


def test_its_catalogue_needs_no_package():
    """At the very first start there is only the standard library."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import start"
    code += "; start.speak(['game', '--lang=fr']); print(start._('could not start'))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert (done.stderr, done.stdout.strip()) == ("", "n’a pas pu démarrer")


@pytest.mark.parametrize("folder", ["sim", "firmware"])
def test_a_message_names_only_packages_of_the_project(folder):
    """City Unit is on no package index, so messages may name only its dependencies."""
    needed = [
        *PROJECT["dependencies"],
        *(requirement for extra in EXTRAS.values() for requirement in extra),
    ]
    there = {re.split(r"[^\w-]", requirement)[0] for requirement in needed}
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py"))
    named = re.findall(r"pip install ([\w -]+)", text)
    named += re.findall(r"install_command\(([^)]+)\)", text)
    packages = {word.strip('",') for words in named for word in words.split()}
    lists = {word for word in packages if word.startswith("*")}
    assert packages and packages - lists <= there
    assert set(FILLS.values()) <= there
    assert "city-unit[" not in text


@pytest.fixture
def begun(tmp_path):
    """Return a function that starts a process of start.py that runs SLOW_TO_END."""
    needs(os.name == "posix", "a signal to a group of processes")
    (tmp_path / "slow.py").write_text(SLOW_TO_END)
    processes = []

    def begin(system):
        code = (
            f"import start, sys, os; start.PYTHON = {sys.executable!r}; os.name = {system!r};"
            " sys.exit(start.become('slow', []))"
        )
        processes.append(
            subprocess.Popen(
                [sys.executable, "-c", code],
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
            )
        )
        assert processes[0].stdout.readline() == "it runs\n"
        return processes[0]

    yield begin
    for process in processes:
        process.kill()


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("system", "is_for_all"), [("posix", True), ("posix", False), ("nt", True)]
)
def test_a_program_ends_by_the_signal_that_start_py_receives(begun, system, is_for_all):
    """A terminal sends SIGINT to all processes of a group; `kill` sends SIGTERM to one."""
    process = begun(system)
    if is_for_all:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    out, _ = process.communicate(timeout=PATIENCE_S)  # fails if a process keeps the pipe open
    assert (out, process.returncode) == ("what was measured\n", 7)
