"""The table: the game in a window, and its unit, reached only through the link."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
