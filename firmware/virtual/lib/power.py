"""Gives a virtual board its power: from here on the folder in which it is started is all of
its file system, `/`, as a real board has one of its own. The files of the computer that the
board's world needs lie below `world.HOST`.

While `kbd_intr` has turned the interrupt off, a board reads a Ctrl-C as a byte like any other. The
Unix port only leaves the signal to the system then, which ends the process; so the terminal is set
as well. That takes the place of the builtin `micropython` before anybody asks for it.
"""

import os
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

_vfs = world.builtin("vfs")
_folder = os.getcwd()
_lib = world.__file__.rsplit("/", 1)[0]

_vfs.umount("/")
_vfs.mount(_vfs.VfsPosix("/"), world.HOST)
_vfs.mount(_vfs.VfsPosix(_folder), "/")
os.chdir("/")
sys.path[:] = [world.HOST + _lib, "", ".frozen"]
world.powered = True
micropython.kbd_intr(3)  # tells the supervisor that a program runs, which can be interrupted
