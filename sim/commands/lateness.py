"""`city-unit lateness` measures a live unit; `decoder` installs a decoder for sigrok."""

import argparse
import json
import math
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from statistics import median

from city_unit import host
from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.command import (
    Parser,
    Progress,
    add_force_on_unit,
    add_json_report,
    add_unit_port,
)
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED, UserError
from city_unit.desktop.files import ask_before_overwriting, make_folder, write_whole
from city_unit.desktop.forms import number, percent, shortest, signed
from city_unit.facts import LAMPS
from city_unit.programs import PROGRAMS
from sim.lab import lateness, lateness_plot, picture, reserve
from sim.lab.lateness import Measurement, Verdict

_NOTABLE_MS = 2.0  # without a limit, later edges are counted


def lateness_arguments(parser: Parser) -> None:
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


def run_lateness(options: argparse.Namespace) -> int:
    if not 0 < options.seconds < math.inf:
        words = _("--seconds {seconds}: must be above 0")
        raise UserError(words.format(seconds=shortest(options.seconds, 6)))
    for option, value in (("--limit-ms", options.limit_ms), ("--p99-ms", options.p99_ms)):
        if value is not None and not value > 0:
            words = _("{option} {limit}: must be above 0")
            raise UserError(words.format(option=option, limit=shortest(value, 6)))
    picture.refuse(options.plot)
    ask_before_overwriting(options.force, options.plot)
    measurement = _measure(options)
    seconds = number(measurement.seconds, 1)
    if not measurement.edges:
        words = _(
            "no lamp or tone changed in {seconds} s; check that the unit is switched on and in use"
        )
        if measurement.error:
            words = _("{trouble}, after {seconds} s; nothing was measured")
        raise UserError(words.format(trouble=measurement.error, seconds=seconds), FAILURE)
    figures = Figures(measurement, options)
    if options.plot:
        began = measurement.edges[0].at_ms - measurement.edges[0].late_us / 1000
        edges = []
        for edge in measurement.edges:
            late_ms = edge.late_us / 1000
            kind = edge.kind.rpartition(" ")[0]
            edges.append(lateness_plot.Edge(kind, edge.at_ms - late_ms - began, late_ms))
        end_ms = max(measurement.seconds * 1000, *(edge.due_ms for edge in edges))
        limit_ms = options.p99_ms or options.limit_ms
        plot = lateness_plot.Plot(edges, end_ms, limit_ms, figures.drift())
        title = _("How late the edges of {port} were, in {seconds} s")
        title = title.format(port=options.port, seconds=seconds)
        write_whole(options.plot, picture.text(lateness_plot.draw(plot, title)))
        print(_("wrote {path}").format(path=options.plot), file=sys.stderr)
    if options.json:
        print(json.dumps(figures.as_json()))
    else:
        print("\n".join(figures.lines()))
    if measurement.error:
        words = _("{trouble}, after {seconds} s; the results until then are above")
        raise UserError(words.format(trouble=measurement.error, seconds=seconds), FAILURE)
    return figures.code


def _measure(options: argparse.Namespace) -> Measurement:
    line, words = Progress(), _("measuring: {percent} %")
    with (
        host.connect(options.port) as unit,
        reserve.reserved(unit, options.force) if options.busy else nullcontext(),
    ):
        return lateness.measure(
            unit, options.seconds, options.busy, lambda part: line.percent(words, part)
        )


