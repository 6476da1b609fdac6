"""Events and refusals as sentences in each language, and the charts."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from city_game import editions, headless, kernel
from city_game.charts import EDGE, lines, spread, ticks
from city_game.editions import city
from city_game.editions.city import EDITION
from city_game.game import Game, Setup
from city_game.kernel.board import load
from city_game.kernel.money import parse, show, write
from city_game.kernel.switches import usual
from city_game.seats import SEATS
from city_game.words import (
    EVENTS,
    FIELDS,
    footnotes,
    in_words,
    latest_in_words,
    refusal_of,
    refused,
)
from city_game.words import REFUSALS as USUAL
from city_unit.desktop import catalogue
from tests.city_game.play import BOARD, random_game

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"]
NARROW = "\u202f"
SVG = "{http://www.w3.org/2000/svg}"
REFUSALS = {**USUAL, **EDITION.words.refusals}


@pytest.fixture
def french():
    catalogue.speak("fr")
    yield
    catalogue.speak("en")


def test_each_event_has_a_sentence_with_its_own_fields():
    forms = {"too close": "too late", "long too late": "too late"}
    forms |= {"sold plainly": "sold", "sold by passes": "sold"}
    assert set(EVENTS) == {*FIELDS, *forms}
    for kind, sentence in EVENTS.items():
        fields = {*FIELDS[forms.get(kind, kind)], "blocks"}
        assert set(re.findall(r"{(\w+)}", str(sentence))) <= fields, kind
    lost = [("knocked down", 0, 3, 2, "residential"), ("knocked down", 0, 3, 1, "industrial")]
    said = [in_words(event, BOARD, NAMES) for event in lost]
    assert "2 homes" in said[0] and "1 factory" in said[1]


def test_a_log_in_french_has_no_english_words(french):
    """The names of values in files must not appear in the log."""
    events = headless.play(BOARD, ("planner", "builder", "visitor"), 12).state.events
    events += random_game(3, 300).state.events
    english = re.compile(
        r"\b(?:residential|industrial|school|wind farm|water tower|power station|sewage works|"
        r"rubbish dump|stadium|skyscraper|tower|the bank|nothing|rent|tax|fine|card|home|homes|"
        r"factory|factories|and|block|blocks)\b"
    )
    words = [in_words(event, BOARD, NAMES) for event in events if event[0] != "card"]
    names = {deed.name for deed in BOARD.deeds}
    bare = [re.sub("|".join(names), "", sentence) for sentence in words]
    assert [sentence for sentence in bare if english.search(sentence)] == []


@pytest.mark.parametrize(
    ("language", "twice"), [("fr", r"sur (?:à|au|sur)\b"), ("de", r"auf: (?:auf|zu|zur|in)\b")]
)
def test_an_arrival_has_one_preposition(language, twice):
    """Four editions read "arrive sur à l’impôt" and "kommt auf: auf eine Karte"."""
    with catalogue.spoken(language):
        for name in editions.names():
            board = load(editions.get(name))
            spaces = [space for space, deed in enumerate(board.deed_on) if deed < 0]
            said = [in_words(("arrived", 0, space), board, NAMES) for space in spaces]
            assert [sentence for sentence in said if re.search(twice, sentence)] == []


def test_money_is_localised_for_people_and_fixed_in_files(french):
    assert show(parse("3.5M")) == f"3,5{NARROW}M" and show(parse("500k")) == f"500{NARROW}k"
    assert in_words(("bid", 0, 150, 0), BOARD, NAMES) == f"Ada offre 1,5{NARROW}M."
    written = {0: "0", 1: "10k", 50: "500k", 100: "1M", 101: "1.01M", 350: "3.5M", 3765: "37.65M"}
    for notes, text in written.items():
        assert write(notes) == text and parse(text) == notes
    assert write(-150) == "-1.5M"
    for text in ("1", "1.5", "0.005M", "1,5M", "-1M", 5, None):
        with pytest.raises(ValueError, match=r"10k|500k"):
            parse(text)


def test_the_log_gives_milliseconds_only_for_close_bids():
    ben, cleo, late = ("bid", 1, 50, 3000, 2), ("bid", 2, 60, 3100, 2), ("bid", 1, 50, 50900, 2)
    passes = (ben, ("pass", 0, 4000), ("pass", 2, 4500))
    table = {
        "Flax goes to Ben for 500k.": ((ben,), 51000),
        "Nobody else wants to bid: Flax goes to Ben for 500k.": (passes, 4600),
        "Flax goes to Cleo for 600k, bid 47.900 s before the light went out (give or take "
        "0.002 s).": ((ben, cleo), 51000),
        "Flax goes to Ben for 500k, bid 0.100 s before the light went out (give or take "
        "0.002 s).": ((late,), 51000),
    }
    for sentence, (bids, end) in table.items():
        rules = EDITION.rules()
        game = Game(Setup(BOARD, ("Ada", "Ben", "Cleo"), ("human",) * 3, rules, 1))
        game.state.phase, game.state.decider, game.state.turn = "auction space", 0, 0
        for action in (("put up", 0, 10), ("light on", 1000), *bids):
            game.do(action)
        game.do(("light out", end)), game.do(("settle",))
        last = latest_in_words(game.state, NAMES)[-1]
        assert last == sentence.replace("Flax", BOARD.deeds[0].name)
    assert "0.100 s" in in_words(("too late", 0, 50, 100, 2), BOARD, NAMES)
    assert "0.101" not in in_words(("too late", 0, 50, 101, 2), BOARD, NAMES)
    assert "too close" in in_words(("too late", 0, 50, -1, 2), BOARD, NAMES)


def test_each_refusal_has_a_rule_and_each_rule_a_source():
    assert "a bonus keeps hazards out" in refused("hazard-there", EDITION).lower()
    said = [refused(code, EDITION) for code in REFUSALS]
    assert not any("assumption" in text or "rulebook" in text for text in said)
    notes = footnotes(EDITION)
    assert any(note.endswith("(the rulebook)") for note in notes)
    assert any(note.endswith("(our assumption)") for note in notes)
    # Only an action that no window offers, or that explains itself, has no rule.
    assert {code for code, refusal in REFUSALS.items() if refusal.rule is None} == {
        *("no-such-thing", "unknown-piece", "unknown-permit", "no-auction", "not-refused"),
        *("with-oneself", "twice-in-the-deal", "no-deal", "untimed", "hour-over-already"),
    }


def test_an_edition_states_only_rules_that_apply_in_it():
    everywhere = {switch.name: switch for switch in usual()}
    for name in editions.names():
        edition = editions.get(name)
        for switch in edition.switches:
            other = everywhere.get(switch.name, switch)
            assert switch.default == other.default or str(switch.why) != str(other.why)
        costs_more = refusal_of("not-mortgaged", edition) != USUAL["not-mortgaged"]
        assert costs_more == (name != "city")  # a tenth more in all other books
        takes_over = "not-taken-over" in edition.words.refusals
        assert takes_over == ("settle mortgage" in edition.actions)
    there = set(editions.get("anti-monopoly").words.refusals)
    assert not there & {"unevenly", "needs-the-group", "group-built-up", "must-be-auctioned"}
    assert not any("auction" in note for note in footnotes(editions.get("anti-monopoly")))


def test_each_refusal_code_has_a_text():
    """The table has all codes that the guards can return."""
    folders = (Path(kernel.__file__).parent, Path(city.__file__).parent)
    files = (path for folder in folders for path in folder.glob("*.py"))
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    codes = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', source))
    codes |= {"mortgaged", "sold", "yours", "elsewhere", "untimed"}  # codes of a single word
    assert codes <= set(REFUSALS), codes - set(REFUSALS)


# Charts.


def texts(picture: str) -> dict[str, ElementTree.Element]:
    return {each.text or "": each for each in ElementTree.fromstring(picture).iter(f"{SVG}text")}


def test_chart_lines_have_colour_dashes_shape_and_name():
    names = ["<A&B>", *"BCDEF"]  # a name is not read as markup
    picture = lines("worth", [(name, [(0, 1), (2, 3)]) for name in names], "x", "y")
    rows = picture.splitlines()
    colours = ["#{:02x}{:02x}{:02x}".format(*colour) for colour, _ in SEATS]
    inner = [row for row in rows if "<polyline" in row and EDGE not in row]
    assert [row.split('stroke="')[1][:7] for row in inner] == colours
    assert len({row.split("stroke-dasharray=")[1] for row in inner}) == 6
    shapes = [row for row in rows if "<circle" in row or "<polygon" in row]
    assert [row.split('fill="')[1][:7] for row in shapes] == 2 * colours  # at its end, by its name
    shown = texts(picture)
    levels = sorted(float(shown[f"{name} 3"].get("y")) for name in names)
    assert all(below - above >= 20 for above, below in pairwise(levels))


def test_axes_have_round_values_and_labels_do_not_overlap():
    assert ticks(0) == [0, 1] and ticks(3) == [0, 1, 2, 3] and ticks(18) == [0, 5, 10, 15, 20]
    assert ticks(37.7)[-1] == 40 and ticks(100)[-1] == 100 and ticks(197)[-1] == 200
    assert spread([10, 90, 50], 20, 100) == [10, 90, 50]
    assert spread([50, 50, 50], 20, 100) == [50, 30, 10]
    assert spread([95, 100], 20, 100) == [80, 100] and spread([120, 30], 20, 100) == [100, 30]
    assert "no player" in lines("no player", [], "x", "y")
