"""`city-unit capture`: how late a live unit's lamps and beeps are."""

import argparse
import json
import math
import sys

from city_unit import host
from sim import texts_lab
from sim.errors import UserError
from sim.files import refuse_no_folder
from sim.lab import borrowing, capturing, histogram, lateness, shapes
from sim.lab.capturing import Captured
from sim.lab.lateness import Lateness


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", default="auto", help="the unit's port, or auto")
    parser.add_argument(
        "--seconds", type=float, default=60.0, metavar="N", help=texts_lab.HELP_SECONDS
    )
    parser.add_argument("--busy", action="store_true", help=texts_lab.HELP_BUSY)
    parser.add_argument("--force", action="store_true", help=texts_lab.HELP_FORCE)
    parser.add_argument(
        "--limit-ms", type=float, metavar="X", help="fail if the worst edge is later than this"
    )
    parser.add_argument("--picture", metavar="OUT", help="draw the histogram: NAME.svg or NAME.png")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")


def run(options: argparse.Namespace) -> int:
    _refuse_what_cannot_be(options)
    captured = _capture(options)
    if not captured.late_us:
        lost = texts_lab.LOST if captured.is_lost else texts_lab.NO_EDGES
        raise UserError(lost.format(seconds=captured.seconds), 1)
    everything = [late for all_late in captured.late_us.values() for late in all_late]
    worst_ms = max(abs(late) for late in everything) / 1000
    passed = options.limit_ms is None or worst_ms <= options.limit_ms
    figures = [lateness.summarise(kind, late) for kind, late in sorted(captured.late_us.items())]
    figures.append(lateness.summarise("all", everything))
    if options.picture:
        title = texts_lab.HISTOGRAM.format(seconds=captured.seconds, port=options.port)
        drawn = histogram.draw(everything, figures[-1], title, options.limit_ms)
        shapes.save(options.picture, drawn)
        print(texts_lab.WRITTEN.format(path=options.picture), file=sys.stderr)
    if options.json:
        print(json.dumps(_as_json(captured, figures, options.limit_ms, passed)))
    else:
        _tell(captured, figures, everything)
        if options.limit_ms is not None:
            word = texts_lab.WITHIN if passed else texts_lab.BEYOND
            print(word.format(worst=worst_ms, limit=options.limit_ms))
    if captured.is_lost:
        raise UserError(texts_lab.LOST.format(seconds=captured.seconds), 1)
    return 0 if passed else 1


def _refuse_what_cannot_be(options: argparse.Namespace) -> None:
    if not 0 < options.seconds < math.inf:
        raise UserError(texts_lab.NO_TIME.format(seconds=options.seconds))
    if options.limit_ms is not None and not options.limit_ms > 0:
        raise UserError(texts_lab.NO_LIMIT.format(limit=options.limit_ms))
    if options.picture and not shapes.is_picture(options.picture):
        raise UserError(texts_lab.STRANGE_PICTURE.format(path=options.picture))
    refuse_no_folder(options.picture)


def _capture(options: argparse.Namespace) -> Captured:
    try:
        with host.connect(options.port) as unit:
            if not options.busy:
                return capturing.capture(unit, options.seconds, False, _progress)
            with borrowing.borrowed(unit, options.force):
                return capturing.capture(unit, options.seconds, True, _progress)
    except (borrowing.InUse, host.LinkError) as error:
        raise UserError(str(error), 1) from error


def _as_json(
    captured: Captured, figures: list[Lateness], limit_ms: float | None, passed: bool
) -> dict:
    return {
        "seconds": round(captured.seconds, 1),
        "edges": [one._asdict() for one in figures],
        "drift_ppm": _rounded(captured.drift_ppm),
        "drift_uncertainty_ppm": _rounded(captured.drift_off_ppm),
        "limit_ms": limit_ms,
        "passed": passed,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def _tell(captured: Captured, figures: list[Lateness], everything: list[int]) -> None:
    print(texts_lab.LATENESS_HEAD.format(seconds=captured.seconds))
    for one in figures:
        print(texts_lab.LATENESS_LINE.format(**one._asdict()))
    if not captured.is_lost:
        print(texts_lab.DRIFT.format(drift=captured.drift_ppm, off=captured.drift_off_ppm))
    print("\n".join(lateness.histogram(everything)))


def _progress(part: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r" + texts_lab.CAPTURING.format(percent=int(part * 100)))
        sys.stderr.write("\r\x1b[K" if part >= 1 else "")
        sys.stderr.flush()
