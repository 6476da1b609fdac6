"""Steps that wait for an event instead of a time."""

import pytest

from sim.engine import scenario, virtual
from tests.helpers.times import DEBOUNCE_MS, ENDED, LENGTH_MS, WARNED

ON = '[[steps]]\nat = "0 s"\ndo = "switch on"\n'


def load(tmp_path, steps, head='program = "city"\nseed = 3\n'):
    path = tmp_path / "a.toml"
    path.write_text(head + ON + steps)
    return scenario.load(str(path))


def step(do, **times):
    lines = "".join(f'{key} = "{value}"\n' for key, value in times.items())
    return f'[[steps]]\ndo = "{do}"\n{lines}'


def test_a_step_comes_when_the_event_does(tmp_path):
    loaded = load(
        tmp_path,
        step("tap auction", at="1 s")
        + step("tap build", when="auction-warning", after="200 ms")
        + step("end", when="auction-ended", after="5 s"),
    )
    assert [at.at for at in loaded.steps] == [0, 1000, WARNED + 200, ENDED + 5000]
    assert loaded.end_ms == ENDED + 5000
    kinds = [(ms, kind) for ms, kind, _ in virtual.shown(loaded).events]
    assert (WARNED + 200 + DEBOUNCE_MS, "refused") in kinds


def test_of_several_the_next_one_after_the_step_above(tmp_path):
    loaded = load(
        tmp_path,
        step("tap auction", at="1 s")
        + step("tap auction", when="auction-ended")
        + step("end", when="auction-ended"),
    )
    assert loaded.steps[2].at == ENDED
    assert loaded.end_ms == ENDED + DEBOUNCE_MS + LENGTH_MS


def test_a_secret_length_is_waited_for(tmp_path):
    """Each seed of the program draws its own length; the tap comes just after it."""
    times = set()
    for seed in range(1, 6):
        steps = step("tap auction", at="1 s") + step("end", when="auction-ended", after="1 s")
        loaded = load(tmp_path, steps, f'program = "world"\nseed = {seed}\n')
        times.add(loaded.end_ms)
        assert virtual.shown(loaded).events[-1][:2] == (loaded.end_ms - 1000, "auction-ended")
    assert len(times) > 2


MISTAKES = [
    (step("end", when="auction-warning"), 'when: "auction-warning" never comes after 0 ms'),
    (step("end", when="auction-warnin"), 'did you mean "auction-warning"?'),
    (step("end", when="hour-beep", at="1 s"), "not both"),
    (step("end", at="1 s", after="1 s"), "after: after which event?"),
]


@pytest.mark.parametrize(("steps", "mistake"), MISTAKES)
def test_a_mistake_is_told(tmp_path, steps, mistake):
    with pytest.raises(Exception, match="line") as raised:
        load(tmp_path, steps)
    assert mistake in str(raised.value)
