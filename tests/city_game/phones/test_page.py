"""The contents of a telephone's page, and their places: in a real Chromium, at its own table."""

import pytest

from city_game.editions.city.words import HOW_TO_PLAY
from city_game.phones.server import ON_A_TELEPHONE
from tests.city_game.phones.alone import PROPOSAL, Alone, hand, player, sale_view, view
from tests.city_game.phones.table import Table
from tests.helpers.needs import needs_posix
from tests.helpers.patience import until
from tests.sim.web.conftest import pass_ms

pytestmark = pytest.mark.real_time


def of_three(folder):
    needs_posix()
    running = Table(folder, "--players", "Ann,Bob,Cleo", "--seed", "10")
    yield running
    running.end()


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    yield from of_three(tmp_path_factory.mktemp("table"))


@pytest.fixture
def table_that_begins(tmp_path):
    yield from of_three(tmp_path)


def come(people, table, **wishes):
    page = people(**wishes).new_page()
    page.goto(table.address())
    page.wait_for_selector(".seat")
    return page


def sit(page, name):
    page.on("dialog", lambda asked: asked.accept())  # the seat may have been another's
    page.locator(".seat", has_text=name).tap()
    page.wait_for_selector("body.seated")
    return page


@pytest.mark.slow
def test_the_seats_stay_where_they_are_while_others_sit_down(table, people):
    """A finger that is on its way to a name must not come down on another one."""
    ann, bob = come(people, table), come(people, table)
    places = "() => [...document.querySelectorAll('.seat')].map((seat) => seat.offsetTop)"
    before = bob.evaluate(places)
    sit(ann, "Ann")
    bob.locator(".seat", has_text="Ann").locator("small").wait_for()  # until it can be seen
    assert bob.evaluate(places) == before and len(before) == 3


def test_how_to_play_can_be_read_at_any_time_and_moves_nothing_above_it(table, people):
    """A player looking it up in the middle of a sale must find the button where it was."""
    page = sit(come(people, table), "Ann")
    page.locator("#how summary").tap()
    sentences = page.locator("#how li")
    assert sentences.count() == len(HOW_TO_PLAY) + len(ON_A_TELEPHONE)
    assert sentences.first.inner_text() == str(HOW_TO_PLAY[0])
    below = "() => document.getElementById('how').nextElementSibling"
    assert page.evaluate(below) is None


@pytest.mark.slow
def test_a_pause_says_whose_it_is_and_the_time_stands(table_that_begins, people):
    table = table_that_begins
    ann, bob = sit(come(people, table), "Ann"), sit(come(people, table), "Bob")
    assert bob.locator("#hour").inner_text() == ""  # Cleo has not come
    bob.locator("#decide button:not([disabled])", has_text="Begin anyway").tap()
    until(lambda: ":" in bob.locator("#hour").inner_text())
    ann.locator("#pause").tap()
    bob.locator("#notice", has_text="Ann has paused").wait_for()
    assert "calm" in (bob.locator("#notice").get_attribute("class") or "")
    stands = bob.locator("#hour").inner_text()
    assert ":" in stands
    bob.evaluate("() => new Promise((done) => setTimeout(done, 2100))")
    assert bob.locator("#hour").inner_text() == stands


# All at once: a message of the page's own table would be shown in the next moment.
NAMES = """async (view) => {
  const { Hand } = await import("./hand.js");
  new Hand(() => {}).show(view);
  return [...document.querySelectorAll("#everybody summary b")].map((name) => name.innerText);
}"""


def test_at_the_end_the_players_stand_by_their_worth(files, people):
    page = Alone(people, files).page
    players = [player("Ann", 20), player("Bob", 0), player("Cleo", 30), player("Dan", 10)]
    assert page.evaluate(NAMES, view("roll", players)) == ["Ann", "Bob", "Cleo", "Dan"]
    assert page.evaluate(NAMES, view("over", players)) == ["Cleo", "Ann", "Dan", "Bob"]


MEANS = """async ([players, deal]) => {
  const { means } = await import("./means.js");
  const effects = means(players, deal).filter((part) => part.className === "effect");
  return effects.map((part) => part.innerText);
}"""


def test_a_deal_says_whose_groups_it_completes_and_breaks(files, people):
    page = Alone(people, files).page
    deeds = [
        {"id": deed, "name": str(deed), "colour": "#f00", "price": 100, "rent": 5} | group
        for deed, group in enumerate(
            [{"group": "Harbour", "of": 2}] * 2 + [{"group": "Mill", "of": 1}]
        )
    ]
    ann, bob = player("Ann") | {"deeds": deeds[:1]}, player("Bob") | {"deeds": deeds[1:]}
    deal = {"from": 0, "to": 1, "gives": [], "asks": [1, 2]}
    assert page.evaluate(MEANS, [[ann, bob], deal]) == [
        "Ann completes Harbour: its rents can go up.",
        "Ann completes Mill: its rents can go up.",
        "Bob has all of Mill no more.",
    ]


