"""`city-unit check FOLDER`: scenarios are checked, other files counted; and coverage."""

import os
from xml.etree import ElementTree

import pytest

from city_unit.transitions import TRANSITIONS
from sim import cli
from sim.engine import scenario
from sim.lab.check import reporting
from tests.helpers.needs import needs
from tests.helpers.scenario_text import KEPT, STEPS
from tests.helpers.times import WARNED
from tests.scenarios import FOLDER, NAMES

GOOD = f"{STEPS}[[expect]]\n{KEPT[0]}\n"
EXPECTED = '[[expect]]\nevent = "switched-on"\nat = "0 s"\n'
OFF = (f'"{WARNED} ms"', f'"{WARNED - 1} ms"')
LINE = 1 + GOOD[: GOOD.index("expect")].count("\n")  # line of the expectation
PROGRAM = 'name = "mine"\nauction = "40 s"\n'

MISTAKES = {
    "a misspelt table": (
        GOOD.replace("expect", "expct"),
        f'line {LINE}: unknown key "expct", did you mean "expect"?',
    ),
    "one bracket too few": (GOOD.replace("[[expect]]", "[expect]"), "[[expect]]"),
    "no text": (b"\x89\xff\x00\x01", "not valid UTF-8"),
    "too deep": ("x = " + "[" * 20_000, "nested too deeply"),
    "no TOML": ("x = [", "not valid TOML"),
    "no steps": ('program = "city"\n', '"steps" is missing'),
    "misspelt steps": (STEPS.replace("steps", "stpes"), 'is "stpes" a typo?'),
    "all misspelt": ("[[step]]\n[[expects]]\n", 'is "step" a typo?'),
    "a run that ends with its last step": (
        GOOD.replace(STEPS, STEPS[: STEPS.rindex("[[steps]]")]),
        'the end of the run at 1088 ms; add a step "end" to extend it',
    ),
    "in capitals": ("[[EXPECT]]\n", '"steps" is missing'),
}


def put(folder, **files):
    for name, text in files.items():
        raw = text if isinstance(text, bytes) else text.encode()
        (folder / f"{name}.toml").write_bytes(raw)


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_scenario_with_an_error_does_not_pass_and_does_not_stop_the_others(
    tmp_path, capsys, kind
):
    text, mistake = MISTAKES[kind]
    put(tmp_path, a=text, broken=GOOD.replace(*OFF), good=GOOD)
    out = tmp_path / "results.xml"
    assert cli.main(["check", str(tmp_path), "--junit", str(out)]) == 2
    told = capsys.readouterr()
    first = told.err.splitlines()[0]
    assert "a.toml" in first and mistake in first
    assert "pass  " in told.out and "FAIL  " in told.out
    assert told.out.endswith("passed: 1, failed: 1, not checked: 1\n")
    suite = ElementTree.parse(out).getroot()
    assert [suite.get(key) for key in ("tests", "failures", "errors")] == ["3", "1", "1"]
    assert mistake in suite[0].find("testcase/error").get("message")


def test_a_folder_with_the_name_of_a_scenario(tmp_path, capsys):
    needs(os.name == "posix", "symbolic links that anybody may make")
    put(tmp_path, a=GOOD)
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nothing")
    assert cli.main(["check", str(tmp_path)]) == 2
    assert "gone.toml: no such file" in capsys.readouterr().err


def test_skipped_files_are_counted(tmp_path, capsys):
    (tmp_path / "A.TOML").write_text(GOOD)
    put(tmp_path, bare=STEPS, mine=PROGRAM, other='[project]\nname = "x"\n', empty="")
    assert cli.main(["check", str(tmp_path)]) == 0
    passed, left_out = capsys.readouterr().out.splitlines()
    assert passed.startswith("pass")
    assert left_out == (
        f"skipped: 1 program ({tmp_path / 'mine.toml'}), 1 scenario without expectations "
        f"({tmp_path / 'bare.toml'}), 2 other files ({tmp_path / 'empty.toml'}, "
        f"{tmp_path / 'other.toml'})"
    )

    for name in ("one", "two"):  # many are counted, for all folders together, and not listed
        (tmp_path / name).mkdir()
        put(tmp_path / name, a=GOOD, b=STEPS, c=STEPS)
    assert cli.main(["check", str(tmp_path / "one"), str(tmp_path / "two")]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[2:] == [
        "skipped: 4 scenarios without expectations",
        "passed: 2, failed: 0, not checked: 0",
    ]


def test_a_scenario_without_expectations_does_not_pass(tmp_path, capsys):
    put(tmp_path, bare=STEPS)
    assert cli.main(["check", str(tmp_path / "bare.toml")]) == 2
    assert "nothing is expected" in capsys.readouterr().err
    assert cli.main(["check", str(tmp_path)]) == 2
    assert "no scenario with [[expect]] blocks" in capsys.readouterr().err


def test_our_scenarios_use_every_state():
    every = reporting.measure(scenario.load(str(FOLDER / f"{name}.toml")) for name in NAMES)
    assert {state for (state, _what), count in every.items() if count} == set(TRANSITIONS)
    rows = [count for (state, what), count in every.items() if what in TRANSITIONS[state]]
    assert sum(map(bool, rows)) >= 0.8 * len(rows)


def test_unused_transitions_are_listed(tmp_path, capsys):
    """Scenarios without expectations count for coverage."""
    (tmp_path / "auction.toml").write_text((FOLDER / "auction.toml").read_text())
    assert cli.main(["check", str(tmp_path), "--coverage"]) == 0
    alone = capsys.readouterr().out
    assert "skipped: 1 scenario without expectations" in alone and "used: 4 of" in alone
    (tmp_path / "permit.toml").write_text((FOLDER / "permit-1.toml").read_text() + EXPECTED)
    assert cli.main(["check", str(tmp_path), "--coverage"]) == 0
    out = capsys.readouterr().out
    assert f"used: 5 of {len(TRANSITIONS)} states" in out
    assert "never in setup: switch off, press auction" in out
    assert "never in warning:" in out and "press build" in out
