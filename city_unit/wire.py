"""Frames of the serial link: one line of printable ASCII, with its checksum.

A frame is words parted by single spaces, then `*` and the CRC-32 of what stands
before it, as eight small hex digits. `docs/protocol.md` is the whole agreement.
"""

try:
    # MicroPython's own by its other name: a slower one in Python may lie before it.
    from ubinascii import crc32  # type: ignore
except ImportError:
    from binascii import crc32

from .ticks import const

PROTOCOL = 1  # the version that this code speaks

LONGEST = const(128)  # bytes of a line, with its newline
_SEAL = const(9)  # bytes of `*` and the checksum


def seal(text: str) -> bytes:
    """Return `text` as a line that can be sent."""
    plain = text.encode()
    return plain + b"*%08x\n" % crc32(plain)


def unseal(line: bytes) -> str:
    """Return the text of a received line, "" if it is damaged or no frame."""
    text = line[:-_SEAL]
    if len(line) >= LONGEST or line[-_SEAL:] != b"*%08x" % crc32(text):
        return ""
    return plain(text)


def plain(line: bytes) -> str:
    """Return the text of a line of printable ASCII, "" of any other."""
    return line.decode() if line and min(line) >= 32 and max(line) <= 126 else ""


def number(word: str, most: int) -> int:
    """Return the number that `word` is, -1 if it is none from 0 to `most`."""
    if len(word) > 10 or not word.isdigit():
        return -1
    value = int(word)
    return value if value <= most else -1


def cut(data: bytes) -> list[bytes]:
    """Return the lines that `data` holds; the last has no end yet.

    A carriage return ends a line too. One that is too long is kept just long
    enough to be known as such.
    """
    return [line[:LONGEST] for line in data.replace(b"\r", b"\n").split(b"\n")]
