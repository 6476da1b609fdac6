"""The real os, with random bytes that can be repeated, on a board with a name."""

import world

for _name in dir(world.os):
    if not _name.startswith("__"):
        globals()[_name] = getattr(world.os, _name)


def urandom(length: int) -> bytes:
    seed = world.config.get("seed")
    if seed is None:
        return world.os.urandom(length)
    return seed.to_bytes(length, "little")


class _Name:
    machine = world.config.get("machine", "Raspberry Pi Pico with RP2040")


def uname() -> _Name:
    return _Name()
