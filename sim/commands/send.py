"""`city-unit send`: have a unit do one thing."""

from dataclasses import asdict

from city_unit import host
from sim import texts_link as texts
from sim.errors import UserError


def arguments(parser) -> None:
    parser.add_argument("command", nargs="+", metavar="COMMAND", help=texts.HELP_COMMAND)
    parser.add_argument("--port", default="auto", help=texts.HELP_PORT)
    parser.add_argument("--timeout", type=float, default=2.0, metavar="S", help=texts.HELP_TIMEOUT)


def run(options) -> int:
    command = " ".join(" ".join(options.command).split())
    if command == "help":
        print(texts.COMMANDS)
        return 0
    try:
        with host.connect(options.port) as unit:
            answer = unit.send(command, options.timeout)
            print(_state(unit.snapshot) if command == "state" else answer or texts.DONE)
    except ValueError as error:
        raise UserError(str(error)) from error
    except host.Refused as error:
        unclear = error.why in ("bad-word", "unknown")
        raise UserError(texts.SEE_HELP % error if unclear else str(error), 1) from error
    except host.LinkError as error:
        raise UserError(str(error), 1) from error
    return 0


def _state(snapshot: host.Snapshot | None) -> str:
    """Return a line for each thing that the unit said of itself."""
    assert snapshot is not None  # it came before the answer
    return "\n".join(f"{name:<16}{value}" for name, value in asdict(snapshot).items())
