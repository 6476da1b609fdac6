"""Pytest plugin with the lab's fixtures, active wherever City Unit is installed.

    def test_the_press(city_unit_trace):
        trace = city_unit_trace(("0 s", "switch on"), ("1 s", "tap auction"), ("60 s", "end"))
        trace.expect(event="auction-started", at="1016 ms")

    def test_every_press(city_unit_search):
        city_unit_search(lambda trace: len(trace.of("auction-ended")) < 12, minutes=10)

    def test_a_kitchen_timer(city_unit_device):
        city_unit_device("timer.toml", capture="run.vcd")

The lab is imported only when a test requests a fixture.
"""

import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from sim.lab.check.device import Report
    from sim.lab.check.lab import Trace


@pytest.hookimpl(hookwrapper=True)  # older versions of pytest do not know `wrapper`
def pytest_runtest_makereport(
    item: pytest.Item, call: "pytest.CallInfo[None]"
) -> "Generator[None, Any, None]":
    """Report an invalid call of the lab on one line, without a traceback."""
    outcome = yield
    errors = sys.modules.get("city_unit.desktop.errors")
    if errors and call.excinfo and isinstance(call.excinfo.value, errors.UserError):
        lines = [entry.lineno for entry in call.excinfo.traceback if entry.path == item.path]
        place = f"{item.path}:{lines[-1] + 1}" if lines else str(item.path)
        outcome.get_result().longrepr = f"{place}: {call.excinfo.value}"


@pytest.fixture
def city_unit_trace() -> "Callable[..., Trace]":
    """Run a scenario, given as steps or as a file, in virtual time; returns the trace."""
    from pathlib import Path

    from sim.lab.check import lab

    def trace(*steps: object, **settings: object) -> "Trace":
        __tracebackhide__ = True
        if len(steps) == 1 and isinstance(steps[0], (str, Path)):
            return lab.run_file(steps[0])
        return lab.run(*steps, **settings)  # type: ignore[arg-type]

    return trace


@pytest.fixture
def city_unit_search() -> "Callable[..., None]":
    """Search for presses that violate a property; fails with a minimal example.

    The property is a function of a trace that returns False or raises AssertionError.
    """
    from sim.lab.check import search

    return search.assert_always


@pytest.fixture
def city_unit_device(
    request: pytest.FixtureRequest,
) -> "Callable[..., Report]":
    """Check a device, given as a file and a source; returns the measurements with their limits.

    The source is one of `capture`, `recording`, `serial` and `analyser`, see `device.Source`. A
    failing live source is measured again up to `retries` times. An expectation that the source
    cannot see fails the test, unless `allow_unseen` is True. The measurements become properties of
    the test in JUnit's report.
    """
    from city_unit.desktop.catalogue import _
    from city_unit.desktop.errors import at
    from sim.lab.check import checking, device

    properties = (
        request.node.user_properties
    )  # `record_property` would warn about the default JUnit family

    def judge(
        path: object, retries: int = 0, allow_unseen: bool = False, **source: object
    ) -> "Report":
        __tracebackhide__ = True
        given = {
            key: value if isinstance(value, (int, float)) else str(value)
            for key, value in source.items()
        }
        report = device.check(device.load(str(path)), device.Source(**given), retries)  # type: ignore[arg-type]
        result = report.result._replace(allows_unseen=allow_unseen)
        for one in report.measured:
            if one:
                properties.append((one.words, "  ".join(one.row()[:-1])))
        properties.append(("retries", report.retries))
        broken = [at(one.expectation.words, one.failures[0].happened) for one in result.broken]
        assert not broken, "\n".join([str(path), *broken, *checking.table(result.judged)])
        assert not result.code, "\n".join(
            [str(path), _("the source cannot see this, or ends too early:")]
            + [each.expectation.words for each in result.judged if each.is_unseen]
        )
        return report._replace(result=result)

    return judge
