"""`city-unit search`: look for presses after which a rule does not hold."""

import argparse
import sys
from pathlib import Path

from city_unit.desktop import toml_reader
from city_unit.desktop.arguments import add_overwriting, meaning, whole
from city_unit.desktop.catalogue import _
from city_unit.desktop.errors import FAILURE, SUCCESS, UNCHECKED
from city_unit.desktop.files import refuse_no_folder, refuse_overwriting, write_whole
from city_unit.desktop.progress import Progress
from city_unit.desktop.toml_reader import time_ms, within
from city_unit.programs import PROGRAMS
from sim.engine import program_file, virtual
from sim.engine.scenario import Scenario
from sim.lab.check import search
from sim.lab.check.search import Games

_OUT = "counterexample.toml"
_HOUR_MS = 3_600_000


def arguments(parser: argparse.ArgumentParser) -> None:
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


def run(options: argparse.Namespace) -> int:
    refuse_no_folder(options.out)
    length = within(time_ms, 1000, 25 * _HOUR_MS, _("between 1 s and 25 h"))
    length_ms = meaning("--length", length, options.length)
    table = toml_reader.load(options.file)
    name: str = table.take("program", toml_reader.text, PROGRAMS[0].name)
    folder = Path(options.file).parent
    program = program_file.find(str(folder / name) if name.endswith(".toml") else name)
    with_setup: bool = table.take("setup", _yes_or_no, False)
    wanted = search.read(table, length_ms)
    table.finish()
    games = Games(program, length_ms, options.runs, options.seed, with_setup)
    refuse_overwriting(options.force, options.out)
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
