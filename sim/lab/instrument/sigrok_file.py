"""Sessions of sigrok and PulseView (.sr): a ZIP of raw samples and their description."""

import configparser
import re
import zipfile
import zlib
from array import array
from collections.abc import Iterator

from city_unit.desktop.catalogue import _
from city_unit.desktop.forms import number
from sim.lab.instrument.digital import MOST_EDGES, Capture, Line, arrays, hertz

np = arrays()
_PROBE = re.compile(r"probe([0-9]{1,3})")
_WIDTH = re.compile(r"[1-8]")  # bytes of a sample; an analyser has no more than 64 lines
_MOST_METADATA = 1 << 18  # bytes
_PIECE = 1 << 20  # samples
_KINDS = {1: "u1", 2: "<u2", 4: "<u4", 8: "<u8"}


def read(path: str) -> Capture:
    """Read a session; raises OSError, ValueError."""
    try:
        with zipfile.ZipFile(path) as session:
            return _read(session)
    except (zipfile.BadZipFile, zlib.error, KeyError, configparser.Error, EOFError,
            NotImplementedError, RuntimeError) as error:  # fmt: skip
        words = _("it is no whole session of sigrok: {why}").format(why=error)
        raise ValueError(words) from None


def _read(session: zipfile.ZipFile) -> Capture:
    metadata = configparser.ConfigParser(interpolation=None)
    with session.open("metadata") as file:
        metadata.read_string(file.read(_MOST_METADATA).decode("utf-8", "replace"))
    device = next(
        (metadata[name] for name in metadata.sections() if "capturefile" in metadata[name]), None
    )
    if device is None:
        raise ValueError(_("it holds no lines of bits"))
    rate = round(hertz(device.get("samplerate", "")))
    if not rate:
        raise ValueError(_("it does not say how many samples a second it has"))
    unit = device.get("unitsize", "1")
    if not _WIDTH.fullmatch(unit):
        raise ValueError(_("its samples are {width} bytes wide").format(width=unit[:20]))
    width = int(unit)
    bits = {
        name: int(found[1]) - 1
        for key, name in device.items()
        if (found := _PROBE.fullmatch(key)) and 0 < int(found[1]) <= 8 * width
    }
    turns = {name: array("q") for name in bits}
    firsts = dict.fromkeys(bits, 0)
    samples, last = 0, None
    for piece in _pieces(session, device["capturefile"], width):
        if last is None:
            last = int.from_bytes(piece[:width], "little")
            firsts = {name: last >> bit & 1 for name, bit in bits.items()}
        add = _add_slowly if np is None or width not in _KINDS else _add
        add(piece, width, last, (samples, rate), [(turns[name], bit) for name, bit in bits.items()])
        last = int.from_bytes(piece[-width:], "little")
        samples += len(piece) // width
        if sum(map(len, turns.values())) > MOST_EDGES:
            raise ValueError(_("it has more than {count} edges").format(count=number(MOST_EDGES)))
    lines = {name: Line(firsts[name], turns[name]) for name in bits}
    return Capture(lines, samples * 1_000_000_000 // rate, 1_000_000_000 // rate)


def _pieces(session: zipfile.ZipFile, name: str, width: int) -> Iterator[bytes]:
    """Yield the samples in pieces; they lie in one file or in several, numbered from 1."""
    names = set(session.namelist())
    parts = [name] if name in names else []
    while f"{name}-{len(parts) + 1}" in names:
        parts.append(f"{name}-{len(parts) + 1}")
    left = b""
    for part in parts:
        with session.open(part) as file:
            while data := file.read(_PIECE * width):
                left += data
                whole = len(left) - len(left) % width
                if whole:
                    yield left[:whole]
                left = left[whole:]


# Each takes samples, their width, the one before them, how many came before at which rate, and
# lines with their bits. The work in Python grows with the changes and not with the samples.


def _add(
    piece: bytes, width: int, last: int, since: tuple[int, int], lines: list[tuple[array, int]]
) -> None:
    samples = np.frombuffer(piece, _KINDS[width])
    at = np.flatnonzero(samples[1:] != samples[:-1]) + 1
    if int(samples[0]) != last:
        at = np.concatenate(([0], at))
    values = np.concatenate((np.array([last], samples.dtype), samples[at]))
    whole, rest = divmod(since[0] * 1_000_000_000, since[1])
    ns = whole + (rest + at.astype(np.int64) * 1_000_000_000) // since[1]
    differ = values[1:] ^ values[:-1]
    for turns, bit in lines:
        turns.frombytes(ns[(differ >> samples.dtype.type(bit)) & 1 == 1].tobytes())


def _add_slowly(
    piece: bytes, width: int, last: int, since: tuple[int, int], lines: list[tuple[array, int]]
) -> None:
    for at in re.finditer(b"(.{%d})\\1*" % width, piece, re.DOTALL):
        value = int.from_bytes(at[1], "little")
        ns = (since[0] + at.start() // width) * 1_000_000_000 // since[1]
        for turns, bit in lines:
            if (value ^ last) >> bit & 1:
                turns.append(ns)
        last = value
