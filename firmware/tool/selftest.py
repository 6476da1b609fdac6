"""`city-unit selftest`: check each lamp, each cue and each button of a unit.

Automatic checks run first; with `--alone` only they run. The others ask a person.
"""

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

from city_unit import host
from city_unit.cues import CUES
from city_unit.desktop.catalogue import _, lazy, nlazy, plazy
from city_unit.desktop.command import add_json_report, add_unit_port
from city_unit.desktop.errors import FAILURE, STOPPED, UNCHECKED, UserError
from city_unit.desktop.forms import all_of, number
from city_unit.desktop.lamp_words import WORDS, LampWords
from city_unit.facts import BUTTONS as BITS
from city_unit.facts import VERSION
from firmware.boards import BOARDS, describe
from firmware.headers import pin_label
from firmware.tool.image import numbers
from firmware.tool.remote import START, diagnose_silence

SELFTEST_FAILED = lazy("Failed: {what}. See firmware/README.md.")
NO_UNIT_FOUND = lazy(
    "no unit found; connect the board with a USB data cable, close other programs that use it, or"
    " name its port with --port"
)
WAS_STOPPED = lazy(
    "The unit at {port} was stopped: AUCTION was held at power-on, or another tool used the board."
    " It has been restarted."
)
HELLO = lazy("It says hello: {name}, {body}, version {version}.")
NEWER_HERE = lazy("  This tool has the newer version {here}; install it with: {start} flash")
OLDER_HERE = lazy("  This tool has the older version {here}.")
AWAKE = lazy("  It is awake {percent} % of the time.")
CRASH_KEPT = lazy(
    "  It has crashed before: {reason}\n"
    "  Show the log: {start} mpremote connect {port} cat :crash.txt + reset\n"
    "  Delete it: {start} mpremote connect {port} rm :crash.txt + reset"
)
NOW_YOU = lazy("Now look, listen and press. Enter means yes. An active buzzer has a single pitch.")
ASK_LAMP = lazy("Is the lamp {lamp} lit, and no other? [Y/n] ")
ASK_CUE = lazy("Did you hear {how}? It means: {cue}. [Y/n, r: repeat] ")
# The automatic checks.
LINK = lazy("the link answers every time")
CLOCK = lazy("its clock is known to within {ms} ms")
RATE = lazy("its clock runs as fast as this computer's")
CONTACTS = lazy("no button is pressed")
FOLLOWS = lazy("the pins of the lamps follow, one at a time")
MEMORY = lazy("{free} bytes of memory are free")
BATTERY = lazy("the supply has {mv} mV")
CHECKS = (LINK, CLOCK, RATE, CONTACTS, FOLLOWS, MEMORY, BATTERY)
# To translators: a failed check, and the closed buttons, each in the form of the next text.
PRESSED = lazy("{check}; closed: {buttons}")
AT_PIN = lazy("{button} ({pin}, unless pins.txt says otherwise)")
GOOD = lazy("good")
BAD = lazy("BAD")

SHOWN_MS = 60_000  # how long a lamp is lit while the person answers
PRESS_SECONDS = 20
PINGS = 20
START_SECONDS = 10  # timeout for a unit that has been restarted
REST_SECONDS = 3  # drawing a permit takes less than two
UNCERTAIN_MS = 10.0  # the largest clock uncertainty with which bids can be timed
LEAST_FREE = 16_000  # bytes of memory; a busy link takes less
LOW_MV = 2000  # of the supply, as in firmware/board/start.py

# Each button, and the event that its press causes in an idle unit.
BUTTONS = (
    (plazy("a button", "AUCTION"), "auction-started"),
    (plazy("a button", "BUILD"), "permit-started"),
)

LOW_HZ = 1000
VERY_SHORT_MS, SHORT_MS = 50, 200  # shorter notes are called very short, or short
VERY_SHORT = nlazy("{count} very short note", "{count} very short notes")
SHORT = nlazy("{count} short note", "{count} short notes")
LONG = nlazy("{count} long note", "{count} long notes")
# The meaning of each sound for a player.
NEWS = {
    "switched-on": lazy("the unit is on"),
    "choice": lazy("a choice is made"),
    "auction-started": lazy("an auction begins"),
    "permit-started": lazy("a permit is drawn"),
    "refused": lazy("not now"),
    "auction-cancelled": lazy("the auction is cancelled"),
    "auction-warning": lazy("the auction ends soon"),
    "auction-ended": lazy("the auction is over"),
    "permit-1": lazy("one building"),
    "permit-2": lazy("two buildings"),
    "permit-3": lazy("three buildings"),
    "permit-station": lazy("a station"),
    "hour-beep": lazy("the hour passes"),
    "hour-ended": lazy("the hour is over"),
    "phase-started": lazy("a phase begins"),
    "last-round": lazy("the last round begins"),
    "time-called": lazy("time is up"),
}

# To translators: the words that a person may type for yes and for no, separated by spaces.
YES, NO = plazy("an answer", "y yes"), plazy("an answer", "n no")
AGAIN = ("r",)

