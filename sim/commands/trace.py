"""`city-unit trace`: run a scenario in virtual time and print what the unit does."""

import argparse
import sys

from city_unit.draws import Draws
from city_unit.settings import Settings
from city_unit.ticks import MASK
from city_unit.trace import replay
from city_unit.unit import Unit
from sim import scenario

EXAMPLE = """\
A scenario is a TOML file:

  program = "city"
  seed = 7
  [[steps]]
  at = "0 s"               # times carry a unit: ms, s, min, h
  do = "switch on"         # press X, release X, tap X (80 ms), hold X for 2 s,
  [[steps]]                # switch on, switch off, end; X is auction or build
  at = "1 s"
  do = "tap auction"
  bounce = "8 ms"          # optional: contacts chatter after each edge of the step
  [[steps]]
  at = "61 min"
  do = "end"               # without it, the run ends when the last step is done
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE
    parser.add_argument("file", metavar="FILE", help="the scenario; - is standard input")
    parser.add_argument("--program", metavar="NAME", help="a program's name or file, not FILE's")
    parser.add_argument("--seed", metavar="N", type=whole, help="the seed, not FILE's")
    parser.add_argument(
        "--start-ms",
        metavar="N",
        type=whole,
        default=0,
        help="what the unit's own clock, which wraps at 2^30, shows at the start; changes nothing",
    )


def run(options: argparse.Namespace) -> int:
    told = scenario.load(options.file, options.program, options.seed)
    run_scenario(told, options.start_ms, lambda line: sys.stdout.write(line + "\n"))
    return 0


def run_scenario(told: scenario.Scenario, start_ms: int, write) -> None:
    """Run a scenario and write its trace, line by line."""
    unit = Unit(Settings(told.programs), Draws(told.seed).below)
    unit.settings.choose(told.program)
    replay(unit, told.changes, start_ms & MASK, told.end_ms, write)


def whole(text: str) -> int:
    """Read a number from the command line; raises ArgumentTypeError."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f'"{text}" is no whole number from 0 on')
    return int(text)
