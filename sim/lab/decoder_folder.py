"""Installs `decoder.py` and its tables of cues where sigrok looks for decoders."""

import os
import sys
from pathlib import Path

from city_unit.desktop.files import make_folder, write_whole
from city_unit.facts import LAMPS
from city_unit.programs import PROGRAMS

_SOURCE = Path(__file__).parent / "decoder.py"
_NAME = "city_unit"


def default() -> Path:
    """Return the user's decoder folder of libsigrokdecode."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "libsigrokdecode" / "decoders"


def install(parent: Path) -> Path:
    """Write the decoder into a folder of decoders; return its own folder. Raises UserError."""
    folder = parent / _NAME
    make_folder(folder)
    write_whole(folder / "__init__.py", "from .pd import Decoder\n")  # no text: Python
    cues: list[tuple[str, tuple[tuple[int, int, int], ...]]] = []
    for program in PROGRAMS:
        for name, cue in program.cues.items():
            notes: list[tuple[int, int, int]] = []  # the pause before it ms, Hz, ms
            pause = 0
            for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
                if hz:
                    notes.append((pause, hz, ms))
                pause = 0 if hz else pause + ms
            if name != "choice" and (name, tuple(notes)) not in cues:
                cues.append((name, tuple(notes)))
    tables = f"LAMPS = {tuple(LAMPS)!r}\nCUES = {tuple(cues)!r}\n"  # no text: a file of Python
    write_whole(folder / "cues.py", tables)
    write_whole(folder / "pd.py", _SOURCE.read_bytes())
    return folder
