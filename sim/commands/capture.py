"""`city-unit lateness`: how late a live unit's lamps and beeps are, and whose fault that is."""

import argparse
import json
import math
import sys
from contextlib import nullcontext
from statistics import median
from typing import NamedTuple

from city_unit import host
from city_unit.desktop.arguments import add_json_report, add_taking, add_unit_port
from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED, UserError
from city_unit.desktop.files import refuse_no_folder
from city_unit.desktop.forms import number, percent, shortest, signed
from city_unit.desktop.progress import Progress
from sim.lab.capture import lateness, loan, machine
from sim.lab.capture.lateness import Captured, Lateness, Verdict
from sim.lab.picture import lateness_plot, picture_file

_NOTABLE_MS = 2.0  # an edge that is later has somebody to blame, where no limit is given
_PATIENCE_S = 60.0
_TOO_BUSY = 0.2  # a machine that stands still for so much of the time says nothing of a unit


class Figures(NamedTuple):
    """The result of a capture.

    kinds     the figures of each kind of edge, those of all last
    limit_ms  the one that blame begins at,
    late      how many edges were later than it, and
    own       how many were without the time in which the machine stood still
    stalls    how often the machine stood still, and
    still_ms  for how long in all; None where nobody watched
    verdict   on `--p99-ms`, None if it is not asked for
    is_busy   whether the machine stood still for too long to say anything of the unit
    """

    kinds: list[Lateness]
    limit_ms: float
    late: int
    own: int
    stalls: int
    still_ms: float | None
    verdict: Verdict | None
    is_busy: bool


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _("""\
The exit status is 0 if no limit is broken, 1 if one is, or if nothing was measured, 2 if the
command has a mistake, 3 if a limit can neither be said to be kept nor to be broken: too few
edges, or a machine that is too busy.
""")
    add_unit_port(parser)
    parser.add_argument(
        "--seconds",
        type=float,
        default=60.0,
        metavar=_("N"),
        help=_(
            "how long (default: 60); Ctrl-C ends it sooner, and prints what was measured until then"
        ),
    )
    parser.add_argument(
        "--busy",
        action="store_true",
        help=_(
            "keep the unit and its line busy: 50 commands a second, permits and auctions in turn "
            "(not while people play)"
        ),
    )
    add_taking(parser)
    parser.add_argument(
        "--p99-ms",
        type=float,
        metavar=_("X"),
        help=_(
            "give a verdict, 95 %% sure: are 99 of 100 edges no later than this? What an emulated "
            "unit waited for this machine is not held against it"
        ),
    )
    parser.add_argument(
        "--limit-ms",
        type=float,
        metavar=_("X"),
        help=_("fail if the worst edge is later than this, whoever is to blame"),
    )
    parser.add_argument(
        "--wait-quiet",
        type=float,
        metavar=_("S"),
        help=_(
            "before an emulated unit is measured, wait at most so long until this machine is "
            "quiet (60 with --p99-ms, else 0)"
        ),
    )
    parser.add_argument(
        "--picture", metavar=_("OUT"), help=_("draw the histogram: NAME.svg or NAME.png")
    )
    parser.add_argument(
        "--plot", metavar=_("OUT"), help=_("draw the lateness of each edge over time: NAME.svg")
    )
    add_json_report(parser)


