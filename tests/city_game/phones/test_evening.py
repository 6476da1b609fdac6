"""An evening by telephone: six pages in a real Chromium, on lines with delays of their own."""

import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.request
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import pytest

from city_game.phones import words
from city_game.phones.server import is_at_home
from city_unit.desktop import catalogue
from tests.city_game.phones.slow_lines import SlowLines
from tests.city_game.phones.table import ROOT, Table
from tests.helpers.emulated import ANY_PORT, Emulated
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import until

PAGE = ROOT / "city_game" / "phones" / "page"
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")
DELAYS = ((3, 3, 2), (8, 8, 5), (20, 20, 10), (40, 40, 20), (60, 60, 30), (100, 100, 40))
SEED = "10"

PRESS_AT = """([wall, amount]) => new Promise((done) => {
  const press = () => {
    const button = document.getElementById("bid");
    if (Number(button.dataset.amount) !== amount) return done("shows " + button.dataset.amount);
    const at = performance.timeOrigin + performance.now();
    button.click();
    done(at);
  };
  setTimeout(press, Math.max(0, wall - performance.timeOrigin - performance.now()));
})"""
NOW = "() => performance.timeOrigin + performance.now()"


# Its light stays on for as long as the slowest machine takes to play a sale with six pages.
LONG_LIGHT = """
name = "long-light"
auction = "60 min"
warning = "5 s"
odds = [1, 1, 1, 1]
"""


@pytest.fixture
def unit(tmp_path):
    (tmp_path / "long.toml").write_text(LONG_LIGHT)
    program = str(tmp_path / "long.toml")
    running = Emulated(tmp_path, "--listen", ANY_PORT, "--program", program)
    yield running
    running.stop()


@pytest.fixture
def table(tmp_path, unit):
    needs_posix()
    players = ",".join(NAMES)
    running = Table(tmp_path, "--players", players, "--seed", SEED, "--port", unit.port)
    yield running
    running.end()


@pytest.fixture
def lines(table):
    slow = SlowLines(table.port, DELAYS)
    yield slow
    slow.close()


def seated(people, address, name, **wishes):
    page = people(**wishes).new_page()
    page.goto(address)
    page.locator(".seat", has_text=name).tap()
    page.wait_for_selector("body.seated")
    return page


def who_decides(pages):
    return next((page for page in pages if page.locator("#decide.mine button").count()), None)


def to_a_sale(pages):
    """Have the players do what is first until one has a district auctioned; return that one's."""
    while True:
        page = until(lambda: who_decides(pages))
        labels = page.locator("#decide button").all_inner_texts()
        if "Have it auctioned" in labels:
            page.locator("#decide button").nth(labels.index("Have it auctioned")).tap()
            page.locator("#decide .target").first.tap()
            page.locator("#decide button", has_text="AUCTION").wait_for()
            return page
        title = page.locator("#decide").inner_text()
        page.locator("#decide .target, #decide button.first").first.tap()
        page.wait_for_function(
            "(before) => document.getElementById('decide').innerText !== before", arg=title
        )


def presses(table, sale):
    """Return what is saved of the bids of a sale: (player, counts, at, within)."""
    steps = table.steps()
    starts = [place for place, step in enumerate(steps) if step[0] == "light on"]
    bids = [step for step in steps[starts[sale] :] if step[0] in ("bid", "refused bid")]
    return [(step[1], step[0] == "bid", step[3], step[4]) for step in bids]


@pytest.mark.real_time
def test_six_telephones_play_a_sale_and_a_killed_table_resumes_with_them(
    unit, table, lines, people
):
    pages = [
        seated(people, table.address(port), name)
        for port, name in zip(lines.ports, NAMES, strict=True)
    ]
    opener = to_a_sale(pages)
    opener.locator("#decide button", has_text="AUCTION").tap()
    _press_all_at_once(table, lines, pages, opener)
    _kill_it_in_the_middle(unit, table, pages)


