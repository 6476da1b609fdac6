"""A virtual board: the firmware, unchanged, in the Unix port of MicroPython.

`lib` holds stand-ins for the board's own modules (`machine`, `time`, `os`, `neopixel`);
it comes first on MicroPython's path. `lib/world.py` makes the board's folder all of its
file system, and lists the settings, which `launch.py` makes from the desktop.
"""
