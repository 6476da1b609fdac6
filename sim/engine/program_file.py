"""Program files: a program of the user's own, in TOML, without code.

`city-unit program show NAME` prints a built-in program as a file to start from. A file name
is accepted wherever the name of a program is.
"""

import binascii
import re
import unicodedata
from pathlib import Path

from city_unit.clock import ENDS
from city_unit.cues import CUES
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import UserError, did_you_mean
from city_unit.desktop.forms import any_of
from city_unit.desktop.toml_reader import (
    UNITS_MS,
    Table,
    choice,
    integer,
    list_of,
    load,
    text,
    time_ms,
    within,
)
from city_unit.programs import PROGRAMS, Program, span

LONGEST_TITLE = 40
LONGEST_NAME = 20
_NAME = re.compile("[a-z][a-z0-9-]*$")
NO_NAME = lazy('"{value}" is not a valid name; use up to 20 of a-z, 0-9 and -')
FALLBACK = "program"


def is_plain(word: str) -> bool:
    """Return whether a name can be sent on the wire as it is."""
    return len(word) <= LONGEST_NAME and not word.endswith("\n") and bool(_NAME.match(word))


def plain_name(title: str) -> str:
    """Return the wire name of a program with this title: "soirée" becomes "soiree".

    If the title has letters without an ASCII counterpart ("вечер"), the name ends in a checksum
    of the title, so that two such titles have different names.
    """
    signs = unicodedata.normalize("NFKD", title.replace("ß", "ss").replace("ẞ", "ss")).lower()
    base = "".join([sign for sign in signs if not unicodedata.combining(sign)])
    plain = re.sub(r"[^a-z0-9]+", "-", base).strip("-")
    if all(sign < "\x80" for sign in base) and is_plain(plain[:LONGEST_NAME].rstrip("-")):
        return plain[:LONGEST_NAME].rstrip("-")
    number = f"-{binascii.crc32(title.encode()):08x}"
    start = plain if is_plain(plain[:1]) else FALLBACK
    return start[: LONGEST_NAME - len(number)].rstrip("-") + number


def read_plain(value: object) -> str:
    """Read a name that is sent on the wire; raises ValueError."""
    if not is_plain(text(value)):
        raise ValueError(NO_NAME.format(value=value))
    return text(value)


def read_title(value: object) -> str:
    """Read a title: one visible line in any script; raises ValueError."""
    title = unicodedata.normalize("NFC", text(value))
    kinds = {unicodedata.category(sign)[0] for sign in title if sign != " "}
    if kinds & {"C", "Z"} or not kinds & {"L", "N"}:
        raise ValueError(_('"{value}" is not a valid name; it needs letters').format(value=title))
    if len(title) > LONGEST_TITLE or title != title.strip():
        words = _(
            '"{value}" is not a valid name; use up to {longest} letters, without blanks around them'
        )
        raise ValueError(words.format(value=title, longest=LONGEST_TITLE))
    return title


DAY_MS = 24 * UNITS_MS["h"]
MARKS = ("hour-beep", "phase-started", "last-round") + ENDS
RANKS = {"tick": 1, "beep": 2, "signal": 3, "moment": 4}
_NOTE = re.compile("([0-9]+) Hz ([0-9]+) ms$")

_a_game = within(time_ms, 1, DAY_MS, lazy("between 1 ms and 24 h"))
_a_moment = within(time_ms, 20, 3_600_000, lazy("between 20 ms and 1 h"))


def _auction(value: object) -> tuple[int, int]:
    """Read one length, or a list of the shortest and the longest."""
    lengths = list_of(_a_moment, 2, 2)(value) if isinstance(value, list) else (_a_moment(value),)
    if lengths[0] > lengths[-1]:
        raise ValueError(_("the shortest auction comes first"))
    return lengths[0], lengths[-1]