MAP = """async (view) => {
  const { map } = await import("./map.js");
  map(view);
  const drawing = document.querySelector("#map svg");
  const marks = [...drawing.querySelectorAll(".mark")].map((mark) => mark.getAttribute("d"));
  return [drawing.getAttribute("aria-label"), ...marks];
}"""


def test_the_map_tells_owners_by_shape_and_in_words(files, people):
    page = Alone(people, files).page
    deed = {"id": 3, "name": "Flax Mill", "colour": "#00f"}
    ann = player("Ann") | {"place": 2}
    bob = player("Bob") | {"place": 0, "shape": "square", "deeds": [deed]}
    seen = view("roll", [ann, bob], track=[["", -1], ["#00f", 1], ["", -1]], hand={"at": "jail"})
    said, owned, *legend = page.evaluate(MAP, seen)
    assert said == "You: jail. Bob owns: Flax Mill"
    assert owned == legend[1] != legend[0]


RULINGS = """async (views) => {
  const { Referee } = await import("./referee.js");
  const referee = new Referee(() => ({}));
  return views.map((view) => {
    referee.show(view, "");
    return document.querySelectorAll("#referee .ruling").length;
  });
}"""


@pytest.mark.slow
def test_a_referee_is_not_asked_about_two_bots(files, people):
    """They bid by the table's own clock, on which there is nothing to be ruled."""
    players = [player("Ann"), player("Bob", human=False), player("Cleo", human=False)]

    def bids(*whose):
        """Return bids 17 ms apart, the last first, as a referee is shown them."""
        times = [{"since": 200 - 17 * place, "left": None, "within": 0} for place in range(2)]
        several = [
            {"player": who, "name": players[who]["name"], "amount": 1, "why": ""} | time
            for who, time in zip(whose, times, strict=True)
        ]
        known = {"unit_online": True, "within": 0, "sold": "", "bids": several, "calls": []}
        return view("bidding", players, referee=known)

    page = Alone(people, files).page
    assert page.evaluate(RULINGS, [bids(2, 1), bids(2, 0)]) == [0, 1]


SET_LIMIT = """async (view) => {
  const { Sale } = await import("./sale.js");
  const said = [];
  const sale = new Sale((message, answered) => {
    if (message.say === "limit") said.push(message.amount);
    answered?.("");
  });
  sale.show(view);
  const the = (id) => document.getElementById(id);
  const words = [the("limit-set").textContent];
  const type = (text) => {
    the("limit-field").value = text;
    the("limit-field").dispatchEvent(new Event("input"));
    words.push(the("limit-set").textContent);
  };
  for (const text of ["1.5", ""]) {
    type(text);
    the("limit").requestSubmit();
  }
  return [words, said, the("keeps").classList.contains("unseen")];
}"""


def test_a_maximum_is_raised_at_once_and_taken_back_by_an_empty_field(files, people):
    shown = sale_view()
    shown["hand"]["bidding"]["limit"] = 100
    words, said, keeps_is_hidden = Alone(people, files).page.evaluate(SET_LIMIT, shown)
    assert words == ["Take it back", "Set it", "Take it back"] and said == [150, 0]
    assert not keeps_is_hidden  # a player who might pass reads why the light is on


LEFTS = """async (view) => {
  const { Hand } = await import("./hand.js");
  new Hand(() => {}).show(view);
  document.querySelector("#decide button").click();
  const targets = [...document.querySelectorAll("#decide .target")];
  const lefts = targets.map((target) => target.getBoundingClientRect().left);
  return [lefts, document.documentElement.scrollWidth <= innerWidth];
}"""


@pytest.mark.slow
def test_many_deeds_stand_in_two_columns(files, people):
    page = Alone(people, files, viewport={"width": 320, "height": 700}).page
    targets = [
        {"id": place, "name": f"District {place}", "colour": "#00f", "detail": "a rent of 1.25M"}
        for place in range(22)
    ]
    targets = [target | {"action": ["station", target["id"]]} for target in targets]
    option = {"label": "Build a station", "action": None, "calls": "", "amount": False}
    own = hand(options=[option | {"targets": targets}])
    lefts, fits = page.evaluate(LEFTS, view("station", [player("Ann")], hand=own))
    assert len(lefts) == 22 and len(set(lefts)) == 2 and fits


TOPS = """() => ["bid", "pass", "steps", "limit"].map(
  (id) => document.getElementById(id).getBoundingClientRect().top)"""


def test_nothing_moves_the_button_that_bids_while_the_light_is_on(files, people):
    phone = Alone(people, files)
    page = phone.page
    phone.look(sale_view())
    page.locator("#bid:not([disabled])").wait_for()
    before = page.evaluate(TOPS)
    with_deal = sale_view()
    with_deal["hand"] |= {"proposals": [PROPOSAL], "fallen": "It falls."}
    words = "Maximiliane was 31 ms earlier, give or take 4 ms: too close to be sure of it."
    verdict = {"amount": 40, "counts": False, "words": words}
    longest = sale_view(verdict=verdict)
    longest["players"][1]["name"] = "Maximiliane von Habsburg-Lothringen"
    awaited = sale_view()
    awaited["hand"]["bidding"]["awaited"] = True
    settling = sale_view("settling")
    settling["sale"]["left"] = None
    for shown in (with_deal, longest, awaited, settling):
        phone.look(shown)
        assert page.evaluate(TOPS) == before
        if shown is awaited:
            assert page.locator("#keeps").inner_text() == "All wait for you: bid or pass."
    phone.look(sale_view())
    page.locator("#pause").tap()
    until(lambda: page.evaluate("() => 1") and phone.said)
    phone.answer("Not now: pause when the light is out")
    page.locator("#notice", has_text="Not now").wait_for()
    page.evaluate("() => scrollTo(0, 0)")
    assert page.evaluate(TOPS) == before


