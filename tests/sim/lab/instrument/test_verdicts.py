"""`check --capture` reports exactly the violated expectations of generated captures.

Runs each kind of fault once; CITY_UNIT_CAPTURES=600 runs a hundred of each.
"""

import os
import re
from pathlib import Path

import pytest

from city_unit.facts import LAMPS
from tests.helpers.needs import needs_modules
from tests.helpers.scenario_text import check
from tests.helpers.times import ENDED
from tests.sim.lab.instrument import verdicts
from tests.sim.lab.instrument.analyser import Analyser

needs_modules("vcd")

SEEDS = range(70_000, 70_000 + int(os.environ.get("CITY_UNIT_CAPTURES", len(verdicts.KINDS))))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_generated_capture_gets_its_verdict(tmp_path, seed):
    case = verdicts.generate(seed, tmp_path)
    assert case.named == case.violated, case
    if case.kind == "healthy" and case.estimated_ppm is not None:
        assert abs(case.estimated_ppm - case.drift_ppm) <= case.uncertainty_ppm, case


def test_a_unit_that_becomes_late_fails(tmp_path, capsys, expecting):
    """The step is reported, and is not mistaken for drift, which would excuse it.

    The plot is written next to the capture.
    """
    capture, picture = tmp_path / "a.csv", tmp_path / "line.svg"
    Analyser(expecting).late(40_000, 22).saleae(capture)
    code, out, _ = check(capsys, expecting, "--capture", capture, "--picture", picture)
    assert code == 1 and f"expected auction-ended at {ENDED} ms within 5 ms" in out
    assert "(+22 ms)" in out and "lamps and sound" in out
    found = re.search(r"step of \+([0-9.]+) ms from 40\.[0-9] s", out)
    assert abs(float(found[1]) - 22) < 1
    drift = re.search(r"drift ([+-][0-9.]+) ± ([0-9.]+) ppm", out)
    assert abs(float(drift[1])) <= float(drift[2])
    plot = (tmp_path / "a.lateness.svg").read_text()
    assert ">failed<" in plot and "± 20 ms allowed" in plot
    assert "narrow strip: expected" in picture.read_text()


def test_late_lamps_blame_no_sound(tmp_path, capsys, expecting):
    capture = Analyser(expecting).late(40_000, 40, LAMPS).saleae(tmp_path / "a.csv")
    code, out, _ = check(capsys, expecting, "--capture", capture, "--plot", "none")
    assert "tone" not in out and "Hz" not in out
    assert re.search(r"step of \+40\.[0-9] ms from 40\.[0-9] s to [0-9.]+ s, auction", out)
    assert code == 0  # of the lamp only the rate is expected, which is right
    assert not (tmp_path / "a.lateness.svg").exists()


def test_a_wrong_clock_is_corrected_on_request_only(tmp_path, capsys, expecting):
    capture = Analyser(expecting, drift_ppm=5000).saleae(tmp_path / "a.csv")
    assert check(capsys, expecting, "--capture", capture)[0] == 1
    code, out, _ = check(capsys, expecting, "--capture", capture, "--clock-error", "1 %")
    assert code == 0 and re.search(r"drift \+(5,00|4,99)[0-9]\.", out)
    assert check(capsys, expecting, "--capture", capture, "--clock-error", "3 %")[0] == 2


def test_no_verdict_beyond_the_end_of_a_capture(tmp_path, capsys, expecting):
    """A truncated file of changes neither passes nor fails."""
    whole = Path(Analyser(expecting).saleae(tmp_path / "a.csv")).read_text().splitlines()
    cut = [row for row in whole if not row[:1].isdigit() or float(row.split(",")[0]) < 20]
    (tmp_path / "cut.csv").write_text("\n".join(cut) + "\n")
    code, out, _ = check(capsys, expecting, "--capture", tmp_path / "cut.csv")
    assert (
        code == 3
        and "FAIL" not in out
        and f"the observation ends at 19.0 s: auction-ended at {ENDED} ms" in out
    )
    path = tmp_path / "sound.toml"  # a source that sees none of the expected signals does not pass
    path.write_text(f"{expecting.read_text().partition('[[expect]]')[0]}[[expect]]\ntone = 2700\n")
    analyser = Analyser(path)
    del analyser.lines["buzzer"]
    code, out, _ = check(capsys, path, "--capture", analyser.saleae(tmp_path / "b.csv"))
    assert code == 3 and "0 of 1 could be judged" in out and "pass" not in out