class Figures:
    """The report of a measurement, as text and as JSON.

    kinds  statistics of each kind of edge, then of all
    code   the exit status
    """

    def __init__(self, measurement: Measurement, options: argparse.Namespace) -> None:
        self._measurement = measurement
        self._limit_ms, self._p99_ms = options.limit_ms, options.p99_ms
        self.kinds = [
            *(lateness.summarise(kind, late) for kind, late in sorted(measurement.late_us.items())),
            lateness.summarise("all", [edge.late_us for edge in measurement.edges]),
        ]
        late_ms = [abs(edge.late_us) / 1000 for edge in measurement.edges]
        self._notable_ms = self._p99_ms or self._limit_ms or _NOTABLE_MS
        self._late = sum(ms > self._notable_ms for ms in late_ms)
        self._verdict: Verdict | None = None
        if self._p99_ms is not None:
            self._verdict = lateness.judge(len(late_ms), self._late)
        self._worst_ms = max(late_ms)
        self._is_within = self._limit_ms is None or self._worst_ms <= self._limit_ms
        outcome = self._verdict.outcome if self._verdict else lateness.PASS
        self.code = UNCHECKED if outcome == lateness.UNDECIDED else SUCCESS
        if not self._is_within or outcome == lateness.FAIL:
            self.code = FAILURE

    def drift(self) -> list[str]:
        """Describe the drift, in at most one line."""
        measurement = self._measurement
        if measurement.drift_ppm is None or measurement.drift_uncertainty_ppm is None:
            return []
        words = _("drift {drift} ± {off} ppm against this desktop's clock")
        drift, off = signed(measurement.drift_ppm, 1), number(measurement.drift_uncertainty_ppm, 1)
        return [words.format(drift=drift, off=off)]

    def as_json(self) -> dict[str, object]:
        def rounded(value: float | None) -> float | None:
            return None if value is None else round(value, 1)

        measurement = self._measurement
        transits = [edge.transit_ms for edge in measurement.edges]
        return {
            "seconds": round(measurement.seconds, 1),
            "edges": [kind._asdict() for kind in self.kinds],
            "drift_ppm": rounded(measurement.drift_ppm),
            "drift_uncertainty_ppm": rounded(measurement.drift_uncertainty_ppm),
            "limit_ms": self._limit_ms,
            "p99_ms": self._p99_ms,
            "verdict": self._verdict._asdict() if self._verdict else None,
            "late": self._late,
            "line_median_ms": rounded(median(transits)),
            "line_worst_ms": rounded(max(transits)),
            "trouble": measurement.error,
            "passed": self.code == SUCCESS,
        }

    def lines(self) -> list[str]:
        measurement = self._measurement
        head = _("edge, in {seconds:>7} s     count    median       p99     worst")
        row = _("{kind:<22} {edges:>6} {median_ms:>6} ms {p99_ms:>6} ms {worst_ms:>6} ms")
        lines = [
            head.format(seconds=number(measurement.seconds, 1)),
            *(row.format(**kind.in_words()) for kind in self.kinds),
            *self.drift(),
        ]
        words = ngettext(
            "{count} edge was later than {limit} ms",
            "{count} edges were later than {limit} ms",
            self._late,
        )
        lines.append(words.format(count=self._late, limit=shortest(self._notable_ms, 6)))
        transits = [edge.transit_ms for edge in measurement.edges]
        words = _(
            "  reports of edges took {median} ms to arrive, at most {worst} ms; this is not part "
            "of the lateness"
        )
        lines.append(
            words.format(median=number(median(transits), 1), worst=number(max(transits), 1))
        )
        if self._limit_ms is not None:
            words = (
                _("pass: the worst edge was {worst} ms late, the limit is {limit} ms")
                if self._is_within
                else _("FAIL: the worst edge was {worst} ms late, the limit is {limit} ms")
            )
            worst, limit = number(self._worst_ms, 2), shortest(self._limit_ms, 6)
            lines.append(words.format(worst=worst, limit=limit))
        if self._verdict:
            lines.append(self._judged(self._verdict))
        return lines

    def _judged(self, verdict: Verdict) -> str:
        if verdict.outcome == lateness.PASS:
            words = _("pass: 99 of 100 edges within {limit} ms, {sure} confidence, {edges} edges")
        elif verdict.outcome == lateness.FAIL:
            words = _(
                "FAIL: more than 1 of 100 edges later than {limit} ms, {sure} confidence, "
                "{late} of {edges} edges"
            )
        else:
            words = _(
                "undecided: {late} of {edges} edges later than {limit} ms; {needed} edges would "
                "be enough if no further one is late"
            )
        sure = percent(verdict.sure)
        fields = {**verdict._asdict(), "limit": shortest(self._p99_ms, 6), "sure": sure}
        return words.format(**fields)


_SOURCE = Path(__file__).parent.parent / "lab" / "decoder.py"
_NAME = "city_unit"


def decoder_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        metavar=_("FOLDER"),
        help=_("folder of the decoders (default: {folder})").format(folder=_default_folder()),
    )


def run_decoder(options: argparse.Namespace) -> int:
    folder = Path(options.folder or _default_folder()) / _NAME
    make_folder(folder)
    write_whole(folder / "__init__.py", "from .pd import Decoder\n")  # no text: Python
    cues: list[tuple[str, tuple[tuple[int, int, int], ...]]] = []
    for program in PROGRAMS:
        for name, cue in program.cues.items():
            notes: list[tuple[int, int, int]] = []  # the pause before it ms, Hz, ms
            pause = 0
            for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
                if hz:
                    notes.append((pause, hz, ms))
                pause = 0 if hz else pause + ms
            if name != "choice" and (name, tuple(notes)) not in cues:
                cues.append((name, tuple(notes)))
    tables = f"LAMPS = {tuple(LAMPS)!r}\nCUES = {tuple(cues)!r}\n"  # no text: a file of Python
    write_whole(folder / "cues.py", tables)
    write_whole(folder / "pd.py", _SOURCE.read_bytes())
    print(_("wrote {path}").format(path=folder))
    print(_("in PulseView and sigrok-cli it is called city_unit: sigrok-cli -P city_unit --show"))
    return SUCCESS


def _default_folder() -> Path:
    """Return the user's decoder folder of libsigrokdecode."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "libsigrokdecode" / "decoders"
