"""The translation of a chip's pins and instructions; no MicroPython is needed."""

import subprocess
from pathlib import Path

import pytest

from firmware.chip import pico
from firmware.chip.pico import Tone
from firmware.chip.scenario import heard
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S

pytestmark = pytest.mark.slow

PROGRAMS = 1500  # about half of them are compared: the others reach beyond the memory


def test_a_unit_that_makes_no_sound_has_no_tones():
    assert heard([]) == []


def test_a_tone_shorter_than_its_period_is_none():
    tones = [Tone(0.0, 16, 2700.0, 0.5), Tone(0.2, 16, 2000.0, 0.5), Tone(60.0, 16, 0.0, 0.0)]
    assert heard(tones) == tones[1:]


def test_translated_instructions_do_what_they_do_when_they_are_read():
    try:
        pico.check()
    except pico.NotThere as missing:
        needs(False, str(missing))
    compare = str(Path(__file__).with_name("blocks.mjs"))
    done = subprocess.run(
        ["node", compare, str(PROGRAMS)], capture_output=True, text=True, timeout=PATIENCE_S
    )
    *differ, compared = done.stdout.splitlines()
    assert differ == [], done.stderr
    assert int(compared) > PROGRAMS // 3
