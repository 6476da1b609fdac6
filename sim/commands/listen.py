"""`city-unit listen`: find the beeps in a recording."""

import argparse
import json
import sys

from sim import program_file, texts_lab
from sim.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recording", metavar="RECORDING", help="a WAV, FLAC, OGG or MP3 file")
    parser.add_argument("--json", action="store_true", help="one JSON object a beep")
    parser.add_argument(
        "--program", metavar="NAME", help="tell which cue of this program (a name or file) is which"
    )


def run(options: argparse.Namespace) -> int:
    try:
        from sim.lab import listening, recording
    except ImportError:
        raise UserError(texts_lab.NEEDS_LISTEN, 1) from None
    program = program_file.find(options.program) if options.program else None
    sound = recording.read(options.recording)
    beeps = listening.beeps(sound.samples, _progress)
    if options.json:
        for beep in beeps:
            print(json.dumps(beep._asdict()))
        return 0
    head = texts_lab.ONE_HEARD if len(beeps) == 1 else texts_lab.HEARD
    print(head.format(count=len(beeps), seconds=sound.seconds, path=options.recording))
    if beeps:
        print(texts_lab.HEARD_HEAD)
    for beep in beeps:
        line = texts_lab.HEARD_LINE.format(
            onset=clock(beep.onset_ms), length=beep.length_ms, hz=beep.hz, level=beep.level_db
        )
        print(line)
    if program:
        _compare(beeps, program)
    return 0


def _compare(beeps: list, program) -> None:
    from sim.lab import comparing

    heard = comparing.cues(beeps, program)
    if not heard:
        print(texts_lab.CUES_NONE.format(name=program.name))
        return
    known = sum(cue.beeps for cue in heard)
    print()
    print(
        texts_lab.CUES_SUM.format(known=known, all=len(beeps), cues=len(heard), name=program.name)
    )
    late = {one.cue: one for one in comparing.auctions(heard, program)}
    for cue in heard:
        line = f"{clock(cue.onset_ms):>12}  {cue.name}"
        if cue in late:
            one = late[cue]
            line += texts_lab.CUE_LATE.format(
                late=one.late_ms, expected=one.expected_ms / 1000, since=one.since
            )
        print(line)


def clock(ms: float) -> str:
    """Return a time as minutes, seconds and tenths of a millisecond."""
    minutes, rest = divmod(round(ms * 10), 600_000)
    return f"{minutes}:{rest / 10_000:07.4f}"


def _progress(part: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r" + texts_lab.LISTENING.format(percent=round(part * 100)))
        sys.stderr.write("\r\x1b[K" if part >= 1 else "")
        sys.stderr.flush()
