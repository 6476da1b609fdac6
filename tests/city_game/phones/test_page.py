"""A telephone's page in a Chromium, connected to the test instead of a table."""

import json
from functools import cache

import pytest

from tests.city_game.phones.desk import in_sale
from tests.helpers.patience import until
from tests.sim.web.conftest import pass_ms, stop_time

pytestmark = pytest.mark.real_time

MONEY = {"thousands": "{number}k", "millions": "{number}M", "mark": ".", "group": ","}
WELCOME = {"language": "en", "languages": [], "texts": {}, "role": "player"}
WELCOME |= {"how": ["Roll.", "Bid."], "money": MONEY}
PROPOSAL = {"number": 1, "mine": False, "other": 1, "you_give": "30M", "you_get": "nothing"}
READ_MS = 1100  # by then a deal can have been read


class Alone:
    """A telephone whose time only `pass_ms` advances.

    said  its requests
    """

    def __init__(self, people, files, role="", script="", **wishes):
        context = people(**wishes)
        stop_time(context)
        context.add_init_script(script)
        self.page = context.new_page()
        self.said, self._line, self._pongs = [], None, []
        self.page.route_web_socket("**", self._open)
        self.page.goto(files + role)
        until(lambda: self.page.evaluate("() => 1") and self._line)

    def look(self, shown):
        """Show a view, and wait until the page has painted it."""
        self._line.send(json.dumps({"view": shown | {"token": ""}}))
        number = len(self._pongs)
        self._line.send(json.dumps({"ping": number}))
        until(lambda: self.page.evaluate("() => 1") and len(self._pongs) > number)

    def look_at_sale(self, shown=None):
        """Show a sale, and wait until its button can be pressed."""
        self.look(shown or sale_view())
        pass_ms(self.page, 400)
        assert self.bid.is_enabled()

    @property
    def bid(self):
        return self.page.locator("#bid")

    def answer(self, why=""):
        """Respond to the next request; return it."""
        until(lambda: self.page.evaluate("() => 1") and self.said)
        message = self.said.pop(0)
        assert not self.said
        self._line.send(json.dumps({"done": message["n"], "why": why}))
        return message

    def tops(self, *ids):
        return self.page.evaluate(
            "ids => ids.map((id) => document.getElementById(id).getBoundingClientRect().top)", ids
        )

    def texts(self, selector):
        return self.page.locator(selector).all_inner_texts()

    def _open(self, line):
        def hear(text):
            message = json.loads(text)
            if "pong" in message:
                self._pongs.append(message)
            elif message["say"] == "hello":
                line.send(json.dumps({"welcome": WELCOME}))
                self._line = line
            else:
                self.said.append(message)

        line.on_message(hear)


@pytest.fixture
def phone(people, files):
    return Alone(people, files)


@cache
def told():
    """Return the view of the first of three players in a sale, where another leads with 400k."""
    desk = in_sale()
    desk.session.names[:] = ["Ann", "Bob", "Cleo"]
    assert desk.session.auctioneer.bid(1, 40)
    return json.dumps(desk.seated(0).view)


def sale_view(phase="bidding", **more):
    """Return that view in a given phase, with some parts replaced."""
    seen = json.loads(told())
    seen["players"][0]["cash"] = 3000
    return seen | {"phase": phase} | more


def hand(**more):
    return sale_view()["hand"] | {"bidding": None} | more


def player(name, worth=20, **more):
    own = {"name": name, "worth": worth, "alive": worth > 0, "deeds": []}
    return sale_view()["players"][0] | own | more


def deed(number, group="Mill", of=2):
    words = {"id": number, "name": f"Deed {number}", "colour": "#f00", "group": group}
    return words | {"of": of, "price": 100, "rent": 5}


def view(phase, players, **more):
    """Return the view of the first player outside a sale."""
    return sale_view(phase, players=players, sale=None, hand=hand()) | more


def test_the_seats_stay_where_they_are_while_others_sit_down(phone):
    """A finger on its way to a name must not land on another."""
    people = [player(name) for name in ("Ann", "Bob", "Cleo")]
    phone.look(view("roll", people, you=-1, hand=None, taken=[False] * 3))
    places = "() => [...document.querySelectorAll('.seat')].map((seat) => seat.offsetTop)"
    before = phone.page.evaluate(places)
    phone.look(view("roll", people, you=-1, hand=None, taken=[True, False, False]))
    assert phone.page.locator(".seat", has_text="Ann").locator("small").is_visible()
    assert phone.page.evaluate(places) == before and len(before) == 3
    phone.page.locator("#how summary").tap()
    assert phone.texts("#how li") == WELCOME["how"]
    # It is the last section, so that it pushes nothing away during a sale.
    assert phone.page.evaluate("document.getElementById('how').nextElementSibling") is None


