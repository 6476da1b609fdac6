"""Draw the wiring: `python -m firmware.wiring` brings all diagrams up to date.

With `--board NAME --pins FILE --out FILE` it draws one for your own pins, with
`--bundle main.py` it writes the whole unit in one file, for a simulator.
"""

import argparse
import sys
from pathlib import Path

from firmware.board.pins import PinError
from firmware.boards import BOARDS, describe, read_pins
from firmware.wiring import texts
from firmware.wiring.diagram import Diagram
from firmware.wiring.simulator import SIMULATED, bundle, project

HERE = Path(__file__).parent
# Drawings of other parts, by their names: the board and what its pin file says.
OTHER_PARTS = {
    "pico-active-buzzer": ("pico", "buzzer_kind = active\n"),
    "pico-buzzer-module": ("pico", "buzzer_kind = active\nbuzzer_on = low\n"),
    "pico-strip": ("pico", "strip = 18\n"),
}


def diagram(board: str, pins: str = "") -> str:
    """Return the SVG for a board, with the text of a pin file laid over its own pins.

    Raises PinError if the pins cannot be.
    """
    return Diagram(
        board, texts.TITLE.format(board=BOARDS[board].title), describe(board, pins)
    ).draw()


def files() -> dict[str, str]:
    """Return every generated file, by its path beside this one."""
    found = {f"{board}.svg": diagram(board) for board in BOARDS}
    for name, (board, pins) in OTHER_PARTS.items():
        found[f"{name}.svg"] = diagram(board, pins)
    for board in SIMULATED:
        found[f"wokwi/{board}/diagram.json"] = project(board, describe(board))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.wiring", description=__doc__)
    parser.add_argument("--board", choices=list(BOARDS))
    parser.add_argument("--pins", type=Path, help="your pins.txt")
    parser.add_argument("--out", type=Path, help="where to write the SVG")
    parser.add_argument("--bundle", type=Path, help="write the one-file main.py for a simulator")
    options = parser.parse_args()
    try:
        if options.bundle:
            options.bundle.write_text(bundle(), encoding="utf-8", newline="\n")
            print(options.bundle)
        elif options.board and options.out:
            pins = read_pins(options.pins) if options.pins else ""
            options.out.write_text(diagram(options.board, pins), encoding="utf-8", newline="\n")
            print(options.out)
        elif options.board or options.pins or options.out:
            parser.error("for your own diagram say --board NAME and --out FILE")
        else:
            write_all()
    except (PinError, OSError) as error:
        print(f"wiring: {error}", file=sys.stderr)
        return 2
    return 0


def write_all() -> None:
    for name, text in files().items():
        path = HERE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path.name if path.parent == HERE else name)


if __name__ == "__main__":
    sys.exit(main())
