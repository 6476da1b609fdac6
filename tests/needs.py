"""What a test needs and a machine may lack: skipped there, but never in CI."""

import importlib.util
import os

import pytest


def needs(present: object, what: str) -> None:
    """Skip the test if `present` is false; fail it instead under CITY_UNIT_CI."""
    if present:
        return
    if os.environ.get("CITY_UNIT_CI"):
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing", allow_module_level=True)


def needs_modules(*names: str) -> None:
    """Skip or fail, at the head of a test module, if one of the modules is not installed."""
    for name in names:
        needs(importlib.util.find_spec(name), name)
