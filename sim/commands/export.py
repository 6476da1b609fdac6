"""`city-unit export`: a trace as JSON lines, a table, a waveform, sound and a picture."""

import argparse

from city_unit.desktop import toml_reader
from city_unit.desktop.arguments import add_overwriting, add_scenario, meaning
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import SUCCESS, UserError
from city_unit.desktop.files import ask_before_overwriting
from sim.lab import export, picture, timeline
from sim.lab.check import comparison

_FORMER = {"vcd": "OUT.vcd", "wav": "OUT.wav", "picture": "OUT.svg"}


def arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario(parser)
    parser.add_argument(
        "out",
        nargs="*",
        metavar=_("OUT"),
        help=_(
            "where to write: .jsonl (lines of JSON), .csv (a table), .vcd (a waveform for GTKWave, "
            "PulseView and sigrok), .wav (the sound, just as the unit would play it), .svg or "
            ".png (a time line)"
        ),
    )
    parser.add_argument(
        "--from", dest="start", metavar=_("TIME"), help=_("the picture begins here: 45 s")
    )
    parser.add_argument(
        "--to", dest="end", metavar=_("TIME"), help=_("the picture ends here: 1 min")
    )
    add_overwriting(parser)
    for name in (*_FORMER, "against"):
        parser.add_argument(f"--{name}", metavar=_("OUT"), help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    for name, out in _FORMER.items():
        if getattr(options, name) is not None:
            words = _("--{name} is gone: write `city-unit export FILE {out}`")
            raise UserError(words.format(name=name, out=out))
    if options.against is not None:
        raise UserError(_("--against is a command now: `city-unit compare FILE OTHER`"))
    if not options.out:
        words = _("say what to write: `city-unit export FILE OUT...`, each OUT one of {kinds}")
        raise UserError(words.format(kinds=", ".join(export.KINDS)))
    trace = comparison.trace(options.file, options.program, options.seed)
    start, end = _part(options, trace.shown.end_ms)
    for path in options.out:
        export.refuse(path, trace.shown.end_ms)
    ask_before_overwriting(options.force, *options.out)
    title = timeline.title(options.file, trace.program)
    for path in options.out:
        export.save(path, trace.shown, title, start, end)
        print(_("wrote {path}").format(path=path))
    return SUCCESS


def _part(options: argparse.Namespace, end_ms: int) -> tuple[int, int]:
    """Return from when to when the picture is; raises UserError."""
    times = {"--from": options.start, "--to": options.end}
    given = {option: text for option, text in times.items() if text is not None}
    if given and not any(map(picture.is_picture, options.out)):
        words = _("{option} is for a picture; everything else holds the whole run")
        raise UserError(words.format(option=next(iter(given))))
    part = {"--from": 0, "--to": end_ms}
    for option, text in given.items():
        part[option] = meaning(option, toml_reader.time_ms, text)
        if part[option] > end_ms:
            words = _("{option} {time}: the run ends at {end} ms")
            raise UserError(words.format(option=option, time=text, end=end_ms))
    start, end = part.values()
    if start >= end:
        words = _("the picture would begin at {start} ms, which is not before its end at {end} ms")
        raise UserError(words.format(start=start, end=end))
    return start, end
