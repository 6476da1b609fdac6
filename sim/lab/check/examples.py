"""The examples of docs/lab.md, with the times of the program; `sim.docs` puts them there."""

# No texts: these are a file and a test, as the reader of the page would write them.

from sim.lab.check import lab

SCENARIO = """\
program = "city"             # a built-in program, or the path of a program file beside this one
seed = 7                     # of everything that is drawn: permits, chatter, faults; 1 if left out

[[steps]]
at = "0 s"
do = "switch on"

[[steps]]
at = "1 s"
do = "tap auction"
bounce = "8 ms"

[[steps]]
at = "60 s"
do = "end"

[[expect]]
event = "auction-started"
at = "{started} ms"               # the press counts when its debounce is over

[[expect]]
lamp = "auction"
blinks = "4 per s"
from = "{fast_from} s"
to = "{fast_to} s"

[[expect]]
tone = 2700
at = "{warned} ms"
length = "400 ms"

[[expect]]
order = ["auction-started", "auction-warning", "auction-ended"]

[faults]
late = "5 ms"
"""

PYTEST_FILE = """\
def test_the_warning(city_unit_trace):
    trace = city_unit_trace(("0 s", "switch on"), ("1 s", "tap auction"), ("60 s", "end"), seed=7)
    trace.expect(event="auction-warning", at="{warned} ms")
    trace.expect(lamp="auction", blinks="4 per s", from_="{fast_from} s", to="{fast_to} s")
    assert trace.first("auction-ended").ms == {ended:_}
    trace.save("auction.svg")  # or .png, .wav; .vcd needs pyvcd


def test_every_game(city_unit_search):
    city_unit_search(lambda trace: len(trace.of("auction-ended")) <= 11, minutes=10)
"""


def scenario() -> str:
    return f"```toml\n{_with_times(SCENARIO)}```"


def pytest_file() -> str:
    return f"```python\n{_with_times(PYTEST_FILE)}```"


def _with_times(example: str) -> str:
    trace = lab.run(("0 s", "switch on"), ("1 s", "tap auction"), ("60 s", "end"))
    warned, ended = trace.first("auction-warning").ms, trace.first("auction-ended").ms
    return example.format(
        started=trace.first("auction-started").ms,
        warned=warned,
        ended=ended,
        # The lamp flashes fast all through these whole seconds.
        fast_from=warned // 1000 + 1,
        fast_to=ended // 1000 - 1,
    )
