"""A starter for macOS: an application in the person's own Applications."""

# No texts: files for a desktop.
import plistlib
import shlex
import struct
from pathlib import Path

from city_unit.facts import VERSION
from sim.commands.starters import File, Starter


def files(starter: Starter, home: Path) -> list[File]:
    """Return the files of a starter."""
    inside = home / "Applications" / f"{starter.title}.app" / "Contents"
    about = {
        "CFBundleName": starter.title,
        "CFBundleDisplayName": starter.title,
        "CFBundleIdentifier": f"org.city-unit.{starter.name}",
        "CFBundleVersion": VERSION,
        "CFBundleShortVersionString": VERSION,
        "CFBundlePackageType": "APPL",
        "CFBundleExecutable": starter.name,
        "CFBundleIconFile": "icon.icns",
        "NSHighResolutionCapable": True,
    }
    command = shlex.join(starter.command)
    return [
        File(inside / "Info.plist", plistlib.dumps(about)),
        File(inside / "Resources" / "icon.icns", icns(starter.icon)),
        File(inside / "MacOS" / starter.name, f"#!/bin/sh\nexec {command}\n".encode(), True),
    ]


def icns(png: bytes) -> bytes:
    """Return a file of icons that has one, of 256 px."""
    entry = b"ic08" + struct.pack(">I", len(png) + 8) + png
    return b"icns" + struct.pack(">I", len(entry) + 8) + entry
