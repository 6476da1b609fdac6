"""Fixtures and rules for all tests."""

import contextlib
import importlib
import os
import re
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.helpers")  # shows both sides of a failed assertion

from city_unit.desktop import catalogue  # noqa: E402
from tests.helpers.needs import is_given_up  # noqa: E402

# No example fails because the machine was busy.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

TESTS = Path(__file__).parent
ALL_SLOW = r"(?m)^pytestmark = .*\bmark\.slow\b"

# The tests run in English, independent of the machine's language and its user's settings.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="city-unit-tests-")


@pytest.fixture(autouse=True)
def speak_english_at_the_end():
    """Reset the language after each test."""
    yield
    catalogue.speak(catalogue.ENGLISH)


def pytest_configure():
    """Make the programs that tests start interruptible, even if this run is not.

    A background job of a script ignores SIGINT, and its children inherit that. They do not
    inherit a handler.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda _number, _frame: None)


def pytest_sessionstart(session):
    """Let each worker import a different part of the test modules first, which compiles them.

    In a fresh clone all workers would otherwise compile all modules at the same time.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if not worker or session.config.args != ["tests"]:
        return
    names = sorted(
        path for path in TESTS.rglob("test_*.py") if not is_left_out(path, session.config)
    )
    for path in names[int(worker[2:]) :: int(os.environ["PYTEST_XDIST_WORKER_COUNT"])]:
        # An error in a module is reported when it is collected; here it would end the worker.
        with contextlib.suppress(Exception, pytest.skip.Exception, pytest.fail.Exception):
            importlib.import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))


def is_left_out(path, config):
    """Return whether a module has only slow tests, and this run has none."""
    if not config.option.markexpr.startswith("not slow"):
        return False
    return re.search(ALL_SLOW, path.read_text(encoding="utf-8")) is not None


def pytest_ignore_collect(collection_path, config):
    """Do not import modules without a test for this run; the case's takes six seconds."""
    return (collection_path.suffix == ".py" and is_left_out(collection_path, config)) or None


def pytest_collection_modifyitems(items):
    """Run the longest test first; in CI, give real-time tests, and only those, a second try.

    A shared machine once stood still for a minute, and a page did not wake up. The end of the
    run lists the second tries.
    """
    # pyright takes a minute; started last, it would leave the other workers idle.
    items.sort(key=lambda item: item.path.parent.name != "types")
    if not os.environ.get("CITY_UNIT_CI"):
        return
    for item in items:
        if item.get_closest_marker("real_time"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_collection_finish():
    """Refuse to run if an imported module has changed the handling of SIGPIPE.

    A test that writes to a closed socket would then silently end the whole run.
    """
    if hasattr(signal, "SIGPIPE") and signal.getsignal(signal.SIGPIPE) != signal.SIG_IGN:
        raise pytest.UsageError("a test's import changed what SIGPIPE does: set it back there")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    """In CI, a skipped test makes the run fail."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    skipped = [report for report in reports if not is_given_up(report)]
    if os.environ.get("CITY_UNIT_CI") and skipped and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print(f"\n{len(skipped)} skipped under CITY_UNIT_CI: not allowed")
