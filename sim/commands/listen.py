"""`city-unit listen`: find the beeps in a recording."""

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path

from city_unit.programs import PROGRAMS, Program
from sim import installing, program_file, progress, texts_listen
from sim.errors import UserError
from sim.files import refuse_no_folder

LONGEST_S = 12 * 3600  # of a recording; a WAV file holds a little more
_QUIETEST_DB, _MARK_DB = 60, 3  # the level meter's range below full scale, and a mark's worth


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "recording", nargs="?", metavar="RECORDING", help="a WAV, FLAC, OGG or MP3 file"
    )
    parser.add_argument(
        "--microphone", nargs="?", const="", metavar="NAME", help=texts_listen.HELP_MICROPHONE
    )
    parser.add_argument("--seconds", type=float, metavar="N", help=texts_listen.HELP_SECONDS)
    parser.add_argument("--keep", metavar="OUT.wav", help=texts_listen.HELP_KEEP)
    parser.add_argument("--json", action="store_true", help=texts_listen.HELP_JSON)
    parser.add_argument(
        "--program", metavar="NAME", help="tell which cue of this program (a name or file) is which"
    )
    parser.add_argument("--learn", metavar="OUT.toml", help=texts_listen.HELP_LEARN)
    parser.add_argument("--force", action="store_true", help=texts_listen.HELP_FORCE)


def run(options: argparse.Namespace) -> int:
    try:
        from sim.lab import learned, listening, recording
    except ImportError:
        install = installing.command("numpy", "scipy", "soundfile")
        raise UserError(texts_listen.NEEDS_LISTEN.format(install=install), 1) from None
    _refuse(options)
    program = program_file.find(options.program) if options.program else None
    if options.learn:
        learned.refuse(options.learn, options.force)
    source = options.recording
    if source is None:
        sound, source = _recorded(options)
    else:
        sound = recording.read(source, _reading)
    for note in sound.notes:
        print(note, file=sys.stderr)
    beeps = listening.beeps(sound.samples, _listening)
    if options.json:
        for beep in beeps:
            print(json.dumps(beep._asdict()))
    else:
        _show(beeps, sound.seconds, source)
        if program:
            _compare(beeps, program)
    if options.learn:
        found = learned.write(options.learn, beeps, program or PROGRAMS[0], Path(source).name)
        _tell(found, options.learn, len(beeps))
    return 0


def _refuse(options: argparse.Namespace) -> None:
    """Raise UserError for options that do not go together."""
    recording, name = options.recording, options.microphone
    if recording is None and name is None:
        raise UserError(texts_listen.ONE_SOURCE)
    if recording is not None and name is not None:
        raise UserError(texts_listen.BOTH_SOURCES.format(recording=recording))
    if name is None:
        for option in ("seconds", "keep"):
            if getattr(options, option) is not None:
                raise UserError(texts_listen.ONLY_MICROPHONE.format(option=f"--{option}"))
        return
    if Path(name).is_file():
        raise UserError(texts_listen.NO_MICROPHONE_BUT_A_FILE.format(name=name))
    if options.seconds is not None and not 0 < options.seconds <= LONGEST_S:
        raise UserError(texts_listen.STRANGE_SECONDS.format(seconds=options.seconds))
    if not options.keep:
        return
    if Path(options.keep).suffix.lower() != ".wav":
        raise UserError(texts_listen.STRANGE_KEEP.format(path=options.keep))
    if Path(options.keep).exists() and not options.force:
        raise UserError(texts_listen.EXISTS.format(path=options.keep))
    refuse_no_folder(options.keep)