def run(options: argparse.Namespace) -> int:
    if not 0 < options.seconds < math.inf:
        words = _("--seconds {seconds}: how long is a number above 0")
        raise UserError(words.format(seconds=shortest(options.seconds, 6)))
    for option, value in (("--limit-ms", options.limit_ms), ("--p99-ms", options.p99_ms)):
        if value is not None and not value > 0:
            words = _("{option} {limit}: a limit is a number above 0")
            raise UserError(words.format(option=option, limit=shortest(value, 6)))
    if options.wait_quiet is not None and not 0 <= options.wait_quiet < math.inf:
        raise UserError(_("--wait-quiet is a number of seconds, 0 or more"))
    for path in (options.picture, options.plot):
        if path and not picture_file.is_picture(path):
            words = _("{path}: a picture is written as .svg or .png")
            raise UserError(words.format(path=path))
    refuse_no_folder(options.picture, options.plot)
    captured, watch = _capture(options)
    seconds = number(captured.seconds, 1)
    if not captured.edges:
        words = _("no lamp and no tone changed in {seconds} s; is the unit switched on, and used?")
        if captured.trouble:
            words = _("{trouble}, after {seconds} s; nothing was measured")
        raise UserError(words.format(trouble=captured.trouble, seconds=seconds), FAILURE)
    figures = _figures(captured, watch, options)
    worst_ms = max(abs(edge.late_us) for edge in captured.edges) / 1000
    is_within = options.limit_ms is None or worst_ms <= options.limit_ms
    outcome = figures.verdict.outcome if figures.verdict else lateness.PASS
    code = UNCHECKED if outcome == lateness.UNDECIDED else SUCCESS
    if not is_within or outcome == lateness.FAIL:
        code = FAILURE
    title = _("How late the edges of {port} were, in {seconds} s")
    title = title.format(port=options.port, seconds=seconds)
    limit_ms = options.p99_ms or options.limit_ms
    if options.picture:
        late_us = [edge.late_us for edge in captured.edges]
        drawn = lateness_plot.histogram(late_us, figures.kinds[-1], title, limit_ms)
        picture_file.save(options.picture, drawn)
        print(_("wrote {path}").format(path=options.picture), file=sys.stderr)
    if options.plot:
        plot = _plot(captured, limit_ms)
        picture_file.save(options.plot, lateness_plot.draw(plot, title))
        print(_("wrote {path}").format(path=options.plot), file=sys.stderr)
    if options.json:
        print(json.dumps(_as_json(options, captured, figures, code == SUCCESS)))
    else:
        _tell(captured, figures)
        if options.limit_ms is not None:
            words = (
                _("pass: the worst edge was {worst} ms late, the limit is {limit} ms")
                if is_within
                else _("FAIL: the worst edge was {worst} ms late, the limit is {limit} ms")
            )
            print(words.format(worst=number(worst_ms, 2), limit=shortest(options.limit_ms, 6)))
        if figures.verdict:
            print(_in_words(figures.verdict, options.p99_ms, figures.is_busy))
    if captured.trouble:
        words = _("{trouble}, after {seconds} s; what was measured until then stands above")
        raise UserError(words.format(trouble=captured.trouble, seconds=seconds), FAILURE)
    return code


def _capture(options: argparse.Namespace) -> tuple[Captured, machine.Watch]:
    patience = options.wait_quiet
    if patience is None:
        patience = _PATIENCE_S if options.p99_ms is not None else 0.0
    line = Progress()

    def progress(part: float) -> None:
        line.show(_("capturing: {percent} %").format(percent=int(part * 100)), part)

    try:
        with host.connect(options.port) as unit:
            watch = machine.Watch()
            with watch if machine.is_here(unit.port) else nullcontext():
                if patience and not watch.wait_for_quiet(patience, unit.poll):
                    words = _("this machine was not quiet within {seconds} s; measuring anyway")
                    print(words.format(seconds=shortest(patience, 6)), file=sys.stderr)
                with loan.borrowed(unit, options.force) if options.busy else nullcontext():
                    captured = lateness.capture(unit, options.seconds, options.busy, progress)
            return captured, watch
    except (loan.InUse, host.LinkError) as error:
        raise UserError(str(error), FAILURE) from error


def _figures(captured: Captured, watch: machine.Watch, options: argparse.Namespace) -> Figures:
    kinds = [lateness.summarise(kind, late) for kind, late in sorted(captured.late_us.items())]
    kinds.append(lateness.summarise("all", [edge.late_us for edge in captured.edges]))
    late_ms = [edge.late_us / 1000 for edge in captured.edges]
    own_ms = [  # without the time for which the machine stood still
        late - (machine.excused_ms(edge.at_ms, late, watch.stalls) if late > 0 else 0)
        for edge, late in zip(captured.edges, late_ms, strict=True)
    ]
    still_ms = sum(stall.end - stall.start for stall in watch.stalls) if watch.is_awake else None
    is_busy = still_ms is not None and still_ms > captured.seconds * 1000 * _TOO_BUSY
    judged = None
    if options.p99_ms is not None:
        judged = lateness.judge(len(own_ms), sum(abs(own) > options.p99_ms for own in own_ms))
        if is_busy:
            judged = judged._replace(outcome=lateness.UNDECIDED)
    limit_ms = options.p99_ms or options.limit_ms or _NOTABLE_MS
    late, own = (sum(abs(ms) > limit_ms for ms in each) for each in (late_ms, own_ms))
    return Figures(kinds, limit_ms, late, own, len(watch.stalls), still_ms, judged, is_busy)


