"""`python -m firmware.maker.wiring`: update all wiring diagrams, or draw one for your own pins."""

import sys
from pathlib import Path

try:
    from city_unit.desktop import catalogue
    from city_unit.desktop.catalogue import _, lazy
    from city_unit.desktop.command import Parser, add_force_overwrite, start
    from city_unit.desktop.files import ask_before_overwriting, write_whole
    from firmware.boards import BOARDS, describe
    from firmware.maker.wiring import inside
    from firmware.maker.wiring.diagram import Diagram
    from firmware.tool.remote import START, pins_of, read_pins
except KeyboardInterrupt:  # later ones are handled by `start`
    sys.exit(130)

ABOUT = lazy(
    "Draw wiring diagrams: one for your own pins with --board, --pins and --out; without options,"
    " update all diagrams of the project in every language."
)
HERE = Path(__file__).parent
PAGES = HERE.parent.parent
# Diagrams with optional parts, by name: the board and its pin file.
OTHER_PARTS = {
    "pico-active-buzzer": ("pico", "buzzer_kind = active\n"),
    "pico-two-pins": ("pico", "opposite = 17\n"),
    "pico-buzzer-module": ("pico", "buzzer_kind = active\nbuzzer_on = low\n"),
    "pico-strip": ("pico", "strip = 18\n"),
    "pico-battery-uart": ("pico", "battery = 26\nlink = uart\n"),
}


def diagram(board: str, pins: str = "") -> str:
    """Return the SVG for a board with a pin file; raises PinError for wrong pins."""
    title = _("City Unit on {board}").format(board=BOARDS[board].title)
    return Diagram(board, title, describe(board, pins)).draw()


def files() -> dict[str, str]:
    """Return the content of every generated file, by its path below this folder.

    There is one set for each language into which the maker's page is translated.
    """
    wired = {**{board: (board, "") for board in BOARDS}, **OTHER_PARTS}
    found = {}
    for language in catalogue.languages():
        is_english = language == catalogue.ENGLISH
        if is_english or (PAGES / f"README.{language}.md").exists():
            folder = "" if is_english else f"{language}/"
            with catalogue.spoken(language):
                for name, (board, pins) in wired.items():
                    found[f"{folder}{name}.svg"] = diagram(board, pins)
                found[f"{folder}inside.svg"] = inside.drawn()
    return found


def main(words: list[str] | None = None) -> int:
    return start("wiring", run, words)


def run(words: list[str]) -> int:
    parser = Parser(prog=f"{START} wiring", description=str(ABOUT))  # no text: typed as it is
    file = _("FILE")
    parser.add_argument("--board", choices=list(BOARDS), help=_("the board to draw"))
    parser.add_argument("--pins", type=Path, metavar=file, help=_("your pins.txt"))
    parser.add_argument("--out", type=Path, metavar=file, help=_("where to write the SVG"))
    add_force_overwrite(parser)
    options = parser.read(words)
    if options.board and options.out:
        pins = read_pins(options.pins) if options.pins else ""
        pins_of(options.board, pins, options.pins)
        ask_before_overwriting(options.force, options.out)
        write_whole(options.out, diagram(options.board, pins))
        print(options.out)
    elif options.board or options.pins or options.out:
        parser.error(_("your own diagram needs --board NAME and --out FILE"))
    else:
        for name, text in files().items():
            path = HERE / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)
            print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
