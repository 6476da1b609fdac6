"""Programs of the person's own, opened and dropped."""

import re

import pytest

from tests.sim.web.conftest import opened, pass_ms
from tests.sim.web.page.doing import (
    FINGER_MS,
    MINE,
    own,
    pass_until,
    press,
    switch_on,
    title,
    until,
)

pytestmark = [pytest.mark.real_time, pytest.mark.slow]


DROP = """text => {
    const data = new DataTransfer();
    data.items.add(new File([text], "mine.toml"));
    const event = { dataTransfer: data, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent("drop", event));
}"""


def test_a_program_file_is_opened_kept_and_forgotten(people, site):
    context = people()
    page = opened(context, site)
    own(page, MINE)
    until(page, "document.querySelector('#program').textContent === 'mine'")
    switch_on(page)
    press(page, "b")
    pass_until(page, "permit-granted")
    title(page, "1 block")
    page.close()
    page = opened(context, site)
    assert page.inner_text("#program") == "mine"
    page.evaluate("app.act('switch', 0)")
    pass_ms(page, FINGER_MS)
    page.keyboard.press("c")
    page.get_by_role("button", name=re.compile("^championship")).click()
    until(page, "document.querySelector('#program').textContent === 'championship'")
    page.keyboard.press("c")
    page.get_by_role("button", name="Forget mine").click()
    assert page.get_by_role("button", name=re.compile("^mine")).count() == 0


def test_a_mistake_in_a_program_file_is_told_with_its_line(unit):
    own(unit, MINE.replace("8 s", "8 parsecs"), "wrong.toml")
    unit.get_by_text("wrong.toml, line 3: ").wait_for()
    own(unit, MINE.replace("mine", "city"), "city.toml")
    unit.get_by_text("is the name of a built-in program").wait_for()
    assert unit.inner_text("#program") == "City"
    unit.evaluate(DROP, MINE)
    until(unit, "document.querySelector('#program').textContent === 'mine'")
