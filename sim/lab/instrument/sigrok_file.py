"""Sessions of sigrok and PulseView (.sr): a ZIP of raw samples and their description."""

import configparser
import re
import zipfile
from array import array
from collections.abc import Iterable, Iterator, Sequence

from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import number
from sim.lab.instrument.digital import MOST_EDGES, Capture, Line

try:
    import numpy as np
except ImportError:  # slower, but the same
    np = None

_RATE = re.compile(r"([0-9.]+)\s*([kMG]?)Hz", re.IGNORECASE)
_TIMES = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_PROBE = re.compile(r"probe([0-9]+)")
_PIECE = 1 << 22  # bytes
_KINDS = {1: "u1", 2: "<u2", 4: "<u4", 8: "<u8"}
_WIDEST = 8  # bytes of a sample; an analyser has no more lines


def read(path: str) -> Capture:
    """Read a session; raises OSError, ValueError."""
    try:
        with zipfile.ZipFile(path) as session:
            return _read(session)
    except (zipfile.BadZipFile, KeyError, configparser.Error, EOFError) as error:
        words = _("it is no whole session of sigrok: {why}").format(why=error)
        raise ValueError(words) from None


def _read(session: zipfile.ZipFile) -> Capture:
    metadata = configparser.ConfigParser(interpolation=None)
    metadata.read_string(session.read("metadata").decode("utf-8", "replace"))
    device = next(
        (metadata[name] for name in metadata.sections() if "capturefile" in metadata[name]), None
    )
    if device is None:
        raise ValueError(_("it holds no lines of bits"))
    rate = _hertz(device.get("samplerate", ""))
    width = int(device.get("unitsize", "1"))
    if not 1 <= width <= _WIDEST:
        raise ValueError(_("its samples are {width} bytes wide").format(width=width))
    probes = {
        name: int(found[1]) - 1
        for key, name in device.items()
        if (found := _PROBE.fullmatch(key)) and int(found[1]) <= 8 * width
    }
    turns = {name: array("q") for name in probes}
    firsts = dict.fromkeys(probes, 0)
    samples, last = 0, None
    for places, values, count in _changes(_parts(session, device["capturefile"]), width):
        for place, value in zip(places, values, strict=True):
            if last is None:
                firsts = {name: value >> bit & 1 for name, bit in probes.items()}
            else:
                ns = (samples + place) * 1_000_000_000 // rate
                for name, bit in probes.items():
                    if (value ^ last) >> bit & 1:
                        turns[name].append(ns)
            last = value
        samples += count
        if sum(map(len, turns.values())) > MOST_EDGES:
            raise ValueError(_("it has more than {count} edges").format(count=number(MOST_EDGES)))
    lines = {name: Line(firsts[name], turns[name]) for name in probes}
    return Capture(lines, samples * 1_000_000_000 // rate, 1_000_000_000 // rate)


def _hertz(words: str) -> int:
    found = _RATE.fullmatch(words.strip())
    hertz = int(float(found[1]) * _TIMES[found[2].lower()]) if found else 0
    if not hertz:
        raise ValueError(_("it does not say how many samples a second it has"))
    return hertz


def _parts(session: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Yield the samples in pieces; they lie in one file or in several, numbered from 1."""
    names = set(session.namelist())
    parts = [name] if name in names else []
    number_of_part = 1
    while f"{name}-{number_of_part}" in names:
        parts.append(f"{name}-{number_of_part}")
        number_of_part += 1
    for part in parts:
        with session.open(part) as file:
            while piece := file.read(_PIECE):
                yield piece


def _changes(
    parts: Iterable[bytes], width: int
) -> Iterator[tuple[Sequence[int], Sequence[int], int]]:
    """Yield for each piece the samples that differ from the one before, their values, its length.

    The work in Python grows with the changes; numpy, or a regular expression, passes the rest.
    """
    left = b""
    for part in parts:
        data = left + part
        whole = len(data) - len(data) % width
        data, left = data[:whole], data[whole:]
        if not data:
            continue
        if np is None or width not in _KINDS:
            run = re.compile(b"(.{%d})\\1*" % width, re.DOTALL)
            found = [(at.start(), at[1]) for at in run.finditer(data)]
            places = [start // width for start, _value in found]
            yield places, [int.from_bytes(v, "little") for _s, v in found], whole // width
            continue
        samples = np.frombuffer(data, _KINDS[width])
        at = np.concatenate(([0], np.flatnonzero(samples[1:] != samples[:-1]) + 1))
        yield at.tolist(), samples[at].tolist(), len(samples)
