"""Which cues are known, and which were only heard.

A cue is known if each of its notes and pauses was measured, and if it was the same whenever it
was heard. What an echo or a codec does to a beep differs from beep to beep: where cues that were
heard several times are not themselves again, or where edges are hidden, one that was heard once
may be anything, and is not known either.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median, mode

from sim.lab.listen.beeps.listening import Beep
from sim.lab.listen.cues.phrases import gap

_ALIKE_MS = 5.0  # two that were measured of the same note, or
_ALIKE_PART = 0.01  # this part of it
_MOST_HIDDEN = 0.25  # of the beeps of a recording in which a cue that was heard once is believed
_LEAST_ALIKE = 0.95  # and of the lengths that were measured several times, so many are alike
_USUAL = 2 / 3  # of the times that a cue was heard, so often it is the same: it may be cut off

Heard = Sequence[tuple[Beep, ...]]  # each time that a cue was heard


def doubtful(cues: Mapping[str, Heard]) -> tuple[str, ...]:
    """Return the cues of which it is not known what they are."""
    is_plain = _is_plain(cues)
    return tuple(cue for cue, heard in cues.items() if not _is_known(heard, is_plain))


def usual(heard: Heard) -> Heard:
    """Return the times that a cue was heard with its usual number of notes."""
    count = mode(len(beeps) for beeps in heard)
    return [beeps for beeps in heard if len(beeps) == count]


def _is_known(heard: Heard, is_plain: bool) -> bool:
    alike = usual(heard)
    if len(alike) < _USUAL * len(heard):
        return False
    lengths = list(_measured(alike))
    if not all(lengths):
        return False
    return is_plain or all(len(times) > 1 and _are_alike(times) for times in lengths)


def _is_plain(cues: Mapping[str, Heard]) -> bool:
    """Return whether what was measured in a recording is what it says, as far as can be told."""
    beeps = [beep for heard in cues.values() for beeps in heard for beep in beeps]
    hidden = sum(not beep.is_measured for beep in beeps)
    several = [
        times for heard in cues.values() for times in _measured(usual(heard)) if len(times) > 1
    ]
    alike = sum(_are_alike(times) for times in several)
    return hidden <= _MOST_HIDDEN * len(beeps) and alike >= _LEAST_ALIKE * len(several)


def _measured(alike: Heard) -> Iterator[list[float]]:
    """Yield what was measured of each note and of each pause of a cue, in ms."""
    for place in range(len(alike[0])):
        yield [beeps[place].length_ms for beeps in alike if beeps[place].is_measured]
    for place in range(1, len(alike[0])):
        pairs = [beeps[place - 1 : place + 1] for beeps in alike]
        yield [gap(*pair) for pair in pairs if all(beep.is_measured for beep in pair)]


def _are_alike(times: Sequence[float]) -> bool:
    """Return whether what was measured several times is the same but when it was cut off."""
    usual_ms = median(times)
    within = max(_ALIKE_MS, usual_ms * _ALIKE_PART)
    return sum(abs(ms - usual_ms) <= within for ms in times) >= _USUAL * len(times)
