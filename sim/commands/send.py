"""`city-unit send`: have a unit do one thing."""

import argparse
from dataclasses import asdict

from city_unit import host
from city_unit.desktop.arguments import add_unit_port
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.facts import LAMPS

SEE_HELP = lazy("{refusal}; `city-unit send help` lists what can be said")
# To translators: the words on the left are said to the unit, and stay as they are.
COMMANDS = lazy(
    """\
tap auction|build          press a button for 80 ms
press, release auction|build
hold auction|build MS      press a button for so long
switch on|off|free         hold the switch, or let go of it
start [MS]                 start an auction, as long as the program has it or MS
stop                       cancel the auction
program NAME [CLOCK_MS]    begin a game with another program
restart                    begin another game
volume 0|1|2|3
identify                   blink and beep, to see which unit this is
show LAMPS HZ MS           light lamps (a sum of {lamps}) and sound a tone, for a test
state                      what it does now, what is left, what it shows
describe [N]               the figures of its program, page N
counters                   of received, ignored and dropped lines
board                      of a board: its pins, time awake, memory, supply, log of crashes"""
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command",
        nargs="+",
        metavar=_("COMMAND"),
        help=_("what to do; `city-unit send help` lists what can be said"),
    )
    add_unit_port(parser)
    parser.add_argument(
        "--timeout",
        type=float,
        default=2.0,
        metavar=_("S"),
        help=_("seconds to wait for an answer (default: 2)"),
    )


def run(options: argparse.Namespace) -> int:
    command = " ".join(" ".join(options.command).split())
    if command == "help":
        bits = (str(1 << place) for place in range(len(LAMPS)))
        print(COMMANDS.format(lamps=", ".join(bits)))
        return 0
    try:
        with host.connect(options.port) as unit:
            answer = unit.send(command, options.timeout)
            if command == "state" and unit.snapshot is not None:  # it came before the answer
                said = asdict(unit.snapshot).items()
                answer = "\n".join(f"{name:<16}{value}" for name, value in said)
            print(answer or _("done"))
    except ValueError as error:
        raise UserError(str(error)) from error
    except host.Refused as error:
        if error.why not in ("bad-word", "unknown"):
            raise
        raise UserError(SEE_HELP.format(refusal=error), FAILURE) from error
    return 0
