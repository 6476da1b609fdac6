"""A Ctrl-C on the line of a virtual board: an interrupt, or a byte like any other.

While `kbd_intr` has turned the interrupt off, a board reads the byte. The Unix port only
leaves the signal to the system then, which ends the process; so this module sets the
terminal instead. It takes the place of the builtin `micropython`.
"""

import sys
import termios

import world

_real = world.builtin("micropython")
_LOCAL = 3  # the place of the local modes in the list of `termios`
_SIGNALS = 0x80 if sys.platform == "darwin" else 1  # ISIG: Ctrl-C and its like are signals


class micropython:
    """The builtin module, but for one function."""

    @staticmethod
    def kbd_intr(byte: int) -> None:
        if byte >= 0:
            _real.kbd_intr(byte)
        try:
            modes = termios.tcgetattr(0)
        except OSError:
            return  # there is no terminal, and so no Ctrl-C
        modes[_LOCAL] = modes[_LOCAL] & ~_SIGNALS | (_SIGNALS if byte >= 0 else 0)
        termios.tcsetattr(0, termios.TCSANOW, modes)


for _name in dir(_real):
    if not _name.startswith("__") and not hasattr(micropython, _name):
        setattr(micropython, _name, getattr(_real, _name))

sys.modules["micropython"] = micropython
