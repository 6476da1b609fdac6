"""The command line of the unit: help, output, exit codes and errors."""

import argparse
import contextlib
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from serial.tools import list_ports

from city_unit import host
from city_unit.desktop import append_file, catalogue, files
from city_unit.desktop.errors import STOPPED
from city_unit.draws import Draws
from city_unit.facts import VERSION
from city_unit.host.ports import EMULATED, Found
from city_unit.settings import Settings
from city_unit.unit import Unit
from firmware.tool.image import unix
from sim import cli
from sim.commands import serve, talk
from sim.engine import link_server
from sim.engine.headless import Record
from sim.engine.link_server import UnitJournal
from sim.engine.runner import Runner
from sim.play import preferences, report
from tests.helpers.disk import Disk
from tests.helpers.emulated import ANY_PORT, Emulated
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import PATIENCE_S
from tests.helpers.scenario_text import steps
from tests.helpers.times import ENDED, WARNED, StandingClock

HEADLESS = ("play", "--headless", "--listen", "127.0.0.1:0")
SCENARIO = steps(("0 s", "switch on"), ("1 s", "tap auction", 'bounce = "8 ms"'), ("1 min", "end"))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.setenv("CITY_UNIT_RUNTIME", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toml").write_text(SCENARIO)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Return a function that runs a command and returns its exit code, output and errors."""

    def run(*words):
        try:
            code = cli.main(list(words))
        except SystemExit as ended:  # as argparse ends
            code = ended.code
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        ([*HEADLESS, "--journal", "none/a.j"], 1, "no such file or directory"),
        ([*HEADLESS, "--record", "none/a.jsonl"], 1, "cannot write none/a.jsonl: "),
        ([*HEADLESS, "--terminal"], 2, "exclude each other"),
        (["play", "--headless"], 2, "--headless needs --listen"),
        (["play", "--record", "a.jsonl"], 2, "--record has no effect without --headless"),
        (["play", "--until-eof"], 2, "--until-eof has no effect without --headless"),
        (["play", "--anyone-may-watch"], 2, "--anyone-may-watch has no effect without --listen"),
        (["play", "--journal", "a.log"], 2, "--journal has no effect without --listen"),
        (["play", "a.toml", "--program", "world"], 2, "FILE and --program both name a program"),
        (["check", "b.toml", "--image", "a.uf2"], 2, "--image: only with --on chip"),
        (["export", "a.jsonl", "a.svg", "--seed", "1"], 2, "--seed: only for a scenario"),
        (["send", "state", "--timeout", "0"], 2, "--timeout 0: must be above 0"),
        (["send", "state", "--timeout", "x"], 2, '"x" is not a number'),
        (["send", "state", "--timeout", "-1"], 2, "--timeout -1: must be above 0"),
        (["monitor", "--events", "0"], 2, '"0" is not a whole number, 1 or more'),
        (["monitor", "--events", "-1"], 2, '"-1" is not a whole number, 1 or more'),
        (["play", "--headless", "--listen", "nowhere"], 2, "HOST:PORT"),
        ([*HEADLESS, "--name", "two words"], 2, "two words"),
        (["send", "--port", "socket://127.0.0.1:1", "stop"], 3, "no program listens there"),
        (["send", "--port", "/dev/no-such-port", "stop"], 3, "/dev/no-such-port"),
        (["send", "state", "--port", "127.0.0.1:1"], 2, "write socket://127.0.0.1:1"),
        (["send", "state", "--port", "http://127.0.0.1:1/x/"], 2, "ws://HOST:PORT/SECRET/NAME"),
        (["monitor", "--port", "socket://127.0.0.1"], 2, "of the form socket://HOST:PORT"),
        (["monitor", "--port", "socket://127.0.0.1:x"], 2, "from 0 to 65535"),
        (["conform", "nope"], 3, "nope: there is no such port"),
        (["conform", "socket://127.0.0.1"], 2, "of the form socket://HOST:PORT"),
        (["flash", "--port", "none/tty"], 3, "no port none/tty"),
        (["web", "--no-open", "--port", "{taken}"], 1, "already listens there"),
        (["play", "--headless", "--listen", "127.0.0.1:{taken}"], 1, "already listens there"),
        ([*HEADLESS, "--pty", "none/pty"], 1, "cannot make the pty none/pty"),
        (["desktop"], 1, "cannot create the folder"),
        (["export", "a.toml", "a.toml/a.svg"], 2, "there is no folder a.toml"),
        (["export", "a.toml", "folder.svg"], 1, "cannot write folder.svg"),
        (["check", "b.toml", "--picture", "folder.svg"], 1, "cannot write folder.svg"),
        (["check", "b.toml", "--junit", "folder.xml"], 1, "cannot write folder.xml"),
        (["monitor", "--port", "auto:nobody"], 3, "nobody"),
        (["serve", "--origin", "nix"], 2, "nix must be of the form https://HOST"),
        (["serve", "--origin", "https://a.org/page"], 2, "without a path"),
        (["conform", "--client", "'a"], 2, "--client 'a: unclosed quotation mark"),
        (["conform", "--client", "python"], 2, "put {port} in place of"),
        (["conform", "--client", "/no/such {port}"], 2, "there is no program /no/such"),
        (["conform", "/dev/no-such-port"], 3, "/dev/no-such-port: there is no such port"),
        (["conform", "socket://127.0.0.1:1", "--rounds", "0"], 2, "--rounds must be at least 1"),
        (["report", "none/report.txt", "--yes"], 1, "none/report.txt"),
        (["trace", "no.toml"], 2, "city-unit: no.toml: no such file or directory"),
        (["trace", "."], 2, "city-unit: .: is a directory"),
        (["program", "check", "a.toml"], 2, "a.toml is a scenario"),
        (["trace", "a.toml", "--program", "nope"], 2, "timed, world); for a file write NAME.toml"),
        (["play", "--headless", "--listen", "192.0.2.1:7009"], 1, "use 127.0.0.1"),
        (["trace", "a.toml", "--program", "tmed"], 2, 'program "tmed", did you mean "timed"?'),
        (["trace", "a.toml", "--seed", "-1"], 2, '"-1" is not a whole number, 0 or more'),
        (["trace", "a.toml", "--seed", "７"], 2, '"７" is not a whole number, 0 or more'),
    ],
)
def test_an_error_is_one_line_and_creates_nothing(words, code, why, folder, run, monkeypatch):
    for name in ("folder.svg", "folder.xml"):
        (folder / name).mkdir()
    (folder / "b.toml").write_text(f"{SCENARIO}\n[[expect]]\nevent = 'switched-on'\nat = '0 s'\n")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "a.toml"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended, out, err = run(*(word.replace("{taken}", port) for word in words))
    assert ended == code
    assert why in err.splitlines()[-1]
    assert "Traceback" not in err and not (folder / "none").exists()
    assert out == "" or words[0] in ("report", "check")  # a result is shown before it is written


