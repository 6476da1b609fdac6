"""A Chromium whose Web Serial API finds a pty, so that the real API is tested without hardware.

It lists the serial ports that the kernel names, so that a pty is laid over one of those, in a
mount namespace of the browser's own; a policy allows it to the page without a question. Nothing
outside that namespace changes. Linux only, as root.
"""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

OVER = "/dev/ttyS0"
SETTINGS = "/etc/chromium"


def is_possible() -> bool:
    """Return whether such a namespace can be made here."""
    if not (shutil.which("unshare") and Path(OVER).exists() and os.geteuid() == 0):
        return False
    done = subprocess.run(["unshare", "-m", "mount", "--bind", "/dev/null", OVER], check=False)
    return done.returncode == 0 and Path(SETTINGS).is_dir()


def launcher(folder: Path, chromium: str, port: str, site: str) -> Path:
    """Write a program that starts the browser in its namespace; return where it is.

    port  the pty, which need not be there yet: its name is resolved at the start
    """
    policies = folder / "chromium/policies/managed"
    policies.mkdir(parents=True)
    allowed = {"SerialAllowAllPortsForUrls": [site.rstrip("/")]}
    (policies / "serial.json").write_text(json.dumps(allowed))
    words = {
        "settings": shlex.quote(str(folder / "chromium")),
        "port": shlex.quote(port),
        "chromium": shlex.quote(chromium),
    }
    program = folder / "chromium-with-a-port"
    inside = (
        f"mount --bind {words['settings']} {SETTINGS} && mount --bind {words['port']} {OVER} && "
        f'exec {words["chromium"]} "$@"'
    )
    program.write_text(f'#!/bin/sh\nexec unshare -m sh -c {shlex.quote(inside)} sh "$@"\n')
    program.chmod(0o755)
    return program
