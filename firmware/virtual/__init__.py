"""A virtual board: the firmware, unchanged, in the Unix port of MicroPython.

`lib` holds stand-ins for the board's own modules (`machine`, `time`, `os`, `neopixel`);
it comes first on MicroPython's path. `lib/power.py` makes the board's folder all of its
file system. `lib/world.py` lists the settings, and `launch.py` makes them from the desktop.
"""
