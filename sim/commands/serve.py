"""`city-unit serve`: serve units to browsers and to many programs at once, by WebSocket."""

import argparse
import asyncio
import contextlib
import hashlib
import signal
from urllib.parse import urlsplit

from city_unit import host
from city_unit.desktop import addresses, files
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import SUCCESS, UserError
from city_unit.desktop.files import MEDIA_TYPES, reason, warn
from city_unit.host.client import begin, choose_port
from city_unit.host.ports import identity
from city_unit.host.serving.hub import ServedUnit
from city_unit.host.serving.journal import Journal
from city_unit.host.serving.web_door import File, WebDoor
from sim.engine.doors import cannot_listen
from sim.web import bundle

OPEN = lazy("{name} at {port} is served at {address}")
PAGE = lazy("To watch, open {address}")
MAY_PRESS = lazy("Anyone with these addresses can press the buttons until this program ends.")
MAY_WATCH = lazy("Anyone with these addresses can watch until this program ends.")
NOT_KEPT = lazy("Warning: the events of {name} are not saved: {why}")
GIVEN_TWICE = lazy("{wanted} is {port}, which is already named: name each unit once")
BAD_ORIGIN = lazy("{text} must be of the form https://HOST or https://HOST:PORT, without a path")
GREET_S = 5.0
STEP_S = 0.5


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ports",
        nargs="*",
        metavar=_("PORT"),
        help=_("a serial port, socket://HOST:PORT, auto or auto:NAME (default: auto)"),
    )
    parser.add_argument(
        "--listen",
        default="127.0.0.1:7008",
        metavar=_("HOST:PORT"),
        help=_("where to serve them (default: 127.0.0.1:7008, for this computer only)"),
    )
    parser.add_argument(
        "--watch-only", action="store_true", help=_("clients may watch, but not press buttons")
    )
    parser.add_argument(
        "--origin",
        action="append",
        type=_origin,
        default=[],
        metavar=_("URL"),
        help=_("accept pages of this origin too, such as https://example.org; repeatable"),
    )
    parser.epilog = _(
        "One program at a time controls a unit; any number may watch it. The address of a unit"
        " contains a secret, which is new at each start. See docs/protocol.md."
    )


def run(options: argparse.Namespace) -> int:
    asyncio.run(_serve(options))
    return SUCCESS


async def _serve(options: argparse.Namespace) -> None:
    address, port = addresses.parse(options.listen)
    # Handle SIGTERM as asyncio handles Ctrl-C: an exception raised at an arbitrary place would
    # look like an error of the library that runs there. Python 3.10 has no such handler.
    interrupt = signal.getsignal(signal.SIGINT)
    is_ignored = interrupt in (signal.SIG_IGN, signal.SIG_DFL, None)
    signal.signal(signal.SIGTERM, signal.default_int_handler if is_ignored else interrupt)
    async with contextlib.AsyncExitStack() as stack:
        units: dict[str, tuple[str, ServedUnit]] = {}
        found: list[str] = []
        for wanted in options.ports or ["auto"]:
            opened = await asyncio.to_thread(choose_port, wanted)
            if opened in found:
                raise UserError(GIVEN_TWICE.format(wanted=wanted, port=opened))
            found.append(opened)
        for opened in found:
            unit = await stack.enter_async_context(host.AsyncClient(begin(opened, history=True)))
            served = ServedUnit(unit)
            await unit.wait_online(GREET_S)
            assert unit.about is not None
            free = name = unit.about.name
            count = 2
            while free in units:
                free = f"{name}-{count}"
                count += 1
            served.journal = journal_of(name, opened, stack)
            units[free] = opened, served
        hubs = {name: served.hub for name, (_port, served) in units.items()}
        door = WebDoor(hubs, not options.watch_only, options.origin, page())
        try:
            name = addresses.reachable(address)
            server = await door.open(address, port, name)
        except OSError as error:
            raise cannot_listen(address, port, error) from error
        stack.push_async_callback(door.close)
        # The secret is shown here and nowhere else.
        for name, (opened, _served) in units.items():
            reached = f"ws://{door.name}/{door.secret}/{name}"
            print(OPEN.format(name=name, port=opened, address=reached), flush=True)
        pages = f"http://{door.name}/{door.secret}/"
        print(PAGE.format(address=pages))
        print(MAY_WATCH if options.watch_only else MAY_PRESS, flush=True)
        if not addresses.is_loopback(address):
            addresses.show_code(pages)
        while server.is_serving():
            await asyncio.sleep(STEP_S)
            for _port, served in units.values():
                served.hub.step(asyncio.get_running_loop().time())
                if served.journal is not None:
                    served.journal.retry()


def _origin(text: str) -> str:
    """Parse the origin of a page, as a browser sends it."""
    parts = urlsplit(text)
    is_web = parts.scheme in ("http", "https") and parts.netloc
    if not is_web or text != f"{parts.scheme}://{parts.netloc}":
        raise argparse.ArgumentTypeError(BAD_ORIGIN.format(text=text))
    return text


def page() -> dict[str, File]:
    """Return the files of the page with a unit of its own, independent of the served units."""
    files = {
        f"page/{name}": File(content, MEDIA_TYPES[name.rpartition(".")[2]], bundle.POLICY)
        for name, content in bundle.files().items()
    }
    return {**files, "page/": files["page/index.html"]}


def journal_of(
    name: str, port: str, stack: contextlib.ExitStack | contextlib.AsyncExitStack
) -> Journal | None:
    """Open the journal of a unit; return None, with a warning, if it cannot be written.

    Boards often have the same name, so the port or the USB description identifies the unit too.
    The file name has only a hash of both, since they come from outside.
    """
    known = hashlib.sha256(f"{name} {identity(port)}".encode()).hexdigest()[:16]
    file = f"served-{known}.log"
    try:
        journal = Journal(files.settings_folder() / file, is_ours=True)
    except OSError as error:
        warn(NOT_KEPT.format(name=name, why=reason(error)))
        return None
    stack.callback(journal.close)
    return journal
