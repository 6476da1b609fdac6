"""Serve a unit's link to desktop programs, and keep the journal of its events.

A body calls `receive`, steps its unit, and calls `send`; in between it may `wait`, the only
call that blocks. One client at a time has the link; watchers of a TCP door receive the same
events beside it.

Events pass through three places in a fixed order: the unit's memory, the journal (a file, if
there is one), and then the client. So with a journal no client receives an event that a
restart could lose.
"""

import argparse
import contextlib
import errno
import random
import secrets
import select
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from city_unit.description import page
from city_unit.desktop import addresses
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import reason
from city_unit.facts import OUTPUTS, TONE, VERSION
from city_unit.host.ports import announce
from city_unit.host.serving.hub import TAKEN, Answered, Hub
from city_unit.host.serving.journal import Journal
from city_unit.link import Link
from city_unit.ticks import MASK
from city_unit.unit import Unit
from city_unit.wire import parse_number
from sim.engine.doors import Door, Lock, PtyDoor, TcpDoor

CANNOT_KEEP = lazy("cannot keep the unit's events in {path}: {why}; name another file")


class UnitJournal:
    """Writes the events of a link's unit to the journal at `path`.

    is_ours  whether the program chose the path; False if the user named it

    Raises UserError if the file cannot be written.
    """

    def __init__(self, link: Link, path: Path, is_ours: bool = False) -> None:
        try:
            self._journal = Journal(path, is_ours=is_ours)
        except OSError as error:
            raise UserError(CANNOT_KEEP.format(path=path, why=reason(error)), FAILURE) from error
        self._link = link
        self._boot = link.boot
        self._next = 0  # number of the next event to write
        link.run_other = lambda words: self._journal.answer(words, link.boot)

    def note(self) -> None:
        """Write all events since the last call."""
        link = self._link
        events = link.unit.events
        if link.boot != self._boot:  # another game was restored
            self._boot, self._next = link.boot, 0
        for index in range(max(self._next, events.first()), events.count):
            words = [str(word) for word in events.get(index) if word is not None]
            self._journal.add(self._boot, index, " ".join(words))
        self._next = events.count
        self._journal.retry()

    def close(self) -> None:
        self._journal.close()


class WatchedUnit:
    """The unit as its watchers see it, beside the client that has its link.

    The hub serves watchers from an interface that a `ServedUnit` fulfils over a link. A unit in
    this process fulfils it at once, so no request ever waits.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self.first = 0
        self.waiting = 0  # requests are answered at once
        self.about = link.about
        self.time = 0  # the unit's own
        self.hub = Hub(self, may_act=False)
        self._seen = (link.unit.lamps, link.unit.tone)
        self._edges = 0  # number of the next edge

    @property
    def boot(self) -> int:
        return self._link.boot  # changes when a saved game is restored

    @property
    def count(self) -> int:
        events = self._link.unit.events
        self.first = events.first()
        return events.count

    def new_session(self) -> int:
        self._link.session_count += 1
        return self._link.session_count

    def is_online(self) -> bool:
        return True

    def now(self) -> int:
        return self.time

    def event(self, index: int) -> str:
        return " ".join(str(word) for word in self._link.unit.events.get(index) if word is not None)

    def ask_state(self, seen: Callable[[str], object]) -> None:
        seen(" ".join(map(str, self._link.snapshot(self.time))))

    def note_shown(self, done_us: int) -> None:
        """Send each change of the lamps and the tone, shown at `done_us` of the unit's clock."""
        unit = self._link.unit
        lamps, tone = self._seen
        self._seen = (unit.lamps, unit.tone)
        for place, what in enumerate(OUTPUTS):
            before = tone if place == TONE else lamps >> place & 1
            value = unit.tone if place == TONE else unit.lamps >> place & 1
            if value != before:
                due = unit.changed_at[place]
                self.hub.send_edge(f"{self._edges} {due} {what} {value} {done_us}")
                self._edges += 1

    def ask(self, text: str, answered: Answered) -> None:
        """Respond to a watcher's request for the description or the journal."""
        words = [*text.split(" "), "0"]
        if words[0] == "describe":
            text = page(self._link.unit.settings.program, parse_number(words[1], MASK))
            answered(text, "" if text else "bad-word")
            return
        run_other = self._link.run_other
        kept = run_other(words) if run_other and words[0] == "journal" else None
        answered(kept or "", "unknown" if kept is None else "")


NOT_LOOPBACK = lazy(
    "At {host} other computers can reach the unit. Anyone who knows its address, which contains"
    " a secret, can press its buttons, so keep it to yourself. It is valid until the unit ends."
)
NOT_ANNOUNCED = lazy("Warning: other programs cannot find the unit automatically: {why}")
BAD_NAME = lazy("--name {name}: use 1 to 16 letters, digits and hyphens")

_WRITE_RETRY_S = 0.01  # a select for reading does not report room for writing
_VISITORS_S = 0.1  # doors reject visitors after a time rather than on input
_LONGEST_WAIT_S = 1.0  # on Windows a Ctrl-C takes effect only after the wait


