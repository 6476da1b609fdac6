"""`city-unit play`: the emulated unit, in a window or in a terminal."""

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from city_unit.desktop.catalogue import _
from city_unit.desktop.command import whole
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import reason
from city_unit.programs import PROGRAMS
from city_unit.settings import Settings
from sim.engine import link_server, program_file
from sim.engine.link_server import Record
from sim.engine.runner import Runner
from sim.play import autosave, own_programs, preferences
from sim.play.autosave import Autosave, RecordedUnit
from sim.play.hour import Hour, clock
from sim.play.preferences import Preferences


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", metavar=_("FILE"), help=_("a program file, to play with it")
    )
    parser.add_argument(
        "--program",
        metavar=_("NAME"),
        help=_("a program, or a program file (default: the one of the last time)"),
    )
    parser.add_argument(
        "--seed", type=whole, metavar=_("N"), help=_("where chance begins (default: drawn anew)")
    )
    parser.add_argument(
        "--terminal",
        action="store_true",
        help=_("play in the terminal even where there is a display"),
    )
    parser.add_argument(
        "--headless",
        action="store_true",
        help=_("no window: the unit is reached by --listen or --pty alone"),
    )
    parser.add_argument(
        "--until-eof",
        action="store_true",
        help=_("without a window: end when standard input is closed, as by a program that ends"),
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help=_(
            "go on with the game that was interrupted, unasked; with --headless the game is kept"
            " only so"
        ),
    )
    parser.add_argument(
        "--record",
        metavar=_("FILE"),
        help=_("with --headless: add what the unit does to this file, a line of JSON a change"),
    )
    link_server.arguments(parser)
    parser.epilog = _(
        "Program, volume and window size are remembered in {path} (CITY_UNIT_SETTINGS: elsewhere)."
    ).format(path=preferences.where())


def run(options: argparse.Namespace) -> int:
    if options.headless and options.terminal:
        raise UserError(_("--headless has no terminal and --terminal needs one: choose one"))
    if options.headless and not (options.listen or options.pty):
        raise UserError(
            _("--headless needs --listen HOST:PORT or --pty PATH, or nobody can reach the unit")
        )
    remembered = preferences.load()
    before = replace(remembered)
    settings = _settings(remembered, options.file or options.program)
    seed = random.SystemRandom().getrandbits(32) if options.seed is None else options.seed
    keeps = options.resume or not options.headless  # a unit that a game starts is the game's
    lock, fault = None, ""  # the right to keep the game on the disk, or why it is not to be had
    if keeps:
        try:
            lock = autosave.claim(autosave.where())
        except OSError as error:
            fault = reason(error)
    history, warning = None, ""
    try:
        history = autosave.read(autosave.where()) if lock else None
    except UserError as error:
        warning = str(error)
    saving = Autosave(autosave.where() if lock else None)
    saving.fault = fault
    unit = RecordedUnit(settings, seed, saving)
    link = link_server.make_link(unit, options.name)
    runner = Runner(unit, clock(), link)
    is_recorded = options.headless and options.record
    record = Record(options.record, runner, link.boot) if is_recorded else None
    server = link_server.serve(link, options, autosave.events() if lock else None)
    hour = Hour(runner, unit, time.time, link, warning)
    if hour.find(history) and options.resume:
        hour.take()
    try:
        if options.headless:
            assert server is not None  # since it is reached by --listen or --pty
            turn = _telling(hour, options.resume)
            link_server.run_headless(runner, server, record, turn, options.until_eof)
            return 0
        why = ""
        if not options.terminal:
            from sim.window.loop import NoDisplay, Window  # pygame is not wanted elsewhere

            try:
                window = Window(runner, remembered, server, hour)
            except NoDisplay as error:
                why = str(error)
                words = _("city-unit: no display ({why}); the unit goes on in the terminal")
                print(words.format(why=why), file=sys.stderr)
            else:
                try:
                    window.run()
                finally:
                    window.close()
                return 0
        from sim.terminal import session  # for its sounds it wants pygame too

        return session.run(runner, remembered, why, server, hour)
    finally:
        if server is not None:
            server.close()
        saving.close()
        if lock is not None:
            lock.release()
        if not options.headless:
            preferences.save(remembered, before)


def _settings(remembered: Preferences, wanted: str | None) -> Settings:
    """Return the settings of the unit, as they were the last time.

    wanted  the name or the title of a program, or its file; raises UserError
    """
    settings = Settings((*PROGRAMS, *own_programs.load()))
    settings.volume = remembered.volume
    for program in settings.programs:
        if program.name == remembered.program:
            agreed = remembered.clock_ms in program.clock_choices_ms
            settings.choose(program, remembered.clock_ms if agreed else None)
    names = [program.name for program in settings.programs]
    if wanted is None and remembered.program not in names:
        words = _('the game "{name}" of the last time is not there any more; this is another')
        remembered.warning = words.format(name=remembered.program)
    if wanted is not None:
        known = [
            program for program in settings.programs if wanted in (program.name, program.title)
        ]
        program = known[0] if known else program_file.find(wanted)
        if not known:
            others = (other for other in settings.programs if other.name != program.name)
            settings.programs = (*others, program)
        settings.choose(program)
    return settings


def _telling(hour: Hour, keeps: bool) -> Callable[[], None]:
    """Return a turn that prints, once each, missed events and failures to keep the game.

    keeps  whether it is to be kept at all
    """
    said = ""

    def turn() -> None:
        nonlocal said
        hour.turn()
        sentence = (hour.take_warning() if keeps else "") or hour.news()
        if sentence and sentence != said:
            print(f"city-unit: {sentence}", file=sys.stderr)
        said = sentence

    return turn
