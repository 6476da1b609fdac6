"""`city-unit send`: have a unit do one thing."""

from city_unit import host
from sim import texts_link as texts
from sim.errors import UserError


def arguments(parser) -> None:
    parser.add_argument("command", nargs="+", metavar="COMMAND", help=texts.HELP_COMMAND)
    parser.add_argument("--port", default="auto", help=texts.HELP_PORT)
    parser.add_argument("--timeout", type=float, default=2.0, metavar="S", help=texts.HELP_TIMEOUT)


def run(options) -> int:
    command = " ".join(options.command)
    if command == "help":
        print(texts.COMMANDS)
        return 0
    try:
        with host.connect(options.port) as unit:
            answer = unit.send(command, options.timeout)
            print(unit.snapshot if command == "state" else answer or texts.DONE)
    except ValueError as error:
        raise UserError(str(error)) from error
    except host.LinkError as error:
        raise UserError(str(error), 1) from error
    return 0
