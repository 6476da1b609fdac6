"""`start.py`: what it installs for a command, and how it runs it."""

import importlib.util
import os
import re
import signal
import subprocess
import sys

import pytest

from firmware.chip.chip import FILLS
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S
from tests.helpers.start import ROOT, start

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

# A program that needs a while to end after a signal, with something to say.
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


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("", ""),
        ("trace a.toml", ""),
        ("check a.toml", ""),
        ("check a.toml --on micropython", "micropython"),
        ("check --on=micropython a.toml", "micropython"),
        ("virtual", "micropython"),
        ("flash", "board"),
        ("selftest --alone", "board"),
        ("mpremote connect PORT reset", "board"),
        ("esptool --port PORT erase-flash", "esptool"),
        ("wiring --board pico", ""),
        ("case --cells 3", "case"),
        ("listen a.wav", "listen"),
        ("export a.toml --vcd a.vcd", "vcd"),
        ("test", "test"),
        ("bench core", "test"),
        ("case --help", ""),
        ("bench -h", ""),
        ("mpremote --help", "board"),
        ("test --help", "test"),
    ],
)
def test_what_a_command_needs_beyond_the_rest(words, extra):
    command, *rest = words.split() or [""]
    assert start().extra(command, rest) == extra
    assert not extra or extra in EXTRAS


def test_what_is_no_command_of_ours_is_a_program_of_ours_or_in_what_it_needs():
    for command, module in start().PROGRAMS.items():
        needed = [
            re.split(r"[^\w-]", requirement)[0]
            for requirement in EXTRAS.get(start().extra(command, []), [])
        ]
        ours = importlib.util.find_spec(f"{module.split('.')[0]}")
        assert module in needed or (ours and ours.origin.startswith(str(ROOT))), command


def test_its_words_are_handed_on(monkeypatch):
    module, ran = start(), []
    monkeypatch.setattr(module, "set_up", lambda extra: ran.append(extra))
    monkeypatch.setattr(module, "become", lambda *words: ran.append(words))
    module.main(["mpremote", "connect", "PORT", "cat", ":crash.txt", "+", "reset"])
    module.main(["flash", "--remove"])
    assert ran == [
        *("board", ("mpremote", "connect", "PORT", "cat", ":crash.txt", "+", "reset")),
        *("board", ("sim.cli", "flash", "--remove")),
    ]


@pytest.mark.parametrize("words", ["tests/sim", "tests/sim -k window -x", "--all tests/sim"])
def test_the_tests_that_are_asked_for_run_alone(monkeypatch, words):
    module, calls = start(), []
    monkeypatch.setattr(module, "set_up", lambda extra: None)
    monkeypatch.setattr(module, "become", lambda *words: calls.append(words) or 5)
    assert module.main(["test", *words.split()]) == 5
    assert calls == [("pytest", *words.split())]


@pytest.mark.parametrize("words", [[], ["--all"]])
def test_every_check_runs_whatever_fails_until_a_ctrl_c(monkeypatch, capsys, words):
    module, calls = start(), []
    codes = {"ruff": 1, "pytest": 0}
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(module, "set_up", lambda extra: None)
    monkeypatch.setattr(module, "run", lambda name, *_: calls.append((name, *_)) or codes[name])
    assert module.main(["test", *words]) == 1
    assert [name for name, *_ in calls[:3]] == ["ruff", "ruff", "pytest"]
    asked = [call[1] for call in calls[2:]]  # what measures real time runs alone
    assert asked == (["-m=not alone", "-m=alone"] if words else ["-m=not slow"])
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "start.py: failed: ruff, ruff"
    assert any("--all" in line for line in lines) == (not words)  # the run names its omissions
    codes["ruff"] = -signal.SIGINT
    calls.clear()
    assert module.main(["test", *words]) == 130
    assert [name for name, *_ in calls] == ["ruff"]


@pytest.mark.parametrize("by", ["environment", "option"])
def test_it_speaks_the_language_of_the_person(monkeypatch, capsys, by):
    module = start()
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8" if by == "environment" else "C")
    words = ["game", "--lang", "fr"] if by == "option" else ["game"]
    full = module.with_remedy("", "[Errno 28] No space left on device")
    assert full.startswith("the disk is full")

    def fail(extra):
        raise module.Trouble(module.with_remedy("", "[Errno 28] No space left on device"))

    monkeypatch.setattr(module, "set_up", fail)
    assert module.main(words) == 1
    assert "le disque est plein" in capsys.readouterr().err


def test_its_catalogue_wants_nothing_that_is_to_be_installed():
    """As at the very first start: by a Python that has the standard library alone."""
    code = "import start; start.speak(['game', '--lang=fr']); print(start._('could not start'))"
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}",
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert (done.stderr, done.stdout.strip()) == ("", "n’a pas pu démarrer")


@pytest.mark.parametrize("folder", ["sim", "firmware"])
def test_who_is_told_to_install_something_is_told_what_there_is(folder):
    """The project is on no index: each package that is named must be one that it depends on."""
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
    """Return a function that starts start.py, which runs SLOW_TO_END, as a process."""
    needs(os.name == "posix", "a signal to a group of processes")
    (tmp_path / "slow.py").write_text(SLOW_TO_END)
    processes = []

    def begin(way):
        code = (
            f"import start, sys; start.PYTHON = {sys.executable!r}; sys.exit(start.{way}('slow'))"
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
@pytest.mark.parametrize("way", ["become", "run"])
@pytest.mark.parametrize("is_for_all", [True, False])
def test_a_program_ends_by_the_signal_that_its_start_gets(begun, way, is_for_all):
    """A terminal sends SIGINT to all processes of a group; `kill` sends SIGTERM to one."""
    process = begun(way)
    if is_for_all:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    out, _ = process.communicate(timeout=PATIENCE_S)  # nobody holds the pipe open any more
    assert (out, process.returncode) == ("what was measured\n", 7)


@pytest.mark.slow
@pytest.mark.real_time
def test_a_ctrl_c_reaches_programs_of_a_run_that_ignores_it():
    """As in `nohup .ci/run &`: the test above, from a shell that is deaf to a Ctrl-C."""
    needs(os.name == "posix", "a shell")
    this = f"{__file__}::{test_a_program_ends_by_the_signal_that_its_start_gets.__name__}"
    deaf = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh"]
    done = subprocess.run(
        [*deaf, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", this],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout
