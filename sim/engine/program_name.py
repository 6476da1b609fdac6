"""Names of programs: for people in any script, on the wire and in files in ASCII."""

import binascii
import re
import unicodedata

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.toml_reader import text

LONGEST_TITLE = 40
LONGEST_NAME = 20
_NAME = re.compile("[a-z][a-z0-9-]*$")
NO_NAME = lazy('"{value}" is no name; use up to 20 of a-z, 0-9 and -')
FALLBACK = "program"


def is_plain(word: str) -> bool:
    """Return whether a word can stand on the wire as it is."""
    return len(word) <= LONGEST_NAME and not word.endswith("\n") and bool(_NAME.match(word))


def plain_name(title: str) -> str:
    """Return the name on the wire of a program with this title: "soirée" is "soiree".

    Of a title whose letters ASCII does not have, "вечер", a number is made besides, so that two
    of them are two programs.
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
    """Read a name that stands on the wire; raises ValueError."""
    if not is_plain(text(value)):
        raise ValueError(NO_NAME.format(value=value))
    return text(value)


def read_title(value: object) -> str:
    """Read a title: one line that can be seen, in any script; raises ValueError."""
    title = unicodedata.normalize("NFC", text(value))
    kinds = {unicodedata.category(sign)[0] for sign in title if sign != " "}
    if kinds & {"C", "Z"} or not kinds & {"L", "N"}:
        raise ValueError(_('"{value}" is no name; it needs letters').format(value=title))
    if len(title) > LONGEST_TITLE or title != title.strip():
        words = _('"{value}" is no name; use up to {longest} letters, without blanks around them')
        raise ValueError(words.format(value=title, longest=LONGEST_TITLE))
    return title
