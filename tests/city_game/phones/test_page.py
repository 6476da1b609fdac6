"""What a telephone's page shows, and where: in a real Chromium, at a table of its own."""

import pytest

from tests.city_game.phones.table import Table
from tests.helpers.needs import needs_posix
from tests.helpers.patience import until
from tests.helpers.sales import AUCTION_MS

pytestmark = pytest.mark.real_time


@pytest.fixture
def table(tmp_path):
    needs_posix()
    running = Table(tmp_path, "--players", "Ann,Bob,Cleo", "--seed", "10")
    yield running
    running.end()


def come(people, table, **wishes):
    page = people(**wishes).new_page()
    page.goto(table.address())
    page.wait_for_selector(".seat")
    return page


def sit(page, name):
    page.locator(".seat", has_text=name).tap()
    page.wait_for_selector("body.seated")
    return page


def test_the_seats_stay_where_they_are_while_others_sit_down(table, people):
    """A finger that is on its way to a name must not come down on another one."""
    ann, bob = come(people, table), come(people, table)
    places = "() => [...document.querySelectorAll('.seat')].map((seat) => seat.offsetTop)"
    before = bob.evaluate(places)
    sit(ann, "Ann")
    bob.locator(".seat", has_text="Ann").locator("small").wait_for()  # until it can be seen
    assert bob.evaluate(places) == before and len(before) == 3


def test_a_pause_says_whose_it_is_and_the_time_stands(table, people):
    ann, bob = sit(come(people, table), "Ann"), sit(come(people, table), "Bob")
    until(lambda: ":" in bob.locator("#hour").inner_text())
    ann.locator("#pause").tap()
    bob.locator("#notice", has_text="Ann has paused").wait_for()
    assert "calm" in (bob.locator("#notice").get_attribute("class") or "")
    stands = bob.locator("#hour").inner_text()
    assert ":" in stands
    bob.evaluate("() => new Promise((done) => setTimeout(done, 2100))")
    assert bob.locator("#hour").inner_text() == stands


def player(name, worth=20, human=True):
    looks = {"colour": "#f00", "shape": "circle", "online": False, "jailed": False, "deeds": []}
    cards = {"jail_cards": 0, "dodge": False}
    return (
        {"name": name, "worth": worth, "cash": 7, "human": human, "alive": worth > 0}
        | looks
        | cards
    )


def view(phase, players, **more):
    """Return what a table shows to its first player."""
    words = {"title": "", "detail": "", "latest": [], "winners": [], "verdict": None}
    whose = {"you": 0, "decider": 0, "turn": 0, "left": 1000}
    return {"phase": phase, "players": players} | words | whose | more


# All at once: what the page's own table tells it would be shown in the next moment.
NAMES = """async (view) => {
  const { Hand } = await import("./hand.js");
  new Hand(() => {}).show(view);
  return [...document.querySelectorAll("#everybody summary b")].map((name) => name.innerText);
}"""


@pytest.mark.parametrize(
    ("phase", "order"),
    [("roll", ["Ann", "Bob", "Cleo", "Dan"]), ("over", ["Cleo", "Ann", "Dan", "Bob"])],
)
def test_at_the_end_the_players_stand_by_their_worth(table, people, phase, order):
    page = come(people, table)
    players = [player("Ann", 20), player("Bob", 0), player("Cleo", 30), player("Dan", 10)]
    assert page.evaluate(NAMES, view(phase, players)) == order


RULINGS = """async (views) => {
  const { Referee } = await import("./referee.js");
  const referee = new Referee(() => ({}));
  return views.map((view) => {
    referee.show(view, "");
    return document.querySelectorAll("#referee .ruling").length;
  });
}"""


def test_a_referee_is_not_asked_about_two_bots(table, people):
    """They bid by the table's own clock, on which there is nothing to be ruled."""
    players = [player("Ann"), player("Bob", human=False), player("Cleo", human=False)]

    def bids(*whose):
        """Return bids 17 ms apart, the last first, as a referee is shown them."""
        times = [{"since": 200 - 17 * place, "left": None, "within": 0} for place in range(2)]
        several = [
            {"player": who, "name": players[who]["name"], "amount": 1, "why": ""} | time
            for who, time in zip(whose, times, strict=True)
        ]
        known = {"unit_online": True, "within": 0, "sold": "", "bids": several}
        return view("bidding", players, referee=known)

    page = come(people, table)
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
  return [words, said, the("keeps").hidden];
}"""


def test_a_maximum_is_raised_at_once_and_taken_back_by_an_empty_field(table, people):
    sale = {
        "number": 4,
        "left": AUCTION_MS // 2,
        "whole": AUCTION_MS,
        "leader": -1,
        "highest": 0,
        "least": 1,
    }
    bidding = {"limit": 100, "overtaken": False, "waits": 0, "leads": False, "passed": False}
    shown = view(
        "bidding",
        [player("Ann")],
        sale=sale | {"bids": [], "warning": 5000},
        hand={"bidding": bidding | {"can_pass": True}},
    )
    words, said, keeps_is_hidden = come(people, table).evaluate(SET_LIMIT, shown)
    assert words == ["Take it back", "Set it", "Take it back"] and said == [150, 0]
    assert not keeps_is_hidden  # what keeps the light on is said to whoever might pass


LEFTS = """async (view) => {
  const { Hand } = await import("./hand.js");
  new Hand(() => {}).show(view);
  document.querySelector("#decide button").click();
  const targets = [...document.querySelectorAll("#decide .target")];
  const lefts = targets.map((target) => target.getBoundingClientRect().left);
  return [lefts, document.documentElement.scrollWidth <= innerWidth];
}"""


@pytest.mark.parametrize("width", [320, 390])
def test_many_districts_stand_in_two_columns(table, people, width):
    page = come(people, table, viewport={"width": width, "height": 700})
    targets = [
        {"id": place, "name": f"District {place}", "colour": "#00f", "detail": "a rent of 1.25M"}
        for place in range(22)
    ]
    targets = [target | {"action": ["station", target["id"]]} for target in targets]
    option = {"label": "Build a station", "action": None, "calls": "", "amount": False}
    hand = {"owes": None, "proposals": [], "deeds": [], "jail_cards": 0, "dodge": False}
    hand["options"] = [option | {"targets": targets}]
    lefts, fits = page.evaluate(LEFTS, view("station", [player("Ann")], hand=hand))
    assert len(lefts) == 22 and len(set(lefts)) == 2 and fits
