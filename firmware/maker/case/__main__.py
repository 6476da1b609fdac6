"""Write the case's files: `python -m firmware.maker.case --out DIRECTORY`.

One STL for each printed part, lying as it should be printed, a 3MF of all parts and one
STEP of the whole disc, and with `--picture FILE` a picture of it.
"""

import sys
from dataclasses import replace
from pathlib import Path

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command import Parser, start
from city_unit.desktop.errors import FAILURE, UserError
from firmware.maker.case.parameters import HOLDERS, Parameters, mistakes
from firmware.tool.remote import START

ABOUT = lazy(
    "Write the case's files: one STL for each printed part, lying as it should be printed, a"
    " 3MF of all parts, one STEP of the whole disc, and with --picture a picture of it. Measures"
    " are in millimetres."
)


def main(words: list[str] | None = None) -> int:
    return start("case", run, words)


def run(words: list[str]) -> int:
    parser = Parser(prog=f"{START} case", description=str(ABOUT))  # no text: typed as it is
    out = _("folder for the STL, 3MF and STEP files")
    parser.add_argument("--out", type=Path, metavar=_("FOLDER"), help=out)
    picture = _("a PNG of it, whole and taken apart")
    parser.add_argument("--picture", type=Path, metavar=_("FILE"), help=picture)
    board = _("for the board of our own (firmware/maker/pcb) in place of loose parts")
    parser.add_argument("--own-board", action="store_true", help=board)
    kept = _("make the files that are kept with the project anew")
    parser.add_argument("--keep", action="store_true", help=kept)
    cells = _("for how many AAA cells (default: 2)")
    parser.add_argument("--cells", type=int, choices=sorted(HOLDERS), default=2, help=cells)
    options = parser.read(words)
    parameters = replace(Parameters(), cells=options.cells, own_board=options.own_board)
    if wrong := mistakes(parameters):
        raise UserError(wrong[0])
    if not (options.out or options.picture or options.keep):
        parser.error(_("say what to write: --out FOLDER or --picture FILE"))
    try:
        from firmware.maker.case.export import export, keep

        written = export(parameters, options.out) if options.out else []
        written += keep() if options.keep else []
        if options.picture:
            from firmware.maker.case.picture import draw

            draw(parameters, options.picture)
            written.append(options.picture)
    except ImportError as error:
        install = errors.install_command("build123d", "pyvista")
        missing = _("{name} is missing: {command}").format(name=error.name, command=install)
        raise UserError(missing, FAILURE) from None
    print(*written, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
