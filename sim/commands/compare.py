"""`city-unit compare`: the differences between any two of trace, capture and recording."""

import argparse

from city_unit.desktop.arguments import add_overwriting, meaning, whole
from city_unit.desktop.catalogue import _, ngettext
from city_unit.desktop.errors import FAILURE, SUCCESS, UserError
from city_unit.desktop.files import ask_before_overwriting
from city_unit.desktop.forms import percent
from city_unit.desktop.toml_reader import time_ms
from city_unit.programs import PROGRAMS
from sim.engine import program_file
from sim.lab import picture
from sim.lab.check import comparison
from sim.lab.instrument import digital


def arguments(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument("--seed", metavar=_("N"), type=whole, help=_("the seed, not FILE's"))
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


def run(options: argparse.Namespace) -> int:
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
        words = _("nothing of {first} or {second} is like a cue of {name}; try another --program")
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
        signed = "+" * (part >= 0) + percent(part, 2)
        print(words.format(other=options.second, part=signed))
    differences = sum(not row.is_same for row in rows)
    words = ngettext("{count} difference", "{count} differences", differences)
    print(words.format(count=differences))
    return FAILURE if differences else SUCCESS
