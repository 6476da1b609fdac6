"""The generated parts of the pages agree with the code."""

import re

from sim.docs import PAGES, SECTIONS, language_of, rewritten


def test_each_page_is_up_to_date_and_each_section_is_on_a_page():
    sections = set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert rewritten(text, language_of(page)) == text, f"{page}: run python -m sim.docs"
        # Markdown takes such a line for a block, which ends the paragraph before it.
        assert not re.search(r"^<!-- [a-z ]+ -->\S", text, re.MULTILINE), page
        sections |= set(re.findall(r"<!-- ([a-z ]+) -->", text))
    assert sections == set(SECTIONS)


def test_a_stale_section_is_regenerated_in_a_block_and_within_a_line():
    fresh = rewritten("before\n<!-- sounds -->\nold\n<!-- /sounds -->\nafter")
    assert fresh.startswith("before\n<!-- sounds -->\n| event")
    assert "old" not in fresh and fresh.endswith("<!-- /sounds -->\nafter")
    stale = "fast after <!-- warns after -->1 h<!-- /warns after -->, and"
    for language, space in (("en", " "), ("fr", "\N{NARROW NO-BREAK SPACE}")):
        made = rewritten(stale, language)
        assert re.fullmatch(
            rf"fast after <!-- warns after -->[\d.]+{space}s<!-- /warns after -->, and", made
        )
