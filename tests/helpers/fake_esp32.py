"""An ESP32 that waits for a program, as far as its serial protocol shows: behind a pty.

It speaks what Espressif's documents call the serial protocol: frames of SLIP, the commands of
the ROM, and, once a stub has been loaded and started, those of the stub. It takes no command's
word for anything: checksums, sizes and sequence numbers must be right, flash memory that was
not erased keeps its zeros, and the stub is not run but only has to arrive whole.
"""

import hashlib
import os
import threading
import tty
import zlib

END, ESCAPE = b"\xc0", b"\xdb"
FLASH_BEGIN, FLASH_END = 0x02, 0x04  # with no file between them: the stub gives way to the ROM
SYNC, WRITE_REG, READ_REG = 0x08, 0x09, 0x0A
MEM_BEGIN, MEM_END, MEM_DATA = 0x05, 0x06, 0x07
SPI_PARAMS, SPI_ATTACH, CHANGE_BAUD = 0x0B, 0x0D, 0x0F
DEFL_BEGIN, DEFL_DATA, DEFL_END, MD5 = 0x10, 0x11, 0x12, 0x13
SECURITY_INFO, ERASE_FLASH = 0x14, 0xD0
STUB_ALONE = (ERASE_FLASH,)
CHECKED = (MEM_DATA, DEFL_DATA)
SYNCED = 0x20120707  # the answer of the ROM; a stub gives another, which tells them apart
WRONG, UNKNOWN = 0x06, 0x05  # why a command fails: something about it; it is none
IDENTITY = {"ESP32": None, "ESP32-S3": 9, "ESP32-C3": 5}  # what SECURITY_INFO tells, if it is known
MAGIC = {0x40001000: 0x00F01D83}  # by which an ESP32 is known
# The registers that ask each chip's flash memory for its identity: where they begin, and where
# the answer is found.
SPI = {"ESP32": (0x3FF42000, 0x80), "ESP32-S3": (0x60002000, 0x58), "ESP32-C3": (0x60002000, 0x58)}
FLASH_ID = 0x1640EF  # 4 MB
FLASH_SIZE = 4 << 20


class Refused(Exception):
    """A command that fails; its argument is why, as a byte."""