def _recorded(options: argparse.Namespace):
    """Record the microphone; return what it heard and what that is called."""
    from sim.lab import recording

    try:
        from sim.lab import microphone
    except ImportError:
        install = installing.command("pygame-ce")
        raise UserError(texts_listen.NEEDS_PYGAME.format(install=install), 1) from None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(options.keep or Path(folder) / "microphone.wav")
        taken = microphone.record(path, options.microphone, options.seconds or LONGEST_S, _metered)
        progress.show("", 1)
        if options.keep:
            print(texts_listen.KEPT.format(path=path), file=sys.stderr)
        if taken.is_silent:
            print(texts_listen.NOTHING_BUT_ZEROS.format(name=taken.name), file=sys.stderr)
        sound = recording.read(str(path), _reading)
    return sound, options.keep or texts_listen.THE_MICROPHONE.format(name=taken.name)


def _show(beeps: list, seconds: float, path: str) -> None:
    head = texts_listen.ONE_HEARD if len(beeps) == 1 else texts_listen.HEARD
    print(head.format(count=len(beeps), seconds=seconds, path=path))
    if beeps:
        print(texts_listen.HEARD_HEAD)
    for beep in beeps:
        line = texts_listen.HEARD_LINE.format(
            onset=clock(beep.onset_ms), length=beep.length_ms, hz=beep.hz, level=beep.level_db
        )
        print(line + ("" if beep.is_measured else texts_listen.PATTERN_MARK))
    hidden = sum(not beep.is_measured for beep in beeps)
    if hidden:
        print(texts_listen.PATTERN)
    if hidden > len(beeps) / 2:
        print(texts_listen.MOST_HIDDEN, file=sys.stderr)


def _tell(learned, path: str, count: int) -> None:
    """Say on standard error what was learned, and of which beeps nothing was."""
    what = ", ".join((*learned.values, *learned.cues))
    print(texts_listen.LEARNED.format(path=path, what=what), file=sys.stderr)
    used = count - len(learned.strange) - len(learned.unsure)
    line = texts_listen.USED.format(used=used, all=count)
    if learned.strange:
        times = ", ".join(clock(beep.onset_ms) for beep in learned.strange)
        line += texts_listen.NOT_RECOGNISED.format(times=times)
    if learned.unsure:
        times = ", ".join(clock(beep.onset_ms) for beep in learned.unsure)
        line += texts_listen.UNSURE.format(times=times)
    if learned.by_place:
        line += texts_listen.BY_PLACE.format(cues=", ".join(learned.by_place))
    print(line, file=sys.stderr)


def _compare(beeps: list, program: Program) -> None:
    from sim.lab import comparing

    heard = comparing.cues(beeps, program)
    if not heard:
        print(texts_listen.CUES_NONE.format(name=program.name))
        return
    known = sum(cue.beeps for cue in heard)
    print()
    print(
        texts_listen.CUES_SUM.format(
            known=known, all=len(beeps), cues=len(heard), name=program.name
        )
    )
    late = {one.cue: one for one in comparing.auctions(heard, program)}
    for cue in heard:
        line = f"{clock(cue.onset_ms):>12}  {cue.name}" + (
            "" if cue.is_sure else texts_listen.CUE_UNSURE
        )
        if cue in late:
            one = late[cue]
            line += texts_listen.CUE_LATE.format(
                late=one.late_ms, expected=one.expected_ms / 1000, since=one.since
            )
        print(line)


def clock(ms: float) -> str:
    """Return a time as minutes, seconds and tenths of a millisecond."""
    minutes, rest = divmod(round(ms * 10), 600_000)
    return f"{minutes}:{rest / 10_000:07.4f}"


def _reading(part: float) -> None:
    progress.show(texts_listen.READING.format(percent=round(part * 100)), part)


def _listening(part: float) -> None:
    progress.show(texts_listen.LISTENING.format(percent=round(part * 100)), part)


def _metered(seconds: float, peak: int) -> None:
    level = 20 * math.log10(max(peak, 1) / 32768)
    meter = "#" * max(0, round((level + _QUIETEST_DB) / _MARK_DB))
    text = texts_listen.RECORDING.format(
        seconds=seconds, meter=f"{meter:<{_QUIETEST_DB // _MARK_DB}}", level=level
    )
    progress.show(text, 0)
