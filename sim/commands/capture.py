"""`city-unit capture`: how late a live unit's lamps and beeps are."""

import argparse
import json
import sys

from city_unit import host
from sim import texts_lab
from sim.errors import UserError
from sim.lab import capturing, histogram, lateness, shapes


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", default="auto", help="the unit's port, or auto")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="N", help="how long (60)")
    parser.add_argument("--busy", action="store_true", help=texts_lab.HELP_BUSY)
    parser.add_argument(
        "--limit-ms", type=float, metavar="X", help="fail if the worst edge is later than this"
    )
    parser.add_argument("--picture", metavar="OUT", help="draw the histogram: NAME.svg or NAME.png")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")


def run(options: argparse.Namespace) -> int:
    if options.picture and not shapes.is_picture(options.picture):
        raise UserError(texts_lab.STRANGE_PICTURE.format(path=options.picture))
    try:
        with host.connect(options.port) as unit:
            captured = capturing.capture(unit, options.seconds, options.busy, _progress)
    except ValueError as error:
        raise UserError(str(error)) from error
    except host.LinkError as error:
        raise UserError(str(error), 1) from error
    if not captured.late_us:
        raise UserError(texts_lab.NO_EDGES.format(seconds=options.seconds), 1)
    everything = [late for all_late in captured.late_us.values() for late in all_late]
    worst_ms = max(abs(late) for late in everything) / 1000
    passed = options.limit_ms is None or worst_ms <= options.limit_ms
    figures = [lateness.summarise(kind, late) for kind, late in sorted(captured.late_us.items())]
    figures.append(lateness.summarise("all", everything))
    if options.picture:
        title = texts_lab.HISTOGRAM.format(seconds=options.seconds, port=options.port)
        drawn = histogram.draw(everything, figures[-1], title, options.limit_ms)
        shapes.save(options.picture, drawn)
        print(texts_lab.WRITTEN.format(path=options.picture), file=sys.stderr)
    if options.json:
        told = {
            "edges": [one._asdict() for one in figures],
            "drift_ppm": round(captured.drift_ppm, 1),
            "drift_uncertainty_ppm": round(captured.drift_off_ppm, 1),
            "limit_ms": options.limit_ms,
            "passed": passed,
        }
        print(json.dumps(told))
        return 0 if passed else 1
    print(texts_lab.LATENESS_HEAD)
    for one in figures:
        print(texts_lab.LATENESS_LINE.format(**one._asdict()))
    print(texts_lab.DRIFT.format(drift=captured.drift_ppm, off=captured.drift_off_ppm))
    print("\n".join(lateness.histogram(everything)))
    if options.limit_ms is not None:
        word = texts_lab.WITHIN if passed else texts_lab.BEYOND
        print(word.format(worst=worst_ms, limit=options.limit_ms))
    return 0 if passed else 1


def _progress(part: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r" + texts_lab.CAPTURING.format(percent=int(part * 100)))
        sys.stderr.write("\r\x1b[K" if part >= 1 else "")
        sys.stderr.flush()
