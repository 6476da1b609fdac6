"""Captures from the file of any analyser's program: CSV, VCD, sessions of sigrok and PulseView.

Of a CSV the first column is the time, if its heading says so or its values are no bits; else the
file must say how many samples a second it has, as sigrok's does in a comment. A session is a ZIP of
raw samples and their description. A VCD is what every simulator writes too.
"""

import configparser
import csv
import io
import math
import re
import warnings
import zipfile
import zlib
from array import array
from collections.abc import Iterator
from itertools import groupby, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TextIO

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UNCHECKED, UserError, at
from city_unit.desktop.files import reason
from city_unit.desktop.forms import number
from sim.lab.instrument.digital import (
    EVENTS,
    LONGEST_NS,
    MOST_EDGES,
    MOST_LINES,
    PITCH,
    Capture,
    Line,
    arrays,
    hertz,
    line_of,
)

if TYPE_CHECKING:
    from vcd.reader import Token


def load(path: str) -> Capture:
    """Read a capture; raises UserError."""
    kind = Path(path).suffix.lower()
    if kind not in (".vcd", ".sr", ".csv"):
        words = _(
            "{path}: a capture is a .vcd, a .sr of sigrok or a .csv; "
            "export one of these from the analyser's program"
        )
        raise UserError(words.format(path=path))
    try:
        if kind == ".vcd":
            capture = read_vcd(path)
        else:
            capture = read_session(path) if kind == ".sr" else read_table(path)
    except OSError as error:
        raise UserError(at(path, reason(error))) from None
    except ValueError as error:
        words = _("{path}: this capture cannot be read: {why}")
        raise UserError(words.format(path=path, why=error)) from None
    if not (capture.lines or capture.buses):
        raise UserError(_("{path}: there is no line of bits in this capture").format(path=path))
    return capture


np = arrays()
_TIME = re.compile(r".*\b(?:time|seconds|samples)\b[^a-z]*?([munp]?s)?[^a-z]*", re.IGNORECASE)
_RATE = re.compile(r".*samplerate:(.*)", re.IGNORECASE)
_CHANNELS = re.compile(r".*channels \([0-9]+/[0-9]+\):\s*(.*)", re.IGNORECASE)
_UNIT_NS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "ps": 1e-3, "fs": 1e-6}
_LEVELS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "low": 0, "high": 1, "false": 0, "true": 1}
_COMMENTS = (";", "#", "META")
_LONGEST_LINE = 100_000
_CELLS = 400_000  # that are read at once


def read_table(path: str) -> Capture:
    """Read a CSV; raises OSError, ValueError."""
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        try:
            return _Reader().read(file)
        except csv.Error as error:  # as of a quote that never ends
            raise ValueError(str(error)) from None


class _Odd(Exception):
    """The table has more than times and 0 or 1, or it has a mistake."""


