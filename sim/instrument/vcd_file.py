"""Captures as VCD, which every analyser's program and every simulator writes."""

from typing import TYPE_CHECKING, NamedTuple

from city_unit.desktop import install_hint
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from sim.instrument.digital import Capture, line_of

if TYPE_CHECKING:
    from vcd.reader import ScalarChange, Token, VarDecl, VectorChange

_HIGH = "1hH"
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
        raise UserError(words.format(install=install_hint.command("pyvcd")), FAILURE) from None
    reading = _Reading()
    try:
        with open(path, "rb") as file:
            for token in tokenize(file):
                reading.take(token)
    except VCDParseError as error:
        raise ValueError(str(error)) from None
    return reading.capture()


class _Reading:
    """What the tokens of a file have said so far."""

    def __init__(self) -> None:
        self._scopes: list[str] = []
        self._variables: list[_Variable] = []
        self._changes: dict[str, list[tuple[int, int]]] = {}
        self._unit_ns = 1.0
        self._ticks = 0
        self._first: int | None = None  # the ticks at which the capture begins
        self._has_end = True

    def take(self, token: "Token") -> None:
        """Take a token: the head names the lines, then times and changes follow."""
        kind = token.kind.name
        if kind == "TIMESCALE":
            scale = token.timescale
            magnitude = getattr(scale.magnitude, "value", scale.magnitude)
            self._unit_ns = magnitude * _UNIT_NS[scale.unit.value]
        elif kind == "SCOPE":
            self._scopes.append(token.scope.ident)
        elif kind == "UPSCOPE":
            self._scopes = self._scopes[:-1]
        elif kind == "VAR":
            self._take_line(token.var)
        elif kind == "CHANGE_TIME":
            self._take_time(token.time_change)
        elif kind == "CHANGE_SCALAR":
            self._take_change(token.scalar_change)
        elif kind == "CHANGE_VECTOR":
            self._take_change(token.vector_change)

    def capture(self) -> Capture:
        names, ambiguous = _named(self._variables)
        is_line = {name: variable.size == 1 for name, variable in names.items()}
        lines = {name: line_of(self._changes[names[name].code]) for name in names if is_line[name]}
        buses = {name: names[name].size for name in names if not is_line[name]}
        unit_ns = round(self._unit_ns)
        return Capture(lines, self._ns(), unit_ns, self._has_end, buses, ambiguous)

    def _take_line(self, line: "VarDecl") -> None:
        scoped = ".".join((*self._scopes, line.reference))
        self._variables.append(_Variable(line.reference, scoped, line.id_code, line.size))
        if line.size == 1:
            self._changes.setdefault(line.id_code, [])

    def _take_time(self, ticks: int) -> None:
        if ticks < self._ticks:
            raise ValueError(_("its times go backwards, as where a file is cut off"))
        self._ticks = ticks
        self._first = ticks if self._first is None else self._first
        self._has_end = True  # unless something changes then

    def _take_change(self, change: "ScalarChange | VectorChange") -> None:
        self._has_end = False
        if change.id_code in self._changes:
            level = int(str(change.value) in _HIGH)
            self._changes[change.id_code].append((self._ns(), level))

    def _ns(self) -> int:
        """Return how long after its beginning the capture is now."""
        return round((self._ticks - (self._first or 0)) * self._unit_ns)


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
