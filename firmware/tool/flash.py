"""`city-unit flash`: put the unit onto a board, or take it off again.

Safe to interrupt at any moment and to run again: the first thing that goes is
`main.py`, and the last thing that comes is `main.py`. In between the board
starts into its REPL, and the next run finds out by checksum what is missing.
"""

import hashlib
import sys
import tempfile
import time
from pathlib import Path

from city_unit import host
from firmware import texts
from firmware.board.pins import FILE, PinError
from firmware.boards import BOARDS, describe, this_board
from firmware.interpreters import Failed, compiled
from firmware.tool import scripts
from firmware.tool.image import sources_for
from firmware.tool.ports import choose
from firmware.tool.remote import BoardError, Remote

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
        remote = Remote(options.port or choose())
        if options.remove:
            return remove(remote)
        flash(remote, options.board, options.pins)
        return hello(remote.port)
    except BoardError as error:
        print(f"city-unit: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print(texts.INTERRUPTED, file=sys.stderr)
        return 130


def flash(remote: Remote, board: str | None = None, pin_file: str | None = None) -> int:
    pins = _read(pin_file) if pin_file else None
    found = remote.begin(scripts.LOOK)
    board = board or _board(found["machine"])
    version = ".".join(str(part) for part in found["version"])
    _check(board, found, version)
    _check_pins(board, found["pins"] if pins is None else pins, pin_file)
    print(texts.FOUND.format(board=BOARDS[board].title, port=remote.port, version=version))
    with tempfile.TemporaryDirectory() as folder:
        files = build(Path(folder), BOARDS[board].chip)
        if pins is not None:
            files[FILE] = Path(pin_file or "")
        size = sum(path.stat().st_size for path in files.values())
        print(texts.COMPILED.format(count=len(files), size=size))
        _update(remote, found["files"], files)
    remote.restart()
    print(texts.STARTED)
    return 0


def hello(port: str) -> int:
    """Wait until the unit answers over its link, and tell what it says of itself."""
    deadline = time.monotonic() + HELLO_SECONDS
    while True:
        try:
            about, _ = host.greet(port)
        except host.LinkError as error:
            if time.monotonic() > deadline:
                raise BoardError(texts.NO_HELLO.format(reason=error)) from None
            time.sleep(0.2)
        else:
            print(texts.HELLO.format(name=about.name, body=about.body, version=about.version))
            return 0


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
        print(texts.PINS_KEPT)
    remote.restart()
    return 0


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def parents(name: str) -> list[str]:
    """Return the folders that a file on the board lies in, the outermost first."""
    parts = name.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]


def _board(machine: str) -> str:
    try:
        return this_board(machine)
    except PinError:
        boards = ", ".join(sorted(BOARDS))
        raise BoardError(
            texts.UNKNOWN_BOARD.format(machine=machine, boards=boards), code=2
        ) from None


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


def _check_pins(board: str, text: str, file: str | None) -> None:
    try:
        describe(board, text)
    except PinError as mistake:
        raise BoardError(texts.BAD_PINS.format(file=file or FILE, mistake=mistake), 2) from None


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise BoardError(texts.UNREADABLE.format(file=file, reason=reason), code=2) from None


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
