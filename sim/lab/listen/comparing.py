"""Compare beeps with the cues and times of a program, and two learned units with each other."""

from collections.abc import Sequence
from typing import NamedTuple

from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.errors import FAILURE, SUCCESS, UserError, at
from city_unit.desktop.forms import percent, shortest, signed
from city_unit.programs import Program
from sim.lab.listen import learning, listening, naming, recording, structure
from sim.lab.listen.learning import OFF_MS, OFF_PART, Learned, every, length_of
from sim.lab.listen.listening import Beep, clock
from sim.lab.listen.sounds import SETUP, notes

_PITCH = 0.03  # tolerance of a buzzer's pitch, as a fraction
_NOTE_MS = 15  # tolerance of a note's onset and length
_FEWEST = 3  # intervals from which a clock error is determined
_REST_MS = 5.0  # tolerance of an interval after correction of the clock


class HeardCue(NamedTuple):
    """A recognised cue: its name, its number of beeps, and the onset of the first.

    is_sure  False for a press of an unknown button
    """

    name: str
    beeps: int
    onset_ms: float
    is_sure: bool = True


class Lateness(NamedTuple):
    """By how much an interval since the cue `since` is longer than in the program."""

    cue: HeardCue
    since: str
    expected_ms: int
    late_ms: float


def cues(beeps: Sequence[Beep], program: Program) -> list[HeardCue]:
    """Return the cues in the beeps: the longest that fits; a press is named by the next cue."""
    patterns = [(name, notes(cue)) for name, cue in program.cues.items() if name != SETUP]
    patterns.sort(key=lambda pattern: -len(pattern[1]))
    found = []
    place = 0
    while place < len(beeps):
        first = beeps[place]
        count = 1
        for name, due in patterns:
            if 0 < len(due) <= len(beeps) - place and all(
                abs(beep.onset_ms - first.onset_ms - note.onset_ms + due[0].onset_ms) < _NOTE_MS
                and abs(beep.length_ms - note.length_ms) < _NOTE_MS
                and abs(beep.hz / note.hz - 1) < _PITCH
                for beep, note in zip(beeps[place:], due, strict=False)
            ):
                count = len(due)
                found.append(HeardCue(name, count, first.onset_ms))
                break
        place += count
    names, sure = naming.starts([cue.name for cue in found], program)
    return [
        cue._replace(name=name, is_sure=is_sure)
        for cue, name, is_sure in zip(found, names, sure, strict=True)
    ]


def auctions(heard: Sequence[HeardCue], program: Program) -> list[Lateness]:
    """Return the lateness of each warning and end, against the cue before it in its auction."""
    shortest, longest = program.auction_ms
    if shortest != longest:
        return []
    dues = (0, longest - program.warning_ms, longest)
    times: dict[str, int] = dict(zip(structure.AUCTION, dues, strict=True))
    found = []
    last = None
    for cue in heard:
        if cue.name not in times:
            continue
        if last and times[cue.name] > times[last.name]:
            expected = times[cue.name] - times[last.name]
            late = cue.onset_ms - last.onset_ms - expected
            if abs(late) < expected / 4:
                found.append(Lateness(cue, last.name, expected, late))
        last = cue
    return found


def clock_error(late: Sequence[Lateness]) -> float | None:
    """Return the error of the clock, as a fraction, that explains the lateness of all intervals.

    None if they have none in common.
    """
    pairs = [(each.expected_ms, each.expected_ms + each.late_ms) for each in late]
    return _shared_part(pairs, _FEWEST, _REST_MS)


def in_words(beeps: Sequence[Beep], program: Program) -> list[str]:
    """Return lines with the cues in the beeps and the lateness of auctions, after a blank one."""
    heard = cues(beeps, program)
    if not heard:
        return [_("none of the cues of {name} was recognised").format(name=program.name)]
    known = sum(cue.beeps for cue in heard)
    words = _("{known} of {all} beeps belong to {cues} cues of {name}")
    counts = {"known": known, "all": len(beeps), "cues": len(heard)}
    lines = ["", words.format(**counts, name=program.name)]
    late = {each.cue: each for each in auctions(heard, program)}
    for cue in heard:
        name = cue.name if cue.is_sure else _("{name} or another press").format(name=cue.name)
        if cue in late:
            name += _("  {late} ms against {expected} s after {since}").format(
                late=signed(late[cue].late_ms, 1),
                expected=shortest(late[cue].expected_ms / 1000, 3),
                since=late[cue].since,
            )
        lines.append(f"{clock(cue.onset_ms):>12}  {name}")
    error = clock_error(list(late.values()))
    if error is not None:
        words = _(
            "all times are off by {error}: the error of the recorder's clock if the unit runs "
            "{name}; otherwise it may be the unit's own"
        )
        lines.append(words.format(error=percent(error, 2, True), name=program.name))
    return lines