def _plot(captured: Captured, limit_ms: float | None) -> lateness_plot.Plot:
    """Return each edge's lateness over time; the band is the limit, edges beyond it are red."""
    began = captured.edges[0].at_ms - captured.edges[0].late_us / 1000
    edges = [
        lateness_plot.Edge(
            edge.kind.rpartition(" ")[0],
            edge.at_ms - edge.late_us / 1000 - began,
            edge.late_us / 1000,
        )
        for edge in captured.edges
    ]
    end_ms = max(captured.seconds * 1000, *(edge.due_ms for edge in edges))
    return lateness_plot.Plot(edges, end_ms, limit_ms, _drift(captured))


def _drift(captured: Captured) -> list[str]:
    """Return how far the clocks part, in words, if that is known."""
    if captured.drift_ppm is None or captured.drift_off_ppm is None:
        return []
    words = _("drift {drift} ± {off} ppm against this desktop's clock")
    drift, off = signed(captured.drift_ppm, 1), number(captured.drift_off_ppm, 1)
    return [words.format(drift=drift, off=off)]


def _as_json(
    options: argparse.Namespace, captured: Captured, figures: Figures, passed: bool
) -> dict:
    def rounded(value: float | None) -> float | None:
        return None if value is None else round(value, 1)

    return {
        "seconds": round(captured.seconds, 1),
        "edges": [kind._asdict() for kind in figures.kinds],
        "drift_ppm": rounded(captured.drift_ppm),
        "drift_uncertainty_ppm": rounded(captured.drift_off_ppm),
        "limit_ms": options.limit_ms,
        "p99_ms": options.p99_ms,
        "verdict": figures.verdict._asdict() if figures.verdict else None,
        "late": figures.late,
        "late_of_unit": figures.own,
        "machine_still_ms": rounded(figures.still_ms),
        "line_median_ms": rounded(median(edge.way_ms for edge in captured.edges)),
        "line_worst_ms": rounded(max(edge.way_ms for edge in captured.edges)),
        "trouble": captured.trouble,
        "passed": passed,
    }


def _tell(captured: Captured, figures: Figures) -> None:
    head = _("edge, in {seconds:>7} s     count    median       p99     worst")
    print(head.format(seconds=number(captured.seconds, 1)))
    for kind in figures.kinds:
        words = _("{kind:<22} {edges:>6} {median_ms:>6} ms {p99_ms:>6} ms {worst_ms:>6} ms")
        print(words.format(**kind.in_words()))
    histogram_rows = lateness.histogram([edge.late_us for edge in captured.edges])
    print("\n".join([*_drift(captured), *histogram_rows]))
    words = ngettext(
        "{count} edge was later than {limit} ms",
        "{count} edges were later than {limit} ms",
        figures.late,
    )
    print(words.format(count=figures.late, limit=shortest(figures.limit_ms, 6)))
    if figures.late:
        words = _("  while this machine stood still: {machine}; by the unit itself: {unit}")
        print(words.format(machine=figures.late - figures.own, unit=figures.own))
    if figures.still_ms is not None:
        words = _("  this machine stood still {count} times, for {ms:.0f} ms in all, {part}")
        part = figures.still_ms / 1000 / max(captured.seconds, 0.001)
        print(words.format(count=figures.stalls, ms=figures.still_ms, part=percent(part, 1)))
    ways = [edge.way_ms for edge in captured.edges]
    words = _(
        "  the news of an edge was under way for {median} ms, at most {worst} ms: the "
        "line and this desktop, no part of its lateness"
    )
    print(words.format(median=number(median(ways), 1), worst=number(max(ways), 1)))


def _in_words(judged: Verdict, limit_ms: float, is_busy: bool) -> str:
    fields = {
        "limit": shortest(limit_ms, 6),
        "sure": percent(judged.sure),
        "edges": judged.edges,
        "late": judged.late,
        "needed": judged.needed,
    }
    if judged.outcome == lateness.PASS:
        words = _("pass: 99 of 100 edges within {limit} ms, {sure} sure, {edges} edges")
    elif judged.outcome == lateness.FAIL:
        words = _(
            "FAIL: more than 1 of 100 edges later than {limit} ms, {sure} sure, "
            "{late} of {edges} edges"
        )
    elif is_busy:  # more edges would be of no use
        words = _("undecided: this machine is too busy to say anything of the unit")
    else:
        words = _(
            "undecided: {late} of {edges} edges later than {limit} ms; {needed} edges would do, "
            "if no other is late"
        )
    return words.format(**fields)
