"""Draw the wiring: `python -m firmware.maker.wiring` brings all diagrams up to date.

With `--board NAME --pins FILE --out FILE` it draws one for your own pins.
"""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from city_unit.desktop import catalogue
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command import Parser, start
from city_unit.desktop.files import write_whole
from firmware.boards import BOARDS, describe
from firmware.maker.wiring import inside
from firmware.maker.wiring.diagram import Diagram
from firmware.pin_file import pins_of, read_pins
from firmware.tool.remote import START

ABOUT = lazy(
    "Draw the wiring: without an option all diagrams of the project, in every language, are"
    " brought up to date. With --board, --pins and --out it draws one for your own pins."
)
HERE = Path(__file__).parent
PAGES = HERE.parent.parent
# Drawings of other parts, by their names: the board and the text of its pin file.
OTHER_PARTS = {
    "pico-active-buzzer": ("pico", "buzzer_kind = active\n"),
    "pico-two-pins": ("pico", "opposite = 17\n"),
    "pico-buzzer-module": ("pico", "buzzer_kind = active\nbuzzer_on = low\n"),
    "pico-strip": ("pico", "strip = 18\n"),
    "pico-battery-uart": ("pico", "battery = 26\nlink = uart\n"),
}


def diagram(board: str, pins: str = "") -> str:
    """Return the SVG for a board, with the text of a pin file laid over its own pins.

    Raises PinError if the pins cannot be.
    """
    title = _("City Unit on {board}").format(board=BOARDS[board].title)
    return Diagram(board, title, describe(board, pins)).draw()


def drawings() -> dict[str, str]:
    """Return the diagrams of the project in the language of this moment, by their names."""
    wired = {**{board: (board, "") for board in BOARDS}, **OTHER_PARTS}
    return {name: diagram(board, pins) for name, (board, pins) in wired.items()}


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language for a while."""
    before = catalogue.speaking()
    catalogue.speak(language)
    try:
        yield
    finally:
        catalogue.speak(before)


def languages() -> list[str]:
    """Return the languages that have a maker's page, on which the drawings are shown."""
    return [
        language
        for language in catalogue.languages()
        if language == catalogue.ENGLISH or (PAGES / f"README.{language}.md").exists()
    ]


def files() -> dict[str, str]:
    """Return every generated file, by its path beside this one."""
    found = {}
    for language in languages():
        folder = "" if language == catalogue.ENGLISH else f"{language}/"
        with speaking(language):
            drawn = {**drawings(), "inside": inside.drawn()}
        found |= {f"{folder}{name}.svg": drawing for name, drawing in drawn.items()}
    return found


def main(words: list[str] | None = None) -> int:
    return start("wiring", _run, words)


def _run(words: list[str]) -> int:
    parser = Parser(prog=f"{START} wiring", description=str(ABOUT))  # no text: typed as it is
    file = _("FILE")
    parser.add_argument("--board", choices=list(BOARDS), help=_("the board to draw"))
    parser.add_argument("--pins", type=Path, metavar=file, help=_("your pins.txt"))
    parser.add_argument("--out", type=Path, metavar=file, help=_("where to write the SVG"))
    options = parser.read(words)
    if options.board and options.out:
        pins = read_pins(options.pins) if options.pins else ""
        pins_of(options.board, pins, options.pins)
        write_whole(options.out, diagram(options.board, pins))
        print(options.out)
    elif options.board or options.pins or options.out:
        parser.error(_("for your own diagram say --board NAME and --out FILE"))
    else:
        write_all()
    return 0


def write_all() -> None:
    for name, text in files().items():
        path = HERE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
        print(path.name if path.parent == HERE else name)


if __name__ == "__main__":
    sys.exit(main())
