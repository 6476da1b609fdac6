"""`city-unit capture`: how late a live unit's lamps and beeps are."""

import argparse
import json
import time
from typing import NamedTuple

from city_unit import host
from sim import texts_lab
from sim.errors import UserError
from sim.lab import lateness

_POLL_SECONDS = 0.05


class Captured(NamedTuple):
    """The lateness in microseconds of each kind of edge, and the drift with its uncertainty."""

    late_us: dict[str, list[int]]
    drift_ppm: float
    drift_off_ppm: float


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", default="auto", help="the unit's port, or auto")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="N", help="how long (60)")
    parser.add_argument(
        "--limit-ms", type=float, metavar="X", help="fail if the worst edge is later than this"
    )
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")


def run(options: argparse.Namespace) -> int:
    try:
        with host.connect(options.port) as unit:
            captured = _capture(unit, options.seconds)
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


def _capture(unit: host.Client, seconds: float) -> Captured:
    late: dict[str, list[int]] = {}
    unit.send("watch on")
    began, offset, unsure = _offset(unit)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for news in unit.poll(_POLL_SECONDS):
            if isinstance(news, host.Edge):
                late.setdefault(lateness.kind_of(news.what, news.value), []).append(news.late_us)
    ended, last_offset, last_unsure = _offset(unit)
    unit.send("watch off")
    span = max(ended - began, 1.0)
    drift = (last_offset - offset) / span * 1e6
    return Captured(late, drift, (unsure + last_unsure) / span * 1e6)


def _offset(unit: host.Client) -> tuple[float, float, float]:
    """Return the desktop's time, how far the unit's clock is ahead of it, and the doubt; ms."""
    now = unit.host_ms()
    return now, unit.unit_time(now) - now, unit.uncertainty