class LinkServer:
    """A unit's link and its doors.

    The first door with input gets the link. While its client is active, the other doors answer
    that the unit is taken.
    """

    def __init__(
        self, link: Link, doors: list[Door], name: str, journal: UnitJournal | None = None
    ) -> None:
        self.link = link
        self._journal = journal
        self._watched = WatchedUnit(link)
        for door in doors:
            if isinstance(door, TcpDoor):
                door.hub = self._watched.hub
        self._doors = doors
        self._current: Door | None = None
        self._announced: list[Path] = []
        for door in doors:
            try:
                self._announced.append(announce(door.address, name))
            except OSError as error:
                print(NOT_ANNOUNCED.format(why=reason(error)), file=sys.stderr, flush=True)

    @property
    def addresses(self) -> list[str]:
        return [door.address for door in self._doors]

    def files(self) -> list[int]:
        """Return the file descriptors to select on, for a body that does its own waiting."""
        return [file for door in self._doors for file in door.files()]

    def wait(self, seconds: float | None, files: Sequence[int] = ()) -> None:
        """Wait for input at the doors or `files`, at most `seconds`; it may return earlier."""
        waits = [_LONGEST_WAIT_S]
        if seconds is not None:
            waits.append(seconds)
        if self.link.unsent and self._current is not None:
            waits.append(_WRITE_RETRY_S)
        if any(door.has_visitors for door in self._doors):
            waits.append(_VISITORS_S)
        readable = [*self.files(), *files]
        if readable:
            select.select(readable, [], [], min(waits))
        else:
            time.sleep(min(waits))  # on Windows select needs a socket

    def receive(self, now: int) -> None:
        """Pass received bytes to the link, a limited number per call."""
        self._watched.time = now
        for door in self._doors:
            while (data := door.read()) is None:  # read again: the next client may be waiting
                if door is self._current:
                    self._current = None
                    self.link.hang_up(now)
            if data and self._current not in (None, door) and self.link.has_desktop:
                door.write(TAKEN)
            elif data:
                self._current = door
                self.link.takes_typed = door.takes_typed
                self.link.receive(now, data)

    def send(self) -> None:
        """Write the journal, then send watchers and the client as much as fits."""
        if self._journal is not None:
            self._journal.note()
        for each in self._doors:
            if isinstance(each, TcpDoor):
                each.send_to_watchers()
        door = self._current
        while door is not None and self.link.unsent:
            count = door.write(self.link.unsent)
            if not count:
                return
            self.link.sent(count)

    def note_shown(self, done_us: int) -> None:
        """Report the changes of lamps and tone to the client and the watchers that asked for them.

        done_us  when the changes were shown: the unit's clock in microseconds, wrapping at 2^30
        """
        if self.link.is_watched:
            self.link.note_shown(done_us)
        self._watched.note_shown(done_us)

    def close(self) -> None:
        """Close the doors and the journal; safe to call twice."""
        for path in self._announced:
            with contextlib.suppress(OSError):
                path.unlink()
        for door in self._doors:
            door.close()
        if self._journal is not None:
            self._journal.close()
        self._announced = []
        self._doors = []


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that give a unit a link."""
    parser.add_argument(
        "--listen",
        metavar=_("HOST:PORT"),
        help=_("let programs reach the unit by TCP; 127.0.0.1:0 takes a free port"),
    )
    parser.add_argument(
        "--anyone-may-watch",
        action="store_true",
        help=_("with --listen for other computers: let programs watch without the secret"),
    )
    parser.add_argument(
        "--pty",
        metavar=_("PATH"),
        help=_("let programs reach the unit by a serial port with this name (Linux, macOS)"),
    )
    parser.add_argument(
        "--journal",
        metavar=_("FILE"),
        help=_(
            "also record the events in this file, for programs that were not connected when the"
            " unit restarted (a unit with a window records them next to its saved game)"
        ),
    )
    parser.add_argument(
        "--name",
        default="unit",
        metavar=_("NAME"),
        help=_("name of the unit, to tell several apart (default: unit)"),
    )


def make_link(unit: Unit, name: str) -> Link:
    """Return a link for `unit` with a new boot number. Raises UserError for an invalid name."""
    if not (name.isascii() and name.replace("-", "a").isalnum() and len(name) <= 16):
        raise UserError(BAD_NAME.format(name=repr(name)))
    return Link(unit, new_boot(), f"{VERSION} emulated {name}")  # no text: on the wire


def new_boot() -> int:
    """Return a random boot number, which tells this start of a unit from all others."""
    return random.SystemRandom().randrange(1, 1 << 30)


def serve(link: Link, options: argparse.Namespace, journal: Path | None = None) -> LinkServer:
    """Open the doors that `options` name, if any, and print their addresses.

    journal  the path of the journal if `options` do not name one
    """
    doors: list[Door] = []
    if options.journal and not Path(options.journal).parent.is_dir():
        # Do not create the folder: the name may be a typing error.
        why = reason(FileNotFoundError(errno.ENOENT, ""))
        raise UserError(CANNOT_KEEP.format(path=options.journal, why=why), FAILURE)
    if options.listen:
        host, port = addresses.parse(options.listen)
        if addresses.is_loopback(host):
            doors.append(TcpDoor(host, port))
        else:  # clients on other computers need a secret
            lock = Lock(secrets.token_urlsafe(12), options.anyone_may_watch)
            doors.append(TcpDoor(host, port, lock=lock))
            print(NOT_LOOPBACK.format(host=host), file=sys.stderr, flush=True)
            addresses.show_code(doors[0].address)
    if options.pty:
        doors.append(PtyDoor(options.pty))
    path = Path(options.journal) if options.journal else journal
    # Without a door there is no client to read the journal.
    unit_journal = UnitJournal(link, path, not options.journal) if path and doors else None
    server = LinkServer(link, doors, options.name, unit_journal)
    for address in server.addresses:
        print(_("The unit listens at {address}").format(address=address), flush=True)
    return server
