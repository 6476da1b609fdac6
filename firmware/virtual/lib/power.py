"""Gives a virtual board its power: from here on the folder in which it is started is all of
its file system, `/`, as a real board has one of its own. The files of the computer that the
board's world needs lie below `world.HOST`.
"""

import os
import sys

import interrupt  # noqa: F401 - it is there before anybody asks for `micropython`
import world

_vfs = world.builtin("vfs")
_folder = os.getcwd()
_lib = world.__file__.rsplit("/", 1)[0]

_vfs.umount("/")
_vfs.mount(_vfs.VfsPosix("/"), world.HOST)
_vfs.mount(_vfs.VfsPosix(_folder), "/")
os.chdir("/")
sys.path[:] = [world.HOST + _lib, "", ".frozen"]
world.powered = True
