"""Sessions of sigrok and PulseView (.sr): a ZIP of raw samples, and of what they are."""

import configparser
import re
import zipfile
from collections.abc import Iterator

from city_unit.desktop.catalogue import _
from sim.instrument.digital import Capture, line_of

_RATE = re.compile(r"([0-9.]+)\s*([kMG]?)Hz", re.IGNORECASE)
_TIMES = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_PROBE = re.compile(r"probe([0-9]+)")
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
    changes: dict[str, list[tuple[int, int]]] = {name: [] for name in probes}
    samples, last = 0, None
    for count, value in _runs(_parts(session, device["capturefile"]), width):
        changed = -1 if last is None else value ^ last  # each line has a level in the beginning
        for name, bit in probes.items():
            if changed >> bit & 1:
                changes[name].append((samples * 1_000_000_000 // rate, value >> bit & 1))
        samples += count
        last = value
    lines = {name: line_of(found) for name, found in changes.items()}
    return Capture(lines, samples * 1_000_000_000 // rate, 1_000_000_000 // rate)


def _hertz(words: str) -> int:
    found = _RATE.fullmatch(words.strip())
    hertz = int(float(found[1]) * _TIMES[found[2].lower()]) if found else 0
    if not hertz:
        raise ValueError(_("it does not say how many samples a second it has"))
    return hertz


def _parts(session: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Yield the samples, which lie in one file or in several that are numbered from 1."""
    names = set(session.namelist())
    if name in names:
        yield session.read(name)
    number = 1
    while f"{name}-{number}" in names:
        yield session.read(f"{name}-{number}")
        number += 1


def _runs(parts: Iterator[bytes], width: int) -> Iterator[tuple[int, int]]:
    """Yield each run of equal samples `(how many, value)`.

    A regular expression finds them: thousands of times faster than a loop over the samples.
    """
    run = re.compile(b"(.{%d})\\1*" % width, re.DOTALL)
    left = b""
    for part in parts:
        data = left + part
        whole = len(data) - len(data) % width
        left = data[whole:]
        for found in run.finditer(data, 0, whole):
            yield (found.end() - found.start()) // width, int.from_bytes(found[1], "little")
