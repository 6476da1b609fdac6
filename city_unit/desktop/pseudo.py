"""A made-up language, `--lang xx`: English with accents, in brackets, and longer by 40 %.

Text that is still plain English does not come from the catalogue; text without a closing
bracket is cut off; text that overlaps has no room for other languages.
"""

import gettext
import re

NAME = "xx"
_LONGER = 0.4
_WORD = 8  # letters, and the space behind them: no language's words are 30 letters long
_ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéíñöüýÁÇÉÍÑÖÜÝ")
# Fields, which stay as they are: {name}, {0:.1f}, %(name)s, %s.
_FIELD = re.compile(r"(\{[^{}]*\}|%(?:\(\w+\))?[#0 +-]*[\d.*]*[a-zA-Z%])")
# Rules of a language for numbers and lists; these are no words.
FORMS = "how this language writes: "  # no text: the beginning of a context


class Translations(gettext.NullTranslations):
    """English, made strange, as a catalogue for `gettext`."""

    def gettext(self, message: str) -> str:
        return strange(message) if message else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return strange(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return message if context.startswith(FORMS) else strange(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)


def strange(text: str) -> str:
    """Return a text with accents, in brackets, longer by 40 %; its fields stay."""
    parts = _FIELD.split(text)
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    length = sum(len(part) for part in parts[::2])
    more = max(round(length * _LONGER) - 2, 0)
    return f"[{''.join(parts)}{_words(more)}]"


def _words(length: int) -> str:
    """Return tildes as words that a line can be broken between; the first belongs to the text."""
    return "".join(" " if place % _WORD == _WORD - 1 else "~" for place in range(length))