def test_a_pause_says_whose_it_is_and_the_time_stands(phone):
    hour = phone.page.locator("#hour")
    phone.look(view("manage", [player("Ann")], left=60_000))
    pass_ms(phone.page, 1000)
    assert hour.inner_text() == "0:59"
    told = {"unit": "pause", "title": "Ann has paused", "stands": True, "left": 59_000}
    phone.look(view("manage", [player("Ann")], **told))
    notice = phone.page.locator("#notice")
    assert notice.inner_text() == "Ann has paused" and "calm" in notice.get_attribute("class")
    pass_ms(phone.page, 2100)
    assert hour.inner_text() == "0:59"


def test_the_end_says_who_wins_and_puts_the_players_by_their_worth(phone):
    gone = player("Bob", 15, alive=False)
    players = [player("Ann", 20), gone, player("Cleo", 5210), player("Dan", 10)]
    phone.look(view("roll", players))
    assert phone.texts("#everybody summary b") == ["Ann", "Bob", "Cleo", "Dan"]
    for you, words in ((0, "Cleo wins."), (2, "You win!")):
        phone.look(view("over", players, winners=[2], you=you))
        assert phone.texts(".won") == [words]
    assert phone.texts(".won-worth") == ["Worth 52.1M"]
    assert phone.texts("#everybody summary b") == ["Cleo", "Ann", "Dan", "Bob"]
    worth = ["Worth 52.1M", "Worth 200k", "Worth 100k", "Worth 150k"]
    assert phone.texts("#everybody summary span") == worth
    assert phone.page.locator("#pause").is_hidden()


def test_a_deal_says_whose_groups_it_completes_and_breaks(phone):
    deeds = [deed(0, "Harbour", 2), deed(1, "Harbour", 2), deed(2, "Mill", 1)]
    players = [player("Ann", deeds=deeds[:1]), player("Bob", deeds=deeds[1:])]
    phone.look(view("deal", players, deal={"from": 0, "to": 1, "gives": [], "asks": [1, 2]}))
    assert phone.texts("#decide .effect") == [
        "Ann completes Harbour: its rents can go up.",
        "Ann completes Mill: its rents can go up.",
        "Bob no longer has all of Mill.",
    ]


def test_the_map_tells_owners_by_shape_and_in_words(phone):
    players = [player("Ann", place=2), player("Bob", place=0, shape="square", deeds=[deed(3)])]
    track = [["", -1], ["#00f", 1], ["", -1]]
    phone.look(view("roll", players, track=track, hand=hand(at="jail")))
    drawing = phone.page.locator("#map svg")
    assert drawing.get_attribute("aria-label") == "You: jail. Bob owns: Deed 3"
    marks = drawing.locator(".mark").evaluate_all("all => all.map((it) => it.getAttribute('d'))")
    owned, *legend = marks
    assert owned == legend[1] != legend[0]


def test_a_referee_is_asked_about_close_bids_but_not_about_two_bots(people, files):
    """Bots bid by the table's own clock, so that there is nothing to rule on."""
    referee = Alone(people, files, "#referee")
    players = [player("Ann"), player("Bob", human=False), player("Cleo", human=False)]
    for other, left, rulings in ((1, None, 0), (0, None, 1), (1, -5, 1), (1, -6, 0)):
        bids = [  # 17 ms apart, newest first, as in a referee's view
            {"player": who, "name": "", "amount": 1, "within": 5, "since": since}
            | {"why": "" if late is None else "too late", "left": late}
            for who, since, late in ((2, 200, left), (other, 183, None))
        ]
        known = {"unit_online": True, "within": 0, "sold": "", "bids": bids, "calls": []}
        referee.look(view("bidding", players, you=-1, hand=None, referee=known))
        assert referee.page.locator("#referee .ruling").count() == rulings