def _press_all_at_once(table, lines, pages, opener):
    """All but the opener press the same amount, 25 ms apart; the slowest line presses first.

    None of them hears meanwhile that another has bid: its button would show another amount.
    """
    bidders = [page for page in pages if page is not opener]
    for page in bidders:
        page.locator("#bid:not([disabled])").wait_for()
    amount = int(bidders[0].locator("#bid").get_attribute("data-amount"))
    with lines.nothing_comes_down():
        begin = bidders[0].evaluate(NOW) + 500
        # The pages wait by themselves; what they return is the truth, by one clock for all.
        for place, page in enumerate(reversed(bidders)):
            page.evaluate(
                f"(told) => {{ window.pressed = ({PRESS_AT})(told); }}",
                [begin + 25 * place, amount],
            )
        truths = {
            NAMES[pages.index(page)]: page.evaluate("() => window.pressed") for page in bidders
        }
        judged = until(lambda: len(found := presses(table, 0)) == len(bidders) and found)
    stamps = {NAMES[player]: (at, within) for player, _, at, within in judged}
    for ann, bob in combinations(stamps, 2):
        error = abs(stamps[ann][0] - stamps[bob][0] - (truths[ann] - truths[bob]))
        assert error <= stamps[ann][1] + stamps[bob][1] + 1, (ann, bob, truths, stamps)
    first = next(NAMES[player] for player, counts, _, _ in judged if counts)
    assert stamps[first][0] == min(at for at, _ in stamps.values())
    begin_at = min(at for at, _ in stamps.values()) - min(truths.values())
    for name, (at, within) in sorted(stamps.items(), key=lambda stamp: truths[stamp[0]]):
        print(f"{name}: judged {at - begin_at - truths[name]:+.0f} ms off, within {within} ms")
    leader = pages[NAMES.index(first)]
    leader.locator("#sale-stands", has_text="You lead").wait_for()
    beaten = next(page for page in bidders if page is not leader)
    beaten.locator("#verdict", has_text="earlier, give or take").wait_for()


def _kill_it_in_the_middle(unit, table, pages):
    """All of it is killed while the light is on; resumed, it is the same evening for all."""
    cash = [page.locator("#cash").inner_text() for page in pages]
    table.kill()
    unit.stop(signal.SIGKILL)
    pages[0].locator("#notice", has_text="does not answer").wait_for()
    unit.start()
    again = Table(table.folder, "--resume", "--port", unit.port)
    assert (again.port, again.code) == (table.port, table.code)
    try:
        opener = until(lambda: who_decides(pages))
        assert [page.locator("#cash").inner_text() for page in pages] == cash
        opener.locator("#decide button", has_text="AUCTION").tap()
        bidder = next(page for page in pages if page is not opener)
        bidder.locator("#bid:not([disabled])").tap()
        bidder.locator("#sale-stands", has_text="You lead").wait_for()
    finally:
        again.end()
    for page in pages:  # while there was no table no line could be opened, which is no mistake
        mistakes = page.context.mistakes
        mistakes[:] = [mistake for mistake in mistakes if "WebSocket" not in mistake]


@pytest.mark.real_time
def test_a_telephone_that_is_reloaded_lost_or_replaced_has_lost_nothing(table, people):
    ann = seated(people, table.address(), "Ann", locale="fr")
    seen = people()
    watcher = seen.new_page()
    watcher.goto(f"{table.address()}#watch")
    watcher.locator("#everybody").wait_for()
    assert watcher.locator(".seat").count() == watcher.locator("#deeds:visible").count() == 0
    ann.reload()
    ann.wait_for_selector("body.seated")
    assert ann.locator("#who").inner_text() == "Ann"
    ann.context.set_offline(True)
    ann.context.set_offline(False)
    ann.wait_for_selector("body.seated:not(.alone)")
    other = people().new_page()
    other.goto(table.address())
    other.locator(".seat", has_text="Ann").locator("small").wait_for()
    asked = []
    other.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    other.locator(".seat", has_text="Ann").tap()
    until(lambda: other.evaluate("() => 1") and asked)  # and not: one tap puts nobody out
    assert "Ann" in asked[0] and ann.locator("body.seated").count() == 1
    other.once("dialog", lambda dialog: dialog.accept())
    other.locator(".seat", has_text="Ann").tap()
    other.wait_for_selector("body.seated")
    ann.locator("#notice", has_text="Un autre téléphone").wait_for()
    assert not ann.locator("#deeds").is_visible()


