"""`city-unit lateness`: measure how late the lamps and tones of a live unit are."""

import argparse
import json
import math
import sys
from contextlib import nullcontext

from city_unit import host
from city_unit.desktop.catalogue import _
from city_unit.desktop.command import (
    Parser,
    Progress,
    add_force_on_unit,
    add_json_report,
    add_unit_port,
)
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED, UserError
from city_unit.desktop.files import ask_before_overwriting, write_whole
from city_unit.desktop.forms import number, shortest
from sim.lab import lateness, lateness_plot, picture, reserve


def arguments(parser: Parser) -> None:
    parser.codes = {
        SUCCESS: _("all limits are met"),
        FAILURE: _("one is exceeded, or nothing was measured"),
        UNCHECKED: _("a limit is undecided: there were too few edges"),
    }
    add_unit_port(parser)
    parser.add_argument(
        "--seconds",
        type=float,
        default=60.0,
        metavar=_("N"),
        help=_("duration (default: 60); Ctrl-C ends it early and prints the results so far"),
    )
    parser.add_argument(
        "--busy",
        action="store_true",
        help=_(
            "keep the unit and its line busy with 50 commands a second, permits and auctions; "
            "not while people play"
        ),
    )
    add_force_on_unit(parser)
    parser.add_argument(
        "--p99-ms",
        type=float,
        metavar=_("X"),
        help=_("judge with 95 %% confidence whether 99 of 100 edges are no later than this"),
    )
    parser.add_argument(
        "--limit-ms",
        type=float,
        metavar=_("X"),
        help=_("fail if the worst edge is later than this"),
    )
    parser.add_argument(
        "--plot", metavar=_("OUT"), help=_("draw the lateness of each edge over time: NAME.svg")
    )
    add_json_report(parser)
    parser.epilog = _(
        "An emulated unit is late whenever this computer is busy; measure it on an idle one."
    )


def run(options: argparse.Namespace) -> int:
    if not 0 < options.seconds < math.inf:
        words = _("--seconds {seconds}: must be above 0")
        raise UserError(words.format(seconds=shortest(options.seconds, 6)))
    for option, value in (("--limit-ms", options.limit_ms), ("--p99-ms", options.p99_ms)):
        if value is not None and not value > 0:
            words = _("{option} {limit}: must be above 0")
            raise UserError(words.format(option=option, limit=shortest(value, 6)))
    picture.refuse(options.plot)
    ask_before_overwriting(options.force, options.plot)
    line, progress = Progress(), _("measuring: {percent} %")
    with (
        host.connect(options.port) as unit,
        reserve.reserved(unit, options.force) if options.busy else nullcontext(),
    ):
        measurement = lateness.measure(
            unit, options.seconds, options.busy, lambda part: line.percent(progress, part)
        )
    seconds = number(measurement.seconds, 1)
    if not measurement.edges:
        words = _(
            "no lamp or tone changed in {seconds} s; check that the unit is switched on and in use"
        )
        if measurement.error:
            words = _("{trouble}, after {seconds} s; nothing was measured")
        raise UserError(words.format(trouble=measurement.error, seconds=seconds), FAILURE)
    report = lateness.Report(measurement, options.limit_ms, options.p99_ms)
    if options.plot:
        title = _("How late the edges of {port} were, in {seconds} s")
        title = title.format(port=options.port, seconds=seconds)
        write_whole(options.plot, picture.text(lateness_plot.draw(report.plot(), title)))
        print(_("wrote {path}").format(path=options.plot), file=sys.stderr)
    if options.json:
        print(json.dumps(report.as_json()))
    else:
        print("\n".join(report.lines()))
    if measurement.error:
        words = _("{trouble}, after {seconds} s; the results until then are above")
        raise UserError(words.format(trouble=measurement.error, seconds=seconds), FAILURE)
    return report.code
