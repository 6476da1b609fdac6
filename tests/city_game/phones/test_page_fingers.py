"""Effects of a finger, a key and a click at a telephone's page, and its texts."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.city_game.phones.alone import PROPOSAL, Alone, hand, player, sale_view, view
from tests.city_game.phones.table import NAMES, ROOT, SEED, Table, seated
from tests.helpers.needs import needs, needs_posix


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    needs_posix()
    folder = tmp_path_factory.mktemp("table")
    running = Table(folder, "--players", ",".join(NAMES), "--seed", SEED)
    yield running
    running.end()


PAGE = ROOT / "city_game" / "phones" / "page"


@pytest.mark.real_time
def test_a_sum_is_understood_however_it_is_written(files, people):
    page = Alone(people, files).page
    sums = {"0,4": 40, "0.4": 40, "400k": 40, " 1.5 ": 150, "1,50": 150, "12": 1200, ",5": 50}
    sums |= {"2M": 200} | dict.fromkeys(("", "x", "1.005", "5k", "-1", "1e3"))
    parse = "(texts) => import('./words.js').then(({ parse }) => texts.map(parse))"
    assert page.evaluate(parse, list(sums)) == list(sums.values())
    show = "(sums) => import('./words.js').then(({ show }) => sums.map(show))"
    assert page.evaluate(show, [0, 1, 40, 100, 150, 3770, -40]) == [
        "0", "10k", "400k", "1M", "1.5M", "37.7M", "−400k",
    ]  # fmt: skip


UNTOUCHED = """
  window.hums = 0;
  navigator.vibrate = () => { window.hums++; return false; };
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false } });
"""


@pytest.mark.real_time
def test_a_page_that_nobody_has_touched_yet_does_not_stir(table, people):
    """A browser lets no page hum before a touch, and complains of one that tries."""
    page = seated(people, table.address(), "Ann")
    page.locator("#decide.mine button").first.wait_for()
    again = page.context.new_page()  # with Ann's seat, as a telephone that was started anew
    again.add_init_script(UNTOUCHED)
    again.goto(table.address())
    again.locator("#decide.mine button").first.wait_for()
    assert again.evaluate("window.hums") == 0


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


SHOW_HAND = """async (view) => {
  const { Hand } = await import("./hand.js");
  new Hand(() => {}).show(view);
  const agree = document.querySelector("#proposals .first");
  const words = document.getElementById("decide").textContent;
  const isAsleep = agree.disabled;
  await new Promise((done) => new MutationObserver(done).observe(agree, { attributes: true }));
  return [words.includes("You own"), isAsleep, agree.disabled];
}"""


@pytest.mark.real_time
def test_what_helps_to_decide_is_said_to_whoever_decides(files, people):
    """And a deal that has just come cannot be agreed to by a finger that meant another button."""
    several = ((0, "manage", True), (1, "manage", False), (1, "deal", True), (1, "over", True))
    for you, phase, is_said in several:
        said = {"you": you, "decider": 0, "detail": "You own nothing yet."}
        shown = view(phase, [player("Ann"), player("Bob")], hand=hand(proposals=[PROPOSAL]), **said)
        page = Alone(people, files).page
        assert page.evaluate(SHOW_HAND, shown) == [is_said, True, False], (you, phase)


@pytest.mark.real_time
def test_a_key_and_a_click_alone_bid_as_well(table, people):
    """A key once, however long it is held; a screen reader sends a click alone."""
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
def test_nobody_bids_what_could_not_be_read_yet(files, people):
    """A finger that is on its way when the amount changes bids the amount that was there."""
    page = Alone(people, files).page
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
def test_a_countdown_does_not_begin_anew_when_another_step_is_chosen(files, people):
    """A figure shown again is as old as it was."""
    page = Alone(people, files).page
    ends = page.evaluate(
        """async (view) => {
          const { Sale } = await import("./sale.js");
          const sale = new Sale(() => {});
          sale.show(view);
          const first = sale.endsAt;
          await new Promise((done) => setTimeout(done, 50));
          sale.show(view);
          return [first, sale.endsAt];
        }""",
        sale_view(),
    )
    assert ends[0] == ends[1]


@pytest.mark.slow
def test_the_types_of_the_scripts():
    tsc = ROOT / "tests/wasm/node_modules/.bin/tsc"
    needs(tsc.exists() and shutil.which("node"), "TypeScript")
    command = [str(tsc), "-p", str(Path(__file__).parent / "tsconfig.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout + done.stderr == ""
