"""Build the pages: static files for any host, which load nothing from elsewhere.

There are three: the unit's page, the listening page, and the board page. Each is built from its
folder here: the scripts are joined into one, the disc and the languages are inserted where its
HTML has a place for them, and its texts are written to one JSON file per language. The unit's
page also carries its Python modules, in core.json, and a service worker that lists all its files.
"""

# No texts: code for browsers, except for DESCRIPTION.
import ast
import functools
import gzip
import hashlib
import html
import io
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import lazy
from city_unit.desktop.files import make_folder, write_whole
from city_unit.desktop.lamp_words import LAMP_WORDS
from city_unit.facts import VERSION
from sim.face import tones
from sim.web import disc

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent

# The modules that the interpreter in the page can import, by their paths in this project.
MODULES = (
    "city_unit/__init__.py",
    "city_unit/clock.py",
    "city_unit/contacts.py",
    "city_unit/cues.py",
    "city_unit/draws.py",
    "city_unit/fingers.py",
    "city_unit/drive.py",
    "city_unit/events.py",
    "city_unit/facts.py",
    "city_unit/lamps.py",
    "city_unit/programs.py",
    "city_unit/settings.py",
    "city_unit/ticks.py",
    "city_unit/trace.py",
    "city_unit/transitions.py",
    "city_unit/unit.py",
    "sim/web/body.py",
)
# The rules for program files, for the user's own; the page shows their messages.
PROGRAM_RULES = (
    "city_unit/desktop/errors.py",
    "city_unit/desktop/forms.py",
    "city_unit/desktop/toml_reader.py",
    "sim/engine/program_file.py",
    "sim/web/reading.py",
)

# The meaning of each lamp, in English; the page translates it.
LAMPS = {lamp: words.tells.key for lamp, words in LAMP_WORDS.items()}

RULES = ("firmware/boards.py",)  # the rules for pins; the board page runs them too

WORKER = "worker.js"  # caches the other files for use without a network
BESIDE = "beside.json"  # the names of the other pages' files, which the worker caches too
LICENCE = "LICENSE-micropython.txt"  # for people; no browser loads it
VENDORED = ("micropython.mjs", "micropython.wasm", LICENCE)
ESPTOOL = ("esptool.js", "LICENSE-esptool.txt")  # loaded by the board page on demand

# The pages load and run only files of their own folder.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)

