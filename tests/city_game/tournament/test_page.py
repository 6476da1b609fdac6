"""The pages of a tournament in a real Chromium, for projectors of any size and the referee."""

import os
import re
import subprocess
import sys
from threading import Timer

import pytest

from tests.city_game.phones.table import ROOT
from tests.helpers.needs import needs_posix
from tests.helpers.patience import PATIENCE_S, until

pytestmark = [pytest.mark.real_time, pytest.mark.slow]

# The visible texts that are cut off, outside the window, or too small.
UNREADABLE = """() => [...document.querySelectorAll('h1, #waits li, article:not(.away) *')]
    .filter((one) => one.offsetParent && one.childElementCount === 0 && one.textContent.trim())
    .filter((one) => {
        const box = one.getBoundingClientRect();
        const low = document.getElementById('pages').getBoundingClientRect().top;
        return box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > low + 1
            || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline'
            || parseFloat(getComputedStyle(one).fontSize) < 11;
    })
    .map((one) => one.textContent)"""
SHOWN = (
    "() => [...document.querySelectorAll('article:not(.away) h2')].map((one) => one.textContent)"
)


class Cup:
    """`city-game tournament` as a process, with typed input."""

    def __init__(self, folder, teams):
        rows = (f"The Foxes of Number {team}, Zoé {team}, Ann {team}" for team in range(teams))
        (folder / "teams.txt").write_text("\n".join(rows), encoding="utf-8")
        command = [sys.executable, "-m", "city_game.cli", "--lang", "en", "tournament"]
        command += [str(folder / "cup"), "--teams", str(folder / "teams.txt"), "--seed", "3"]
        self.program = subprocess.Popen(
            [*command, "--rule", "centre_limit"],
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.projector, self.referee = (self._address() for _ in range(2))

    def _address(self):
        waited = Timer(PATIENCE_S, self.program.kill)  # its line is then empty
        waited.start()
        line = self.program.stdout.readline()
        waited.cancel()
        assert "http" in line, "the program printed no address"
        return re.search(r"http\S+", line)[0]

    def type(self, *steps):
        self.program.stdin.write("".join(f"{step}\n" for step in steps))
        self.program.stdin.flush()

    def end(self):
        self.program.communicate("quit\n", PATIENCE_S)
        assert self.program.returncode == 0


@pytest.fixture
def cup(tmp_path, request):
    needs_posix()
    running = Cup(tmp_path, request.param)
    yield running
    if running.program.poll() is None:
        running.end()


TURN_MS = 13_000
SIZES = ((1920, 1080), (640, 480), (390, 844), (3840, 2160))


@pytest.mark.parametrize("cup", [180], indirect=True)
def test_each_of_sixty_tables_can_be_read_on_a_wall_of_any_size(cup, people):
    cup.type("draw", "start", "result 1 5 5 2", "call 2 a deal that one of them denies", "absent 9")
    page = people().new_page()
    page.goto(cup.projector)
    page.get_by_text("a deal that one of them denies").first.wait_for()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("size => innerWidth === size", arg=width)
        page.reload()
        page.locator("article").first.wait_for()
        each_table_can_be_read(page)
    page.evaluate("document.querySelector('article:not(.away) h2').style.fontSize = '9px'")
    assert len(page.evaluate(UNREADABLE)) == 1
    page.evaluate("document.querySelector('h1').style.marginLeft = '-99px'")
    assert len(page.evaluate(UNREADABLE)) == 2
    # The projector turns its pages until they are paused, and shows only some questions.
    page.clock.install()
    page.reload()
    page.locator("article").first.wait_for()
    shown = page.evaluate(SHOWN)
    page.clock.run_for(TURN_MS)
    assert page.evaluate(SHOWN) != shown
    page.keyboard.press("Space")
    shown = page.evaluate(SHOWN)
    page.clock.run_for(TURN_MS)
    assert page.evaluate(SHOWN) == shown
    cup.type(*(f"call {table} a die is lost" for table in range(3, 9)))
    page.locator("#waits li:nth-child(6)", has_text="+ 3").wait_for()


def each_table_can_be_read(page):
    seen = []
    page.keyboard.press("Space")  # stop turning pages automatically
    while not seen or (shown := page.evaluate(SHOWN))[0] != seen[0]:
        seen += page.evaluate(SHOWN) if not seen else shown
        assert page.evaluate(UNREADABLE) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.keyboard.press("ArrowRight")
    assert seen == [f"Table {table}" for table in range(1, 61)]
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(SHOWN)[-1] == "Table 60"


def shows(page, place, words):
    """Wait until the card at a place shows these words."""
    card = page.locator("article").nth(place)
    until(lambda: words in " ".join(card.inner_text().split()), card.inner_text)


@pytest.mark.parametrize("cup", [5], indirect=True)
def test_a_referee_runs_a_tournament_by_the_keyboard(cup, people):
    wall, page = people().new_page(), people().new_page()
    wall.goto(cup.projector), page.goto(cup.referee)

    def press(name, role="button", key="Enter"):
        page.get_by_role(role, name=name).first.focus()
        page.keyboard.press(key)

    cup.type("absent 5")
    shows(wall, 0, "5. The Foxes of Number 4 absent")
    cup.type("late 5")
    wall.get_by_text("absent").wait_for(state="detached")
    press("Draw the next round")
    page.get_by_text("not started").first.wait_for()
    press("Start all clocks")
    wall.get_by_text("dealing out the deeds").first.wait_for()
    fields = page.locator("article").first.get_by_role("textbox")
    fields.first.focus()
    page.keyboard.type("1500")
    cup.type("result 2 7 8")  # another change meanwhile must not discard the input
    wall.get_by_text("✓").first.wait_for()
    for amount in ("1500", "3+4"):
        page.keyboard.press("Tab")
        page.keyboard.type(amount)
    page.keyboard.press("Enter")
    tie = "tie for first place"
    wall.get_by_text(tie).wait_for()
    page.get_by_text(tie).wait_for()
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate("document.documentElement.style.fontSize = '28px'")  # text at 200 %
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    press(re.compile(" advances$"))
    wall.get_by_text(tie).wait_for(state="detached")
    shows(wall, 0, "1,500 next round")
    wall.get_by_text("The next round can be drawn").wait_for()
    step = page.get_by_role("textbox", name="A step, as typed in the terminal")
    for typed, kept in (("callers 1 Blues", ""), ("answer 2", "answer 2")):
        step.fill(typed), step.press("Enter")
        page.get_by_text("has not called" if kept else f"Done: {typed}").wait_for()
        assert step.input_value() == kept
    wall.get_by_text("Blues calls the referee").first.wait_for()
    press("Ruled")
    wall.get_by_text("Blues calls the referee").first.wait_for(state="detached")
    press("Draw the next round")
    wall.get_by_role("heading", name="Final").wait_for()
    wall.get_by_role("heading", name="Round 1").wait_for()
    # The winners of the last round; a clock before and after its start; a corrected result.
    shows(wall, 1, "Round 1 1. The Foxes of Number 4 1,500 2. The Foxes of Number 1 8")
    shows(wall, 0, "The Foxes of Number 4 Zoé 4 2 · Ann 4 4 · bank")
    shows(wall, 0, "50:00 · not started The Foxes of Number 1 Zoé 1 1 · Ann 1 3 The")
    press(re.compile("^Start$"))
    shows(wall, 0, "4:58 ▶ dealing out the deeds")
    cup.type("penalty 2 4 late", "result 1 8 7")
    wall.get_by_text("★ Champions: The Foxes of Number 4").wait_for()
    shows(wall, 0, "The Foxes of Number 1 Zoé 1 1 · Ann 1 3 4 penalty 4 The Foxes of Number 4")
    page.get_by_text("Decide otherwise").click()
    for amount, field in zip(("8", "3"), page.locator("article details input").all(), strict=True):
        field.fill(amount)
    press("Correct the result")
    wall.get_by_text("★ Champions: The Foxes of Number 1").wait_for()
    page.get_by_text("No open questions.").wait_for()
    press("Undo the last step")
    page.get_by_text(re.compile("Done: undo correct 1 ")).wait_for()
    wall.get_by_text("★ Champions: The Foxes of Number 4").wait_for()
    assert wall.get_by_role("button").count() == 0  # the projector has no controls
    cup.end()
    for each in (wall, page):
        each.get_by_text("The tournament does not answer").wait_for()
        each.context.mistakes.clear()  # the browser logs failed connections
