"""The examples in docs/lab.md have the documented outcome."""

import re
from pathlib import Path

import pytest

from firmware.tool.image import unix
from sim import cli
from sim.lab.check import checking
from tests.helpers.needs import needs
from tests.helpers.times import PRESSED, WARNED

DOCS = Path(__file__).parents[4] / "docs"


def example(begins: str = 'toml\nprogram = "city"  ') -> str:
    """Return the example that starts like this, which is equal in all languages."""
    pages = (path.read_text(encoding="utf-8") for path in DOCS.glob("lab*.md"))
    (text,) = {re.findall(f"```{begins}.*?```", page, re.DOTALL)[0] for page in pages}
    return text.partition("\n")[2].removesuffix("```")


def lenient(*lines: str) -> str:
    """Add a tolerance to the expectations that contain one of these lines."""
    text = example()
    for line in lines:
        text, count = re.subn(
            f"^{line}.*$", r'\g<0>\ntolerance = "10 ms"', text, flags=re.MULTILINE
        )
        assert count == 1
    return text


PRESS, BLINKS, TONE = f'at = "{PRESSED} ms"', 'blinks = "4 per s"', f'at = "{WARNED} ms"'


@pytest.mark.parametrize(
    ("body", "text", "failed"),
    [
        ("cpython", example(), "2 of 4"),
        ("cpython", lenient(PRESS, TONE), ""),
        ("micropython", lenient(PRESS, TONE), "1 of 4"),
        ("micropython", lenient(PRESS, BLINKS, TONE), ""),
    ],
)
def test_the_example_fails_as_documented_and_passes_with_a_tolerance(
    tmp_path, capsys, body, text, failed
):
    needs(body == "cpython" or unix(), "MicroPython's Unix port")
    path = tmp_path / "example.toml"
    path.write_text(text)
    assert cli.main(["check", str(path), "--on", body]) == (1 if failed else 0)
    assert failed in capsys.readouterr().out


@pytest.mark.slow
def test_the_example_for_pytest_passes(tmp_path, monkeypatch, city_unit_trace, city_unit_search):
    monkeypatch.chdir(tmp_path)
    tests = {}
    exec(example("python\ndef test_the_warning"), tests)
    tests["test_the_warning"](city_unit_trace)
    assert (tmp_path / "auction.svg").stat().st_size > 1000
    tests["test_every_game"](city_unit_search)


def test_every_fault_is_documented():
    text = (DOCS / "lab.md").read_text(encoding="utf-8")
    assert all(f"`{name} = " in text for name in checking.Faults(1, 1, 1).names)


def test_the_readmes_example(capsys):
    assert cli.main(["check", str(DOCS / "examples" / "auction.toml")]) == 0
    assert "(expectations: 4)" in capsys.readouterr().out
