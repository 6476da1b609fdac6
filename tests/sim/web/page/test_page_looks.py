"""The languages of the page, its notices at every size, and its help on a telephone."""

import json
import re

import pytest

from sim.face.parts import polar
from sim.web.disc import Pen
from tests.sim.web.conftest import opened, pass_ms
from tests.sim.web.page.conftest import FINGER_MS, press, title

pytestmark = [pytest.mark.real_time, pytest.mark.slow]

RETURN_MS = 6000  # as RETURN_MS in app.js
MANIFEST = "link[rel=manifest]"
SIZES = ((390, 844), (820, 1180), (1280, 800), (844, 390), (320, 568), (1920, 1080))


INK = (0, 0, 0)
WITHIN = """([path, points]) => {
    const disc = document.querySelector(".disc-picture");
    const shape = disc.appendChild(document.createElementNS(disc.namespaceURI, "path"));
    shape.setAttribute("d", path);
    const within = points.map(([x, y]) => shape.isPointInFill(new DOMPoint(x, y)));
    shape.remove();
    return within;
}"""


def drawn(draw):
    """Return the SVG that a pen writes."""
    draw(pen := Pen())
    return pen.text()


def test_french(people, site, files):
    page = opened(people(locale="fr-FR"), site)
    assert page.evaluate("document.documentElement.lang") == "fr"
    for key, part in (("AUCTION", ".press-auction"), ("BUILD", ".press-build")):
        label = page.locator(f"text[data-say={key}]").bounding_box()
        button = page.locator(part).bounding_box()
        assert button["x"] + 4 < label["x"]
        assert label["x"] + label["width"] < button["x"] + button["width"] - 4
    [path] = re.findall('d="(.*?)"', drawn(lambda pen: pen.bands([(0.5, 1, 20, 80)], INK)))
    radii = [0.48, 0.52, 0.98, 1.02]  # the arcs bend outwards
    points = [[100 * part for part in polar(radius, 50)] for radius in radii]
    assert page.evaluate(WITHIN, [path, points]) == [False, True, True, False]
    assert 'rx="15"' in drawn(lambda pen: pen.box((0, 0, 1, 1), INK, radius=0.2, line=0.1))
    page.get_by_role("switch", name="Interrupteur").click()
    pass_ms(page, FINGER_MS)
    page.get_by_role("button", name="ENCHÈRES").click()
    pass_ms(page, FINGER_MS)
    title(page, "Enchères")
    assert page.locator("text[data-say=AUCTION]").text_content() == "ENCHÈRES"
    assert page.text_content("#news") == "Enchères"
    page.keyboard.press("h")
    assert page.inner_text("#below") == "avant la fin de la partie"
    page.get_by_label("Montrer les secondes").check()  # of an auction: hidden by default
    assert page.inner_text("#below") == "avant la fin de l’enchère"
    assert re.fullmatch(r"0:[45]\d", page.inner_text("#clock"))
    said = page.evaluate("import('./words.js').then((words) => words.span(1500))")
    assert said == "1,5\u00a0s"
    manifest = json.loads(files[page.get_attribute(MANIFEST, "href")])
    assert manifest["lang"] == "fr" and "Monopoly" in manifest["description"]
    assert manifest["description"] != json.loads(files["manifest.webmanifest"])["description"]
    page.evaluate("noted.contexts.at(-1).suspend()")  # until the next touch or key
    page.get_by_text("Le son est bloqué.").wait_for()
    page.get_by_label("Langue").select_option("en")
    title(page, "Auction")
    assert page.text_content("#news") == "Auction"  # for a screen reader
    page.get_by_text("The sound is blocked.").wait_for()
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.get_attribute(MANIFEST, "href") == "manifest.webmanifest"


NOTICE = """() => {
    const hidden = ["[data-lamp]", ".disc button", ".words > :not(.for-readers)"];
    const box = document.querySelector("#notices p").getBoundingClientRect();
    return hidden.flatMap((selector) => [...document.querySelectorAll(selector)]).filter((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    }).map((part) => part.id || part.className.baseVal || part.className);
}"""


def test_a_notice_covers_nothing_and_a_touch_anywhere_gives_the_sound_back(people, site):
    page = opened(people(locale="fr"), site)
    press(page, "o")
    page.wait_for_selector("body[data-mood=ready]")
    press(page, "a")
    page.wait_for_selector("body[data-mood=auction]")
    page.reload()
    page.wait_for_selector("body.alive[data-mood=auction] [data-notice=sound]")
    band = page.locator("[data-notice=sound]")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(NOTICE) == []
        for words in ("#hint", "#hour"):
            look = page.locator(words).evaluate("part => getComputedStyle(part).visibility")
            assert look == "visible"
        box = band.bounding_box()
        assert box["height"] < 40 and box["width"] <= width  # one line
    pass_ms(page, RETURN_MS)
    assert band.get_by_role("button").is_visible()
    page.locator("#below").tap()
    band.wait_for(state="detached")
    assert page.evaluate("app.speaker.state") == "running"


def test_on_a_telephone_the_help_is_for_fingers(people, site):
    page = opened(people(locale="fr", is_mobile=True), site)
    page.get_by_role("button", name="Aide et réglages").tap()
    assert page.get_by_text("Touches", exact=True).is_hidden()
    boxes = [part.bounding_box() for part in page.locator("#help :is(label:has(input), a)").all()]
    assert len(boxes) == 5
    assert all(box["height"] >= 48 for box in boxes)
    left = page.locator("#seconds").bounding_box()["x"]
    assert left == page.locator("#help h2").first.bounding_box()["x"]
    text = page.locator("#seconds + span").bounding_box()
    assert text["x"] > left + 24 and text["height"] > 40  # two lines, both beside the box
    page.locator("#calm").check()
    page.reload()
    page.wait_for_selector("body.alive.calm")
    page.get_by_role("button", name="Aide et réglages").tap()
    page.get_by_role("link", name="Écouter une unité avec le micro").tap()
    assert page.get_by_role("link", name="Retour à l’unité").bounding_box()["height"] >= 48