# The name that firmware/board/start.py derives from each board's machine.
BODIES = {
    name: board.machine.lower().split(" pi ")[-1].replace(" ", "-")[:24]
    for name, board in BOARDS.items()
}

Checks = list[tuple[str, bool]]
Cue = tuple[int, ...]  # as in city_unit/cues.py: a rank, then Hz and ms alternately


def arguments(parser: argparse.ArgumentParser) -> None:
    add_unit_port(parser)
    parser.add_argument("--alone", action="store_true", help=_("only the automatic checks"))
    add_json_report(parser)


def run(options: argparse.Namespace) -> int:
    report: dict[str, Any] = {}
    try:
        with contextlib.ExitStack() as stack:
            if options.json:  # keep the text for people out of the report
                stack.enter_context(contextlib.redirect_stdout(sys.stderr))
            unit = stack.enter_context(connect(options.port))
            checks = check_all(unit, report, options.alone)
    except (KeyboardInterrupt, EOFError):
        print()
        return STOPPED
    if not options.json:
        return sum_up(checks)
    good = all(good for _, good in checks)
    report["checks"] = [{"what": what, "good": good} for what, good in checks]
    print(json.dumps({**report, "good": good}, indent=2))
    return 0 if good else 1


def sum_up(checks: Checks) -> int:
    """Print the result in a line; return the exit status."""
    failed = [what for what, good in checks if not good]
    print(SELFTEST_FAILED.format(what="; ".join(failed)) if failed else _("All is well."))
    return 1 if failed else 0


def connect(port: str) -> host.Client:
    """Connect to the unit at `port`, or to the only one; restart it if it was stopped.

    Raises UserError with the board's own reason, if it gives one.
    """
    if port == "auto":
        found = host.find()
        if not found:
            raise UserError(str(NO_UNIT_FOUND), UNCHECKED)
        if len(found) == 1:
            port = found[0].port
    try:
        return host.connect(port)
    except host.NoUnit as error:
        reason = diagnose_silence(port, error)
        if reason == str(error):
            raise
    if reason:
        raise UserError(reason, FAILURE)
    print(WAS_STOPPED.format(port=port))
    return host.connect(port, timeout=START_SECONDS)


def check_all(unit: host.Client, report: dict[str, Any], alone: bool) -> Checks:
    """Check a unit; add its answers about itself to `report`."""
    about = unit.about
    assert about is not None  # set when the client connected
    report["tool"] = {"version": VERSION}
    report["unit"] = {"name": about.name, "body": about.body, "version": about.version}
    print(HELLO.format(**report["unit"]))
    checks = [
        print_check(str(LINK), all(unit.send("counters") for _ in range(PINGS))),
        print_check(CLOCK.format(ms=number(unit.uncertainty, 1)), unit.uncertainty <= UNCERTAIN_MS),
    ]
    ahead = unit.host_ms() - unit.now()
    for _news in waiting(unit, 1):
        pass
    drift = unit.host_ms() - unit.now() - ahead
    checks.append(print_check(str(RATE), abs(drift) <= UNCERTAIN_MS))
    # Wait until the unit lights no lamps of its own: end an auction, let a permit be drawn.
    for _news in waiting(unit, REST_SECONDS):
        state = snapshot(unit).state
        if state in ("auction", "warning"):
            unit.send("stop")
        elif state != "drawing":
            break
    board = ask_board(unit)
    if board:
        report["board"] = board
        tell_version(about.version)
        log = b""
        while len(log) < board["crash"] and (piece := unit.send(f"crash {len(log)}")):
            log += bytes.fromhex(piece)
        report["crash"] = log.decode(errors="replace")
        closed = closed_buttons(board["contacts"], about.body)
        which = PRESSED.format(check=CONTACTS, buttons=all_of(closed)) if closed else str(CONTACTS)
        follow = []
        for lamp in (1 << place for place in range(len(WORDS))):
            unit.send(f"show {lamp} 0 {SHOWN_MS}")  # no text: a command of the link
            unit_lamps = snapshot(unit).lamps  # lit by the unit itself, for a permit
            follow.append(ask_board(unit)["lamps"] == lamp | unit_lamps)
            unit.send("show 0 0 1")
        checks += [
            print_check(which, not closed),
            print_check(str(FOLLOWS), all(follow)),
            print_check(MEMORY.format(free=board["free"]), board["free"] >= LEAST_FREE),
        ]
        if mv := board["battery"]:
            checks.append(print_check(BATTERY.format(mv=mv), mv >= LOW_MV))
        print(AWAKE.format(percent=board["awake"] / 10))
        if lines := report["crash"].strip().splitlines():
            print(CRASH_KEPT.format(start=START, reason=lines[-1], port=unit.port))
    else:
        print(_("  It is not on a board; there are no pins to check."))
    return checks if alone else checks + check_with_a_person(unit)


def tell_version(there: str) -> None:
    """Print whether the board's version is older or newer than this tool's."""
    if len(numbers(there)) == 3 and numbers(there) != numbers(VERSION):
        words = NEWER_HERE if numbers(there) < numbers(VERSION) else OLDER_HERE
        print(words.format(here=VERSION, start=START))


