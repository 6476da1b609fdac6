"""The reports that a board gives of itself over the link: `board`, and `crash`."""

import gc
import os
from binascii import hexlify

from city_unit.ticks import const
from city_unit.wire import number

_CRASHES = const("crash.txt")  # `store` has it as well, and is not there while a board lives
_PIECE = const(36)  # bytes of the log of crashes in one answer, twice as many digits


def answer(body, words) -> str | None:
    """Return the answer to a command that only a board has; None if it is unknown here too.

    board    contacts that are closed and lamps that are lit, both as the pins
             have them; thousandths of the time awake; bytes of memory that were free
             after the latest collection of garbage; mV of the supply, 0 if no pin sees
             it; bytes in the log of crashes
    crash N  the log from byte N on, as far as it fits, in hexadecimal digits;
             takes a board some 20 ms, and is asked for after a crash only
    """
    if words[0] == "crash":
        from .store import read

        begin = max(0, number(words[1], 9999))
        return hexlify(read(_CRASHES).encode()[begin : begin + _PIECE]).decode()
    if words[0] != "board":
        return None
    supply = length = 0
    if body.battery is not None:
        from .extras import supply_mv

        supply = supply_mv(body.battery) or 1  # 0 is for a board that does not measure it
    try:
        length = os.stat(_CRASHES)[6]
    except OSError:
        pass  # it has never crashed
    return "contacts=%d lamps=%d awake=%d free=%d battery=%d crash=%d" % (
        body.contacts.levels(),
        body.outputs.read(),
        body.rest.awake,
        body.free or gc.mem_free(),
        supply,
        length,
    )
