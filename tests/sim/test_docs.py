"""The pages that are made from the code agree with it."""

import re

import pytest

from sim.docs import PAGES, SECTIONS, language_of, rewritten
from tests.helpers.times import SLOW_MS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_up_to_date(page):
    text = page.read_text(encoding="utf-8")
    assert rewritten(text, language_of(page)) == text, "run: python -m sim.docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_section_within_a_sentence_begins_its_line(page):
    """There Markdown takes the comment for a block, and ends the paragraph before it."""
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"^<!-- [a-z ]+ -->\S", text, re.MULTILINE)


def test_every_section_stands_on_a_page():
    texts = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert set(re.findall(r"<!-- ([a-z ]+) -->", texts)) == set(SECTIONS)


def test_a_stale_section_is_made_anew():
    stale = "before\n<!-- sounds -->\nold\n<!-- /sounds -->\nafter"
    fresh = rewritten(stale)
    assert fresh.startswith("before\n<!-- sounds -->\n| tells")
    assert "old" not in fresh
    assert fresh.endswith("<!-- /sounds -->\nafter")


def test_a_stale_time_within_a_sentence_is_made_anew():
    stale = "fast after <!-- warns after -->1 s<!-- /warns after -->, and"
    time = f"{SLOW_MS / 1000:g} s"
    assert rewritten(stale) == f"fast after <!-- warns after -->{time}<!-- /warns after -->, and"
    french = rewritten(stale, "fr")
    assert time not in french and time.replace(" ", "\N{NARROW NO-BREAK SPACE}") in french
