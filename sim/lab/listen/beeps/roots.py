"""Whether sounds like our cues are those, or the overtones of another buzzer's.

A square wave has its third, fifth and seventh harmonics. Of a buzzer of 900 Hz the third is
2700 Hz, a pitch of ours; in the rhythm of one of our cues it is found as that cue.
"""

from collections.abc import Sequence

from sim.lab.listen.beeps import crowd
from sim.lab.listen.beeps.pulse import Pulse
from sim.lab.listen.beeps.rhythm import Heard
from sim.lab.listen.beeps.tonal import LOWEST_HZ
from sim.lab.listen.sound.samples import RATE, Samples

_ORDERS = (3, 5, 7)
_LOWEST_HZ = LOWEST_HZ / 1.1
_AUDIBLE = 0.3  # of the overtone: a real buzzer may sound louder there than at its pitch
_STEP = 4.0  # times the level before the cue
_MANY = 0.25
_PAUSE = 0.02 * RATE  # between the sound before and the cue


def are_overtones(samples: Samples, cues: Sequence[Heard]) -> bool:
    """Return whether many cues begin together with a tone whose overtones they are.

    Of some cues a voice may begin with them.
    """
    return sum(_is_overtone(samples, cue) for cue in cues) > _MANY * len(cues)


def _is_overtone(samples: Samples, cue: Heard) -> bool:
    first = cue.notes[0]
    length = first.ms * RATE / 1000
    own = Pulse(cue.onset, cue.onset + length, first.hz, cue.level, cue.score, 0.0)
    before = own._replace(onset=own.onset - _PAUSE - length, end=own.onset - _PAUSE)
    for order in _ORDERS:
        root = first.hz / order
        loud = crowd.loudness(samples, own, root)
        is_audible = root > _LOWEST_HZ and loud > _AUDIBLE * cue.level
        if is_audible and loud > _STEP * crowd.loudness(samples, before, root):
            return True
    return False
