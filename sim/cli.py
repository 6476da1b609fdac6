"""The command `city-unit`: its subcommands in four groups, each with its module."""

import sys

try:
    from city_unit.desktop.catalogue import lazy
    from city_unit.desktop.command import Program
except KeyboardInterrupt:  # later ones are handled by `command.start`
    sys.exit(130)

GROUPS = {
    lazy("Play:"): {
        "play": (
            "sim.commands.play",
            lazy("play with the emulated unit, in a window or a terminal"),
        ),
        "web": ("sim.web.server", lazy("serve the unit as a page for browsers and telephones")),
        "desktop": (
            "sim.play.starters",
            lazy("create icons to double-click, in the menu and on the desktop"),
        ),
        "program": (
            "sim.play.own_programs",
            lazy("list, show and check programs, and write your own"),
        ),
        "update": (
            "sim.play.update",
            lazy("check for a newer release; apart from start.py, nothing else uses the internet"),
        ),
        "report": (
            "sim.play.report",
            lazy("show and write a file to attach to a problem report"),
        ),
    },
    lazy("Build:"): {
        "flash": ("firmware.tool.flash", lazy("install the unit on a board, or remove it")),
        "uf2": (
            "firmware.tool.one_file",
            lazy("build one file of MicroPython and the unit, to drag onto a Pico"),
        ),
        "selftest": (
            "firmware.tool.selftest",
            lazy("test a unit's lamps, buzzer, buttons and link"),
        ),
    },
    lazy("Test:"): {
        "trace": (
            "sim.commands.scenarios:trace",
            lazy("run a scenario in virtual time and print what the unit does"),
        ),
        "check": (
            "sim.commands.scenarios:check",
            lazy("run scenarios and check what they expect of the unit"),
        ),
        "search": (
            "sim.commands.scenarios:search",
            lazy("search for presses that break a rule of yours"),
        ),
        "export": (
            "sim.commands.scenarios:export",
            lazy("write a trace as JSON lines, table, waveform, sound or picture"),
        ),
        "compare": (
            "sim.commands.scenarios:compare",
            lazy("show the differences between two traces, captures or recordings"),
        ),
        "decoder": (
            "sim.commands.decoder",
            lazy("install a decoder of the unit's sounds in PulseView and sigrok-cli"),
        ),
        "lateness": (
            "sim.commands.lateness",
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
        "send": ("sim.commands.talk:send", lazy("send a unit one command")),
        "serve": (
            "sim.commands.serve",
            lazy("let browsers and many programs watch and control units"),
        ),
        "conform": (
            "sim.commands.conform",
            lazy("test whether a unit or a client conforms to the protocol"),
        ),
    },
}
ABOUT = lazy("The electronic unit of the board game Monopoly City. Without a command: play.")
PROGRAM = Program("city-unit", ABOUT, GROUPS, "play")
main = PROGRAM.main


if __name__ == "__main__":
    sys.exit(main())
