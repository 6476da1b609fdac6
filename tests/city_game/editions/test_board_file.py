"""Board files: the board that comes along, and mistakes named by place and nearest word."""

import re

import pytest

from city_game.cli import main
from city_game.editions.city import EDITION
from city_game.editions.city.pieces import stand
from city_game.kernel import State, apply
from city_game.kernel.board_file import parse, text_of
from city_game.kernel.edition import fresh
from city_game.kernel.money import parse as notes
from city_game.kernel.money import show
from city_game.report.words import in_words
from city_unit.desktop.toml_reader import read

GOOD = text_of(EDITION, EDITION.board)


def test_the_board_agrees_with_the_known_figures():
    board, mistakes = parse(EDITION, GOOD)
    assert not mistakes
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


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ('"Flax Mill", "Weir', '"Flax Mlil", "Weir', 'did you mean "Flax Mill"?'),
        ("salary =", "sallary =", 'unknown key "sallary", did you mean "salary"?'),
        ('salary = "2M"', "salary = 2", "line 17, [money]: salary: money is written"),
        ('group = "Mills"', 'group = "Mils"', 'group: "Mils" is unknown, did you mean "Mills"?'),
        ('start = "37.7M"', 'start = "37.705M"', "multiple of 10k"),
        ('"jail", "Bell', '"prison", "Bell', 'space 9: "prison" is unknown'),
        ("format = 1", "format = 2", "line 5: format: it must be 1"),
        ('does = "move -3"', 'does = "mve -3"', 'did you mean "move -3"?'),
        ("school = 2", "shcool = 2", 'did you mean "school"?'),
        ('"go", "Rope Walk"', '"Rope Walk", "go"', 'the first space must be "go"'),
        ("format = 1", "format = true", "format: it must be 1"),
        ('name = "Rope Walk"', 'name = "Parking"', '"Parking" is a kind of space'),
        ('does = "move -3"', 'does = "move -36"', "a move is 1 to 35 spaces, either way"),
        ('does = "move -3"', 'does = "move 0"', "a move is 1 to 35 spaces, either way"),
        (
            '"go to Saltmarket"',
            '"go to prison"',
            'there is no "prison" to go to; it may be "go", "jail" or a district',
        ),
        ("stations = 5", "stations = -5", "stations: -5 is not between 0 and 99"),
        ('salary = "2M"', "salary = 2M", "line 17: no valid TOML: "),
        ('salary = "2M"', "salary = 2M", "; names and sums stand in quotes"),
        ("[money]", "[money", "line 15: no valid TOML: "),
    ],
)
def test_a_mistake_is_named(right, wrong, says):
    assert right in GOOD
    board, mistakes = parse(EDITION, GOOD.replace(right, wrong, 1))
    assert board is None
    assert any(says in mistake for mistake in mistakes), mistakes


def line_of(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        (
            '"Mint Square", "chance"',
            '"Mint Square", "chnce"',
            'space 32: "chnce" is unknown, did',
        ),
        ('"tax 1.5M", "Aurora', '"tax 1.5X", "Aurora', "space 34: money is written"),
        ('"tax 1.5M", "Aurora', '15, "Aurora', "space 34: 15 is no text; write it in quotes"),
        (
            '"jail", "Bell',
            '"tea room", "Bell',
            'space 9: no district is called "tea room", and the other spaces are go, chance,',
        ),
        (
            '"chance", "Orchard',
            '"jail", "Orchard',
            'space 15: there is a "jail" on space 9',
        ),
        ('"planning", "Crane', '"Flax Mill", "Crane', "space 20: Flax Mill is on space 7 already"),
    ],
)
def test_a_mistake_on_the_track_has_the_line_of_its_space(right, wrong, says):
    bad = GOOD.replace(right, wrong, 1)
    told = f"line {line_of(bad, wrong)}: {says}"
    _, mistakes = parse(EDITION, bad)
    assert any(mistake.startswith(told) for mistake in mistakes), mistakes


def test_a_deed_that_is_not_on_the_track_has_its_own_line():
    bad = GOOD.replace('"Weir Side",', '"chance",', 1)
    _, mistakes = parse(EDITION, bad)
    line = line_of(bad, 'name = "Weir Side"') - 1
    assert mistakes == [f"line {line}, district Weir Side: it is not on the track"]


