"""Saves: resumed at the same step after a kill at any byte, repaired or refused, never lost."""

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest

from city_game import cli
from city_game.editions.city import EDITION
from city_game.editions.city.pieces import worth
from city_game.editions.city.words import SWITCHES
from city_game.game import Game
from city_game.kernel import board_file
from city_game.report.export import log_in_words, worth_over_time, worths
from city_game.saves import save
from city_game.saves.notation import read, write
from city_unit.desktop.append_file import seal_all
from city_unit.desktop.errors import UserError
from tests.city_game.play import BOARD, random_game, setup


def saved(tmp_path, steps: int = 60) -> tuple:
    game = random_game(4, steps)
    path = tmp_path / "evening.city"
    growing = save.create(path, Game(game.setup))
    for action in game.actions[:steps]:
        growing.game.do(action)
        growing.append(action)
    growing.close()
    return path, game.actions[:steps]


def test_a_save_resumes_where_it_was_and_goes_on(tmp_path):
    path, actions = saved(tmp_path)
    resumed, repaired = save.load(path)
    assert not repaired
    assert resumed.game.actions == actions
    action = ("hour ended", 5)
    resumed.game.do(action)
    resumed.append(action)
    resumed.close()
    again, repaired = save.load(path)
    again.close()
    assert not repaired
    assert again.game.actions == [*actions, action]
    assert again.game.state.events == resumed.game.state.events


@pytest.mark.slow
def test_a_kill_at_any_byte_keeps_every_whole_step(tmp_path):
    path, actions = saved(tmp_path, 25)
    data = path.read_bytes()
    start = data.index(b"\nplay *") + len(b"\nplay *12345678\n")
    for end in range(start, len(data), 17):
        torn = tmp_path / f"torn-{end}"
        torn.write_bytes(data[:end])
        resumed, repaired = save.load(torn)
        resumed.close()
        whole = data[start:end].count(b"\n")
        assert resumed.game.actions == actions[:whole]
        assert bool(repaired) == (data[end - 1 : end] != b"\n")
        if repaired:
            assert (tmp_path / f"torn-{end}.damaged-1").read_bytes() == data[:end]
            again, repaired = save.load(torn)
            again.close()
            assert not repaired
            assert again.game.actions == actions[:whole]


@pytest.mark.parametrize(
    "step",
    [
        "start-roll one=9 other=9",
        "start-roll one=-9 other=1",
        "bid player=7 amount=1M at=1 within=0",
    ],
)
def test_a_step_that_names_what_there_is_not_cuts_a_well_sealed_save_there(tmp_path, step):
    path = tmp_path / "forged"
    save.create(path, Game(setup())).close()
    lines = [line.rsplit(" *", 1)[0] for line in path.read_text().splitlines()]
    path.write_text(seal_all([*lines, "start-roll one=1 other=2", step])[0])
    resumed, repaired = save.load(path)
    resumed.close()
    assert f"behind line {len(lines) + 1}; " in repaired and resumed.game.actions == [
        ("start roll", 1, 2)
    ]


def test_a_damaged_header_is_refused_and_left_as_it_is(tmp_path):
    path, _ = saved(tmp_path)
    for damage in (b"", b"\xff\x00", path.read_bytes()[5:], path.read_bytes()[:300]):
        path.write_bytes(damage)
        with pytest.raises(UserError) as error:
            save.load(path)
        assert "\n" not in str(error.value)
        assert path.read_bytes() == damage


@pytest.mark.parametrize("part", range(8))
def test_a_flipped_bit_anywhere_is_mended_and_the_whole_evening_goes_on(tmp_path, part):
    path, actions = saved(tmp_path)
    data = path.read_bytes()
    rng = random.Random(part)
    for number in range(12):
        place = (part * 12 + number) * len(data) // 96 + rng.randrange(len(data) // 96)
        spoiled = bytearray(data)
        spoiled[place] ^= 1 << rng.randrange(8)
        flipped = tmp_path / f"flipped-{number}"
        flipped.write_bytes(spoiled)
        resumed, said = save.load(flipped)
        resumed.close()
        assert resumed.game.actions == actions, (place, spoiled[place])
        assert "mended with nothing lost" in said and "\n" not in said
        assert flipped.read_bytes() == data
        assert (tmp_path / f"flipped-{number}.damaged-1").read_bytes() == spoiled


