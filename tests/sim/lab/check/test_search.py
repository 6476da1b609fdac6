"""The search for scenarios that break a rule, and their shrinking."""

import pytest

from sim import cli
from sim.lab.check import search
from sim.lab.check.lab import Trace

END = '[[always]]\nafter = "auction-started"\ncomes = "auction-ended"\nin = "50 s"\n'
GOES_OUT = '[[always]]\nafter = "auction-started"\nlamp = "auction"\nis = "off"\nin = "50 s"\n'
UNLESS = 'unless = ["auction-cancelled", "switched-off"]\n'
OVER = '[[always]]\nnever = "auction-started"\nafter = "hour-ended"\n'
NEVER = '[[always]]\nnever = "auction-started"\nafter = "switched-off"\nuntil = "switched-on"\n'


def run(tmp_path, monkeypatch, capsys, rules, *words):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "rules.toml"
    path.write_text(rules)
    code = cli.main(["search", str(path), *words])
    told = capsys.readouterr()
    return code, told.out, told.err


OR_ANOTHER = 'unless = ["auction-cancelled", "switched-off", "auction-started"]\n'


@pytest.mark.parametrize("rules", [END + UNLESS, GOES_OUT + OR_ANOTHER, NEVER])
def test_a_rule_that_holds(tmp_path, monkeypatch, capsys, rules):
    code, out, _ = run(tmp_path, monkeypatch, capsys, rules, "--runs", "25")
    assert code == 0 and out.startswith("no rule was broken in 25 games of 10 min")


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "steps"), [(END, 5), (GOES_OUT, 6)])
def test_a_rule_that_forgets_the_cancel_is_broken_by_few_presses(
    tmp_path, monkeypatch, capsys, rules, steps
):
    """A cancelling hold or the switch breaks it; for the lamp, another auction after that."""
    code, out, _ = run(tmp_path, monkeypatch, capsys, rules, "--runs", "100")
    assert code == 1 and "after auction-started at" in out
    made = (tmp_path / "counterexample.toml").read_text()
    assert made.count("[[steps]]") <= steps  # including the switch and the end
    assert cli.main(["check", "counterexample.toml"]) == 1
    assert "FAIL" in capsys.readouterr().out
    again, out, err = run(tmp_path, monkeypatch, capsys, rules)
    assert again == 2 and "already exists" in err


@pytest.mark.slow
def test_a_press_in_the_very_millisecond_of_the_end_is_found(tmp_path, monkeypatch, capsys):
    """The next auction starts as the last one ends, so the lamp stays lit."""
    code, _, _ = run(tmp_path, monkeypatch, capsys, GOES_OUT + UNLESS, "--runs", "60")
    assert code == 1
    assert (tmp_path / "counterexample.toml").read_text().count("[[steps]]") == 4
    assert cli.main(["trace", "counterexample.toml"]) == 0
    told = capsys.readouterr().out.splitlines()
    ended = next(place for place, line in enumerate(told) if "auction-ended" in line)
    assert "auction-started" in told[ended + 1]
    assert told[ended].split(",")[0] == told[ended + 1].split(",")[0]


@pytest.mark.slow
def test_the_setup_chooses_a_program_of_other_lengths(tmp_path, monkeypatch, capsys):
    rules = "setup = true\n" + END + UNLESS
    code, out, _ = run(tmp_path, monkeypatch, capsys, rules)
    assert code == 1 and "no auction-ended" in out
    assert cli.main(["trace", "counterexample.toml"]) == 0
    assert '"program": "championship"' in capsys.readouterr().out


def test_a_forbidden_event_is_found_and_the_same_seed_finds_the_same(tmp_path, monkeypatch, capsys):
    rules = '[[always]]\nnever = "refused"\n'
    texts = set()
    for _ in range(2):
        code, out, _ = run(tmp_path, monkeypatch, capsys, rules, "--force", "--seed", "9")
        assert code == 1 and "refused occurs at" in out
        texts.add((tmp_path / "counterexample.toml").read_text())
    (text,) = texts
    assert text.count("[[steps]]") <= 4
    assert cli.main(["check", "counterexample.toml"]) == 1


@pytest.mark.parametrize("rule", [END.replace("auction-started", "hour-ended"), OVER])
def test_a_rule_that_never_applied_does_not_pass(tmp_path, monkeypatch, capsys, rule):
    """No game of ten minutes reaches the end of the hour."""
    code, out, err = run(tmp_path, monkeypatch, capsys, END + UNLESS + rule, "--runs", "3")
    assert code == 3 and out.startswith("no rule was broken in 3 games")
    assert err.count("never tested") == 1 and "the rule after hour-ended" in err


MISTAKES = [
    ("", "there are no rules"),
    ('[[always]]\nnever = "refusd"\n', 'did you mean "refused"?'),
    ('[[always]]\nafter = "refused"\n', '"in" is missing'),
    ('[[always]]\nnever = "refused"\nuntil = "hour-beep"\n', "needs after, the event"),
    (
        END.replace("50 s", "10 min"),
        "in: with the tolerance it must be shorter than a game (600000 ms)",
    ),
    (END + 'tolerance = "10 h"\n', "in: with the tolerance it must be shorter than a game"),
]


@pytest.mark.parametrize(("rules", "mistake"), MISTAKES)
def test_an_error_is_one_line(tmp_path, monkeypatch, capsys, rules, mistake):
    code, out, err = run(tmp_path, monkeypatch, capsys, rules)
    assert (code, out) == (2, "") and mistake in err and err.count("\n") == 1


def test_a_property_in_python_and_its_smallest_counterexample():
    """The first press is enough, so the search must shrink the forty moves to it."""

    def holds(trace: Trace) -> bool:
        return not trace.of("auction-started")

    with pytest.raises(AssertionError) as told:
        search.assert_always(holds, minutes=2, runs=20)
    assert str(told.value).count("[[steps]]") == 3
    search.assert_always(lambda trace: not trace.of("hour-ended"), minutes=2, runs=20)
