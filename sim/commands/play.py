"""`city-unit play`: the emulated unit, in a window or in a terminal."""

import random
import sys
import time

from city_unit.draws import Draws
from city_unit.programs import PROGRAMS
from city_unit.settings import Settings
from city_unit.unit import Unit
from sim import headless, link_server, preferences, program_file, texts_link
from sim import texts_window as texts
from sim.errors import UserError
from sim.link_server import LinkServer
from sim.preferences import Preferences
from sim.record import Record
from sim.runner import Runner


def arguments(parser) -> None:
    parser.add_argument("--program", metavar="NAME", help=texts.HELP_PROGRAM)
    parser.add_argument("--seed", type=int, metavar="N", help=texts.HELP_SEED)
    parser.add_argument("--terminal", action="store_true", help=texts.HELP_TERMINAL)
    parser.add_argument("--headless", action="store_true", help=texts.HELP_HEADLESS)
    parser.add_argument("--until-eof", action="store_true", help=texts.HELP_UNTIL_EOF)
    parser.add_argument("--record", metavar="FILE", help=texts_link.HELP_RECORD)
    link_server.arguments(parser)
    parser.epilog = texts.HELP_SETTINGS.format(preferences.where())


def run(options) -> int:
    remembered = preferences.load()
    settings = _settings(remembered, options.program)
    seed = random.SystemRandom().getrandbits(32) if options.seed is None else options.seed
    unit = Unit(settings, Draws(seed).below)
    link = link_server.make_link(unit, options.name)
    server = link_server.serve(link, options)
    runner = Runner(unit, time.monotonic, link)
    try:
        if options.headless:
            return _headless(runner, server, options)
        if options.terminal:
            return _terminal(runner, remembered, "", server)
        return _window(runner, remembered, server)
    finally:
        if server is not None:
            server.close()
        if not options.headless:
            preferences.save(remembered)


def _settings(remembered: Preferences, wanted: str | None) -> Settings:
    """Return what the unit keeps when switched off, as it was the last time."""
    settings = Settings()
    settings.volume = remembered.volume
    for program in PROGRAMS:
        if program.name == remembered.program:
            agreed = remembered.clock_ms in program.clock_choices_ms
            settings.choose(program, remembered.clock_ms if agreed else None)
    if wanted is not None:
        program = program_file.find(wanted)
        if program not in PROGRAMS:
            settings.programs = (*PROGRAMS, program)
        settings.choose(program)
    return settings


def _window(runner: Runner, remembered: Preferences, server: LinkServer | None) -> int:
    from sim.window.loop import NoDisplay, Window  # pygame is not wanted elsewhere

    try:
        window = Window(runner, remembered, server)
    except NoDisplay as error:
        print(texts.NO_DISPLAY.format(error), file=sys.stderr)
        return _terminal(runner, remembered, str(error), server)
    try:
        window.run()
    finally:
        window.close()
    return 0


def _terminal(runner: Runner, remembered: Preferences, why: str, server: LinkServer | None) -> int:
    from sim import terminal
    from sim.sound import Speaker  # pygame is not wanted elsewhere

    return terminal.run(runner, remembered, why, server, Speaker)


def _headless(runner: Runner, server: LinkServer | None, options) -> int:
    if server is None:
        raise UserError(texts.HEADLESS_ALONE)
    if options.until_eof:
        headless.end_with_input()
    record = Record(options.record, runner, server.link.boot) if options.record else None
    headless.run(runner, server, record)
    return 0
