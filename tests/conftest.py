"""Fixtures and rules of all tests."""

import contextlib
import importlib
import os
import re
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.helpers")  # so that a failed one shows its two sides

from city_unit.desktop import catalogue  # noqa: E402
from tests.helpers.needs import is_given_up  # noqa: E402

# No example fails because the machine stood still while it was thought out, or lived.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

TESTS = Path(__file__).parent
ALL_SLOW = r"(?m)^pytestmark = .*\bmark\.slow\b"

# The tests speak English whatever the machine does, and whatever its owner chose for good.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="city-unit-tests-")


@pytest.fixture(autouse=True)
def speak_english_at_the_end():
    """Have what one test speaks end with it."""
    yield
    catalogue.speak(catalogue.ENGLISH)


def pytest_configure():
    """Let the programs that tests start be interrupted, even if this run cannot be.

    A program in the background of a script ignores SIGINT, and hands that down to every
    program that it starts. A handler is not handed down.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda _number, _frame: None)


def pytest_sessionstart(session):
    """Let each worker import another part of the modules first: it finds the others compiled.

    In a fresh clone each would else compile all of them, at the same moment as the others.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if not worker or session.config.args != ["tests"]:
        return
    names = sorted(
        path for path in TESTS.rglob("test_*.py") if not is_left_out(path, session.config)
    )
    for path in names[int(worker[2:]) :: int(os.environ["PYTEST_XDIST_WORKER_COUNT"])]:
        # A mistake in one is reported when it is collected; here it would end the worker.
        with contextlib.suppress(Exception, pytest.skip.Exception, pytest.fail.Exception):
            importlib.import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))


def is_left_out(path, config):
    """Return whether a module has slow tests alone, and this run none."""
    if not config.option.markexpr.startswith("not slow"):
        return False
    return re.search(ALL_SLOW, path.read_text(encoding="utf-8")) is not None


def pytest_ignore_collect(collection_path, config):
    """Import no module without a test for this run: the case's takes each worker six seconds."""
    return (collection_path.suffix == ".py" and is_left_out(collection_path, config)) or None


def pytest_collection_modifyitems(items):
    """Begin with the longest test; give tests in real time a second try in CI, and no other.

    Seven thousand tests in a row on a machine that others use: it stood still for a minute
    once, and one page did not wake up. The last line of the run counts such second tries.
    """
    # pyright takes a minute: begun last, it would leave the other workers idle.
    items.sort(key=lambda item: item.path.parent.name != "types")
    if not os.environ.get("CITY_UNIT_CI"):
        return
    for item in items:
        if item.get_closest_marker("real_time"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_collection_finish():
    """Refuse to begin where an imported module made a closed line deadly.

    A test that writes to a socket whose other end is gone would then end the whole run
    without a word.
    """
    if hasattr(signal, "SIGPIPE") and signal.getsignal(signal.SIGPIPE) != signal.SIG_IGN:
        raise pytest.UsageError("a test's import changed what SIGPIPE does: set it back there")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    """Where nothing may be missing, a skipped test is a failed run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    skipped = [report for report in reports if not is_given_up(report)]
    if os.environ.get("CITY_UNIT_CI") and skipped and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print(f"\n{len(skipped)} skipped under CITY_UNIT_CI: not allowed")
