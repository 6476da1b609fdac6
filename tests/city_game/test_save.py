"""Saves: resumed after a kill at any byte, repaired or refused, and safe on a full disk."""

import errno
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from city_game import cli, save
from city_game.editions.city import EDITION
from city_game.editions.city.words import SWITCHES
from city_game.game import Game
from city_game.kernel.board import parse
from city_unit.desktop import append_file
from city_unit.desktop.append_file import seal_all
from city_unit.desktop.errors import UserError
from tests.city_game.play import BOARD, random_game, setup
from tests.helpers.disk import Disk


def saved(path: Path, steps: int = 60) -> list[tuple]:
    """Save a game's first `steps` actions; return them."""
    game = random_game(4, steps)
    save.create(path, Game(game.setup, game.actions[:steps])).close()
    return game.actions[:steps]


def resumed(path: Path) -> tuple[Game, str]:
    """Open and close a save; return its game and the sentence on its repair."""
    opened, said = save.load(path)
    opened.close()
    return opened.game, said


def unsealed(path: Path) -> list[str]:
    return [line.rsplit(" *", 1)[0] for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_save_restores_actions_clock_and_undo(tmp_path):
    path, game = tmp_path / "undo", Game(setup())
    growing = save.create(path, game)
    lines = "start-roll one=6 other=6|start-roll one=1 other=1|start-roll one=1 other=1|roll"
    steps = f"{lines}|dice one=3 other=4|buy|press|permit permit=2"
    for line in [*steps.split("|"), "build district=flax-mill kind=residential blocks=1"]:
        game.do(save.action_of(line, BOARD))
        growing.append(game.actions[-1])
    cash = game.state.cash[0]
    growing.note_clock(1800000)
    game.undo()
    growing.append_undo()
    growing.note_clock(1700123)
    growing.close()
    home = BOARD.block_prices["residential"][BOARD.keys["flax-mill"]]
    assert game.state.cash[0] == cash + home
    opened, said = save.load(path)
    assert not said and opened.game.actions == game.actions and opened.clock_left == 1700123
    assert not game.can_undo()  # the permit was drawn
    with pytest.raises(ValueError, match="taken back"):
        game.undo()
    opened.game.do(("hour ended", 5))
    opened.append(("hour ended", 5))
    opened.close()
    again, said = resumed(path)
    assert not said and again.actions == [*game.actions, ("hour ended", 5)]
    assert again.state.events == opened.game.state.events


def test_a_new_save_overwrites_nothing(tmp_path):
    (tmp_path / "there").write_text("mine")
    with pytest.raises(UserError, match="exists"):
        save.create(tmp_path / "there", Game(setup()))
    assert (tmp_path / "there").read_text() == "mine"


# Lines with invalid values or no action, all with a correct checksum.
FORGED = (
    *("start-roll one=9 other=9", "start-roll one=-9 other=1", "undo x", "clock left=x"),
    *("bid player=7 amount=1M at=1 within=0", "jump", "start-roll one=1", "start-roll now=1"),
    *("travel district=nowhere", "start-roll one=1 other=x"),
)


def damaged(path: Path, actions: list[tuple]) -> Iterator[tuple[bytes, list[tuple], str]]:
    """Yield damaged saves, the actions that remain, and part of the sentence on the repair."""
    data, rng = path.read_bytes(), random.Random(1)
    start = data.index(b"\nplay *") + len(b"\nplay *12345678\n")
    for end in range(start, len(data), 41):  # a kill
        torn = data[:end]
        whole = actions[: data[start:end].count(b"\n")]
        yield torn, whole, "" if torn.endswith(b"\n") else "was damaged after line"
    for number in range(16):  # a flipped bit
        spoiled = bytearray(data)
        place = number * len(data) // 16 + rng.randrange(len(data) // 16)
        spoiled[place] ^= 1 << rng.randrange(8)
        yield bytes(spoiled), actions, "repaired without loss"
    lines = data.splitlines(keepends=True)
    step = data[:start].count(b"\n") + 4
    lines[step] = bytes([lines[step][0] ^ 1, lines[step][1] ^ 2]) + lines[step][2:]
    yield b"".join(lines), actions[:4], f"after line {step} and"  # two are not guessed
    begun = [*unsealed(path)[: step - 4], "start-roll one=1 other=2"]
    for forged in FORGED:
        spoiled = seal_all([*begun, forged])[0].encode()
        yield spoiled, [("start roll", 1, 2)], f"after line {len(begun)} and"


def test_a_damaged_save_is_repaired_and_the_original_kept(tmp_path):
    actions = saved(tmp_path / "evening", 25)
    data = (tmp_path / "evening").read_bytes()
    for number, (damage, left, repair) in enumerate(damaged(tmp_path / "evening", actions)):
        path = tmp_path / f"{number}"
        path.write_bytes(damage)
        assert save.look(path).actions == left and path.read_bytes() == damage
        game, said = resumed(path)
        assert game.actions == left and repair in said, (number, said)
        assert bool(said) == bool(repair) and "\n" not in said
        if said:
            assert (tmp_path / f"{number}.damaged-1").read_bytes() == damage
            assert path.read_bytes() == data or left != actions
            again, said = resumed(path)
            assert not said and again.actions == left


def test_a_file_that_is_not_a_save_is_refused_and_unchanged(tmp_path):
    path = tmp_path / "evening"
    saved(path)
    data = path.read_bytes()
    versions = [[f"city-game save {version}", "play"] for version in (1, 3, 7)]
    crowd = [line for line in unsealed(path) for _ in range(7 if line.startswith("player ") else 1)]
    sealed = [seal_all(lines)[0].encode() for lines in (*versions, crowd)]
    for damage in (b"", b"\xff\x00", data[5:], data[:300], *sealed):
        path.write_bytes(damage)
        with pytest.raises(UserError) as error:
            save.load(path)
        assert "\n" not in str(error.value)
        assert [*tmp_path.iterdir()] == [path] and path.read_bytes() == damage  # and not locked
    with open(path, "wb") as file:
        file.truncate(300 * 2**20)
    with pytest.raises(UserError, match=": 300 MB"):
        save.look(path)


def test_a_save_states_every_rule_and_is_never_continued_by_others(tmp_path):
    path = tmp_path / "new"
    rules = EDITION.rules(reshuffle=True)
    save.create(path, Game(replace(setup(), rules=rules))).close()
    lines = unsealed(path)
    stated = [line.removeprefix("rule ") for line in lines if line.startswith("rule ")]
    switches = [(switch.name, getattr(rules, switch.name)) for switch in SWITCHES]
    assert stated == [f"{name} {'yes' if on else 'no'}" for name, on in switches]
    assert save.look(path).setup.rules.changed() == {"reshuffle": True}
    fewer = [line for line in lines if "stations_anywhere" not in line]
    others = {
        "has version 3": ["city-game save 3", *lines[1:]],
        "header: 'stations_anywhere'": fewer,
        "header: 'corrected'": [lines[0], "rule corrected yes", *lines[1:]],
    }
    for why, changed in others.items():
        path.write_text(seal_all(changed)[0])
        before = path.read_bytes()
        with pytest.raises(UserError, match=why):
            save.load(path)
        assert path.read_bytes() == before and [*tmp_path.iterdir()] == [path]


def test_names_and_board_texts_survive_a_save(tmp_path):
    names = {"Zoé": "Zoé", "\U0001f3a9 Ann": "\U0001f3a9 Ann", "Ann *0": "Ann *0", " Ann ": "Ann"}
    names |= {"Ann\nPlay": "Ann Play", "Ann\u2028Bob": "Ann Bob"}
    for number, (name, kept) in enumerate(names.items()):
        game = Game(replace(setup(), names=(name, "Ben", "Cleo"), keys="qzp", minutes=45))
        save.create(tmp_path / f"{number}", game).close()
        found = save.look(tmp_path / f"{number}").setup
        assert (found.names, found.keys, found.minutes) == ((kept, "Ben", "Cleo"), "qzp", 45)
    # Characters pasted from a web page that end a line in Python, but not in TOML.
    for end in ("\u2028", "\u2029", "\x85"):
        text = BOARD.text.replace("Your balcony wins", f"Your balcony{end}wins")
        board, _ = parse(EDITION, text)
        path = tmp_path / f"pasted {ord(end)}"
        save.create(path, Game(replace(setup(), board=board))).close()
        card = save.look(path).setup.board.cards[0]
        assert card.text == f"Your balcony{end}wins the flower show."


# A disk that fills up during a game: nothing is lost, and every error is reported.


@pytest.fixture
def begun(tmp_path):
    """Return a new save, and the actions to append to it."""
    game = random_game(4, 40)
    return save.create(tmp_path / "evening.city", Game(game.setup)), game.actions[:40]


def play(growing: save.Save, actions: list[tuple]) -> None:
    for action in actions:
        growing.game.do(action)
        growing.append(action)


FULL = "no space left on device"
# The free bytes of the disk, None for enough; the calls that fail; the reported error.
DISKS = [(room, set(), FULL) for room in range(0, 90, 15)]
DISKS += [(None, failing, "input/output error") for failing in ({"fsync"}, {"fsync", "truncate"})]


def test_lines_that_a_full_disk_refuses_are_written_later(begun, tmp_path, monkeypatch):
    disk, (first, actions) = Disk(monkeypatch, append_file), begun
    for number, (room, failing, trouble) in enumerate(DISKS):
        growing = save.create(tmp_path / f"{number}.city", Game(first.game.setup))
        play(growing, actions[:5])
        disk.room = room if room is None else growing.path.stat().st_size + room
        disk.failing = failing
        play(growing, actions[5:20])
        growing.note_clock(1234)
        assert growing.error == trouble
        whole = save.look(growing.path).actions
        if "truncate" not in failing:  # no torn or uncertain line remains
            assert growing.path.read_bytes().endswith(b"\n") and whole == actions[: len(whole)]
            assert growing.unsaved == 20 - len(whole)  # not counting the note on the clock
        disk.room, disk.failing = None, set()
        if number % 2:  # the next action tries again, and so does closing
            play(growing, actions[20:21])
            assert not growing.error and not growing.unsaved
            assert save.look(growing.path).actions == actions[:21]
        growing.close()
        game, repaired = resumed(growing.path)
        assert not repaired and game.actions == actions[: 20 + number % 2], (room, failing)


def test_a_full_disk_leaves_all_files_unchanged(begun, tmp_path, monkeypatch, capsys):
    """A full disk may fail the opening, the fsync, or the renaming of a file."""
    growing, actions = begun
    play(growing, actions)
    growing.close()
    path, torn = growing.path, growing.path.read_bytes()[:-9]
    path.write_bytes(torn)
    real_open = Path.open

    def fail(*_words, **_more):
        raise OSError(errno.ENOSPC, "No space left on device")

    def open_to_read(*words, **more):
        return fail() if "wb" in words else real_open(*words, **more)

    calls = ((Path, "open", open_to_read), (os, "fsync", fail), (Path, "replace", fail))
    for owner, call, failing in calls:
        with monkeypatch.context() as full:
            full.setattr(owner, call, failing)
            with pytest.raises(UserError, match=FULL) as told:
                save.load(path)
            assert "\n" not in str(told.value) and told.value.code == 1
            with pytest.raises(UserError, match="no space left"):
                save.create(tmp_path / "other.city", Game(growing.game.setup))
            assert cli.main(["export", str(path)]) == 1
            assert capsys.readouterr().err.count("\n") == 1
        assert list(tmp_path.iterdir()) == [path] and path.read_bytes() == torn
    opened, repaired = save.load(path)
    opened.close()
    assert "damaged-1" in repaired
    assert (tmp_path / "evening.city.damaged-1").read_bytes() == torn