def waiting(unit: host.Client, seconds: float) -> Iterator[list[host.News]]:
    """Yield the news of a unit as they arrive, for a number of seconds."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        yield unit.poll(min(0.1, left))


def ask_board(unit: host.Client) -> dict[str, int]:
    """Return a board's own figures; empty if the unit is not on a board."""
    try:
        answer = unit.send("board")
    except host.Refused:
        return {}
    return {name: int(value) for name, _, value in (word.partition("=") for word in answer.split())}


def board_of(body: str) -> str | None:
    """Return the board whose units call it `body`, or None."""
    return next((name for name in BODIES if BODIES[name] == body), None)


def lamps_of(body: str) -> tuple[LampWords, ...]:
    """Return the lamps that a board has; a chip may have too few pins for the last ones."""
    board = board_of(body)
    return WORDS[: len(describe(board)["lamps"])] if board else WORDS


def closed_buttons(contacts: int, body: str) -> list[str]:
    """Return the closed buttons, each with its usual pin if the board is known.

    body  the unit's name for its board
    """
    board = board_of(body)
    closed = []
    for (button, _event), (name, bit) in zip(BUTTONS, BITS.items(), strict=True):
        if contacts & bit:
            pin = board and pin_label(board, describe(board)[name])
            closed.append(AT_PIN.format(button=button, pin=pin) if pin else str(button))
    return closed


def snapshot(unit: host.Client) -> host.Snapshot:
    """Return the unit's current state and lamps."""
    unit.send("state")
    assert unit.snapshot is not None  # received before the answer
    return unit.snapshot


def check_with_a_person(unit: host.Client) -> Checks:
    print(NOW_YOU)
    checks = []
    assert unit.about is not None  # set when the client connected
    for place, words in enumerate(lamps_of(unit.about.body)):
        unit.send(f"show {1 << place} 0 {SHOWN_MS}")  # no text: a command of the link
        good = agreed(unit, ASK_LAMP.format(lamp=words.name))
        checks.append((_("the lamp {lamp}").format(lamp=words.name), good))
    unit.send("show 0 0 1")
    for names, cue in cues():
        play(unit, cue)
        good = agreed(unit, ASK_CUE.format(how=described(cue), cue=names), cue)
        checks.append((_("the sound of {cue}").format(cue=names), good))
    for button, event in BUTTONS:
        name = _("the button {button}").format(button=button)
        print(_("Press {button} now.").format(button=name), flush=True)
        checks.append(print_check(name, pressed(unit, event)))
        if event == "auction-started" and checks[-1][1]:
            unit.send("stop")
    return checks


def agreed(unit: host.Client, question: str, cue: Cue = ()) -> bool:
    """Return whether the person answers yes; "r" repeats the cue."""
    while True:
        answer = input(question).strip().lower()
        unit.poll()
        if answer in ("", *str(YES).split()):
            return True
        if answer in str(NO).split():
            return False
        if cue and answer in AGAIN:
            play(unit, cue)
        else:
            print(_("Please answer y or n."))


def pressed(unit: host.Client, event: str) -> bool:
    events = (news for batch in waiting(unit, PRESS_SECONDS) for news in batch)
    return any(getattr(news, "kind", "") == event for news in events)


def print_check(what: str, good: bool) -> tuple[str, bool]:
    """Print the result of a check, and return it."""
    print(f"  {GOOD if good else BAD!s:4}  {what}")
    return what, good


def cues() -> list[tuple[str, Cue]]:
    """Return each sound of a unit once, with all its meanings."""
    news: dict[Cue, list[str]] = {}
    for name, cue in CUES.items():
        news.setdefault(cue, []).append(str(NEWS[name]))
    return [(", ".join(names), cue) for cue, names in news.items()]


def described(cue: Cue) -> str:
    """Return a sound in words, such as "2 short notes, rising"."""
    notes = [(hz, ms) for hz, ms in zip(cue[1::2], cue[2::2], strict=True) if hz]
    lengths = [
        VERY_SHORT if ms < VERY_SHORT_MS else SHORT if ms < SHORT_MS else LONG for _hz, ms in notes
    ]
    rhythm = [length.format(count=len(list(run))) for length, run in groupby(lengths)]
    words = rhythm[0]
    for part in rhythm[1:]:
        words = _("{notes}, then {more}").format(notes=words, more=part)
    pitches = [hz for hz, _ms in notes]
    if max(pitches) < LOW_HZ:
        return _("{notes}, low").format(notes=words)
    steps = [after - before for before, after in pairwise(pitches) if after != before]
    if not steps:
        return words
    pitch = _("{notes}, rising") if steps[0] > 0 else _("{notes}, falling")
    return pitch.format(notes=words)


def play(unit: host.Client, cue: Cue) -> None:
    """Play a cue on the unit, tone by tone; the timing is done here."""
    for hz, ms in zip(cue[1::2], cue[2::2], strict=True):
        unit.send(f"show 0 {hz} {ms}")
        for _news in waiting(unit, ms / 1000):
            pass
