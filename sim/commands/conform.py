"""`city-unit conform`: whether a unit, or a client, holds to the protocol."""

import argparse
import functools
import shlex
import shutil

from city_unit import host
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command import whole
from city_unit.desktop.errors import FAILURE, SUCCESS, UserError
from city_unit.host.client import choose_port
from city_unit.host.ports import open_port
from sim.lab.conform import client, unit

WELL = lazy("well    {name}")
WRONG = lazy("WRONG   {name}: {why}")
UNCLOSED = lazy("--client {command}: a quotation mark in it is not closed")
NO_PORT_IN_IT = lazy("--client {command}: put {port} where the client takes the unit's address")
NO_PROGRAM = lazy("there is no program {program} that could be started as a client")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("port", nargs="?", metavar=_("PORT"), help=_("where the unit is"))
    parser.add_argument(
        "--client",
        metavar=_("COMMAND"),
        help=_(
            "how the client is started; {port} in it becomes the address of a unit of ours,"
            " socket://127.0.0.1:N, and {after}, if it is there, the last event that it had in an"
            " earlier run, BOOT.NUMBER, or -"
        ),
    )
    parser.add_argument(
        "--rounds",
        type=whole,
        default=1,
        metavar=_("N"),
        help=_("how often the bad lines are gone through, with other chances (default: 1)"),
    )
    parser.add_argument(
        "--first",
        type=whole,
        default=0,
        metavar=_("N"),
        help=_("with which chances to begin: a round of the same number is the same (default: 0)"),
    )
    parser.epilog = _(
        "Auctions are started and stopped on the unit. A client prints each event that the unit"
        " keeps, from number 0 on, as a line `NUMBER KIND`, sends each line of its standard input"
        " as a command, prints `done` or `refused WHY` when it is answered, and ends when its"
        " input does; docs/examples/conform_client.py is one."
    )


def run(options: argparse.Namespace) -> int:
    if not options.rounds:  # nothing would be said of the bad lines
        raise UserError(_("{text} is no number of rounds from 1 on").format(text=options.rounds))
    turns = range(options.first, options.first + options.rounds)
    if options.client:
        command = options.client
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise UserError(UNCLOSED.format(command=command)) from error
        if not any(client.PORT in word for word in words):
            raise UserError(NO_PORT_IN_IT.format(command=command, port=client.PORT))
        if shutil.which(words[0]) is None:
            raise UserError(NO_PROGRAM.format(program=words[0]))
        findings = client.checks(words, turns)
    elif options.port:
        open_line = functools.partial(open_port, _free_port(options.port))
        findings = unit.checks(open_line, turns)
    else:
        raise UserError(_("name the port of a unit, or a client with --client"))
    well = total = 0
    for finding in findings:
        total += 1
        well += not finding.why
        text = WRONG if finding.why else WELL
        print(text.format(name=finding.name, why=finding.why), flush=True)
    print(_("{well} of {all} are well.").format(well=well, all=total))
    return SUCCESS if well == total else FAILURE


def _free_port(wanted: str, clock: unit.Clock = unit.HOST) -> str:
    """Return the port of a unit that no other program has. Raises UserError.

    A unit may be busy for a while with a program that has gone without a word.
    """
    try:
        port = choose_port(wanted)
        open_port(port).close()
    except OSError as error:
        raise UserError(f"{wanted}: {error}", FAILURE) from error
    end = clock.now() + unit.BUSY_S
    while True:
        try:
            host.greet(port)
        except host.Busy:
            if clock.now() >= end:
                raise
            clock.sleep(unit.REOPEN_S)
            continue
        except host.NoUnit:
            pass  # the mistakes of its greeting are on the score card
        return port
