"""Read a recording of any format and length, as one channel at the lab's own rate."""

import contextlib
import io
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import soundfile
from scipy.signal import resample_poly

from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import reason
from city_unit.desktop.forms import number

RATE = 16000  # Hz, of all sound that is analysed; represents pitches up to 8 kHz
IN_MEMORY = 32 << 20  # bytes, eight minutes; longer recordings go to a temporary file


class Stored:
    """Samples that can be sliced like an array; a slice is read on access."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (it lives as long)
        self._count = 0

    def append(self, samples: np.ndarray) -> None:
        """Add samples at the end; raises OSError if the disk is full."""
        self._file.seek(0, 2)
        self._file.write(np.asarray(samples, np.float32).tobytes())
        self._count += len(samples)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, part: slice) -> np.ndarray:
        first, last, step = part.indices(self._count)
        if step != 1:
            raise IndexError("samples are read one after the other")  # no text: an error in code
        self._file.seek(first * 4)
        return np.frombuffer(self._file.read(max(0, last - first) * 4), np.float32)


Samples = np.ndarray | Stored


NO_SOUND = lazy("{path}: this file holds no sound")
UNSUPPORTED_RATE = lazy("{path}: {rate} samples a second; 4000 to 384000 are supported")
SLOW_RATE = lazy(
    "{path}: {rate} samples a second hold no pitch above {hz} Hz; higher beeps are missing"
)
CUT_SHORT = lazy("{path}: this file is cut short: its header announces more sound than it holds")
CLIPPED = lazy(
    "{path}: {seconds} s of it are clipped: too loud for the recorder, so edges and levels may be "
    "wrong; record it again from further away"
)

_SLOWEST, _FASTEST = 4000, 384000  # Hz
_GOOD = 6000  # Hz; a lower rate cannot represent the emulated unit's pitches
_STREAMED = 0xFFFFFF00  # lowest placeholder for a length unknown when the header was written
_FULL = 0.99  # of full scale, which samples of eight bits do not quite reach
_FLAT = 1e-4  # greatest difference of clipped samples in a row; at an unclipped peak it is more
_CLIPPED_S = 0.01  # clipped for longer than this, a recording is too loud
_MARGIN = 64  # periods of the common rate around a block: longer than the filter's response
_BLOCK_SECONDS = 20
_MOST_VALUES = 1 << 23  # samples read at once, all channels together


class Recording(NamedTuple):
    """A file's sound: samples from -1 to 1 at `RATE`; the file's own rate and channels.

    notes  warnings about the quality of the recording
    """

    samples: Samples
    rate: int
    channels: int
    notes: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        return len(self.samples) / RATE


def read(path: str, progress: Callable[[float], None] = lambda part: None) -> Recording:
    """Read a sound file, or the sound of a film; raises UserError for any other file or no sound.

    ffmpeg, if installed, reads files that libsndfile does not, such as a telephone's .m4a.

    progress  is called from time to time with the fraction that has been read
    """
    try:
        return _read(path, progress)
    except _NoSoundFile:
        ffmpeg = shutil.which("ffmpeg")
    if not ffmpeg:
        words = _(
            "{path}: not a WAV, FLAC, OGG or MP3 file; install ffmpeg to read .m4a, .amr and films "
            "as well"
        )
        raise UserError(words.format(path=path))
    with tempfile.TemporaryDirectory() as folder:
        wav = str(Path(folder) / "sound.wav")
        source = f"file:{path}"  # never a URL, even if the name looks like one
        whitelist = ["-protocol_whitelist", "file,crypto,data"]
        command = [ffmpeg, "-nostdin", "-loglevel", "error", *whitelist, "-i", source, "-vn"]
        command += ["-map", "0:a:0", "-c:a", "pcm_s16le", "-f", "wav", wav]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except OSError as error:
            raise UserError(f"{path}: {reason(error)}") from None
        if done.returncode or not Path(wav).is_file():
            words = _("{path}: no readable sound in it; ffmpeg cannot decode it either")
            raise UserError(words.format(path=path))
        return _read(wav, progress, path)


class _NoSoundFile(Exception):
    """libsndfile cannot read the file."""


class _Seekable(io.BufferedReader):
    """A file that ignores impossible seeks and keeps a read error.

    A damaged header may ask for any position, and libsndfile's callbacks must not raise.
    """

    error: OSError | None = None

    def readinto(self, buffer: Any, /) -> int:
        try:
            return super().readinto(buffer)
        except OSError as error:
            self.error = error
            return 0

    def __exit__(self, *problem: Any) -> None:
        super().__exit__(*problem)
        if self.error:
            raise self.error

    def seek(self, target: int, whence: int = 0) -> int:
        with contextlib.suppress(OSError, ValueError):
            return super().seek(target, whence)
        return self.tell()


def _read(path: str, progress: Callable[[float], None], shown_as: str = "") -> Recording:
    """Read a file in a format of libsndfile; raises UserError, _NoSoundFile.

    shown_as  the original name of a converted file, for messages
    """
    shown_as = shown_as or path
    samples = Stored()
    try:
        with _Seekable(io.FileIO(path)) as raw, soundfile.SoundFile(raw) as file:
            if not _SLOWEST <= file.samplerate <= _FASTEST:
                raise UserError(UNSUPPORTED_RATE.format(path=shown_as, rate=file.samplerate))
            channel, clipped_s = _louder(file)
            place = raw.tell()
            raw.seek(0)
            head = raw.read(12)
            length = raw.seek(0, 2)
            raw.seek(place)
            announced = int.from_bytes(head[4:8], "little")  # 0 or the most: streamed
            is_wav = head[:4] == b"RIFF" and head[8:] == b"WAVE"
            notes = []
            if clipped_s > _CLIPPED_S:
                notes.append(CLIPPED.format(path=shown_as, seconds=number(clipped_s, 2)))
            if file.samplerate < _GOOD:
                hz = file.samplerate // 2
                notes.append(SLOW_RATE.format(path=shown_as, rate=file.samplerate, hz=hz))
            if is_wav and length < announced + 8 < _STREAMED:
                notes.append(CUT_SHORT.format(path=shown_as))
            for block in _resampled(file, channel):
                samples.append(block)
                progress(min(1.0, len(samples) / RATE * file.samplerate / max(file.frames, 1)))
            found = Recording(samples, file.samplerate, file.channels, tuple(notes))
            progress(1.0)
    except OSError as error:
        raise UserError(f"{path}: {reason(error)}") from None
    except (soundfile.SoundFileError, RuntimeError):
        raise _NoSoundFile from None
    if not len(samples):
        raise UserError(NO_SOUND.format(path=shown_as))
    return found


def _louder(file: soundfile.SoundFile) -> tuple[int, float]:
    """Return the louder channel, and how many seconds of it are clipped.

    A mix of channels may cancel what all hold.
    """
    energy, clipped = np.zeros(file.channels), np.zeros(file.channels)
    frames = max(1, min(_BLOCK_SECONDS * file.samplerate, _MOST_VALUES // file.channels))
    for block in file.blocks(frames, dtype="float32", always_2d=True):
        heard = np.clip(np.nan_to_num(block), -4, 4)
        energy += np.einsum("ij,ij->j", heard, heard)
        flat = (np.abs(heard[1:]) >= _FULL) & (np.abs(np.diff(heard, axis=0)) < _FLAT)
        clipped += np.count_nonzero(flat[1:] & flat[:-1], axis=0)
    file.seek(0)
    channel = int(np.argmax(energy))
    return channel, float(clipped[channel]) / file.samplerate


def _resampled(file: soundfile.SoundFile, channel: int) -> Iterator[np.ndarray]:
    """Yield the resampled sound in blocks; each is filtered with the margins of its neighbours."""
    divisor = np.gcd(file.samplerate, RATE)
    up, down = RATE // divisor, file.samplerate // divisor
    block = down * max(1, _BLOCK_SECONDS * file.samplerate // down)
    margin = down * _MARGIN * max(1, 16 // up)
    before, body = np.zeros(0, np.float32), _mono(file, channel, block)
    while len(body):
        after = _mono(file, channel, block)
        whole = np.concatenate((before, body, after[:margin]))
        resampled = resample_poly(whole, up, down) if up != down else whole
        first = len(before) * up // down
        yield resampled[first : first + -(-len(body) * up // down)]
        before, body = body[-margin:], after


def _mono(file: soundfile.SoundFile, channel: int, frames: int) -> np.ndarray:
    """Return the next frames of one channel, with NaN replaced by silence."""
    most = max(1, _MOST_VALUES // file.channels)
    parts: list[np.ndarray] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place in range(0, frames, most):
            sound = file.read(min(most, frames - place), dtype="float32", always_2d=True)
            parts.append(np.clip(np.nan_to_num(sound[:, channel]), -4, 4))
            if not len(sound):
                break
    return np.concatenate(parts)
