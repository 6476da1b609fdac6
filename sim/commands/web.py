"""`city-unit web`: the unit in a page of the browser, or as a folder to publish."""

import argparse
import contextlib
import importlib
import sys
import threading
import webbrowser
from pathlib import Path

from city_unit.desktop import addresses
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import reason
from sim.web import bundle
from sim.web.server import Server

EXAMPLE = lazy(
    """\
The page is the same unit as everywhere else, in MicroPython inside the browser. It goes on
when it is closed, and works without a network once it has been open.

  city-unit web                   open it in this computer's browser
  city-unit web --lan             let telephones at the table open it too: shows a QR code
  city-unit web --folder dist     write the page, to publish it on any host with https

From a host with https a telephone can install it. From this computer (--lan) it cannot: there
the browser grants neither installing nor a screen that stays on. docs/play.md says more."""
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = str(EXAMPLE)
    parser.add_argument(
        "--folder", metavar=_("FOLDER"), help=_("write the page into a folder, and serve nothing")
    )
    parser.add_argument(
        "--port",
        metavar=_("N"),
        type=_port,
        default=8080,
        help=_("where to serve (default: 8080; 0: a free one)"),
    )
    parser.add_argument(
        "--lan",
        action="store_true",
        help=_("serve in the home network too, not to this computer alone"),
    )
    parser.add_argument(
        "--micropython",
        metavar=_("FILE.uf2"),
        action="append",
        default=[],
        help=_(
            "MicroPython for a Pico: the page of the boards then offers it with the unit in one"
            " file; once for each kind of Pico"
        ),
    )
    parser.add_argument("--no-open", action="store_true", help=_("open no browser"))


def run(options: argparse.Namespace) -> int:
    if options.folder:
        folder = Path(options.folder)
        made = {**bundle.files(), **_board_page(options.micropython)}
        bundle.write(folder, made)
        size = round(bundle.compressed_size() / 1024)
        words = _("{folder}: {count} files; the unit's page is {size} kB as a browser loads it")
        print(words.format(folder=folder, count=len(made), size=size))
        print(_("Publish the folder at any host with https; it needs no other setting."))
        return 0
    try:
        made = Server("0.0.0.0" if options.lan else "127.0.0.1", options.port, bundle.files())
    except OSError as error:
        words = _("port {port}: {why}; --port 0 takes a free one")
        said = words.format(port=options.port, why=reason(error))
        raise UserError(said, FAILURE) from None
    with made as server:
        address = f"http://127.0.0.1:{server.port}/"
        print(_("The unit is at {address} (Ctrl+C ends it)").format(address=address), flush=True)
        if options.lan and (host := addresses.own()):
            import segno  # not useful for a person at this computer

            outside = f"http://{host}:{server.port}/"
            print(_("In the home network it is at {address}").format(address=outside), end="\n\n")
            with contextlib.suppress(UnicodeEncodeError):  # without blocks there is the address
                segno.make(outside, error="m", micro=False).terminal(compact=True)
            words = _("There it cannot be installed, and the screen may go dark: see docs/play.md")
            print(f"\n{words}", flush=True)
        elif options.lan:
            words = _("This computer is in no network: no telephone can reach it.")
            print(words, file=sys.stderr)

        def add_boards() -> None:
            """Serve the page of the boards as well, once the firmware is compiled."""
            try:
                server.publish({**bundle.files(), **_board_page(options.micropython)})
            except UserError as error:
                print(f"city-unit: {error}", file=sys.stderr)

        threading.Thread(target=add_boards, daemon=True).start()
        if not options.no_open:
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


def _board_page(micropython: list[str]) -> dict[str, bytes]:
    """Return the page of the boards; the files of a board are the firmware's own affair."""
    return bundle.board_page(importlib.import_module("firmware.tool.for_page").files(micropython))


def _port(text: str) -> int:
    if not addresses.is_port(text):
        words = _('"{text}" is no port; use a number from 0 to 65535')
        raise argparse.ArgumentTypeError(words.format(text=text))
    return int(text)