def test_a_maximum_is_raised_at_once_and_taken_back_by_an_empty_field(phone):
    shown = sale_view()
    shown["hand"]["bidding"]["limit"] = 100
    phone.look(shown)
    field, button = phone.page.locator("#limit-field"), phone.page.locator("#limit-set")
    assert button.inner_text() == "Remove it"
    field.fill("1.5")
    assert button.inner_text() == "Set it"
    button.tap()
    assert phone.answer()["amount"] == 150
    phone.page.get_by_text("Remove it").tap()
    assert phone.answer()["amount"] == 0
    field.fill("0")
    button.tap()
    assert "250k" in phone.page.inner_text("#limit-said") and phone.said == []
    assert phone.page.locator("#keeps").is_visible()  # the reason why the light stays on


def test_nothing_moves_the_button_that_bids_while_the_light_is_on(phone):
    phone.look_at_sale()
    parts = ("bid", "pass", "steps", "limit")
    before = phone.tops(*parts)
    with_deal = sale_view()
    with_deal["hand"] |= {"proposals": [PROPOSAL], "fallen": "It falls."}
    words = "Maximiliane was 31 ms earlier, give or take 4 ms: too close to be sure of it."
    longest = sale_view(verdict={"amount": 40, "counts": False, "words": words})
    longest["players"][1]["name"] = "Maximiliane von Habsburg-Lothringen"
    settling = sale_view("settling")
    settling["sale"]["left"] = None
    awaited = sale_view()
    awaited["hand"]["bidding"]["awaited"] = True
    for shown in (with_deal, longest, settling, awaited):
        phone.look(shown)
        assert phone.tops(*parts) == before
    assert phone.texts("#keeps") == ["Everybody is waiting for you: bid or pass."]
    phone.look(sale_view())
    phone.page.locator("#pause").tap()
    phone.answer("Not now: pause once the light is out")
    phone.page.locator("#notice", has_text="Not now").wait_for()
    phone.page.evaluate("scrollTo(0, 0)")
    assert phone.tops(*parts) == before


def test_a_deal_is_not_agreed_to_by_a_finger_that_was_on_its_way(phone):
    """Neither when it appears as the light goes out, nor when the layout moves it."""
    agree = phone.page.locator("#proposals button", has_text="Agree")
    phone.look(sale_view())
    phone.look(sale_view("roll", hand=hand(proposals=[PROPOSAL]), sale=None))
    assert agree.is_disabled()
    pass_ms(phone.page, READ_MS)
    assert agree.is_enabled()
    # The layout moves it in the same moment as the finger lands.
    phone.page.evaluate(
        """() => {
          document.querySelector("main").style.marginTop = "60px";
          document.querySelector("#proposals .first").click();
        }"""
    )
    assert phone.said == [] and agree.is_disabled()
    pass_ms(phone.page, READ_MS)
    agree.tap()
    assert phone.answer("You give 30M for nothing")["agree"] is True
    phone.page.locator("#proposals .said", has_text="You give 30M").wait_for()
    assert agree.is_disabled()  # the question must be read first
    # The same holds for accepting a deal at the table.
    option = {"label": "Accept the deal", "action": ["accept"], "calls": "", "targets": []}
    phone.look(view("deal", [player("Ann")], hand=hand(options=[option | {"amount": False}])))
    accept = phone.page.locator("#decide button")
    assert accept.is_disabled()
    pass_ms(phone.page, READ_MS)
    accept.tap()
    assert phone.answer()["action"] == ["accept"]


def test_a_deal_is_put_together_and_sent_and_a_sum_that_is_none_is_not(phone):
    deeds = [deed(number) for number in range(3)]
    ann, cleo = player("Ann", deeds=deeds[:1], jail_cards=1), player("Cleo", deeds=deeds[1:])
    people = [ann, player("Bob", worth=0), cleo]
    page = phone.page
    phone.look(view("manage", people))
    page.locator("#deal-open").tap()
    assert phone.texts("#deal-partner option") == ["Cleo"]  # neither oneself nor a bankrupt player
    page.locator("#deal-gives label").tap()
    page.locator("#deal-asks label").first.tap()
    page.locator("#deal-cards").select_option("-1")
    page.locator("#deal-pays").fill("1.5x")
    page.locator("#deal [type=submit]").tap()
    assert "250k" in page.inner_text("#deal-said") and phone.said == []
    # Ticked boxes stay ticked.
    phone.look(view("manage", [*people[:2], player("Cleo", deeds=deeds[1:2])]))
    page.locator("#deal-pays").fill("1.5")
    page.locator("#deal-wants").fill("250k")
    page.locator("#deal [type=submit]").tap()
    sent = phone.answer()
    assert (sent["partner"], sent["gives"], sent["asks"]) == (2, [0], [1])
    assert (sent["pays"], sent["cards"]) == (125, -1)
    page.locator("#deal-open").wait_for()
    assert page.locator("#deal").is_hidden()


