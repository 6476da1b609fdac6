"""Translate texts for people.

A text is written in English where it is used; the English text is the key of its translations:

    from city_unit.desktop.catalogue import _, lazy, ngettext

    print(_("The port is busy."))
    print(ngettext("{count} game", "{count} games", count).format(count=count))
    NO_UNIT = lazy("There is no unit at {port}.")  # at module level
    print(NO_UNIT.format(port=port))

The functions translate into the current language, so that a change takes effect immediately. At
module level, before a language is selected, the lazy functions store the key and translate it when
it is converted by `str` or `format`.

A language is one file, `locale/LANG/LC_MESSAGES/city-unit.po`. It is read directly: a checkout runs
without a build step, and no compiled file can be out of date. A text without a translation is shown
in English, and so are all texts of a broken catalogue.
"""

import contextlib
import functools
import gettext as library
import io
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

DOMAIN = "city-unit"
LOCALE = Path(__file__).parent / "locale"
ENGLISH = "en"
FIRST = (ENGLISH, "fr")  # listed first: the language of the keys, and that of the rulebooks

_speaking = ENGLISH
_translations: library.NullTranslations = library.NullTranslations()


def _(text: str) -> str:
    """Translate a text into the current language."""
    return _translations.gettext(text) if text else ""


gettext = _


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a text about `count` things by the plural rules of the language."""
    return _translations.ngettext(singular, plural, count)


def pgettext(context: str, text: str) -> str:
    """Translate a text whose English is ambiguous; `context` tells which meaning it has."""
    return _translations.pgettext(context, text)


def of_file(text: str) -> str:
    """Translate a text of a data file; one from a user's file has no translation and stays."""
    return _(text)


class Lazy:
    """A text that is translated when it is used."""

    def __init__(self, say: Callable[..., str], *key: str) -> None:
        self._say = say
        self._key = key

    @property
    def key(self) -> str:
        """The English text as in the source, without its context."""
        return self._key[-1]

    def __str__(self) -> str:
        return self._say(*self._key)

    def __format__(self, form: str) -> str:
        return format(str(self), form)

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._key}"

    def format(self, *fields: Any, **named: Any) -> str:
        """Translate the text and fill in its fields."""
        return str(self).format(*fields, **named)


class LazyPlural(Lazy):
    """A text about a number of things, the field `count`."""

    @property
    def key(self) -> str:
        """The English singular, without its context."""
        return self._key[-2]

    def __str__(self) -> str:
        return self._say(*self._key, 2)

    def format(self, *fields: Any, count: int = 2, **named: Any) -> str:
        return self._say(*self._key, count).format(*fields, count=count, **named)


def lazy(text: str) -> Lazy:
    """Mark a text for later translation; `_` translates at once."""
    return Lazy(_, text)


def nlazy(singular: str, plural: str) -> LazyPlural:
    """Mark a text about several things for later translation, by `format(count=...)`."""
    return LazyPlural(ngettext, singular, plural)


def plazy(context: str, text: str) -> Lazy:
    """Mark a text in a context for later translation; `pgettext` translates at once."""
    return Lazy(pgettext, context, text)