def test_two_flipped_bits_in_a_line_are_not_guessed(tmp_path):
    path, actions = saved(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    step = next(n for n, line in enumerate(lines) if line.startswith(b"play *")) + 5
    lines[step] = bytes([lines[step][0] ^ 1, lines[step][1] ^ 2]) + lines[step][2:]
    path.write_bytes(b"".join(lines))
    assert save.look(path).actions == actions[:4]


def test_what_is_far_too_large_for_a_save_is_not_read(tmp_path):
    path = tmp_path / "huge.city"
    with open(path, "wb") as file:
        file.truncate(300 * 2**20)
    with pytest.raises(UserError, match="it has 300 MB"):
        save.look(path)


@pytest.mark.parametrize("version", [1, 2, 7])  # 1 and 2 were never released
def test_another_version_is_refused(tmp_path, version):
    path = tmp_path / "other"
    path.write_text(seal_all([f"city-game save {version}", "play"])[0])
    with pytest.raises(UserError, match=f"version {version}"):
        save.load(path)


def before_all_rules_were_stated(path):
    """Leave the lines of rules out of a save, as in versions that stated only changed ones."""
    lines = [line.rsplit(" *", 1)[0] for line in path.read_text().splitlines()]
    path.write_text(seal_all([line for line in lines if not line.startswith("rule ")])[0])


def test_a_save_states_every_rule_that_it_was_begun_by(tmp_path):
    rules = EDITION.rules(reshuffle=True)
    save.create(tmp_path / "new", Game(replace(setup(), rules=rules))).close()
    lines = [line.rsplit(" *", 1)[0] for line in (tmp_path / "new").read_text().splitlines()]
    stated = [line.removeprefix("rule ") for line in lines if line.startswith("rule ")]
    switches = [(switch.name, getattr(rules, switch.name)) for switch in SWITCHES]
    assert stated == [f"{name} {'yes' if on else 'no'}" for name, on in switches]
    assert save.look(tmp_path / "new").setup.rules.changed() == {"reshuffle": True}


def test_a_save_that_does_not_state_a_rule_goes_on_by_what_was_usual_then(tmp_path):
    then = {"stations_anywhere": False, "deals_by_the_light": False}
    game = Game(replace(setup(), rules=EDITION.rules(**then)))
    save.create(tmp_path / "old", game).close()
    before_all_rules_were_stated(tmp_path / "old")
    for _ in range(2):  # opened once, it is still the same
        resumed, repaired = save.load(tmp_path / "old")
        resumed.close()
        assert not repaired
        assert resumed.game.setup.rules.changed() == then


def test_a_save_of_before_the_light_timed_deals_is_played_as_it_was(tmp_path):
    """Written by the game as it was then: deals in it are agreed without a light."""
    path = tmp_path / "old"
    path.write_bytes((Path(__file__).parent / "before-deals-by-the-light.city").read_bytes())
    resumed, repaired = save.load(path)
    resumed.close()
    assert not repaired
    events = [event[0] for event in resumed.game.state.events]
    assert events.count("agreed") == 7 and len(resumed.game.actions) == 160
    assert resumed.game.state.cash == [3503, 3560, 3433, 3121, 2930]
    assert resumed.game.setup.rules.changed() == {"deals_by_the_light": False}


def test_looking_at_a_damaged_save_mends_nothing(tmp_path):
    path, actions = saved(tmp_path)
    path.write_bytes(path.read_bytes()[:-3])
    before = path.read_bytes()
    assert save.look(path).actions == actions[:-1]
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85"])
def test_a_board_with_line_ends_of_other_worlds_can_be_resumed(tmp_path, end):
    """As pasted from a page: in a text of TOML they are letters, and no ends of lines."""
    text = setup().board.text.replace("Your balcony wins", f"Your balcony{end}wins")
    board, _ = board_file.parse(EDITION, text)
    assert board is not None
    game = Game(replace(setup(), board=board))
    save.create(tmp_path / "pasted", game).close()
    card = save.look(tmp_path / "pasted").setup.board.cards[0]
    assert card.text == f"Your balcony{end}wins the flower show."


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Zoé", "Zoé"),
        ("François-Noël", "François-Noël"),
        ("\U0001f3a9 Ann", "\U0001f3a9 Ann"),
        ("Ann *0", "Ann *0"),
        ("Ann\nPlay", "Ann Play"),
        ("Ann\u2028Bob", "Ann Bob"),
        (" Ann ", "Ann"),
    ],
)
def test_any_name_goes_into_a_save_and_comes_out_again(tmp_path, name, kept):
    game = Game(replace(setup(), names=(name, "Ben", "Cleo"), keys="qzp"))
    save.create(tmp_path / "named", game).close()
    found = save.look(tmp_path / "named").setup
    assert found.names == (kept, "Ben", "Cleo") and found.keys == "qzp"


def test_what_the_clock_had_left_is_kept_among_the_steps(tmp_path):
    path, actions = saved(tmp_path)
    resumed, _ = save.load(path)
    assert resumed.clock_left is None
    resumed.note_clock(1800000)
    resumed.note_clock(1700123)
    resumed.close()
    again, repaired = save.load(path)
    again.close()
    assert not repaired
    assert again.clock_left == 1700123 and again.game.actions == actions


def test_a_save_is_never_made_over_another_file(tmp_path):
    path, _ = saved(tmp_path)
    before = path.read_bytes()
    with pytest.raises(UserError, match="exists"):
        save.create(path, Game(setup()))
    assert path.read_bytes() == before


