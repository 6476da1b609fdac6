"""Frames of the serial link: one line of printable ASCII, with its checksum.

A frame is words parted by single spaces, then `*` and the CRC-32 of what stands
before it, as eight small hex digits. `docs/protocol.md` is the whole agreement.
"""

from binascii import crc32

from city_unit.ticks import const

PROTOCOL = 1  # the version that this code speaks

LONGEST = const(128)  # bytes of a line, with its newline
_SEAL = const(9)  # bytes of `*` and the checksum


def seal(text: str) -> bytes:
    """Return `text` as a line that can be sent."""
    plain = text.encode()
    return plain + _mark(plain) + b"\n"


def unseal(line: bytes) -> str:
    """Return the text of a received line, "" if it is damaged or no frame."""
    text = line[:-_SEAL]
    if len(line) >= LONGEST or line[-_SEAL:] != _mark(text) or not is_plain(text):
        return ""
    return text.decode()


def is_plain(line: bytes) -> bool:
    """Return whether `line` is printable ASCII, and not empty."""
    return len(line) > 0 and min(line) >= 32 and max(line) <= 126


def number(word: str, most: int) -> int:
    """Return the number that `word` is, -1 if it is none from 0 to `most`."""
    if len(word) > 10 or not word.isdigit():
        return -1
    value = int(word)
    return value if value <= most else -1


def _mark(text: bytes) -> bytes:
    return b"*%08x" % crc32(text)


class Lines:
    """Cuts what is received into lines, whatever pieces it comes in.

    A line that is too long is kept just long enough to be known as such.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes; a carriage return ends one too."""
        lines = (self._rest + data.replace(b"\r", b"\n")).split(b"\n")
        self._rest = lines.pop()[:LONGEST]
        return [line[:LONGEST] for line in lines if line]
