"""The scenario on the page docs/scenarios.md does what the page says."""

import re
from pathlib import Path

from sim import cli
from sim.lab import faults

PAGE = Path(__file__).parents[3] / "docs" / "scenarios.md"


def example() -> str:
    found = re.search(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def test_the_example_fails_as_told_and_passes_with_a_tolerance(tmp_path, capsys):
    path = tmp_path / "example.toml"
    path.write_text(example())
    assert cli.main(["check", str(path)]) == 1
    assert "2 of 4" in capsys.readouterr().out
    lenient = re.sub(r'(at = "(1016|46016) ms".*)', r'\1\ntolerance = "10 ms"', example())
    path.write_text(lenient)
    assert cli.main(["check", str(path)]) == 0


def test_every_fault_stands_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{name} = " in text for name in (*faults.BODY, *faults.LINE))
