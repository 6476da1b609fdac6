"""`city-unit web`: serve the unit as a web page, or write it to a folder."""

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
The page runs the same unit as everywhere else, in MicroPython inside the browser. A game continues
while the page is closed. Once loaded, the page works without a network.

  city-unit web                   open it in this computer's browser
  city-unit web --lan             let telephones at the table open it too: shows a QR code
  city-unit web --folder dist     write the page to a folder, to publish on any https host

A telephone can install the page from an https host. With --lan it cannot, and its screen may go
dark: browsers allow neither without https. See docs/play.md."""
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = str(EXAMPLE)
    parser.add_argument(
        "--folder", metavar=_("FOLDER"), help=_("write the page to a folder instead of serving it")
    )
    parser.add_argument(
        "--port",
        metavar=_("N"),
        type=_port,
        default=8080,
        help=_("port to serve on (default: 8080; 0: any free port)"),
    )
    parser.add_argument(
        "--lan",
        action="store_true",
        help=_("serve the home network too, not only this computer"),
    )
    parser.add_argument(
        "--micropython",
        metavar=_("FILE.uf2"),
        action="append",
        default=[],
        help=_(
            "MicroPython for a Pico: the board page then offers it and the unit as one file; may be"
            " repeated, once per kind of Pico"
        ),
    )
    parser.add_argument("--no-open", action="store_true", help=_("do not open a browser"))


def run(options: argparse.Namespace) -> int:
    if options.folder:
        folder = Path(options.folder)
        made = {**bundle.files(), **_board_page(options.micropython)}
        bundle.write(folder, made)
        size = round(bundle.compressed_size() / 1000)
        words = _("{folder}: {count} files; a browser loads the unit's page as {size} kB")
        print(words.format(folder=folder, count=len(made), size=size))
        print(_("Publish the folder on any https host; no configuration is needed."))
        return 0
    try:
        made = Server("0.0.0.0" if options.lan else "127.0.0.1", options.port, bundle.files())
    except OSError as error:
        words = _("port {port}: {why}; --port 0 picks a free one")
        message = words.format(port=options.port, why=reason(error))
        raise UserError(message, FAILURE) from None
    with made as server:
        address = f"http://127.0.0.1:{server.port}/"
        print(_("The unit is at {address} (Ctrl+C stops it)").format(address=address), flush=True)
        if options.lan and (host := addresses.own()):
            import segno  # only --lan needs it

            outside = f"http://{host}:{server.port}/"
            print(_("In the home network it is at {address}").format(address=outside), end="\n\n")
            with contextlib.suppress(UnicodeEncodeError):  # a terminal that cannot show blocks
                segno.make(outside, error="m", micro=False).terminal(compact=True)
            words = _("There it cannot be installed, and the screen may go dark: see docs/play.md")
            print(f"\n{words}", flush=True)
        elif options.lan:
            words = _("This computer is not in a network: no telephone can reach it.")
            print(words, file=sys.stderr)

        def add_board_page() -> None:
            """Serve the board page as well, as soon as the firmware is compiled."""
            try:
                server.publish({**bundle.files(), **_board_page(options.micropython)})
            except UserError as error:
                print(f"city-unit: {error}", file=sys.stderr)

        threading.Thread(target=add_board_page, daemon=True).start()
        if not options.no_open:
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


def _board_page(micropython: list[str]) -> dict[str, bytes]:
    """Return the board page; sim must not import firmware, which makes the files of a board."""
    return bundle.board_page(importlib.import_module("firmware.tool.for_page").files(micropython))


def _port(text: str) -> int:
    if not addresses.is_port(text):
        words = _('"{text}" is not a port; use a number from 0 to 65535')
        raise argparse.ArgumentTypeError(words.format(text=text))
    return int(text)
