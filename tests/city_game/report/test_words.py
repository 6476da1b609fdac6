"""Events and refusals in words: whole, in each language, and without a code."""

import re
from pathlib import Path

import pytest

from city_game import kernel
from city_game.editions import city
from city_game.editions.city import EDITION
from city_game.game import Game, Setup
from city_game.kernel.money import parse, show, write
from city_game.report.reasons import REFUSALS as USUAL
from city_game.report.reasons import footnotes, refused
from city_game.report.words import EVENTS, FIELDS, in_words, latest_in_words
from city_game.simulate import headless
from city_unit.desktop import catalogue
from tests.city_game.play import BOARD, random_game
from tests.helpers.virtual_table import make_session, run_until

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"]
NARROW = "\u202f"

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


def test_a_log_in_french_has_no_english_name_of_a_piece_or_a_reason(french):
    """Names in files (kinds, permits, whys) are no words: none of them is left in the log."""
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


def test_money_is_set_as_the_language_sets_it(french):
    assert show(parse("3.5M")) == f"3,5{NARROW}M"
    assert show(parse("500k")) == f"500{NARROW}k"
    assert in_words(("bid", 0, 150, 0), BOARD, NAMES) == f"Ada offre 1,5{NARROW}M."


@pytest.mark.parametrize("notes", [0, 1, 5, 50, 99, 100, 101, 350, 3770, 12345, -150])
def test_money_in_files_is_the_same_in_every_language(notes, french):
    assert parse(write(notes).removeprefix("-")) == abs(notes)
    assert NARROW not in write(notes) and "," not in write(notes)


def sale_of(bids, end):
    """Return the log of a sale of the first district with those bids, in the words of the table."""
    game = Game(Setup(BOARD, ("Ada", "Ben", "Cleo"), ("human",) * 3, EDITION.rules(), 1))
    state = game.state
    state.phase, state.decider, state.turn = "auction space", 0, 0
    for action in (("put up", 0, 10), ("light on", 1000), *bids, ("light out", end), ("settle",)):
        game.do(action)
    return latest_in_words(state, NAMES)


PASSES = (("bid", 1, 50, 3000, 2), ("pass", 0, 4000), ("pass", 2, 4500))


@pytest.mark.parametrize(
    ("bids", "end", "sentence"),
    [
        ((("bid", 1, 50, 3000, 2),), 51000, "{deed} goes to Ben for 500k."),
        (PASSES, 4600, "Nobody else wants to bid: {deed} goes to Ben for 500k."),
        (
            (("bid", 1, 50, 3000, 2), ("bid", 2, 60, 3100, 2)),
            51000,
            "{deed} goes to Cleo for 600k, bid 47.900 s before the light went out (give or take "
            "0.002 s).",
        ),
        (
            (("bid", 1, 50, 50900, 2),),
            51000,
            "{deed} goes to Ben for 500k, bid 0.100 s before the light went out (give or take "
            "0.002 s).",
        ),
    ],
)
def test_a_sale_has_milliseconds_in_the_log_only_where_something_was_close(bids, end, sentence):
    log = sale_of(bids, end)
    assert log[-1] == sentence.format(deed=BOARD.deeds[0].name)


def test_a_bid_long_after_the_light_has_no_milliseconds():
    late = ("too late", 0, 50, 101, 2)
    assert in_words(late, BOARD, NAMES) == (
        "Ada's bid of 500k came after the light went out and does not count."
    )
    assert "0.100 s" in in_words(("too late", 0, 50, 100, 2), BOARD, NAMES)


def test_each_refusal_says_its_rule_and_a_footnote_whose_it_is():
    text = refused("hazard-there", EDITION)
    assert text == (
        "That does not go: a hazard stands there. A bonus keeps hazards out, and a hazard keeps "
        "bonuses out."
    )
    assert not any(
        word in refused(code) for code in REFUSALS for word in ("assumption", "rulebook")
    )
    notes = footnotes(EDITION)
    assert any(note.endswith("(the rulebook)") for note in notes)
    assert "This game was begun with a house rule for stadiums. (our assumption)" in notes


def test_what_a_player_can_be_refused_has_a_rule():
    """Only an action that no window offers, or that explains itself, goes without."""
    bare = {code for code, refusal in REFUSALS.items() if refusal.rule is None}
    assert bare == {
        *("no-such-thing", "unknown-piece", "unknown-permit", "no-auction", "not-refused"),
        *("with-oneself", "twice-in-the-deal", "no-deal", "untimed", "hour-over-already"),
    }


def test_no_refusal_is_without_words():
    """All codes that the guards in the rules can return stand in the table."""
    folders = (Path(kernel.__file__).parent, Path(city.__file__).parent)
    sources = [
        path.read_text(encoding="utf-8") for folder in folders for path in folder.glob("*.py")
    ]
    source = "".join(sources)
    codes = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', source))
    codes |= {"mortgaged", "sold", "yours", "elsewhere", "untimed"}  # of a single word
    assert codes <= set(REFUSALS), codes - set(REFUSALS)


def test_the_table_says_the_rule_with_the_refusal():
    session, _ = make_session(("human", "human"))
    run_until(session, lambda: session.state.phase == "roll")
    assert not session.do(("mortgage", 0))
    assert session.message == refused("not-yours")
