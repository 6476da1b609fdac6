"""Sigrok reads each edge and event in the waveform of every scenario."""

import json
import re
import shutil
import subprocess
import zipfile

import pytest

from city_unit.facts import LAMPS
from sim import cli
from tests.helpers.needs import needs, needs_modules
from tests.helpers.quick import some_quick
from tests.helpers.scenario_text import steps
from tests.scenarios import FOLDER, NAMES, expected, scenario

needs_modules("vcd", "numpy")

import numpy as np  # noqa: E402


def due(lines):
    """Return the changes (ms, value) of each signal that the waveform must contain."""
    lines = [json.loads(line) for line in lines]
    pitches = sorted({line["tone"] for line in lines if line.get("tone")})
    names = [lamp.replace("-", "_") for lamp in LAMPS]
    signals = {name: [] for name in (*names, "buzzer", *(f"buzzer_{hz}_hz" for hz in pitches))}
    for line in lines:
        ms = line["ms"]
        if "lamp" in line:
            signals[line["lamp"].replace("-", "_")].append((ms, int(line["on"])))
        elif "tone" in line:
            signals["buzzer"].append((ms, int(line["tone"] > 0)))
            for hz in pitches:
                signals[f"buzzer_{hz}_hz"].append((ms, int(line["tone"] == hz)))
        else:
            words = [value for value in line.values() if isinstance(value, str)]
            times = signals.setdefault("_".join(words).replace("-", "_"), [])
            times.append((ms, (len(times) + 1) % 2))
    return {name: changed(found) for name, found in signals.items()}


def changed(told):
    """Drop changes without effect, and all but the last in a millisecond."""
    changes = []
    last = 0
    for ms, value in sorted(dict(told).items()):
        if value != last:
            changes.append((ms, value))
        last = value
    return changes


def exported(folder, path):
    """Export the waveform of a scenario with `city-unit export`."""
    out = folder / "exported.vcd"
    assert cli.main(["export", str(path), str(out)]) == 0
    return out


def read_by_sigrok(path, folder):
    """Return the changes that sigrok reads, and the length in ms."""
    needs(shutil.which("sigrok-cli"), "sigrok-cli")
    words = ["sigrok-cli", "-l", "3", "-I", "vcd", "-i", path, "-O", "srzip", "-o", folder / "a.sr"]
    done = subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True)
    assert "kipping" not in done.stderr
    with zipfile.ZipFile(folder / "a.sr") as session:
        metadata = session.read("metadata").decode()
        parts = [name for name in session.namelist() if name.startswith("logic-1-")]
        parts.sort(key=lambda name: int(name.rpartition("-")[2]))
        raw = b"".join(session.read(part) for part in parts)
    width = int(re.search(r"unitsize=(\d+)", metadata)[1])
    samples = np.frombuffer(raw, np.uint8).reshape(-1, width)
    moved = np.any(
        np.diff(samples, axis=0, prepend=0), axis=1
    )  # few of the milliseconds of an hour
    (moments,) = np.nonzero(moved)
    assert re.search(r"samplerate=1 kHz", metadata)
    signals = {}
    for number, name in re.findall(r"^probe(\d+)=(\w+)$", metadata, re.MULTILINE):
        byte, bit = divmod(int(number) - 1, 8)
        levels = (samples[moments, byte] >> bit & 1).astype(np.int8)
        (places,) = np.nonzero(np.diff(levels, prepend=0))
        signals[name] = [(int(moments[place]), int(levels[place])) for place in places]
    return signals, len(samples)


@pytest.mark.parametrize("name", some_quick(NAMES, 8))
def test_sigrok_finds_every_edge_and_event(tmp_path, name):
    seen, samples = read_by_sigrok(exported(tmp_path, FOLDER / f"{name}.toml"), tmp_path)
    assert seen == due(expected(name))
    assert samples == scenario(name).end_ms


def test_two_refusals_in_the_same_millisecond(tmp_path):
    """Both buttons after the hour give two distinct events of one kind."""
    path = tmp_path / "over.toml"
    both = (("61 min", "tap build"), ("61 min", "tap auction"))
    moves = (("0 s", "switch on"), *both, ("62 min", "end"))
    path.write_text(steps(*moves, head='program = "timed"'))
    seen, _samples = read_by_sigrok(exported(tmp_path, path), tmp_path)
    refused = {name: found for name, found in seen.items() if name.startswith("refused")}
    assert refused == {
        "refused_auction_over": [(3_660_016, 1)],
        "refused_build_over": [(3_660_016, 1)],
    }