def test_a_trace_is_json_in_order_of_time_of_the_chosen_program_and_seed(run, monkeypatch):
    code, out, err = run("trace", "a.toml")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert lines == sorted(lines, key=lambda line: line["ms"])
    assert lines[0] == {"ms": 0, "event": "switched-on", "program": "city"}
    assert {"ms": 1016, "lamp": "auction", "on": True} in lines
    assert {"ms": WARNED, "tone": 2700} in lines
    assert {"ms": ENDED, "lamp": "auction", "on": False} in lines
    assert run("trace", "a.toml", "--start-ms", str(10**30))[1] == out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SCENARIO.encode())))
    assert run("trace", "-")[1] == out
    third = run("trace", "a.toml", "--program", "world", "--seed", "3")[1]
    assert '"program": "world"' in third
    assert run("trace", "a.toml", "--program", "world", "--seed", "3")[1] == third
    assert run("trace", "a.toml", "--program", "world", "--seed", "4")[1] != third


def test_a_closed_pipe_is_not_an_error():
    root = Path(__file__).parents[2]
    command = f'"{sys.executable}" -m sim.cli trace "{Path("a.toml").resolve()}" | exit'
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, cwd=root, timeout=PATIENCE_S
    )
    assert done.stderr == ""


def test_a_report_is_shown_confirmed_and_holds_the_game_but_no_path(folder, run, monkeypatch):
    (folder / "game.jsonl").write_text(f'{{"step": 1, "file": "{folder}/a.toml"}}\n')
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    assert run("report")[0] == 2
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: "")
    assert run("report")[0] == 0
    assert not (folder / "city-unit-report.txt").exists()
    code, shown, _ = run("report", "--yes")
    written = (folder / "city-unit-report.txt").read_text()
    assert code == 0 and shown.startswith(written)
    assert written.startswith(f"City Unit {VERSION}\n")
    assert '{"step": 1, "file": "~/a.toml"}' in written
    assert str(folder) not in written
    assert "(no such file or directory)" in written  # no settings were saved yet


def test_a_report_reads_no_device_to_its_end(folder, run, monkeypatch):
    needs(os.path.exists("/dev/zero"), "/dev/zero")
    monkeypatch.setenv("CITY_UNIT_SETTINGS", "/dev/zero")
    assert run("report", "--yes")[0] == 0
    assert (folder / "city-unit-report.txt").stat().st_size < 2 * report.MOST


