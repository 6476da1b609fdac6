"""Every body's trace of a scenario equals the one that is expected, to the byte."""

import dataclasses
import functools
import json

import pytest

from city_unit.settings import Settings
from firmware.board.store import settings_text
from firmware.tool.image import ROOT, sources
from firmware.virtual.launch import VirtualBoard, lay
from sim.engine import virtual
from tests.helpers.interpreters import available, compiled
from tests.helpers.needs import needs
from tests.helpers.patience import until
from tests.helpers.quick import some_quick
from tests.scenarios import NAMES, at_the_pins, expected, scenario

STARTS = (0, (1 << 30) - 700)  # the second lets the clock wrap inside every scenario
SWITCHED = "switch = 13\n"

# The core's own replay on an interpreter: the scenarios come as JSON.
REPLAY = """
import json
from city_unit.draws import Draws
from city_unit.programs import PROGRAMS
from city_unit.settings import Settings
from city_unit.drive import replay
from city_unit.unit import Unit
for start, program, seed, changes, end_ms in json.loads({scenarios!r}):
    settings = Settings()
    settings.choose([known for known in PROGRAMS if known.name == program][0])
    replay(Unit(settings, Draws(seed).below), changes, start, end_ms, print)
"""


def core():
    """The files that the core's replay needs."""
    files = {name: path for name, path in sources().items() if name.startswith("city_unit/")}
    more = ("city_unit/drive.py", "city_unit/trace.py")
    return {**files, **{name: ROOT / name for name in more}}


def replay_all(run, files) -> list[str]:
    every = [(start, scenario(name)) for start in STARTS for name in NAMES]
    data = [
        (start, told.program.name, told.seed, list(told.changes), told.end_ms)
        for start, told in every
    ]
    return run(REPLAY.format(scenarios=json.dumps(data)), files).splitlines()


def all_expected() -> list[str]:
    return [line for _ in STARTS for name in NAMES for line in expected(name)]


@pytest.mark.parametrize("compile_it", some_quick([True, False], 1), ids=["compiled", "source"])
@pytest.mark.parametrize("port", some_quick(["32-bit", "unix"], 1))
def test_the_core(port, compile_it, tmp_path):
    needs(port in available(), f"the {port} MicroPython")
    files = compiled(core(), tmp_path) if compile_it else core()
    assert replay_all(available()[port], files) == all_expected()


@functools.cache
def image(folder, compile_it: bool) -> None:
    lay(folder, compile_it)
    (folder / "pins.txt").write_text(SWITCHED)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two boards, one with the firmware's sources and one with it compiled."""
    needs("unix" in available(), "the unix MicroPython")
    return {how: tmp_path_factory.mktemp("board") for how in (False, True)}


def board(folders, name: str, compile_it: bool = False, **world) -> VirtualBoard:
    """Return a board that is to live through a scenario."""
    one = scenario(name)
    folder = folders[compile_it]
    image(folder, compile_it)
    settings = Settings()
    settings.choose(one.program)
    (folder / "settings.txt").write_text(settings_text(settings))
    common = {"seed": one.seed, "boot_ms": -100, "changes": list(one.changes), "end_ms": one.end_ms}
    return VirtualBoard(folder, pin_text=SWITCHED, world={**common, "trace": "-", **world})


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", some_quick(NAMES, 8))
def test_the_firmware_jumping(name, start, folders, tmp_path):
    virtual = board(folders, name, time="jump", start=start)
    assert virtual.run(tmp_path / "world.json").splitlines() == at_the_pins(name)


@pytest.mark.parametrize("name", ["hour", "championship", "setup-left"])
def test_the_firmware_compiled(name, folders, tmp_path):
    virtual = board(folders, name, True, time="jump", start=STARTS[1])
    assert virtual.run(tmp_path / "world.json").splitlines() == expected(name)


@pytest.mark.parametrize("name", some_quick(["bounce", "auction"], 1))
def test_the_firmware_awake_at_every_millisecond(name, folders, tmp_path):
    virtual = board(folders, name, time="steps", start=STARTS[1])
    assert virtual.run(tmp_path / "world.json").splitlines() == expected(name)


@pytest.mark.real_time
def test_the_firmware_in_real_time(folders, tmp_path, capsys):
    """Everything happens, in the right order; how late it is is printed, not asserted.

    A machine that stands still for as long as a press lasts does not see it: it is lived again.
    """
    report = tmp_path / "report.json"
    short = dataclasses.replace(scenario("permit-1"), end_ms=4000)
    wanted: list[str] = []
    virtual.trace(short, 0, wanted.append)
    world = {"boot_ms": -500, "changes": list(short.changes), "end_ms": 4000, "report": str(report)}
    real = board(folders, "permit-1", time="real", **world)
    told = []

    def is_as_wanted():
        told[:] = real.run(tmp_path / "world.json").splitlines()
        return by_kind(told) == by_kind(wanted)

    until(is_as_wanted, lambda: told)
    late = sorted(json.loads(report.read_text())["late_us"])
    assert len(late) > 20
    assert late[0] >= 0
    with capsys.disabled():
        median = late[len(late) // 2]
        print(
            f"\nreal time: {len(late)} edges, late by {median} us (median), {late[-1]} us (worst)"
        )


def by_kind(lines: list[str]) -> dict[str, list]:
    """The news without its times, for events, lamps and tones apart."""
    told: dict[str, list] = {"event": [], "lamp": [], "tone": []}
    for line in map(json.loads, lines):
        del line["ms"]
        told[next(kind for kind in told if kind in line)].append(line)
    return told
