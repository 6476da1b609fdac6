"""A virtual board: the firmware, unchanged, in the Unix port of MicroPython.

`lib` holds what stands for the board's own modules (`machine`, `time`, `os`, `neopixel`);
it comes first on MicroPython's path. `lib/power.py` makes the board's folder all of its
file system. `lib/world.py` says what can be set up, and `launch.py` sets it up from the
desktop.
"""
