"""Letters of every size: nothing lies over another or is cut off, and all can be read.

The made-up language is longer than English by 40 %, and has an accent wherever it can: a word
without one does not come from the catalogue.
"""

import io
import itertools
import json
import re

import pygame
import pytest

from city_unit.desktop import catalogue
from tests.helpers.times import SLOW_MS
from tests.sim.web.conftest import opened, pass_ms, served
from tests.sim.web.page.doing import (
    FINGER_MS,
    pass_until,
    press,
    until,
    without_notices,
)

pytestmark = pytest.mark.real_time

SIZES = ((320, 568), (390, 844), (844, 390), (1280, 800))
LETTERS = (100, 200)  # percent, as a person has chosen them in the browser
MOODS = ("off", "ready", "auction", "warning", "sold", "permit", "over")
CONTRAST = 4.5  # WCAG 2.2, 1.4.3

# Which parts lie over one another or stand out at a side.
OVERLAPS = """() => {
    const isBeside = (disc, { left, right, top, bottom }) => { // since the disc is round
        const [x, y] = [(disc.left + disc.right) / 2, (disc.top + disc.bottom) / 2];
        const [wide, high] = [Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0)];
        return Math.hypot(wide, high) > (disc.right - disc.left) / 2;
    };
    const words = "#clock #below #title #detail #hint #hour .disc";
    const buttons = "#program-button #volume #full #help-button";
    const parts = `${words} ${buttons}`.split(" ").map((name) => {
        const element = document.querySelector(name);
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const shown = right > left && (element.textContent || !name.startsWith("#h"));
        return { name, left, right, top, bottom, shown };
    }).filter(({ shown }) => shown);
    const wrong = parts.filter(({ left, right }) => left < -1 || right > innerWidth + 1)
        .map(({ name }) => `${name} outside`);
    for (const [place, one] of parts.entries())
        for (const other of parts.slice(place + 1)) {
            const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            if (one.name === ".disc" && isBeside(one, other)) continue;
            if (wide > 1 && high > 1) wrong.push(`${one.name} and ${other.name}: ${high} px`);
        }
    for (const name of ["#clock", "#below", "#title", "#detail", "#hint", "main"]) {
        const element = document.querySelector(name);
        if (element.scrollWidth > element.clientWidth + 1) wrong.push(`${name} too wide`);
    }
    return wrong;
}"""


PLAIN = re.compile(r"(?<!\w)[A-Za-z]*[aceinouyACEINOUY][A-Za-z]*(?!\w)")
NAMES = {"City", "championship", "timed", "world", "min"}
KEYS = {"A", "O", "C"}

# Each visible piece of text: its words, its boxes line by line, and its element.
SEEN = """() => {
    const dialog = document.querySelector("dialog[open]");
    const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
    const seen = [];
    while (walker.nextNode()) {
        const node = walker.currentNode, holder = node.parentElement;
        const unseen = ".for-readers, option, script, #slow, #elsewhere, title";
        if (!node.data.trim() || holder.closest(unseen)) continue;
        if (!dialog && holder.closest("dialog")) continue;
        if (!holder.checkVisibility({ visibilityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const lines = [...range.getClientRects()].map(
            ({ left, top, right, bottom }) => [left, top, right, bottom],
        );
        const room = holder.closest("button:not(.disc button), .words, dialog, #notices p");
        const box = (room ?? document.documentElement).getBoundingClientRect();
        const scrolled = dialog && room === dialog;
        seen.push({
            text: node.data.trim(),
            lines,
            room: [box.left, scrolled ? -1e9 : box.top, box.right, scrolled ? 1e9 : box.bottom],
            pinned: Boolean(holder.closest("dialog > form")),
        });
    }
    const hour = document.querySelector("#hour").getBoundingClientRect();
    if (!dialog) seen.push({
        text: "#hour",
        lines: [[hour.left, hour.top, hour.right, hour.bottom]],
        room: [0, 0, innerWidth, innerHeight],
        pinned: false,
    });
    return seen;
}"""


def letters(box):
    """Return where the letters of a line are: less high than what their font may have."""
    left, top, right, bottom = box
    empty = 0.15 * (bottom - top)
    return left, top + empty, right, bottom - empty


