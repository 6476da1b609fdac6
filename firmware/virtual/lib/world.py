"""The surroundings of a virtual board: its time, its wires, the fingers, and its watchers.

The file that the environment variable VIRTUAL_BOARD names says all of it, in
JSON, each thing optional:

time      "real"; "jump": sleeping costs nothing, and a sleep lasts until the
          unit's next deadline or the next change of a contact; "steps": sleeping
          costs nothing and lasts just as long as was asked
start     the board's clock of milliseconds at ms 0
boot_ms   when the board gets power, in ms; 0 or before
end_ms    when to stop; never without it
contacts  `{pin: bit}` of the contacts, and
closed    the level of a pin whose contact is closed
changes   `[ms, levels]`: the bits of the closed contacts from then on, in order
lamps     the pins of the five lamps, or "PIN.n" for those of a strip (`neopixel.py`), and
lit       the level of a lit lamp
buzzer    the pin of the buzzer
shorted   a pin that always reads low
battery_mv  the voltage of the supply
seed      of the bytes of os.urandom
late_ms   how much longer a sleep may last in virtual time, drawn from the seed
machine   what MicroPython says that the board is
trace     a file to write the trace to, "-" for standard output
record    a file to which each start of the unit adds its boot number, then its
          events as they happen: each is there before a client can hear of it,
          so that a record outlives the unit whenever it loses its power
waits     a file to which each edge that came late adds for how long the board had
          to wait for a processor (Linux)
report    a file that gets, at the end, the levels of the lamps and the tone

VIRTUAL_BOARD_INTERRUPTS names a pipe: a byte in it is a Ctrl-C, which a board finds when it sleeps.
"""

import json
import random
import select
import sys


def builtin(name: str):
    """Import a builtin module that a file in this folder hides."""
    hidden = sys.modules.pop(name, None)
    path = sys.path[:]
    sys.path.clear()
    module = __import__(name)
    sys.path.extend(path)
    if hidden:
        sys.modules[name] = hidden
    return module


os = builtin("os")
time = builtin("time")

MASK = 0x3FFFFFFF
HOST = "/.host"  # where the files of the computer are, once the board has its power
powered = False


config = {}
if os.getenv("VIRTUAL_BOARD"):
    with open(os.getenv("VIRTUAL_BOARD")) as _file:
        config = json.load(_file)

_interrupts = select.poll()
_pipe = None
if os.getenv("VIRTUAL_BOARD_INTERRUPTS"):
    _pipe = open(os.getenv("VIRTUAL_BOARD_INTERRUPTS"), "rb")  # noqa: SIM115
    _interrupts.register(_pipe, select.POLLIN)

START = config.get("start", 0)  # ms
BOOT_US = config.get("boot_ms", 0) * 1000
END_US = config["end_ms"] * 1000 if "end_ms" in config else None
VIRTUAL = config.get("time", "real") != "real"
JUMP = config.get("time") == "jump"
CONTACTS = {int(pin): bit for pin, bit in config.get("contacts", {}).items()}
CLOSED = config.get("closed", 0)
LAMPS = config.get("lamps", [])
LIT = config.get("lit", 1)
BUZZER = config.get("buzzer")
LATE_US = config.get("late_ms", 0) * 1000
random.seed(config.get("seed", 0))

_changes = config.get("changes", [])
_change = 0
_levels = 0
_us = BOOT_US
_power = time.ticks_us()
_watchers = []
due = None  # when the unit wants to be stepped next, ms on its own clock; None if never
alive = False  # whether the unit has said so yet; before, nothing is jumped over


def host(path: str) -> str:
    """Return where a file of the computer is found."""
    return HOST + path if powered and path[: len(HOST)] != HOST else path


def trace_module() -> dict:
    """Return the names of city_unit/trace.py, which no board has."""
    names = {}
    root = host(__file__.rsplit("/", 4)[0])
    sys.path.append(root)  # a compiled board has no city_unit.facts, which the trace imports
    with open(root + "/city_unit/trace.py") as file:
        exec(file.read(), names)
    sys.path.pop()
    return names


def module(name: str):
    """Return a module of the unit, or of a compiled board the file with the names of it."""
    try:
        return getattr(__import__("city_unit." + name), name)
    except ImportError:
        return __import__("city_unit_link" if name == "link" else "city_unit_board")


def now_us() -> int:
    """Return the microseconds since ms 0, on and on."""
    if VIRTUAL:
        return _us
    return BOOT_US + time.ticks_us() - _power


def ticks_ms() -> int:
    return START + now_us() // 1000 & MASK


def ticks_us() -> int:
    return START * 1000 + now_us() & MASK


def levels() -> int:
    """Return the bits of the contacts that are closed now."""
    global _change, _levels
    now = now_us()
    while _change < len(_changes) and _changes[_change][0] * 1000 <= now:
        _levels = _changes[_change][1]
        _change += 1
    return _levels


def sleep(us: int) -> None:
    """Advance the time by at least `us`; the end of the world comes while the board sleeps."""
    global _us
    for watcher in _watchers:
        watcher()
    now = now_us()
    if END_US is not None and now >= END_US:
        raise SystemExit
    if VIRTUAL:
        until = now + us
        if JUMP and alive:  # to when the next thing happens, at least
            ends = [END_US] if END_US is not None else []
            if _change < len(_changes):
                ends.append(_changes[_change][0] * 1000)
            if due is not None:
                ms = (due - ticks_ms() + 0x20000000 & MASK) - 0x20000000
                ends.append((now // 1000 + ms) * 1000)
            until = max(until, min(ends or [now]))
        _us = until
        if LATE_US:
            _us += random.randint(0, LATE_US)
    else:
        for _ in _interrupts.ipoll(0):
            _pipe.read(1)
            raise KeyboardInterrupt
        time.sleep_us(us)


def watch(watcher) -> None:
    """Call `watcher` whenever the board goes to sleep."""
    _watchers.append(watcher)


def give_power() -> None:
    """From here on the folder in which the board is started is all of its file system, `/`.

    A real board has one of its own. The computer's files that the world needs lie below `HOST`.

    While `kbd_intr` has turned the interrupt off, a board reads a Ctrl-C as a byte like any other.
    The Unix port only leaves the signal to the system then, which ends the process; so the terminal
    is set as well. That takes the place of the builtin `micropython` before anybody asks for it.
    """
    global powered
    import termios

    real = builtin("micropython")
    signals = 0x80 if sys.platform == "darwin" else 1  # ISIG: Ctrl-C and its like are signals

    class micropython:
        @staticmethod
        def kbd_intr(byte: int) -> None:
            real.kbd_intr(byte)
            try:
                modes = termios.tcgetattr(0)
            except OSError:
                return  # there is no terminal, and so no Ctrl-C
            modes[3] = modes[3] & ~signals | (signals if byte >= 0 else 0)  # the local modes
            termios.tcsetattr(0, termios.TCSANOW, modes)

    for name in dir(real):
        if not name.startswith("__") and not hasattr(micropython, name):
            setattr(micropython, name, getattr(real, name))
    sys.modules["micropython"] = micropython
    vfs = builtin("vfs")
    folder = os.getcwd()
    vfs.umount("/")
    vfs.mount(vfs.VfsPosix("/"), HOST)
    vfs.mount(vfs.VfsPosix(folder), "/")
    os.chdir("/")
    sys.path[:] = [HOST + __file__.rsplit("/", 1)[0], "", ".frozen"]
    powered = True
    micropython.kbd_intr(3)  # tells the supervisor that a program runs, which can be interrupted
