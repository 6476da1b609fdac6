"""Samples of any length, in little memory: long ones lie in a temporary file."""

import tempfile
from collections.abc import Iterator

import numpy as np

RATE = 16000  # Hz, of everything that is analysed; holds pitches up to 8 kHz
IN_MEMORY = 32 << 20  # bytes: eight minutes at the lab's rate
_BLOCK = 1 << 20  # samples


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


def loudness(samples: Samples) -> float:
    """Return the RMS of the samples, 0 if there are none."""
    energy = sum(float(np.vdot(block, block)) for block in _blocks(samples))
    return float(np.sqrt(energy / max(len(samples), 1)))


def _blocks(samples: Samples) -> Iterator[np.ndarray]:
    for start in range(0, len(samples), _BLOCK):
        yield samples[start : start + _BLOCK]