def faults(seen, width, height):
    """Return the texts that are cut off, outside or on another."""
    lines = [(piece, letters(box)) for piece in seen for box in piece["lines"]]
    for place, (piece, (left, top, right, bottom)) in enumerate(lines):
        room_left, room_top, room_right, room_bottom = piece["room"]
        if left < -1 or right > width + 1 or left < room_left - 1 or right > room_right + 1:
            yield f"{piece['text']} is too wide"
        if top < room_top - 1 or bottom > room_bottom + 1:
            yield f"{piece['text']} is too high"
        for other, box in lines[:place]:
            if other is piece or other["pinned"] != piece["pinned"]:
                continue
            across = min(right, box[2]) - max(left, box[0])
            down = min(bottom, box[3]) - max(top, box[1])
            if across > 1 and down > 1:
                yield f"{piece['text']} lies on {other['text']}"


@pytest.fixture
def strange(people, files):
    """The page in the made-up language, which is served as French."""
    table = {text: catalogue.strange(text) for text in json.loads(files["fr.json"])}
    with served({**files, "fr.json": json.dumps(table).encode()}) as server:
        context = people(locale="fr", service_workers="block")
        yield opened(context, f"http://127.0.0.1:{server.port}/")


def states(page):
    """Bring the unit from one state to the next."""
    for state, go_on in (
        ("off", lambda: press(page, "o")),
        ("ready", lambda: press(page, "b")),
        ("drawing", lambda: pass_until(page, "permit-granted")),
        ("permit", lambda: (pass_ms(page, 30_000), press(page, "a"))),
        ("auction", lambda: pass_ms(page, SLOW_MS)),
        ("warning", lambda: pass_until(page, "auction-ended")),
        ("sold", lambda: None),
    ):
        page.wait_for_selector(f"body[data-mood={state}]")
        yield state
        go_on()


def test_no_text_is_cut_off_lies_on_another_or_is_in_english(strange):
    wrong, plain = [], set()
    for state in states(strange):
        without_notices(strange)
        for key in ("", "h", "c") if state == "off" else ("",):
            if key:  # the help and settings, and the programs
                strange.keyboard.press(key)
            for width, height in SIZES:
                strange.set_viewport_size({"width": width, "height": height})
                seen = strange.evaluate(SEEN)
                assert len(seen) > 3
                where = (state, key, width, height)
                wrong += [(*where, what) for what in faults(seen, width, height)]
                for piece in seen:
                    plain |= set(PLAIN.findall(piece["text"].removeprefix("#hour")))
            if key:
                strange.keyboard.press("Escape")
    assert wrong == []
    assert plain - NAMES - KEYS == set()


CHOOSE = """language => {
    const choice = document.querySelector("#language");
    choice.value = language;
    choice.dispatchEvent(new Event("change"));
}"""


def speak(page, language):
    page.evaluate(CHOOSE, language)
    until(page, f"document.documentElement.lang === '{language}'")


def test_no_part_lies_over_another_and_the_word_of_an_auction_is_largest(unit):
    wrong = []
    places = {}
    for state in states(unit):
        without_notices(unit)
        for language in catalogue.languages():
            speak(unit, language)
            for (width, height), percent in itertools.product(SIZES, LETTERS):
                unit.set_viewport_size({"width": width, "height": height})
                where = (state, language, f"{width}x{height}", percent)
                found, heights, small, tops = unit.evaluate(LAID_OUT, f"{percent}%")
                wrong += [(*where, what) for what in found]
                if percent == 100:
                    assert small == [], where
                    assert tops == places.setdefault((language, width, height), tops), where
                if state in ("auction", "warning") and percent == 100:
                    assert heights[0] > 1.3 * max(heights[1:]), (*where, heights)
    assert wrong == []


# Overlaps with letters of a size, the height of each text's letters, parts out of reach of a finger
# or too small for it, and where a part begins: the same in every state.
LAID_OUT = f"""size => {{
    document.documentElement.style.fontSize = size;
    const heights = ["title", "clock", "below", "detail", "hint"].map((name) =>
        parseFloat(getComputedStyle(document.getElementById(name)).fontSize));
    const boxes = [...document.querySelectorAll("header button, .disc button, .words > *")]
        .filter((element) => !element.matches(".for-readers") && element.getClientRects().length);
    const small = boxes.filter((element) => {{
        const {{ bottom, width, height }} = element.getBoundingClientRect();
        const isButton = element.matches("button");
        return bottom > innerHeight + 1 || (isButton && Math.min(width, height) < 47.9);
    }}).map((element) => element.id || element.className);
    const tops = ["detail", "hint", "hour"].map((name) =>
        Math.round(document.getElementById(name).getBoundingClientRect().top));
    return [({OVERLAPS})(), heights, small, tops];
}}"""

