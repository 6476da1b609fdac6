"""`start.py`: what it installs for a command, and how it runs it."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import needs

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

# A program that needs a while to end after a Ctrl-C, with something to say.
SLOW_TO_END = """
import time
try:
    print("it runs", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(0.6)
    print("what was measured", flush=True)
    raise SystemExit(7)
"""


def start():
    spec = importlib.util.spec_from_file_location("start", ROOT / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
    ],
)
def test_what_a_command_needs_beyond_the_rest(words, extra):
    command, *rest = words.split() or [""]
    assert start().extra(command, rest) == extra
    assert not extra or extra in EXTRAS


def test_what_is_no_command_of_ours_is_a_program_of_ours_or_in_what_it_needs():
    for command, module in start().PROGRAMS.items():
        needed = [re.split(r"[^\w-]", one)[0] for one in EXTRAS.get(start().extra(command, []), [])]
        ours = importlib.util.find_spec(f"{module.split('.')[0]}")
        assert module in needed or (ours and ours.origin.startswith(str(ROOT))), command


def test_its_words_are_handed_on(monkeypatch):
    module, ran = start(), []
    monkeypatch.setattr(module, "set_up", lambda extra: ran.append(extra))
    monkeypatch.setattr(module, "run", lambda *words: ran.append(words))
    module.main(["mpremote", "connect", "PORT", "cat", ":crash.txt", "+", "reset"])
    module.main(["flash", "--remove"])
    assert ran == [
        *("board", ("mpremote", "connect", "PORT", "cat", ":crash.txt", "+", "reset")),
        *("board", ("sim.cli", "flash", "--remove")),
    ]


@pytest.mark.parametrize("folder", ["sim", "firmware"])
def test_who_is_told_to_install_something_is_told_what_there_is(folder):
    """The project is on no index: each package that is named must be one that it depends on."""
    needed = [*PROJECT["dependencies"], *(one for extra in EXTRAS.values() for one in extra)]
    there = {re.split(r"[^\w-]", one)[0] for one in needed}
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py"))
    named = re.findall(r"pip install ([\w -]+)", text)
    named += re.findall(r"installing\.command\(([^)]+)\)", text)
    packages = {word.strip('",') for words in named for word in words.split()}
    assert packages and packages <= there
    assert "city-unit[" not in text


def test_a_ctrl_c_is_the_business_of_the_program(tmp_path):
    needs(os.name == "posix", "a signal to a group of processes")
    (tmp_path / "slow.py").write_text(SLOW_TO_END)
    code = f"import start, sys; start.PYTHON = {sys.executable!r}; sys.exit(start.run('slow'))"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
    )
    try:
        assert process.stdout.readline() == "it runs\n"
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        assert (out, process.returncode) == ("what was measured\n", 7)
    finally:
        process.kill()
