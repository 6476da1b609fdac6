"""The decoder in the real sigrok-cli annotates exactly the cues and events of a scenario."""

import os
import re
import shutil
import subprocess

import pytest

from city_unit.facts import LAMPS
from sim import cli
from sim.engine import scenario, virtual
from tests.helpers.needs import needs, needs_modules
from tests.helpers.scenario_text import steps
from tests.scenarios import FOLDER
from tests.sim.lab.instrument.analyser import Analyser

needs_modules("vcd")

STEPS = (("0 s", "switch on"), ("2 s", "tap build"), ("20 s", "tap auction"), ("80 s", "end"))
SHOWN = ("-A", "city_unit=event", "--protocol-decoder-samplenum")


@pytest.fixture
def decoded(tmp_path):
    needs(shutil.which("sigrok-cli"), "sigrok-cli")
    assert cli.main(["decoder", "--folder", str(tmp_path / "decoders")]) == 0

    def decode(path, names):
        wires = ":".join(f"{name}={names(name)}" for name in (*LAMPS, "buzzer"))
        form = ["-I", "vcd"] if path.suffix == ".vcd" else []
        done = subprocess.run(
            ["sigrok-cli", *form, "-i", str(path), "-P", f"city_unit:{wires}", *SHOWN],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "SIGROKDECODE_DIR": str(tmp_path / "decoders")},
        )
        found = re.findall(r"^([0-9]+)-[0-9]+ city_unit-1: (.*)$", done.stdout, re.MULTILINE)
        return [(int(sample), name) for sample, name in found]

    return decode


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.toml"
    path.write_text(steps(*STEPS, head=""))
    return path


def told(path):
    """Return the events of a scenario that have a cue."""
    shown = virtual.run(scenario.load(str(path)))
    return [
        (ms, f"permit-{fields['permit']}" if kind == "permit-granted" else kind)
        for ms, kind, fields in shown.events
    ]


def test_our_own_export(tmp_path, decoded, game):
    vcd = tmp_path / "a.vcd"
    assert cli.main(["export", str(game), str(vcd)]) == 0
    assert decoded(vcd, lambda name: name.replace("-", "_")) == told(game)


@pytest.mark.parametrize("name", ["auction", "permit"])
def test_a_capture_of_swings(tmp_path, decoded, game, name):
    path = FOLDER / "auction.toml" if name == "auction" else game
    capture = Analyser(path, before_ms=1000).vcd(tmp_path / "a.vcd", tick_ns=10_000)
    found = decoded(capture, lambda line: line)
    due = told(path)
    assert [name for _sample, name in found] == [name for _ms, name in due]
    for (sample, _), (ms, _) in zip(found, due, strict=True):
        assert 0 <= sample / 100 - 1000 - ms < 1
