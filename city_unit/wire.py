"""The frames of the serial link: lines of printable ASCII with a checksum.

A frame consists of words separated by single spaces, `*`, and the CRC-32 of the text before it in
eight lower-case hex digits. `docs/protocol.md` specifies the protocol.
"""

try:
    # The name of MicroPython's built-in module; `binascii` may be a slower one in Python.
    from ubinascii import crc32  # type: ignore
except ImportError:
    from binascii import crc32

from .ticks import const

PROTOCOL = 1  # version

LONGEST = const(128)  # bytes of a line with its newline
_SEAL = const(9)  # bytes of `*` and the checksum


def seal(text: str) -> bytes:
    """Return `text` as a frame."""
    data = text.encode()
    return data + b"*%08x\n" % crc32(data)


def unseal(line: bytes) -> str:
    """Return the text of a frame, "" if it is invalid."""
    text = line[:-_SEAL]
    if len(line) >= LONGEST or line[-_SEAL:] != b"*%08x" % crc32(text):
        return ""
    return decode(text)


def decode(line: bytes) -> str:
    """Decode a line of printable ASCII; return "" for any other."""
    return line.decode() if line and min(line) >= 32 and max(line) <= 126 else ""


def parse_number(word: str, most: int) -> int:
    """Parse a number from 0 to `most`; return -1 if it is invalid."""
    if len(word) > 10 or not word.isdigit():
        return -1
    value = int(word)
    return value if value <= most else -1


def split_lines(data: bytes) -> list[bytes]:
    """Split `data` into lines; the last one is incomplete.

    A carriage return ends a line too. A line that is too long is truncated to LONGEST, at which it
    is still invalid.
    """
    return [line[:LONGEST] for line in data.replace(b"\r", b"\n").split(b"\n")]
