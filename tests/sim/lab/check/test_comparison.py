"""Comparisons of any two of trace, capture and recording."""

import importlib
import sys
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from sim import cli
from sim.engine.trace import UNKNOWN_HZ, Trace
from sim.lab import export
from sim.lab.check import comparison
from sim.lab.check.comparison import Difference, find
from tests.helpers.needs import needs_modules
from tests.helpers.times import WARNED
from tests.scenarios import FOLDER
from tests.sim.lab.instrument.analyser import Analyser

needs_modules("vcd")

SCENARIO = FOLDER / "auction.toml"
MARKED = "#f6c7c2"  # the colour of a difference


def compared(capsys, *words):
    code = cli.main(["compare", *map(str, words)])
    return code, capsys.readouterr().out


def late_warning(line, ms):
    return ms + 40 * (line == "tone" and ms in (WARNED, WARNED + 400))


def test_a_late_tone_is_reported_in_either_order(tmp_path, capsys):
    healthy = Analyser(SCENARIO, drift_ppm=60).saleae(tmp_path / "a.csv")
    code, out = compared(capsys, SCENARIO, healthy)
    assert code == 0 and out.endswith("no difference\n") and "drift +" in out
    capture = Analyser(SCENARIO, late_warning).saleae(tmp_path / "a.csv")
    picture = tmp_path / "a.svg"
    for pair in ((SCENARIO, capture), (capture, SCENARIO)):
        code, out = compared(capsys, *pair, "--picture", picture, "--force")
        assert code == 1 and f"2 differences, 80 ms in total; first: tone from {WARNED}" in out
    assert "2 differences" in picture.read_text() and picture.read_text().count(MARKED) == 2


@pytest.mark.parametrize("is_late", [False, True])
def test_two_captures_are_aligned_with_each_other(tmp_path, capsys, is_late):
    one = Analyser(SCENARIO, before_ms=730).saleae(tmp_path / "a.csv")
    moved = [late_warning] * is_late
    other = Analyser(SCENARIO, *moved, before_ms=2100, drift_ppm=-50, seed=2)
    code, out = compared(capsys, one, other.vcd(tmp_path / "b.vcd"))
    assert code == is_late and ("differences" in out) == is_late


@pytest.mark.parametrize(("ms", "count"), [(110, 0), (111, 1)])
def test_short_differences_are_ignored(tmp_path, capsys, ms, count):
    names = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for name, at in zip(names, (100, ms), strict=True):
        name.write_text(f'{{"ms": {at}, "tone": 440}}\n{{"ms": 500, "tone": 0}}\n')
    assert compared(capsys, *names, "--tolerance", "10 ms")[0] == count


@pytest.mark.parametrize("off", [80, None])
def test_a_lamp_that_is_on_at_the_start_of_an_observation(off):
    one, other = Trace.empty(100), Trace.empty(90)
    one.lamps["auction"].append((10, 1))
    for change in [(20, 1), *([(off, 0)] if off else []), (95, 1)]:
        other.lamps["auction"].append(change)
    one.tones.append((60, 440))
    other.tones.append((60, UNKNOWN_HZ))
    parts = comparison.common(one, other, frozenset({"auction", "tone"}), 50)
    lit = [[(50, 1)], [(50, 1), *([(80, 0)] if off else [])]]
    assert [list(part.lamps["auction"]) for part in parts] == lit
    assert [(list(part.tones), part.end_ms) for part in parts] == [([(60, 1)], 90)] * 2


def test_something_else_is_refused(tmp_path, capsys):
    one = Analyser(SCENARIO).saleae(tmp_path / "a.csv")
    other = Analyser(FOLDER / "hour.toml").saleae(tmp_path / "b.csv")
    assert compared(capsys, one, other)[0] == 2


@pytest.mark.parametrize(
    "text",
    [
        '{"ms": 9, "tone": 5}\n{"ms": 2, "tone": 0}\n',
        *(f'{{"ms": 2, "tone": {hz}}}' for hz in ('"x"', "[1]", "null", "440.5", "1e99", 10**12)),
        '{"ms": 2, "lamp": "auction", "on": 1e12}',
        "[" * 200_000,
        "{}\n",
        None,
    ],
)
def test_a_hostile_trace_is_one_sentence(tmp_path, capsys, text):
    path = tmp_path / "a.jsonl"
    if text:
        path.write_text(text)
    assert cli.main(["compare", str(path), str(SCENARIO)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


MISSING = {
    "sim.lab.listen.listening": [["listen", "a.wav"], ["compare", "a.wav", str(SCENARIO)]],
    "sim.lab.listen.comparing": [["compare", "a.wav", "b.wav"]],
    "vcd": [["compare", "a.vcd", str(SCENARIO)], ["export", str(SCENARIO), "a.wav", "a.vcd"]],
}


@pytest.mark.parametrize(
    ("module", "words"), [(module, words) for module, many in MISSING.items() for words in many]
)
def test_a_missing_library_gives_no_verdict(tmp_path, capsys, monkeypatch, module, words):
    """A missing recording is reported first."""
    monkeypatch.chdir(tmp_path)
    files = ["a.vcd", "a.wav", "b.wav"] if words[0] != "export" else ["a.vcd"]
    for name in files:
        Path(name).touch()
    for name in [module, *(name for name in sys.modules if name.startswith(f"{module}."))]:
        monkeypatch.setitem(sys.modules, name, None)  # not installed
    package, _dot, name = module.rpartition(".")
    if package:
        monkeypatch.delattr(importlib.import_module(package), name, raising=False)
    monkeypatch.setattr(export, "find_spec", lambda _name: None)
    assert cli.main([*words, "--force"] if words[0] == "export" else words) == 3
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and f"{sys.executable} -m pip install " in err
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    if "a.wav" in words and words[0] != "export":
        Path("a.wav").unlink()
        assert cli.main(words) == 2
        assert "a.wav: no such file" in capsys.readouterr().err


END_MS = 60
TIMES = some.lists(some.integers(0, END_MS), max_size=8).map(sorted)


def switched(times):
    """Return a trace in which the auction lamp is switched at these times."""
    shown = Trace.empty(END_MS)
    shown.lamps["auction"] = [(ms, 1 - place % 2) for place, ms in enumerate(times)]
    return shown


@given(one=TIMES, other=TIMES)
def test_each_difference_is_found_as_by_looking_at_every_millisecond(one, other):
    """Also if a lamp is switched twice in a millisecond."""

    def is_lit(times, ms):
        return sum(at <= ms for at in times) % 2

    runs = groupby(range(END_MS), key=lambda ms: is_lit(one, ms) != is_lit(other, ms))
    spans = [list(run) for differs, run in runs if differs]
    wanted = [Difference("auction", span[0], span[-1] + 1) for span in spans]
    assert find(switched(one), switched(other)) == wanted
