"""`city-unit lateness`: statistics and verdict."""

import json
import random
import re
from itertools import combinations

import pytest

from city_unit import host
from city_unit.facts import OUTPUTS
from sim import cli
from sim.lab import lateness, lateness_plot
from sim.lab.lateness import FAIL, PASS, UNDECIDED
from sim.lab.picture import Words
from tests.helpers.emulated import Emulated, virtual_board
from tests.helpers.needs import needs_posix
from tests.helpers.patience import until
from tests.sim.lab.check.live import Live

SHOWN_IN_TWO_SECONDS = {"permit-1 on", "permit-station off", "tone on", "tone off", "all"}


@pytest.fixture
def live(monkeypatch):
    return Live(monkeypatch)


def measured(*words) -> int:
    """Measure the unit in virtual time."""
    return cli.main(["lateness", "--port", "unit", *words])


def figures(capsys, *words) -> dict:
    assert measured("--json", *words) == 0
    return json.loads(capsys.readouterr().out)


def check_busy_seconds(capsys, port: str) -> None:
    """Measure for two seconds with --busy, repeating it if the machine is too busy."""

    def shown() -> dict:
        words = ["--seconds", "2", "--busy", "--json"]
        code = cli.main(["lateness", "--port", port, *words])
        found = json.loads(capsys.readouterr().out or '{"edges": []}')
        kinds = {edge["kind"]: edge for edge in found["edges"]}
        return (found, kinds) if code == 0 and kinds.keys() >= SHOWN_IN_TWO_SECONDS else ()

    found, kinds = until(shown)
    every = kinds.pop("all")
    assert every["edges"] == sum(edge["edges"] for edge in kinds.values())
    assert 0 <= every["median_ms"] <= every["p99_ms"] <= every["worst_ms"]
    assert found["drift_uncertainty_ppm"] > 0


@pytest.mark.real_time
def test_an_emulated_unit(tmp_path, capsys):
    needs_posix()
    name = str(tmp_path / "unit")
    unit = Emulated(tmp_path, "--pty", name)
    try:
        check_busy_seconds(capsys, name)
        words = ["--seconds", "1.5", "--busy", "--limit-ms", "0.000001"]

        def has_failed() -> bool:
            assert cli.main(["lateness", "--port", name, *words]) == 1
            return "FAIL" in capsys.readouterr().out

        until(has_failed)
    finally:
        unit.stop()


@pytest.mark.real_time
def test_the_firmware_in_micropython(tmp_path, capsys):
    with virtual_board(tmp_path) as (_board, port):
        check_busy_seconds(capsys, port)


@pytest.mark.parametrize(
    "words",
    [
        *(["--seconds=0"], ["--seconds=nan"], ["--seconds=inf"]),
        *(["--limit-ms", "0"], ["--plot", "no/a.svg"], ["--plot", "a.gif"]),
    ],
)
def test_options_are_checked_before_measuring(capsys, live, words):
    assert measured(*words) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1
    assert live.said == []


def test_ctrl_c_prints_the_measurements_until_then(capsys, live):
    live.interrupt_ms = 5000
    found = figures(capsys, "--seconds", "60", "--busy")
    assert found["seconds"] == pytest.approx(5, abs=0.1)
    assert found["edges"][-1]["edges"] > 20
    assert live.said[-1] == "switch free"


@pytest.mark.parametrize("is_slow", [False, True])
def test_measurements_of_a_lost_or_silent_unit_are_kept(capsys, monkeypatch, live, is_slow):
    """A slow unit does not respond to the last command."""
    send, words, why = host.Client.send, ["--seconds", "60"], "the unit was lost, after 5.0 s"
    if is_slow:
        words, why = ["--seconds", "8"], "no answer to 'watch off', after"

    def slow(unit, text, timeout=2.0):
        if text == "watch off":
            raise host.LinkError("no answer to 'watch off'")
        return send(unit, text, timeout)

    if is_slow:
        monkeypatch.setattr(host.Client, "send", slow)
    else:
        live.dies_ms = 5000
    assert measured(*words, "--busy") == 1
    output = capsys.readouterr()
    assert "all  " in output.out and ("drift" in output.out) <= is_slow
    assert output.err.startswith(f"city-unit: {why}") and output.err.count("\n") == 1
    assert output.err.endswith("the results until then are above\n")


def test_figures_follow_the_language(capsys, live):
    words = ["lateness", "--port", "unit", "--seconds", "5", "--busy", "--limit-ms", "2.5"]
    assert cli.main(["--lang", "fr", *words]) == 0
    printed = capsys.readouterr().out
    assert "2,5" in printed and re.findall(r"\d\.\d", printed) == []


@pytest.mark.parametrize(
    ("seconds", "code", "verdict"),
    [("5", 3, "undecided: 0 of "), ("60", 0, "pass: 99 of 100 edges within 2 ms, ")],
)
def test_the_verdict(capsys, live, seconds, code, verdict):
    assert measured("--seconds", seconds, "--busy", "--p99-ms", "2") == code
    assert capsys.readouterr().out.splitlines()[-1].startswith(verdict)


