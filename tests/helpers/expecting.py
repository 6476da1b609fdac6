"""A scenario with expectations, checked against what an instrument saw."""

from pathlib import Path

import pytest

from sim import cli
from tests.helpers.times import ENDED, FAST_FROM, FAST_TO, WARNED

EXPECTED = f"""
[[expect]]
event = "auction-warning"
at = "{WARNED} ms"

[[expect]]
event = "auction-ended"
at = "{ENDED} ms"
tolerance = "5 ms"

[[expect]]
lamp = "auction"
blinks = "4 per s"
from = "{FAST_FROM} ms"
to = "{FAST_TO} ms"

[[expect]]
tone = 2700
at = "{WARNED} ms"
length = "400 ms"

[[expect]]
silence = true
from = "52 s"
to = "60 s"
"""

COUNT = EXPECTED.count("[[expect]]")


def check(capsys: pytest.CaptureFixture[str], path: Path, *words: object) -> tuple[int, str, str]:
    code = cli.main(["check", str(path), *map(str, words)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err
