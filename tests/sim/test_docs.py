"""The pages that are made from the code agree with it."""

import re

from sim.docs import PAGES, SECTIONS, language_of, rewritten


def test_each_page_is_up_to_date_and_each_section_stands_on_one():
    sections = set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert rewritten(text, language_of(page)) == text, f"{page}: run python -m sim.docs"
        # Such a comment is a block for Markdown, and would end the paragraph before it.
        assert not re.search(r"^<!-- [a-z ]+ -->\S", text, re.MULTILINE), page
        sections |= set(re.findall(r"<!-- ([a-z ]+) -->", text))
    assert sections == set(SECTIONS)


def test_a_stale_section_is_made_anew_in_a_block_and_within_a_sentence():
    fresh = rewritten("before\n<!-- sounds -->\nold\n<!-- /sounds -->\nafter")
    assert fresh.startswith("before\n<!-- sounds -->\n| tells")
    assert "old" not in fresh and fresh.endswith("<!-- /sounds -->\nafter")
    stale = "fast after <!-- warns after -->1 h<!-- /warns after -->, and"
    for language, space in (("en", " "), ("fr", "\N{NARROW NO-BREAK SPACE}")):
        made = rewritten(stale, language)
        assert re.fullmatch(
            rf"fast after <!-- warns after -->[\d.]+{space}s<!-- /warns after -->, and", made
        )
