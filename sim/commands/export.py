"""`city-unit export`: a scenario's trace as a waveform, as sound and as a picture."""

import argparse
from pathlib import Path

from city_unit.desktop import toml_reader
from city_unit.desktop.arguments import add_scenario
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, SUCCESS, UserError, at
from city_unit.desktop.files import cannot_write, reason, refuse_no_folder, write_whole
from city_unit.desktop.forms import number
from city_unit.desktop.progress import Progress
from sim.engine import edges, virtual
from sim.engine import scenario as scenarios
from sim.face import tones
from sim.lab.picture import difference, export, picture_file, timeline

_LONGEST_WAV_MS = 0xFFFF_0000 // 2 * 1000 // tones.RATE  # a WAV file holds 4 GiB


def arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario(parser)
    parser.add_argument("--vcd", metavar=_("OUT"), help=_("a waveform for GTKWave or PulseView"))
    parser.add_argument(
        "--wav", metavar=_("OUT"), help=_("the sound, just as the unit would play it")
    )
    parser.add_argument("--picture", metavar=_("OUT"), help=_("a time line: NAME.svg or NAME.png"))
    parser.add_argument(
        "--against",
        metavar=_("OTHER"),
        help=_(
            "another scenario, or a trace that was printed (.jsonl): tell what differs; the "
            "--picture shows both; the exit status is 1 if anything does"
        ),
    )
    parser.add_argument(
        "--from", dest="start", metavar=_("TIME"), help=_("the picture begins here: 45 s")
    )
    parser.add_argument(
        "--to", dest="end", metavar=_("TIME"), help=_("the picture ends here: 1 min")
    )


def run(options: argparse.Namespace) -> int:
    if not (options.vcd or options.wav or options.picture or options.against):
        raise UserError(_("say what to write: --vcd OUT, --wav OUT, --picture OUT.svg"))
    scenario = scenarios.load(options.file, options.program, options.seed)
    start, end = _part(options, scenario.end_ms)
    _refuse_what_cannot_be(options, scenario)
    shown = virtual.shown(scenario)
    other = _other(options, scenario.end_ms) if options.against else None
    if options.vcd:
        _save(options.vcd, export.waveform(shown))
    if options.wav:
        _save_sound(options.wav, shown)
    if other is not None:
        return _tell_difference(options, shown, other, (start, end))
    if options.picture:
        title = timeline.title(options.file, scenario.program)
        picture_file.save(options.picture, timeline.draw(shown, title, start, end))
        print(_("wrote {path}").format(path=options.picture))
    return 0


def _other(options: argparse.Namespace, end_ms: int) -> edges.Edges:
    """Return the other trace: of a scenario, or as it was printed; raises UserError."""
    path = options.against
    if Path(path).suffix.lower() != ".jsonl":
        return virtual.shown(scenarios.load(path, options.program, options.seed))
    try:
        with open(path, encoding="utf-8") as file:
            return edges.of_lines(file, end_ms)
    except OSError as error:
        raise UserError(at(path, reason(error))) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        words = _("{path}: this is no trace; `city-unit trace FILE` prints one")
        raise UserError(words.format(path=path)) from None


def _tell_difference(
    options: argparse.Namespace, shown: edges.Edges, other: edges.Edges, part: tuple[int, int]
) -> int:
    differences = difference.find(shown, other)
    print(difference.in_words(differences))
    if options.picture:
        names = options.file, options.against
        picture_file.save(options.picture, difference.draw(shown, other, names, *part))
        print(_("wrote {path}").format(path=options.picture))
    return FAILURE if differences else SUCCESS


def _refuse_what_cannot_be(options: argparse.Namespace, scenario: scenarios.Scenario) -> None:
    """Raise UserError before anything is written, if one of the files could not be."""
    refuse_no_folder(options.vcd, options.wav, options.picture)
    if options.picture and not picture_file.is_picture(options.picture):
        raise UserError(
            _("{path}: a picture is written as .svg or .png").format(path=options.picture)
        )
    if options.wav and Path(options.wav).suffix.lower() not in ("", ".wav"):
        raise UserError(_("{path}: a sound is written as .wav").format(path=options.wav))
    if options.vcd:
        export.refuse_no_waveform()
    if options.wav and scenario.end_ms > _LONGEST_WAV_MS:
        hours = _LONGEST_WAV_MS / 3_600_000
        raise UserError(
            _("{path}: a WAV file holds {hours} h at most; end the scenario sooner").format(
                path=options.wav, hours=number(hours, 1)
            )
        )


def _part(options: argparse.Namespace, end_ms: int) -> tuple[int, int]:
    """Return from when to when the picture is; raises UserError."""
    given = {"--from": options.start, "--to": options.end}
    for name, text in given.items():
        if text is not None and not options.picture:
            raise UserError(
                _("{option} is for a --picture; sound and waveform are of the whole run").format(
                    option=name
                )
            )
    start = 0 if options.start is None else _time("--from", options.start, end_ms)
    end = end_ms if options.end is None else _time("--to", options.end, end_ms)
    if start >= end:
        raise UserError(
            _(
                "the picture would begin at {start} ms, which is not before its end at {end} ms"
            ).format(start=start, end=end)
        )
    return start, end


def _save(path: str, content: bytes) -> None:
    write_whole(path, content)
    print(_("wrote {path}").format(path=path))


def _save_sound(path: str, shown: edges.Edges) -> None:
    line = Progress(patience_s=1)

    def show(part: float) -> None:
        line.show(_("writing the sound: {percent} %").format(percent=int(part * 100)), part)

    try:
        tones.write_wav(path, shown.tones, shown.end_ms, progress=show)
    except OSError as error:
        raise cannot_write(path, error) from None
    print(_("wrote {path}").format(path=path))


def _time(option: str, value: str, end_ms: int) -> int:
    """Read a time of the run; raises UserError."""
    try:
        ms = toml_reader.time_ms(value)
    except ValueError as error:
        raise UserError(at(option, error)) from None
    if ms > end_ms:
        raise UserError(
            _("{option} {time}: the run ends at {end} ms").format(
                option=option, time=value, end=end_ms
            )
        )
    return ms
