"""The files that pages and comments name exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("city_unit", "city_game", "firmware", "sim", "docs")
_PATH = re.compile(rf"(?<![\w/.-])((?:{'|'.join(ROOMS)}|tests)/[\w./-]*\w)")
EXAMPLES = {"firmware/README.nl.md"}  # an example of a new language
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for room in (*(ROOT / room for room in ROOMS), ROOT)
    for path in (room.rglob("*") if room != ROOT else room.glob("*.md"))
    if path.suffix in (".py", ".md", ".js", ".toml")
    and not {"vendor", "node_modules"} & set(path.parts)
    and path.name != "CHANGELOG.md"  # it names files of the past
)


def missing(text: str) -> list[str]:
    """Return the paths in a text that exist neither as files nor as modules."""
    names = {name.rstrip(".") for name in _PATH.findall(text)} - EXAMPLES
    return sorted(
        name for name in names if not any((ROOT / f"{name}{end}").exists() for end in ("", ".py"))
    )


def test_each_path_that_a_file_names_is_there():
    lacking = {name: missing((ROOT / name).read_text(encoding="utf-8")) for name in FILES}
    assert {name: paths for name, paths in lacking.items() if paths} == {}
