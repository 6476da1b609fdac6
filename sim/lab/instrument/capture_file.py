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
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TextIO

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
        why = " ".join(str(error).split())[:200]  # as of a library, with the file's own words
        raise UserError(words.format(path=path, why=why)) from None
    if not (capture.lines or capture.buses):
        raise UserError(_("{path}: there is no line of bits in this capture").format(path=path))
    return capture


def _too_many_edges() -> str:
    return _("it has more than {count} edges").format(count=number(MOST_EDGES))


np = arrays()
_TIME = re.compile(r".*\b(?:time|seconds|samples)\b[^a-z]*?([munp]?s)?[^a-z]*", re.IGNORECASE)
_RATE = re.compile(r".*samplerate:(.*)", re.IGNORECASE)
_CHANNELS = re.compile(r".*channels \([0-9]+/[0-9]+\):\s*(.*)", re.IGNORECASE)
_UNIT_NS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "ps": 1e-3, "fs": 1e-6}
_LEVELS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "low": 0, "high": 1, "false": 0, "true": 1}
_COMMENTS = (";", "#", "META")
_LONGEST_LINE = 100_000
_MOST_KNOWN = 10_000  # ways in which levels are written


def read_table(path: str) -> Capture:
    """Read a CSV; raises OSError, ValueError."""
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        try:
            return _of_table(file)
        except csv.Error as error:  # as of a quote that never ends
            raise ValueError(str(error)) from None


def _of_table(file: TextIO) -> Capture:
    """Read a heading and the rows below it: a time, unless there is a rate, and a level each.

    Of millions of rows few differ from all before in more than their time.
    """
    rate = 0.0
    announced: list[str] = []
    heading: list[str] = []
    for line in iter(lambda: file.readline(_LONGEST_LINE), ""):
        if heading := _cells(line):
            break
        if found := _RATE.fullmatch(line.rstrip()):
            rate = hertz(found[1])
        elif found := _CHANNELS.fullmatch(line.rstrip()):
            announced = [name.strip() for name in found[1].split(",")]
    if not heading:
        raise ValueError(_("it is empty"))
    if all(word.strip().lower() in _LEVELS for word in heading):
        raise ValueError(_("its first line names no lines"))
    timed = _TIME.fullmatch(heading[0])
    if not timed and not rate:
        raise ValueError(_("neither a column of times nor a rate of samples is in it"))
    is_timed = timed is not None
    heads = [name.strip() for name in heading[is_timed:]]
    if len(announced) == len(heads) and len(set(heads)) < len(heads):
        heads = announced  # sigrok's heading has kinds, its comment the names
    names = heads[: len(heads) - 2 * (heads[-2:] == [PITCH, EVENTS])]
    unit = 1e9 / rate if rate else _UNIT_NS[((timed and timed[1]) or "s").lower()]
    if len(names) > MOST_LINES:
        raise ValueError(_("it has more than {count} lines").format(count=number(MOST_LINES)))
    twice = next((name for n, name in enumerate(heads) if name in names[:n]), None)
    if twice is not None:
        raise ValueError(_('several of its lines are called "{name}"').format(name=twice))

    def read_row(row: int, cells: list[str]) -> tuple[float, int]:
        """Return the time of a row and its levels, a bit for each line; raises ValueError."""
        values = cells[is_timed:]
        if len(values) < len(names):
            words = _("row {row} has {count} values, not {wanted}")
            raise ValueError(words.format(row=row, count=len(cells), wanted=len(heading)))
        try:
            at = row - 1 if rate else float(cells[0])
        except ValueError:
            at = math.nan
        if not math.isfinite(at):
            words = _('row {row}: "{word}" is no time')
            raise ValueError(words.format(row=row, word=cells[0][:60]))
        levels = 0
        for n, word in enumerate(values[: len(names)]):
            level = _LEVELS.get(word.strip().lower())
            if level is None:
                words = _('row {row}: "{word}" is no level; export the digital lines')
                raise ValueError(words.format(row=row, word=word[:60]))
            levels |= level << n
        return at, levels

    @lru_cache(_MOST_KNOWN)
    def takers(turned: int) -> list[Callable[[int], None]]:
        return [each.append for n, each in enumerate(turns) if turned >> n & 1]

    turns = [array("q") for _name in names]
    known: dict[str, int] = {}  # levels as they are written: a bit for each line
    above = ""
    count = ns = first = last = edges = 0
    start: float | None = None
    is_new = False  # whether something changed in the last row
    while line := file.readline(_LONGEST_LINE):
        if line == above:  # as of samples
            count, is_new = count + 1, False
            continue
        time, _comma, rest = line.partition(",") if is_timed else ("", "", line)
        try:
            levels = known[rest]
            at = count if rate else float(time)
        except (KeyError, ValueError):
            cells = _cells(line)
            if not cells:
                continue
            at, levels = read_row(count + 1, cells)
            if len(known) < _MOST_KNOWN and '"' not in line:
                known[rest] = levels
        above, before = line, ns
        count += 1
        start = at if start is None else start
        if not abs(at - start) * unit < LONGEST_NS:
            read_row(count, _cells(line))  # refuses a time that is no number
            raise ValueError(_("it is longer than a hundred years"))
        ns = round((at - start) * unit)
        if ns < before:
            words = _("row {row} is earlier than the row above it").format(row=count)
            raise ValueError(words)
        if count == 1:
            first = last = levels
        turned, last = levels ^ last, levels
        is_new = bool(turned) or count == 1
        taking = takers(turned)
        for take in taking:
            take(ns)
        edges += len(taking)
        if edges > MOST_EDGES:
            raise ValueError(_too_many_edges())
    if not count:
        raise ValueError(_("there is nothing below its heading"))
    if rate:
        ns = round((count - 1) * unit)
    grain = round(unit) if rate else 0
    lines = {name: Line(first >> n & 1, turns[n]) for n, name in enumerate(names)}
    return Capture(lines, ns + grain, grain, has_end=bool(rate) or not is_new)


