"""Capture from end to end: an emulated unit, the window, and the firmware, each a process."""

import json
import re
from xml.etree import ElementTree

import pytest

from city_unit import host
from firmware.tool.image import unix
from sim import cli
from sim.lab import lateness, machine, picture
from tests.helpers.emulated import Emulated
from tests.helpers.needs import needs, needs_posix
from tests.helpers.patience import until
from tests.sim.lab.check.live import Live


def captured(capsys, port: str) -> dict:
    """Return the figures of two busy seconds, in which a busy machine may be busy too long."""

    def measured() -> dict:
        words = ["--seconds", "2", "--busy", "--json"]
        code = cli.main(["lateness", "--port", port, *words])
        figures = json.loads(capsys.readouterr().out or '{"edges": []}')
        shown = {edge["kind"] for edge in figures["edges"]}
        return figures if code == 0 and shown >= SHOWN_IN_TWO_SECONDS else {}

    return until(measured)


SHOWN_IN_TWO_SECONDS = {"permit-1 on", "permit-station off", "tone on", "tone off", "all"}


def check(figures: dict) -> None:
    kinds = {edge["kind"]: edge for edge in figures["edges"]}
    assert kinds["all"]["edges"] == sum(
        edge["edges"] for kind, edge in kinds.items() if kind != "all"
    )
    assert 0 <= kinds["all"]["median_ms"] <= kinds["all"]["p99_ms"] <= kinds["all"]["worst_ms"]
    assert figures["drift_uncertainty_ppm"] > 0


@pytest.mark.real_time
def test_an_emulated_unit(tmp_path, capsys):
    needs_posix()
    name = str(tmp_path / "unit")
    unit = Emulated(tmp_path, "--pty", name)
    try:
        check(captured(capsys, name))
        drawn = tmp_path / "late.svg"
        words = ["--seconds", "1.5", "--busy", "--limit-ms", "0.000001", "--picture", str(drawn)]

        def has_failed() -> bool:
            assert cli.main(["lateness", "--port", name, *words]) == 1
            return "FAIL" in capsys.readouterr().out

        until(has_failed)
        told = [
            element.text for element in ElementTree.parse(drawn).getroot().iter() if element.text
        ]
        assert any("limit" in text for text in told)
    finally:
        unit.stop()


@pytest.mark.real_time
def test_the_firmware_in_micropython(tmp_path, capsys):
    needs_posix()
    needs(unix(), "MicroPython's Unix port")
    from firmware.virtual.launch import Supervised, VirtualBoard, lay

    folder = tmp_path / "board"
    folder.mkdir()
    lay(folder)
    board = VirtualBoard(folder, world={"changes": [[0, 4]]})
    with Supervised(board, tmp_path / "world") as port:
        check(captured(capsys, port))


@pytest.mark.parametrize("limit", [None, 5.0])
def test_the_picture_has_a_bar_for_each_count(limit):
    late = [0, 10, 40, 60, 70, 900]
    figures = lateness.summarise("all", late)
    drawn = lateness.draw_histogram(late, figures, "a <unit>", limit)
    bars = next(shape for shape in drawn.shapes if isinstance(shape, picture.Boxes)).boxes
    _, counted = lateness.counts(late)
    assert sum(counted.values()) == len(late)
    assert len(bars) == len(counted)
    tallest = max(bars, key=lambda box: box[3])
    assert bars.index(tallest) == sorted(counted).index(max(counted, key=counted.__getitem__))


@pytest.fixture
def live(monkeypatch):
    return Live(monkeypatch)


