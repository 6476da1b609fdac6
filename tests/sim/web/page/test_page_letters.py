"""Font sizes: no text overlaps another or is cut off, and all is legible.

The made-up language is 40 % longer than English, and has accents everywhere: a word without one
does not come from the catalogue.
"""

import io
import itertools
import json
import math
import re

import pygame
import pytest

from city_unit.desktop import catalogue
from sim.web import bundle
from tests.helpers.times import SLOW_MS
from tests.sim.web.conftest import opened, pass_ms, served
from tests.sim.web.page.conftest import (
    FINGER_MS,
    pass_until,
    press,
    until,
    without_notices,
)

pytestmark = pytest.mark.real_time

SIZES = ((320, 568), (390, 844), (844, 390), (1280, 800))
LETTERS = (100, 200)  # percent, as chosen in the browser
MOODS = ("off", "ready", "auction", "warning", "sold", "permit", "over")
CONTRAST = 4.5  # WCAG 2.2, 1.4.3
MADE_UP = "xx"

PLAIN = re.compile(r"(?<!\w)[A-Za-z]*[aceinouyACEINOUY][A-Za-z]*(?!\w)")
NAMES = {"City", "championship", "timed", "world", "min"}
KEYS = {"A", "O", "C"}

# With letters of a size: each visible text, and each part that no text may lie on, with its boxes
# and its room; the texts that are wider than their place; the height of each one's letters; parts
# out of reach of a finger or too small for it; and where a part begins, the same in every state.
LOOK = """size => {
    document.documentElement.style.fontSize = size;
    const dialog = document.querySelector("dialog[open]");
    const PARTS = ["#hour", "#program-button", "#volume", "#full", "#help-button", ".disc"];
    const boxOf = ({ left, top, right, bottom }) => [left, top, right, bottom];
    const seen = [];
    const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, holder = node.parentElement;
        const unseen = ".for-readers, option, script, #slow, #elsewhere, title";
        if (!node.data.trim() || holder.closest(unseen)) continue;
        if (!dialog && holder.closest("dialog")) continue;
        if (!holder.checkVisibility({ visibilityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const place = holder.closest("button:not(.disc button), .words, dialog, #notices p");
        const room = boxOf((place ?? document.documentElement).getBoundingClientRect());
        const pinned = Boolean(holder.closest("dialog > form"));
        if (pinned) [room[1], room[3]] = [0, innerHeight]; // the way out is always in sight
        else if (dialog && place === dialog) [room[1], room[3]] = [-1e9, 1e9]; // it is scrolled
        seen.push({
            text: node.data.trim(),
            lines: [...range.getClientRects()].map(boxOf),
            room,
            pinned,
            part: PARTS.find((name) => holder.closest(name)),
            isPart: false,
        });
    }
    const room = [0, 0, innerWidth, 1e9];
    for (const part of dialog ? [] : PARTS) {
        const box = boxOf(document.querySelector(part).getBoundingClientRect());
        seen.push({ text: part, lines: [box], room, pinned: false, part, isPart: true });
    }
    const texts = ["title", "clock", "below", "detail", "hint"].map((name) =>
        document.getElementById(name));
    const wide = [...texts, document.querySelector("main")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => `${element.id || "main"} is too wide`);
    if (dialog?.scrollTop) wide.push("the dialog does not begin at its top");
    const heights = texts.map((element) => parseFloat(getComputedStyle(element).fontSize));
    const boxes = [...document.querySelectorAll("header button, .disc button, .words > *")]
        .filter((element) => !element.matches(".for-readers") && element.getClientRects().length);
    const small = boxes.filter((element) => {
        const { bottom, width, height } = element.getBoundingClientRect();
        const isButton = element.matches("button");
        return bottom > innerHeight + 1 || (isButton && Math.min(width, height) < 47.9);
    }).map((element) => element.id || element.className);
    const tops = ["detail", "hint", "hour"].map((name) =>
        Math.round(document.getElementById(name).getBoundingClientRect().top));
    return { seen, wide, heights, small, tops };
}"""


def letters(piece, box):
    """Return the box of a line's letters, which are lower than its font."""
    left, top, right, bottom = box
    empty = 0 if piece["isPart"] else 0.15 * (bottom - top)
    return left, top + empty, right, bottom - empty


