"""Files that are written whole or not at all, and why a file cannot be."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from city_unit.desktop.catalogue import _, lazy, pgettext
from city_unit.desktop.errors import FAILURE, MISTAKE, UserError

# The media type of a file, by the ending of its name.
KINDS = {
    "html": "text/html; charset=utf-8",  # no text: HTTP
    "css": "text/css; charset=utf-8",  # no text: HTTP
    "js": "text/javascript; charset=utf-8",  # no text: HTTP
    "mjs": "text/javascript; charset=utf-8",  # no text: HTTP
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "wasm": "application/wasm",
    "png": "image/png",
    "jpg": "image/jpeg",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",  # no text: HTTP
    "uf2": "application/octet-stream",
}

# The refusals of a system in the user's language, which it does not speak.
_REASONS = {
    errno.ENOENT: lazy("no such file or directory"),
    errno.EACCES: lazy("permission denied"),
    errno.EPERM: lazy("operation not permitted"),
    errno.EEXIST: lazy("file exists"),
    errno.EISDIR: lazy("is a directory"),
    errno.ENOTDIR: lazy("not a directory"),
    errno.ENOSPC: lazy("no space left on device"),
    errno.EFBIG: lazy("file too large"),
    errno.EDQUOT: lazy("your share of the disk is full"),
    errno.EROFS: lazy("read-only file system"),
    errno.ENAMETOOLONG: lazy("file name too long"),
    errno.EIO: lazy("input/output error"),
    errno.ENOTTY: lazy("this is not a serial port"),
    errno.EADDRINUSE: lazy("another program listens there already"),
    errno.EADDRNOTAVAIL: lazy("this computer does not have this address"),
    errno.ECONNREFUSED: lazy("nothing answers there"),
    errno.ENETUNREACH: lazy("there is no way into this network"),
    errno.EHOSTUNREACH: lazy("there is no way to this computer"),
    errno.ETIMEDOUT: lazy("no answer in time"),
    errno.ECONNRESET: lazy("the other end broke the connection"),
    errno.EPIPE: lazy("the other end broke the connection"),
    errno.EBUSY: lazy("another program uses it"),
    errno.ELOOP: lazy("links that lead to one another"),
    errno.EMFILE: lazy("too many files are open"),
}
EXISTS = lazy("{path} is there already; another name, or --force to write over it")
_NO_LOOKUP = ("gaierror", "herror")  # of `socket`, with numbers of their own


def reason(error: OSError) -> str:
    """Return the reason for a refusal, to be put behind a file's name."""
    if type(error).__name__ in _NO_LOOKUP:
        return _("no computer of this name is known")
    known = _REASONS.get(error.errno or 0)
    return str(known) if known else (error.strerror or str(error)).lower()


@contextmanager
def writing_whole(
    path: str | Path, sync: Callable[[int], object] | None = None
) -> Iterator[BinaryIO]:
    """Open a file to be written, which takes its place when all of it is on the disk.

    sync  puts the bytes of a file descriptor on the disk; None is os.fsync

    If that fails or is broken off, the earlier content stays. A link stays a link: the file that it
    leads to is written. Raises OSError.
    """
    mode = 0
    with suppress(OSError):
        mode = os.stat(path).st_mode
    if mode and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        with open(path, "wb") as device:  # as /dev/null, or a pipe: nothing may take its place
            yield device
        return
    path = Path(os.path.realpath(path))
    unfinished = path.with_name(f"{path.name}.part")
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            (sync or os.fsync)(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file, or leave its earlier content; a text with line ends as they are, in UTF-8.

    Raises UserError.
    """
    try:
        with writing_whole(path) as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_read(path: str | Path, error: OSError, code: int = MISTAKE) -> UserError:
    """Return the mistake that a file cannot be read."""
    return UserError(_("cannot read {path}: {why}").format(path=path, why=reason(error)), code)


def cannot_write(path: str | Path, error: OSError) -> UserError:
    """Return the mistake that a file cannot be written."""
    words = _("cannot write {path}: {why}")
    return UserError(words.format(path=path, why=reason(error)), FAILURE)


def make_folder(path: str | Path) -> None:
    """Make a folder and those above it, if they are not there; raises UserError."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        words = _("cannot make the folder {path}: {why}")
        raise UserError(words.format(path=path, why=reason(error)), FAILURE) from None


def refuse_no_folder(*paths: str | None) -> None:
    """Raise UserError if one of the files that are to be written would lie in no folder."""
    for path in paths:
        if path and not Path(path).parent.is_dir():
            words = _("{path}: there is no folder {folder}")
            raise UserError(words.format(path=path, folder=Path(path).parent))


def ask_before_overwriting(force: bool, *paths: str | None) -> None:
    """Ask whether files that are there may be written over; raises UserError if not.

    Without a terminal nobody answers, and `--force` is the remedy.
    """
    there = [str(path) for path in paths if path and Path(path).is_file()]
    if force or not there:
        return
    if sys.stdin is not None and sys.stdin.isatty():
        question = _("{paths}: there already; write over it? (y/n) ")
        try:
            answer = input(question.format(paths=", ".join(there))).strip().lower()
        except EOFError:
            answer = ""
        if answer in pgettext("an answer", "y yes").split():
            return
        raise UserError(_("nothing was written"))
    raise UserError(EXISTS.format(path=there[0]))


def warn(sentence: str) -> None:
    """Say something on standard error."""
    print(sentence, file=sys.stderr, flush=True)


def settings_folder() -> Path:
    """Return the folder for settings, which may not be there yet.

    `CITY_UNIT_SETTINGS` names another settings file, and so another folder.
    """
    named = os.environ.get("CITY_UNIT_SETTINGS")
    if named:
        return Path(named).parent
    import platformdirs  # start.py asks before it is installed

    return Path(platformdirs.user_config_dir("city-unit", appauthor=False, roaming=True))
