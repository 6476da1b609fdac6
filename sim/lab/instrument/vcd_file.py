"""Captures as VCD, which every analyser's program and every simulator writes."""

import io
import re
from array import array
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.forms import number
from sim.lab.instrument.digital import MOST_EDGES, MOST_LINES, Capture, Line, arrays, line_of

if TYPE_CHECKING:
    from vcd.reader import Token

np = arrays()
_HIGH = "1hH"
_BITS = [ord(level) for level in "01xXzZhHlLuUwW-"]
_HIGH_BITS = [ord(level) for level in _HIGH]
_DUMPS = {b"$dumpvars", b"$dumpall", b"$dumpon", b"$dumpoff", b"$end"}
_PIECE = 1 << 21  # bytes
_LONGEST_WORD = 64
_LONGEST_CODE = 4  # of a line, to be read as a number
_LONGEST_HEAD = 1 << 23
_HEAD = re.compile(rb".*?\$enddefinitions\s+\$end(?=\s|$)", re.DOTALL)
_UNIT_NS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "ps": 1e-3, "fs": 1e-6}


class _Variable(NamedTuple):
    """A variable as it is declared; `scoped` is its name with all scopes around it."""

    name: str
    scoped: str
    code: str
    size: int


def read(path: str) -> Capture:
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
        bytes_ = np.frombuffer(data + b"\n", np.uint8)
        is_word = bytes_ > 32
        starts = np.flatnonzero(is_word[1:] & ~is_word[:-1]) + 1
        if is_word[0]:
            starts = np.concatenate(([0], starts))
        if not len(starts):
            continue
        ends = np.flatnonzero(is_word[:-1] & ~is_word[1:]) + 1
        kinds = bytes_[starts]
        sizes = ends - starts
        words = {bytes(data[starts[n] : ends[n]]) for n in np.flatnonzero(kinds == ord("$"))}
        if words - _DUMPS:
            return None
        is_time = kinds == ord("#")
        is_bit = np.isin(kinds, _BITS)
        if not (is_time | is_bit | (kinds == ord("$"))).all():
            return None
        if (sizes[is_time] > 19).any() or (sizes[is_bit] > 1 + _LONGEST_CODE).any():
            return None
        times = np.zeros(int(is_time.sum()), np.int64)
        for place in range(1, int(sizes[is_time].max(initial=1))):
            here = sizes[is_time] > place
            digits = bytes_[starts[is_time][here] + place].astype(np.int64) - 48
            if ((digits < 0) | (digits > 9)).any():
                return None
            times[here] = times[here] * 10 + digits
        if (np.diff(times, prepend=now) < 0).any():
            raise ValueError(_("its times go backwards, as where a file is cut off"))
        if first is None and len(times):
            first = int(times[0])
        ticks = np.concatenate(([now], times))[np.cumsum(is_time)[is_bit]]
        now = int(times[-1]) if len(times) else now
        codes = np.zeros(int(is_bit.sum()), np.int64)
        for place in range(1, int(sizes[is_bit].max(initial=1))):
            here = sizes[is_bit] > place
            codes[here] = codes[here] * 256 + bytes_[starts[is_bit][here] + place]
        levels = np.isin(kinds[is_bit], _HIGH_BITS).astype(np.int8)
        has_end = bool(is_time[np.flatnonzero(kinds != ord("$"))[-1:]].all())
        if len(sorted_keys):
            at = np.minimum(np.searchsorted(sorted_keys, codes), len(sorted_keys) - 1)
            known = sorted_keys[at] == codes
            for place in np.unique(at[known]):
                here = known & (at == place)
                code = codes_[order[place]]
                if code not in level_of:
                    level_of[code] = int(levels[here][0])
                    lines[code] = Line(level_of[code], array("q"))
                changed = np.diff(levels[here], prepend=level_of[code]) != 0
                level_of[code] = int(levels[here][-1])
                since = ticks[here][changed] - (first or 0)
                ns = np.rint(since * reading.unit_ns).astype(np.int64)
                lines[code].turns.frombytes(ns.tobytes())
        edges += len(codes)
        if edges > MOST_EDGES:
            words = _("it has more than {count} edges")
            raise ValueError(words.format(count=number(MOST_EDGES)))
        if now * reading.unit_ns >= 2**62:
            raise ValueError(_("it is longer than a hundred years"))
    return reading.capture_of(lines, round((now - (first or 0)) * reading.unit_ns), has_end)


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
            if ticks * self.unit_ns >= 2**62:
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