# The simple values, by their key in the file: the attribute of Program, and the reader.
VALUES = {
    "auction": ("auction_ms", _auction),
    "clock": ("clock_ms", within(time_ms, 0, DAY_MS, lazy("at most 24 h"))),
    "clock_choices": ("clock_choices_ms", list_of(_a_game, 1, 10)),
    "warning": ("warning_ms", within(time_ms, 0, 3_600_000, lazy("at most 1 h"))),
    "cancel_hold": ("cancel_hold_ms", _a_moment),
    "slow_flash": ("slow_ms", _a_moment),
    "fast_flash": ("fast_ms", _a_moment),
    "odds": ("odds", list_of(integer(0, 1000), 4, 4)),
    "permit_hops": ("permit_hops_ms", list_of(_a_moment, 1, 100)),
    "permit_shown": ("permit_shown_ms", _a_moment),
}


def find(word: str, folder: Path | None = None) -> Program:
    """Return the built-in program named `word`, or read the program file of that name.

    folder  the folder to which the file name is relative

    Raises UserError.
    """
    if folder and word.endswith(".toml"):
        word = str(folder / word)
    for program in PROGRAMS:
        if program.name == word:
            return program
    if word.endswith(".toml") or Path(word).is_file():
        return read(load(word))
    names = [program.name for program in PROGRAMS]
    words = _('unknown program "{word}"{hint}; for a file write NAME.toml')
    raise UserError(words.format(word=word, hint=did_you_mean(word, names)))


def read(table: Table) -> Program:
    """Return the program that a file describes; raises UserError."""
    values: dict = {}
    written = table.take("name", read_title)
    title = table.take("title", read_title, "" if is_plain(written) else written)
    name = written if is_plain(written) else plain_name(written)
    for key, (attribute, reader) in VALUES.items():
        values[attribute] = table.take(key, reader, getattr(Program, attribute))
    values["cues"] = dict(CUES)
    own_cues = table.table("cues")
    for cue in own_cues.names():
        if cue not in CUES:
            words = _('unknown cue "{name}"{hint}')
            raise own_cues.error(cue, words.format(name=cue, hint=did_you_mean(cue, CUES)))
        block = own_cues.table(cue)
        rank = RANKS[block.take("rank", choice(RANKS))]
        notes = block.take("play", list_of(_note, 1, 40))
        block.finish()
        values["cues"][cue] = sum(notes, (rank,))
    marks = []
    latest = DAY_MS + 1
    for mark in table.tables("marks"):
        kind = mark.take("tell", choice(MARKS))
        first = mark.take("left", time_ms)
        every = mark.take("every", _a_game, 0)
        last = mark.take("until", time_ms) if every else 0
        label = mark.take("phase", read_plain, "")
        mark.finish()
        if first >= latest:
            words = _("left: marks must be in order of time, the earliest first")
            raise mark.error("left", words)
        if last > first:
            raise mark.error("until", _('until: must be less than "left"'))
        if (kind in ENDS) != (first == 0):
            words = _("only {ends} ends the game, with nothing left")
            raise mark.error("tell", words.format(ends=any_of(ENDS)))
        latest = last if every else first
        marks.append(span(kind, first, last, every, label))
    if marks and marks[-1][0] not in ENDS:
        words = _("marks: the last one must be an end ({ends})")
        raise table.error("marks", words.format(ends=any_of(ENDS)))
    values["marks"] = tuple(marks)
    table.finish()
    program = Program(name, title=title if title != name else "", **values)
    if bool(program.clock_ms) != bool(program.marks):
        raise table.error("clock", _("a clock needs marks, and marks need a clock"))
    if program.clock_choices_ms and program.clock_ms not in program.clock_choices_ms:
        raise table.error("clock_choices", _("the clock itself must be one of its choices"))
    if program.warning_ms >= program.auction_ms[0]:
        words = _("warning: must be shorter than the shortest auction")
        raise table.error("warning", words)
    if program.odds and not sum(program.odds):
        raise table.error("odds", _("odds: at least one permit must be possible"))
    return program


def _note(value: object) -> tuple[int, int]:
    found = _NOTE.match(text(value))
    hz, ms = (int(found.group(1)), int(found.group(2))) if found else (0, 0)
    if not 1 <= ms <= 10_000 or hz > 10_000:
        words = _('"{value}" is not a note; write "2700 Hz 400 ms", or "0 Hz 75 ms" for silence')
        raise ValueError(words.format(value=value))
    return hz, ms
