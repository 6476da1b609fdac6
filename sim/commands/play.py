"""`city-unit play`: the emulated unit in a window, in a terminal, or headless."""

import argparse
import contextlib
import functools
import random
import sys
import time
from contextlib import closing
from dataclasses import replace

from city_unit.desktop.catalogue import _
from city_unit.desktop.command import whole_number
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import reason
from sim.engine import headless, link_server
from sim.engine.headless import Record
from sim.engine.link_server import LinkServer
from sim.engine.runner import Runner, clock
from sim.play import autosave, preferences
from sim.play.autosave import Autosave, RecordedUnit
from sim.play.offers import Offers


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar=_("FILE"), help=_("a program file to play with"))
    parser.add_argument(
        "--program",
        metavar=_("NAME"),
        help=_("a program, or a program file (default: the one played last)"),
    )
    parser.add_argument(
        "--seed", type=whole_number, metavar=_("N"), help=_("the seed of chance (default: random)")
    )
    parser.add_argument(
        "--terminal",
        action="store_true",
        help=_("play in the terminal even if there is a display"),
    )
    parser.add_argument(
        "--headless",
        action="store_true",
        help=_("without a window: programs reach the unit by --listen or --pty"),
    )
    parser.add_argument(
        "--until-eof",
        action="store_true",
        help=_("with --headless: end when standard input closes, as when the parent exits"),
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help=_(
            "continue an interrupted game without asking; with --headless this is also needed to"
            " save the game"
        ),
    )
    parser.add_argument(
        "--record",
        metavar=_("FILE"),
        help=_("with --headless: append each change of the unit to this file, as a line of JSON"),
    )
    link_server.arguments(parser)
    parser.epilog = _(
        "Program, volume and window size are saved in {path}; CITY_UNIT_SETTINGS names another"
        " file."
    ).format(path=preferences.settings_path())


def run(options: argparse.Namespace) -> int:
    if options.headless and options.terminal:
        raise UserError(_("--headless and --terminal exclude each other: choose one"))
    if options.headless and not (options.listen or options.pty):
        raise UserError(
            _("--headless needs --listen HOST:PORT or --pty PATH, for programs to reach the unit")
        )
    if options.file and options.program:
        raise UserError(_("FILE and --program both name a program: give one"))
    for option, is_given, needed, is_met in (
        ("--record", options.record, "--headless", options.headless),
        ("--until-eof", options.until_eof, "--headless", options.headless),
        ("--anyone-may-watch", options.anyone_may_watch, "--listen", options.listen),
        ("--journal", options.journal, "--listen", options.listen or options.pty),
    ):
        if is_given and not is_met:
            words = _("{option} has no effect without {needed}")
            raise UserError(words.format(option=option, needed=needed))
    remembered = preferences.load()
    before = replace(remembered)
    settings = preferences.settings_of(remembered, options.file or options.program)
    seed = random.SystemRandom().getrandbits(32) if options.seed is None else options.seed
    saves = options.resume or not options.headless  # a headless unit's owner may save the game
    lock, fault = None, ""  # the lock on the saved game, or why it cannot be saved
    if saves:
        try:
            lock = autosave.claim(autosave.game_path())
        except OSError as error:
            fault = reason(error)
    history, warning = None, ""
    try:
        history = autosave.read(autosave.game_path()) if lock else None
    except UserError as error:
        warning = str(error)
    saving = Autosave(autosave.game_path() if lock else None)
    saving.fault = fault
    unit = RecordedUnit(settings, seed, saving)
    link = link_server.make_link(unit, options.name)
    runner = Runner(unit, clock(), link)
    offers = Offers(runner, unit, time.time, link, warning)
    if offers.offer_saved(history) and options.resume:
        offers.accept()
    with contextlib.ExitStack() as stack:
        if lock is not None:
            stack.callback(lock.release)
        stack.callback(saving.close)

        def serve() -> LinkServer:
            """Open the doors, once it is certain that the unit will run: this prints addresses."""
            journal = autosave.journal_path() if lock else None
            return stack.enter_context(closing(link_server.serve(link, options, journal)))

        if options.headless:
            record = Record(options.record, runner, link.boot) if options.record else None
            turn = functools.partial(offers.turn_aloud, options.resume)
            headless.run(runner, serve(), record, turn, options.until_eof)
            return 0
        stack.callback(preferences.save, remembered, before)
        why = ""
        if not options.terminal:
            from sim.window.loop import NoDisplay, Window  # here, since it imports pygame

            try:
                window = stack.enter_context(closing(Window(runner, remembered, offers)))
            except NoDisplay as error:
                why = str(error)
                words = _("city-unit: no display ({why}); playing in the terminal instead")
                print(words.format(why=why), file=sys.stderr)
            else:
                window.run(serve())
                return 0
        from sim.terminal import session  # here, since it imports pygame for its sounds

        session.require_terminal()
        return session.run(runner, remembered, why, serve(), offers)