@pytest.mark.real_time
def test_a_referee_sees_several_tables_on_one_page(table, tmp_path, people):
    folder = tmp_path / "another room"
    folder.mkdir()
    other = Table(folder, "--players", "Zoé,Yan", "--seed", SEED)
    try:
        assert (other.port, other.code) != (table.port, table.code)
        page = people().new_page()
        page.goto(f"{table.address()}#referee")
        page.locator("#table-address").fill(other.address())
        page.locator("#referee button", has_text="Look at it").tap()
        page.locator("#referee h3", has_text="Zoé, Yan").wait_for()
        assert page.locator("#referee article").count() == 2
        page.reload()  # the tables are remembered
        page.locator("#referee h3", has_text="Zoé, Yan").wait_for()
        page.locator("#referee button", has_text="Look no more").tap()
        page.wait_for_function("() => document.querySelectorAll('#referee article').length === 1")
    finally:
        other.end()


@pytest.mark.real_time
def test_a_stranger_gets_nothing(table):
    code = table.code
    inside = (f"{code}/../seats.py", f"{code}/seats.py", f"{code}/player/more")
    for path in ("", "x/", f"{code[:-1]}/", f"{code}x/", *inside, "telephones.json"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{table.port}/{path}")
        assert refused.value.code == 404, path
    with urllib.request.urlopen(table.address()) as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.real_time
def test_a_page_from_elsewhere_may_not_play(table):
    from websockets.exceptions import ConnectionClosed, InvalidStatus
    from websockets.sync.client import connect

    address = table.address(role="player").replace("http", "ws")
    for origin in ("http://evil.example", f"http://evil.example:{table.port}", "null"):
        with pytest.raises(InvalidStatus) as refused, connect(address, origin=origin):
            pass
        assert refused.value.response.status_code == 403
    host = {"Host": f"evil.example:{table.port}"}  # a name that was made to point here
    with (
        pytest.raises(InvalidStatus),
        connect(address, origin=f"http://{host['Host']}", additional_headers=host),
    ):
        pass
    own = f"http://127.0.0.1:{table.port}"
    with suppress(ConnectionClosed), connect(address, origin=own) as line:
        for junk in ("{", "x" * 4000, b"\x00", '{"pong": [], "at": {}}', '{"pong": 1}'):
            line.send(junk)
        line.send('{"n": 0, "say": "hello"}')
        assert until(lambda: "welcome" in line.recv())
        for _ in range(2000):
            line.send("{}")
        until(lambda: _is_closed(line))


def _is_closed(line):
    from websockets.exceptions import ConnectionClosed

    try:
        line.recv(timeout=0.1)
    except ConnectionClosed:
        return True
    except TimeoutError:
        line.send("{}")
    return False


@pytest.mark.parametrize(
    ("remote", "at_home"),
    [
        (("127.0.0.1", 1), True), (("192.168.1.7", 1), True), (("10.0.0.9", 1), True),
        (("172.20.0.4", 1), True), (("169.254.3.4", 1), True), (("8.8.8.8", 1), False),
        (("fe80::1%eth0", 1, 0, 0), True), (("::ffff:192.168.1.7", 1, 0, 0), True),
        (("::ffff:8.8.8.8", 1, 0, 0), False), (("2a00:1450::1", 1, 0, 0), False),
        (("fd00::7", 1), True), (None, False), ((), False), (("nonsense",), False),
    ],
)  # fmt: skip
def test_only_the_home_network_comes_in(remote, at_home):
    assert is_at_home(remote) is at_home


@pytest.mark.real_time
def test_a_sum_is_understood_however_it_is_written(table, people):
    page = people().new_page()
    page.goto(table.address())
    sums = {"0,4": 40, "0.4": 40, "400k": 40, " 1.5 ": 150, "1,50": 150, "12": 1200, ",5": 50}
    sums |= {"2M": 200} | dict.fromkeys(("", "x", "1.005", "5k", "-1", "1e3"))
    parse = "(texts) => import('./words.js').then(({ parse }) => texts.map(parse))"
    assert page.evaluate(parse, list(sums)) == list(sums.values())
    show = "(sums) => import('./words.js').then(({ show }) => sums.map(show))"
    assert page.evaluate(show, [0, 1, 40, 100, 150, 3770, -40]) == [
        "0", "10k", "400k", "1M", "1.5M", "37.7M", "−400k",
    ]  # fmt: skip


SHOW_SALE = """() => {
  document.styleSheets[0].insertRule("#sale { display: grid !important }");
  document.body.style.paddingBottom = "3000px";
}"""
SHOW_BUTTON = """() => {
  const button = document.getElementById("bid");
  Object.assign(button.dataset, { amount: 7 });
  button.hidden = button.disabled = false;
  button.scrollIntoView({ block: "center" });
  document.getElementById("verdict").textContent = "";
}"""
BIDS = """() => {
  window.bids = [];
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    if (JSON.parse(text).say === "bid") window.bids.push(JSON.parse(text).amount);
    send.call(this, text);
  };
}"""


def drag(page, touch, target, path):
    """Put a finger on the middle of something, move it along a path, and lift it."""
    box = page.locator(target).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    at = [{"x": x, "y": y}]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    bids = page.evaluate("() => window.bids.length")  # before the finger is lifted
    for across, down in path:
        at = [{"x": x + across, "y": y + down}]
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    return bids


WOBBLES = {
    "still": [],
    "up": [(0, -9), (0, -18)],
    "down": [(1, 12), (2, 24)],
    "aside": [(9, 0), (18, 0)],
    "far": [(0, -40), (0, -90), (0, -140)],
}


@pytest.mark.real_time
def test_a_finger_bids_when_it_comes_down_however_it_wobbles_then(table, people):
    """Once: neither the lifting nor the click that a browser makes of it bids again."""
    page = seated(people, table.address(), "Ann")
    page.evaluate(SHOW_SALE)
    page.evaluate(BIDS)
    touch = page.context.new_cdp_session(page)
    for count, path in enumerate(WOBBLES.values(), 1):
        page.evaluate(SHOW_BUTTON)
        before = page.evaluate("() => window.scrollY")
        assert drag(page, touch, "#bid", path) == count
        page.wait_for_function("() => document.getElementById('verdict').textContent")
        assert page.evaluate("() => [window.scrollY, window.bids]") == [before, [7] * count]


@pytest.mark.real_time
def test_a_finger_that_scrolls_beside_the_button_does_not_bid(table, people):
    page = seated(people, table.address(), "Ann")
    page.evaluate(SHOW_SALE)
    page.evaluate(BIDS)
    page.evaluate(SHOW_BUTTON)
    touch = page.context.new_cdp_session(page)
    before = page.evaluate("() => window.scrollY")
    drag(page, touch, "#verdict", [(0, down) for down in range(-10, -120, -10)])
    page.wait_for_function("before => window.scrollY > before", arg=before)
    assert page.evaluate("() => window.bids") == []


SHOW_HAND = """async ([you, phase]) => {
  const { Hand } = await import("./hand.js");
  const proposals = [{ number: 1, mine: false, other: 0, you_give: "this", you_get: "that" }];
  const hand = { options: [], owes: null, proposals, deeds: [], jail_cards: 0, dodge: false };
  const looks = { colour: "red", shape: "circle", cash: 1, worth: 1, alive: true, deeds: [] };
  const players = ["Ann", "Bob"].map((name) => ({ name, ...looks }));
  new Hand(() => {}).show({
    you, phase, decider: 0, title: "Ann decides", detail: "You own nothing yet.",
    players, hand, latest: [], winners: [], step: 0,
  });
  const agree = document.querySelector("#proposals .first");
  const words = document.getElementById("decide").textContent;
  const isAsleep = agree.disabled;
  await new Promise((done) => new MutationObserver(done).observe(agree, { attributes: true }));
  return [words.includes("You own"), isAsleep, agree.disabled];
}"""


@pytest.mark.real_time
@pytest.mark.parametrize(
    ("you", "phase", "is_said"),
    [(0, "manage", True), (1, "manage", False), (1, "deal", True), (1, "over", True)],
)
def test_what_helps_to_decide_is_said_to_whoever_decides(table, people, you, phase, is_said):
    """And a deal that has just come cannot be agreed to by a finger that meant another button."""
    page = people().new_page()
    page.goto(table.address())
    page.wait_for_selector(".seat")  # from now on the page itself paints no hand
    assert page.evaluate(SHOW_HAND, [you, phase]) == [is_said, True, False]


@pytest.mark.real_time
def test_a_key_and_a_click_alone_bid_as_well(table, people):
    """A key once, however long it is held; a click alone is what a screen reader sends."""
    page = seated(people, table.address(), "Ann")
    page.evaluate(SHOW_SALE)
    page.evaluate(BIDS)
    presses = ("Enter", " ", "click")
    for count, way in enumerate(presses, 1):
        page.evaluate(SHOW_BUTTON)
        if way == "click":
            page.evaluate("() => document.getElementById('bid').click()")
        else:
            page.locator("#bid").focus()
            page.keyboard.down(way)
            page.keyboard.down(way)  # it repeats
            page.keyboard.up(way)
        page.wait_for_function("() => document.getElementById('verdict').textContent")
        assert page.evaluate("() => window.bids") == [7] * count, way


@pytest.mark.real_time
def test_nobody_bids_what_could_not_be_read_yet(table, people):
    """A finger that is on its way when the amount changes bids the amount that was there."""
    page = seated(people, table.address(), "Ann")
    said = page.evaluate(
        """async () => {
          const { Label } = await import("./sale.js");
          const label = new Label(document.createElement("button"));
          label.say(50, 1000);
          const meant = [1001, 1149, 1150].map((at) => label.meant(at));
          label.say(60, 2000);
          label.say(70, 2040);
          return [...meant, ...[2041, 2150, 2190].map((at) => label.meant(at))];
        }"""
    )
    assert said == [0, 0, 50, 50, 50, 70]


@pytest.mark.slow
def test_a_countdown_does_not_begin_anew_when_another_step_is_chosen(table, people):
    """What is shown again is as old as it was."""
    page = seated(people, table.address(), "Ann")
    ends = page.evaluate(
        """async () => {
          const { Sale } = await import("./sale.js");
          const sale = new Sale(() => {});
          const view = {
            phase: "bidding", you: -1, players: [], hand: null,
            sale: { number: 0, left: 30000, whole: 60000, leader: -1, bids: [], warning: 5000 },
          };
          sale.show(view);
          const first = sale.endsAt;
          await new Promise((done) => setTimeout(done, 50));
          sale.show(view);
          return [first, sale.endsAt];
        }"""
    )
    assert ends[0] == ends[1]


def test_every_text_of_the_page_is_in_the_catalogue():
    """And none is there that the page does not say."""
    with catalogue.spoken("en"):
        known = set(words.page_words())
    said = set()
    for path in Path(PAGE).iterdir():
        text = path.read_text(encoding="utf-8")
        said |= set(re.findall(r'say\(\s*"((?:[^"\\]|\\.)*)"', text))
        said |= set(re.findall(r'data-say="([^"]*)"', text))
    assert said == known


@pytest.mark.slow
def test_the_types_of_the_scripts():
    tsc = ROOT / "tests/wasm/node_modules/.bin/tsc"
    needs(tsc.exists() and shutil.which("node"), "TypeScript")
    command = [str(tsc), "-p", str(Path(__file__).parent / "tsconfig.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout + done.stderr == ""
