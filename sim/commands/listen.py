"""`city-unit listen`: find the beeps in a recording."""

import argparse
import json
import sys
from pathlib import Path

from city_unit.programs import PROGRAMS, Program
from city_unit.provenance import SOURCES
from sim import installing, program_file, program_text, texts_lab, toml_reader
from sim.errors import UserError
from sim.files import write_whole


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recording", metavar="RECORDING", help="a WAV, FLAC, OGG or MP3 file")
    parser.add_argument("--json", action="store_true", help="one JSON object a beep")
    parser.add_argument(
        "--program", metavar="NAME", help="tell which cue of this program (a name or file) is which"
    )
    parser.add_argument("--learn", metavar="OUT.toml", help=texts_lab.HELP_LEARN)


def run(options: argparse.Namespace) -> int:
    try:
        from sim.lab import listening, recording
    except ImportError:
        install = installing.command("numpy", "scipy", "soundfile")
        raise UserError(texts_lab.NEEDS_LISTEN.format(install=install), 1) from None
    program = program_file.find(options.program) if options.program else None
    sound = recording.read(options.recording)
    beeps = listening.beeps(sound.samples, _progress)
    if options.learn:
        _learn(beeps, program or PROGRAMS[0], options)
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


def _learn(beeps: list, base: Program, options: argparse.Namespace) -> None:
    """Write what was heard as a program file; say on standard error what that is."""
    from sim.lab import learning

    out, recording = Path(options.learn), Path(options.recording).name
    if out.suffix.lower() != ".toml":
        raise UserError(texts_lab.STRANGE_PROGRAM.format(path=out))
    learned = learning.learn(beeps, base, program_file.name_of(out.stem))
    if not learned.values and not learned.cues:
        raise UserError(texts_lab.NOTHING_LEARNED.format(name=base.name), 1)
    text = program_text.write(learned.program, _sources(learned, base, recording))
    program_file.read(toml_reader.parse(text.encode(), str(out)))  # what is written can be read
    write_whole(str(out), text.encode())
    told = ", ".join((*learned.values, *learned.cues))
    print(texts_lab.LEARNED.format(path=out, what=told), file=sys.stderr)


def _sources(learned, base: Program, recording: str) -> dict[str, str]:
    """Return where each value comes from: this recording, or where the program had it from."""
    source = texts_lab.LEARNED_FROM.format(path=printable(recording))
    told = dict(SOURCES.get(base.name, {}))
    told.update(dict.fromkeys(learned.values, source))
    if learned.cues:
        rest = told.get("cues", base.name)
        told["cues"] = texts_lab.LEARNED_CUES.format(
            source=source, cues=", ".join(learned.cues), rest=rest
        )
    return told


def printable(name: str) -> str:
    """Return a file's name as a comment can hold it."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)


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