def test_who_comes_back_reads_what_was_missed_once_and_the_log_as_far_back_as_wanted(phone):
    def look(lines, *missed):
        own = hand(missed={"lines": missed, "earlier": 2, "cash": 3120})
        latest = [f"line {line}" for line in range(lines)]
        phone.look(view("roll", [player("Ann", cash=3000)], hand=own, latest=latest))

    look(7, "A rent.")
    told = ["and 2 earlier events", "A rent.", "Your cash went from 31.2M to 30M."]
    assert phone.texts("#missed p") == told
    phone.page.get_by_text("I have read it").tap()
    look(7, "A rent.")
    assert phone.page.locator("#missed").is_hidden()
    look(7, "Another.")
    assert phone.page.locator("#missed").is_visible()
    assert phone.texts("#latest > p") == [f"line {line}" for line in range(2, 7)]
    phone.page.locator("#latest summary").tap()
    phone.page.locator("#latest details p").first.wait_for()
    look(8, "Another.")  # it stays open
    assert phone.texts("#latest details p") == ["line 2", "line 1", "line 0"]
    assert phone.page.locator("#latest details p").first.is_visible()


def test_what_helps_to_decide_is_said_to_the_one_who_decides(phone):
    players = [player("Ann"), player("Bob")]
    for you, phase, is_said in ((0, "manage", 1), (1, "manage", 0), (1, "deal", 1), (1, "over", 1)):
        phone.look(view(phase, players, you=you, decider=0, detail="You own nothing yet."))
        assert ("You own" in phone.page.inner_text("#decide")) == is_said, (you, phase)


def test_the_buyer_is_named_large_and_once_and_pushes_nothing(phone):
    page, said = phone.page, phone.page.locator("#sold")
    phone.look(sale_view())
    sold = {"number": 0, "player": 0, "district": "Eel Pie Yard", "amount": 110}
    rest = {"hand": hand(), "sale": None}
    phone.look(sale_view("manage", **rest, sold=sold))
    assert said.inner_text() == "Sold to you: Eel Pie Yard, 1.1M"
    tops = phone.tops("everybody")
    pass_ms(page, 5999)
    assert said.is_visible()
    pass_ms(page, 1)
    assert said.is_hidden() and phone.tops("everybody") == tops
    phone.look(sale_view("manage", **rest, sold=sold))
    assert said.is_hidden()
    another = sale_view()
    another["sale"]["number"] = 1
    phone.look(another)
    phone.look(sale_view("manage", **rest, sold=sold | {"number": 1, "player": 1}))
    assert "Sold to Bob" in said.inner_text()


def test_a_sum_is_understood_however_it_is_written(phone):
    sums = {"0,4": 40, "0.4": 40, "400k": 40, " 1.5 ": 150, "1,50": 150, "12": 1200, ",5": 50}
    sums |= {"2M": 200} | dict.fromkeys(("", "x", "1.005", "5k", "-1", "1e3"))
    parse = "(texts) => import('./dom.js').then(({ parse }) => texts.map(parse))"
    assert phone.page.evaluate(parse, list(sums)) == list(sums.values())
    show = "(sums) => import('./dom.js').then(({ show }) => sums.map(show))"
    shown = {0: "0", 1: "10k", 40: "400k", 100: "1M", 150: "1.5M", 3770: "37.7M", -40: "−400k"}
    assert phone.page.evaluate(show, list(shown)) == list(shown.values())


HUMS = """
  window.hums = 0;
  navigator.vibrate = () => { window.hums++; return false; };
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: TOUCHED } });
"""


@pytest.mark.parametrize("touched", [False, True])
def test_a_page_hums_for_a_decision_but_not_before_a_first_touch(people, files, touched):
    """Browsers forbid vibration before a touch, and log a page that tries."""
    phone = Alone(people, files, script=HUMS.replace("TOUCHED", str(touched).lower()))
    option = {"label": "Roll", "action": ["roll"], "calls": "", "targets": [], "amount": False}
    phone.look(view("roll", [player("Ann")], hand=hand(options=[option])))
    assert phone.page.evaluate("window.hums") == touched


# The button that bids.


