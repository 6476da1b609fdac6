"""Write the case's files: `python -m firmware.case --out DIRECTORY`.

One STL for each printed part, lying as it should be printed, one STEP of the
whole disc, and with `--picture FILE` a picture of it.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from firmware.case.parameters import HOLDERS, Parameters, mistakes


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.case", description=__doc__)
    parser.add_argument("--out", type=Path, help="directory for the STL and STEP files")
    parser.add_argument("--picture", type=Path, help="a PNG of the disc, whole and taken apart")
    parser.add_argument("--cells", type=int, choices=sorted(HOLDERS), default=2, help="AAA cells")
    options = parser.parse_args()
    parameters = replace(Parameters(), cells=options.cells)
    wrong = mistakes(parameters)
    if wrong:
        print(f"case: {wrong[0]}", file=sys.stderr)
        return 2
    if not options.out and not options.picture:
        parser.error("say what to write: --out DIRECTORY or --picture FILE")
    try:
        write(parameters, options)
    except ImportError as error:
        install = f"{sys.executable} -m pip install build123d pyvista"
        print(f"case: {error.name} is missing: {install}", file=sys.stderr)
        return 1
    return 0


def write(parameters: Parameters, options: argparse.Namespace) -> None:
    if options.out:
        from firmware.case.export import export

        for path in export(parameters, options.out):
            print(path)
    if options.picture:
        from firmware.case.picture import draw

        draw(parameters, options.picture)
        print(options.picture)


if __name__ == "__main__":
    sys.exit(main())
