"""`machine` of a virtual board: pins wired to the simulated world, and a buzzer."""

import sys

import world

# The state of the pins, for watchers: {pin: level}, {pin: Hz}, {pin: time of the change, us}.
# The lamps of a strip have levels as well (`neopixel.py`).
levels: dict = {}
tones: dict = {}
changed_at: dict = {}

mem32: dict = {}  # registers by address, without any effect


def put(place, level: int) -> None:
    """Set the level of a pin or of a strip's lamp."""
    if levels.get(place, 0) != level:
        changed_at[place] = world.now_us()
    levels[place] = level


class Pin:
    """A pin; all instances with the same number share its state."""

    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, number, mode: int = -1, pull: int = -1, value=None) -> None:
        self.number = number
        self._pull = pull
        if mode == Pin.OUT:
            self(value or 0)

    def __call__(self, level=None):
        number = self.number
        if level is not None:
            put(number, 1 if level else 0)
            return None
        if number in world.CONTACTS:
            if world.levels() & world.CONTACTS[number]:
                return world.CLOSED
            if self._pull == Pin.PULL_UP:
                return 1
            if self._pull == Pin.PULL_DOWN:
                return 0
            levels[number] = 1 - levels.get(number, 0)  # it floats
        if number == world.config.get("shorted"):
            return 0
        return levels.get(number, int(self._pull == Pin.PULL_UP))

    value = __call__

    def irq(self, handler, hard: bool = False) -> None:
        """Do nothing; the firmware notices a change when it reads the pin."""


class PWM:
    """A tone on a pin."""

    def __init__(self, pin, freq: int, duty_u16: int, invert: bool = False) -> None:
        self._number = pin.number
        self.init(freq, duty_u16)

    def init(self, freq: int, duty_u16: int) -> None:
        if not 8 <= freq <= 60000000:
            raise ValueError("freq")
        if not 0 <= duty_u16 <= 65535:
            raise ValueError("duty")
        self._freq = freq
        tone = freq if 0 < duty_u16 < 65535 else 0
        if tones.get(self._number, 0) != tone:
            changed_at[self._number] = world.now_us()
        tones[self._number] = tone

    def duty_u16(self, duty: int) -> None:
        self.init(self._freq, duty)


class ADC:
    """A pin that measures a third of the supply."""

    def __init__(self, pin: int) -> None:
        pass

    def read_u16(self) -> int:
        return (world.config.get("battery_mv", 0) * 65536 + 9899) // 9900


class UART:
    """Two unconnected wires."""

    def __init__(self, number: int, baudrate: int, **_) -> None:
        pass

    def any(self) -> int:
        return 0

    def read(self, count: int):
        return None

    def write(self, data: bytes) -> int:
        return len(data)


class WDT:
    """A watchdog that never restarts the board."""

    def __init__(self, id: int = 0, timeout: int = 5000) -> None:
        self.timeout = timeout

    def feed(self) -> None:
        pass


def reset() -> None:
    """End the interpreter with status 3; `Supervised` starts it again."""
    sys.exit(3)


if world.JUMP or any(what in world.config for what in ("trace", "report", "record")):
    import watcher

    if world.JUMP or "trace" in world.config or "report" in world.config:
        watcher.watch()
    if "record" in world.config:
        watcher.record()
