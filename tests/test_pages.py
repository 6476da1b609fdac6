"""A translated page has the same headings, commands, pictures and tables as the English one."""

import re
from pathlib import Path

import pytest

from city_game import cli as game
from sim import cli as unit
from sim.docs import language_of
from tests.helpers.needs import needs_modules

needs_modules("babel")

from tests.catalogue import ill_set  # noqa: E402

ROOT = Path(__file__).parent.parent
FOLDERS = (ROOT, ROOT / "docs", ROOT / "firmware")
ALL = sorted(path for folder in FOLDERS for path in folder.glob("*.md"))
PAGES = sorted(path for folder in FOLDERS for path in folder.glob("*.??.md"))
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)]+)\)")
# A command for a terminal, in a block or in a line, up to a comment.
_COMMAND = re.compile(r"(?:city-unit|city-game|python3? |\.venv/|CITY_[A-Z_]+=)[^`#\n]*")
# Links to the forge that shows the page, in any fork.
_FORGE = r"(\.\./){2,3}(releases|deployments|issues)/"
# A placeholder is in the language of the page.
_PLACEHOLDER = re.compile(r"\b[A-ZÀ-Ý]{2,}\b")


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def english_of(page: Path) -> Path:
    return page.with_name(f"{page.name.partition('.')[0]}.md")


def headings(text: str) -> list[str]:
    """Return the level of each heading, with its number if it has one."""
    return re.findall(r"^(#+ (?:\d+\.)?)", without_code(text), re.MULTILINE)


def without_code(text: str) -> str:
    return re.sub(r"^(?:    [^\n]*|```.*?^```)$", "", text, flags=re.MULTILINE | re.DOTALL)


def pictures(text: str) -> list[str]:
    """Return the pictures; one with words may have a translated copy in a folder `xx`."""
    return [re.sub(r"/[a-z]{2}/", "/", path) for path in _PICTURE.findall(text)]


def commands(text: str) -> list[str]:
    found = (match.group().rstrip(" .,;:)\u202f") for match in _COMMAND.finditer(text))
    return sorted(_PLACEHOLDER.sub("X", command) for command in found)


def cells(text: str) -> list[int]:
    """Return the number of cells of each row of each table."""
    return [line.count("|") for line in text.splitlines() if line.lstrip().startswith("|")]


PARTS = (headings, pictures, commands, cells)


@pytest.mark.parametrize("part", PARTS)
def test_both_languages_have_the_same(part):
    for page in PAGES:
        assert part(read(page)) == part(read(english_of(page))), page.name


def test_each_link_leads_somewhere():
    links = [(page, link.partition("#")[0]) for page in ALL for link in _LINK.findall(read(page))]
    dead = [(page, link) for page, link in links if not (page.parent / link).exists()]
    assert [(page.name, link) for page, link in dead if not _is_elsewhere(link)] == []


def test_each_command_is_on_a_page():
    pages = " ".join(read(page) for page in ALL if page not in PAGES)
    commands_there = set(re.findall(r"(?:city-unit|city-game|start\.py) ([a-z0-9-]+)", pages))
    for module in (unit, game):
        assert set(module.PROGRAM.commands) - {module.PROGRAM.default} <= commands_there


def _is_elsewhere(link: str) -> bool:
    return ":/" in link or re.match(_FORGE, link) is not None


def test_each_language_leads_to_the_other():
    for page in PAGES:
        assert f"]({page.name})" in read(english_of(page)), page.name
        assert f"]({english_of(page).name})" in read(page), page.name


def test_a_french_page_is_set_as_french():
    no_text = re.compile(r"`[^`]*`|<!--.*?-->|\]\([^)]*\)|^\|[-:| ]+\|$", re.M)
    french = [page for page in PAGES if language_of(page) == "fr"]
    assert french
    for page in french:
        bare = no_text.sub("x", without_code(read(page)))
        assert [line for line in bare.splitlines() if ill_set(line)] == [], page.name