def test_two_deeds_of_one_name_are_the_one_mistake():
    bad = GOOD.replace('name = "Eel Pie Yard"', 'name = "Quince Park"')
    first, second = (
        n for n, line in enumerate(bad.splitlines(), 1) if line == 'name = "Quince Park"'
    )
    _, mistakes = parse(EDITION, bad)
    track = line_of(bad, "Eel Pie")
    unknown = f'line {track}: space 3: no district is called "Eel Pie Yard", and the other'
    assert mistakes[0].startswith(unknown)
    assert mistakes[1:] == [
        f"line {second}, district Quince Park: another of this name is on line {first}"
    ]


def test_two_of_a_name_that_the_track_has_twice_too():
    bad = GOOD.replace("Eel Pie Yard", "Quince Park")
    _, mistakes = parse(EDITION, bad)
    assert len(mistakes) == 2
    assert "space 14: Quince Park is on space 3 already" in mistakes[0]
    assert "another of this name" in mistakes[1]


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("money", "the section [money] is missing"),
        ("pieces", "the section [pieces] is missing"),
        ("track", '"track" is missing'),
    ],
)
def test_a_missing_section_is_one_mistake(key, says):
    section = r"track = \[.*?\n\]\n" if key == "track" else rf"\[{key}\].*?\n(?=\n\[)"
    _, mistakes = parse(EDITION, re.sub(section, "", GOOD, count=1, flags=re.DOTALL))
    assert mistakes == [f"line 1: {says}"]


def test_an_empty_file_lacks_each_section_once():
    _, mistakes = parse(EDITION, "")
    missing = ("format", "name", "money", "pieces", "group", "district", "track", "card")
    assert len(mistakes) == len(missing)
    assert all(any(key in mistake for mistake in mistakes) for key in missing)


def test_a_group_of_another_spelling_is_a_mistake_of_the_deeds_alone():
    _, mistakes = parse(EDITION, GOOD.replace('group = "Mills"', 'group = "mills"'))
    assert len(mistakes) == 3
    assert all(
        'group: "mills" is unknown, did you mean "Mills"?' in mistake for mistake in mistakes
    )


def test_falling_rents_are_a_mistake_with_its_line():
    row = next(line for line in GOOD.splitlines() if line.startswith("rents"))
    bad = row.rsplit('"', 2)[0] + '"10k"]'
    line = GOOD.splitlines().index(row) + 1
    _, mistakes = parse(EDITION, GOOD.replace(row, bad, 1))
    says = "the rent for 8 blocks is below that for 7"
    assert mistakes == [f"line {line}, district Rope Walk: rents: {says}"]


