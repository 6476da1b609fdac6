"""A scenario that an instrument saw: a logic analyser at the pins, or a microphone."""

import sys
from typing import NamedTuple

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.progress import Progress
from sim.lab.check.checking import Case
from sim.lab.check.expectations import Slack
from sim.lab.instrument import witness
from sim.lab.instrument.witness import Options, Witnessed

# A finger, or a command, comes when it comes; the unit shows its answer within the next look.
SLACK_OF_CAPTURE = Slack(at_ms=20, length_ms=2)
SLACK_OF_SOUND = Slack(at_ms=20, length_ms=6)


class Instrument(NamedTuple):
    """The file of an instrument: a capture or a recording, whichever is given.

    plot  the file for the lateness of its edges, "" for none
    """

    capture: str | None
    recording: str | None
    options: Options
    plot: str = ""

    @property
    def slack(self) -> Slack:
        return SLACK_OF_CAPTURE if self.capture else SLACK_OF_SOUND

    def look(self, case: Case) -> Witnessed:
        """Return the edges that it saw of a case; raises UserError."""
        if case.faults.names:
            words = _("{path}: an instrument sees a unit as it is; left out: {faults}")
            faults = ", ".join(case.faults.names)
            print(words.format(path=case.path, faults=faults), file=sys.stderr)
        if self.capture:
            return witness.of_capture(self.capture, case.scenario, self.options)
        path = self.recording or ""
        beeps, seconds = heard(path)
        return witness.of_sound(path, beeps, seconds, case.scenario, self.options)


def needs_libraries() -> UserError:
    """Return the error to raise where nothing can be listened to."""
    install = errors.install_command("numpy", "scipy", "soundfile")
    words = _("listening needs numpy, scipy and soundfile: {install}")
    return UserError(words.format(install=install), UNCHECKED)


def heard(path: str) -> tuple[list[tuple[float, float, float]], float]:
    """Return the beeps of a recording, `(onset ms, length ms, Hz)`, and its length in seconds."""
    try:
        from sim.lab.listen import listening, recording
    except ImportError:
        raise needs_libraries() from None
    sound = recording.read(path)
    for note in sound.notes:
        print(note, file=sys.stderr)
    line = Progress()
    words = _("listening: {percent} %")
    beeps = listening.beeps(sound.samples, lambda part: line.percent(words, part))
    return [(beep.onset_ms, beep.length_ms, beep.hz) for beep in beeps], sound.seconds
