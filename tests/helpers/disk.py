"""A simulated disk that gets full or fails, for the files that a module opens."""

import builtins
import errno
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


class Disk:
    """Replaces `open` in a module; each file can grow up to `room` bytes, None for no limit."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> None:
        self.room: int | None = None
        self.failing: set[str] = set()  # operations that fail: "fsync", "truncate"
        self.fsync, self.open = os.fsync, builtins.open
        monkeypatch.setattr(module, "open", self._open, raising=False)
        monkeypatch.setattr(os, "fsync", self._fsync)

    def _open(self, path: Path, *words: Any, **more: Any) -> "DiskFile":
        return DiskFile(self, self.open(path, *words, **more))

    def _fsync(self, number: int) -> None:
        self.fail("fsync")
        self.fsync(number)

    def fail(self, what: str) -> None:
        if what in self.failing:
            raise OSError(errno.EIO, "Input/output error")


class DiskFile:
    """A file that accepts bytes until its room is used up."""

    def __init__(self, disk: Disk, file: Any) -> None:
        self.disk, self.file = disk, file
        self.fileno, self.close = file.fileno, file.close

    @property
    def closed(self) -> bool:
        return self.file.closed

    def write(self, data: bytes) -> int:
        size = os.fstat(self.fileno()).st_size
        room = len(data) if self.disk.room is None else self.disk.room - size
        if room <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.file.write(bytes(data)[:room])

    def truncate(self, size: int) -> int:
        self.disk.fail("truncate")
        return self.file.truncate(size)