def test_a_step_taken_back_is_taken_back_in_the_save(tmp_path):
    game = Game(setup())
    path = tmp_path / "undo"
    growing = save.create(path, game)
    lines = "start-roll one=6 other=6|start-roll one=1 other=1|start-roll one=1 other=1|roll"
    steps = f"{lines}|dice one=3 other=4|buy|press|permit permit=2"
    for line in [*steps.split("|"), "build district=flax-mill kind=residential blocks=1"]:
        action = read(line, BOARD)
        game.do(action)
        growing.append(action)
    cash = game.state.cash[0]
    game.undo()
    growing.append_undo()
    growing.close()
    home = BOARD.block_prices["residential"][BOARD.keys["flax-mill"]]
    assert game.state.cash[0] == cash + home
    resumed, _ = save.load(path)
    resumed.close()
    assert resumed.game.actions == game.actions
    assert not game.can_undo()  # the permit was drawn: that is not taken back
    with pytest.raises(ValueError, match="taken back"):
        game.undo()


def test_every_action_of_random_games_reads_as_it_was_written():
    for seed in range(5):
        for action in random_game(seed, 400).actions:
            assert read(write(action, BOARD), BOARD) == action


@pytest.mark.parametrize("line", ["jump", "dice one=1", "buy now=1", "travel district=nowhere"])
def test_lines_that_are_no_actions(line):
    with pytest.raises(ValueError, match=r"there is no|needs"):
        read(line, BOARD)


def test_a_finished_game_is_told_in_words_and_in_a_picture():
    game = random_game(7, 400)
    words = log_in_words(game)
    bids = sum(len(sale.bids) for sale in game.state.sales)
    assert words.count("\n") == len(game.state.events) + bids + 2 * len(game.state.sales)
    assert words.rstrip().endswith("wins.")
    assert "{" not in words
    picture = worth_over_time(game)
    assert picture.count("<polyline") == 2 * len(game.setup.names)  # each with its edge
    assert all(f">{name} " in picture for name in game.setup.names)


def test_a_saved_game_is_exported_by_a_command(tmp_path, capsys):
    path, _ = saved(tmp_path)
    before = path.read_bytes()
    assert cli.main(["export", str(path), "--folder", str(tmp_path / "new")]) == 0
    names = ("log.txt", "score.csv", "worth.svg")
    log, sheet, picture = (tmp_path / "new" / f"evening-{what}" for what in names)
    assert capsys.readouterr().out.split() == [str(log), str(sheet), str(picture)]
    assert log.read_text(encoding="utf-8") == log_in_words(save.look(path))
    assert "<svg" in picture.read_text(encoding="utf-8") and path.read_bytes() == before
    assert cli.main(["export", str(tmp_path / "nothing")]) == 2
    assert cli.main(["export", str(path), "--folder", str(path / "nowhere")]) == 1
    assert capsys.readouterr().err.count("\n") == 2


def test_the_export_of_a_torn_save_says_where_it_ends_and_keeps_all_before(tmp_path, capsys):
    path, actions = saved(tmp_path)
    whole = path.read_bytes()
    for torn, steps in ((whole[:-5], 59), (whole[: whole.rindex(b"\n", 0, -900) + 9], None)):
        path.write_bytes(torn)
        game = save.look(path)
        assert steps is None or game.actions == actions[:steps]
        assert cli.main(["export", str(path)]) == 2  # as a save with a damaged header
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "damaged behind line" in said
        log = (tmp_path / "evening-log.txt").read_text(encoding="utf-8")
        assert log.startswith(log_in_words(game)) and log.count("damaged") == 1
        assert (tmp_path / "evening-score.csv").exists() and path.read_bytes() == torn
    path.write_bytes(whole)
    assert cli.main(["export", str(path)]) == 0
    assert "damaged" not in (tmp_path / "evening-log.txt").read_text(encoding="utf-8")


def test_without_a_name_the_latest_game_is_exported(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CITY_GAME_FOLDER", str(tmp_path))
    assert cli.main(["export"]) == 2
    assert f"there is no saved game in {tmp_path}" in capsys.readouterr().err
    path, _ = saved(tmp_path)
    latest = path.rename(tmp_path / "evening.city")
    older = tmp_path / "older.city"
    older.write_bytes(latest.read_bytes())
    os.utime(older, (1, 1))
    assert cli.main(["export"]) == 0
    assert str(tmp_path / "evening-log.txt") in capsys.readouterr().out


def test_worth_goes_on_to_the_end_or_to_a_bankruptcy_once_a_turn():
    """The changes of the last turn are seen beside the state before it, and not upon it."""
    game = random_game(18, 1500)  # in which the others play on for some turns
    kinds = [event[0] for event in game.state.events]
    assert kinds[kinds.index("bankrupt") :].count("turn") > 5
    out = next(event[1] for event in game.state.events if event[0] == "bankrupt")
    points = worths(game)
    for series in points:
        turns = [turn for turn, _ in series]
        assert turns == sorted(set(turns))
    assert points[out][-1][1] == 0 and all(notes for _, notes in points[out][:-1])
    assert points[out][-1][0] < max(turn for series in points for turn, _ in series)
    winner = game.state.winners[0]
    assert points[winner][-1] == (game.state.turns + 1, worth(game.state, winner))
