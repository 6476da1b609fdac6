"""`city-unit trace`: run a scenario in virtual time and print its trace."""

import argparse
import sys

from city_unit.desktop.arguments import add_scenario, whole
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import SUCCESS
from sim.engine import scenario, virtual

# To translators: the text behind # is a comment; all else is as it stands in a file.
EXAMPLE = lazy(
    """\
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
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = str(EXAMPLE)
    add_scenario(parser)
    parser.add_argument(
        "--start-ms",
        metavar=_("N"),
        type=whole,
        default=0,
        help=_(
            "what the unit's own clock, which wraps at 2^30, shows at the start; changes nothing"
        ),
    )


def run(options: argparse.Namespace) -> int:
    script = scenario.load(options.file, options.program, options.seed)
    virtual.trace(script, options.start_ms, lambda line: sys.stdout.write(line + "\n"))
    return SUCCESS
