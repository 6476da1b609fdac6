"""`city-unit check FOLDER`: scenarios are checked, other files counted."""

import os
from xml.etree import ElementTree

import pytest

from city_unit.transitions import TRANSITIONS
from sim import cli
from sim.engine import scenario, virtual
from tests.helpers.needs import needs
from tests.helpers.scenario_text import KEPT, STEPS
from tests.helpers.times import WARNED
from tests.scenarios import FOLDER, NAMES

GOOD = f"{STEPS}[[expect]]\n{KEPT[0]}\n"
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
    left_out, passed = capsys.readouterr().out.splitlines()
    assert passed.startswith("pass")
    names = [str(tmp_path / f"{name}.toml") for name in ("bare", "empty", "mine", "other")]
    words = "skipped: 4 files that are not scenarios with expectations"
    assert left_out == f"{words} ({', '.join(names)})"

    for name in ("one", "two"):  # many are counted, for all folders together, and not listed
        (tmp_path / name).mkdir()
        put(tmp_path / name, a=GOOD, b=STEPS, c=STEPS, d=STEPS)
    assert cli.main(["check", str(tmp_path / "one"), str(tmp_path / "two")]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == words.replace("4", "6")
    assert told[3:] == ["passed: 2, failed: 0, not checked: 0"]


def test_a_scenario_without_expectations_does_not_pass(tmp_path, capsys):
    put(tmp_path, bare=STEPS)
    assert cli.main(["check", str(tmp_path / "bare.toml")]) == 2
    assert "nothing is expected" in capsys.readouterr().err
    assert cli.main(["check", str(tmp_path)]) == 2
    assert "no scenario with [[expect]] blocks" in capsys.readouterr().err


def test_our_scenarios_use_every_state():
    used = set()
    for name in NAMES:
        used |= virtual.used_transitions(scenario.load(str(FOLDER / f"{name}.toml")))
    assert {state for state, _what in used} == set(TRANSITIONS)
    rows = {(state, what) for state, there in TRANSITIONS.items() for what in there}
    assert len(used & rows) >= 0.8 * len(rows)
