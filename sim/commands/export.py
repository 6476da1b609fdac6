"""`city-unit export`: a scenario's trace as a waveform, as sound and as a picture."""

import argparse
import io
import sys
import time
from pathlib import Path

from sim import scenario, texts_lab, toml_reader, tones
from sim.commands.trace import run_scenario
from sim.errors import UserError
from sim.files import write_whole
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
    parser.add_argument("--seed", metavar="N", type=int, help="the seed, not FILE's")


def run(options: argparse.Namespace) -> int:
    if not (options.vcd or options.wav or options.picture):
        raise UserError(texts_lab.NOTHING_TO_EXPORT)
    if options.picture and not shapes.is_picture(options.picture):
        raise UserError(texts_lab.STRANGE_PICTURE.format(path=options.picture))
    start, end = _time(options.start) or 0, _time(options.end)
    told = scenario.load(options.file, options.program, options.seed)
    lines: list[str] = []
    run_scenario(told, 0, lines.append)
    shown = edges.of_lines(lines, told.end_ms)
    if options.vcd:
        _save(options.vcd, _waveform(shown))
    if options.wav:
        _save_sound(options.wav, shown)
    if options.picture:
        drawn = timeline.draw(
            shown, f"{Path(options.file).name}, program {told.program.name}", start, end
        )
        shapes.save(options.picture, drawn)
        print(texts_lab.WRITTEN.format(path=options.picture))
    return 0


def _waveform(shown: edges.Edges) -> bytes:
    try:
        from sim.lab import waveform
    except ImportError:
        raise UserError(texts_lab.NEEDS_VCD, 1) from None
    text = io.StringIO()
    waveform.write(shown, text)
    return text.getvalue().encode()


def _save(path: str, content: bytes) -> None:
    write_whole(path, content)
    print(texts_lab.WRITTEN.format(path=path))


def _save_sound(path: str, shown: edges.Edges) -> None:
    if shown.end_ms > _LONGEST_WAV_MS:
        raise UserError(texts_lab.LONG_SOUND.format(path=path, hours=_LONGEST_WAV_MS / 3_600_000))
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


def _time(value: str | None) -> int | None:
    if value is None:
        return None
    try:
        return toml_reader.time_ms(value)
    except ValueError as error:
        raise UserError(str(error)) from None
