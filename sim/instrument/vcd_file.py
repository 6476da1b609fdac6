"""Captures as VCD, which every analyser's program and every simulator writes."""

from city_unit.desktop import install_hint
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError
from sim.instrument.digital import Capture, line_of

_HIGH = "1hH"
_UNIT_NS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0, "ps": 1e-3, "fs": 1e-6}


def read(path: str) -> Capture:
    """Read a VCD; what is no single bit is passed over. Raises UserError, OSError, ValueError."""
    try:
        from vcd.reader import TokenKind, VCDParseError, tokenize
    except ImportError:
        words = _("a VCD needs pyvcd: {install}")
        raise UserError(words.format(install=install_hint.command("pyvcd")), FAILURE) from None
    names: dict[str, list[str]] = {}  # of one code; a wire may have several names
    changes: dict[str, list[tuple[int, int]]] = {}
    unit_ns, ticks, first = 1.0, 0, None
    try:
        with open(path, "rb") as file:
            for token in tokenize(file):
                if token.kind is TokenKind.TIMESCALE:
                    scale = token.timescale
                    magnitude = getattr(scale.magnitude, "value", scale.magnitude)
                    unit_ns = magnitude * _UNIT_NS[scale.unit.value]
                elif token.kind is TokenKind.VAR and token.var.size == 1:
                    names.setdefault(token.var.id_code, []).append(token.var.reference)
                    changes.setdefault(token.var.id_code, [])
                elif token.kind is TokenKind.CHANGE_TIME:
                    ticks = token.time_change
                    first = ticks if first is None else first
                elif token.kind is TokenKind.CHANGE_SCALAR:
                    code, value = token.scalar_change.id_code, token.scalar_change.value
                    if code in changes:
                        ns = round((ticks - (first or 0)) * unit_ns)
                        changes[code].append((ns, int(value in _HIGH)))
    except VCDParseError as error:
        raise ValueError(str(error)) from None
    lines = {name: line_of(changes[code]) for code, called in names.items() for name in called}
    return Capture(lines, round((ticks - (first or 0)) * unit_ns))
