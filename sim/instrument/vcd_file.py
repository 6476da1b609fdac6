"""Captures as VCD, which every analyser's program and every simulator writes."""

from city_unit.desktop import install_hint
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from sim.instrument.digital import Capture, line_of

_HIGH = "1hH"
_UNIT_NS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "ps": 1e-3, "fs": 1e-6}


def read(path: str) -> Capture:
    """Read a VCD; raises UserError, OSError, ValueError."""
    try:
        from vcd.reader import TokenKind, VCDParseError, tokenize
    except ImportError:
        words = _("a VCD needs pyvcd: {install}")
        raise UserError(words.format(install=install_hint.command("pyvcd")), FAILURE) from None
    names: dict[str, list[str]] = {}  # of one code; a wire may have several names
    changes: dict[str, list[tuple[int, int]]] = {}
    buses: dict[str, int] = {}
    unit_ns, ticks, first, has_end = 1.0, 0, None, True
    try:
        with open(path, "rb") as file:
            for token in tokenize(file):
                if token.kind is TokenKind.TIMESCALE:
                    scale = token.timescale
                    magnitude = getattr(scale.magnitude, "value", scale.magnitude)
                    unit_ns = magnitude * _UNIT_NS[scale.unit.value]
                elif token.kind is TokenKind.VAR and token.var.size > 1:
                    buses[token.var.reference] = token.var.size
                elif token.kind is TokenKind.VAR:
                    names.setdefault(token.var.id_code, []).append(token.var.reference)
                    changes.setdefault(token.var.id_code, [])
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
    lines = {name: line_of(changes[code]) for code, called in names.items() for name in called}
    end_ns = round((ticks - (first or 0)) * unit_ns)
    return Capture(lines, end_ns, round(unit_ns), has_end, buses)
