"""`python3 start.py bench [NAME ...]`: measure, and print each figure beside its target.

No figure fails a run: a busy machine is slow. The tests hold the figures that do not depend on
the machine, as the bytes that a step allocates.
"""

import argparse
import importlib
import sys

from city_unit.desktop.command import Parser, start
from city_unit.desktop.errors import SUCCESS, UserError, did_you_mean
from tests.bench.figure import Figure

# name: the module, whose `run(options)` yields the figures, and its subject
BENCHMARKS = {
    "core": ("tests.bench.core", "an hour in virtual time, and bouncing contacts"),
    "boards": ("tests.bench.boards", "the firmware: bytes compiled, heap, time of a step"),
    "link": ("tests.bench.link", "the link with the firmware: how soon, how small"),
    "doors": (
        "tests.bench.doors",
        "all ways to an emulated unit beside a bare echo, with 1 and 50 units",
    ),
    "chip": (
        "tests.bench.chip",
        "the firmware on an emulated chip (takes minutes; only if named)",
    ),
    "cuts": (
        "tests.bench.cuts",
        "power cuts on an emulated chip while it is flashed (takes minutes; only if named)",
    ),
    "flash": (
        "tests.bench.flashing",
        "how long `flash` takes on an emulated chip (takes a minute; only if named)",
    ),
    "hour": (
        "tests.bench.hour",
        "the heap of an emulated chip after an hour of play (takes long; only if named)",
    ),
    "hard": (
        "tests.bench.hard",
        "units of other pitches in rooms, over telephones, beside talk (only if named)",
    ),
    "bots": (
        "tests.bench.bots",
        "the bots' figures: what other values win (only if named; --games 2000 takes long)",
    ),
    "games": ("tests.bench.games", "whole games of bots, with and without the unit"),
    "walk": ("tests.bench.walk", "a press and a picture at the table: files, moves, time"),
    "window": ("tests.bench.window", "the window: how often it wakes, beside a bare loop"),
    "listen": ("tests.bench.listen", "beeps found in noise (takes minutes)"),
}

_ONLY_IF_NAMED = ("chip", "cuts", "flash", "hour", "hard", "bots")


def main(words: list[str] | None = None) -> int:
    return start("bench", _run, words)


def _run(words: list[str]) -> int:
    options = _parser().read(words)
    for name in options.names:
        if name not in BENCHMARKS:
            raise UserError(f'no benchmark "{name}"{did_you_mean(name, BENCHMARKS)}')
    for name in options.names or [name for name in BENCHMARKS if name not in _ONLY_IF_NAMED]:
        print(f"{name}:", flush=True)
        for figure in importlib.import_module(BENCHMARKS[name][0]).run(options):
            _show(figure)
    return SUCCESS


def _parser() -> Parser:
    rows = [f"  {name:8}{what}" for name, (_module, what) in BENCHMARKS.items()]
    parser = Parser(
        prog="bench",
        description="\n".join(["Measure; all, if no benchmark is named:", "", *rows]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which benchmarks to run")
    parser.add_argument(
        "--games", type=int, default=200, metavar="N", help="games, bots: how many (default: 200)"
    )
    parser.add_argument(
        "--long",
        action="store_true",
        help="listen: eight recordings of five minutes for each point, not two",
    )
    return parser


def _show(figure: Figure) -> None:
    reached = {None: "", True: "; reached", False: "; NOT REACHED"}[figure.reached]
    target = f" (wanted: {figure.target}{reached})" if figure.target else ""
    beside = f"; {figure.beside}" if figure.beside else ""
    print(f"  {figure.what}: {figure.value}{target}{beside}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
