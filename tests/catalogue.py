"""Update the catalogue of texts: `python -m tests.catalogue [LANG ...]`.

It collects the texts for people from the four rooms into city-unit.pot, and updates the
city-unit.po of each language: it adds new texts, drops unused ones, and marks the translation of a
changed text as fuzzy, for a translator to check. It creates the file of a new LANG. For each
language it prints how many texts are untranslated or fuzzy; a test requires French to have none.
"""

import ast
import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel import localedata
from babel.messages import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from city_game.phones import server
from city_unit.desktop import catalogue, toml_reader
from sim.web import bundle

ROOT = Path(__file__).parent.parent
ROOMS = ("city_unit", "firmware", "sim", "city_game")
TEMPLATE = catalogue.LOCALE / f"{catalogue.DOMAIN}.pot"
# Which arguments of a function are a text: a plural has two, "c" is a context.
KEYWORDS = {
    "_": None,
    "gettext": None,
    "lazy": None,
    "ngettext": (1, 2),
    "nlazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "plazy": ((1, "c"), 2),
}
PAGES = ("sim/web/page", "sim/web/hear", "sim/web/board")
# The lines of a head that are kept; dates would cause a conflict at each run.
HEADERS = ("Language:", "Plural-Forms", "MIME-Version", "Content-")
# The contexts of the entries about a language itself, with which its translator starts.
ABOUT = ('msgctxt "what speakers of this', 'msgctxt "how this language')
HEAD = "# Texts of City Unit for translators; `python -m tests.catalogue` keeps it up to date."


def main(languages: list[str]) -> int:
    for name in languages:
        if not localedata.exists(name):
            print(f"tests.catalogue: {name}: give a language's code, such as nl", file=sys.stderr)
            return 2
    template = extracted()
    TEMPLATE.write_text(written(template), encoding="utf-8")
    for language in sorted({*catalogue.languages()[1:], *languages}):
        path = catalogue.path_of(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(updated(language, template), encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {len(missing(read(language)))} texts to translate")
    return 0


def sources() -> list[Path]:
    """Return the files that may contain texts."""
    in_rooms = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return [*sorted(in_rooms), ROOT / "start.py"]


def of_boards() -> Iterator[tuple[str, str]]:
    """Yield each text of the game's boards with its file's name; districts keep their names."""
    for path in sorted((ROOT / "city_game" / "editions").glob("*/boards/*.toml")):
        table = toml_reader.parse(path.read_bytes(), path.name)
        name = path.relative_to(ROOT).as_posix()
        yield from ((name, str(card.value("text"))) for card in table.tables("card"))
        yield from ((name, str(group.value("name"))) for group in table.tables("group"))


def extracted() -> Catalog:
    """Return the catalogue of all texts, without translations."""
    found = _empty()
    for name, text in of_boards():
        found.add(text, None, [(name, 0)])
    for path in sources():
        name = path.relative_to(ROOT).as_posix()
        rows = extract_from_file("python", path, KEYWORDS, ["To translators:"])
        for _, message, comments, context in rows:
            found.add(message, None, [(name, 0)], auto_comments=comments, context=context)
    for path, message in said_in_pages():
        found.add(message, None, [(path.relative_to(ROOT).as_posix(), 0)])
    for path, message, comments in said_on_telephones():
        name = path.relative_to(ROOT).as_posix()
        found.add(message, None, [(name, 0)], auto_comments=comments)
    return found


def said_on_telephones() -> Iterator[tuple[Path, str, list[str]]]:
    """Yield the texts of the game's pages, with the file, and a comment in the line above."""
    rooms = ((ROOT / "city_game" / room / "page").iterdir() for room in ("phones", "tournament"))
    for path in sorted(path for room in rooms for path in room if path.suffix in (".js", ".html")):
        text = path.read_text(encoding="utf-8")
        for found in server.SAID.finditer(text):
            _rest, above, _line = ("\n" + text[: found.start()]).rsplit("\n", 2)
            comment = re.search(r"To translators: .*?(?= -->|$)", above)
            yield path, json.loads(found[1]), [comment[0]] if comment else []


def said_in_pages() -> Iterator[tuple[Path, str]]:
    """Yield the texts of the pages, each with its file."""
    for path in sorted(path for folder in PAGES for path in (ROOT / folder).iterdir()):
        yield from ((path, text) for text in bundle.texts_in(path))


def read(language: str) -> Catalog:
    """Return a language's catalogue, an empty one if it has none yet."""
    path = catalogue.path_of(language)
    if not path.exists():
        return _empty(language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _empty(language: str | None = None) -> Catalog:
    return Catalog(language, project="City Unit", header_comment=HEAD, fuzzy=False)


def updated(language: str, template: Catalog) -> str:
    """Return the text of a language's file with the template's texts, no more and no fewer."""
    known = read(language)
    known.update(template)
    return written(known)


def written(texts: Catalog) -> str:
    """Return the text of a catalogue's file, with the entries about the language first."""
    file = io.BytesIO()
    write_po(file, texts, sort_output=True, no_location=True, ignore_obsolete=True, width=95)
    lines = file.getvalue().decode().splitlines(keepends=True)
    end = lines.index("\n") + 1  # of the head
    kept = [line for line in lines[:end] if line[0] != '"' or line[1:].startswith(HEADERS)]
    entries = "".join(lines[end:]).rstrip("\n").split("\n\n")
    entries.sort(key=lambda entry: not any(context in entry for context in ABOUT))
    return "".join([*kept, "\n\n".join(entries), "\n"])


def missing(texts: Catalog) -> list[str]:
    """Return the keys of the texts that are untranslated or fuzzy."""
    return [
        str(message.id)
        for message in texts  # a text, or a text for each plural
        if message.id and (message.fuzzy or not all(message.string or [""]))
    ]


def not_literal() -> Iterator[str]:
    """Yield the place of each text that is not a literal, which the extraction would miss."""
    for path in sources():
        if path.parent.name == "desktop" and path.name == "catalogue.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in KEYWORDS:
                places = KEYWORDS[_name(node.func)] or (1,)
                texts = node.args[: len(places)]
                if not all(isinstance(text, ast.Constant) for text in texts):
                    yield f"{path.relative_to(ROOT)}, line {node.lineno}"


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def ill_set(text):
    """Return whether ; : ! ? « » lack their narrow no-break space, or ' is a straight one."""
    bare = re.sub(r"(?<=  |, )\?", "x", text)  # a key of that name
    return bool(
        re.search(r"[^\u202f][;!?»](?!\w)|[^\u202f]:(?=\s|$)|«[^\u202f]|[a-zà-ÿ]'[a-zà-ÿ]", bare)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