def test_the_help_of_send_names_each_lamp_with_its_number(run):
    code, said, _ = run("send", "help")
    assert code == 0 and "1 auction, 2 permit-1, 4 permit-2" in said


SNAPSHOT = host.Snapshot(5, "ready", "city", 3600000, 3599995, 0, 0, 0, 3, 1)


def test_each_piece_of_news_has_its_line_of_json_and_one_for_a_person():
    event = host.Event(1, 12345, "auction-started", {"length_ms": 30000}, more=("PAPER", "99"))
    fields = {"ms": 12345, "event": "auction-started", "length_ms": 30000, "more": ["PAPER", "99"]}
    connected = host.Connected(host.About("red", "emulated", "1", 1, 77), SNAPSHOT)
    lit, tone = host.Edge(0, "permit-1", 1, 1000, 1000300), host.Edge(2, "tone", 0, 3100, 3101250)
    for news, as_json, words in (
        (event, fields, "    12.345 s  auction-started  length_ms 30000  PAPER  99"),
        (lit, {"ms": 1000, "lamp": "permit-1", "on": True, "late_us": 300}, " 0.3 ms late"),
        (tone, {"ms": 3100, "tone": 0, "late_us": 1250}, "  tone off                1.2 ms late"),
        (connected, {"ms": 5, "link": "connected", "boot": 77}, "red (emulated 1) at the-port: "),
        (host.Disconnected("gone"), {"link": "disconnected", "why": "gone"}, ": gone. "),
        (host.Restarted(78), {"link": "restarted", "boot": 78}, "has restarted"),
        (host.Missed(3, 9), {"link": "missed", "first": 3, "count": 9}, "9 events were lost"),
    ):
        content, said = talk.fields_and_words(news, "the-port")
        assert json.loads(json.dumps(content)) == as_json and words in said
    catalogue.speak("fr")
    assert talk.fields_and_words(tone, "")[1].split()[0] == "3,100"


def test_a_unit_is_served_once(monkeypatch, run):
    unit = Found("socket://127.0.0.1:1", "red", EMULATED)
    monkeypatch.setattr("city_unit.host.ports.find", lambda: [unit])
    code, _, err = run("serve", "auto:red", "auto:red")
    assert code == 2
    assert "auto:red is socket://127.0.0.1:1" in err


def test_each_served_unit_has_its_journal_which_follows_a_board_to_another_port(
    folder, monkeypatch, capsys
):
    monkeypatch.setattr(files, "settings_folder", lambda: folder)
    boards = {}
    monkeypatch.setattr(
        list_ports,
        "comports",
        lambda: [
            SimpleNamespace(device=port, serial_number=number, vid=0x2E8A, pid=0x0005)
            for port, number in boards.items()
        ],
    )

    def kept(*units):
        with contextlib.ExitStack() as stack:
            for place, (name, port) in enumerate(units):
                journal = serve.journal_of(name, port, stack)
                assert journal is not None
                journal.add(4711, place, f"0 {name}")
        return {path.name for path in folder.glob("*.log")}

    assert len(kept(("unit", "/dev/ttyUSB0"), ("unit", "/dev/ttyUSB1"))) == 2  # of one name
    boards |= {"/dev/ttyACM0": "E661", "/dev/ttyACM1": "E662"}
    before = kept(("unit", "/dev/ttyACM0"), ("unit", "/dev/ttyACM1"))
    assert len(before) == 4
    boards |= {"/dev/ttyACM0": "E662", "/dev/ttyACM1": "E661"}
    assert kept(("unit", "/dev/ttyACM1")) == before
    (file,) = kept(("../../etc/passwd", "socket://127.0.0.1:1/../x")) - before
    assert file.startswith("served-") and len(file) == len("served-.log") + 16
    assert capsys.readouterr().err == ""


def ended(folder, *options):
    """Run a headless unit to the end of its input; return its exit code and standard error."""
    streams = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    unit = Emulated(folder, "--listen", ANY_PORT, "--until-eof", *options, **streams)
    _, said = unit.process.communicate(timeout=PATIENCE_S)
    return unit.process.returncode, said.splitlines()


@pytest.mark.real_time
def test_a_kept_game_of_an_unknown_form_is_set_aside_with_a_sentence(tmp_path):
    kept = tmp_path / "game.jsonl"
    kept.write_text('{"form": 3}\n')
    code, (said,) = ended(tmp_path, "--resume")
    assert code == 0 and str(kept) in said and "kept as" in said
    assert (kept.parent / "game.jsonl.unreadable-1").read_text() == '{"form": 3}\n'


@pytest.mark.real_time
def test_a_unit_runs_without_a_folder_for_its_game(folder, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(folder / "a.toml" / "settings.json"))
    code, said = ended(folder, "--resume")
    assert code == 0 and said[1:] == ["city-unit: This game cannot be saved: file exists"]


