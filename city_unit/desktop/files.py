"""Write files atomically, and describe errors of files to users."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from city_unit.desktop.catalogue import _, lazy, pgettext
from city_unit.desktop.errors import FAILURE, INVALID, UserError

# Media types by file name extension.
MEDIA_TYPES = {
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

# Messages of the operating system, which does not speak the user's language.
_REASONS = {
    errno.ENOENT: lazy("no such file or directory"),
    errno.EACCES: lazy("permission denied"),
    errno.EPERM: lazy("operation not permitted"),
    errno.EEXIST: lazy("file exists"),
    errno.EISDIR: lazy("is a directory"),
    errno.ENOTDIR: lazy("not a directory"),
    errno.ENOSPC: lazy("no space left on device"),
    errno.EFBIG: lazy("file too large"),
    errno.EDQUOT: lazy("disk quota exceeded"),
    errno.EROFS: lazy("read-only file system"),
    errno.ENAMETOOLONG: lazy("file name too long"),
    errno.EIO: lazy("input/output error"),
    errno.ENOTTY: lazy("this is not a serial port"),
    errno.EADDRINUSE: lazy("another program already listens there"),
    errno.EADDRNOTAVAIL: lazy("this computer does not have this address"),
    errno.ECONNREFUSED: lazy("connection refused"),
    errno.ENETUNREACH: lazy("network unreachable"),
    errno.EHOSTUNREACH: lazy("computer unreachable"),
    errno.ETIMEDOUT: lazy("no answer in time"),
    errno.ECONNRESET: lazy("the other end broke the connection"),
    errno.EPIPE: lazy("the other end broke the connection"),
    errno.EBUSY: lazy("another program uses it"),
    errno.ELOOP: lazy("a loop of symbolic links"),
    errno.EMFILE: lazy("too many files are open"),
}


def reason(error: OSError) -> str:
    """Return the cause of an error, to follow the name of a file."""
    if type(error).__name__ in ("gaierror", "herror"):  # of `socket`, with their own numbers
        return _("unknown host name")
    if error.errno is None:  # raised by us, with a message for people
        return str(error)
    known = _REASONS.get(error.errno)
    return str(known) if known else (error.strerror or str(error)).lower()


@contextmanager
def writing_whole(
    path: str | Path, sync: Callable[[int], object] | None = None
) -> Iterator[BinaryIO]:
    """Open a file for writing; it replaces `path` once it is complete and on the disk.

    sync  flushes a file descriptor to the disk; by default os.fsync

    After an error or an interruption the previous content remains. If `path` is a symbolic link,
    its target is replaced. Raises OSError.
    """
    mode = 0
    with suppress(OSError):
        mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if mode and not stat.S_ISREG(mode):
        with open(path, "wb") as device:  # such as /dev/null or a pipe, which must not be replaced
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
    """Write a file atomically; a string is encoded as UTF-8, its newlines unchanged.

    Raises UserError.
    """
    try:
        with writing_whole(path) as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_read(path: str | Path, error: OSError, code: int = INVALID) -> UserError:
    """Return the error that a file cannot be read."""
    return UserError(_("cannot read {path}: {why}").format(path=path, why=reason(error)), code)


def cannot_write(path: str | Path, error: OSError) -> UserError:
    """Return the error that a file cannot be written."""
    words = _("cannot write {path}: {why}")
    return UserError(words.format(path=path, why=reason(error)), FAILURE)


def make_folder(path: str | Path) -> None:
    """Create a folder and its parents if they are missing. Raises UserError."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        words = _("cannot create the folder {path}: {why}")
        raise UserError(words.format(path=path, why=reason(error)), FAILURE) from None


def require_folders(*paths: str | None) -> None:
    """Raise UserError if the folder of one of these files does not exist."""
    for path in paths:
        if path and not Path(path).parent.is_dir():
            words = _("{path}: there is no folder {folder}")
            raise UserError(words.format(path=path, folder=Path(path).parent))


def ask_before_overwriting(force: bool, *paths: str | Path | None) -> None:
    """Ask before overwriting existing files. Raises UserError if the user declines.

    Without a terminal it raises the error too, which suggests `--force`.
    """
    there = [str(path) for path in paths if path and Path(path).is_file()]
    if force or not there:
        return
    if sys.stdin is not None and sys.stdin.isatty():
        question = _("overwrite {paths}? (y/n) ")
        try:
            answer = input(question.format(paths=", ".join(there))).strip().lower()
        except EOFError:
            answer = ""
        if answer in pgettext("an answer", "y yes").split():
            return
        raise UserError(_("nothing was written"))
    words = _("{path} already exists; choose another name, or overwrite it with --force")
    raise UserError(words.format(path=there[0]))


def warn(sentence: str) -> None:
    """Print a sentence on standard error."""
    print(sentence, file=sys.stderr, flush=True)


def settings_folder() -> Path:
    """Return the folder for settings, which may not exist yet.

    `CITY_UNIT_SETTINGS` can name another settings file, whose folder is then used.
    """
    named = os.environ.get("CITY_UNIT_SETTINGS")
    if named:
        return Path(named).parent
    import platformdirs  # start.py imports this module before it is installed

    return Path(platformdirs.user_config_dir("city-unit", appauthor=False, roaming=True))
