"""`python3 start.py bench [NAME ...]`: measure, and print each figure beside its target.

No figure fails a run: a busy machine is slow.
"""

import argparse
import importlib
import sys
from collections.abc import Callable, Iterable

from city_unit.desktop.command import Parser, start
from city_unit.desktop.errors import SUCCESS, UserError, did_you_mean
from tests.bench import Figure, NotMeasured

Benchmark = Callable[[argparse.Namespace], Iterable[Figure]]
# name: the function that yields the figures, and its subject
BENCHMARKS = {
    "link": ("link.run", "the link with the firmware: how soon"),
    "listen": ("listen.run", "beeps found in noise (takes minutes)"),
}
ONLY_IF_NAMED = {  # they take a minute and more
    "chip": ("chip.run", "the firmware on an emulated chip"),
    "cuts": ("chip.cuts", "power cuts on an emulated chip while it is flashed"),
    "flash": ("chip.flashing", "how long `flash` takes on an emulated chip"),
    "hour": ("chip.hour", "the heap of an emulated chip after an hour of play"),
    "bots": ("bots.run", "the bots' figures: what other values win (--games 2000 takes long)"),
}
ALL = {**BENCHMARKS, **ONLY_IF_NAMED}


def main(words: list[str] | None = None) -> int:
    return start("bench", _run, words)


def _run(words: list[str]) -> int:
    rows = [
        "Measure; all, if no benchmark is named:\n",
        *(f"  {name:8}{what}" for name, (_function, what) in BENCHMARKS.items()),
        "\nonly if named, since they take long:\n",
        *(f"  {name:8}{what}" for name, (_function, what) in ONLY_IF_NAMED.items()),
    ]
    form = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog="bench", description="\n".join(rows), formatter_class=form)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which benchmarks to run")
    parser.add_argument(
        "--games", type=int, default=200, metavar="N", help="bots: how many games (default: 200)"
    )
    parser.add_argument(
        "--long",
        action="store_true",
        help="listen: eight recordings of five minutes for each point, not two",
    )
    options = parser.read(words)
    for name in options.names:
        if name not in ALL:
            raise UserError(f'no benchmark "{name}"{did_you_mean(name, ALL)}')
    for name in options.names or BENCHMARKS:
        print(f"{name}:", flush=True)
        try:
            for figure in benchmark(name)(options):
                reached = {None: "", True: "; reached", False: "; NOT REACHED"}[figure.reached]
                target = f" (wanted: {figure.target}{reached})" if figure.target else ""
                beside = f"; {figure.beside}" if figure.beside else ""
                print(f"  {figure.what}: {figure.value}{target}{beside}", flush=True)
        except NotMeasured as reason:
            print(f"  not measured: {reason}", flush=True)
    return SUCCESS


def benchmark(name: str) -> Benchmark:
    module, _, function = ALL[name][0].partition(".")
    return getattr(importlib.import_module(f"tests.bench.{module}"), function)


if __name__ == "__main__":
    sys.exit(main())
