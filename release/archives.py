"""Archives that are the same to the byte whenever their content is: order, times, owners fixed."""

import gzip
import io
import tarfile
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PROGRAM = 0o755
PLAIN = 0o644


class File(NamedTuple):
    """A file in an archive: its content, its permissions."""

    content: bytes
    mode: int = PLAIN


class Link(NamedTuple):
    """A symbolic link in an archive, which macOS' frameworks are full of."""

    target: str


Members = Mapping[str, "File | Link"]  # by their paths in the archive, with "/"


def of_folder(folder: Path, below: str) -> dict[str, File | Link]:
    """Return everything in a folder, as it goes into an archive below the path `below`."""
    found: dict[str, File | Link] = {}
    for path in folder.rglob("*"):
        name = f"{below}/{path.relative_to(folder).as_posix()}"
        if path.is_symlink():
            found[name] = Link(path.readlink().as_posix())
        elif path.is_file():
            found[name] = File(path.read_bytes(), PROGRAM if path.stat().st_mode & 0o100 else PLAIN)
    return found


def tar_gz(members: Members, epoch: int) -> bytes:
    """Return a tar file for every Linux, even without xz; its files have the time `epoch`, in s."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, member in sorted(members.items()):
            info = tarfile.TarInfo(name)
            info.mtime = epoch
            if isinstance(member, Link):
                info.type, info.linkname = tarfile.SYMTYPE, member.target
                archive.addfile(info)
            else:
                info.size, info.mode = len(member.content), member.mode
                archive.addfile(info, io.BytesIO(member.content))
    return gzip.compress(made.getvalue(), 9, mtime=epoch)


def zip_file(members: Members, epoch: int) -> bytes:
    """Return a zip file; permissions are kept for the systems that have them."""
    made = io.BytesIO()
    when = time.gmtime(max(epoch, 315532800))[:6]  # a zip file knows no year before 1980
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, member in sorted(members.items()):
            info = zipfile.ZipInfo(name, when)
            info.create_system = 3  # Unix: permissions, and links
            info.compress_type = zipfile.ZIP_DEFLATED
            if isinstance(member, Link):
                info.external_attr = 0o120777 << 16
                archive.writestr(info, member.target)
            else:
                info.external_attr = (0o100000 | member.mode) << 16
                archive.writestr(info, member.content)
    return made.getvalue()


def again(path: Path, epoch: int) -> bytes:
    """Return a wheel (zip) or an sdist (tar.gz) made anew, with fixed order, times and owners."""
    if path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            files = {name: File(archive.read(name)) for name in archive.namelist()}
        return zip_file({name: file for name, file in files.items() if name[-1] != "/"}, epoch)
    with tarfile.open(path) as archive:
        members = {}
        for info in archive.getmembers():
            content = archive.extractfile(info)
            if content is not None:
                members[info.name] = File(content.read(), PROGRAM if info.mode & 0o100 else PLAIN)
    return tar_gz(members, epoch)
