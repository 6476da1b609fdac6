"""`city-unit export`: a scenario's trace as a waveform, as sound and as a picture."""

import argparse
import io
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from sim import installing, scenario, texts_lab, toml_reader, tones
from sim.commands.trace import run_scenario, whole
from sim.errors import UserError
from sim.files import refuse_no_folder, write_whole
from sim.lab import edges, shapes, timeline

_LONGEST_WAV_MS = 0xFFFF_0000 // 2 * 1000 // tones.RATE  # a WAV file holds 4 GiB


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the scenario; - is standard input")
    parser.add_argument("--vcd", metavar="OUT", help="a waveform for GTKWave or PulseView")
    parser.add_argument("--wav", metavar="OUT", help="the sound, just as the unit would play it")
    parser.add_argument("--picture", metavar="OUT", help="a time line: NAME.svg or NAME.png")
    parser.add_argument(
        "--from", dest="start", metavar="TIME", help="the picture begins here: 45 s"
    )
    parser.add_argument("--to", dest="end", metavar="TIME", help="the picture ends here: 1 min")
    parser.add_argument("--program", metavar="NAME", help="a program's name or file, not FILE's")
    parser.add_argument("--seed", metavar="N", type=whole, help="the seed, not FILE's")


def run(options: argparse.Namespace) -> int:
    if not (options.vcd or options.wav or options.picture):
        raise UserError(texts_lab.NOTHING_TO_EXPORT)
    told = scenario.load(options.file, options.program, options.seed)
    start, end = _part(options, told.end_ms)
    _refuse_what_cannot_be(options, told)
    lines: list[str] = []
    run_scenario(told, 0, lines.append)
    shown = edges.of_lines(lines, told.end_ms)
    if options.vcd:
        _save(options.vcd, _waveform(shown))
    if options.wav:
        _save_sound(options.wav, shown)
    if options.picture:
        title = f"{Path(options.file).name}, program {told.program.name}"
        shapes.save(options.picture, timeline.draw(shown, title, start, end))
        print(texts_lab.WRITTEN.format(path=options.picture))
    return 0


def _refuse_what_cannot_be(options: argparse.Namespace, told: scenario.Scenario) -> None:
    """Raise UserError before anything is written, if one of the files could not be."""
    refuse_no_folder(options.vcd, options.wav, options.picture)
    if options.picture and not shapes.is_picture(options.picture):
        raise UserError(texts_lab.STRANGE_PICTURE.format(path=options.picture))
    if options.vcd and find_spec("vcd") is None:
        install = installing.command("pyvcd")
        raise UserError(texts_lab.NEEDS_VCD.format(install=install), 1)
    if options.wav and told.end_ms > _LONGEST_WAV_MS:
        hours = _LONGEST_WAV_MS / 3_600_000
        raise UserError(texts_lab.LONG_SOUND.format(path=options.wav, hours=hours))


def _part(options: argparse.Namespace, end_ms: int) -> tuple[int, int]:
    """Return from when to when the picture is; raises UserError."""
    given = {"--from": options.start, "--to": options.end}
    for name, text in given.items():
        if text is not None and not options.picture:
            raise UserError(texts_lab.ONLY_PICTURE.format(option=name))
    start = 0 if options.start is None else _time("--from", options.start, end_ms)
    end = end_ms if options.end is None else _time("--to", options.end, end_ms)
    if start >= end:
        raise UserError(texts_lab.NO_PART.format(start=start, end=end))
    return start, end


def _waveform(shown: edges.Edges) -> bytes:
    from sim.lab import waveform

    text = io.StringIO()
    waveform.write(shown, text)
    return text.getvalue().encode()


def _save(path: str, content: bytes) -> None:
    write_whole(path, content)
    print(texts_lab.WRITTEN.format(path=path))


def _save_sound(path: str, shown: edges.Edges) -> None:
    try:
        tones.write_wav(path, shown.tones, shown.end_ms, progress=_Progress())
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}", 1) from None
    print(texts_lab.WRITTEN.format(path=path))


class _Progress:
    """Tells a person who waits for more than a second how much is written."""

    def __init__(self) -> None:
        self._show_at = time.monotonic() + 1 if sys.stderr.isatty() else float("inf")
        self._shown = False

    def __call__(self, part: float) -> None:
        now = time.monotonic()
        if part >= 1 and self._shown:
            sys.stderr.write("\r\x1b[K")
        elif part < 1 and now >= self._show_at:
            self._show_at = now + 0.2
            self._shown = True
            sys.stderr.write("\r" + texts_lab.WRITING.format(percent=int(part * 100)))
            sys.stderr.flush()


def _time(option: str, value: str, end_ms: int) -> int:
    """Read a time of the run; raises UserError."""
    try:
        ms = toml_reader.time_ms(value)
    except ValueError as error:
        raise UserError(f"{option}: {error}") from None
    if ms > end_ms:
        raise UserError(texts_lab.BEYOND_THE_END.format(option=option, time=value, end=end_ms))
    return ms