def test_a_deal_is_not_agreed_to_by_a_finger_that_was_on_its_way(files, people):
    """Neither when it appears as the light goes out, nor when something pushes it about."""
    phone = Alone(people, files)
    page = phone.page
    deal = {"hand": hand(proposals=[PROPOSAL]), "sale": None}
    phone.look(sale_view())
    phone.look(sale_view("roll", **deal))
    agree = page.locator("#proposals button", has_text="Agree")
    assert agree.is_disabled()
    page.locator("#proposals button.first:not([disabled])").wait_for()
    # Whatever pushes it, in the same breath as the finger comes down.
    page.evaluate(
        """() => {
          document.querySelector("main").style.marginTop = "60px";
          document.querySelector("#proposals .first").click();
        }"""
    )
    assert phone.said == [] and agree.is_disabled()
    page.locator("#proposals button.first:not([disabled])").wait_for()
    agree.tap()
    until(lambda: page.evaluate("() => 1") and phone.said)
    assert [message["agree"] for message in phone.said] == [True]
    phone.answer("You give 30M for nothing")
    page.locator("#proposals .said", has_text="You give 30M").wait_for()
    assert agree.is_disabled()  # the counter-offer has to be read first


def test_a_deal_at_the_table_is_not_accepted_by_such_a_finger_either(files, people):
    phone = Alone(people, files)
    page = phone.page
    option = {"label": "Accept the deal", "action": ["accept"], "calls": "", "targets": []}
    own = hand(options=[option | {"amount": False}])
    phone.look(sale_view("deal", hand=own, sale=None))
    assert page.locator("#decide button").is_disabled()
    page.locator("#decide button:not([disabled])").tap()
    until(lambda: page.evaluate("() => 1") and phone.said)
    assert [message["action"] for message in phone.said] == [["accept"]]


def test_who_has_it_is_said_large_and_pushes_nothing(files, people):
    phone = Alone(people, files, time_stands=True)
    page = phone.page
    phone.look(sale_view())
    sold = {"number": 0, "player": 0, "district": "Eel Pie Yard", "amount": 110}
    rest = {"hand": hand(), "sale": None}
    phone.look(sale_view("manage", **rest, sold=sold))
    said = page.locator("#sold", has_text="Sold to you")
    said.wait_for()
    assert "Eel Pie Yard, 1.1M" in said.inner_text()
    tops = page.evaluate("() => document.getElementById('everybody').offsetTop")
    pass_ms(page, 5999)
    assert said.is_visible()
    pass_ms(page, 1)
    assert said.is_hidden()
    assert page.evaluate("() => document.getElementById('everybody').offsetTop") == tops
    phone.look(sale_view("manage", **rest, sold=sold))
    assert said.is_hidden()  # once
    another = sale_view()
    another["sale"]["number"] = 1
    phone.look(another)
    phone.look(sale_view("manage", **rest, sold=sold | {"number": 1, "player": 1}))
    page.locator("#sold", has_text="Sold to Bob").wait_for()


def test_the_end_says_who_wins_and_what_they_are_worth(files, people):
    phone = Alone(people, files)
    page = phone.page
    there = [player("Bob", 20), player("Ann", 5210)]
    over = {"winners": [1]}
    for you, words in ((0, "Ann wins."), (1, "You win!")):
        phone.look(view("over", there) | over | {"you": you})
        assert page.locator(".won").inner_text() == words
    assert page.locator(".won-worth").inner_text() == "Worth 52.1M"
    assert page.locator("#pause").is_hidden()
    rows = page.locator("#everybody summary span").all_inner_texts()
    assert rows == ["Worth 52.1M", "Worth 200k"]


NEXT = "() => Number(document.getElementById('bid').dataset.amount)"


def test_the_button_offers_the_least_bid_where_the_step_is_more_than_there_is(files, people):
    """And each sale begins with the usual step."""
    phone = Alone(people, files)
    page = phone.page
    shown = sale_view()
    phone.look(shown)
    page.locator("#bid:not([disabled])").wait_for()
    assert page.evaluate(NEXT) == 50
    page.locator("#steps button", has_text="1M").tap()
    assert page.evaluate(NEXT) == 140
    shown["players"][0]["cash"] = 54
    phone.look(shown)
    assert page.evaluate(NEXT) == 41
    shown["players"][0]["cash"] = 3000
    shown["sale"] |= {"number": 1}
    phone.look(shown)
    assert page.evaluate(NEXT) == 50
    assert page.locator("#steps [aria-pressed=true]").inner_text() == "100k"
