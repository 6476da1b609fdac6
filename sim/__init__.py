"""The unit on a desktop: window, terminal, headless, link and timing lab."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output is ours
