"""`city-unit selftest`: each lamp, the buzzer and each button of a unit, in turn.

What the unit can tell by itself comes first; `--alone` leaves it at that, for a
unit that nobody is sitting at.
"""

import sys
import time

from city_unit import host
from firmware import texts

LAMPS = ("auction", "permit 1", "permit 2", "permit 3", "station")
PITCHES = (440, 2000, 2700)  # Hz: the lowest and the highest of the cues, and one between
SHOWN_MS = 60_000  # a lamp is lit until the person has answered
PRESS_SECONDS = 20
PINGS = 20
UNCERTAIN_MS = 10.0  # a line that does no better cannot stamp a bid

# button: the event that its press makes in a unit that is ready, and what ends that
BUTTONS = {"auction": "auction-started", "build": "permit-started"}


def arguments(parser) -> None:
    parser.add_argument("--port", default="auto", help="where the unit is (default: find it)")
    parser.add_argument("--alone", action="store_true", help="only what needs no hands and eyes")


def run(options) -> int:
    try:
        with host.connect(options.port) as unit:
            report = check_alone(unit)
            if not options.alone:
                report += check_with_a_person(unit)
    except host.LinkError as error:
        print(f"city-unit: {error}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, EOFError):
        print()
        return 130
    failed = [what for what, good in report if not good]
    print(texts.SELFTEST_FAILED.format(what=", ".join(failed)) if failed else texts.SELFTEST_GOOD)
    return 1 if failed else 0


def check_alone(unit) -> list[tuple[str, bool]]:
    """Return what was checked and whether it is good: the link, the clock, the lines lost."""
    about = unit.about
    print(texts.HELLO.format(name=about.name, body=about.body, version=about.version))
    return [
        tell(texts.CHECK_LINK, answers(unit)),
        tell(texts.CHECK_CLOCK.format(ms=unit.uncertainty), unit.uncertainty <= UNCERTAIN_MS),
        tell(texts.CHECK_RATE, keeps_time(unit)),
    ]


def answers(unit) -> bool:
    """Return whether every one of some questions is answered."""
    return all(unit.send("counters") for _ in range(PINGS))


def keeps_time(unit) -> bool:
    """Return whether the unit's clock runs as fast as ours, as far as a second shows."""
    before_here, before_there = unit.host_ms(), unit.now()
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline:
        unit.poll(0.05)
    here, there = unit.host_ms() - before_here, unit.now() - before_there
    return abs(here - there) <= UNCERTAIN_MS


def check_with_a_person(unit) -> list[tuple[str, bool]]:
    if unit.snapshot.state in ("auction", "warning"):
        unit.send("stop")
    report = []
    for place, lamp in enumerate(LAMPS):
        unit.send(f"show {1 << place} 0 {SHOWN_MS}")
        report.append((lamp, agreed(unit, texts.ASK_LAMP.format(lamp=lamp))))
    for hz in PITCHES:
        unit.send(f"show 0 {hz} 700")
        report.append((f"{hz} Hz", agreed(unit, texts.ASK_TONE.format(hz=hz))))
    unit.send("show 0 0 1")
    for button, event in BUTTONS.items():
        print(texts.ASK_PRESS.format(button=button.upper()), flush=True)
        report.append(tell(button.upper(), pressed(unit, event)))
        if event == "auction-started" and report[-1][1]:
            unit.send("stop")
    return report


def agreed(unit, question: str) -> bool:
    answer = input(question).strip().lower()
    unit.poll()
    return answer in ("", "y", "yes")


def pressed(unit, event: str) -> bool:
    deadline = time.monotonic() + PRESS_SECONDS
    while time.monotonic() < deadline:
        if any(getattr(news, "kind", "") == event for news in unit.poll(0.1)):
            return True
    return False


def tell(what: str, good: bool) -> tuple[str, bool]:
    print(f"  {texts.GOOD if good else texts.BAD}  {what}")
    return what, good
