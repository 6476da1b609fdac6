"""Texts for people come from the catalogue: no room keeps words of its own beside it."""

from tests.helpers import literals

PLANTED = [
    'raise UserError("no such port")',
    'raise ValueError(f"{word} is no number")',
    'print("done")',
    'sys.stderr.write("Wait.\\n")',
    'parser.add_argument("--seed", help="where chance begins")',
    'parser.add_argument("--seed", metavar="NUMBER of it", help=_("where chance begins"))',
    'parser.add_argument("--seed", help=_("where chance begins"))',
    'parser.epilog = "Go on."',
    'table.error("clock", "too long")',
    'LABELS = {"auction": "The auction runs"}',
    'LABEL = f"{count} games"',
    'def label():\n    """Say it."""\n    return "the hour is over"',
    'def label(text="the hour is over"): pass',
    'LINE = _("The auction runs.") + " " + _("It warns.")',
    'LINE = f"{_(name)}, {_(verb)}"',
    'LINE = _("Wait for {port}.").format(port=port) + "!"',
    "LINE = word.capitalize()",
    'GAMES = ("game", "games")[count != 1]',
    "GAMES = f\"game{'' if count == 1 else 's'}\"",
    "SVG = f'<text x=\"{x}\">the hour is over</text>'",
]


INNOCENT = [
    '"""What a module is for."""',
    'raise UserError(_("There is no unit at {port}.").format(port=port))',
    'NO_UNIT = lazy("There is no unit at {port}.")',
    'GAMES = nlazy("{count} game", "{count} games")',
    'parser.add_argument("--seed", metavar=_("N"), help=_("where chance begins"))',
    'table.error("clock", _("too long"))',
    'if words == "switch on": pass',
    'unit.send("tap auction")',
    'PATTERN = re.compile("at line (.+) of it")',
    'assert done, "the end is never reached"',
    'print(f"{player} {sum_of}")',
    'SVG = f\'<rect x="{x}" y="{y}" fill="none"/>\'',
    'PROGRAM = "import os; print(os.listdir())"  # no text: runs on the board',
    "def sums() -> 'a list of them': pass",
]


def test_words_beside_the_catalogue_are_found_where_there_are_any():
    assert [text for text in PLANTED if not literals.in_source(text)] == []
    assert [text for text in INNOCENT if literals.in_source(text)] == []
    found = [finding for room in literals.rooms() for finding in literals.in_room(room)]
    assert "\n".join(map(str, found)) == ""
