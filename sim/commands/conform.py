"""`city-unit conform`: check a unit or a client against the protocol."""

import argparse
import functools
import shlex
import shutil

from city_unit.desktop.catalogue import _
from city_unit.desktop.command import whole_number
from city_unit.desktop.errors import FAILURE, SUCCESS, UserError, at
from city_unit.host.client import choose_port
from city_unit.host.ports import open_port
from city_unit.host.requests import NoUnit
from sim.lab.conform import client, unit


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "port", nargs="?", metavar=_("PORT"), help=_("the port of the unit to check")
    )
    parser.add_argument(
        "--client",
        metavar=_("COMMAND"),
        help=_(
            "the command that starts the client to check; {port} is replaced by the address of our"
            " unit, socket://127.0.0.1:N, and {after}, which is optional, by the last event that"
            " the client printed in its previous run: BOOT.NUMBER, or -"
        ),
    )
    parser.add_argument(
        "--rounds",
        type=whole_number,
        default=1,
        metavar=_("N"),
        help=_("how often to test each bad line, with different random faults (default: 1)"),
    )
    parser.add_argument(
        "--first",
        type=whole_number,
        default=0,
        metavar=_("N"),
        help=_("the number of the first round; the same number gives the same faults (default: 0)"),
    )
    parser.epilog = _(
        "Checking a unit starts and stops auctions on it. A client under test prints each event"
        " of the unit, from number 0, as a line `NUMBER KIND`. It sends each line of its standard"
        " input as a command, prints `done` or `refused WHY` for the response, and exits at the"
        " end of its input. docs/examples/conform_client.py is an example."
    )


def run(options: argparse.Namespace) -> int:
    if not options.rounds:
        raise UserError(_("--rounds must be at least 1"))
    turns = range(options.first, options.first + options.rounds)
    if options.client:
        command = options.client
        try:
            words = shlex.split(command)
        except ValueError as error:
            text = _("--client {command}: unclosed quotation mark").format(command=command)
            raise UserError(text) from error
        if not any(client.PORT in word for word in words):
            text = _("--client {command}: put {port} in place of the unit's address")
            raise UserError(text.format(command=command, port=client.PORT))
        if shutil.which(words[0]) is None:
            text = _("--client: there is no program {program}")
            raise UserError(text.format(program=words[0]))
        findings = client.checks(words, turns)
    elif options.port:
        try:
            port = choose_port(options.port)
            open_port(port).close()
        except OSError as error:
            raise NoUnit(at(options.port, error)) from error
        findings = unit.checks(functools.partial(open_port, port), turns)
    else:
        raise UserError(_("give the port of a unit, or --client"))
    passed = total = 0
    for finding in findings:
        total += 1
        passed += not finding.why
        text = _("FAIL    {name}: {why}") if finding.why else _("pass    {name}")
        print(text.format(name=finding.name, why=finding.why), flush=True)
    print(_("{passed} of {all} passed").format(passed=passed, all=total))
    return SUCCESS if passed == total else FAILURE
