"""Scenarios as text, with expectations that are met and others that fail, and a check of them."""

from pathlib import Path

import pytest

from sim import cli
from tests.helpers.times import ENDED, FAST_FROM, FAST_MS, FAST_TO, LENGTH_MS, PRESSED, WARNED


def steps(*taken: tuple[str, ...], head: str = "seed = 7") -> str:
    """Return a scenario; each step is `(at, do)`, followed by further lines of its block."""
    texts = [
        "\n".join(["[[steps]]", f'at = "{at}"', f'do = "{do}"', *more]) for at, do, *more in taken
    ]
    return "\n".join([head, *texts, ""])


STEPS = steps(("0 s", "switch on"), ("1 s", "tap auction", 'bounce = "8 ms"'), ("60 s", "end"))

FAST = f'from = "{FAST_FROM} ms"\nto = "{FAST_TO} ms"'

# The press counts at 1016 ms, at the end of its debounce.
KEPT = [
    f'event = "auction-warning"\nat = "{WARNED} ms"',
    f'event = "auction-warning"\ntimes = 1\nfrom = "{WARNED - 1000} ms"\nto = "{WARNED + 1000} ms"',
    f'event = "auction-warning"\nat = "{WARNED - 10} ms"\ntolerance = "10 ms"',
    'event = "refused"\ntimes = 0',
    'event = "switched-on"\nprogram = "city"\nat = "0 s"',
    'lamp = "auction"\nis = "on"\nfrom = "1016 ms"\nto = "1500 ms"',
    f'lamp = "auction"\nis = "off"\nat = "{ENDED} ms"',
    f'lamp = "auction"\nblinks = "4 per s"\n{FAST}',
    f'tone = 2700\nat = "{WARNED} ms"\nlength = "400 ms"',
    'silence = true\nfrom = "52 s"\nto = "60 s"',
    'order = ["auction-started", "auction-warning", "auction-ended"]',
    'event = "auction-started"\nlength = "50 s"',
    f'event = "auction-warning"\nleft = "{FAST_MS} ms"',
    f'lamp = "auction"\nblinks = "4 per s"\n{FAST}\ntolerance = "5 ms"',
    'silence = true\nfrom = "52 s"\nto = "60 s"\ntolerance = "3999 ms"',
    'event = "switched-on"\nat = "0 s"\ntolerance = "1 s"',
    'event = "switched-on"\nat = "0 s"\ntolerance = "59999 ms"',
    'event = "auction-warning"\ntimes = 1\nfrom = "1 ms"\nto = "60 s"',
    f'lamp = "auction"\nblinks = "4.02 per s"\n{FAST}\ntolerance = "1 ms"',
]

BROKEN = [
    (f'event = "auction-warning"\nat = "{WARNED - 1} ms"', f"at {WARNED} ms (+1 ms)"),
    ('event = "hour-beep"\nat = "1 s"', "never"),
    ('event = "auction-warning"\ntimes = 2', f"1 time: {WARNED} ms"),
    ('lamp = "auction"\nis = "on"\nfrom = "2 s"\nto = "5 s"', "off at"),
    ('lamp = "auction"\nis = "off"\nat = "1200 ms"', "on at 1200 ms"),
    (f'lamp = "auction"\nblinks = "5 per s"\n{FAST}', "no change for 125 ms"),
    (f'lamp = "auction"\nblinks = "4.02 per s"\n{FAST}', "one every 125 ms, not"),
    (  # the last time it is lit for a whole period
        f'lamp = "auction"\nblinks = "4 per s"\nfrom = "{FAST_FROM} ms"\nto = "{ENDED - 116} ms"',
        f"from {ENDED - 250} ms no change for 134 ms",
    ),
    (f'lamp = "permit-1"\nblinks = "5 per s"\n{FAST}', "0 changes"),
    (
        f'tone = 2700\nat = "{WARNED} ms"\nlength = "399 ms"',
        f"never; there was 2700 Hz for 400 ms at {WARNED} ms",
    ),
    (
        f'tone = 2600\nat = "{WARNED} ms"',
        f"never; there was 2700 Hz for 400 ms at {WARNED} ms",
    ),
    (
        'tone = 2700\nlength = "400 ms"\nat = "1016 ms"',
        f"at {WARNED} ms (+{WARNED - PRESSED} ms); there was 2700 Hz for 25 ms at 1016 ms",
    ),
    (
        f'tone = 2700\nlength = "401 ms"\nfrom = "{WARNED - 1000} ms"\nto = "{ENDED - 1000} ms"',
        f"0 times: never; there was 2700 Hz for 400 ms at {WARNED} ms",
    ),
    (
        'event = "auction-started"\nlength = "51 s"\nat = "1016 ms"',
        f"never; there was auction-started length_ms {LENGTH_MS} at 1016 ms",
    ),
    (
        f'silence = true\nfrom = "{WARNED - 1000} ms"\nto = "{WARNED + 1000} ms"',
        f"2700 Hz from {WARNED} to {WARNED + 400} ms",
    ),
    ('order = ["auction-ended", "auction-warning"]', "auction-warning, auction-ended"),
]


def write(tmp_path: Path, *expectations: str, faults: str = "") -> str:
    path = tmp_path / "a.toml"
    path.write_text(
        STEPS + faults + "".join(f"\n[[expect]]\n{expectation}\n" for expectation in expectations)
    )
    return str(path)


# Expectations that an instrument can observe.
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
