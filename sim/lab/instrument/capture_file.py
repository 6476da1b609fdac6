"""Captures from the file of any analyser's program."""

from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UserError, at
from city_unit.desktop.files import reason
from sim.lab.instrument.digital import Capture


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
        capture = _read(path, kind)
    except OSError as error:
        raise UserError(at(path, reason(error))) from None
    except ValueError as error:
        words = _("{path}: this capture cannot be read: {why}")
        raise UserError(words.format(path=path, why=error)) from None
    if not (capture.lines or capture.buses):
        raise UserError(_("{path}: there is no line of bits in this capture").format(path=path))
    return capture


def _read(path: str, kind: str) -> Capture:
    """Read with the reader of this kind, loaded on demand: numpy takes longer than `--help`."""
    if kind == ".vcd":
        from sim.lab.instrument import vcd_file

        return vcd_file.read(path)
    if kind == ".sr":
        from sim.lab.instrument import sigrok_file

        return sigrok_file.read(path)
    from sim.lab.instrument import csv_file

    return csv_file.read(path)
