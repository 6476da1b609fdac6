"""The unit on a desktop: in a window, a terminal or a web page, headless, and the timing lab."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output is ours
