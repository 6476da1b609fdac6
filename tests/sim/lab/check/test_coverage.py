"""Coverage: which rows of the table of states a folder of scenarios uses."""

from city_unit.transitions import TRANSITIONS
from sim import cli
from sim.engine import scenario
from sim.lab.check import reporting
from tests.scenarios import FOLDER, NAMES

EXPECT = '[[expect]]\nevent = "switched-on"\nat = "0 s"\n'


def test_one_auction_uses_its_rows():
    rows, _refusals = reporting.measure([scenario.load(str(FOLDER / "auction.toml"))])
    used = {row for row, count in rows.items() if count}
    assert used == {
        ("off", "switch on"),
        ("ready", "press auction"),
        ("auction", "auction warns"),
        ("warning", "auction ended"),
    }


def test_the_scenarios_of_this_house_use_every_state():
    rows, refusals = reporting.measure(
        scenario.load(str(FOLDER / f"{name}.toml")) for name in NAMES
    )
    used = {row for row, count in (*rows.items(), *refusals.items()) if count}
    assert {state for state, _what in used} == set(TRANSITIONS)
    assert sum(map(bool, rows.values())) >= 0.8 * len(rows)


def test_a_folder_is_told_what_it_never_does(tmp_path, capsys):
    """Scenarios that expect nothing are covered too."""
    (tmp_path / "auction.toml").write_text((FOLDER / "auction.toml").read_text())
    assert cli.main(["check", str(tmp_path), "--coverage"]) == 0
    alone = capsys.readouterr().out
    assert "left out: 1 scenario without expectations" in alone and "used: 4 of" in alone
    (tmp_path / "permit.toml").write_text((FOLDER / "permit-1.toml").read_text() + EXPECT)
    assert cli.main(["check", str(tmp_path), "--coverage"]) == 0
    out = capsys.readouterr().out
    assert f"used: 5 of {len(TRANSITIONS)} states" in out
    assert "never in setup: switch off, press auction" in out
    assert "never in warning:" in out and "press build" in out
