"""`city-unit bench`: measure, and print each figure beside what it should reach."""

import importlib

from sim import texts_listen
from sim.errors import UserError

# name: the module whose `run()` returns the figures
BENCHMARKS = {
    "core": "sim.bench.core",
    "boards": "firmware.tool.measure",
    "link": "firmware.tool.measure_link",
    "listen": "sim.bench.listen",
}


def arguments(parser) -> None:
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"which benchmarks to run: {', '.join(BENCHMARKS)}; all if none is named",
    )
    parser.add_argument("--long", action="store_true", help=texts_listen.HELP_LONG)
    parser.add_argument("--picture", metavar="OUT", default="", help=texts_listen.HELP_CURVE)


def run(options) -> int:
    for name in options.names:
        if name not in BENCHMARKS:
            raise UserError(f'no benchmark "{name}"; there is: {", ".join(BENCHMARKS)}')
    for name in options.names or BENCHMARKS:
        print(f"{name}:", flush=True)
        for figure in _figures(name, options):
            _show(figure)
    return 0


def _figures(name: str, options) -> list:
    module = importlib.import_module(BENCHMARKS[name])
    return module.run(options.long, options.picture) if name == "listen" else module.run()


def _show(figure) -> None:
    reached = {None: "", True: "reached", False: "NOT REACHED"}[figure.reached]
    target = f" (wanted: {figure.target}; {reached})" if figure.target else ""
    beside = f"; {figure.beside}" if figure.beside else ""
    print(f"  {figure.what}: {figure.value}{target}{beside}", flush=True)
