"""The commands for scenarios: `city-unit trace`, `check`, `search`, `export` and `compare`."""

import argparse
import sys
from pathlib import Path

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command import (
    Parser,
    add_force_on_unit,
    add_force_overwrite,
    add_scenario,
    convert,
    whole_number,
)
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED, UserError
from city_unit.desktop.files import ask_before_overwriting, write_whole
from city_unit.desktop.toml_reader import time_ms
from city_unit.programs import PROGRAMS
from sim.engine import program_file, scenario, virtual
from sim.lab import export, instrument, picture
from sim.lab.check import comparison
from sim.lab.instrument import digital

# To translators: translate the comments after #; the rest is the content of a file.
EXAMPLE = lazy(
    """\
A scenario is a TOML file:

  program = "city"
  seed = 7
  [[steps]]
  at = "0 s"               # times carry a unit: ms, s, min, h
  do = "switch on"         # press X, release X, tap X (80 ms), hold X for 2 s,
  [[steps]]                # switch on, switch off, end; X is auction or build
  at = "1 s"
  do = "tap auction"
  bounce = "8 ms"          # optional: contacts chatter after each edge of the step
  [[steps]]
  at = "61 min"
  do = "end"               # without it, the run ends when the last step is done
"""
)


def trace_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = str(EXAMPLE)
    add_scenario(parser)
    parser.add_argument(
        "--start-ms",
        metavar=_("N"),
        type=whole_number,
        default=0,
        help=_(
            "the time of the unit's clock at the start; it wraps at 2^30, with no visible effect"
        ),
    )


def run_trace(options: argparse.Namespace) -> int:
    script = scenario.load(options.file, options.program, options.seed)
    virtual.write_trace(script, options.start_ms, lambda line: sys.stdout.write(line + "\n"))
    return SUCCESS


# To translators: do not translate keys and values; they are the content of a file.
EXPECTATIONS = lazy(
    """\
The expectations of a scenario are the `[[expect]]` blocks of its file:

    [[expect]]                    [[expect]]                  [[expect]]
    event = "auction-warning"     lamp = "auction"            tone = 2700
    at = "46016 ms"               is = "on"                   at = "46016 ms"
                                  from = "2 s"                length = "400 ms"
                                  to = "2.4 s"

    event = "hour-beep"           lamp = "auction"            silence = true
    from = "0 s"                  blinks = "4 per s"          from = "56 s"
    to = "59 min"                 from = "47 s"               to = "60 s"
    times = 9                     to = "50 s"

An event or a tone is expected `at` a time, or a number of `times` within a span
(by default at least once). `order = ["a", "b"]` expects events in this order.
Times are exact unless the block has a `tolerance`. It applies to an `at`, the ends
of a span, a length, and each half of a blink. Nothing can be expected after the
end of the run.
"""
)
# To translators: do not translate keys and values; they are the content of a file.
FAULTS = lazy(
    """\
Faults are injected by the table `[faults]` of a scenario, at random from its seed:

    late = "5 ms"            # each pass of the body is late by up to this
    wrap = "30 s"            # the unit's clock wraps this long after the start
    stuck = "auction"        # a button that stays pressed,
    stuck_at = "10 s"        #   from this time; by default from the start

Bouncing contacts, and presses shorter than the debounce time, are written as steps.
"""
)


