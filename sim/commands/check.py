"""`city-unit check`: run scenarios and hold the unit to their expectations."""

import argparse

from city_unit.desktop.arguments import add_taking, whole
from city_unit.desktop.catalogue import _, lazy
from sim.lab import instrument

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


def arguments(parser: argparse.ArgumentParser) -> None:
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


def run(options: argparse.Namespace) -> int:
    from sim.lab.check import reporting  # its bodies and instruments would delay the help

    return reporting.run(options)
