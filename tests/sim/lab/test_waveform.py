"""The waveform of every scenario, read by programs of others: each edge and each event in it."""

import json
import re
import shutil
import signal
import subprocess
import zipfile

import pytest

from city_unit.facts import LAMPS
from sim import cli
from tests.helpers.needs import needs, needs_modules
from tests.helpers.quick import some_quick
from tests.scenarios import FOLDER, NAMES, expected, scenario

needs_modules("vcd", "vcdvcd", "numpy")

import numpy as np  # noqa: E402
from vcdvcd import VCDVCD  # noqa: E402

if hasattr(signal, "SIGPIPE"):  # vcdvcd lets a closed line kill the whole run of tests
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)

WIRES = tuple(lamp.replace("-", "_") for lamp in LAMPS)


def due(lines):
    """Return the changes `(ms, value)` of each signal that a trace's waveform must show."""
    lines = [json.loads(line) for line in lines]
    pitches = sorted({line["tone"] for line in lines if line.get("tone")})
    signals = {signal: [] for signal in (*WIRES, "buzzer", *map(_pitch, pitches))}
    for line in lines:
        ms = line["ms"]
        if "lamp" in line:
            signals[line["lamp"].replace("-", "_")].append((ms, int(line["on"])))
        elif "tone" in line:
            signals["buzzer"].append((ms, int(line["tone"] > 0)))
            for hz in pitches:
                signals[_pitch(hz)].append((ms, int(line["tone"] == hz)))
        else:
            words = [value for value in line.values() if isinstance(value, str)]
            event = "_".join(words).replace("-", "_")
            times = signals.setdefault(event, [])
            times.append((ms, (len(times) + 1) % 2))
    return {signal: changed(found) for signal, found in signals.items()}


def _pitch(hz):
    return f"buzzer_{hz}_hz"


def changed(told):
    """Return those `(ms, value)` that change a value, the last of a millisecond only."""
    changes = []
    last = 0
    for ms, value in sorted(dict(told).items()):
        if value != last:
            changes.append((ms, value))
        last = value
    return changes


def exported(folder, path):
    """Return the waveform of a scenario as `city-unit export` writes it."""
    out = folder / "exported.vcd"
    assert cli.main(["export", str(path), str(out)]) == 0
    return out


def run(*words):
    needs(shutil.which(words[0]), words[0])
    words = [str(word) for word in words]
    return subprocess.run(words, check=True, capture_output=True, text=True).stderr


def read_by_vcdvcd(path):
    """Return what vcdvcd finds."""
    signals = {}
    for wave in VCDVCD(str(path)).data.values():
        name = wave.references[0].rpartition(".")[2]
        signals[name] = changed([(ms, int(float(value))) for ms, value in wave.tv])
    return signals


def read_by_gtkwave(path, folder):
    """Read the file that GTKWave's own converter makes of its own database of a waveform.

    That file is plain enough for a reader of a few lines: one change or one time in each.
    """
    run("vcd2fst", "-v", path, "-f", folder / "a.fst")
    run("fst2vcd", "-f", folder / "a.fst", "-o", folder / "back.vcd")
    names, told, ms = {}, {}, 0
    for line in (folder / "back.vcd").read_text().splitlines():
        if declared := re.match(r"\$var \w+ \d+ (\S+) (\w+)", line):
            names[declared[1]] = declared[2]
            told[declared[2]] = []
        elif line.startswith("#"):
            ms = int(line[1:])
        elif bit := re.fullmatch(r"([01])(\S+)", line):
            told[names[bit[2]]].append((ms, int(bit[1])))
    return {name: changed(found) for name, found in told.items()}


def read_by_sigrok(path, folder):
    """Return what sigrok shows, and for how many milliseconds; it skips nothing."""
    told = run(
        "sigrok-cli", "-l", "3", "-I", "vcd", "-i", path, "-O", "srzip", "-o", folder / "a.sr"
    )
    assert "kipping" not in told
    with zipfile.ZipFile(folder / "a.sr") as session:
        metadata = session.read("metadata").decode()
        parts = sorted(
            (name for name in session.namelist() if name.startswith("logic-1-")),
            key=lambda name: int(name.rpartition("-")[2]),
        )
        raw = b"".join(session.read(part) for part in parts)
    width = int(re.search(r"unitsize=(\d+)", metadata)[1])
    samples = np.frombuffer(raw, np.uint8).reshape(-1, width)
    moved = np.any(np.diff(samples, axis=0, prepend=0), axis=1)  # few in an hour of milliseconds
    (moments,) = np.nonzero(moved)
    assert re.search(r"samplerate=1 kHz", metadata)
    signals = {}
    for number, name in re.findall(r"^probe(\d+)=(\w+)$", metadata, re.MULTILINE):
        byte, bit = divmod(int(number) - 1, 8)
        levels = (samples[moments, byte] >> bit & 1).astype(np.int8)
        (places,) = np.nonzero(np.diff(levels, prepend=0))
        signals[name] = [(int(moments[place]), int(levels[place])) for place in places]
    return signals, len(samples)


@pytest.mark.parametrize("name", NAMES)
def test_programs_of_others_find_every_edge_and_event(tmp_path, name):
    path, wanted = exported(tmp_path, FOLDER / f"{name}.toml"), due(expected(name))
    assert read_by_vcdvcd(path) == wanted
    assert read_by_gtkwave(path, tmp_path) == wanted


@pytest.mark.parametrize("name", some_quick(NAMES, 8))
def test_sigrok_finds_every_edge_and_event(tmp_path, name):
    seen, samples = read_by_sigrok(exported(tmp_path, FOLDER / f"{name}.toml"), tmp_path)
    assert seen == due(expected(name))
    assert samples == scenario(name).end_ms


def test_two_refusals_in_the_same_millisecond(tmp_path):
    """Both buttons when the time is over: two events of one kind, told apart."""
    path = tmp_path / "over.toml"
    path.write_text(
        'program = "timed"\n'
        '[[steps]]\nat = "0 s"\ndo = "switch on"\n'
        '[[steps]]\nat = "61 min"\ndo = "tap build"\n'
        '[[steps]]\nat = "61 min"\ndo = "tap auction"\n'
        '[[steps]]\nat = "62 min"\ndo = "end"\n'
    )
    seen = read_by_vcdvcd(exported(tmp_path, path))
    refused = {name: found for name, found in seen.items() if name.startswith("refused")}
    assert refused == {
        "refused_auction_over": [(3_660_016, 1)],
        "refused_build_over": [(3_660_016, 1)],
    }