def test_a_record_and_a_journal_resume_with_space_and_say_so(folder, monkeypatch, capsys):
    disk, clock = Disk(monkeypatch, append_file), StandingClock()
    unit = Unit(Settings(), Draws(7).below)
    link = link_server.make_link(unit, "one")
    runner = Runner(unit, clock, link)
    record, journal = folder / "record", folder / "journal"
    keepers = Record(str(record), runner, link.boot), UnitJournal(link, journal)
    runner.switch(True)
    for disk.room, button in ((40, "auction"), (None, "build")):
        runner.tap(button)
        clock.move(2000)
        runner.advance()
        for keeper in keepers:
            keeper.note()
    said = capsys.readouterr().err.splitlines()
    for path in (record, journal):
        stopped, resumed = (sentence for sentence in said if str(path) in sentence)
        assert "no space left" in stopped and "nothing is lost" in resumed
    events = [json.loads(line).get("event") for line in record.read_text().splitlines()]
    happened = ["switched-on", "auction-started", "refused"]
    assert [event for event in events if event] == happened
    assert [line.split()[4].split("*")[0] for line in journal.read_text().splitlines()] == happened


@pytest.mark.real_time
def test_a_record_that_stays_incomplete_is_a_sentence_and_a_failure(tmp_path):
    code, said = ended(tmp_path, "--record", "/dev/full")
    assert code == 1 and len(said) == 2
    assert said[0].startswith("Warning: cannot write /dev/full: no space left on device.")
    assert said[1].startswith("city-unit: /dev/full lacks the last ")


# Options that mean different things in different commands.
OF_SEVERAL_THINGS = {
    *("--board", "--folder", "--force", "--json", "--keep", "--listen"),
    *("--micropython", "--out", "--picture", "--pin", "--plot", "--port", "--program"),
    *("--remove", "--seconds", "--seed"),
}


@pytest.fixture
def helped(run):
    """Return a function that returns the help of a command."""

    def helped(*words):
        code, out, _ = run(*words, "--help")
        assert code == 0
        return out

    return helped


def parsers(parser=None, name="city-unit"):
    """Yield the full name of each command, and its parser."""
    parser = parser or cli.PROGRAM.full_parser()
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


def test_the_help_has_four_groups_and_a_line_for_each_command(helped):
    shown = helped()
    groups = re.findall(r"^[A-Z][a-z]+:$", shown, re.MULTILINE)
    assert groups == ["Play:", "Build:", "Test:", "Talk:"]
    rows = dict(re.findall(r"^  ([a-z0-9]+) +(.+)$", shown, re.MULTILINE))
    for name, (_path, summary) in cli.PROGRAM.commands.items():
        assert rows[name] == str(summary)
        one = " ".join(helped(name).split())
        assert f"city-unit {name}" in one
        assert one.count("exit status: 0: ") == 1 and "130: stopped by Ctrl-C" in one
    assert "--terminal" not in shown  # an option of playing
    assert "--terminal" in helped("play")


def test_the_helps_of_the_lab_import_no_client_body_or_instrument():
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
    assert len(wordings["--port"]) == 3  # the port of a unit, of a board, of a web server


def test_help_is_as_narrow_as_its_terminal_and_breaks_no_path(helped, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1")
    assert "--terminal" in helped("play")
    monkeypatch.setenv("COLUMNS", "50")
    rows = helped("play").splitlines()
    path = str(preferences.settings_path())
    assert any(path in row for row in rows)
    assert all(len(row) <= 50 for row in rows if path not in row)


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("words", "ready"),
    [
        (["sim.cli", "web", "--no-open", "--port", "0"], "The unit is at"),
        (["sim.cli", "monitor", "--port", "{unit}"], "Connected to"),
        (["sim.cli", "serve", "{unit}", "--listen", ANY_PORT], "is served at"),
        (["sim.cli", *HEADLESS], "listens at"),
        (["firmware.virtual"], "/dev/"),
    ],
)
def test_ctrl_c_has_the_exit_status_of_every_help(words, ready, tmp_path):
    needs_posix()
    needs(unix() or words[0] != "firmware.virtual", "MicroPython's Unix port")
    unit = Emulated(tmp_path, "--listen", ANY_PORT)
    try:
        program = subprocess.Popen(
            [sys.executable, "-m", *(word.replace("{unit}", unit.port) for word in words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=unit.environment,
        )
        assert program.stdout is not None
        assert ready in program.stdout.readline()
        program.send_signal(signal.SIGINT)
        said = program.communicate(timeout=PATIENCE_S)[1]
    finally:
        unit.stop()
    assert (program.returncode, "Traceback" in said) == (STOPPED, False), said