def languages() -> list[str]:
    """Return the available languages, `FIRST` first, without the pseudo-language."""
    found = {path.parent.parent.name for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po")}
    found.add(ENGLISH)
    return [*(name for name in FIRST if name in found), *sorted(found.difference(FIRST))]


def own_name(language: str) -> str:
    """Return the name of a language in that language: "français" for "fr"."""
    return _load(language).pgettext("what speakers of this language call it", "English")


def speaking() -> str:
    """Return the current language, such as "en" or "fr"."""
    return _speaking


def speak(language: str) -> None:
    """Set the current language; English if it is unknown or its file is broken."""
    global _speaking, _translations
    _speaking = known(language) or ENGLISH
    _translations = _load(_speaking)


@contextlib.contextmanager
def spoken(language: str) -> Iterator[None]:
    """Use another language temporarily, for a user whose language differs from the others'."""
    global _speaking, _translations
    before = _speaking, _translations
    _speaking = known(language) or ENGLISH
    if _speaking != before[0]:
        _translations = _load(_speaking)
    try:
        yield
    finally:
        _speaking, _translations = before


def known(language: str) -> str:
    """Return the available language for a locale, such as "fr" for "fr_CA.UTF-8"; "" if none."""
    name = language.partition(".")[0].partition("@")[0].replace("-", "_")
    ours = {language.lower(): language for language in (*languages(), PSEUDO)}
    return ours.get(name.lower()) or ours.get(name.partition("_")[0].lower()) or ""


def path_of(language: str) -> Path:
    """Return the path of a language's catalogue."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def _load(language: str) -> library.NullTranslations:
    if language == PSEUDO:
        return PseudoTranslations()
    with contextlib.suppress(Exception):  # gettext raises various errors for broken catalogues
        path = path_of(language)
        return _read(path, path.stat().st_mtime_ns)
    return library.NullTranslations()


@functools.cache  # by modification time, so that translators see changes
def _read(path: Path, _changed_ns: int) -> library.GNUTranslations:
    return library.GNUTranslations(io.BytesIO(_compiled(path.read_text(encoding="utf-8"))))


_MAGIC = 0x950412DE
_LINE = re.compile(r"(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\])\s+)?\"(.*)\"")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def _compiled(text: str) -> bytes:
    """Convert a .po file to the .mo format of GNU gettext. Raises ValueError.

    Entries that are fuzzy, obsolete or untranslated are omitted, as by msgfmt.
    """
    said: dict[str, str] = {}
    fields: dict[str, str] = {}  # of the current entry; "fuzzy" is one
    name = ""
    for number, line in enumerate((*text.splitlines(), ""), 1):
        line = line.strip()
        found = _LINE.fullmatch(line)
        is_between = not line or line.startswith("#")
        if "msgid" in fields and (is_between or (found and found[1] in ("msgctxt", "msgid"))):
            forms = [form for each, form in sorted(fields.items()) if each.startswith("msgstr")]
            # The header, whose key is empty, is always included.
            if not fields["msgid"] or ("fuzzy" not in fields and forms and all(forms)):
                context, plural = fields.get("msgctxt"), fields.get("msgid_plural")
                key = fields["msgid"] if context is None else f"{context}\x04{fields['msgid']}"
                said[key if plural is None else f"{key}\0{plural}"] = "\0".join(forms)
            fields, name = {}, ""
        if is_between:
            if line.startswith("#,") and "fuzzy" in line:
                fields["fuzzy"] = ""
            continue
        if not found or not (found[1] or name):
            error = f"line {number}: not a line of a catalogue"  # no text: nobody sees it
            raise ValueError(error)
        name = found[1] or name
        fields[name] = fields.get(name, "") + _ESCAPE.sub(
            lambda sign: _ESCAPED.get(sign[1], sign[1]), found[2]
        )
    pairs = [(key.encode(), form.encode()) for key, form in sorted(said.items())]
    strings = [*(key for key, _ in pairs), *(form for _, form in pairs)]
    table_at = 7 * 4
    string_at = table_at + 8 * len(strings)
    numbers = [_MAGIC, 0, len(pairs), table_at, table_at + 8 * len(pairs), 0, 0]
    for string in strings:
        numbers += [len(string), string_at]
        string_at += len(string) + 1
    return struct.pack(f"<{len(numbers)}I", *numbers) + b"".join(s + b"\0" for s in strings)


# The pseudo-language, `--lang xx`: English with accents, in brackets, 40 % longer. It reveals text
# that bypasses the catalogue (plain English), is cut off (no closing bracket), or leaves too little
# room for other languages (overlaps).
PSEUDO = "xx"
_LONGER = 0.4
_WORD = 8  # length of a filler word with its space, so that lines can be wrapped
_ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéíñöüýÁÇÉÍÑÖÜÝ")
# Fields are left unchanged: {name}, {0:.1f}, %(name)s, %s.
_FIELD = re.compile(r"(\{[^{}]*\}|%(?:\(\w+\))?[#0 +-]*[\d.*]*[a-zA-Z%])")
# Context of the rules for numbers and lists, which are not words.
FORMS = "how this language writes: "  # no text: the beginning of a context


class PseudoTranslations(library.NullTranslations):
    """The catalogue of the pseudo-language for `gettext`."""

    def gettext(self, message: str) -> str:
        return pseudo(message) if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return message if context.startswith(FORMS) else pseudo(message)


def pseudo(text: str) -> str:
    """Convert a text to the pseudo-language; its fields stay."""
    parts = _FIELD.split(text)
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    length = sum(len(part) for part in parts[::2])
    # Filler words of tildes; the first one is attached to the text.
    more = range(round(length * _LONGER) - 2)
    tildes = "".join(" " if place % _WORD == _WORD - 1 else "~" for place in more)
    return f"[{''.join(parts)}{tildes}]"
