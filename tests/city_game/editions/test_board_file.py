"""Board files: the supplied board, errors with place and nearest word, and the command."""

import os
import re
from pathlib import Path

from city_game.cli import main
from city_game.editions.city import EDITION
from city_game.editions.classic import EDITION as CLASSIC
from city_game.kernel.board import parse, text_of
from city_unit.desktop.toml_reader import read
from tests.helpers.needs import needs

GOOD = text_of(EDITION, EDITION.board)
MISTAKES = Path(__file__).parent / "board_mistakes.toml"


def mistakes_of(text: str) -> list[str]:
    board, mistakes = parse(EDITION, text)
    assert (board is None) == bool(mistakes)
    assert all(mistake.startswith("line ") for mistake in mistakes)
    return mistakes


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_the_board_agrees_with_the_known_figures():
    board, mistakes = parse(EDITION, GOOD)
    assert board is not None and not mistakes
    assert len(board.deeds) == 22
    assert sorted(map(len, board.members)) == [2, 2, 3, 3, 3, 3, 3, 3]
    money = board.money
    assert (money.start, money.salary, money.stadium, money.tower) == (3770, 200, 200, 700)
    assert (money.jail_fine, money.hazard_block, money.least_bid) == (50, 50, 1)
    assert 350 in [deed.rents[4] for deed in board.deeds]
    assert all(deed.industrial == 2 * deed.residential for deed in board.deeds)
    assert board.pieces.stadiums == 2
    pieces = board.pieces
    blocks = sum(pieces.residential) + sum(pieces.industrial)
    rest = pieces.stations + pieces.stadiums + pieces.skyscrapers + 1
    assert blocks + rest + sum(pieces.bonuses.values()) + sum(pieces.hazards.values()) == 80


def test_each_error_is_reported():
    rows, _lines = read(MISTAKES.read_text(encoding="utf-8"))
    for right, wrong, says in rows["rows"]:
        bad = GOOD.replace(right, wrong, 1)
        assert bad != GOOD, right
        told = says.replace("{line}", str(line_of(bad, wrong)))
        assert any(told in mistake for mistake in mistakes_of(bad)), (wrong, mistakes_of(bad))


def test_each_error_is_reported_once():
    bad = GOOD.replace('"Weir Side",', '"chance",', 1)
    line = line_of(bad, 'name = "Weir Side"') - 1
    assert mistakes_of(bad) == [f"line {line}, district Weir Side: it is not on the track"]
    twice = mistakes_of(GOOD.replace("Eel Pie Yard", "Quince Park"))
    assert len(twice) == 2 and "space 14: Quince Park is on space 3 already" in twice[0]
    assert "has the same name" in twice[1]
    assert len(mistakes_of(GOOD.replace('group = "Mills"', 'group = "mills"'))) == 3  # its deeds
    row = next(line for line in GOOD.splitlines() if line.startswith("rents"))
    falling = GOOD.replace(row, row.rsplit('"', 2)[0] + '"10k"]', 1)
    says = "district Rope Walk: rents: the rent for 8 blocks is below that for 7"
    assert mistakes_of(falling) == [f"line {line_of(GOOD, row)}, {says}"]
    for key in ("money", "pieces", "track"):
        section = r"track = \[.*?\n\]\n" if key == "track" else rf"\[{key}\].*?\n(?=\n\[)"
        (missing,) = mistakes_of(re.sub(section, "", GOOD, count=1, flags=re.DOTALL))
        assert key in missing and missing.startswith("line 1: ")
    sections = ("format", "name", "money", "pieces", "group", "district", "track", "card")
    missing = mistakes_of("")
    assert len(missing) == len(sections)
    assert all(any(key in mistake for mistake in missing) for key in sections)


# Values that are valid although the key has a value of another type on the board.
ALLOWED = {("name", '"text"'), ("text", '"text"'), ("bonuses", "{}"), ("hazards", "{}")}
ALLOWED |= {("stations", "0"), ("stadiums", "0"), ("skyscrapers", "0")}


def test_a_value_of_a_wrong_type_is_an_error():
    """Each key of a board in turn gets a value of another type."""
    lines = GOOD.splitlines()
    places: dict[str, int] = {}
    for place, line in enumerate(lines):
        if " = " in line and not line.startswith("track"):
            places.setdefault(line.partition(" = ")[0], place)
    for value in ("0", '"text"', "[]", "[1]", "[[]]", "{}", '{ a = "b" }', "true"):
        for key, place in places.items():
            text = "\n".join([*lines[:place], f"{key} = {value}", *lines[place + 1 :]])
            assert bool(mistakes_of(text)) != ((key, value) in ALLOWED), (key, value)
        for name in ("track", "money", "pieces", "group", "district", "card"):
            assert mistakes_of(f"{name} = {value}\n")


def test_the_board_command(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    assert main(["board", "template", str(path)]) == 0
    assert f"city-game board check {path}" in capsys.readouterr().out
    assert main(["board", "check", str(path)]) == 0 and "is valid" in capsys.readouterr().out
    assert main(["board", "template"]) == 0
    assert capsys.readouterr().out == path.read_text(encoding="utf-8") == GOOD
    path.write_text(GOOD.replace("tower =", "twoer ="), encoding="utf-8")
    assert main(["board", "check", str(path)]) == 2
    assert 'did you mean "tower"?' in capsys.readouterr().err
    assert main(["board", "show", str(tmp_path / "none.toml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    # A file with a byte order mark.
    path.write_text(GOOD.replace("Copper Lane", "Lane of the Coppersmiths"), encoding="utf-8-sig")
    assert main(["board", "show", str(path)]) == 0
    head, *rows = capsys.readouterr().out.splitlines()[1:]
    assert len({len(row) for row in rows[:22]}) == 1
    assert head.index("price") + len("price") == rows[0].index("M ") + 1


def test_an_endless_file_and_an_empty_name_are_refused(capsys):
    needs(os.path.exists("/dev/zero"), "/dev/zero")
    assert main(["board", "check", "/dev/zero"]) == main(["simulate", "--board", ""]) == 2
    assert ["is too long" in line for line in capsys.readouterr().err.splitlines()] == [True, False]


def test_a_board_of_another_edition_is_refused(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    assert main(["board", "template", str(path), "--edition", "classic"]) == 0
    assert main(["board", "check", str(path)]) == 0
    assert main(["simulate", "--board", str(path)]) == 2
    err = capsys.readouterr().err
    assert 'a board for the edition "classic", not for "city"' in err
    path.write_text(path.read_text(encoding="utf-8").replace('edition = "classic"\n', ""), "utf-8")
    assert main(["simulate", "--edition", "classic", "--board", str(path)]) == 2
    assert "it names no edition" in capsys.readouterr().err


def test_two_deeds_can_be_dealt_to_each_player_of_a_classic_board():
    good = text_of(CLASSIC, CLASSIC.board)
    head, *districts = good.split("[[district]]")
    small = "[[district]]".join([head, *districts[:5]])
    assert any("since two are dealt" in mistake for mistake in parse(CLASSIC, small)[1])


def test_a_program_of_the_unit_is_one_mistake():
    for text in ('name = "city"\nauction = "50 s"\n', '[[steps]]\nat = "1 s"\ndo = "end"\n'):
        assert mistakes_of(text) == [
            "line 1: this is a program or a scenario of the unit, not a board"
        ]
