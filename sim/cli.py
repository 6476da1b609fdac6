"""The command `city-unit`: finds the command's module and hands over.

A command's module has `arguments(parser)`, which declares what it takes, and
`run(options)`, which does it and returns the exit status. Only the module of
the command that was asked for is imported, so that each starts fast.
"""

import argparse
import difflib
import importlib
import os
import sys

from sim.errors import UserError

# command: (its module, what it does in a line)
COMMANDS = {
    "play": ("sim.commands.play", "play with the emulated unit, in a window or a terminal"),
    "program": ("sim.commands.program", "list, show and check programs; write your own"),
    "flash": ("firmware.tool.flash", "put the unit onto a board, or take it off again"),
    "selftest": ("firmware.tool.selftest", "check a unit's lamps, buzzer, buttons and link"),
    "ports": ("sim.commands.ports", "list the units that can be reached"),
    "monitor": ("sim.commands.monitor", "show what a unit does, as it happens"),
    "send": ("sim.commands.send", "have a unit do one thing"),
    "trace": ("sim.commands.trace", "run a scenario in virtual time and print what the unit does"),
    "check": ("sim.commands.check", "run scenarios and hold the unit to what they expect"),
    "export": ("sim.commands.export", "a trace as waveform, sound and picture"),
    "capture": ("sim.commands.capture", "measure how late a live unit's lamps and beeps are"),
    "listen": ("sim.commands.listen", "find the beeps in a recording, or at a microphone"),
    "bench": ("sim.commands.bench", "measure speed, size and exactness"),
}
ABOUT = (
    "The electronic unit of the board game Monopoly City. Without a command: play. "
    "`city-unit COMMAND --help` says more of each."
)


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    try:
        options = _read(words)
        code = options.run(options)
        sys.stdout.flush()
        return code
    except UserError as error:
        print(f"city-unit: {error}", file=sys.stderr)
        return error.code
    except BrokenPipeError:  # who reads our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _read(words: list[str]) -> argparse.Namespace:
    """Return the options of the command, which is "play" unless another is named."""
    first = words[0] if words else ""
    if first in ("-h", "--help"):
        _parser("").parse_args(words)
    if first in COMMANDS:
        return _parser(first).parse_args(words)
    if first and not first.startswith("-"):
        close = difflib.get_close_matches(first, COMMANDS, 1)
        hint = f'did you mean "{close[0]}"?' if close else "`city-unit --help` lists them"
        raise UserError(f'there is no command "{first}"; {hint}')
    return _parser("play").parse_args(["play", *words])


def _parser(chosen: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="city-unit", description=ABOUT)
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, (path, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name == chosen:
            module = importlib.import_module(path)
            module.arguments(command)
            command.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
