"""The traces of the core and of the firmware equal the expected traces to the byte."""

import json

import pytest

from city_unit.settings import Settings
from firmware.board.store import settings_text
from firmware.tool.image import ROOT, sources
from firmware.virtual.launch import PINS, VirtualBoard, lay
from tests.helpers.interpreters import available, compiled
from tests.helpers.needs import needs
from tests.helpers.quick import some_quick
from tests.scenarios import NAMES, at_the_pins, expected, scenario

STARTS = (0, (1 << 30) - 700)  # with the second, the clock wraps inside every scenario

# Replays scenarios, given as JSON, with the core alone, and passes each line to {write}.
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
    replay(Unit(settings, Draws(seed).below), changes, start, end_ms, {write})
"""


def core():
    """Return the files needed for the core's replay."""
    files = {name: path for name, path in sources().items() if name.startswith("city_unit/")}
    more = ("city_unit/drive.py", "city_unit/trace.py")
    return {**files, **{name: ROOT / name for name in more}}


def replay_of_all(write):
    """Return a program for MicroPython that replays every scenario from each start."""
    every = [(start, scenario(name)) for start in STARTS for name in NAMES]
    data = [(at, one.program.name, one.seed, list(one.changes), one.end_ms) for at, one in every]
    return REPLAY.format(scenarios=json.dumps(data), write=write)


def all_traces():
    return [line for _ in STARTS for name in NAMES for line in expected(name)]


@pytest.mark.parametrize("compile_it", some_quick([True, False], 1), ids=["compiled", "source"])
@pytest.mark.parametrize("port", some_quick(["32-bit", "unix"], 1))
def test_the_core(port, compile_it, tmp_path):
    needs(port in available(), f"the {port} MicroPython")
    files = compiled(core(), tmp_path) if compile_it else core()
    printed = available()[port](replay_of_all("print"), files).splitlines()
    assert printed == all_traces()


@pytest.fixture
def lived(folder, tmp_path):
    """Return a function that runs a scenario on a virtual board and returns its trace."""

    def lived(name: str, start: int, time: str, compile_it: bool = False) -> list[str]:
        lay(folder, compile_it)
        (folder / "pins.txt").write_text(PINS)
        one, settings = scenario(name), Settings()
        settings.choose(one.program)
        (folder / "settings.txt").write_text(settings_text(settings))
        world = {"time": time, "start": start, "seed": one.seed, "boot_ms": -100, "trace": "-"}
        world |= {"changes": list(one.changes), "end_ms": one.end_ms}
        board = VirtualBoard(folder, pin_text=PINS, world=world)
        return board.run(tmp_path / "world.json").splitlines()

    return lived


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", some_quick(NAMES, 8))
def test_the_firmware_jumping(name, start, lived):
    assert lived(name, start, "jump") == at_the_pins(name)


@pytest.mark.parametrize("name", ["hour", "championship", "setup-left"])
def test_the_firmware_compiled(name, lived):
    assert lived(name, STARTS[1], "jump", compile_it=True) == expected(name)


@pytest.mark.parametrize("name", some_quick(["bounce", "auction"], 1))
def test_the_firmware_awake_at_every_millisecond(name, lived):
    assert lived(name, STARTS[1], "steps") == expected(name)
