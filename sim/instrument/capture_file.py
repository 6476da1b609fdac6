"""Captures from the file of any analyser's program."""

from importlib import import_module
from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, UserError, at
from city_unit.desktop.files import reason
from sim.instrument.digital import Capture

_READERS = {  # loaded on demand: numpy takes longer than a whole `--help`
    ".vcd": "sim.instrument.vcd_file",
    ".sr": "sim.instrument.sigrok_file",
    ".csv": "sim.instrument.csv_file",
}


def load(path: str) -> Capture:
    """Read a capture; raises UserError."""
    reader = _READERS.get(Path(path).suffix.lower())
    if reader is None:
        words = _(
            "{path}: a capture is a .vcd, a .sr of sigrok or a .csv; "
            "export one of these from the analyser's program"
        )
        raise UserError(words.format(path=path))
    try:
        capture: Capture = import_module(reader).read(path)
    except OSError as error:
        raise UserError(at(path, reason(error)), FAILURE) from None
    except ValueError as error:
        words = _("{path}: this capture cannot be read: {why}")
        raise UserError(words.format(path=path, why=error)) from None
    if not (capture.lines or capture.buses):
        raise UserError(_("{path}: there is no line of bits in this capture").format(path=path))
    return capture
