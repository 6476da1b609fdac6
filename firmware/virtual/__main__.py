"""`python -m firmware.virtual`: a board without a board; `--help` says more. Linux and macOS."""

import argparse
import contextlib
import os
import signal
import sys
import tempfile
from pathlib import Path

from city_unit import host
from firmware import texts
from firmware.board.pins import FILE, PinError
from firmware.boards import BOARDS, describe, read_pins
from firmware.interpreters import unix
from firmware.virtual.launch import SWITCHED_ON, VirtualBoard, lay


class Mistake(Exception):
    """What was wrong with an option, in one line."""


def main(words: list[str] | None = None) -> int:
    options = _parser().parse_args(words)
    if os.name != "posix" or not unix():
        return _say(texts.NO_UNIX_PORT.format(python=sys.executable), 1)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
            _live(_board(Path(folder, "board"), options), Path(folder, "world"), options.pty)
    except Mistake as mistake:
        return _say(str(mistake), 2)
    return 0


def _say(message: str, code: int) -> int:
    print(f"firmware.virtual: {message}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m firmware.virtual",
        description=texts.ABOUT_VIRTUAL,
        epilog=texts.HELP_VIRTUAL,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    boards = texts.HELP_VIRTUAL_BOARD.format(boards=", ".join(BOARDS))
    parser.add_argument("--board", choices=BOARDS, default="pico", metavar="BOARD", help=boards)
    parser.add_argument("--pins", metavar="FILE", help=texts.HELP_VIRTUAL_PINS)
    parser.add_argument("--pty", metavar="PATH", help=texts.HELP_VIRTUAL_PTY)
    parser.add_argument("--record", metavar="FILE", help=texts.HELP_VIRTUAL_RECORD)
    parser.add_argument("--waits", metavar="FILE", help=texts.HELP_VIRTUAL_WAITS)
    return parser


def _board(folder: Path, options: argparse.Namespace) -> VirtualBoard:
    """Return a board as the options want it, with the firmware on it."""
    pins = _pins(options.board, options.pins) if options.pins else ""
    world: dict = dict(SWITCHED_ON)
    if options.waits and not Path("/proc/self/schedstat").exists():
        raise Mistake(texts.NOT_LINUX)
    for name, file in (("record", options.record), ("waits", options.waits)):
        if file:
            world[name] = _writable(f"--{name}", file)
    folder.mkdir()
    lay(folder)
    (folder / FILE).write_text(pins, encoding="utf-8")
    return VirtualBoard(folder, options.board, pins, world=world)


def _pins(board: str, file: str) -> str:
    try:
        text = read_pins(file)
    except PinError as error:
        raise Mistake(str(error)) from None
    try:
        describe(board, text)
    except PinError as mistake:
        raise Mistake(texts.BAD_PINS.format(file=file, mistake=mistake)) from None
    return text


def _writable(option: str, file: str) -> str:
    """Return where a file is, as the board finds it, once it is sure that it can be written."""
    try:
        with open(file, "a", encoding="utf-8"):
            return str(Path(file).absolute())
    except OSError as error:
        raise Mistake(
            texts.NOT_WRITABLE.format(option=option, file=file, reason=error.strerror)
        ) from None


def _live(board: VirtualBoard, config: Path, name: str | None) -> None:
    """Give the board power, say where it is, and wait for the end."""
    from firmware.virtual.supervisor import Supervised  # only where there are ptys

    with Supervised(board, config) as terminal, contextlib.ExitStack() as at_the_end:
        port = terminal
        if name:
            try:
                link = host.name_pty(name, terminal)
            except OSError as error:
                raise Mistake(texts.NO_NAME.format(path=name, reason=error)) from None
            at_the_end.callback(link.unlink, missing_ok=True)
            port = str(link)
        with contextlib.suppress(OSError):  # it can still be named
            at_the_end.callback(host.announce(port, texts.VIRTUAL_NAME).unlink, missing_ok=True)
        print(port, flush=True)
        print(texts.VIRTUAL_LIVES, file=sys.stderr)
        signal.pause()


if __name__ == "__main__":
    sys.exit(main())
