"""`city-unit selftest`: each lamp, each cue and each button of a unit, in turn.

What the unit can tell by itself comes first; `--alone` leaves it at that, for a
unit that nobody is sitting at.
"""

import contextlib
import json
import sys
import time
from typing import Any

from city_unit import host
from firmware import texts
from firmware.tool.diagnosis import why_not
from firmware.tool.errors import BoardError
from firmware.tool.sounds import cues, described, play

LAMPS = ("auction", "permit 1", "permit 2", "permit 3", "station")
SHOWN_MS = 60_000  # a lamp is lit until the person has answered
PRESS_SECONDS = 20
PINGS = 20
REST_SECONDS = 3  # a permit is drawn within two
UNCERTAIN_MS = 10.0  # a line that does no better cannot stamp a bid
LEAST_FREE = 16_000  # bytes of memory; a link in full use takes less
LOW_MV = 2000  # of the supply, as in firmware/board/start.py
SWITCH = 4  # the bit of the contacts that is closed while the unit is on

# button: the event that its press makes in a unit that is ready
BUTTONS = {"auction": "auction-started", "build": "permit-started"}

YES, NO, AGAIN = ("", "y", "yes"), ("n", "no"), ("r",)

Checks = list[tuple[str, bool]]


def arguments(parser) -> None:
    parser.add_argument("--port", default="auto", help="where the unit is (default: find it)")
    parser.add_argument("--alone", action="store_true", help="only what needs no hands and eyes")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(options) -> int:
    report: dict[str, Any] = {}
    try:
        with contextlib.ExitStack() as stack:
            if options.json:  # what a person reads is then beside the report, not in it
                stack.enter_context(contextlib.redirect_stdout(sys.stderr))
            unit = stack.enter_context(connect(options.port))
            checks = check_all(unit, report, options.alone)
    except (host.LinkError, BoardError) as error:
        print(f"city-unit: {error}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, EOFError):
        print()
        return 130
    if not options.json:
        return sum_up(checks)
    good = all(good for _, good in checks)
    report["checks"] = [{"what": what, "good": good} for what, good in checks]
    print(json.dumps({**report, "good": good}, indent=2))
    return 0 if good else 1


def sum_up(checks: Checks) -> int:
    """Say in a line how it went; return the exit status."""
    failed = [what for what, good in checks if not good]
    print(texts.SELFTEST_FAILED.format(what="; ".join(failed)) if failed else texts.SELFTEST_GOOD)
    return 1 if failed else 0


def connect(port: str):
    """Connect to the unit at `port`, or to the only one there is.

    Raises BoardError with the reason, if a board can be asked for it.
    """
    if port == "auto":
        found = host.find()
        if not found:
            raise BoardError(texts.NO_UNIT_FOUND)
        if len(found) == 1:
            port = found[0].port
    try:
        return host.connect(port)
    except host.NoUnit as error:
        raise BoardError(why_not(port, error)) from None


def check_all(unit, report: dict[str, Any], alone: bool) -> Checks:
    """Check a unit; what it says of itself goes into `report`."""
    about = unit.about
    report["unit"] = {"name": about.name, "body": about.body, "version": about.version}
    print(texts.HELLO.format(**report["unit"]))
    checks = check_link(unit)
    come_to_rest(unit)
    board = ask_board(unit)
    if board:
        report["board"] = board
        report["crash"] = crash_log(unit, board["crash"])
        checks += check_board(unit, board)
        tell_board(board, report["crash"], unit.port)
    else:
        print(texts.NO_BOARD_BEHIND)
    return checks if alone else checks + check_with_a_person(unit)


def check_link(unit) -> Checks:
    """Check that the link answers, and the unit's clock against this computer's."""
    return [
        tell(texts.CHECK_LINK, answers(unit)),
        tell(texts.CHECK_CLOCK.format(ms=unit.uncertainty), unit.uncertainty <= UNCERTAIN_MS),
        tell(texts.CHECK_RATE, keeps_time(unit)),
    ]


def come_to_rest(unit) -> None:
    """End an auction, wait for a permit: a unit that shows something shows nothing else."""
    deadline = time.monotonic() + REST_SECONDS
    while time.monotonic() < deadline:
        unit.send("state")
        if unit.snapshot.state in ("auction", "warning"):
            unit.send("stop")
        elif unit.snapshot.state != "drawing":
            return
        unit.poll(0.1)


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


def ask_board(unit) -> dict[str, int]:
    """Return what a board tells of itself; nothing, if the unit lives in something else."""
    try:
        answer = unit.send("board")
    except host.Refused:
        return {}
    return {name: int(value) for name, _, value in (word.partition("=") for word in answer.split())}


def crash_log(unit, size: int) -> str:
    """Return the board's log of crashes, which has `size` bytes."""
    log = b""
    while len(log) < size:
        piece = bytes.fromhex(unit.send(f"crash {len(log)}"))
        if not piece:
            break
        log += piece
    return log.decode(errors="replace")


def check_board(unit, board: dict[str, int]) -> Checks:
    """Check pins, memory and supply, as far as the board sees them."""
    checks = [
        tell(texts.CHECK_CONTACTS, not board["contacts"] & ~SWITCH),
        tell(texts.CHECK_LAMPS, all(lights(unit, 1 << place) for place in range(len(LAMPS)))),
        tell(texts.CHECK_MEMORY.format(free=board["free"]), board["free"] >= LEAST_FREE),
    ]
    if board["battery"]:
        good = board["battery"] >= LOW_MV
        checks.append(tell(texts.CHECK_BATTERY.format(mv=board["battery"]), good))
    return checks


def lights(unit, lamps: int) -> bool:
    """Return whether the pins of these lamps have the level of a lit one when told to.

    Of the others only those may have it that the unit itself lights, for a permit.
    """
    unit.send(f"show {lamps} 0 {SHOWN_MS}")
    unit.send("state")
    seen = ask_board(unit)["lamps"]
    unit.send("show 0 0 1")
    return seen == lamps | unit.snapshot.lamps


def tell_board(board: dict[str, int], crash: str, port: str) -> None:
    print(texts.AWAKE.format(percent=board["awake"] / 10))
    if crash.strip():
        print(texts.CRASH_KEPT.format(reason=crash.strip().splitlines()[-1], port=port))


def check_with_a_person(unit) -> Checks:
    print(texts.NOW_YOU)
    checks = []
    for place, lamp in enumerate(LAMPS):
        unit.send(f"show {1 << place} 0 {SHOWN_MS}")
        good = agreed(unit, texts.ASK_LAMP.format(lamp=lamp))
        checks.append((texts.THE_LAMP.format(lamp=lamp), good))
    unit.send("show 0 0 1")
    for names, cue in cues():
        play(unit, cue)
        good = agreed(unit, texts.ASK_CUE.format(how=described(cue), cue=names), cue)
        checks.append((texts.THE_SOUND.format(cue=names), good))
    for button, event in BUTTONS.items():
        name = texts.THE_BUTTON.format(button=button.upper())
        print(texts.ASK_PRESS.format(button=name), flush=True)
        checks.append(tell(name, pressed(unit, event)))
        if event == "auction-started" and checks[-1][1]:
            unit.send("stop")
    return checks


def agreed(unit, question: str, cue: tuple[int, ...] = ()) -> bool:
    """Return whether the person says yes; who answers "r" hears the cue again."""
    while True:
        answer = input(question).strip().lower()
        unit.poll()
        if answer in YES + NO:
            return answer in YES
        if cue and answer in AGAIN:
            play(unit, cue)
        else:
            print(texts.ANSWER_YES_OR_NO)


def pressed(unit, event: str) -> bool:
    deadline = time.monotonic() + PRESS_SECONDS
    while time.monotonic() < deadline:
        if any(getattr(news, "kind", "") == event for news in unit.poll(0.1)):
            return True
    return False


def tell(what: str, good: bool) -> tuple[str, bool]:
    print(f"  {texts.GOOD if good else texts.BAD}  {what}")
    return what, good
