"""Every body's trace of an evening equals the core's on CPython, to the byte."""

import functools
import json

import pytest

from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.trace import replay
from city_unit.unit import Unit
from firmware.interpreters import ROOT, available, compiled
from firmware.tool.image import sources
from firmware.virtual.launch import VirtualBoard, lay
from tests.firmware.contact_scripts import JUST_BEFORE_THE_WRAP, SCRIPTS, SEED, STARTS
from tests.needs import needs

SWITCHED = "switch = 13\n"

# What the core's own replay is on an interpreter: the scripts come as JSON.
REPLAY = """
import json
from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.trace import replay
from city_unit.unit import Unit
for start, changes, end_ms in json.loads({scripts!r}):
    replay(Unit(Settings(), Draws({seed}).below), changes, start, end_ms, print)
"""


@functools.cache
def expected(name: str) -> str:
    return replayed(*SCRIPTS[name])


def replayed(changes, end_ms: int) -> str:
    lines: list[str] = []
    replay(Unit(Settings(), Draws(SEED).below), changes, 0, end_ms, lines.append)
    return "".join(line + "\n" for line in lines)


def core():
    """The files that the core's replay needs."""
    files = {name: path for name, path in sources().items() if name.startswith("city_unit/")}
    return {**files, "city_unit/trace.py": ROOT / "city_unit/trace.py"}


def all_replayed(run, files) -> str:
    scripts = [(start, *SCRIPTS[name]) for start in STARTS for name in SCRIPTS]
    return run(REPLAY.format(scripts=json.dumps(scripts), seed=SEED), files)


ALL_EXPECTED = "".join([expected(name) for _ in STARTS for name in SCRIPTS])


def test_the_scripts_meet_what_a_unit_can_do():
    for event in ("auction-ended", "permit-granted", "refused", "auction-cancelled", "hour-ended"):
        assert f'"event": "{event}"' in ALL_EXPECTED
    assert '"program": "timed"' in ALL_EXPECTED or '"program": "championship"' in ALL_EXPECTED


@pytest.mark.parametrize("port", ["unix", "32-bit"])
def test_the_core_from_source(port):
    needs(port in available(), f"the {port} MicroPython")
    assert all_replayed(available()[port], core()) == ALL_EXPECTED


@pytest.mark.parametrize("port", ["unix", "32-bit"])
def test_the_core_compiled(port, tmp_path):
    needs(port in available(), f"the {port} MicroPython")
    files = compiled(core(), tmp_path)
    assert all_replayed(available()[port], files) == ALL_EXPECTED


def board(tmp_path, compile_it=False, **world) -> VirtualBoard:
    needs("unix" in available(), "the unix MicroPython")
    folder = tmp_path / "board"
    folder.mkdir()
    lay(folder, compile_it)
    (folder / "pins.txt").write_text(SWITCHED)
    common = {"seed": SEED, "boot_ms": -100, "trace": "-"}
    return VirtualBoard(folder, pin_text=SWITCHED, world={**common, **world})


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", SCRIPTS)
def test_the_firmware_jumping(name, start, tmp_path):
    changes, end_ms = SCRIPTS[name]
    virtual = board(tmp_path, time="jump", start=start, changes=changes, end_ms=end_ms)
    assert virtual.run(tmp_path / "world.json") == expected(name)


def test_the_firmware_compiled(tmp_path):
    changes, end_ms = SCRIPTS["hour"]
    virtual = board(tmp_path, True, time="jump", changes=changes, end_ms=end_ms)
    assert virtual.run(tmp_path / "world.json") == expected("hour")


def test_the_firmware_awake_at_every_millisecond(tmp_path):
    changes, end_ms = SCRIPTS["auction"]
    virtual = board(
        tmp_path, time="steps", start=JUST_BEFORE_THE_WRAP, changes=changes, end_ms=end_ms
    )
    assert virtual.run(tmp_path / "world.json") == expected("auction")


def test_the_firmware_in_real_time(tmp_path, capsys):
    """Everything happens, in the right order; how late it is is printed, not asserted."""
    changes = SCRIPTS["permits"][0][:3]
    report = tmp_path / "report.json"
    world = {"boot_ms": -500, "end_ms": 3500, "report": str(report)}
    virtual = board(tmp_path, time="real", changes=changes, **world)
    told = virtual.run(tmp_path / "world.json").splitlines()
    assert by_kind(told) == by_kind(replayed(changes, 3500).splitlines())
    late = sorted(json.loads(report.read_text())["late_us"])
    assert late and late[0] >= 0
    with capsys.disabled():
        median = late[len(late) // 2]
        print(
            f"\nreal time: {len(late)} edges, late by {median} us (median), {late[-1]} us (worst)"
        )


def by_kind(lines: list[str]) -> dict[str, list]:
    """What is told, without its time, for events, lamps and tones apart."""
    told: dict[str, list] = {"event": [], "lamp": [], "tone": []}
    for line in map(json.loads, lines):
        del line["ms"]
        told[next(kind for kind in told if kind in line)].append(line)
    return told