def clock_part(first: Learned, second: Learned) -> float | None:
    """Return by which fraction all lengths of the second unit are longer, None if it varies."""
    lengths = [(length_of(first, name), length_of(second, name)) for name in _LENGTHS]
    return _shared_part([pair for pair in lengths if all(pair)], 2, OFF_MS)


def _shared_part(pairs: Sequence[tuple[int, float]], fewest: int, off_ms: float) -> float | None:
    """Return the fraction by which the second of each pair is longer, None if they do not agree.

    off_ms  tolerance of an interval after correction; smaller errors are not reported
    """
    if len(pairs) < fewest:
        return None
    whole = sum(ms for ms, _other in pairs)
    part = sum(other - ms for ms, other in pairs) / whole
    rest = max(abs(other - ms * (1 + part)) for ms, other in pairs)
    is_shared = rest <= max(off_ms, abs(part) * min(pairs)[0] / 2)
    return part if is_shared and abs(part) * whole > off_ms * len(pairs) else None


_LENGTHS = ("auction_ms", "warning_ms", "clock_ms")


class Row(NamedTuple):
    """A value of both units, in words; "" if it was not heard."""

    name: str
    first: str
    second: str
    is_same: bool


def compare(first: Learned, second: Learned) -> list[Row]:
    """Return a row for each length, then for each cue, that was learned of either unit."""
    rows = []
    for name in _LENGTHS:
        each, others = every(first, name), every(second, name)
        is_same = len(each) == len(others) and all(
            abs(ms - other) <= max(OFF_MS, ms * OFF_PART)
            for ms, other in zip(each, others, strict=True)
        )
        rows.append(
            Row(
                name.removesuffix("_ms"),
                learning.in_words(each),
                learning.in_words(others),
                is_same,
            )
        )
    for cue in first.program.cues:
        one, other = (
            unit.program.cues[cue] if cue in unit.cues else () for unit in (first, second)
        )
        # The tolerance is 1 % for a pitch, 3 ms for a length.
        is_same = len(one) == len(other) and all(
            abs(a - b) <= (3 if place % 2 else a * 0.01)
            for place, (a, b) in enumerate(zip(one[1:], other[1:], strict=True))
        )
        rows.append(Row(cue, _spoken(one), _spoken(other), is_same))
    return [row for row in rows if row.first or row.second]


def _spoken(cue: tuple[int, ...]) -> str:
    parts = zip(cue[1::2], cue[2::2], strict=True)
    return ", ".join(f"{hz} Hz {ms} ms" if hz else f"{ms} ms" for hz, ms in parts)


def run(first_path: str, second_path: str, program: Program) -> int:
    """Print the differences between two recorded units; return the exit status."""
    paths = {"first": first_path, "second": second_path}
    first, second = (
        learning.learn(listening.beeps(recording.read(path).samples), program, name)
        for name, path in paths.items()
    )
    for path, learned in ((first_path, first), (second_path, second)):
        if not learned.is_unit:
            raise UserError(at(path, learning.NO_UNIT), FAILURE)
    rows = compare(first, second)
    if not rows:
        words = _("{first} and {second} hold no cue of {name}; try another --program")
        raise UserError(words.format(**paths, name=program.name), FAILURE)
    for row in rows:
        mark = "=" if row.is_same else "!"
        one, other = (text or _("not heard") for text in (row.first, row.second))
        print(f"{mark} {row.name}: {one}" + ("" if row.is_same else f"  |  {other}"))
    part = clock_part(first, second)
    if part is not None:
        words = _(
            "all lengths in {other} differ by {part}: either the recorder's clock or the unit's "
            "is different; a recording alone cannot tell which"
        )
        print(words.format(other=second_path, part=percent(part, 2, True)))
    differences = sum(not row.is_same for row in rows)
    words = ngettext("{count} difference", "{count} differences", differences)
    print(words.format(count=differences))
    return FAILURE if differences else SUCCESS
