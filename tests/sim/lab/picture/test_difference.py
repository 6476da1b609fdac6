"""Two traces compared: each stretch that differs is found, and shown."""

import pytest

from sim import cli
from sim.engine import edges, scenario, virtual
from sim.lab.picture import difference
from sim.lab.picture.difference import Difference
from tests.scenarios import FOLDER


def trace(*lit, end_ms=1000):
    shown = edges.none_yet(end_ms)
    for ms, on in lit:
        shown.lamps["auction"].append((ms, on))
    return shown


@pytest.mark.parametrize(
    ("other", "stretches"),
    [
        (trace((100, 1), (200, 0)), []),
        (trace((110, 1), (200, 0)), [(100, 110)]),
        (trace((100, 1), (230, 0)), [(200, 230)]),
        (trace((90, 1), (210, 0)), [(90, 100), (200, 210)]),
        (trace(), [(100, 200)]),
        (trace((100, 1), (150, 0), (150, 1), (200, 0)), []),  # for no time at all
        (trace((100, 1)), [(200, 1000)]),
    ],
)
def test_each_stretch(other, stretches):
    one = trace((100, 1), (200, 0))
    wanted = [Difference("auction", *stretch) for stretch in stretches]
    assert difference.find(one, other) == wanted
    assert difference.find(other, one) == wanted


def test_a_scenario_and_its_golden_trace(capsys, tmp_path):
    path = str(FOLDER / "auction.toml")
    golden = tmp_path / "golden.jsonl"
    lines = []
    virtual.trace(scenario.load(path), 0, lines.append)
    golden.write_text("\n".join(lines) + "\n")
    assert cli.main(["compare", path, str(golden)]) == 0
    assert capsys.readouterr().out == "no difference\n"


def test_a_longer_warning_is_seen(capsys, tmp_path):
    path = str(FOLDER / "auction.toml")
    other = tmp_path / "other.toml"
    steps = (FOLDER / "auction.toml").read_text()
    other.write_text('program = "championship"\n' + steps.replace('"60 s"', '"70 s"'))
    picture = tmp_path / "a.svg"
    words = ["compare", path, str(other), "--picture", str(picture)]
    assert cli.main(words) == 1
    assert "differences" in capsys.readouterr().out
    assert "above: " in picture.read_text() and "below: " in picture.read_text()


def test_a_trace_that_is_none_is_told(capsys, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("{}\n")
    assert cli.main(["compare", str(FOLDER / "auction.toml"), str(path)]) == 2
    assert "this is no trace" in capsys.readouterr().err
