"""The commands of scenarios: `city-unit trace`, `check`, `search`, `export` and `compare`."""

import argparse
import sys
from pathlib import Path

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, lazy, ngettext
from city_unit.desktop.command import (
    Progress,
    add_overwriting,
    add_scenario,
    add_taking,
    meaning,
    whole,
)
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED, UserError
from city_unit.desktop.files import (
    ask_before_overwriting,
    refuse_no_folder,
    write_whole,
)
from city_unit.desktop.forms import percent
from city_unit.desktop.toml_reader import time_ms, within
from city_unit.programs import PROGRAMS
from sim.engine import program_file, scenario, virtual
from sim.engine.scenario import Scenario
from sim.lab import export, instrument, picture
from sim.lab.check import comparison
from sim.lab.instrument import digital

# To translators: the text behind # is a comment; all else is as it stands in a file.
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
        type=whole,
        default=0,
        help=_(
            "what the unit's own clock, which wraps at 2^30, shows at the start; changes nothing"
        ),
    )


def run_trace(options: argparse.Namespace) -> int:
    script = scenario.load(options.file, options.program, options.seed)
    virtual.trace(script, options.start_ms, lambda line: sys.stdout.write(line + "\n"))
    return SUCCESS


CODES = lazy("""\
The exit status is 0 if all is kept, 1 if an expectation is not met, 2 if a file has a
mistake, 3 if a scenario could not be checked: there is no such unit, it was lost, it
refused a step. Of several scenarios the highest counts, and all that can be are checked.
""")
# To translators: keys and values stand in a file, and stay as they are.
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
    times = 6                     to = "50 s"

An event, and a tone, is expected `at` a time, or a number of `times` within a
span (at least once, if none is given). `order = ["a", "b"]` expects events to
come in this order. All is exact, unless the block has a `tolerance`: an `at`, the
ends of a span, a length, and each half of a blink may then be off by it. Nothing
can be expected after the end of the run.
"""
)
# To translators: keys and values stand in a file, and stay as they are.
FAULTS = lazy(
    """\
Faults on purpose are the table `[faults]` of a scenario's file, all drawn from its seed:

    late = "5 ms"            # each pass of the body comes late by a random time up to this
    wrap = "30 s"            # the unit's clock wraps this long after the start
    stuck = "auction"        # a button that never opens again
    stuck_at = "10 s"        #   from this time on; from the start if it is not given
    loss = 20                # the link loses 20 of 100 lines, both ways
    noise = 10               # rubbish is mixed into 10 of 100 lines

