"""A fake ESP32 in download mode, behind a pty.

It implements Espressif's serial protocol: SLIP frames, the commands of the ROM, and those of the
stub once one has been loaded and started. It is strict: checksums, sizes and sequence numbers
must be right, and flash memory that was not erased keeps its zeros. The stub is not run; it only
has to arrive complete.
"""

import functools
import hashlib
import operator
import os
import struct
import threading
import tty
import zlib

END, ESCAPE = b"\xc0", b"\xdb"
FLASH_BEGIN, FLASH_END = 0x02, 0x04  # without a file in between: leave the stub for the ROM
SYNC, WRITE_REG, READ_REG = 0x08, 0x09, 0x0A
MEM_BEGIN, MEM_END, MEM_DATA = 0x05, 0x06, 0x07
SPI_PARAMS, SPI_ATTACH, CHANGE_BAUD = 0x0B, 0x0D, 0x0F
DEFL_BEGIN, DEFL_DATA, DEFL_END, MD5 = 0x10, 0x11, 0x12, 0x13
SECURITY_INFO, ERASE_FLASH = 0x14, 0xD0  # only the stub has the second
SYNCED = 0x20120707  # the ROM's response to SYNC; a stub's differs
WRONG, UNKNOWN = 0x06, 0x05  # error codes: invalid command, unknown command
IDENTITY = {"ESP32": None, "ESP32-S3": 9, "ESP32-C3": 5}  # chip id of SECURITY_INFO
MAGIC = {0x40001000: 0x00F01D83}  # the register that identifies an ESP32
# The registers that read the id of the flash memory: the first address, and the offset of the
# response.
SPI = {"ESP32": (0x3FF42000, 0x80), "ESP32-S3": (0x60002000, 0x58), "ESP32-C3": (0x60002000, 0x58)}
FLASH_ID = 0x1640EF  # 4 MB
FLASH_SIZE = 4 << 20


class Refused(Exception):
    """A command failed; the argument is the error code."""


class FakeEsp32:
    """The chip, at `port`.

    flash    its flash memory, which is not erased
    is_stub  whether the stub runs
    """

    def __init__(self, chip: str = "ESP32") -> None:
        self.flash = bytearray(FLASH_SIZE)
        self.is_stub = False
        self._identity = IDENTITY[chip]
        self._spi, self._answer_at = SPI[chip]
        self._registers = dict(MAGIC) if chip == "ESP32" else {}
        self._to_come = self._sequence = 0  # blocks of a file
        self._packed: list[bytes] = []
        self._at = self._size = 0
        self._ours, theirs = os.openpty()
        tty.setraw(theirs)
        self._kept_open = theirs  # keeps the pty alive between two users
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
        data = frame[8:]
        if len(frame) < 8 or frame[0] != 0 or struct.unpack_from("<H", frame, 2)[0] != len(data):
            return  # noise
        command, (checksum,) = frame[1], struct.unpack_from("<I", frame, 4)
        value, answer, why = 0, b"", 0
        try:
            is_checked = command in (MEM_DATA, DEFL_DATA)
            if is_checked and checksum != functools.reduce(operator.xor, data[16:], 0xEF):
                raise Refused(WRONG)
            value, answer = self._do(command, data)
        except Refused as refused:
            why = refused.args[0]
        answer += bytes([bool(why), why]) + (b"" if self.is_stub else b"\0\0")
        for _ in range(8 if command == SYNC and not self.is_stub else 1):
            self._say(struct.pack("<BBHI", 1, command, len(answer), value) + answer)
        if command == MEM_END and not why:
            self.is_stub = True
            self._say(b"OHAI")
        if command == FLASH_END:
            self.is_stub = False

    def _do(self, command: int, data: bytes) -> tuple[int, bytes]:
        """Perform a command; return the value and the bytes of its response."""
        words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
        if command == SYNC:
            return 0 if self.is_stub else SYNCED, b""
        if command == READ_REG:
            return self._registers.get(words[0], 0), b""
        if command == WRITE_REG:
            address, self._registers[words[0]] = words[:2]
            if address == self._spi:  # a command to the flash memory finishes at once
                self._registers[address] = 0
                self._registers[address + self._answer_at] = FLASH_ID
        elif command == SECURITY_INFO and self._identity is not None:
            return 0, struct.pack("<12xI4x", self._identity)
        elif command in (MEM_BEGIN, DEFL_BEGIN):
            self._to_come, self._sequence = words[1], 0
            if command == DEFL_BEGIN:
                self._at, self._size, self._packed = words[3], words[0], []
        elif command in (MEM_DATA, DEFL_DATA):
            size, sequence, block = words[0], words[1], data[16:]
            if size != len(block) or sequence != self._sequence or not self._to_come:
                raise Refused(WRONG)
            self._to_come, self._sequence = self._to_come - 1, sequence + 1
            self._packed.append(block)
        elif command == DEFL_END:
            content = zlib.decompress(b"".join(self._packed))
            if self._to_come or len(content) > self._size + 3:  # a file is filled up to 4 bytes
                raise Refused(WRONG)
            for place, byte in enumerate(content, self._at):
                self.flash[place] &= byte  # only erasing sets bits to 1 again
        elif command == ERASE_FLASH and self.is_stub:
            self.flash[:] = b"\xff" * FLASH_SIZE
        elif command == MD5:
            digest = hashlib.md5(self.flash[words[0] : words[0] + words[1]])
            return 0, digest.digest() if self.is_stub else digest.hexdigest().encode()
        elif command == MEM_END and self._to_come:
            raise Refused(WRONG)
        elif command not in (MEM_END, SPI_PARAMS, SPI_ATTACH, CHANGE_BAUD, FLASH_BEGIN, FLASH_END):
            raise Refused(UNKNOWN)
        return 0, b""