DESCRIPTION = lazy("The electronic unit of Monopoly City: auctions, building permits, and the hour")
MANIFEST = {
    "name": "City Unit",
    "short_name": "City Unit",
    "start_url": "./",
    "scope": "./",
    "id": "./",
    "display": "standalone",
    "background_color": "#07141a",
    "theme_color": "#07141a",
    "icons": [
        {"src": "icon.png", "sizes": "180x180", "type": "image/png"},
        {"src": "icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "icon-512.png", "sizes": "512x512", "type": "image/png"},
        # The same picture: its disc lies within the safe zone of any mask.
        {"src": "icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ],
    "screenshots": [
        {"src": "narrow.jpg", "sizes": "540x960", "type": "image/jpeg", "form_factor": "narrow"},
        {"src": "wide.jpg", "sizes": "1280x720", "type": "image/jpeg", "form_factor": "wide"},
    ],
}


class Home(NamedTuple):
    """The addresses that a published page shows: its own, and that of the downloads."""

    address: str
    downloads: str  # of the forge's latest release, without a trailing "/"


def files(home: Home | None = None) -> dict[str, bytes]:
    """Return the files to publish, by name, except for those of the board page.

    They are the unit's page, the pictures for its installation, and the listening page.
    """
    hear = hear_page()
    pictures = {path.name: path.read_bytes() for path in sorted((HERE / "install").iterdir())}
    return {**unit_page(home), **hear, **pictures, BESIDE: _names(hear)}


def unit_page(home: Home | None = None) -> dict[str, bytes]:
    """Return the files of the unit's page by name; the last is the service worker."""
    made = {name: (HERE / "vendor" / name).read_bytes() for name in VENDORED}
    modules, others = scripts(HERE / "page")
    made.update(others)
    made[WORKER] = modules.pop(WORKER).encode()
    made.update(texts_of(HERE / "page", (*disc.LABELS, *LAMPS.values()), PROGRAM_RULES))
    made["app.js"] = one_script(modules, "app.js").encode()
    index = made["index.html"].decode()
    if home is None:  # remove the section with the addresses
        index = re.sub(r"<!-- home -->.*?<!-- /home -->\n", "", index, flags=re.DOTALL)
    else:
        import segno  # only a published page needs it

        words = {"ADDRESS": home.address, "DOWNLOADS": home.downloads, "VERSION": VERSION}
        for name, value in words.items():
            index = index.replace(name, html.escape(value))
        file = io.BytesIO()
        segno.make(home.address, micro=False).save(file, kind="svg", light="#fff", border=4)
        made["address.svg"] = file.getvalue()
    made["index.html"] = _index(index).encode()
    made["style.css"] = made["style.css"] + disc.css().encode()
    facts = {  # as `Facts` in types.d.ts
        "version": VERSION,
        "files": {
            name: (ROOT / name).read_text(encoding="utf-8") for name in MODULES + PROGRAM_RULES
        },
        "lamps": LAMPS,
        "sound": {
            "harmonics": tones.HARMONICS,
            "fade_ms": tones.FADE_MS,
            "volumes": tones.VOLUMES,
        },
    }
    made["core.json"] = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode()
    for language in catalogue.languages():
        with catalogue.spoken(language):
            manifest = {**MANIFEST, "lang": language, "description": str(DESCRIPTION)}
        name = "manifest" if language == "en" else language
        text = json.dumps(manifest, indent=1, ensure_ascii=False)
        made[f"{name}.webmanifest"] = text.encode()
    worker = made.pop(WORKER).decode()
    # The worker's cache has a name that changes with the content of any file.
    digest = hashlib.sha256(worker.encode())
    for name in sorted(made):
        digest.update(name.encode() + made[name])
    cached = ["./", *sorted(name for name in made if name not in ("index.html", LICENCE))]
    worker = worker.replace('"VERSION"', json.dumps(digest.hexdigest()[:16]))
    made[WORKER] = worker.replace('["FILES"]', json.dumps(cached)).encode()
    return made


def hear_page() -> dict[str, bytes]:
    """Return the files of the listening page, by name."""
    modules, made = scripts(HERE / "hear")
    made["tap.js"] = modules.pop("tap.js").encode()  # the audio thread loads it by name
    modules.update(scripts(HERE / "page")[0])
    made["hear.js"] = one_script(modules, "hear.js").encode()
    made["hear.html"] = made["hear.html"].decode().replace("POLICY", POLICY).encode()
    texts = texts_of(HERE / "hear")
    return {**made, **{f"hear-{name}": table for name, table in texts.items()}}


def board_page(of_firmware: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of the board page, by name.

    of_firmware  the files made by `firmware`: the list of boards, and the contents of each
    """
    modules, made = scripts(HERE / "board")
    modules.update(scripts(HERE / "page")[0])
    client = ROOT / "city_unit/host/web/city_unit.js"
    modules[client.name] = client.read_text(encoding="utf-8")
    made["board.js"] = one_script(modules, "board.js").encode()
    made["board.html"] = _index(made["board.html"].decode()).encode()
    made["board.css"] = made["board.css"] + disc.css().encode()
    made.update((name, (HERE / "vendor" / name).read_bytes()) for name in ESPTOOL)
    texts = texts_of(HERE / "board", (*disc.LABELS, *LAMPS.values()), RULES)
    made.update((f"board-{name}", table) for name, table in texts.items())
    beside = [*hear_page(), *made, *(name for name in of_firmware if name.endswith(".json"))]
    return {**of_firmware, **made, BESIDE: _names(beside)}


def _names(files: Iterable[str]) -> bytes:
    return json.dumps(sorted(files)).encode()


def scripts(folder: Path) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return the scripts of a folder and its other files, by name."""
    paths = sorted(folder.iterdir())
    modules = {
        path.name: path.read_text(encoding="utf-8") for path in paths if path.suffix == ".js"
    }
    return modules, {path.name: path.read_bytes() for path in paths if path.name not in modules}


def write(folder: Path, made: dict[str, bytes]) -> None:
    """Write the files to a folder, each one atomically; raises UserError."""
    make_folder(folder)
    for name, content in made.items():
        write_whole(folder / name, content)


def compressed_size() -> int:
    """Return how many bytes a browser loads for the unit's page, compressed with gzip."""
    made = unit_page()
    return sum(len(gzip.compress(made[name], 9)) for name in made if name != LICENCE)


# A telephone loads one script instead of fifteen. It is not minified: comments are a sixteenth of
# the compressed page, do not slow its start, and explain the code.

_IMPORT = re.compile(r'^import \{ ([^}]*) \} from "\.{1,2}/(?:\w+/)*([\w.]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)


def one_script(modules: dict[str, str], first: str) -> str:
    """Join modules that import one another, each as a function that returns its exports.

    first  the main module; only modules that it imports, directly or not, are included
    """
    modules = {**modules, "languages.js": languages_script()}
    order: list[str] = []
    outside: list[str] = []  # imports of files that stay separate

    def follow(name: str) -> None:
        for found in _IMPORT.finditer(modules[name]):
            if found[2] not in modules:
                outside.append(found[0])
            elif found[2] not in order:
                follow(found[2])
        order.append(name)

    follow(first)

    def imported(found: re.Match) -> str:
        return f"const {{ {found[1]} }} = {_variable(found[2])};" if found[2] in modules else ""

    wrapped = []
    for name in order:
        exported = ", ".join(found[1] for found in _EXPORT.finditer(modules[name]))
        text = _EXPORT.sub("", _IMPORT.sub(imported, modules[name]))
        if re.search(r"^(import|export)\b", text, re.MULTILINE):
            raise ValueError(f"{name}: unsupported import or export")  # no text: a fault of ours
        wrapped.append(
            f"const {_variable(name)} = (() => {{\n{text}return {{ {exported} }};\n}})();"
        )
    return "\n".join([*outside, *wrapped, ""])


def _variable(name: str) -> str:
    return "$" + name.split(".")[0]


# Texts.


def languages() -> dict[str, str]:
    """Return the capitalised native name of each language, by its code."""
    names = {code: catalogue.own_name(code) for code in catalogue.languages()}
    return {code: name[:1].upper() + name[1:] for code, name in names.items()}  # no text: a name


def languages_script() -> str:
    """Return the module that exports the languages of the pages."""
    return f"export const LANGUAGES = {json.dumps(languages(), ensure_ascii=False)};\n"


def texts_of(
    folder: Path, more: tuple[str, ...] = (), beside: tuple[str, ...] = ()
) -> dict[str, bytes]:
    """Return the translations of a folder's texts, one file for each language except English.

    more    further texts, in English
    beside  Python files whose texts the page also shows
    """
    wanted = {text: catalogue.Lazy(catalogue.of_file, text) for text in more}
    for path in sorted(folder.iterdir()):
        for text in texts_in(path):
            wanted[text] = catalogue.Lazy(catalogue.of_file, text)
    for name in beside:
        wanted.update(_texts_in_python((ROOT / name).read_text(encoding="utf-8")))
    made = {}
    for language in catalogue.languages()[1:]:
        with catalogue.spoken(language):
            table = {text: str(translation) for text, translation in wanted.items()}
        known = {text: translation for text, translation in table.items() if translation != text}
        made[f"{language}.json"] = json.dumps(known, ensure_ascii=False, indent=0).encode()
    return made


_TEXT = re.compile(
    r"""(?:\b(?:say|later)\(\s*|\bdata-(?:say|label)=)(?:("(?:[^"\\\n]|\\.)*")|'([^'\n]*)')"""
)


def texts_in(path: Path) -> list[str]:
    """Return the texts for people in a script or an HTML file; other files have none."""
    if path.suffix not in (".js", ".html"):
        return []
    found = _TEXT.finditer(path.read_text(encoding="utf-8"))
    return [json.loads(match[1]) if match[1] else match[2] for match in found]


def _texts_in_python(text: str) -> dict[str, catalogue.Lazy]:
    """Return the texts for people in a module, by the English text; both forms of a plural."""
    texts: dict[str, catalogue.Lazy] = {}
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        words = [str(word.value) for word in node.args if isinstance(word, ast.Constant)]
        if words and node.func.id in ("_", "lazy"):
            texts[words[0]] = catalogue.Lazy(catalogue.of_file, words[0])
        elif node.func.id == "pgettext":
            texts[words[1]] = catalogue.Lazy(catalogue.pgettext, *words)
        elif node.func.id == "nlazy":
            for count, form in enumerate(words, 1):
                say = functools.partial(catalogue.ngettext, count=count)
                texts[form] = catalogue.Lazy(say, *words)
    return texts


def _index(text: str) -> str:
    choices = "".join(
        f'<option value="{code}" lang="{code}">{html.escape(name)}</option>'
        for code, name in languages().items()
    )
    text = text.replace("<!-- languages -->", choices).replace("<!-- disc -->", disc.svg())
    return text.replace("POLICY", POLICY)
