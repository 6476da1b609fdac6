"""`city-unit listen`: find the beeps in a recording, and learn a program from them."""

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from city_unit.desktop import errors
from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.command import Progress, add_force_overwrite
from city_unit.desktop.errors import UNCHECKED, UserError
from city_unit.desktop.files import ask_before_overwriting, require_folders
from city_unit.desktop.forms import number, shortest
from city_unit.programs import PROGRAMS
from sim.engine import program_file

if TYPE_CHECKING:
    from sim.lab.listen.recording import Recording

LONGEST_S = 12 * 3600  # longest recording, near the limit of a WAV file
_QUIETEST_DB, _MARK_DB = 60, 3  # range of the level meter below full scale; step of a mark
_ESTIMATE_MARK = "  ~"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "recording",
        nargs="?",
        metavar=_("RECORDING"),
        help=_(
            "a WAV, FLAC, OGG or MP3 file; with ffmpeg installed also an .m4a, an .amr or a film"
        ),
    )
    parser.add_argument(
        "--microphone",
        nargs="?",
        const="",
        metavar=_("NAME"),
        help=_(
            "record a microphone first: the default one, or the one whose name contains NAME; "
            "Ctrl-C ends the recording"
        ),
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar=_("N"),
        help=_("how long to record, at most 43200 (12 h, the default)"),
    )
    parser.add_argument(
        "--keep", metavar=_("OUT.wav"), help=_("keep the microphone's recording in this file")
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help=_(
            "print one JSON object per beep: onset_ms, length_ms, hz, level_db, and is_measured, "
            "which is false if noise or an echo hides an edge"
        ),
    )
    parser.add_argument(
        "--program",
        metavar=_("NAME"),
        help=_("recognise the cues of this program (a name or a file)"),
    )
    parser.add_argument(
        "--learn",
        metavar=_("OUT.toml"),
        help=_(
            "write a program file with the cues and times of the recorded unit; the rest is copied "
            "from --program, or from city"
        ),
    )
    add_force_overwrite(parser)


def run(options: argparse.Namespace) -> int:
    try:
        from sim.lab.listen import comparing, learning, listening, recording
    except ImportError:
        from sim.lab.instrument import witness  # its numpy would delay the help

        raise witness.needs_libraries(options.recording) from None
    _refuse(options)
    program = program_file.find(options.program) if options.program else None
    if options.learn:
        learning.refuse(options.learn, options.force)
    source = options.recording
    if source is None:
        sound, source = _recorded(options)
    else:
        sound = recording.read(source, _reading)
    for note in sound.notes:
        print(note, file=sys.stderr)
    words = _("listening: {percent} %")
    beeps = listening.beeps(sound.samples, lambda part: _line.percent(words, part))
    if options.json:
        for beep in beeps:
            print(json.dumps(beep._asdict()))
    else:
        words = ngettext(
            "{count} beep in {seconds} s of {path}",
            "{count} beeps in {seconds} s of {path}",
            len(beeps),
        )
        seconds = number(sound.seconds, 1)
        print(words.format(count=len(beeps), seconds=seconds, path=source))
        if beeps:
            # To translators: the heads of columns; each ends where the column does.
            print(_("     onset      length      pitch      level"))
        for beep in beeps:
            length, level = number(beep.length_ms, 1), number(beep.level_db, 1)
            figures = (f"{length:>7} ms", f"{beep.hz:6.0f} Hz", f"{level:>6} dB")
            line = "  ".join((f"{listening.clock(beep.onset_ms):>10}", *figures))
            print(line + ("" if beep.is_measured else _ESTIMATE_MARK))
        hidden = sum(not beep.is_measured for beep in beeps)
        if hidden:
            print(_("~ noise or an echo hides an edge: these times are estimates"))
        if hidden > len(beeps) / 2:
            words = _(
                "most edges are hidden, by noise or a room's echo: record again nearer to the unit"
            )
            print(words, file=sys.stderr)
        if program:
            print("\n".join(comparing.in_words(beeps, program)))
    if options.learn:
        found = learning.write(options.learn, beeps, program or PROGRAMS[0], Path(source).name)
        lines = learning.report(found, options.learn, len(beeps))
        print("\n".join(lines), file=sys.stderr)
    return 0


def _refuse(options: argparse.Namespace) -> None:
    """Raise UserError for options that exclude each other."""
    recording, name = options.recording, options.microphone
    if recording is None and name is None:
        raise UserError(_("give a RECORDING, or --microphone"))
    if recording is not None and name is not None:
        words = _(
            "a recording and --microphone exclude each other: leave out {recording} or --microphone"
        )
        raise UserError(words.format(recording=recording))
    if name is None:
        for option in ("seconds", "keep"):
            if getattr(options, option) is not None:
                raise UserError(_("{option} needs --microphone").format(option=f"--{option}"))
        return
    if Path(name).is_file():
        words = _(
            "{name} is a file, not a microphone; leave out --microphone to listen to it, or use "
            "--keep to record into it"
        )
        raise UserError(words.format(name=name))
    if options.seconds is not None and not 0 < options.seconds <= LONGEST_S:
        words = _("--seconds {seconds}: must be more than 0 and at most 43200")
        raise UserError(words.format(seconds=shortest(options.seconds, 6)))
    if not options.keep:
        return
    if Path(options.keep).suffix.lower() != ".wav":
        raise UserError(_("{path}: the name for --keep must end in .wav").format(path=options.keep))
    ask_before_overwriting(options.force, options.keep)
    require_folders(options.keep)


def _recorded(options: argparse.Namespace) -> "tuple[Recording, str]":
    """Record the microphone; return the recording and its name."""
    from sim.lab.listen import recording

    try:
        from sim.lab.listen import microphone
    except ImportError:
        install = errors.install_command("pygame-ce")
        words = _("a microphone needs pygame-ce: {install}")
        raise UserError(words.format(install=install), UNCHECKED) from None

    def metered(seconds: float, peak: int) -> None:
        level = 20 * math.log10(max(peak, 1) / 32768)
        meter = "#" * max(0, round((level + _QUIETEST_DB) / _MARK_DB))
        meter = f"{meter:<{_QUIETEST_DB // _MARK_DB}}"
        words = _("recording {seconds:.0f} s  {meter}  {level:.0f} dB  (Ctrl-C ends it)")
        _line.show(words.format(seconds=seconds, meter=meter, level=level), 0)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(options.keep or Path(folder) / "microphone.wav")
        recorded = microphone.record(
            path, options.microphone, options.seconds or LONGEST_S, metered
        )
        _line.wipe()
        if options.keep:
            print(_("kept {path}").format(path=path), file=sys.stderr)
        if recorded.is_silent:
            words = _(
                "the microphone {name} sent nothing but silence; it may be muted, or access denied"
            )
            print(words.format(name=recorded.name), file=sys.stderr)
        sound = recording.read(str(path), _reading)
    return sound, options.keep or _("the microphone {name}").format(name=recorded.name)


_line = Progress()


def _reading(part: float) -> None:
    _line.percent(_("reading: {percent} %"), part)
