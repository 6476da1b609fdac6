"""What a board tells of itself when it is asked over the link: `board`, and `crash`."""

import gc
from binascii import hexlify

from city_unit.ticks import const
from city_unit.wire import number

from . import store

_PIECE = const(36)  # bytes of the log of crashes in one answer, twice as many digits


class Report:
    """Answers the commands that only a board has; both take it some 20 ms."""

    def __init__(self, body) -> None:
        self._body = body

    def answer(self, words: list) -> str | None:
        """Return the answer to a command, None if there is no such command.

        board    contacts that are closed and lamps that are lit, both as the pins
                 have them; thousandths of the time awake; bytes of free memory;
                 mV of the supply, 0 if unknown; bytes in the log of crashes
        crash N  the log from byte N on, as far as it fits, in hexadecimal digits
        """
        log = store.read(store.CRASHES).encode()
        if words[0] == "crash":
            begin = max(0, number(words[1], 9999))
            return hexlify(log[begin : begin + _PIECE]).decode()
        if words[0] != "board":
            return None
        body = self._body
        gc.collect()
        return "contacts=%d lamps=%d awake=%d free=%d battery=%d crash=%d" % (
            body.contacts.levels(),
            body.outputs.read(),
            body.rest.awake,
            gc.mem_free(),
            body.battery.mv(),
            len(log),
        )
