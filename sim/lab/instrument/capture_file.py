"""Reads captures as analyser programs write them: CSV, VCD, and sigrok or PulseView sessions.

The first column of a CSV is the time if its heading says so. Otherwise the file must give its
sample rate, as sigrok does in a comment. A session (.sr) is a ZIP of raw samples and metadata. VCD
is also the format of most simulators. All readers stream, and hold only the edges in memory.
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
from typing import BinaryIO, NamedTuple

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
    sample_rate,
)


def load(path: str) -> Capture:
    """Read a capture; raises UserError."""
    kind = Path(path).suffix.lower()
    if kind not in (".vcd", ".sr", ".csv"):
        words = _(
            "{path}: a capture must be a .vcd, .sr (sigrok) or .csv file; "
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
    except (ValueError, csv.Error) as error:  # such as an unclosed quote
        words = _("{path}: this capture cannot be read: {why}")
        why = " ".join(str(error).split())[:200]  # some are a library's, and quote the file
        raise UserError(words.format(path=path, why=why)) from None
    if not (capture.lines or capture.buses):
        raise UserError(_("{path}: this capture has no digital lines").format(path=path))
    return capture


def _too_many_edges() -> str:
    return _("it has more than {count} edges").format(count=number(MOST_EDGES))


def _too_many_lines() -> str:
    return _("it has more than {count} lines").format(count=number(MOST_LINES))


np = arrays()
_TIME = re.compile(r".*\b(?:time|seconds|samples)\b[^a-z]*?([munp]?s)?[^a-z]*", re.IGNORECASE)
_RATE = re.compile(r".*samplerate:(.*)", re.IGNORECASE)
_CHANNELS = re.compile(r".*channels \([0-9]+/[0-9]+\):\s*(.*)", re.IGNORECASE)
_UNIT_NS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "ps": 1e-3, "fs": 1e-6}
_LEVELS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "low": 0, "high": 1, "false": 0, "true": 1}
_COMMENTS = (";", "#", "META")
_LONGEST_LINE = 100_000
_MOST_KNOWN = 10_000  # distinct rows, without their times, that are cached


def read_table(path: str) -> Capture:
    """Read a CSV file: a heading, then rows of a time, unless there is a rate, and the levels.

    Rows are parsed in full only if their levels are new: of millions, most differ only in time.
    Raises OSError, ValueError, csv.Error.
    """
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        rate = 0.0
        announced: list[str] = []
        heading: list[str] = []
        for line in iter(lambda: file.readline(_LONGEST_LINE), ""):
            if heading := _cells(line):
                break
            if found := _RATE.fullmatch(line.rstrip()):
                rate = sample_rate(found[1])
            elif found := _CHANNELS.fullmatch(line.rstrip()):
                announced = [name.strip() for name in found[1].split(",")]
        if not heading:
            raise ValueError(_("it is empty"))
        if all(word.strip().lower() in _LEVELS for word in heading):
            raise ValueError(_("its first row is not a heading with the names of the lines"))
        timed = _TIME.fullmatch(heading[0])
        if not timed and not rate:
            raise ValueError(_("it has neither a time column nor a sample rate"))
        is_timed = timed is not None
        heads = [name.strip() for name in heading[is_timed:]]
        if len(announced) == len(heads) and len(set(heads)) < len(heads):
            heads = announced  # sigrok puts the names in a comment, and "logic" in the heading
        names = heads[: len(heads) - 2 * (heads[-2:] == [PITCH, EVENTS])]
        unit = 1e9 / rate if rate else _UNIT_NS[((timed and timed[1]) or "s").lower()]
        if len(names) > MOST_LINES:
            raise ValueError(_too_many_lines())
        twice = next((name for n, name in enumerate(heads) if name in names[:n]), None)
        if twice is not None:
            raise ValueError(_('several of its lines are called "{name}"').format(name=twice))

        def read_row(row: int, cells: list[str]) -> tuple[float, int]:
            """Parse a row: its time, and its levels as one bit per line; raises ValueError."""
            values = cells[is_timed:]
            if len(values) < len(names):
                words = _("row {row} has {count} values, not {wanted}")
                raise ValueError(words.format(row=row, count=len(cells), wanted=len(heading)))
            try:
                at = row - 1 if rate else float(cells[0])
            except ValueError:
                at = math.nan
            if not math.isfinite(at):
                words = _('row {row}: "{word}" is not a time')
                raise ValueError(words.format(row=row, word=cells[0][:60]))
            levels = 0
            for n, word in enumerate(values[: len(names)]):
                level = _LEVELS.get(word.strip().lower())
                if level is None:
                    words = _('row {row}: "{word}" is not a logic level; export the digital lines')
                    raise ValueError(words.format(row=row, word=word[:60]))
                levels |= level << n
            return at, levels

        @lru_cache(_MOST_KNOWN)
        def takers(turned: int) -> list[Callable[[int], None]]:
            return [each.append for n, each in enumerate(turns) if turned >> n & 1]

        turns = [array("q") for _name in names]
        known: dict[str, int] = {}  # the text of the levels: one bit per line
        above = ""
        count = ns = first = last = edges = 0
        start: float | None = None
        is_new = False  # whether the last row changed anything
        while line := file.readline(_LONGEST_LINE):
            if line == above:  # common where each sample is a row
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
                read_row(count, _cells(line))  # raises if the time is not a number
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
            raise ValueError(_("it has no rows below its heading"))
        if rate:
            ns = round((count - 1) * unit)
        grain = round(unit) if rate else 0
        lines = {name: Line(first >> n & 1, turns[n]) for n, name in enumerate(names)}
        return Capture(lines, ns + grain, grain, has_end=bool(rate) or not is_new)


def _cells(line: str) -> list[str]:
    """Split a line into cells; return none for a comment or a blank line."""
    if not line.strip() or line.lstrip().startswith(_COMMENTS):
        return []
    return next(csv.reader([line]))


_PROBE = re.compile(r"probe([0-9]{1,3})")
_WIDTH = re.compile(r"[1-8]")  # bytes per sample: up to 64 lines
_MOST_METADATA = 1 << 18  # bytes
_SAMPLES = 1 << 20  # read at a time
_KINDS = {1: "u1", 2: "<u2", 4: "<u4", 8: "<u8"}


def read_session(path: str) -> Capture:
    """Read a sigrok session; raises OSError, ValueError."""
    try:
        with zipfile.ZipFile(path) as session:
            metadata = configparser.ConfigParser(interpolation=None)
            with session.open("metadata") as file:
                metadata.read_string(file.read(_MOST_METADATA).decode("utf-8", "replace"))
            device = next(
                (metadata[name] for name in metadata.sections() if "capturefile" in metadata[name]),
                None,
            )
            if device is None:
                raise ValueError(_("it has no digital lines"))
            rate = round(sample_rate(device.get("samplerate", "")))
            if not rate:
                raise ValueError(_("its sample rate is missing or invalid"))
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
            own = [(turns[name], bit) for name, bit in bits.items()]
            for piece in _pieces(session, device["capturefile"], width):
                if last is None:
                    last = int.from_bytes(piece[:width], "little")
                    firsts = {name: last >> bit & 1 for name, bit in bits.items()}
                add = _add_slowly if np is None or width not in _KINDS else _add
                add(piece, width, last, (samples, rate), own)
                last = int.from_bytes(piece[-width:], "little")
                samples += len(piece) // width
                if sum(map(len, turns.values())) > MOST_EDGES:
                    raise ValueError(_too_many_edges())
            lines = {name: Line(firsts[name], turns[name]) for name in bits}
            return Capture(lines, samples * 1_000_000_000 // rate, 1_000_000_000 // rate)
    except (zipfile.BadZipFile, zlib.error, KeyError, configparser.Error, EOFError,
            NotImplementedError, RuntimeError) as error:  # fmt: skip
        words = _("it is not a complete sigrok session: {why}").format(why=error)
        raise ValueError(words) from None


def _pieces(session: zipfile.ZipFile, name: str, width: int) -> Iterator[bytes]:
    """Yield the samples in pieces, from one file or from several, numbered from 1."""
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


# `_add` (with numpy) and `_add_slowly` append the edges of a piece of samples to the lines. `last`
# is the sample before the piece, `since` the number of earlier samples and the sample rate. The
# work in Python grows with the number of edges, not of samples.


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
_HASH = ord("#")  # begins a time
_DUMPS = (b"$dumpvars", b"$dumpall", b"$dumpon", b"$dumpoff", b"$end")
_PIECE = 1 << 20  # bytes
_LONGEST_HEAD = 1 << 23
_HEAD = re.compile(rb".*?\$enddefinitions\s+\$end(?=\s|$)", re.DOTALL)


class _Variable(NamedTuple):
    """A declared variable; `scoped` is its name qualified by the enclosing scopes."""

    name: str
    scoped: str
    code: str
    size: int


def read_vcd(path: str) -> Capture:
    """Read a VCD file; raises UserError, OSError, ValueError."""
    try:
        from vcd.reader import VCDParseError, tokenize
    except ImportError:
        words = _("a VCD needs pyvcd: {install}")
        raise UserError(words.format(install=errors.install_command("pyvcd")), UNCHECKED) from None
    with open(path, "rb") as file:
        begin = file.read(_LONGEST_HEAD)
        head = _HEAD.match(begin)
        if head is None:
            if begin.count(b"$var") > MOST_LINES:
                raise ValueError(_too_many_lines())
            raise ValueError(_("its header does not end: $enddefinitions is missing"))
        scopes: list[str] = []
        variables: list[_Variable] = []
        unit_ns = 1.0
        try:
            for token in tokenize(io.BytesIO(head[0])):
                kind = token.kind.name
                if kind == "TIMESCALE":
                    scale = token.timescale
                    magnitude = getattr(scale.magnitude, "value", scale.magnitude)
                    if magnitude not in (1, 10, 100):
                        raise ValueError(_("its $timescale is invalid"))
                    unit_ns = magnitude * _UNIT_NS[scale.unit.value]
                elif kind == "SCOPE":
                    scopes.append(token.scope.ident)
                elif kind == "UPSCOPE":
                    scopes = scopes[:-1]
                elif kind == "VAR":
                    line = token.var
                    scoped = ".".join((*scopes, line.reference))
                    if len(variables) >= MOST_LINES:
                        raise ValueError(_too_many_lines())
                    variables.append(_Variable(line.reference, scoped, line.id_code, line.size))
        except VCDParseError as error:
            raise ValueError(str(error)) from None
        file.seek(head.end())
        named, ambiguous = _named(variables)
        codes = {each.code for each in variables if each.size == 1}
        of_code, end_ns, has_end = _changes(file, codes, unit_ns)
    lines = {name: of_code[each.code] for name, each in named.items() if each.size == 1}
    buses = {name: each.size for name, each in named.items() if each.size != 1}
    return Capture(lines, end_ns, round(unit_ns), has_end, buses, ambiguous)


def _changes(
    file: BinaryIO, codes: Iterable[str], unit_ns: float
) -> tuple[dict[str, Line], int, bool]:
    """Read the value changes below the header.

    Return the lines by identifier code, the last time in ns, and whether it comes after the last
    change. Every possible change of a single bit is in a table: a lookup is faster than parsing.
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
    longest, whole_ns = int(LONGEST_NS / unit_ns), int(unit_ns)  # 0 if a unit is less than 1 ns
    has_end = True
    words = chain.from_iterable(_words(file, turns))
    for word in words:
        if word[0] == _HASH:  # as frequent as a change
            ticks = word[1:]
            if not ticks.isdigit() and not (ticks := ticks.removesuffix(b".0")).isdigit():
                raise ValueError(_confused(word))
            before, now = now, int(ticks)
            first = now if first is None else first
            if now >= longest:
                raise ValueError(_("it is longer than a hundred years"))
            if now < before:
                raise ValueError(_("its times go backwards; the file may be damaged"))
            ns, has_end = (now - first) * whole_ns or round((now - first) * unit_ns), True
            continue
        change = known.get(word)
        if change is None:
            kind = word[:1]
            if word in _DUMPS:
                continue
            if word == b"$comment":
                while next(words, b"$end") != b"$end":
                    pass
                continue
            if kind in b"rRsS":  # a real or a string; its identifier code follows
                next(words, b"")
                continue
            if kind in b"bB":
                is_high = word[1:].lstrip(b"0") in (b"1", b"h", b"H")
                change = known.get((b"1" if is_high else b"0") + next(words, b""))
            elif kind not in _HIGH + _LOW or len(word) < 2:
                raise ValueError(_confused(word))
        has_end = False
        if change is None:  # a bus
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
    """Yield the words of a file in lists; raises ValueError if `turns` has too many edges."""
    left = b""
    while piece := file.read(_PIECE):
        words = (left + piece).split()
        left = b"" if piece[-1:].isspace() else words.pop()  # may continue in the next piece
        if len(left) > _LONGEST_LINE:
            raise ValueError(_confused(left))
        yield words
        if sum(map(len, turns.values())) > MOST_EDGES:
            raise ValueError(_too_many_edges())
    yield left.split()


def _confused(word: bytes) -> str:
    words = _('"{word}" is neither a time nor a value change')
    return words.format(word=word[:20].decode(errors="replace"))


def _named(
    variables: list[_Variable],
) -> tuple[dict[str, _Variable], dict[str, tuple[str, ...]]]:
    """Index the variables by name, or by qualified name where several share a name.

    Also return the shared names, each with the qualified names that replace it.
    """
    codes: dict[str, set[str]] = {}
    for variable in variables:
        codes.setdefault(variable.name, set()).add(variable.code)
    named: dict[str, _Variable] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    for variable in variables:
        if len(codes[variable.name]) == 1:  # the same wire, perhaps declared in several scopes
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
