"""`check --recording` judges a recording of a unit's sound."""

import re

import pytest

from tests.helpers.needs import needs_modules
from tests.helpers.scenario_text import COUNT, EXPECTED, check
from tests.helpers.times import ENDED, WARNED
from tests.scenarios import FOLDER

needs_modules("numpy", "scipy", "soundfile")

import numpy as np  # noqa: E402
import soundfile  # noqa: E402

from tests.helpers.sounds import recorded  # noqa: E402


def test_a_recording_passes_the_scenarios_expectations(tmp_path, capsys, expecting):
    wav = recorded(expecting, tmp_path / "a.wav", 1.00015, 2.5, 0.001)
    capsys.readouterr()
    code, out, _ = check(capsys, expecting, "--recording", wav, "--allow-unseen")
    assert code == 0 and f"expectations: {COUNT - 1} of {COUNT} could be judged" in out
    assert "not visible to this instrument: auction blinks 4 times a second" in out
    found = re.search(r"drift ([+-][0-9.]+) ± ([0-9.]+) ppm", out)
    assert abs(float(found[1]) - 150) <= float(found[2]) + 2


def test_a_recording_of_something_else(tmp_path, capsys, expecting):
    """A recording of other beeps is rejected for that, not for being too short."""
    rate, chance = 16_000, np.random.default_rng(5)
    sound = 0.001 * chance.standard_normal(20 * rate)
    for start in np.sort(chance.uniform(0.5, 19, 30)):
        places = np.arange(round(chance.uniform(0.05, 0.2) * rate))
        beep = np.sin(2 * np.pi * chance.choice([2700, 2000]) * places / rate)
        sound[round(start * rate) :][: len(beep)] += 0.3 * beep
    soundfile.write(tmp_path / "a.wav", sound, rate)
    code, out, err = check(capsys, expecting, "--recording", tmp_path / "a.wav")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith("it does not resemble the scenario")


def test_a_recording_of_another_program_fails(tmp_path, capsys, expecting):
    """The recorded auction is longer and warns earlier."""
    other = tmp_path / "other.toml"
    other.write_text('program = "championship"\n' + (FOLDER / "auction.toml").read_text())
    other.write_text(other.read_text().replace('"60 s"', '"65 s"'))
    wav = recorded(other, tmp_path / "a.wav", before_s=2.5, noise=0.001)
    capsys.readouterr()
    code, out, _ = check(capsys, expecting, "--recording", wav)
    assert code == 1 and f"expected auction-warning at {WARNED} ms" in out
    assert EXPECTED.count("event") == 2


@pytest.mark.slow
def test_a_recording_of_a_unit_with_a_wrong_clock(tmp_path, capsys, expecting):
    wav = recorded(expecting, tmp_path / "a.wav", 1.005, 2.5, 0.001)
    capsys.readouterr()
    code, out, _ = check(capsys, expecting, "--recording", wav)
    found = re.search(r"clock runs ([0-9.]+) % ± ([0-9.]+) % slow", out)
    assert code == 1 and abs(float(found[1]) - 0.5) <= float(found[2])
    assert f"{ENDED} ms within 5 ms" in out
