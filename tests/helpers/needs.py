"""Requirements of tests that a machine may lack: the tests are then skipped, but fail in CI.

A CI that cannot meet a requirement names it in CITY_UNIT_WITHOUT; it is then skipped there too.
"""

import importlib.util
import os

import pytest

GIVEN_UP = "is missing, as CITY_UNIT_WITHOUT says"


def needs(present: object, what: str, name: str = "") -> None:
    """Skip the test if `present` is false; under CITY_UNIT_CI fail it instead.

    name  if CITY_UNIT_WITHOUT has it, the test is skipped even under CITY_UNIT_CI
    """
    if present:
        return
    if name in os.environ.get("CITY_UNIT_WITHOUT", "").split():
        pytest.skip(f"{what} {GIVEN_UP}", allow_module_level=True)
    if os.environ.get("CITY_UNIT_CI"):
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing", allow_module_level=True)


def needs_modules(*names: str) -> None:
    """Skip or fail a whole test module if one of these modules is not installed."""
    for name in names:
        needs(importlib.util.find_spec(name), name)


def needs_posix() -> None:
    """Skip or fail on systems without ptys."""
    needs(os.name == "posix", "a pty")


def is_given_up(skipped: pytest.TestReport) -> bool:
    """Return whether a test was skipped because of CITY_UNIT_WITHOUT."""
    return GIVEN_UP in str(skipped.longrepr)