class FakeEsp32:
    """The chip; `port` is where a program finds it.

    flash    its flash memory, written to before
    is_stub  whether the stub runs
    """

    def __init__(self, chip: str = "ESP32") -> None:
        self.flash = bytearray(FLASH_SIZE)
        self.is_stub = False
        self._identity = IDENTITY[chip]
        self._spi, self._answer_at = SPI[chip]
        self._registers = dict(MAGIC) if chip == "ESP32" else {}
        self._loading: list[int] = []  # bytes and blocks that are still to come
        self._packed: list[bytes] = []
        self._at = self._size = 0
        self._ours, theirs = os.openpty()
        tty.setraw(theirs)
        self._kept_open = theirs  # else the line would be gone whenever nobody has it
        self.port = os.ttyname(theirs)
        threading.Thread(target=self._live, daemon=True).start()

    def close(self) -> None:
        os.close(self._kept_open)

    def _live(self) -> None:
        waiting = b""
        while True:
            try:
                waiting += os.read(self._ours, 1 << 16)
            except OSError:
                os.close(self._ours)
                return
            *frames, waiting = waiting.split(END)
            for frame in frames:
                self._take(frame.replace(ESCAPE + b"\xdc", END).replace(ESCAPE + b"\xdd", ESCAPE))

    def _say(self, content: bytes) -> None:
        escaped = content.replace(ESCAPE, ESCAPE + b"\xdd").replace(END, ESCAPE + b"\xdc")
        left = END + escaped + END
        while left:
            left = left[os.write(self._ours, left) :]

    def _take(self, frame: bytes) -> None:
        if (
            len(frame) < 8
            or frame[0] != 0
            or int.from_bytes(frame[2:4], "little") != len(frame) - 8
        ):
            return  # noise, as the line's start may bring it
        command, checksum, data = frame[1], int.from_bytes(frame[4:8], "little"), frame[8:]
        value, answer, why = 0, b"", 0
        try:
            if command in CHECKED and checksum != sum_of(data[16:]):
                raise Refused(WRONG)
            value, answer = self._do(command, data)
        except Refused as refused:
            why = refused.args[0]
        status = bytes([1 if why else 0, why]) + (b"" if self.is_stub else b"\0\0")
        content = answer + status
        head = (
            bytes([1, command]) + len(content).to_bytes(2, "little") + value.to_bytes(4, "little")
        )
        for _ in range(8 if command == SYNC and not self.is_stub else 1):
            self._say(head + content)
        if command == MEM_END and not why:
            self.is_stub = True
            self._say(b"OHAI")
        if command == FLASH_END:
            self.is_stub = False

    def _do(self, command: int, data: bytes) -> tuple[int, bytes]:
        """Do a command; return the value and the bytes of its answer."""
        words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
        if command in STUB_ALONE and not self.is_stub:
            raise Refused(UNKNOWN)
        if command == SYNC:
            return 0 if self.is_stub else SYNCED, b""
        if command in (SPI_PARAMS, SPI_ATTACH, CHANGE_BAUD, FLASH_BEGIN, FLASH_END):
            return 0, b""
        if command == READ_REG:
            return self._registers.get(words[0], 0), b""
        if command == WRITE_REG:
            self._write_register(words[0], words[1])
        elif command == SECURITY_INFO:
            return 0, self._security_info()
        elif command in (MEM_BEGIN, DEFL_BEGIN):
            self._begin(command, words)
        elif command in (MEM_DATA, DEFL_DATA):
            self._load(words[0], words[1], data[16:])
        elif command == DEFL_END:
            self._write_flash()
        elif command == ERASE_FLASH:
            self.flash[:] = b"\xff" * FLASH_SIZE
        elif command == MD5:
            digest = hashlib.md5(self.flash[words[0] : words[0] + words[1]])
            return 0, digest.digest() if self.is_stub else digest.hexdigest().encode()
        elif command != MEM_END:
            raise Refused(UNKNOWN)
        elif self._loading[0]:
            raise Refused(WRONG)
        return 0, b""

    def _write_register(self, address: int, value: int) -> None:
        """Write it; a command to the flash memory is done at once, whatever it asks."""
        self._registers[address] = value
        if address == self._spi:
            self._registers[address] = 0
            self._registers[self._spi + self._answer_at] = FLASH_ID

    def _security_info(self) -> bytes:
        if self._identity is None:
            raise Refused(UNKNOWN)
        return bytes(12) + self._identity.to_bytes(4, "little") + bytes(4)

    def _begin(self, command: int, words: list[int]) -> None:
        size, blocks, _block_size, at = words[:4]
        if command == DEFL_BEGIN:
            self._at, self._size, self._packed = at, size, []
        self._loading = [blocks, 0]

    def _load(self, size: int, sequence: int, block: bytes) -> None:
        if size != len(block) or sequence != self._loading[1] or not self._loading[0]:
            raise Refused(WRONG)
        self._loading = [self._loading[0] - 1, sequence + 1]
        self._packed.append(block)

    def _write_flash(self) -> None:
        """Unpack the data, where no bit can become 1 again but by erasing."""
        content = zlib.decompress(b"".join(self._packed))
        if self._loading[0] or len(content) > self._size + 3:  # a file is filled up to 4 bytes
            raise Refused(WRONG)
        for place, byte in enumerate(content, self._at):
            self.flash[place] &= byte


def sum_of(data: bytes) -> int:
    """Return the checksum of a block: all bytes in exclusive or."""
    total = 0xEF
    for byte in data:
        total ^= byte
    return total
