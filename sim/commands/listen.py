"""`city-unit listen`: find the beeps in a recording."""

import argparse
import json
import sys
from pathlib import Path

from city_unit.programs import PROGRAMS, Program
from sim import installing, program_file, progress, texts_listen
from sim.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recording", metavar="RECORDING", help="a WAV, FLAC, OGG or MP3 file")
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
    program = program_file.find(options.program) if options.program else None
    if options.learn:
        learned.refuse(options.learn, options.force)
    sound = recording.read(options.recording, _reading)
    for note in sound.notes:
        print(note, file=sys.stderr)
    beeps = listening.beeps(sound.samples, _listening)
    if options.json:
        for beep in beeps:
            print(json.dumps(beep._asdict()))
    else:
        _show(beeps, sound.seconds, options.recording)
        if program:
            _compare(beeps, program)
    if options.learn:
        base = program or PROGRAMS[0]
        found = learned.write(options.learn, beeps, base, Path(options.recording).name)
        _tell(found, options.learn, len(beeps))
    return 0


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
    if not all(beep.is_measured for beep in beeps):
        print(texts_listen.PATTERN)


def _tell(learned, path: str, count: int) -> None:
    """Say on standard error what was learned, and of which beeps nothing was."""
    what = ", ".join((*learned.values, *learned.cues))
    print(texts_listen.LEARNED.format(path=path, what=what), file=sys.stderr)
    used = count - len(learned.strange)
    line = texts_listen.USED.format(used=used, all=count)
    if learned.strange:
        times = ", ".join(clock(beep.onset_ms) for beep in learned.strange)
        line += texts_listen.NOT_RECOGNISED.format(times=times)
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
        line = f"{clock(cue.onset_ms):>12}  {cue.name}"
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
