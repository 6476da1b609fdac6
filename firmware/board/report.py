"""What a board tells of itself when it is asked over the link: `board`, and `crash`."""

import gc
from binascii import hexlify

from city_unit.ticks import const
from city_unit.wire import number

from .store import CRASHES, read

_PIECE = const(36)  # bytes of the log of crashes in one answer, twice as many digits


def answer(body, words: list) -> str:
    """Return the answer to a command that only a board has; both take it some 20 ms.

    board    contacts that are closed and lamps that are lit, both as the pins
             have them; thousandths of the time awake; bytes of free memory;
             mV of the supply, 0 if unknown; bytes in the log of crashes
    crash N  the log from byte N on, as far as it fits, in hexadecimal digits
    """
    log = read(CRASHES).encode()
    if words[0] == "crash":
        begin = max(0, number(words[1], 9999))
        return hexlify(log[begin : begin + _PIECE]).decode()
    supply = 0
    if body.battery is not None:
        from .extras import supply_mv

        supply = supply_mv(body.battery)
    gc.collect()
    return "contacts=%d lamps=%d awake=%d free=%d battery=%d crash=%d" % (
        body.contacts.levels(),
        body.outputs.read(),
        body.rest.awake,
        gc.mem_free(),
        supply,
        len(log),
    )