def figures(capsys, *words) -> dict:
    """Return what `capture` prints of the unit in virtual time."""
    assert cli.main(["lateness", "--port", "unit", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "words",
    [
        *(["--seconds=0"], ["--seconds=-5"], ["--seconds=nan"], ["--seconds=inf"]),
        *(["--limit-ms", "0"], ["--picture", "no/a.svg"], ["--picture", "a.gif"]),
    ],
)
def test_what_is_asked_is_looked_at_before_it_is_measured(capsys, live, words):
    assert cli.main(["lateness", "--port", "unit", *words]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    assert words[0][:9] != "--seconds" or "above 0" in told.err
    assert live.said == []


def test_ctrl_c_prints_what_was_measured_until_then(capsys, live):
    live.interrupt_ms = 5000
    measured = figures(capsys, "--seconds", "60", "--busy")
    assert measured["seconds"] == pytest.approx(5, abs=0.1)
    assert measured["edges"][-1]["edges"] > 20
    assert live.said[-1] == "switch free"


def test_a_unit_that_is_lost_leaves_what_was_measured(capsys, live):
    live.dies_ms = 5000
    assert cli.main(["lateness", "--port", "unit", "--seconds", "60", "--busy"]) == 1
    told = capsys.readouterr()
    assert "all  " in told.out and "drift" not in told.out
    assert told.err == (
        "city-unit: the unit was lost, after 5.0 s; what was measured until then stands above\n"
    )


def test_the_figures_are_set_as_the_language_sets_them(capsys, live):
    words = ["lateness", "--port", "unit", "--seconds", "5", "--busy", "--limit-ms", "2.5"]
    assert cli.main(["--lang", "fr", *words]) == 0
    printed = capsys.readouterr().out
    assert "2,5" in printed
    assert re.findall(r"\d\.\d", printed) == []


def test_a_unit_that_falls_silent_leaves_what_was_measured(capsys, monkeypatch, live):
    """One slower than real time: its last answer comes too late, or never."""
    send = host.Client.send

    def slow(unit, text, timeout=2.0):
        if text == "watch off":
            raise host.LinkError("no answer to 'watch off'")
        return send(unit, text, timeout)

    monkeypatch.setattr(host.Client, "send", slow)
    assert cli.main(["lateness", "--port", "unit", "--seconds", "8", "--busy"]) == 1
    told = capsys.readouterr()
    assert "all  " in told.out and "no answer to 'watch off', after" in told.err
    assert told.err.count("\n") == 1


def test_the_verdict(capsys, live):
    for seconds, code, word in (
        ("5", 3, "undecided: 0 of "),
        ("60", 0, "pass: 99 of 100 edges within 2 ms, "),
    ):
        words = ["lateness", "--port", "unit", "--seconds", seconds, "--busy", "--p99-ms", "2"]
        assert cli.main(words) == code
        assert capsys.readouterr().out.splitlines()[-1].startswith(word)


class Restless(machine.Watch):
    """A machine that stands still for half of the time, from whenever it is measured."""

    is_awake = True

    def __enter__(self):
        self.stalls += [machine.Stall(ms, ms + 500) for ms in range(0, 5000, 1000)]
        return self

    def wait_for_quiet(self, patience_s, idle):
        return False


def test_more_edges_are_no_remedy_for_a_busy_machine(capsys, monkeypatch, live):
    monkeypatch.setattr(machine, "is_here", lambda _port: True)
    monkeypatch.setattr(machine, "Watch", Restless)
    words = ["lateness", "--port", "unit", "--seconds", "5", "--busy", "--p99-ms", "2"]
    assert cli.main(words) == 3
    told = capsys.readouterr().out.splitlines()[-1]
    assert told == "undecided: this machine is too busy to say anything of the unit"


def test_the_verdict_on_a_late_unit(capsys, monkeypatch, live):
    """Each of its edges is 7 ms late: nothing but the unit is to blame."""
    shown = live.link.note_shown
    monkeypatch.setattr(live.link, "note_shown", lambda us: shown(us + 7000))
    words = ["lateness", "--port", "unit", "--seconds", "20", "--busy", "--p99-ms", "2", "--json"]
    assert cli.main(words) == 1
    figures = json.loads(capsys.readouterr().out)
    assert figures["verdict"]["outcome"] == "fail" and not figures["passed"]
    assert figures["late"] == figures["late_of_unit"] == figures["verdict"]["late"]


def test_a_busy_unit_is_left_as_it_was_found(capsys, monkeypatch):
    live = Live(monkeypatch, levels=0)
    figures(capsys, "--seconds", "4", "--busy")  # its auction is not over
    assert live.unit.state == "off"
    live = Live(monkeypatch)
    left_ms = live.unit.clock.left_at(live.now)
    figures(capsys, "--seconds", "4", "--busy")
    assert live.unit.state == "ready"
    assert live.unit.clock.left_at(live.now) < left_ms  # it is the same game


@pytest.mark.parametrize("begin", ["start", "tap build"])
def test_busy_takes_no_unit_from_the_middle_of_something(capsys, live, begin):
    live.do(begin)
    words = ["lateness", "--port", "unit", "--seconds", "4", "--busy"]
    assert cli.main(words) == 1
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and "--force" in told.err
    assert live.said == [begin]
    assert cli.main([*words, "--force"]) == 0


def test_who_only_watches_disturbs_nobody(capsys, live):
    live.do("start")
    figures(capsys, "--seconds", "4")
    assert live.unit.state == "auction"
    assert live.said == ["start", "watch on", "watch off"]


def test_a_plot_of_the_lateness_of_each_edge_and_the_former_name(tmp_path, capsys, live):
    plot = tmp_path / "late.svg"
    words = ["capture", "--port", "unit", "--seconds", "8", "--busy", "--plot", str(plot)]
    assert cli.main(words) == 0
    assert "capture is called lateness now" in capsys.readouterr().err
    lines = [name for name in ("auction", "tone") if f">{name}<" in plot.read_text()]
    assert lines == ["auction", "tone"]