def _cells(line: str) -> list[str]:
    """Return the cells of a line, none of a comment or an empty one."""
    if not line.strip() or line.lstrip().startswith(_COMMENTS):
        return []
    return next(csv.reader([line]))


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
            raise ValueError(_too_many_edges())
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


_HIGH, _LOW = b"1hH", b"0xXzZlLuUwW-"
_DUMPS = (b"$dumpvars", b"$dumpall", b"$dumpon", b"$dumpoff", b"$end")
_PIECE = 1 << 20  # bytes
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
    with open(path, "rb") as file:
        head = _HEAD.match(file.read(_LONGEST_HEAD))
        if head is None:
            raise ValueError(_("its head does not end: $enddefinitions is missing"))
        try:
            variables, unit_ns = _declared(tokenize(io.BytesIO(head[0])))
        except VCDParseError as error:
            raise ValueError(str(error)) from None
        file.seek(head.end())
        named, ambiguous = _named(variables)
        codes = {each.code for each in variables if each.size == 1}
        of_code, end_ns, has_end = _changes(file, codes, unit_ns)
    lines = {name: of_code[each.code] for name, each in named.items() if each.size == 1}
    buses = {name: each.size for name, each in named.items() if each.size != 1}
    return Capture(lines, end_ns, round(unit_ns), has_end, buses, ambiguous)


def _declared(tokens: Iterator["Token"]) -> tuple[list[_Variable], float]:
    """Return the variables that a head declares, and the length of a tick in ns."""
    scopes: list[str] = []
    variables: list[_Variable] = []
    unit_ns = 1.0
    for token in tokens:
        kind = token.kind.name
        if kind == "TIMESCALE":
            scale = token.timescale
            magnitude = getattr(scale.magnitude, "value", scale.magnitude)
            if magnitude not in (1, 10, 100):
                raise ValueError(_("it does not say how long a tick is"))
            unit_ns = magnitude * _UNIT_NS[scale.unit.value]
        elif kind == "SCOPE":
            scopes.append(token.scope.ident)
        elif kind == "UPSCOPE":
            scopes = scopes[:-1]
        elif kind == "VAR":
            line = token.var
            scoped = ".".join((*scopes, line.reference))
            if len(variables) >= MOST_LINES:
                words = _("it has more than {count} lines")
                raise ValueError(words.format(count=number(MOST_LINES)))
            variables.append(_Variable(line.reference, scoped, line.id_code, line.size))
    return variables, unit_ns


def _changes(
    file: BinaryIO, codes: Iterable[str], unit_ns: float
) -> tuple[dict[str, Line], int, bool]:
    """Read the changes below a head: times, and of single bits the levels.

    Return the lines by their codes, the last time in ns, and whether nothing changes then. Of
    millions of words only the times differ: all changes that there can be are known beforehand.
    """
    known = {
        bytes([letter]) + code.encode(): (code, letter in _HIGH)
        for code in codes
        for letter in _HIGH + _LOW
    }
    turns = {code: array("q") for code in codes}
    levels: dict[str, bool | None] = dict.fromkeys(codes)
    firsts = dict.fromkeys(codes, False)
    first: int | None = None
    now = ns = 0
    longest = int(LONGEST_NS / unit_ns)
    has_end = True
    words = chain.from_iterable(_words(file, turns))
    for word in words:
        change = known.get(word)
        if change is None:
            kind = word[:1]
            ticks = word[1:].removesuffix(b".0")
            if kind == b"#" and ticks.isdigit():
                before, now = now, int(ticks)
                first = now if first is None else first
                if now >= longest:
                    raise ValueError(_("it is longer than a hundred years"))
                if now < before:
                    raise ValueError(_("its times go backwards, as where a file is cut off"))
                ns, has_end = round((now - first) * unit_ns), True
                continue
            if word in _DUMPS:
                continue
            if word == b"$comment":
                while next(words, b"$end") != b"$end":
                    pass
                continue
            if kind in b"rRsS":  # no bits; its line is the next word
                next(words, b"")
                continue
            if kind in b"bB":
                is_high = word[1:].lstrip(b"0") in (b"1", b"h", b"H")
                change = known.get((b"1" if is_high else b"0") + next(words, b""))
            elif kind not in _HIGH + _LOW or len(word) < 2:
                raise ValueError(_confused(word))
        has_end = False
        if change is None:  # of a line of several bits
            continue
        code, level = change
        if levels[code] != level:
            if levels[code] is None:
                firsts[code] = level
            else:
                turns[code].append(ns)
            levels[code] = level
    lines = {code: Line(int(firsts[code]), turns[code]) for code in codes}
    return lines, ns, has_end


def _words(file: BinaryIO, turns: Mapping[str, array]) -> Iterator[list[bytes]]:
    """Yield the words of a file in pieces; raises ValueError if there are too many `turns`."""
    left = b""
    while piece := file.read(_PIECE):
        words = (left + piece).split()
        left = b"" if piece[-1:].isspace() else words.pop()  # it may go on in the next piece
        if len(left) > _LONGEST_LINE:
            raise ValueError(_confused(left))
        yield words
        if sum(map(len, turns.values())) > MOST_EDGES:
            raise ValueError(_too_many_edges())
    yield left.split()


def _confused(word: bytes) -> str:
    told = _('"{word}" is neither a time nor a change')
    return told.format(word=word[:20].decode(errors="replace"))


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
