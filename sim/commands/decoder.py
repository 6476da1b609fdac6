"""`city-unit decoder`: install the unit's protocol decoder for PulseView and sigrok-cli."""

import argparse
import os
import sys
from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import SUCCESS
from city_unit.desktop.files import make_folder, write_whole
from city_unit.facts import LAMPS
from city_unit.programs import PROGRAMS

_SOURCE = Path(__file__).parent.parent / "lab" / "decoder.py"
_NAME = "city_unit"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        metavar=_("FOLDER"),
        help=_("where decoders are found (default: {folder})").format(folder=_usual()),
    )


def run(options: argparse.Namespace) -> int:
    folder = Path(options.folder or _usual()) / _NAME
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
    print(_("wrote {path}").format(path=folder))
    print(_("PulseView and sigrok-cli have it as city_unit: sigrok-cli -P city_unit --show"))
    return SUCCESS


def _usual() -> Path:
    """Return where libsigrokdecode looks in the user's own folders."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "libsigrokdecode" / "decoders"
