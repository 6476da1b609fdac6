"""The command `city-unit`: its commands in four groups, and the module of each."""

import sys

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.command import Program

GROUPS = {
    lazy("Play:"): {
        "play": (
            "sim.commands.play",
            lazy("play with the emulated unit, in a window or a terminal"),
        ),
        "web": ("sim.commands.web", lazy("the unit in a page of the browser, and on telephones")),
        "desktop": (
            "sim.commands.desktop",
            lazy("starters for a double click, in the menu and on the desktop"),
        ),
        "program": ("sim.play.own_programs", lazy("list, show and check programs; write your own")),
        "update": (
            "sim.play.update",
            lazy("look for a newer release; only this asks the network for anything"),
        ),
        "report": (
            "sim.play.report",
            lazy("a file to attach when you report a problem; it is shown first"),
        ),
    },
    lazy("Build:"): {
        "flash": ("firmware.tool.flash", lazy("put the unit onto a board, or take it off again")),
        "uf2": (
            "firmware.tool.one_file",
            lazy("MicroPython and the unit in one file to drag onto a Pico"),
        ),
        "selftest": (
            "firmware.tool.selftest",
            lazy("check a unit's lamps, buzzer, buttons and link"),
        ),
    },
    lazy("Test:"): {
        "trace": (
            "sim.commands.scenarios:trace",
            lazy("run a scenario in virtual time and print what the unit does"),
        ),
        "check": (
            "sim.commands.scenarios:check",
            lazy("run scenarios and hold the unit to what they expect"),
        ),
        "search": (
            "sim.commands.scenarios:search",
            lazy("look for presses after which a rule of yours does not hold"),
        ),
        "export": (
            "sim.commands.scenarios:export",
            lazy("write a trace as JSON lines, table, waveform, sound or picture"),
        ),
        "compare": (
            "sim.commands.scenarios:compare",
            lazy("tell what differs between any two of trace, capture and recording"),
        ),
        "decoder": (
            "sim.commands.capture:decoder",
            lazy("install a decoder of the unit's cues for PulseView and sigrok-cli"),
        ),
        "lateness": (
            "sim.commands.capture:lateness",
            lazy("measure how late a live unit's lamps and beeps are"),
        ),
        "listen": (
            "sim.commands.listen",
            lazy("find the beeps in a recording, or at a microphone"),
        ),
    },
    lazy("Talk:"): {
        "ports": ("sim.commands.talk:ports", lazy("list the units that can be reached")),
        "monitor": ("sim.commands.talk:monitor", lazy("show what a unit does, as it happens")),
        "send": ("sim.commands.talk:send", lazy("have a unit do one thing")),
        "serve": (
            "sim.commands.serve",
            lazy("let browsers and other programs watch units and use them"),
        ),
        "conform": ("sim.commands.conform", lazy("hold somebody's unit or client to the protocol")),
    },
}
ABOUT = lazy("The electronic unit of the board game Monopoly City. Without a command: play.")

FORMER = {"capture": "lateness"}  # a capture is a file now, of an analyser
PROGRAM = Program("city-unit", ABOUT, GROUPS, "play")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; a former name runs its new one and says so."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in FORMER:
        note = _("city-unit: {old} is called {new} now")
        print(note.format(old=words[0], new=FORMER[words[0]]), file=sys.stderr)
        words = [FORMER[words[0]], *words[1:]]
    return PROGRAM.main(words)


if __name__ == "__main__":
    sys.exit(main())
