"""The images of MicroPython in the files for boards, each known by its checksum."""

import hashlib
from pathlib import Path

LIST = Path(__file__).with_name("images.txt")


def known() -> dict[str, str]:
    """Return the SHA-256 of each image by its name, "" where none is known yet."""
    rows = [line.split() for line in LIST.read_text(encoding="utf-8").splitlines()]
    return {row[0]: row[1] if len(row) > 1 else "" for row in rows if row and row[0] != "#"}


def fault(path: Path, is_strict: bool) -> str:
    """Return the reason why an image may not be used, "" if it may.

    is_strict  refuse an image whose SHA-256 nobody has written down yet
    """
    wanted = known()
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if path.name not in wanted:
        return f"{path}: this image is not listed; add its name and SHA-256 to {LIST.name}"
    if not wanted[path.name] and is_strict:
        return (
            f"{path}: its SHA-256 is not listed; check that it is {found} and add it to {LIST.name}"
        )
    if wanted[path.name] not in ("", found):
        return f"{path}: its SHA-256 is not the one in {LIST.name}; download it again"
    return ""
