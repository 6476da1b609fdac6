"""Tries a Pico's file before it is published: on an emulated chip, from its first note to a permit.

The reports of the unit over its link are held to their times, and its pins to the reports.
"""

from city_unit import host
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.facts import LAMPS
from firmware.board.pins import describe
from firmware.chip import chip, pico
from firmware.tool import uf2

FIRST_NOTE_MS = 150  # since power; it takes 121
DEBOUNCE_MS = 16
TUNE_MS = 1000  # the longest; another sound waits until it is over
TOLD_MS = 100  # within which an event has come over the link
SHOWN_MS = 2  # within which it is seen and heard
AUCTION = {"auction-started": 0, "auction-warning": 45_000, "auction-ended": 50_000}
PERMIT = {"permit-started": 0, "permit-granted": 1200}
PINS = describe(pico.CHIP, "")
LIT = {"auction-started": ("auction", 1), "auction-ended": ("auction", 0)}


def run(content: bytes) -> None:
    """Have the unit in a UF2 file live on a Pico; raises UserError with what it fails to do."""
    memory = bytearray(b"\xff" * chip.FLASH_SIZE)
    uf2.drag(memory, uf2.blocks(content))
    try:
        with chip.Chip(bytes(memory)) as board:
            board.power()
            board.run(FIRST_NOTE_MS)
            if not any(tone.hz for tone in board.tones):
                raise _refused(f"there is no note within {FIRST_NOTE_MS} ms after power")
            board.run(pico.LISTENS_MS)
            talk = pico.Talk(board)
            talk.greet()
            press(talk, "auction", AUCTION)
            press(talk, "build", PERMIT)
    except (host.LinkError, chip.Broken) as error:
        raise _refused(str(error)) from None


def press(talk: pico.Talk, button: str, wanted: dict[str, int]) -> None:
    """Press a button, and hold each event to its time since the press counted, in ms."""
    board = talk.chip
    talk.run(round(board.now) + TUNE_MS)
    pressed = round(board.now)
    board.press(pressed, PINS[button])
    for kind, after in wanted.items():
        due = pressed + DEBOUNCE_MS + after
        talk.run(due + TOLD_MS)
        events = [news for news in talk.news if isinstance(news, host.Event)]
        told = next((event for event in events if event.kind == kind), None)
        if told is None or told.ms != due:
            raise _refused(f"there is no {kind} {after} ms after a press of {button}")
        lamp, level = LIT.get(kind, (f"permit-{told.fields.get('permit')}", 1))
        if lamp in LAMPS and not any(
            edge.pin == PINS["lamps"][LAMPS.index(lamp)] and edge.level == level
            for edge in board.edges
            if 0 <= edge.ms - due < SHOWN_MS
        ):
            raise _refused(f"the lamp {lamp} does not show {kind}")
        if not any(tone.hz and 0 <= tone.ms - due < SHOWN_MS for tone in board.tones):
            raise _refused(f"{kind} makes no sound")


def _refused(why: str) -> UserError:
    return UserError(f"the file for a Pico is refused, on an emulated chip: {why}", FAILURE)
