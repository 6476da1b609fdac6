"""The pages that are made from the code say what the code says."""

import re

import pytest

from sim.docs import PAGES, SECTIONS, rewritten


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_up_to_date(page):
    text = page.read_text(encoding="utf-8")
    assert rewritten(text) == text, "run: python -m sim.docs"


def test_every_section_stands_on_a_page():
    texts = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert set(re.findall(r"<!-- ([a-z ]+) -->", texts)) == set(SECTIONS)


def test_a_stale_section_is_made_anew():
    stale = "before\n<!-- sounds -->\nold\n<!-- /sounds -->\nafter"
    fresh = rewritten(stale)
    assert fresh.startswith("before\n<!-- sounds -->\n| tells")
    assert "old" not in fresh
    assert fresh.endswith("<!-- /sounds -->\nafter")