TEXTS = """() => ["clock", "below", "title", "detail", "hint"].map((name) => {
    const element = document.getElementById(name);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { color, opacity } = getComputedStyle(element);
    const parts = color.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const box = [left, top, right, bottom].map(Math.round);
    return { name, box, color: parts, opacity: Number(opacity) };
})"""


def luminance(color):
    parts = [part / 255 for part in color]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(text, ground):
    """Return the contrast of a text on the ground as it is painted, by WCAG 2.2."""
    opacity = text["opacity"]
    mixed = [opacity * a + (1 - opacity) * b for a, b in zip(text["color"], ground, strict=True)]
    darker, lighter = sorted((luminance(mixed), luminance(ground)))
    return (lighter + 0.05) / (darker + 0.05)


def test_every_text_stands_out_from_the_cloth(unit):
    """Measured on the picture that the browser paints, at every 8th pixel of each text's room."""
    worst = {}
    looks = [*((mood, False) for mood in MOODS), ("auction", True)]
    for (width, height), (mood, lit) in itertools.product(((390, 844), (844, 390)), looks):
        unit.set_viewport_size({"width": width, "height": height})
        unit.evaluate(
            """([mood, lit]) => {
                document.body.dataset.mood = mood;
                document.body.classList.toggle("lit", lit);
                for (const name of ["clock", "below", "title", "detail", "hint"]) {
                    const element = document.getElementById(name);
                    element.textContent = "Auction";
                    element.style.visibility = "visible";
                }
            }""",
            [mood, lit],
        )
        without_notices(unit)
        texts = unit.evaluate(TEXTS)
        unit.evaluate("document.querySelector('.words').style.visibility = 'hidden'")
        unit.evaluate(
            "document.querySelectorAll('.words p, h1').forEach((p) => p.style.visibility = '')"
        )
        picture = pygame.image.load(io.BytesIO(unit.screenshot()), "cloth.png")
        unit.evaluate("document.querySelector('.words').style.visibility = ''")
        for text in texts:
            left, top, right, bottom = text["box"]
            grounds = {
                tuple(picture.get_at((x, y)))[:3]
                for x in range(max(left, 0), min(right, width), 8)
                for y in range(max(top, 0), min(bottom, height), 8)
            }
            worst[width, mood, lit, text["name"]] = min(
                contrast(text, ground) for ground in grounds
            )
    assert {key: value for key, value in worst.items() if value < CONTRAST} == {}


def test_of_languages_in_quick_succession_the_last_one_is_spoken(unit):
    """However long the texts of another take: here the French ones come last."""
    unit.evaluate(
        """() => {
            const real = fetch;
            window.fetch = async (name, more) => {
                const answer = await real(name, more);
                if (name === "fr.json" && !more) await new Promise((go) => (window.go = go));
                return answer;
            };
        }"""
    )
    unit.evaluate(CHOOSE, "fr")
    until(unit, "window.go")
    speak(unit, "de")
    unit.evaluate("go()")
    unit.evaluate(
        "fetch('fr.json', { cache: 'reload' }).then((answer) => answer.json()).catch(() => 0)"
    )
    assert unit.evaluate("document.documentElement.lang") == "de"


def test_the_volume_and_the_programs_button_say_what_they_show(unit):
    """Each name begins with the words on the button; the volume is a part of its name."""
    assert unit.get_by_role("button", name="Volume: 2 of 3").is_visible()
    unit.keyboard.press("m")
    pass_ms(unit, FINGER_MS)
    unit.get_by_role("button", name="Volume: silent").wait_for()
    speak(unit, "de")
    unit.get_by_role("button", name="Lautstärke: stumm").wait_for()
    speak(unit, "en")
    assert unit.get_by_role("button", name="Programs City").is_visible()
