"""A Chromium for the pages of a tournament: of this package, so that it ends with its tests."""

from tests.sim.web.conftest import chromium, chromium_path, people, playwright  # noqa: F401
