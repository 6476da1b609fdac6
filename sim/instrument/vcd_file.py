"""Captures as VCD, which every analyser's program and every simulator writes."""

from typing import NamedTuple

from city_unit.desktop import install_hint
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from sim.instrument.digital import Capture, line_of

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
        from vcd.reader import TokenKind, VCDParseError, tokenize
    except ImportError:
        words = _("a VCD needs pyvcd: {install}")
        raise UserError(words.format(install=install_hint.command("pyvcd")), FAILURE) from None
    variables: list[_Variable] = []
    scopes: list[str] = []
    changes: dict[str, list[tuple[int, int]]] = {}
    unit_ns, ticks, first, has_end = 1.0, 0, None, True
    try:
        with open(path, "rb") as file:
            for token in tokenize(file):
                if token.kind is TokenKind.TIMESCALE:
                    scale = token.timescale
                    magnitude = getattr(scale.magnitude, "value", scale.magnitude)
                    unit_ns = magnitude * _UNIT_NS[scale.unit.value]
                elif token.kind is TokenKind.SCOPE:
                    scopes.append(token.scope.ident)
                elif token.kind is TokenKind.UPSCOPE:
                    scopes = scopes[:-1]
                elif token.kind is TokenKind.VAR:
                    var = token.var
                    scoped = ".".join((*scopes, var.reference))
                    variables.append(_Variable(var.reference, scoped, var.id_code, var.size))
                    if var.size == 1:
                        changes.setdefault(var.id_code, [])
                elif token.kind is TokenKind.CHANGE_TIME:
                    if token.time_change < ticks:
                        raise ValueError(_("its times go backwards, as where a file is cut off"))
                    ticks = token.time_change
                    first = ticks if first is None else first
                    has_end = True  # unless something changes then
                elif token.kind in (TokenKind.CHANGE_SCALAR, TokenKind.CHANGE_VECTOR):
                    is_scalar = token.kind is TokenKind.CHANGE_SCALAR
                    change = token.scalar_change if is_scalar else token.vector_change
                    has_end = False
                    if change.id_code in changes:
                        ns = round((ticks - (first or 0)) * unit_ns)
                        changes[change.id_code].append((ns, int(str(change.value) in _HIGH)))
    except VCDParseError as error:
        raise ValueError(str(error)) from None
    names, ambiguous = _named(variables)
    lines = {name: line_of(changes[var.code]) for name, var in names.items() if var.size == 1}
    buses = {name: var.size for name, var in names.items() if var.size > 1}
    end_ns = round((ticks - (first or 0)) * unit_ns)
    return Capture(lines, end_ns, round(unit_ns), has_end, buses, ambiguous)


def _named(
    variables: list[_Variable],
) -> tuple[dict[str, _Variable], dict[str, tuple[str, ...]]]:
    """Return the variables by name, with their scopes where a name is that of several.

    Beside them those names, each with what its variables are called instead.
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
