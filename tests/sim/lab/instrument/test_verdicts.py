"""`check --capture` reports exactly the violated expectations of generated captures.

Runs each kind of fault once; CITY_UNIT_CAPTURES=600 runs a hundred of each.
"""

import os
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

from city_unit.facts import LAMPS
from sim.engine import scenario, virtual
from sim.engine.trace import Trace, spans
from sim.lab.check import checking
from sim.lab.check.reporting import SLACK_OF_CAPTURE
from tests.helpers.needs import needs_modules
from tests.helpers.scenario_text import check, steps
from tests.helpers.times import ENDED
from tests.sim.lab.instrument.analyser import Analyser

needs_modules("vcd")

KINDS = ("healthy", "one edge", "one line", "from T on", "from T on, lamps", "whole auction")
RATES = (8_000, 24_000, 100_000, 1_000_000, 24_000_000, 100_000_000)
DRIFTS = (0, 20, 150, 800, 5000, 20_000)  # ppm, at most
SEEDS = range(70_000, 70_000 + int(os.environ.get("CITY_UNIT_CAPTURES", len(KINDS))))


def expectations(due):
    """Return expectations of each tone and of each lamp's first and last span."""
    blocks = [f'tone = {hz}\nat = "{at} ms"' for at, _end, hz in spans(due.tones, due.end_ms)]
    for lamp in LAMPS:
        lit = list(spans(due.lamps[lamp], due.end_ms))
        blocks += [
            f'lamp = "{lamp}"\nis = "on"\nfrom = "{start + 1} ms"\nto = "{end - 1} ms"'
            for start, end, _on in lit[:1] + lit[-1:]
            if end - start > 100
        ]
    return "".join(f"[[expect]]\n{block}\n" for block in blocks)


def fault(kind, chance, due, press):
    """Return a function from the line and due time of a change to its actual time."""
    late = chance.uniform(22, 60)
    if kind == "one edge":
        edges = [("tone", ms) for ms, _, _ in spans(due.tones, due.end_ms)]
        if chance.random() < 0.3:  # perhaps without an expectation
            edges = [(lamp, ms) for lamp in LAMPS for ms, _ in due.lamps[lamp]]
        edge = chance.choice([edge for edge in edges if is_free(due, *edge, late)])
        return lambda line, ms: ms + late * ((line, ms) == edge)
    if kind == "one line":
        name = chance.choice(["auction", "tone"])
        return lambda line, ms: ms + late * (line == name)
    begin = chance.uniform(press + 500, press + 52_000)
    if kind == "from T on":
        begin, late = quiet(due, begin), late * chance.choice([1, 1, 1, -1])
        return lambda _line, ms: ms + late * (ms >= begin)
    if kind == "from T on, lamps":
        return lambda line, ms: ms + late * (ms >= begin and line != "tone")
    if kind == "whole auction":
        return lambda _line, ms: ms + late * (press - 1 <= ms <= press + 54_000)
    return lambda _line, ms: ms


def quiet(due, begin):
    """Return a time after `begin` that follows a pause."""
    times = sorted({ms for changes in (*due.lamps.values(), due.tones) for ms, _ in changes})
    late = (after for before, after in pairwise(times) if after >= begin and after - before > 65)
    return next(late, begin)


def is_free(due, line, at, late):
    """Return whether an edge delayed by this would not pass the next edge of its line."""
    changes = due.tones if line == "tone" else due.lamps[line]
    return not any(at < ms <= at + late + 1 for ms, _ in changes)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_generated_capture_gets_its_verdict(tmp_path, capsys, seed):
    chance = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    press = 5000 + chance.randrange(4000)
    head = f'program = "{chance.choice(["timed", "city", "championship", "world"])}"\nseed = {seed}'
    moves = [(0, "switch on"), (2000, "tap build"), (press, "tap auction")]
    moves += [(press + 56_000, "tap build"), (press + 62_000, "end")]
    text = steps(*((f"{at} ms", do) for at, do in moves), head=head)
    path = tmp_path / "game.toml"
    path.write_text(text)
    due = virtual.run(scenario.load(str(path)))
    path.write_text(text + expectations(due))
    moved = fault(kind, chance, due, press)
    most = chance.choice(DRIFTS)
    drift_ppm = chance.uniform(-most, most)
    capture = Analyser(path, moved, chance.uniform(100, 3000), drift_ppm, seed=seed)
    capture.sampled(chance.choice(RATES)).saleae(tmp_path / "a.csv")

    late = Trace.empty(due.end_ms)
    for line, changes in (*((lamp, due.lamps[lamp]) for lamp in LAMPS), ("tone", due.tones)):
        actual = late.tones if line == "tone" else late.lamps[line]
        for ms, value in changes:
            actual.append((round(moved(line, ms)), value))
    case = checking.load(str(path), SLACK_OF_CAPTURE)
    violated = {str(broken.expectation.line) for broken in checking.broken(case, late)}
    words = ["--clock-error", "2 %"] * (abs(drift_ppm) > 180)
    code, out, _ = check(capsys, path, "--capture", tmp_path / "a.csv", *words)
    assert set(re.findall(r"line (\d+): expected", out)) == violated and code == bool(violated), out
    found = re.search(r"drift ([+-][0-9.,]+) ± ([0-9.,]+) ppm", out)
    if kind == "healthy" and found:
        ppm, doubt = (float(figure.replace(",", "")) for figure in found.groups())
        assert abs(ppm - drift_ppm) <= doubt + 0.1, out


def test_a_unit_that_becomes_late_fails(tmp_path, capsys, expecting):
    """The step is reported, and is not mistaken for drift, which would excuse it.

    The plot is written next to the capture, under its whole name: a recording of the same run may
    differ in the suffix only.
    """
    capture, picture = tmp_path / "a.csv", tmp_path / "line.svg"
    Analyser(expecting, lambda _line, ms: ms + 22 * (ms > 40_000)).saleae(capture)
    code, out, _ = check(capsys, expecting, "--capture", capture, "--picture", picture)
    assert code == 1 and f"expected auction-ended at {ENDED} ms within 5 ms" in out
    assert "(+22 ms)" in out and "lamps and sound" in out
    found = re.search(r"step of \+([0-9.]+) ms from 40\.[0-9] s", out)
    assert abs(float(found[1]) - 22) < 1
    drift = re.search(r"drift ([+-][0-9.]+) ± ([0-9.]+) ppm", out)
    assert abs(float(drift[1])) <= float(drift[2])
    plot = (tmp_path / "a.csv.lateness.svg").read_text()
    assert ">failed<" in plot and "± 20 ms allowed" in plot
    assert "narrow strip: expected" in picture.read_text()


def test_late_lamps_blame_no_sound(tmp_path, capsys, expecting):
    analyser = Analyser(expecting, lambda line, ms: ms + 40 * (ms > 40_000 and line != "tone"))
    capture = analyser.saleae(tmp_path / "a.csv")
    code, out, _ = check(capsys, expecting, "--capture", capture, "--plot", "none")
    assert "tone" not in out and "Hz" not in out
    assert re.search(r"step of \+40\.[0-9] ms from 40\.[0-9] s to [0-9.]+ s, auction", out)
    assert code == 0  # of the lamp only the rate is expected, which is right
    assert not list(tmp_path.glob("*.svg"))


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