def check_arguments(parser: Parser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.codes = {
        SUCCESS: _("all expectations are met"),
        FAILURE: _("one is not met"),
        UNCHECKED: _(
            "a file could not be checked, because a unit or a library is missing or an instrument "
            "saw too little (of several files, the highest status counts)"
        ),
    }
    parser.epilog = f"{EXPECTATIONS}\n{FAULTS}"
    parser.add_argument(
        "paths",
        metavar=_("FILE|FOLDER"),
        nargs="+",
        help=_(
            "scenarios or folders of them; or the file of a device, together with an instrument"
        ),
    )
    parser.add_argument(
        "--on",
        metavar=_("BODY"),
        help=_(
            "cpython (the core in virtual time, the default), micropython (the firmware in the "
            "real interpreter, in virtual time), chip (the compiled firmware in an emulated "
            "RP2040, measured at its pins, at about real-time speed), or the port of a live unit, "
            "in real time. On a live unit times are by the unit's clock. Instants and spans "
            "without a tolerance may be off by 20 ms, for the transmission of commands; lengths "
            "and rates stay exact. Permits are drawn by the unit"
        ),
    )
    parser.add_argument(
        "--image",
        metavar=_("FILE.uf2"),
        help=_(
            "for --on chip: MicroPython for a Pico, RPI_PICO-….uf2 from "
            "micropython.org/download/RPI_PICO (default: the file named by CITY_UNIT_CHIP_IMAGE)"
        ),
    )
    add_force_on_unit(parser)
    parser.add_argument(
        "--junit",
        metavar=_("OUT"),
        help=_("also write the results in JUnit's format for CI, replacing earlier ones"),
    )
    parser.add_argument(
        "--picture",
        metavar=_("OUT"),
        help=_("for one scenario: draw the trace, NAME.svg"),
    )
    group = parser.add_argument_group(
        _("instruments"), _("check what an instrument recorded of a scenario or a device")
    )
    group.add_argument(
        "--capture",
        metavar=_("FILE"),
        help=_(
            "a logic analyser's capture of the unit's pins: a VCD, a session of sigrok or "
            "PulseView (.sr), or a CSV of Saleae's program or of sigrok's"
        ),
    )
    group.add_argument(
        "--pin",
        metavar=_("PIN=LINE"),
        action="append",
        default=[],
        help=_(
            "a pin of the unit and the analyser's line: auction=D0, or auction=!D0 if active low; "
            "the pins are {pins}; without --pin, the lines with these names"
        ).format(pins=", ".join(instrument.NAMES)),
    )
    group.add_argument(
        "--buzzer",
        metavar=_("LINE"),
        help=_("the line of the buzzer; the same as --pin buzzer=LINE"),
    )
    group.add_argument(
        "--align",
        metavar=_("EDGE"),
        help=_(
            'align at the first edge of this kind, such as "auction on", "tone on" or '
            '"press-build on", instead of where most edges fit'
        ),
    )
    group.add_argument(
        "--glitch-us",
        metavar=_("N"),
        type=float,
        help=_("ignore pulses that are shorter than this (default: 20 us)"),
    )
    group.add_argument(
        "--recording",
        metavar=_("FILE"),
        help=_("a recording of the unit's sound, as `city-unit listen` reads it"),
    )
    group.add_argument(
        "--allow-unseen",
        action="store_true",
        help=_(
            "pass even if the instrument cannot see some of the expectations, such as the tones in "
            "a capture of the lamps"
        ),
    )
    group.add_argument(
        "--clock-error",
        metavar=_("ERROR"),
        help=_(
            "correct a difference of the clocks up to this, for an instrument with an inaccurate "
            'clock: "500 ppm" or "1 %%", at most 2 %% (default: 200 ppm)'
        ),
    )
    group.add_argument(
        "--serial",
        metavar=_("PORT|FILE"),
        help=_("for a device: timestamps from a serial port or a file"),
    )
    group.add_argument(
        "--analyser",
        metavar=_("DRIVER"),
        help=_("for a device: capture with this driver of sigrok-cli, such as fx2lafw"),
    )
    group.add_argument(
        "--seconds",
        type=float,
        metavar=_("N"),
        help=_("how long to observe --serial or --analyser (default: 10)"),
    )
    group.add_argument(
        "--rate",
        type=whole_number,
        metavar=_("HZ"),
        help=_("sample rate of --analyser (default: 1000000)"),
    )
    group.add_argument(
        "--retries",
        type=whole_number,
        metavar=_("N"),
        help=_("repeat a failing measurement of --serial or --analyser up to N times"),
    )
    group.add_argument(
        "--plot",
        metavar=_("OUT"),
        help=_(
            "where to draw the lateness of each edge; by default FILE.lateness.svg beside the "
            "capture or recording; none: nowhere"
        ),
    )


def run_check(options: argparse.Namespace) -> int:
    from sim.lab.check import reporting  # its many imports would delay the help

    return reporting.run(options)


_OUT = "counterexample.toml"


def search_arguments(parser: argparse.ArgumentParser) -> None:
    from sim.lab.check import search  # imports the client, which would delay the other helps

    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = str(search.HELP)
    parser.add_argument("file", metavar=_("FILE"), help=_("a TOML file with the rules"))
    parser.add_argument(
        "--length",
        metavar=_("TIME"),
        default="10 min",
        help=_("length of each game (default: 10 min)"),
    )
    parser.add_argument(
        "--runs",
        metavar=_("N"),
        type=whole_number,
        default=500,
        help=_("number of games (default: 500)"),
    )
    parser.add_argument(
        "--seed",
        metavar=_("N"),
        type=whole_number,
        default=1,
        help=_("seed of the random presses (default: 1)"),
    )
    parser.add_argument(
        "--out",
        metavar=_("OUT"),
        default=_OUT,
        help=_("where to write the scenario that breaks a rule (default: {name})").format(
            name=_OUT
        ),
    )
    add_force_overwrite(parser)


def run_search(options: argparse.Namespace) -> int:
    from sim.lab.check import search

    return search.run(options)


def export_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario(parser)
    parser.add_argument(
        "out",
        nargs="*",
        metavar=_("OUT"),
        help=_(
            "where to write: .jsonl (lines of JSON), .csv (a table), .vcd (a waveform for GTKWave, "
            "PulseView and sigrok), .wav (the sound, just as the unit would play it), .svg (a "
            "time line)"
        ),
    )
    parser.add_argument(
        "--from", dest="start", metavar=_("TIME"), help=_("start of the picture: 45 s")
    )
    parser.add_argument("--to", dest="end", metavar=_("TIME"), help=_("end of the picture: 1 min"))
    add_force_overwrite(parser)


def run_export(options: argparse.Namespace) -> int:
    if not options.out:
        words = _(
            "give the files to write: `city-unit export FILE OUT...`, each OUT one of {kinds}"
        )
        raise UserError(words.format(kinds=", ".join(export.KINDS)))
    if options.seed is not None and Path(options.file).suffix.lower() == ".jsonl":
        raise UserError(_("--seed: only for a scenario; a trace has its draws already"))
    trace, program = comparison.read_trace(options.file, options.program, options.seed)
    end_ms = trace.end_ms
    part = {"--from": 0, "--to": end_ms}  # drawn by a picture
    for option, text in (("--from", options.start), ("--to", options.end)):
        if text is None:
            continue
        if not any(Path(out).suffix.lower() == picture.KIND for out in options.out):
            words = _("{option}: only for a picture; other formats contain the whole run")
            raise UserError(words.format(option=option))
        part[option] = convert(option, toml_reader.time_ms, text)
        if part[option] > end_ms:
            words = _("{option} {time}: the run ends at {end} ms")
            raise UserError(words.format(option=option, time=text, end=end_ms))
    start, end = part.values()
    if start >= end:
        words = _("the picture would start at {start} ms, which is not before its end at {end} ms")
        raise UserError(words.format(start=start, end=end))
    for path in options.out:
        export.refuse(path, end_ms)
    ask_before_overwriting(options.force, *options.out)
    title = picture.title(options.file, program)
    for path in options.out:
        export.save(path, trace, title, start, end)
        print(_("wrote {path}").format(path=path))
    return SUCCESS


def compare_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = _(
        "a scenario (.toml), a printed trace (.jsonl), a capture (.vcd, .sr, .csv) or a recording "
        "(.wav, .flac, ...)"
    )
    parser.add_argument("first", metavar=_("A"), help=kinds)
    parser.add_argument("second", metavar=_("B"), help=_("another file, of any of these kinds"))
    parser.add_argument(
        "--program",
        metavar=_("NAME"),
        help=_("name or file of the program, for files that do not name it (default: city)"),
    )
    parser.add_argument(
        "--seed",
        metavar=_("N"),
        type=whole_number,
        help=_("the seed, instead of the one in FILE"),
    )
    parser.add_argument(
        "--tolerance",
        metavar=_("TIME"),
        help=_("ignore shorter differences (0 ms; with a capture 5 ms, with a recording 10 ms)"),
    )
    parser.add_argument(
        "--pin",
        metavar=_("PIN=LINE"),
        action="append",
        default=[],
        help=_("a pin of the unit and the capture's line, as in `city-unit check`"),
    )
    parser.add_argument(
        "--picture",
        metavar=_("OUT"),
        help=_("draw both, with their differences: NAME.svg"),
    )
    add_force_overwrite(parser)


def run_compare(options: argparse.Namespace) -> int:
    from sim.lab.instrument import witness  # imports numpy, which would delay the help

    picture.refuse(options.picture)
    ask_before_overwriting(options.force, options.picture)
    if {comparison.kind(path) for path in (options.first, options.second)} == {
        comparison.RECORDING
    }:
        try:
            from sim.lab.listen import comparing
        except ImportError:
            raise witness.needs_libraries(options.first, options.second) from None
        if options.picture:
            raise UserError(_("--picture: not for two recordings, which are compared in a table"))
        program = program_file.find(options.program) if options.program else PROGRAMS[0]
        return comparing.run(options.first, options.second, program)
    tolerance_ms = None
    if options.tolerance is not None:
        tolerance_ms = convert("--tolerance", time_ms, options.tolerance)
    found = comparison.compare(
        options.first,
        options.second,
        options.program,
        options.seed,
        witness.Options(tuple(digital.read_pins(options.pin))),
        tolerance_ms,
    )
    for note in found.notes:
        print(note)
    print(comparison.in_words(found.differences))
    if options.picture:
        names = options.first, options.second
        write_whole(options.picture, picture.text(comparison.draw(found, names)))
        print(_("wrote {path}").format(path=options.picture))
    return FAILURE if found.differences else SUCCESS