Bounce, and a press shorter than the debounce, are written as steps. With `loss` or
`noise` the buttons are pressed by commands over the link, and the events are those
that came back over it; the switch is slid, and lamps and tones are watched, at the
unit itself.
"""
)


def check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{CODES}\n{EXPECTATIONS}\n{FAULTS}"
    parser.add_argument(
        "paths",
        metavar=_("FILE|FOLDER"),
        nargs="+",
        help=_("scenarios, or folders of them; or the file of a device, beside an instrument"),
    )
    parser.add_argument(
        "--on",
        metavar=_("BODY"),
        help=_(
            "cpython (the core in virtual time, the default), micropython (the firmware, "
            "unchanged, in the real interpreter, in virtual time), chip (the firmware, compiled, "
            "in an emulated RP2040, measured at its pins; each second takes one), or the port of "
            "a live unit, in real time: times are then the unit's own, and a start or a span "
            "without a tolerance is granted 20 ms for the way of the commands, while lengths and "
            "rates stay exact; its permits are its own"
        ),
    )
    parser.add_argument(
        "--image",
        metavar=_("FILE.uf2"),
        help=_(
            "for --on chip: MicroPython for a Pico, a RPI_PICO-….uf2 from "
            "micropython.org/download/RPI_PICO (else the file that CITY_UNIT_CHIP_IMAGE names)"
        ),
    )
    add_taking(parser)
    parser.add_argument(
        "--junit", metavar=_("OUT"), help=_("write the results for a CI system as well")
    )
    parser.add_argument(
        "--picture",
        metavar=_("OUT"),
        help=_("of one scenario: draw what was seen, NAME.svg or NAME.png"),
    )
    parser.add_argument(
        "--coverage",
        action="store_true",
        help=_("say which states and transitions of the unit the scenarios use, and which not"),
    )
    group = parser.add_argument_group(
        _("instruments"), _("hold what another instrument saw of a scenario to its expectations")
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
            "a pin of the unit and the analyser's line on it: auction=D0, or auction=!D0 if low is "
            "on; the pins are {pins}; without --pin, lines that are called so"
        ).format(pins=", ".join(instrument.NAMES)),
    )
    group.add_argument(
        "--buzzer",
        metavar=_("LINE"),
        help=_("the line of the buzzer, whose edges show the pitch; the same as --pin buzzer=LINE"),
    )
    group.add_argument(
        "--align",
        metavar=_("EDGE"),
        help=_(
            'align at the first of these edges only, as "auction on", "tone on" or '
            '"press-build on"; without it, as most edges have it'
        ),
    )
    group.add_argument(
        "--glitch-us",
        metavar=_("N"),
        type=float,
        help=_("leave out pulses that are shorter than this (20)"),
    )
    group.add_argument(
        "--recording",
        metavar=_("FILE"),
        help=_("a recording of the unit's sound, as `city-unit listen` reads it"),
    )
    group.add_argument(
        "--clock-error",
        metavar=_("ERROR"),
        help=_(
            "take out a difference of the clocks up to this, of an instrument that is known to be "
            'wrong: "500 ppm" or "1 %%", at most 2 %% (200 ppm)'
        ),
    )
    group.add_argument(
        "--serial",
        metavar=_("PORT|FILE"),
        help=_("of a device: timestamps from a serial port, or a file of them"),
    )
    group.add_argument(
        "--analyser",
        metavar=_("DRIVER"),
        help=_("of a device: capture with sigrok-cli and this driver of it, as fx2lafw"),
    )
    group.add_argument(
        "--seconds",
        type=float,
        metavar=_("N"),
        help=_("how long to look at --serial or --analyser (default: 10)"),
    )
    group.add_argument(
        "--rate",
        type=whole,
        metavar=_("HZ"),
        help=_("samples a second of --analyser (default: 1000000)"),
    )
    group.add_argument(
        "--retries",
        type=whole,
        metavar=_("N"),
        help=_("measure --serial or --analyser again while it fails; how often is told"),
    )
    group.add_argument(
        "--plot",
        metavar=_("OUT"),
        help=_(
            "where to draw the lateness of each edge; FILE.lateness.svg beside the capture or "
            "recording if not given, nowhere if none"
        ),
    )


def run_check(options: argparse.Namespace) -> int:
    from sim.lab.check import reporting  # its bodies and instruments would delay the help

    return reporting.run(options)


_OUT = "counterexample.toml"


def search_arguments(parser: argparse.ArgumentParser) -> None:
    from sim.lab.check import search  # its client of a unit would delay the other helps

    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = str(search.HELP)
    parser.add_argument("file", metavar=_("FILE"), help=_("a TOML file with the rules"))
    parser.add_argument(
        "--length", metavar=_("TIME"), default="10 min", help=_("of each game (default: 10 min)")
    )
    parser.add_argument(
        "--runs", metavar=_("N"), type=whole, default=500, help=_("how many games (default: 500)")
    )
    parser.add_argument(
        "--seed", metavar=_("N"), type=whole, default=1, help=_("where chance begins (default: 1)")
    )
    parser.add_argument(
        "--out",
        metavar=_("OUT"),
        default=_OUT,
        help=_("where to write the scenario of what is found (default: {name})").format(name=_OUT),
    )
    add_overwriting(parser)


def run_search(options: argparse.Namespace) -> int:
    from sim.lab.check import search

    refuse_no_folder(options.out)
    length = within(time_ms, 1000, 25 * 3_600_000, _("between 1 s and 25 h"))
    length_ms = meaning("--length", length, options.length)
    table = toml_reader.load(options.file)
    name: str = table.take("program", toml_reader.text, PROGRAMS[0].name)
    program = program_file.find(name, Path(options.file).parent)
    with_setup: bool = table.take("setup", _yes_or_no, False)
    wanted = search.read(table, length_ms)
    table.finish()
    games = search.Games(program, length_ms, options.runs, options.seed, with_setup)
    ask_before_overwriting(options.force, options.out)
    used: set[tuple[str, str]] = set()
    tried: set[int] = set()

    def breaks(scenario: Scenario) -> bool:
        used.update(virtual.used(scenario))
        shown = virtual.shown(scenario)
        judged = [rule.judged(shown) for rule in wanted]
        tried.update(place for place, (is_tried, _broken) in enumerate(judged) if is_tried)
        return any(broken for _is_tried, broken in judged)

    line = Progress()
    words = _("searching: {percent} %")
    found = search.look(breaks, games, lambda part: line.percent(words, part))
    if found is None:
        words = _("nothing was found in {runs} games of {length}, which used {rows} transitions")
        print(words.format(runs=options.runs, length=options.length, rows=len(used)))
        untried = [rule for place, rule in enumerate(wanted) if place not in tried]
        for rule in untried:
            words = _("never tried: the rule after {event}; in no game did it come to that")
            print(words.format(event=rule.after), file=sys.stderr)
        return UNCHECKED if untried else SUCCESS
    shown = virtual.shown(found.scenario)
    broken = next(broken for rule in wanted if (broken := rule.judged(shown)[1]))
    words = _("found in game {run}: {what}")
    print(words.format(run=found.runs, what=broken.words))
    command = f"city-unit search {Path(options.file).name}"  # no text: a command
    words = _("Found by `{command}`: {what}.")
    head = words.format(command=command, what=broken.words)
    write_whole(options.out, search.text(found.scenario, [broken.expect], head))
    print(_("wrote {path}").format(path=options.out), file=sys.stderr)
    return FAILURE


def _yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(_("write true or false"))
    return value


_FORMER = {"vcd": "OUT.vcd", "wav": "OUT.wav", "picture": "OUT.svg"}


def export_arguments(parser: argparse.ArgumentParser) -> None:
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


def run_export(options: argparse.Namespace) -> int:
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
    end_ms = trace.shown.end_ms
    part = {"--from": 0, "--to": end_ms}  # of the picture
    for option, text in (("--from", options.start), ("--to", options.end)):
        if text is None:
            continue
        if not any(map(picture.is_picture, options.out)):
            words = _("{option} is for a picture; everything else holds the whole run")
            raise UserError(words.format(option=option))
        part[option] = meaning(option, toml_reader.time_ms, text)
        if part[option] > end_ms:
            words = _("{option} {time}: the run ends at {end} ms")
            raise UserError(words.format(option=option, time=text, end=end_ms))
    start, end = part.values()
    if start >= end:
        words = _("the picture would begin at {start} ms, which is not before its end at {end} ms")
        raise UserError(words.format(start=start, end=end))
    for path in options.out:
        export.refuse(path, end_ms)
    ask_before_overwriting(options.force, *options.out)
    title = picture.title(options.file, trace.program)
    for path in options.out:
        export.save(path, trace.shown, title, start, end)
        print(_("wrote {path}").format(path=path))
    return SUCCESS


def compare_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = _(
        "a scenario (.toml), a printed trace (.jsonl), a capture (.vcd, .sr, .csv) or a recording "
        "(.wav, .flac, ...)"
    )
    parser.add_argument("first", metavar=_("A"), help=kinds)
    parser.add_argument("second", metavar=_("B"), help=_("another one, of any kind"))
    parser.add_argument(
        "--program",
        metavar=_("NAME"),
        help=_("a program's name or file, for files that name none (default: city)"),
    )
    parser.add_argument(
        "--seed", metavar=_("N"), type=whole, help=_("the seed, instead of the one in FILE")
    )
    parser.add_argument(
        "--tolerance",
        metavar=_("TIME"),
        help=_("what differs for no longer is left out (0 ms; a capture 5 ms, a recording 10 ms)"),
    )
    parser.add_argument(
        "--pin",
        metavar=_("PIN=LINE"),
        action="append",
        default=[],
        help=_("a pin of the unit and the capture's line, as for `city-unit check`"),
    )
    parser.add_argument(
        "--picture", metavar=_("OUT"), help=_("draw both above each other: NAME.svg or NAME.png")
    )
    add_overwriting(parser)


def run_compare(options: argparse.Namespace) -> int:
    from sim.lab.instrument.witness import Options  # its numpy would delay the help

    picture.refuse(options.picture)
    ask_before_overwriting(options.force, options.picture)
    if {comparison.kind(path) for path in (options.first, options.second)} == {
        comparison.RECORDING
    }:
        return _two_recordings(options)
    tolerance_ms = None
    if options.tolerance is not None:
        tolerance_ms = meaning("--tolerance", time_ms, options.tolerance)
    found = comparison.compare(
        options.first,
        options.second,
        options.program,
        options.seed,
        Options(tuple(digital.read_pins(options.pin))),
        tolerance_ms,
    )
    for note in found.notes:
        print(note)
    print(comparison.in_words(found.differences))
    if options.picture:
        names = options.first, options.second
        end_ms = max(found.first.end_ms, found.second.end_ms)
        drawn = comparison.draw(found.first, found.second, names, 0, end_ms, found.differences)
        picture.save(options.picture, drawn)
        print(_("wrote {path}").format(path=options.picture))
    return FAILURE if found.differences else SUCCESS


def _two_recordings(options: argparse.Namespace) -> int:
    """Print the differences between two recorded units; return the exit status."""
    try:
        from sim.lab.listen import comparing, learning, listening, recording
    except ImportError:
        from sim.lab.instrument import witness

        raise witness.needs_libraries() from None
    if options.picture:
        raise UserError(_("--picture is for traces and captures; two recordings have a table"))
    program = program_file.find(options.program) if options.program else PROGRAMS[0]
    first, second = (
        learning.learn(listening.beeps(recording.read(path).samples), program, name)
        for path, name in ((options.first, "first"), (options.second, "second"))
    )
    rows = comparing.compare(first, second)
    if not rows:
        words = _("{first} and {second} hold no cue of {name}; try another --program")
        names = {"first": options.first, "second": options.second, "name": program.name}
        raise UserError(words.format(**names), FAILURE)
    for row in rows:
        mark = "=" if row.is_same else "!"
        one, other = (text or _("not heard") for text in (row.first, row.second))
        print(f"{mark} {row.name}: {one}" + ("" if row.is_same else f"  |  {other}"))
    part = comparing.clock_part(first, second)
    if part is not None:
        words = _(
            "all lengths of {other} are {part}: of another recorder, whose clock differs, "
            "or of another unit; a recording alone cannot tell the two apart"
        )
        print(words.format(other=options.second, part=percent(part, 2, True)))
    differences = sum(not row.is_same for row in rows)
    words = ngettext("{count} difference", "{count} differences", differences)
    print(words.format(count=differences))
    return FAILURE if differences else SUCCESS
