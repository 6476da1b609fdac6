"""`os` of a virtual board: the real one, with seeded random bytes and a board's name.

Listings hide the computer's own files (`world.HOST`).
"""

import world

for _name in dir(world.os):
    if not _name.startswith("__"):
        globals()[_name] = getattr(world.os, _name)


def urandom(length: int) -> bytes:
    seed = world.config.get("seed")
    if seed is None:
        return world.os.urandom(length)
    return seed.to_bytes(length, "little")


def ilistdir(*folder):
    for entry in world.os.ilistdir(*folder):
        if "/" + entry[0] != world.HOST:
            yield entry


def listdir(*folder) -> list:
    return [entry[0] for entry in ilistdir(*folder)]


def rename(old: str, new: str) -> None:
    """Rename a file. The Unix port fails if both paths are absolute, so make them relative."""
    if old[:1] != "/" or new[:1] != "/":
        world.os.rename(old, new)
        return
    here = world.os.getcwd()
    world.os.chdir("/")
    try:
        world.os.rename(old[1:], new[1:])
    finally:
        world.os.chdir(here)


class _Name:
    machine = world.config.get("machine", "Raspberry Pi Pico with RP2040")


def uname() -> _Name:
    return _Name()
