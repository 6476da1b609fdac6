"""Read a user's own program file in the page, by the rules of the desktop.

The page's MicroPython lacks some modules that those rules import; this module provides stubs for
them. Messages of the rules appear in the language of the page.
"""

import json
import sys

LONGEST_FILE = 100_000  # characters
_texts: dict = {}  # translations into the language of the page, by the English text


def translate(text: str) -> str:
    return _texts.get(text, text)


_ = translate


class Lazy:
    """A text that is translated when it is used; with a plural, chosen by the field `count`."""

    def __init__(self, text: str, plural: str = "") -> None:
        self._text = text
        self._plural = plural

    def __str__(self) -> str:
        return translate(self._text)

    def format(self, **fields: object) -> str:
        text = self._plural if fields.get("count", 1) != 1 else self._text
        return translate(text).format(**fields)


class _Type:
    """Stands in for any type used in annotations."""

    def __getitem__(self, _parts: object) -> "_Type":
        return self

    def __call__(self, _name: str) -> "_Type":
        return self


class _Module:
    def __init__(self, **contents: object) -> None:
        for name in contents:
            setattr(self, name, contents[name])


if sys.implementation.name == "micropython":
    kind = _Type()
    stand_ins = {
        "typing": _Module(Any=kind, TypeVar=kind),
        "collections.abc": _Module(Callable=kind, Iterable=kind, Iterator=kind, Sequence=kind),
        "difflib": _Module(get_close_matches=lambda *_words: []),
        "city_unit.desktop.files": _Module(reason=str),
        "city_unit.desktop.catalogue": _Module(
            _=_, lazy=Lazy, nlazy=Lazy, Lazy=Lazy, pgettext=lambda _context, text: translate(text)
        ),
    }
    for module in stand_ins:
        sys.modules[module] = stand_ins[module]  # type: ignore[assignment]

from city_unit.desktop import toml_reader  # noqa: E402
from city_unit.desktop.errors import UserError, at  # noqa: E402
from sim.engine import program_file  # noqa: E402

VALUES = ["name", "title", "marks", "cues"] + [name for name, _read in program_file.VALUES.values()]


def read(request: str) -> str:
    """Read a program file; the request is JSON: `[content, file name, translations by English]`.

    The response is JSON: the program's values by name, or `error`, an error message for people.
    """
    global _texts
    text, file, _texts = json.loads(request)
    try:
        if len(text) > LONGEST_FILE:
            raise UserError(at(file, _("the file is too long")))
        program = program_file.read(toml_reader.parse(text.encode(), file))
    except UserError as error:
        return json.dumps({"error": str(error)})
    return json.dumps({name: getattr(program, name) for name in VALUES})
