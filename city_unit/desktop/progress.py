"""How far long work is: one line on a terminal, nothing anywhere else."""

import sys
import time

_EVERY_S = 0.2  # a terminal is not flooded, however fast the work is
_WIPE = "\r\x1b[K"


class Progress:
    """A line on standard error, which is wiped when the work is done.

    patience_s  how long the work may take before anything is shown
    """

    def __init__(self, patience_s: float = 0.0) -> None:
        self._show_at = time.monotonic() + patience_s
        self._is_shown = False

    def show(self, text: object, part: float) -> None:
        """Show `text`, a string or a lazy text, while `part` (0 to 1) of the work is done."""
        if part >= 1:
            self.wipe()
            return
        now = time.monotonic()
        if now < self._show_at or not sys.stderr.isatty():
            return
        self._show_at = now + _EVERY_S
        self._is_shown = True
        _write(f"{_WIPE}{text}")

    def percent(self, words: str, part: float) -> None:
        """Show `words` with their field `percent`, likewise."""
        self.show(words.format(percent=round(part * 100)), part)

    def wipe(self) -> None:
        """Erase the line, if it is there."""
        if self._is_shown:
            self._is_shown = False
            _write(_WIPE)


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
