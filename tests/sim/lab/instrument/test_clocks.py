"""Different clocks: the drift, its uncertainty, and the limit."""

import math
import random
import re
import tracemalloc

import pytest

from city_unit.facts import LAMPS
from sim.engine import scenario, virtual
from sim.lab.instrument import alignment, digital
from sim.lab.instrument.alignment import Mark, Marks, times_of
from tests.helpers.needs import needs_modules
from tests.helpers.quick import some_quick
from tests.helpers.scenario_text import check, steps
from tests.helpers.times import WARNED
from tests.scenarios import FOLDER
from tests.sim.lab.instrument.analyser import Analyser

needs_modules("vcd")


def marks(path):
    shown = virtual.run(scenario.load(str(path)))
    found = [Mark(f"{lamp} {on}", float(ms)) for lamp in LAMPS for ms, on in shown.lamps[lamp]]
    found.sort(key=lambda mark: mark.ms)
    return found[:: len(found) // 25]


def at_random(chance):
    return lambda ms: chance.random()


def slowly(chance):
    """Drift slowly within the millisecond in which an edge may be shown."""
    phase, period_ms = chance.uniform(0, math.tau), chance.uniform(10_000, 200_000)
    return lambda ms: 0.5 + 0.5 * math.sin(phase + ms / period_ms * math.tau)


@pytest.mark.parametrize("name", ["auction", "permit-2"])
@pytest.mark.parametrize("lateness", [at_random, slowly])
@pytest.mark.parametrize("grain_ms", some_quick([1.0, 0.0], 1))
def test_the_true_drift_is_within_the_uncertainty(name, lateness, grain_ms):
    """In 95 % of the captures, and the uncertainty is at most a few times the minimum."""
    due = marks(FOLDER / f"{name}.toml")
    errors, doubts = [], []
    for seed in range(40):
        chance = random.Random(seed)
        ppm, late = chance.uniform(-900, 900), lateness(chance)
        seen = []
        for mark in due:
            ms = (730 + mark.ms + late(mark.ms)) * (1 + ppm / 1e6)
            seen.append(mark._replace(ms=math.ceil(ms / grain_ms) * grain_ms if grain_ms else ms))
        fit = alignment.align(Marks(seen), times_of(due), due[0].kind, grain_ms, 900)
        errors.append(abs(fit.drift_ppm - ppm))
        doubts.append(fit.uncertainty_ppm)
    inside = sum(error <= doubt for error, doubt in zip(errors, doubts, strict=True))
    assert inside >= 38
    seconds = (due[-1].ms - due[0].ms) / 1000
    assert max(doubts) < 2000 * (1 + grain_ms) / seconds


def test_the_alignment_is_equal_with_and_without_numpy(monkeypatch):
    due = marks(FOLDER / "auction.toml")
    for seed in range(4):
        chance = random.Random(seed)
        rate = 1 + chance.uniform(-15_000, 15_000) / 1e6
        seen = [mark._replace(ms=(730 + mark.ms + chance.random()) * rate) for mark in due]
        fits = []
        for arrays in (digital.arrays, lambda: None):
            monkeypatch.setattr(alignment, "arrays", arrays)
            fits.append(alignment.align(Marks(seen), times_of(due), limit_ppm=20_000))
        assert fits[0] == fits[1] and fits[0].found == len(due)


def a_month(count, late_from):
    """Return the observed marks of a unit that is late from one edge on, and the due times."""
    chance = random.Random(1)
    due = [
        Mark(f"{chance.choice(LAMPS)} on", float(ms))
        for ms in sorted(chance.sample(range(30 * 86_400_000), count))
    ]
    seen = [
        mark._replace(ms=(730 + mark.ms + 40 * (place >= late_from) + chance.random()) * 1.00002)
        for place, mark in enumerate(due)
    ]
    return Marks(seen), times_of(due)


@pytest.mark.parametrize("late_from", [900, 300, 1190])
def test_a_sample_of_a_months_edges_gives_the_same_fit(monkeypatch, late_from):
    seen, due = a_month(1200, late_from)
    whole = alignment.align(seen, due)
    monkeypatch.setattr(alignment, "_MOST_FITTED", 150)
    monkeypatch.setattr(alignment, "_MOST_VOTES", 500)
    fit = alignment.align(seen, due)
    assert (fit.found, fit.most) == (late_from, max(late_from, 1200 - late_from))
    assert [step.edges for step in fit.steps] == [1200 - late_from]
    assert (whole.found, whole.most, len(whole.steps)) == (fit.found, fit.most, 1)
    assert abs(fit.drift_ppm - whole.drift_ppm) < 0.1 and list(fit.elsewhere) == seen[late_from:]


def test_a_month_of_edges_is_aligned_in_little_memory(monkeypatch):
    monkeypatch.setattr(alignment, "_MOST_FITTED", 200)
    seen, due = a_month(8000, 8000)
    alignment.align(seen, due)  # load numpy and fill caches before the measurement
    tracemalloc.start()
    fit = alignment.align(seen, due)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert fit.found == fit.most == 8000
    assert most < 200 * 8000  # fitting all edges took more than 1 kB per edge


def clock(out):
    found = re.search(r"clock runs ([0-9.]+) % ± ([0-9.]+) % (faster|slower)", out)
    return found and (float(found[1]) * (1 if found[3] == "faster" else -1), float(found[2]))


@pytest.mark.parametrize("words", [[], ["--align", "tone on"]])
@pytest.mark.parametrize("part", some_quick([0.5, -2.0], 1))
def test_a_unit_with_a_wrong_clock_is_recognised_and_fails(
    tmp_path, capsys, expecting, part, words
):
    """Its edges are compared with the due times without correction, from the first edge."""
    analyser = Analyser(expecting, drift_ppm=-part * 1e4)
    capture = analyser.saleae(tmp_path / "a.csv")
    code, out, _ = check(capsys, expecting, "--capture", capture, *words)
    told, off = clock(out)
    assert code == 1 and abs(told - part) <= off + 0.0005 * abs(part) * 100 and off < 0.005
    assert re.search(r"apart from that, (\d+) of \1 edges are on time", out)
    found = re.search(rf"{WARNED} ms within 20 ms\n  happened at ([0-9]+)", out)
    if abs(part) == 0.5:  # if less, it is within 20 ms; if more, the pitches are wrong too
        assert abs(int(found[1]) - WARNED * (1 - part / 100)) <= 3
    if part == 0.5 and not words:  # it is corrected on request only, by at most 2 %
        code, out, _ = check(capsys, expecting, "--capture", capture, "--clock-error", "1 %")
        assert code == 0 and re.search(r"drift -(5,00|4,99)[0-9]\.", out)
        assert check(capsys, expecting, "--capture", capture, "--clock-error", "3 %")[0] == 2


def test_a_late_cue_is_not_mistaken_for_drift(tmp_path, capsys):
    """Three of forty edges, far from the others, could tilt the whole line."""
    path = tmp_path / "permit.toml"
    tone_ms = round(virtual.run(scenario.load(str(FOLDER / "permit-2.toml"))).tones[-2][0])
    path.write_text(
        (FOLDER / "permit-2.toml").read_text()
        + f'[[expect]]\ntone = 2300\nat = "{tone_ms} ms"\ntolerance = "4 ms"\n'
    )
    analyser = Analyser(path, lambda _line, ms: ms + 30 * (ms > tone_ms - 300))
    code, out, _ = check(capsys, path, "--capture", analyser.saleae(tmp_path / "a.csv"))
    assert clock(out) is None, out
    assert "(+30 ms)" in out and code == 1, out


WRONG = ["random", "blinking", "the next pin"]


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("seed", some_quick([0, 2], 1))
def test_nothing_else_passes_for_a_unit_with_a_wrong_clock(tmp_path, capsys, expecting, what, seed):
    chance = random.Random(seed)
    analyser = Analyser(expecting)
    if what == "random":
        count = (20, 80, 200, 1000)[seed]
        turns = sorted(chance.randrange(analyser.end_ns) for _ in range(count))
        analyser.lines = {"auction": (0, turns)}
    elif what == "blinking":
        half = round(5e8 / (3.7, 3.9, 4.05, 4.2)[seed])
        analyser.lines = {"auction": (0, list(range(half, analyser.end_ns, half)))}
    else:
        lamps = [analyser.lines[name] for name in LAMPS]
        names = LAMPS[seed + 1 :] + LAMPS[: seed + 1]
        analyser.lines = dict(zip(names, lamps, strict=True))
    code, out, err = check(capsys, expecting, "--capture", analyser.saleae(tmp_path / "a.csv"))
    assert (code, out) == (2, "") and "does not resemble" in err


@pytest.mark.slow
def test_a_long_capture(tmp_path, capsys):
    """The line is found in the first minute and extended from there."""
    path = tmp_path / "long.toml"
    presses = [(f"{70 * place + 1 + place % 3} s", "tap auction") for place in range(6)]
    moves = (("0 s", "switch on"), *presses, ("420 s", "end"))
    expected = '[[expect]]\nevent = "auction-ended"\n'
    path.write_text(steps(*moves, head='program = "timed"') + expected)
    capture = Analyser(path, drift_ppm=-5000).saleae(tmp_path / "a.csv")
    _, out, _ = check(capsys, path, "--capture", capture)
    told, _off = clock(out)
    assert abs(told - 0.5) < 0.003
