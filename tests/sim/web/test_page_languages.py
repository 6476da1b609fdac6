"""The unit's page in every language: nothing cut off, overlapping, outside or untranslated.

The made-up language is longer than English by 40 %, and has an accent wherever it can: a word
without one does not come from the catalogue. It is served as French, for this test alone.
"""

import json
import re

import pytest

from city_unit.desktop import catalogue
from tests.helpers.times import SLOW_MS
from tests.sim.web.conftest import opened, pass_ms, served, stop_time

pytestmark = [pytest.mark.real_time, pytest.mark.slow]

SIZES = ((390, 844), (844, 390), (320, 568))
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


@pytest.fixture
def strange(people, files):
    """The page in the made-up language; its time stands still between two steps."""
    table = {text: catalogue.strange(text) for text in json.loads(files["fr.json"])}
    with served({**files, "fr.json": json.dumps(table).encode()}) as server:
        context = people(locale="fr", service_workers="block")
        stop_time(context)
        page = opened(context, f"http://127.0.0.1:{server.port}/")
        yield page


def states(page):
    """Bring the page into each of its main states."""
    yield "off"
    page.keyboard.press("h")
    yield "help and settings"
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    yield "programs"
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    pass_ms(page, 1000)
    page.wait_for_selector("body[data-mood=ready]")
    yield "ready"
    page.keyboard.press("b")
    pass_ms(page, 5000)
    page.wait_for_selector("body[data-mood=permit]")
    yield "permit"
    pass_ms(page, 30_000)
    page.wait_for_selector("body[data-mood=ready]")
    page.keyboard.press("a")
    pass_ms(page, 1000)
    page.wait_for_selector("body[data-mood=auction]")
    yield "auction"
    pass_ms(page, SLOW_MS)
    page.wait_for_selector("body[data-mood=warning]")
    yield "warning"
    pass_ms(page, 6_000)
    page.wait_for_selector("body[data-mood=sold]")
    yield "sold"


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


def test_no_text_is_cut_off_lies_on_another_or_is_in_english(strange, tmp_path):
    wrong, plain = set(), set()
    for state in states(strange):
        for width, height in SIZES:
            strange.set_viewport_size({"width": width, "height": height})
            strange.screenshot(path=tmp_path / f"{state} {width}x{height}.png")
            seen = strange.evaluate(SEEN)
            assert len(seen) > 3
            wrong |= {f"{state}, {width}x{height}: {it}" for it in faults(seen, width, height)}
            for piece in seen:
                plain |= set(PLAIN.findall(piece["text"].removeprefix("#hour")))
    print(tmp_path, sorted(plain))
    assert sorted(wrong) == []
    assert plain - NAMES - KEYS == set()


def test_the_page_is_installed_in_the_language_asked_for(people, site, files):
    page = opened(people(locale="fr"), site)
    name = page.get_attribute("link[rel=manifest]", "href")
    manifest = json.loads(files[name])
    assert manifest["lang"] == "fr" and "Monopoly" in manifest["description"]
    assert manifest["description"] != json.loads(files["manifest.webmanifest"])["description"]
    page.keyboard.press("h")
    page.locator("#language").select_option("en")
    page.wait_for_selector("html[lang=en]")
    assert page.get_attribute("link[rel=manifest]", "href") == "manifest.webmanifest"


def test_lengths_have_the_decimal_mark_of_the_language(people, site):
    page = opened(people(locale="fr"), site)
    said = page.evaluate("import('./words.js').then((words) => words.span(1500))")
    assert said == "1,5\u00a0s"
