"""A Chromium for the pages of a tournament; it ends with this package."""

from tests.sim.web.conftest import chromium, chromium_path, people, playwright  # noqa: F401
