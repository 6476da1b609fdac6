"""The table: the game in a window, with the unit beside it, reached only through the link."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # our own lines are enough
