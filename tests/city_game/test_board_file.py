"""Board files: the board that comes along, and mistakes named by place and nearest word."""

import pytest

from city_game.board_file import OWN, parse, text_of
from city_game.cli import main
from city_game.money import parse as notes
from city_game.money import show

GOOD = text_of(OWN)


def test_the_board_agrees_with_the_known_figures():
    board, mistakes = parse(GOOD)
    assert not mistakes
    assert len(board.districts) == 22
    assert sorted(map(len, board.members)) == [2, 2, 3, 3, 3, 3, 3, 3]
    money = board.money
    assert (money.start, money.salary, money.stadium, money.tower) == (3770, 200, 200, 700)
    assert (money.jail_fine, money.hazard_block, money.least_bid) == (50, 50, 1)
    assert 350 in [district.rents[4] for district in board.districts]
    assert all(one.industrial == 2 * one.residential for one in board.districts)
    assert board.pieces.stadiums == 2
    pieces = board.pieces
    blocks = sum(pieces.residential) + sum(pieces.industrial)
    rest = pieces.stations + pieces.stadiums + pieces.skyscrapers + 1
    assert blocks + rest + sum(pieces.bonuses.values()) + sum(pieces.hazards.values()) == 80


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ('"Flax Mill", "Weir', '"Flax Mlil", "Weir', 'did you mean "Flax Mill"?'),
        ("salary =", "sallary =", 'unknown key "sallary"; did you mean "salary"?'),
        ('salary = "2M"', "salary = 2", "line 17, [money]: salary is 2, but money is written"),
        ('group = "Mills"', 'group = "Mils"', 'unknown group "Mils"; did you mean "Mills"?'),
        ('start = "37.7M"', 'start = "37.705M"', "multiple of 10k"),
        ('"jail", "Bell', '"prison", "Bell', 'unknown space 9 "prison"'),
        ("format = 1", "format = 2", "line 5: format must be 1"),
        ('does = "move -3"', 'does = "mve -3"', 'did you mean "move -3"?'),
        ("school = 2", "shcool = 2", 'did you mean "school"?'),
        ('"go", "Rope Walk"', '"Rope Walk", "go"', 'the first space must be "go"'),
        ("[money]", "[money", "not TOML"),
    ],
)
def test_a_mistake_is_named(right, wrong, says):
    assert right in GOOD
    board, mistakes = parse(GOOD.replace(right, wrong, 1))
    assert board is None
    assert any(says in mistake for mistake in mistakes), mistakes


def test_falling_rents_are_a_mistake_with_its_line():
    row = next(line for line in GOOD.splitlines() if line.startswith("rents"))
    bad = row.rsplit('"', 2)[0] + '"10k"]'
    line = GOOD.splitlines().index(row) + 1
    _, mistakes = parse(GOOD.replace(row, bad, 1))
    says = "the rent for 8 blocks is below that for 7"
    assert mistakes == [f"line {line}, district Rope Walk: {says}"]


def test_the_command_checks_shows_and_starts_boards(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    assert main(["board", "template"]) == 0
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["board", "check", str(path)]) == 0
    assert "good" in capsys.readouterr().out
    assert main(["board", "show", str(path)]) == 0
    assert "Crane Basin" in capsys.readouterr().out
    path.write_text(path.read_text().replace("tower =", "twoer ="), encoding="utf-8")
    assert main(["board", "check", str(path)]) == 2
    assert 'did you mean "tower"?' in capsys.readouterr().err
    assert main(["board", "show", str(tmp_path / "none.toml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("written", ["10k", "500k", "1M", "3.5M", "37.65M", "100M"])
def test_money_is_written_as_it_is_read(written):
    assert show(notes(written)) == written


def test_a_board_of_an_editor_that_marks_its_files_as_utf_8(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8-sig")
    assert parse(text_of(str(file)))[1] == []
