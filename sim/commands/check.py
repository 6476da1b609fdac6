"""`city-unit check`: run scenarios and hold the unit to what they expect."""

import argparse
import sys
from pathlib import Path

from sim import texts_check as texts
from sim import texts_lab
from sim.errors import UserError
from sim.files import refuse_no_folder, write_whole
from sim.lab import bodies, checking, expectations, faults, folder, junit, text_line
from sim.lab.checking import FAILED, PASSED, Case, Result

_MOST_NAMED = 3  # of a kind of files that are left out


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{texts.CODES}\n\n{expectations.__doc__}\n{faults.__doc__}"
    parser.add_argument(
        "paths", metavar="FILE|FOLDER", nargs="+", help="scenarios, or folders of them"
    )
    parser.add_argument("--on", metavar="BODY", default=bodies.CPYTHON, help=texts.HELP_ON)
    parser.add_argument("--force", action="store_true", help=texts_lab.HELP_FORCE)
    parser.add_argument("--junit", metavar="OUT", help="write the results for a CI system as well")


def run(options: argparse.Namespace) -> int:
    refuse_no_folder(options.junit)
    paths, left_out = _sorted(options.paths)
    results = _check(paths, options.on, options.force)
    _tell_left_out(left_out)
    if len(results) > 1:
        _tell_sum(results)
    if options.junit:
        write_whole(options.junit, junit.document(results))
        print(texts_lab.WRITTEN.format(path=options.junit), file=sys.stderr)
    return max(result.code for result in results)


def _check(paths: list[str], body: str, force: bool) -> list[Result]:
    """Check all that can be; tell each result as it comes."""
    cases = [_load(path, bodies.slack_ms(body)) for path in paths]
    if not any(isinstance(case, Case) for case in cases):
        return [case for case in cases if isinstance(case, Result)]
    try:
        with bodies.body(body, force) as live:
            return [_judge(case, live) if isinstance(case, Case) else case for case in cases]
    except UserError as error:  # there is no such body
        _complain(error)
        return [Result(case.path, [], error) if isinstance(case, Case) else case for case in cases]


def _load(path: str, slack_ms: int) -> Case | Result:
    try:
        return checking.load(path, slack_ms)
    except UserError as error:
        _complain(error)
        return Result(path, [], error)


def _judge(case: Case, live: bodies.Body) -> Result:
    try:
        shown = live(case)
    except UserError as error:
        _complain(error)
        return Result(case.path, [], error)
    failures = checking.judge(case, shown)
    word = texts.FAILED if failures else texts.PASSED
    print(word.format(path=case.path, count=len(case.checks), failed=len(failures)), flush=True)
    for failure in failures:
        print(texts.EXPECTED.format(what=failure.expected))
        print(texts.HAPPENED.format(what=failure.happened))
        print(text_line.draw(shown, failure.around_ms))
    return Result(case.path, failures)


def _complain(error: UserError) -> None:
    sys.stdout.flush()  # so that it stands where it belongs
    print(f"city-unit: {error}", file=sys.stderr)


def _tell_sum(results: list[Result]) -> None:
    passed = sum(result.code == PASSED for result in results)
    failed = sum(result.code == FAILED for result in results)
    rest = len(results) - passed - failed
    print(texts.CHECKED.format(passed=passed, failed=failed, rest=rest))


def _sorted(paths: list[str]) -> folder.Sorted:
    """Return the files, and those of the folders, that are to be checked, and what is left out."""
    checked: list[str] = []
    left_out: dict[str, list[str]] = {}
    for path in paths:
        if not Path(path).is_dir():
            checked.append(path)
            continue
        found = folder.sort(Path(path))
        if not found.checked:
            raise UserError(texts.NO_SCENARIOS.format(path=path))
        checked += found.checked
        for kind, files in found.left_out.items():
            left_out.setdefault(kind, []).extend(files)
    return folder.Sorted(checked, left_out)


def _tell_left_out(left_out: dict[str, list[str]]) -> None:
    told = []
    for kind, files in left_out.items():
        if files:
            one, several = texts.KINDS[kind]
            what = one if len(files) == 1 else several.format(count=len(files))
            told.append(what if len(files) > _MOST_NAMED else f"{what} ({', '.join(files)})")
    if told:
        print(texts.LEFT_OUT.format(what=", ".join(told)))