def test_the_command_starts_checks_and_shows_boards_and_writes_over_nothing(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    assert main(["board", "template", str(path)]) == 0
    assert f"city-game board check {path}" in capsys.readouterr().out
    assert main(["board", "check", str(path)]) == 0 and "good" in capsys.readouterr().out
    assert main(["board", "show", str(path)]) == 0 and "Crane Basin" in capsys.readouterr().out
    assert main(["board", "template"]) == 0
    assert capsys.readouterr().out == path.read_text(encoding="utf-8")
    path.write_text(GOOD.replace("tower =", "twoer ="), encoding="utf-8")
    assert main(["board", "check", str(path)]) == 2
    assert 'did you mean "tower"?' in capsys.readouterr().err
    assert main(["board", "template", str(path)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert "twoer" in path.read_text(encoding="utf-8")
    assert main(["board", "show", str(tmp_path / "none.toml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_table_of_deeds_stands_in_columns(tmp_path, capsys):
    path = tmp_path / "long.toml"
    path.write_text(GOOD.replace("Copper Lane", "The Lane of the Coppersmiths"), encoding="utf-8")
    assert main(["board", "show", str(path)]) == 0
    head, *rows = capsys.readouterr().out.splitlines()[1:]
    assert len({len(row) for row in rows[:22]}) == 1
    assert head.index("price") + len("price") == rows[0].index("M ") + 1


@pytest.mark.parametrize("written", ["10k", "500k", "1M", "3.5M", "37.65M", "100M"])
def test_money_is_written_as_it_is_read(written):
    assert show(notes(written)) == written


def test_a_board_of_an_editor_that_marks_its_files_as_utf_8(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8-sig")
    assert parse(EDITION, text_of(EDITION, str(file)))[1] == []


@pytest.mark.parametrize("deep", ["format = " + "9" * 5000, "format = " + "[" * 5000])
def test_what_python_itself_cannot_read_is_a_mistake_as_any(deep):
    board, mistakes = parse(EDITION, deep)
    assert board is None
    assert len(mistakes) == 1


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_a_text_of_several_lines_moves_no_line(quotes):
    _, lines = read(f"text = {quotes}It's [so\n[[long]]\nlist = [{quotes}\nafter = 1\n")
    assert lines == {("text",): 1, ("after",): 4}


def test_each_value_of_a_list_knows_its_line():
    text = """one = [1, 2]
two = [
  "a, [b", # c, ]
  ["x", "y"], {z = 1, w = [2]},

  3,
]
[[part]]
list = [
  1]
"""
    _, lines = read(text)
    assert [lines["one", n] for n in range(2)] == [1, 1]
    assert [lines["two", n] for n in range(4)] == [3, 4, 4, 6]
    assert lines["part", 0, "list", 0] == 10
    assert ("two", 4) not in lines


# Values that are right although each key has one of another kind.
ALLOWED = {
    ("name", '"text"'),
    ("text", '"text"'),
    ("stations", "0"),
    ("stadiums", "0"),
    ("skyscrapers", "0"),
    ("bonuses", "{}"),
    ("hazards", "{}"),
}


@pytest.mark.parametrize("value", ["0", '"text"', "[]", "[1]", "[[]]", "{}", '{ a = "b" }', "true"])
def test_no_value_of_a_wrong_kind_is_more_than_a_mistake(value):
    """Each key of a board in turn says something of another kind."""
    lines = GOOD.splitlines()
    seen = set()
    for number, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        if not equals or key in seen or key == "track":
            continue
        seen.add(key)
        changed = [*lines[:number], f"{key} = {value}", *lines[number + 1 :]]
        assert_mistaken("\n".join(changed), key, value)
    for name in ("track", "money", "pieces", "group", "district", "card"):
        assert_mistaken(f"{name} = {value}\n", name, value)


def assert_mistaken(text: str, key: str, value: str) -> None:
    board, mistakes = parse(EDITION, text)
    if (key, value) in ALLOWED:
        assert board
        return
    assert board is None, (key, value)
    assert all(mistake.startswith("line ") for mistake in mistakes)


def full_box() -> State:
    """Return a game on a board with 25 chance cards, the last of which knocks down 3 blocks."""
    card = '\n[[card]]\ntext = "Earthquake."\ndoes = "knock down 3"\n'
    board, mistakes = parse(EDITION, GOOD + card * 7)
    assert board is not None, mistakes
    assert len(board.cards) == 25
    state = fresh(board, 2)
    state.phase, state.decider = "chance", -1
    return state


def test_a_box_has_room_for_all_25_cards_and_an_earthquake():
    state = full_box()
    fewer, more = state.board.keys["flax-mill"], state.board.keys["bell-court"]
    for deed, homes in ((fewer, 3), (more, 2)):
        state.transfer(deed, 0)
        stand(state, "residential", deed, homes)
    stand(state, "industrial", more, 4)
    apply(state, ("card", 24))
    assert (state.residential[fewer], state.industrial[fewer]) == (3, 0)
    assert (state.residential[more], state.industrial[more]) == (0, 3)
    fallen = [event for event in state.events if event[0] == "knocked down"]
    assert [in_words(event, state.board, ["Ada", "Ben"]) for event in fallen] == [
        "Ada loses 2 homes in Bell Court.",
        "Ada loses 1 factory in Bell Court.",
    ]


def test_an_earthquake_where_nothing_stands_changes_nothing():
    state = full_box()
    apply(state, ("card", 24))
    assert "knocked down" not in [event[0] for event in state.events]
    assert state.phase == "manage"


def test_a_piece_for_which_the_box_gives_no_change_falls_whole():
    state = full_box()
    deed = state.board.keys["flax-mill"]
    state.transfer(deed, 0)
    stand(state, "residential", deed, 5)
    state.made_of["residential"][deed] = (0, 1, 1)
    state.box_blocks["residential"] = [0, 0, 0]
    state.unseen.remove(24)
    state.unseen.insert(0, 24)
    apply(state, ("card", 24))
    assert state.residential[deed] == 2
    assert state.box_blocks["residential"] == [0, 0, 1]


def test_an_earthquake_is_of_one_to_nine_blocks():
    bad = GOOD + '\n[[card]]\ntext = "Earthquake."\ndoes = "knock down 0"\n'
    assert 'did you mean "knock down 2"?' in parse(EDITION, bad)[1][0]
