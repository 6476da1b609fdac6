"""The simulated surroundings of a virtual board: time, wiring, contacts and recorders.

The environment variable VIRTUAL_BOARD names a JSON file with these settings, all optional:

time        "real"; "jump": a sleep takes no real time and lasts until the unit's next
            deadline or the next change of a contact; "steps": a sleep takes no real time
            and lasts exactly as long as requested
start       the board's millisecond clock at ms 0
boot_ms     time of power-on in ms; 0 or negative
end_ms      when to stop; by default never
contacts    `{pin: bit}` of the contacts
closed      the level of a pin with a closed contact
changes     `[ms, levels]` in order: the bits of the closed contacts from each time
lamps       the pins of the lamps, or "PIN.n" for those of a strip (`neopixel.py`)
lit         the level of a lit lamp
buzzer      the pin of the buzzer
shorted     a pin that always reads low
battery_mv  the voltage of the supply
seed        for os.urandom
late_ms     the longest random delay of a sleep in virtual time, drawn from the seed
machine     MicroPython's name for the board
trace       a file for the trace, "-" for standard output
record      a file to which each start of the unit appends its boot number, then its events
            as they occur. Each event is written before a client can receive it, so the
            record is complete even after a power cut
report      a file for the levels of the lamps and the tone at the end

VIRTUAL_BOARD_INTERRUPTS names a pipe. A byte in it is a Ctrl-C, which the board notices in a sleep.
"""

import json
import random
import select
import sys


def builtin(name: str):
    """Import a builtin module shadowed by a file in this folder."""
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
HOST = "/.host"  # where the computer's files are mounted after power-on
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
watchers = []  # each is called whenever the board goes to sleep
due = None  # the unit's next deadline, ms on its own clock; None if it has none
alive = False  # whether the unit has reported a deadline; until then no time is skipped


def host(path: str) -> str:
    """Return the path of one of the computer's files, seen from the board."""
    return HOST + path if powered and path[: len(HOST)] != HOST else path


def trace_module() -> dict:
    """Return the namespace of city_unit/trace.py, which is not on the board."""
    names = {}
    root = host(__file__.rsplit("/", 4)[0])
    sys.path.append(root)  # a compiled board has no city_unit.facts, which the trace imports
    with open(root + "/city_unit/trace.py") as file:
        exec(file.read(), names)
    sys.path.pop()
    return names


def module(name: str):
    """Return a module of the unit; on a compiled board, the joined file with its names."""
    try:
        return getattr(__import__("city_unit." + name), name)
    except ImportError:
        return __import__("city_unit_link" if name == "link" else "city_unit_board")


def now_us() -> int:
    """Return the microseconds since ms 0, without wrapping."""
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
    """Advance the time by at least `us`, or stop at the end of the simulation."""
    global _us
    for watcher in watchers:
        watcher()
    now = now_us()
    if END_US is not None and now >= END_US:
        raise SystemExit
    if VIRTUAL:
        until = now + us
        if JUMP and alive:  # skip ahead to the next thing that happens
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


def give_power() -> None:
    """Give the board its own file system and its own handling of Ctrl-C.

    The current folder becomes `/`; the computer's files move below `HOST`.

    On a board, `kbd_intr(-1)` makes Ctrl-C an ordinary byte. The Unix port only restores the
    system's default for the signal, which ends the process. The replacement for the builtin
    `micropython` therefore also sets the terminal. It must be installed before the first import.
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
    micropython.kbd_intr(3)  # the supervisor now sees a program that can be interrupted
