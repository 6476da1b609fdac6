"""Samples of any length, in little memory: long ones lie in a temporary file."""

import tempfile

import numpy as np

RATE = 16000  # Hz, of everything that is analysed; holds pitches up to 8 kHz
IN_MEMORY = 32 << 20  # bytes: eight minutes at the lab's rate


class Stored:
    """Samples that can be sliced as an array can; a slice is read when it is asked for."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (it lives as long)
        self._count = 0

    def append(self, samples: np.ndarray) -> None:
        """Add samples at the end; raises OSError where there is no room."""
        self._file.seek(0, 2)
        self._file.write(np.asarray(samples, np.float32).tobytes())
        self._count += len(samples)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, part: slice) -> np.ndarray:
        first, last, step = part.indices(self._count)
        if step != 1:
            raise IndexError("samples are read one after the other")  # no text: our own mistake
        self._file.seek(first * 4)
        return np.frombuffer(self._file.read(max(0, last - first) * 4), np.float32)


Samples = np.ndarray | Stored