def test_the_verdict_on_a_late_unit(capsys, monkeypatch, live):
    """All edges are 7 ms late."""
    shown = live.link.note_shown
    monkeypatch.setattr(live.link, "note_shown", lambda us: shown(us + 7000))
    assert measured("--seconds", "20", "--busy", "--p99-ms", "2", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"]["outcome"] == "fail" and not found["passed"]
    assert found["late"] == found["verdict"]["late"] == found["verdict"]["edges"]


def test_a_busy_unit_is_left_as_it_was_found(capsys, monkeypatch):
    live = Live(monkeypatch, levels=0)
    figures(capsys, "--seconds", "4", "--busy")  # its auction is still running
    assert live.unit.state == "off"
    live = Live(monkeypatch)
    left_ms = live.unit.clock.left_at(live.now)
    figures(capsys, "--seconds", "4", "--busy")
    assert live.unit.state == "ready"
    assert live.unit.clock.left_at(live.now) < left_ms  # still the same game


@pytest.mark.parametrize("begin", ["start", "tap build"])
def test_busy_leaves_a_unit_that_is_not_idle_alone(capsys, live, begin):
    live.do(begin)
    words = ["--seconds", "4", "--busy"]
    assert measured(*words) == 1
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1 and "--force" in output.err
    assert live.said == [begin]
    assert measured(*words, "--force") == 0


def test_watching_alone_disturbs_nobody(capsys, live):
    live.do("start")
    figures(capsys, "--seconds", "4")
    assert live.unit.state == "auction"
    assert live.said == ["start", "watch on", "watch off"]


def test_a_plot_of_the_lateness_of_each_edge(tmp_path, live):
    plot = tmp_path / "late.svg"
    assert measured("--seconds", "8", "--busy", "--plot", str(plot)) == 0
    text = plot.read_text()
    assert ">auction<" in text and ">tone<" in text


@pytest.mark.parametrize("band", [2.0, 20.0])
@pytest.mark.parametrize("late", [0.0, 15.0, 40.0])
def test_no_texts_of_the_plot_overlap(band, late):
    lines = (*OUTPUTS[:5], "tone", "press-auction", "press-build")
    edges = [lateness_plot.Edge(line, 1000, late) for line in lines]
    drawn = lateness_plot.draw(
        lateness_plot.Plot(edges, 60_000, band, ["a note"] * 3, [], (0, 5)), "title"
    )
    boxes = [
        (left, each.y - each.size, left + len(each.text) * each.size * 0.6, each.y)
        for each in drawn.shapes
        if isinstance(each, Words)
        for left in [each.x - len(each.text) * each.size * 0.6 * (each.anchor == "end")]
    ]
    for one, other in combinations(boxes, 2):
        apart_x = one[2] <= other[0] or other[2] <= one[0]
        assert apart_x or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize(
    ("edges", "late", "outcome"),
    [
        (298, 0, UNDECIDED),  # known result: 299 edges without a late one for 95 %
        (299, 0, PASS),
        (412, 1, UNDECIDED),
        (473, 1, PASS),
        (100, 5, FAIL),
        (3, 3, FAIL),
        (100_000, 900, PASS),
        (100_000, 1000, UNDECIDED),
        (100_000, 1100, FAIL),
    ],
)
def test_the_outcome(edges, late, outcome):
    judged = lateness.judge(edges, late)
    assert judged.outcome == outcome
    assert (judged.sure >= 0.95) == (outcome != UNDECIDED)


def test_it_says_how_many_edges_would_be_enough():
    assert lateness.judge(100, 0).needed == pytest.approx(299, rel=0.01)
    needed = lateness.judge(412, 1).needed
    assert lateness.judge(needed, 1).outcome == PASS
    assert lateness.judge(needed * 98 // 100, 1).outcome == UNDECIDED


@pytest.mark.slow
@pytest.mark.parametrize("edges", [150, 412, 3000])
def test_a_bad_unit_passes_in_one_of_twenty_cases_at_most(edges):
    """Of a marginally bad unit, 1 % of the edges are late."""
    chance = random.Random(5)
    passes = sum(
        lateness.judge(edges, sum(chance.random() < 0.01 for _ in range(edges))).outcome == PASS
        for _ in range(1000)
    )
    assert passes <= 1000 * 0.05 + 20


def test_median_p99_and_worst():
    found = lateness.summarise("tone on", [*range(1000, 100_001, 1000)])
    assert found == ("tone on", 100, 50.0, 99.0, 100.0)
    assert lateness.summarise("x", [5]) == ("x", 1, 0.005, 0.005, 0.005)
    assert lateness.summarise("x", [-3000, 1000, 2000]).worst_ms == -3.0
