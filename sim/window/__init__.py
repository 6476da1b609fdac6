"""The unit in a window: layout is geometry, the rest of the modules draw or drive."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output is ours
