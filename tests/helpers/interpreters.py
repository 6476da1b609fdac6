"""The MicroPython interpreters that tests run the firmware on: the Unix port, and a 32-bit port.

The first is the command `micropython`. The second is WebAssembly, run by Node, from the npm
package that `tests/wasm/package.json` names. Both run code with given files and return its
standard output.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from firmware.tool.image import ROOT, linked, machine_code, output, unix

HERE = ROOT / "tests/wasm"
WASM = Path("node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs")

Run = Callable[..., str]


def wasm() -> Path | None:
    """Return the path of the 32-bit port, None if it or Node is not installed."""
    found = [folder / WASM for folder in (HERE, ROOT) if (folder / WASM).is_file()]
    return found[0] if found and shutil.which("node") else None


def available() -> dict[str, Run]:
    """Return the functions that run the installed interpreters, by name."""
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
        return output(command, {**os.environ, "MICROPYPATH": path})


def run_wasm(code: str, files: dict[str, Path], heap: int = 1 << 20) -> str:
    """Run `code` on the 32-bit port, with `files` ({path there: path here}) to import."""
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder, "job.json")
        listed = {name: str(source) for name, source in files.items()}
        job.write_text(json.dumps({"heap": heap, "files": listed, "code": code}))
        return output(["node", str(HERE / "run.mjs"), str(wasm()), str(job)], os.environ)


def compiled(files: dict[str, Path], folder: Path) -> dict[str, Path]:
    """Compile all `files` of a board into `folder`; return the compiled ones likewise.

    Numbers that they import from each other are inlined first (`linked`). Tracebacks name a
    module without its folder, to save memory on a board.
    """
    made = {}
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    for name, text in linked(texts).items():
        target = Path(folder, name).with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(machine_code(target.stem, text))
        made[name[:-2] + "mpy"] = target
    return made