def test_a_sale_begins_with_the_usual_step_and_offers_the_least_bid_where_a_step_is_too_much(phone):
    page, shown = phone.page, sale_view()
    shown["sale"]["left"] = 30_000

    def offered():
        return int(phone.bid.get_attribute("data-amount"))

    phone.look_at_sale(shown)
    assert offered() == 50
    pass_ms(page, 600)
    assert phone.texts("#sale-seconds") == ["29 s"]
    page.locator("#steps button", has_text="1M").tap()
    assert offered() == 140
    # Showing a view again does not restart its time.
    assert phone.texts("#sale-seconds") == ["29 s"]
    shown["players"][0]["cash"] = 54
    phone.look(shown)
    assert offered() == 41
    shown["players"][0]["cash"] = 3000
    shown["sale"]["number"] = 1
    phone.look(shown)
    assert offered() == 50
    assert page.locator("#steps [aria-pressed=true]").inner_text() == "100k"


def test_nobody_bids_an_amount_that_could_not_be_read_yet(phone):
    """A finger on its way when the amount changes bids the previous amount."""

    def pressed():
        phone.page.evaluate("document.getElementById('bid').click()")
        return phone.answer("no")["amount"]

    def highest(amount):
        shown = sale_view()
        shown["sale"]["highest"] = amount
        return shown

    phone.look_at_sale(highest(40))
    pass_ms(phone.page, 150)
    phone.look(highest(50))
    found = [pressed()]
    for ms in (149, 1):
        pass_ms(phone.page, ms)
        found.append(pressed())
    phone.look(highest(60))
    pass_ms(phone.page, 40)
    phone.look(highest(70))
    for ms in (1, 148, 1):
        pass_ms(phone.page, ms)
        found.append(pressed())
    assert found == [50, 50, 60, 60, 60, 80]


def drag(phone, target, path):
    """Touch the middle of an element, move the finger along a path, and lift it.

    Return the number of requests sent before it was lifted.
    """
    touch = phone.page.context.new_cdp_session(phone.page)
    box = phone.page.locator(target).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def finger(kind, *points):
        at = [{"x": x + across, "y": y + down} for across, down in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    finger("touchStart", (0, 0))
    phone.page.evaluate("() => 1")
    sent = len(phone.said)
    for point in path:
        finger("touchMove", point)
    finger("touchEnd")
    return sent


WOBBLES = {
    "still": [],
    "up": [(0, -9), (0, -18)],
    "down": [(1, 12), (2, 24)],
    "aside": [(9, 0), (18, 0)],
    "far": [(0, -40), (0, -90), (0, -140)],
}


def test_a_finger_a_key_and_a_click_bid_once_as_they_come_down(phone):
    """However long a key is held; a screen reader sends only a click."""
    page = phone.page
    phone.look_at_sale()
    page.evaluate("document.body.style.paddingBottom = '3000px'")
    page.evaluate("() => { onkeydown = (event) => { scrolls = !event.defaultPrevented; }; }")
    before = phone.tops("bid")

    def has_bid(way):
        assert phone.answer(f"no {way}")["amount"] == 50, way
        page.locator("#verdict", has_text=way).wait_for()

    for way, path in WOBBLES.items():
        assert drag(phone, "#bid", path) == 1, way
        has_bid(way)
        assert phone.tops("bid") == before, way
    for key in ("Enter", "Space"):
        phone.bid.focus()
        page.keyboard.down(key)
        page.keyboard.down(key)  # it repeats
        page.keyboard.up(key)
        assert page.evaluate("scrolls") is False, key
        has_bid(key)
    # A key that was released in another window works again afterwards.
    once = "{ capture: true, once: true }"
    page.evaluate(f"() => addEventListener('keyup', (event) => event.stopPropagation(), {once})")
    phone.bid.focus()
    page.keyboard.press("Space")
    has_bid("Space")
    step = page.locator("#steps button", has_text="500k")
    step.focus()
    page.keyboard.press("Space")
    assert step.get_attribute("aria-pressed") == "true"
    page.locator("#steps button", has_text="100k").tap()
    page.evaluate("document.getElementById('bid').click()")
    has_bid("click")
    # Scrolling next to the button does not bid.
    page.evaluate("scrollTo(0, 0)")
    drag(phone, "#verdict", [(0, down) for down in range(-10, -120, -10)])
    page.wait_for_function("() => scrollY > 0")
    assert phone.said == []
