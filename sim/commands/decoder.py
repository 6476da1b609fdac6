"""`city-unit decoder`: install a decoder of the unit's sounds in PulseView and sigrok-cli."""

import argparse
from pathlib import Path

from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import SUCCESS
from sim.lab import decoder_folder


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        metavar=_("FOLDER"),
        help=_("folder of the decoders (default: {folder})").format(
            folder=decoder_folder.default()
        ),
    )


def run(options: argparse.Namespace) -> int:
    folder = decoder_folder.install(Path(options.folder or decoder_folder.default()))
    print(_("wrote {path}").format(path=folder))
    print(_("in PulseView and sigrok-cli it is called city_unit: sigrok-cli -P city_unit --show"))
    return SUCCESS
