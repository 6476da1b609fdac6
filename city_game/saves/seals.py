"""The seals of a save's lines: what is torn, changed, lost or moved is found, a flipped bit mended.

Each line ends with ` *` and eight hex digits: a crc32 of the line and of the digits before it.
"""

from binascii import crc32
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 1000  # bytes, of a line in which a flipped bit is looked for: all of ours are shorter


class Opened(NamedTuple):
    """The texts up to the first line that is bad, and the digits there.

    is_whole  whether these are all
    mended    the first line of which a flipped bit was mended, counted from 1; 0 for none
    """

    texts: list[str]
    chain: str
    is_whole: bool
    mended: int


def seal(text: str, chain: str) -> tuple[str, str]:
    """Return a text as a sealed line, and its digits; `chain` is those of the line before."""
    chain = f"{crc32(f'{chain} {text}'.encode()):08x}"
    return f"{text} *{chain}\n", chain


def seal_all(texts: list[str]) -> tuple[str, str]:
    """Return texts as sealed lines, and the digits of the last."""
    chain = ""
    sealed = []
    for text in texts:
        line, chain = seal(text, chain)
        sealed.append(line)
    return "".join(sealed), chain


def open_all(data: bytes) -> Opened:
    """Return the texts of sealed lines; a line that a flipped bit has spoiled is made good."""
    chain = ""
    texts: list[str] = []
    mended = 0
    lines = data.splitlines(keepends=True)
    at = 0
    while at < len(lines):
        good, taken = _opened(lines[at : at + 1], chain), 1
        if good is None:
            good, taken = _mended(lines, at, chain)
            mended = mended or (at + 1 if good else 0)
        if good is None:
            return Opened(texts, chain, False, mended)
        texts += good[0]
        chain = good[1]
        at += taken
    return Opened(texts, chain, True, mended)


def _opened(lines: list[bytes], chain: str) -> tuple[list[str], str] | None:
    """Return the texts of lines and the digits of the last, None if any of them is bad."""
    texts = []
    for raw in lines:
        line = raw.decode("utf-8", "replace")
        text = line[: line.rfind(" *")]
        right, chain = seal(text, chain)
        if line != right:
            return None
        texts.append(text)
    return (texts, chain) if texts else None


def _mended(lines: list[bytes], at: int, chain: str) -> tuple[tuple[list[str], str] | None, int]:
    """Return what line `at` says with one bit flipped back, and from how many lines that was read.

    If the bit had destroyed the line's end, one line holds two texts; if it had made an end where
    there was none, one text is read from two lines.
    """
    for taken in (1, 2):
        spoiled = b"".join(lines[at : at + taken])
        if len(spoiled) > 2 * LONGEST:
            break
        for candidate in _flips(spoiled):
            good = _opened(candidate.splitlines(keepends=True), chain)
            if good:
                return good, taken
    return None, 0


def _flips(data: bytes) -> Iterator[bytes]:
    for place, byte in enumerate(data):
        for bit in range(8):
            yield data[:place] + bytes([byte ^ 1 << bit]) + data[place + 1 :]