def faults(seen, width):
    """Return the texts that are cut off, outside the page, or over another text or part."""
    lines = [(piece, letters(piece, box)) for piece in seen for box in piece["lines"]]
    for place, (piece, (left, top, right, bottom)) in enumerate(lines):
        room_left, room_top, room_right, room_bottom = piece["room"]
        if left < -1 or right > width + 1 or left < room_left - 1 or right > room_right + 1:
            yield f"{piece['text']} is too wide"
        if top < room_top - 1 or bottom > room_bottom + 1:
            yield f"{piece['text']} is too high"
        for other, box in lines[:place]:
            if other is piece or other["pinned"] != piece["pinned"]:
                continue
            if "part" in piece and other.get("part") == piece["part"]:
                continue  # the text of that part
            across = min(right, box[2]) - max(left, box[0])
            down = min(bottom, box[3]) - max(top, box[1])
            if across <= 1 or down <= 1:
                continue
            if piece["text"] == ".disc" and is_beside(box, (left, top, right, bottom)):
                continue
            yield f"{piece['text']} lies on {other['text']}"


def is_beside(box, disc):
    """Return whether a box lies outside the round disc."""
    x, y = (disc[0] + disc[2]) / 2, (disc[1] + disc[3]) / 2
    across, down = max(box[0] - x, x - box[2], 0), max(box[1] - y, y - box[3], 0)
    return math.hypot(across, down) > (disc[2] - disc[0]) / 2


@pytest.fixture
def tongues(people, monkeypatch):
    """Return the page in all languages and the made-up one."""
    names = bundle.languages()
    monkeypatch.setattr(bundle, "languages", lambda: {**names, MADE_UP: MADE_UP})
    page = bundle.unit_page()
    table = {text: catalogue.pseudo(text) for text in json.loads(page["fr.json"])}
    page[f"{MADE_UP}.json"] = json.dumps(table).encode()
    page[f"{MADE_UP}.webmanifest"] = page["manifest.webmanifest"]
    with served(page) as server:
        yield opened(people(service_workers="block"), f"http://127.0.0.1:{server.port}/")


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


CHOOSE = """language => {
    const choice = document.querySelector("#language");
    choice.value = language;
    choice.dispatchEvent(new Event("change"));
}"""


def speak(page, language):
    page.evaluate(CHOOSE, language)
    until(page, f"document.documentElement.lang === '{language}'")


def test_no_text_is_cut_off_lies_on_another_or_is_in_english(tongues):
    """In each state, language and size; the title of an auction is largest, and nothing moves."""
    page, wrong, plain, places = tongues, [], set(), {}
    for state in states(page):
        without_notices(page)
        for language in (*catalogue.languages(), MADE_UP):
            speak(page, language)
            for key in ("", "h", "c") if state == "off" else ("",):
                if key:  # the help and settings, and the programs
                    page.keyboard.press(key)
                for width, height in SIZES:
                    page.set_viewport_size({"width": width, "height": height})
                    for percent in LETTERS:
                        looks = page.evaluate(LOOK, f"{percent}%")
                        where = (state, language, key, width, height, percent)
                        assert len(looks["seen"]) > 3
                        found = [*faults(looks["seen"], width), *looks["wide"]]
                        wrong += [(*where, what) for what in found]
                        if language == MADE_UP:
                            texts = (
                                piece["text"] for piece in looks["seen"] if not piece["isPart"]
                            )
                            plain |= {word for text in texts for word in PLAIN.findall(text)}
                        elif percent == 100:
                            assert looks["small"] == [], where
                            tops, heights = looks["tops"], looks["heights"]
                            assert tops == places.setdefault((language, width, height), tops), where
                            if state in ("auction", "warning"):
                                assert heights[0] > 1.3 * max(heights[1:]), (*where, heights)
                if key:
                    page.keyboard.press("Escape")
    assert wrong == []
    assert plain - NAMES - KEYS == set()


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
    """Return the contrast of a text to its painted background, by WCAG 2.2."""
    opacity = text["opacity"]
    mixed = [opacity * a + (1 - opacity) * b for a, b in zip(text["color"], ground, strict=True)]
    darker, lighter = sorted((luminance(mixed), luminance(ground)))
    return (lighter + 0.05) / (darker + 0.05)


def test_every_text_stands_out_from_the_cloth(unit):
    """Measured on a screenshot, at every 8th pixel of each text's box."""
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
    """Whichever texts arrive last; here the French ones."""
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
    """Each accessible name starts with the visible text; the volume is part of its name."""
    assert unit.get_by_role("button", name="Volume: 2 of 3").is_visible()
    unit.keyboard.press("m")
    pass_ms(unit, FINGER_MS)
    unit.get_by_role("button", name="Volume: silent").wait_for()
    speak(unit, "de")
    unit.get_by_role("button", name="Lautstärke: stumm").wait_for()
    speak(unit, "en")
    assert unit.get_by_role("button", name="Programs City").is_visible()
