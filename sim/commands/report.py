"""`city-unit report`: everything to attach to a report of a problem, in one file, shown first."""

import argparse
import sys

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import SUCCESS, UserError
from city_unit.desktop.files import write_whole
from sim.play import report


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        default=report.NAME,
        metavar=_("FILE"),
        help=_("where to write it (default: {file})").format(file=report.NAME),
    )
    parser.add_argument("--yes", action="store_true", help=_("write it without a question"))


def run(options: argparse.Namespace) -> int:
    text = report.take()
    print(text)
    if not options.yes:
        if not sys.stdin.isatty():
            raise UserError(_("there is no terminal to ask in: --yes writes it unasked"))
        words = _("Write this to {file}? It stays on this computer until you send it. [y/N] ")
        answer = input(words.format(file=options.file)).strip().lower()
        if answer not in ("y", "yes", "o", "oui", "j", "ja"):
            print(_("Nothing was written."))
            return SUCCESS
    write_whole(options.file, text.encode())
    print(report.ATTACH.format(file=options.file))
    return SUCCESS
