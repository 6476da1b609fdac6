"""The catalogue of texts for people, in their language.

Texts stand beside their users in English, which is the key of their translation:

    from city_unit.desktop.catalogue import _, lazy, ngettext

    print(_("The port is busy."))
    print(ngettext("{count} game", "{count} games", count).format(count=count))
    NO_UNIT = lazy("There is no unit at {port}.")  # at the head of a module
    print(NO_UNIT.format(port=port))

The functions say a text in the language of this moment, so that a choice takes effect
at once. At the head of a module, where there is no choice yet, the lazy ones keep the
key, and say it when it is asked for, by `str` or `format`.

A language is one file, `locale/LANG/LC_MESSAGES/city-unit.po`. It is read as it is, so
that a checkout just runs: nothing is compiled, and there is nothing to be out of date.
A text without a translation appears in English, and so do all of a broken catalogue.
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
FIRST = (ENGLISH, "fr")  # where languages are listed: the key's, and the rulebooks'

_speaking = ENGLISH
_translations: library.NullTranslations = library.NullTranslations()


def _(text: str) -> str:
    """Say a text in the language of this moment."""
    return _translations.gettext(text) if text else ""


gettext = _


def ngettext(singular: str, plural: str, count: int) -> str:
    """Say a text of `count` things; each language has its own number of forms."""
    return _translations.ngettext(singular, plural, count)


def pgettext(context: str, text: str) -> str:
    """Say a text whose English word means several things, of which `context` names one."""
    return _translations.pgettext(context, text)


def of_file(text: str) -> str:
    """Say a text of a data file: of ours the catalogue has it, of a user's it is said as it is."""
    return _(text)


class Lazy:
    """A text that is said when it is asked for, in the language of that moment."""

    def __init__(self, say: Callable[..., str], *key: str) -> None:
        self._say = say
        self._key = key

    @property
    def key(self) -> str:
        """The text in English, as it is written in the source, without its context."""
        return self._key[-1]

    def __str__(self) -> str:
        return self._say(*self._key)

    def __format__(self, form: str) -> str:
        return format(str(self), form)

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._key}"

    def format(self, *fields: Any, **named: Any) -> str:
        """Return the text with its fields filled in."""
        return str(self).format(*fields, **named)


class LazyPlural(Lazy):
    """A text of so many things, of which its field `count` tells the number."""

    @property
    def key(self) -> str:
        """The text of one thing in English, without its context."""
        return self._key[-2]

    def __str__(self) -> str:
        return self._say(*self._key, 2)

    def format(self, *fields: Any, count: int = 2, **named: Any) -> str:
        return self._say(*self._key, count).format(*fields, count=count, **named)


def lazy(text: str) -> Lazy:
    """Keep a text for later; `_` translates at once."""
    return Lazy(_, text)


def nlazy(singular: str, plural: str) -> LazyPlural:
    """Keep a text of so many things, said by `format(count=...)`."""
    return LazyPlural(ngettext, singular, plural)


def plazy(context: str, text: str) -> Lazy:
    """Keep a text in a context; `pgettext` translates at once."""
    return Lazy(pgettext, context, text)


def languages() -> list[str]:
    """Return the languages that can be spoken, `FIRST` first; the made-up one is not among them."""
    found = {path.parent.parent.name for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po")}
    found.add(ENGLISH)
    return [*(name for name in FIRST if name in found), *sorted(found.difference(FIRST))]


def own_name(language: str) -> str:
    """Return the name of a language among its speakers: "français" for "fr"."""
    return _load(language).pgettext("what speakers of this language call it", "English")


def speaking() -> str:
    """Return the language that is spoken, as "en" or "fr"."""
    return _speaking


def speak(language: str) -> None:
    """Say all texts in a language from now on; in English if it is unknown or its file broken."""
    global _speaking, _translations
    _speaking = known(language) or ENGLISH
    _translations = _load(_speaking)


@contextlib.contextmanager
def spoken(language: str) -> Iterator[None]:
    """Say all texts in another language meanwhile: for a person with another language than the
    rest."""
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
    """Return the language we have that serves for `language`, as "fr" for "fr_CA.UTF-8", or ""."""
    name = language.partition(".")[0].partition("@")[0].replace("-", "_")
    ours = {language.lower(): language for language in (*languages(), PSEUDO)}
    return ours.get(name.lower()) or ours.get(name.partition("_")[0].lower()) or ""


def path_of(language: str) -> Path:
    """Return where the catalogue of a language lies."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def _load(language: str) -> library.NullTranslations:
    if language == PSEUDO:
        return Strange()
    with contextlib.suppress(Exception):  # gettext has no one error for unreadable catalogues
        path = path_of(language)
        return _read(path, path.stat().st_mtime_ns)
    return library.NullTranslations()


@functools.cache  # one that has changed is read again, as a translator wants it
def _read(path: Path, _changed_ns: int) -> library.GNUTranslations:
    return library.GNUTranslations(io.BytesIO(_compiled(path.read_text(encoding="utf-8"))))


_MAGIC = 0x950412DE
_LINE = re.compile(r"(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\])\s+)?\"(.*)\"")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def _compiled(text: str) -> bytes:
    """Return the .mo of a .po, both as the manual of GNU gettext has them; raises ValueError.

    Entries that are fuzzy, obsolete or without a translation are left out, as gettext itself does.
    """
    said: dict[str, str] = {}
    fields: dict[str, str] = {}  # of the entry that is read, and among them "fuzzy"
    name = ""
    for number, line in enumerate((*text.splitlines(), ""), 1):
        line = line.strip()
        found = _LINE.fullmatch(line)
        is_between = not line or line.startswith("#")
        if "msgid" in fields and (is_between or (found and found[1] in ("msgctxt", "msgid"))):
            forms = [form for each, form in sorted(fields.items()) if each.startswith("msgstr")]
            # The head, whose key is empty, always counts.
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
            mistake = f"line {number}: this is no line of a catalogue"  # no text: nobody sees it
            raise ValueError(mistake)
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


# A made-up language, `--lang xx`: English with accents, in brackets, and longer by 40 %. Text that
# is still plain English does not come from the catalogue; text without a closing bracket is cut
# off; text that overlaps has no room for other languages.
PSEUDO = "xx"
_LONGER = 0.4
_WORD = 8  # letters, and the space behind them: no language's words are 30 letters long
_ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéíñöüýÁÇÉÍÑÖÜÝ")
# Fields, which stay as they are: {name}, {0:.1f}, %(name)s, %s.
_FIELD = re.compile(r"(\{[^{}]*\}|%(?:\(\w+\))?[#0 +-]*[\d.*]*[a-zA-Z%])")
# Rules of a language for numbers and lists; these are no words.
FORMS = "how this language writes: "  # no text: the beginning of a context


class Strange(library.NullTranslations):
    """English, made strange, as a catalogue for `gettext`."""

    def gettext(self, message: str) -> str:
        return strange(message) if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return strange(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return message if context.startswith(FORMS) else strange(message)


def strange(text: str) -> str:
    """Return a text with accents, in brackets, longer by 40 %; its fields stay."""
    parts = _FIELD.split(text)
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    length = sum(len(part) for part in parts[::2])
    # Tildes as words that a line can be broken between; the first belongs to the text.
    more = range(round(length * _LONGER) - 2)
    tildes = "".join(" " if place % _WORD == _WORD - 1 else "~" for place in more)
    return f"[{''.join(parts)}{tildes}]"