def _of_numbers(file: TextIO, lines: int, unit: float) -> tuple[list[Line], int, bool]:
    """Read the rows of a table that has only times and 0 or 1, ten times as fast as row by row.

    Return the lines, the last time in ns, and whether it says when the capture ended. Raises _Odd.
    """
    found: list[Line] = []
    rest = iter(lambda: file.readline(_LONGEST_LINE), "")
    start = end = 0.0
    last = None
    is_new = False
    while piece := list(islice(rest, max(1, _CELLS // (lines + 1)))):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of an empty row
                rows = np.loadtxt(
                    piece, delimiter=",", comments=None, ndmin=2, usecols=range(lines + 1)
                )
        except ValueError:
            raise _Odd from None
        if not len(rows):
            continue
        times, levels = rows[:, 0], rows[:, 1:]
        if not np.isfinite(times).all() or not _are_bits(piece, levels.shape):
            raise _Odd
        is_single = last is None and len(rows) == 1
        if last is None:
            start = end = float(times[0])
            last = levels[:1]
            found = [Line(int(level), array("q")) for level in last[0]]
        is_right = (np.diff(times, prepend=end) >= 0).all() and np.isin(levels, (0, 1)).all()
        if not is_right or not (float(times[-1]) - start) * unit < LONGEST_NS:
            raise _Odd
        ns = np.rint((times - start) * unit).astype(np.int64)
        changed = np.diff(levels, axis=0, prepend=last) != 0
        for place, each in enumerate(found):
            each.turns.frombytes(ns[changed[:, place]].tobytes())
        end, last, is_new = float(times[-1]), levels[-1:], is_single or bool(changed[-1].any())
    if last is None:
        raise _Odd
    return found, round((end - start) * unit), not is_new


def _are_bits(rows: list[str], shape: tuple[int, int]) -> bool:
    """Return whether each level is written as one digit: "01" is a number too, and two bits.

    shape  how many rows and lines there are
    """
    letters = np.frombuffer("".join([*rows, "\n"]).replace(" ", "").encode(), np.uint8)
    commas = np.flatnonzero(letters == ord(","))
    if len(commas) % shape[0]:
        return False
    at = commas.reshape(shape[0], -1)[:, : shape[1]]
    ends = letters[at + 2]
    return bool(((ends == ord(",")) | (ends == ord("\n")) | (ends == ord("\r"))).all())


class _Reader:
    def __init__(self) -> None:
        self._rate = 0.0
        self._announced: list[str] = []  # names in a comment, where the heading has only kinds

    def read(self, file: TextIO) -> Capture:
        heading = next(self._rows(file), None)
        if heading is None:
            raise ValueError(_("it is empty"))
        if all(word.strip().lower() in _LEVELS for word in heading):
            raise ValueError(_("its first line names no lines"))
        timed = _TIME.fullmatch(heading[0])
        if not timed and not self._rate:
            raise ValueError(_("neither a column of times nor a rate of samples is in it"))
        names = [name.strip() for name in heading[1 if timed else 0 :]]
        if len(self._announced) == len(names) and len(set(names)) < len(names):
            names = self._announced  # sigrok's heading has kinds, its comment the names
        names = names[: len(names) - 2 * (names[-2:] == [PITCH, EVENTS])]
        if len(names) > MOST_LINES:
            raise ValueError(_("it has more than {count} lines").format(count=number(MOST_LINES)))
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise ValueError(_('several of its lines are called "{name}"').format(name=twice))
        unit = 1e9 / self._rate if self._rate else _UNIT_NS[((timed and timed[1]) or "s").lower()]
        if timed and not self._rate and np is not None:
            below = file.tell()
            try:
                found, end_ns, has_end = _of_numbers(file, len(names), unit)
                return Capture(dict(zip(names, found, strict=True)), end_ns, 0, has_end)
            except _Odd:
                file.seek(below)
        changes: list[list[tuple[int, int]]] = [[] for _ in names]
        start: float | None = None
        ns = count = last = 0
        is_new = False
        for row, same in _alike(file) if self._rate else ((row, 1) for row in self._rows(file)):
            count, last = last + 1, last + same
            levels = row[1:] if timed else row
            if len(levels) < len(names):
                words = _("row {row} has {count} values, not {wanted}")
                raise ValueError(words.format(row=count, count=len(row), wanted=len(heading)))
            try:
                at = float(count - 1 if self._rate else row[0])
            except ValueError:
                at = math.nan
            if not math.isfinite(at):
                words = _('row {row}: "{word}" is no time')
                raise ValueError(words.format(row=count, word=row[0][:60]))
            start = at if start is None else start
            if not abs(at - start) * unit < LONGEST_NS:
                raise ValueError(_("it is longer than a hundred years"))
            before, ns = ns, round((at - start) * unit)
            if ns < before:
                words = _("row {row} is earlier than the row above it").format(row=count)
                raise ValueError(words)
            is_new = False
            for found, word in zip(changes, levels, strict=False):
                level = _LEVELS.get(word.strip().lower())
                if level is None:
                    words = _('row {row}: "{word}" is no level; export the digital lines')
                    raise ValueError(words.format(row=count, word=word))
                if not found or found[-1][1] != level:
                    found.append((ns, level))
                    is_new = True
            if same > 1:
                ns, is_new = round((last - 1) * unit), False
        if not count:
            raise ValueError(_("there is nothing below its heading"))
        grain = round(unit) if self._rate else 0
        lines = {name: line_of(found) for name, found in zip(names, changes, strict=True)}
        return Capture(lines, ns + grain, grain, has_end=bool(self._rate) or not is_new)

    def _rows(self, file: TextIO) -> Iterator[list[str]]:
        return (row for row in csv.reader(self._bare(file)) if row)

    def _bare(self, file: TextIO) -> Iterator[str]:
        """Yield the lines without comments; some comments announce the rate and the names."""
        while line := file.readline(_LONGEST_LINE):
            if not line.lstrip().startswith(_COMMENTS):
                yield line
            elif found := _RATE.fullmatch(line.rstrip()):
                self._rate = hertz(found[1])
            elif found := _CHANNELS.fullmatch(line.rstrip()):
                self._announced = [name.strip() for name in found[1].split(",")]


def _alike(file: TextIO) -> Iterator[tuple[list[str], int]]:
    """Yield the rows of a file of samples, each with how many follow that are the same.

    A minute of a fast analyser is tens of millions of rows, and few differ from the row before.
    """
    for line, same in groupby(map(file.readline, repeat(_LONGEST_LINE))):
        if not line:
            return
        if line.strip() and not line.lstrip().startswith(_COMMENTS):
            yield next(csv.reader([line])), sum(1 for _line in same)


_PROBE = re.compile(r"probe([0-9]{1,3})")
_WIDTH = re.compile(r"[1-8]")  # bytes of a sample; an analyser has no more than 64 lines
_MOST_METADATA = 1 << 18  # bytes
_SAMPLES = 1 << 20  # samples
_KINDS = {1: "u1", 2: "<u2", 4: "<u4", 8: "<u8"}


def read_session(path: str) -> Capture:
    """Read a session; raises OSError, ValueError."""
    try:
        with zipfile.ZipFile(path) as session:
            return _of_session(session)
    except (zipfile.BadZipFile, zlib.error, KeyError, configparser.Error, EOFError,
            NotImplementedError, RuntimeError) as error:  # fmt: skip
        words = _("it is no whole session of sigrok: {why}").format(why=error)
        raise ValueError(words) from None


def _of_session(session: zipfile.ZipFile) -> Capture:
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
            while data := file.read(_SAMPLES * width):
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
    for run in re.finditer(b"(.{%d})\\1*" % width, piece, re.DOTALL):
        value = int.from_bytes(run[1], "little")
        ns = (since[0] + run.start() // width) * 1_000_000_000 // since[1]
        for turns, bit in lines:
            if (value ^ last) >> bit & 1:
                turns.append(ns)
        last = value


_HIGH = "1hH"
_BITS = "01xXzZhHlLuUwW-"
_DUMPS = {b"$dumpvars", b"$dumpall", b"$dumpon", b"$dumpoff", b"$end"}
_PIECE = 1 << 21  # bytes
_LONGEST_WORD = 64
_LONGEST_CODE = 4  # of a line, to be read as a number
_LONGEST_HEAD = 1 << 23
_HEAD = re.compile(rb".*?\$enddefinitions\s+\$end(?=\s|$)", re.DOTALL)


class _Variable(NamedTuple):
    """A variable as it is declared; `scoped` is its name with all scopes around it."""

    name: str
    scoped: str
    code: str
    size: int


def read_vcd(path: str) -> Capture:
    """Read a VCD; raises UserError, OSError, ValueError."""
    try:
        from vcd.reader import VCDParseError, tokenize
    except ImportError:
        words = _("a VCD needs pyvcd: {install}")
        raise UserError(words.format(install=errors.install_command("pyvcd")), UNCHECKED) from None
    try:
        with open(path, "rb") as file:
            head = _HEAD.match(file.read(_LONGEST_HEAD))
            if head is None:
                raise ValueError(_("its head does not end: $enddefinitions is missing"))
            reading = _Reading()
            for token in tokenize(io.BytesIO(head[0])):
                reading.take(token)
            file.seek(head.end())
            fast = _of_bits(file, reading) if np is not None else None
            if fast is not None:
                return fast
            file.seek(0)
            reading = _Reading()
            for token in tokenize(file):
                reading.take(token)
    except VCDParseError as error:
        raise ValueError(str(error)) from None
    return reading.capture()


def _of_bits(file: BinaryIO, reading: "_Reading") -> Capture | None:
    """Read the changes below the head, if they are only times and single bits; else None.

    Each piece of the file is cut into tokens at once, fifty times as fast as one by one.
    """
    codes_ = list(reading.changes)
    if any(not 0 < len(code.encode()) <= _LONGEST_CODE for code in codes_):
        return None
    keys = [int.from_bytes(code.encode(), "big") for code in codes_]
    lines = {code: Line(0, array("q")) for code in codes_}
    level_of: dict[str, int] = {}
    order = np.argsort(keys)
    sorted_keys = np.array(keys, dtype=np.int64)[order]
    is_known, is_high = (np.isin(range(256), list(map(ord, each))) for each in (_BITS, _HIGH))
    now = 0
    first: int | None = None
    has_end, edges = True, 0
    left = b""
    while True:
        more = file.read(_PIECE)
        data, left = left + more, b""
        if not data:
            break
        if more:  # the last word may go on in the next piece
            cut = max(data.rfind(space) for space in b"\n \r\t")
            data, left = data[: cut + 1], data[cut + 1 :]
            if len(left) > _LONGEST_WORD:
                return None
        bytes_ = np.frombuffer(data, np.uint8)
        is_word = bytes_ > 32
        borders = np.flatnonzero(np.diff(is_word, prepend=False, append=False))
        starts, ends = borders[::2], borders[1::2]
        if not len(starts):
            continue
        kinds = bytes_[starts]
        sizes = ends - starts
        of_dump = np.flatnonzero(kinds == ord("$"))
        words = {bytes(data[starts[n] : ends[n]]) for n in of_dump}
        is_time = kinds == ord("#")
        is_bit = is_known[kinds]
        is_odd = is_time.sum() + is_bit.sum() + len(of_dump) < len(kinds) or bool(words - _DUMPS)
        is_odd |= bool((sizes < 2).any())  # as half a word at the end of a file that is cut off
        if is_odd or (sizes[is_time] > 19).any() or (sizes[is_bit] > 1 + _LONGEST_CODE).any():
            return None
        times = _numbers(bytes_, starts[is_time], sizes[is_time], 10)
        if times is None:
            return None
        if (np.diff(times, prepend=now) < 0).any():
            raise ValueError(_("its times go backwards, as where a file is cut off"))
        if first is None and len(times):
            first = int(times[0])
        ticks = np.concatenate(([now], times))[np.cumsum(is_time)[is_bit]]
        now = int(times[-1]) if len(times) else now
        codes = _numbers(bytes_, starts[is_bit], sizes[is_bit], 256)
        levels = is_high[kinds[is_bit]]
        if len(of_dump) < len(kinds):
            has_end = bool(is_time[kinds != ord("$")][-1])
        if len(sorted_keys):
            at = np.minimum(np.searchsorted(sorted_keys, codes), len(sorted_keys) - 1)
            known = sorted_keys[at] == codes
            for place in np.flatnonzero(np.bincount(at[known])):
                here = known & (at == place)
                code = codes_[order[place]]
                if code not in level_of:
                    level_of[code] = int(levels[here][0])
                    lines[code] = Line(level_of[code], array("q"))
                changed = np.diff(levels[here], prepend=level_of[code]) != 0
                level_of[code] = int(levels[here][-1])
                since = np.maximum(ticks[here][changed] - (first or 0), 0)  # none is before it
                ns = np.rint(since * reading.unit_ns).astype(np.int64)
                lines[code].turns.frombytes(ns.tobytes())
        edges += len(codes)
        if edges > MOST_EDGES:
            words = _("it has more than {count} edges")
            raise ValueError(words.format(count=number(MOST_EDGES)))
        if now * reading.unit_ns >= LONGEST_NS:
            raise ValueError(_("it is longer than a hundred years"))
    return reading.capture_of(lines, round((now - (first or 0)) * reading.unit_ns), has_end)


def _numbers(bytes_: Any, starts: Any, sizes: Any, base: int) -> Any:
    """Return the numbers behind the first letters of words; None if one has another digit.

    base  10, or 256 where each byte is a digit
    """
    found = np.zeros(len(starts), np.int64)
    for size in np.flatnonzero(np.bincount(sizes)):
        here = sizes == size
        at, number = starts[here], 0
        for place in range(1, size):
            digits = bytes_[at + place]
            if base == 10:
                digits -= 48
                if (digits > 9).any():
                    return None
            number = number * base + digits.astype(np.int64)
        found[here] = number
    return found


class _Reading:
    """The lines, times and changes in the tokens of a file up to now."""

    def __init__(self) -> None:
        self._scopes: list[str] = []
        self._variables: list[_Variable] = []
        self.changes: dict[str, list[tuple[int, int]]] = {}  # of the single bits
        self.unit_ns = 1.0
        self._ticks = 0
        self._first: int | None = None  # the ticks at which the capture begins
        self._has_end = True

    def take(self, token: "Token") -> None:
        """Take a token: the head names the lines, then times and changes follow."""
        kind = token.kind.name
        if kind == "TIMESCALE":
            scale = token.timescale
            magnitude = getattr(scale.magnitude, "value", scale.magnitude)
            if magnitude not in (1, 10, 100):
                raise ValueError(_("it does not say how long a tick is"))
            self.unit_ns = magnitude * _UNIT_NS[scale.unit.value]
        elif kind == "SCOPE":
            self._scopes.append(token.scope.ident)
        elif kind == "UPSCOPE":
            self._scopes = self._scopes[:-1]
        elif kind == "VAR":
            line = token.var
            scoped = ".".join((*self._scopes, line.reference))
            if len(self._variables) >= MOST_LINES:
                words = _("it has more than {count} lines")
                raise ValueError(words.format(count=number(MOST_LINES)))
            self._variables.append(_Variable(line.reference, scoped, line.id_code, line.size))
            if line.size == 1:
                self.changes.setdefault(line.id_code, [])
        elif kind == "CHANGE_TIME":
            ticks = token.time_change
            if ticks * self.unit_ns >= LONGEST_NS:
                raise ValueError(_("it is longer than a hundred years"))
            if ticks < self._ticks:
                raise ValueError(_("its times go backwards, as where a file is cut off"))
            self._ticks = ticks
            self._first = ticks if self._first is None else self._first
            self._has_end = True  # unless something changes then
        elif kind in ("CHANGE_SCALAR", "CHANGE_VECTOR"):
            change = token.scalar_change if kind == "CHANGE_SCALAR" else token.vector_change
            self._has_end = False
            if change.id_code in self.changes:
                level = int(str(change.value) in _HIGH)
                self.changes[change.id_code].append((self._ns(), level))

    def capture(self) -> Capture:
        lines = {code: line_of(changes) for code, changes in self.changes.items()}
        return self.capture_of(lines, self._ns(), self._has_end)

    def capture_of(self, of_code: dict[str, Line], end_ns: int, has_end: bool) -> Capture:
        """Return the capture with these lines, by their identifiers."""
        names, ambiguous = _named(self._variables)
        is_line = {name: variable.size == 1 for name, variable in names.items()}
        lines = {name: of_code[names[name].code] for name in names if is_line[name]}
        buses = {name: names[name].size for name in names if not is_line[name]}
        return Capture(lines, end_ns, round(self.unit_ns), has_end, buses, ambiguous)

    def _ns(self) -> int:
        """Return how long after its beginning the capture is now."""
        return round((self._ticks - (self._first or 0)) * self.unit_ns)


def _named(
    variables: list[_Variable],
) -> tuple[dict[str, _Variable], dict[str, tuple[str, ...]]]:
    """Return the variables by name; where several share a name, by scope and name.

    Also return the shared names, each with the scoped names that take its place.
    """
    codes: dict[str, set[str]] = {}
    for variable in variables:
        codes.setdefault(variable.name, set()).add(variable.code)
    named: dict[str, _Variable] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    for variable in variables:
        if len(codes[variable.name]) == 1:  # one wire may be declared in several scopes
            named[variable.name] = variable
            continue
        name, count = variable.scoped, 1
        while name in named and named[name].code != variable.code:
            count += 1
            name = f"{variable.scoped}#{count}"
        named[name] = variable
        others = ambiguous.get(variable.name, ())
        ambiguous[variable.name] = tuple(dict.fromkeys((*others, name)))
    return named, ambiguous
