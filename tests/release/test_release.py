"""The release: reproducible archives, a correct front page, packages that work on their own."""

import hashlib
import importlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from importlib import metadata
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock

import pytest
import yaml

from city_unit.facts import VERSION
from firmware.chip import pico
from firmware.tool import one_file
from firmware.tool.image import FIRST, LATER
from release import __main__ as release
from release import smoke, window
from release.__main__ import File
from sim.play import update
from sim.web import bundle
from tests.firmware import test_one_file
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"
EPOCH = 1_700_000_000
ESP32S = tuple(one_file.CHIPS.values())
MEMBERS = {
    "unit/b.txt": File(b"later"),
    "unit/a": File(b"#!/bin/sh\n", release.PROGRAM),
    "unit/link": File(b"a", release.LINK),
}


def test_an_archive_depends_only_on_its_content_and_other_tools_read_it(tmp_path):
    backwards = dict(reversed(MEMBERS.items()))
    for pack in (release.zip_file, release.tar_gz):
        assert pack(MEMBERS, EPOCH) == pack(backwards, EPOCH)
    (tmp_path / "a.tar.gz").write_bytes(release.tar_gz(MEMBERS, EPOCH))
    with tarfile.open(tmp_path / "a.tar.gz") as archive:
        assert archive.getmember("unit/a").mode == 0o755
        assert archive.getmember("unit/link").linkname == "a"
        assert {info.mtime for info in archive.getmembers() if info.isfile()} == {EPOCH}
    with zipfile.ZipFile(io.BytesIO(release.zip_file(MEMBERS, EPOCH))) as archive:
        assert archive.read("unit/b.txt") == b"later"
        assert archive.getinfo("unit/a").external_attr >> 16 == release.PROGRAM
    packed = set()
    for second in (0, 30):  # packages built at different times
        with zipfile.ZipFile(tmp_path / f"{second}.whl", "w") as archive:
            archive.writestr(zipfile.ZipInfo("a.py", (2020, 1, 1, 0, 0, second)), "pass")
        packed.add(release.again(tmp_path / f"{second}.whl", EPOCH))
    assert len(packed) == 1


def test_an_unlisted_or_changed_image_is_rejected_and_a_missing_part_reported(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(release, "_export", lambda folder: None)  # no source is needed here
    words = [str(tmp_path / "out"), "--only", "boards"]
    assert release.main(words) == 0
    assert "not built: boards: no MicroPython image" in capsys.readouterr().err
    assert "no MicroPython image" in (tmp_path / "out" / release.FRONT).read_text()
    (tmp_path / "RPI_PICO.uf2").write_bytes(b"MicroPython")
    monkeypatch.setattr(release, "IMAGES", tmp_path / "images.txt")
    for row, message in (
        ("RPI_PICO.uf2 " + "0" * 64, "download it again"),
        ("# RPI_PICO.uf2", "not listed"),
    ):
        (tmp_path / "images.txt").write_text(f"{row}\n")
        assert release.main([*words, "--images", str(tmp_path), "--strict"]) == 1
        assert message in capsys.readouterr().err
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert release.main([str(tmp_path / "out")]) == 1
    assert re.fullmatch(r"release: .* not a git checkout; .*\n", capsys.readouterr().err)


def test_the_workflow_downloads_an_image_for_each_board_and_checks_it(tmp_path):
    """Runs the workflow's own script with a stand-in for curl, so nothing is downloaded."""
    (script,) = (step["run"] for step in steps() if "images.txt" in step.get("run", ""))
    for folder in ("release", "served", "bin"):
        (tmp_path / folder).mkdir()
    # The image for the emulated chip is not downloaded.
    rows = ["# a remark", "RPI_PICO-1.28.0.uf2 " + "0" * 64]
    listed = release.listed_images()
    names = [name for name in listed if re.search(r"-20\d{6}-", name)]
    kinds = {f"RPI_{name.upper()}" for name in one_file.PICOS}
    kinds |= {"ESP32_GENERIC" + re.sub("([sc])", r"_\1", kind[5:]).upper() for kind in ESP32S}
    assert {name.split("-")[0] for name in names} == kinds
    assert all(re.fullmatch("[0-9a-f]{64}", listed[name]) for name in names)
    for name in names:
        (tmp_path / "served" / name).write_text(name)
        rows.append(f"{name} {hashlib.sha256(name.encode()).hexdigest()}")
    (tmp_path / "release" / "images.txt").write_text("\n".join(rows) + "\n")
    curl = tmp_path / "bin" / "curl"
    curl.write_text(
        '#!/bin/sh\nwhile [ "$1" != --output ]; do shift; done\n'
        'case "$3" in https://micropython.org/resources/firmware/*)'
        ' cp "served/${3##*/}" "$2";; esac\n'
    )
    curl.chmod(0o755)
    command = ["bash", "-e", "-c", script]
    environment = {**os.environ, "PATH": f"{curl.parent}:{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True)
    assert done.returncode == 0
    assert {path.name for path in (tmp_path / "images").iterdir()} == set(names)
    (tmp_path / "served" / names[0]).write_text("something else")
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True)
    assert done.returncode != 0


@pytest.fixture
def boards_of_a_pico(tmp_path):
    """Return the arguments that build the board files from the emulated chip's MicroPython."""
    try:
        pico.check()
    except pico.NotThere as missing:
        needs(False, str(missing))
    needs(os.environ.get(pico.IMAGE), f"{pico.IMAGE}, the MicroPython of a Pico,", "chip-image")
    folder = tmp_path / "images"
    folder.mkdir()
    shutil.copy(os.environ[pico.IMAGE], folder / "RPI_PICO-1.28.0.uf2")
    return [str(tmp_path / "out"), "--only", "boards", "--strict", "--images", str(folder)]


@pytest.mark.slow
def test_a_picos_file_plays_on_a_chip_before_it_is_published(tmp_path, boards_of_a_pico):
    assert release.main(boards_of_a_pico) == 0
    assert (tmp_path / "out" / "unit-pico.uf2").stat().st_size > 500_000


@pytest.mark.slow
def test_a_damaged_file_for_a_pico_is_rejected(tmp_path, boards_of_a_pico, monkeypatch, capsys):
    """One of the files in it is truncated after its header."""
    made = one_file.one_file
    for damaged, message in (
        (f"{FIRST}.mpy", "no note within 150 ms after power-on"),
        (f"{LATER}.mpy", "the unit on the chip does not answer"),
    ):
        short = {damaged: b"M\x06\x00\x1f"}
        monkeypatch.setattr(
            one_file, "one_file", lambda image, board, _, short=short: made(image, board, short)
        )
        assert release.main(boards_of_a_pico) == 1
        assert list((tmp_path / "out").iterdir()) == []
        error = capsys.readouterr().err
        assert re.fullmatch(f"release: the file for a Pico fails [^:]*: .*{message}.*\n", error)


def test_a_file_that_cannot_be_tested_is_not_published(
    tmp_path, boards_of_a_pico, monkeypatch, capsys
):
    monkeypatch.setattr(pico, "check", MagicMock(side_effect=pico.NotThere("no Node")))
    assert release.main(boards_of_a_pico) == 1
    assert "it cannot be tested: no Node" in capsys.readouterr().err
    assert not (tmp_path / "out" / "unit-pico.uf2").exists()


HOME = ["--home", "http://127.0.0.1:1/", "https://here.example/releases/latest"]


def built(out: Path, *parts: str, images: Path | None = None) -> Path:
    """Build parts of a release, and check its front page, checksums and bill of materials."""
    words = [word for part in parts for word in ("--only", part)]
    words += ["--images", str(images)] if images else []
    assert release.main([str(out), *words, *HOME, "--strict"]) == 0
    shown = (out / release.FRONT).read_text()
    for target in re.findall(r'href="([^"]+)"', shown):
        assert (out / target).exists(), target
    check = ["sha256sum", "--check", "--strict", "--quiet", release.SUMS]
    subprocess.run(check, cwd=out, check=True)
    bill = json.loads((out / release.SBOM).read_text())
    assert {"pyserial", "micropython"} <= {row["name"] for row in bill["components"]}
    assert all(row["version"] for row in bill["components"])
    return out


def stand_ins(folder: Path) -> Path:
    """Return a folder with a fake image for each board but the Pico, which is tested on a chip."""
    folder.mkdir()
    made = {f"{name}.uf2": test_one_file.micropython(name) for name in one_file.PICOS}
    made |= {f"{kind}.bin": test_one_file.esp32(kind) for kind in ESP32S}
    del made["pico.uf2"]
    for name, content in made.items():
        (folder / name).write_bytes(content)
    rows = [f"{name} {hashlib.sha256(content).hexdigest()}\n" for name, content in made.items()]
    (folder / "images.txt").write_text("".join(rows))
    return folder


@pytest.mark.slow
def test_two_builds_of_a_commit_are_equal_and_the_npm_package_works(tmp_path, monkeypatch):
    images = stand_ins(tmp_path / "images")
    monkeypatch.setattr(release, "IMAGES", images / "images.txt")
    parts = ("page", "case", "npm", "boards")
    first, second = (built(tmp_path / name, *parts, images=images) for name in "12")
    sums = (first / release.SUMS).read_text()
    assert sums == (second / release.SUMS).read_text()
    boards = {f"unit-{board}.uf2" for board in one_file.PICOS.values() if board != "pico"}
    boards |= {f"unit-{kind}.bin" for kind in ESP32S}
    assert boards <= set(re.findall(r"  (\S+)", sums))
    assert "write-flash 0x1000 unit-esp32.bin" in (first / release.FRONT).read_text()
    assert (first / "page" / update.FILE).read_text().strip() == VERSION
    needs(shutil.which("npm"), "npm")
    folder = tmp_path / "empty"
    folder.mkdir()
    install = ["npm", "install", "--offline", "--no-audit", "--no-fund"]
    install.append(str(first / f"city-unit-{VERSION}.tgz"))
    subprocess.run(install, cwd=folder, check=True, capture_output=True)
    types = (folder / "node_modules/city-unit/city_unit.d.ts").read_text()
    assert "\nexport class CityUnit {\n" in types
    (folder / "ten.mjs").write_text("""
import { CityUnit } from "city-unit";
globalThis.WebSocket = class { addEventListener() {} close() {} send() {} };
const unit = CityUnit.connect("ws://127.0.0.1:1/x");
unit.on("connected", () => {});
console.log(typeof unit.send);
unit.close();
process.exit(0);
""")
    done = subprocess.run(["node", "ten.mjs"], cwd=folder, capture_output=True, text=True)
    assert done.stdout == "function\n", done.stderr


@pytest.mark.slow
def test_the_wheel_has_unit_rules_and_lab_and_works_without_pygame(tmp_path):
    needs("build" in packages_distributions(), "build, of the extra `release`")
    out = built(tmp_path / "out", "packages")
    (wheel,) = (out / "packages").glob("*.whl")
    where = tmp_path / "venv"
    venv.create(where)
    python = where / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    site = Path(sysconfig.get_path("purelib", vars={"base": str(where)}))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site]
    subprocess.run([*install, wheel], check=True, capture_output=True)
    for name in ("pyserial", "filelock", "platformdirs"):  # copied, so nothing is downloaded
        for file in metadata.files(name):
            if ".." not in file.parts:
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file.locate(), site / file)
    scenario = tmp_path / "auction.toml"
    scenario.write_text('[[steps]]\nat = "0 s"\ndo = "switch on"\n')
    program = (
        "from city_unit import host\n"
        "from city_unit.unit import Unit\n"
        "import city_game.kernel\n"
        f"from sim.cli import main\nassert main(['trace', {str(scenario)!r}]) == 0\n"
        "import sys\nsys.exit(main(['desktop']))\n"
    )
    done = subprocess.run([python, "-Ic", program], capture_output=True, text=True)
    assert '"switched-on"' in done.stdout
    assert re.search(r"^city-unit: .*pip install pygame-ce$", done.stderr, re.MULTILINE)
    assert done.returncode == 3


# The C library, which every Linux has.
GLIBC = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"}
GLIBC |= {"librt.so.1", "libutil.so.1", "libresolv.so.2", "ld-linux-x86-64.so.2"}


def libraries_of_the_system(folder: Path) -> set[str]:
    """Return the libraries that a bundle loads from the system."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder / "_internal")}
    programs = [smoke.program(folder, name) for name in smoke.PROGRAMS]
    found = set()
    for path in (*programs, *folder.rglob("*.so*")):
        done = subprocess.run(["ldd", path], env=environment, capture_output=True, text=True)
        rows = [row.split() for row in done.stdout.splitlines() if " (0x" in row or "not" in row]
        found |= {Path(row[0]).name for row in rows if str(folder) not in " ".join(row)}
    return found


@pytest.mark.slow
@pytest.mark.real_time
def test_the_window_needs_no_python(tmp_path):
    """The build itself runs the smoke test: both programs start, draw and keep time."""
    needs("PyInstaller" in packages_distributions(), "PyInstaller, of the extra `release`")
    out = built(tmp_path / "out", "window")
    (bundle,) = out.glob(f"city-unit-{VERSION}-*")
    assert bundle.stat().st_size < 60_000_000
    unpack = ["tar", "-xf", bundle, "-C", tmp_path, "--strip-components=1"]
    subprocess.run(unpack, check=True)
    program = smoke.program(tmp_path, "city-unit")
    done = subprocess.run([program, "update"], capture_output=True, text=True)
    assert (done.returncode, "127.0.0.1:1/" in done.stderr) == (1, True), done
    if sys.platform == "linux":
        assert libraries_of_the_system(tmp_path) <= GLIBC
        # A program that it starts, such as the game's unit, uses the same libraries.
        child = "import ctypes, pygame; print(open('/proc/self/maps').read())"
        code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
        done = subprocess.run([program, "-c", code], capture_output=True, text=True, check=True)
        used = {row.split()[-1] for row in done.stdout.splitlines() if ".so" in row}
        assert {Path(path).name for path in used if str(tmp_path) not in path} <= GLIBC


@pytest.mark.parametrize("system", ["linux", "win32", "darwin"])
def test_the_window_spec_names_only_existing_modules_and_files(tmp_path, monkeypatch, system):
    """The spec runs for each desktop with a fake PyInstaller that records its calls."""
    made, sources = [], []

    def note(*_words, **options):
        made.append(options)
        return SimpleNamespace(pure=[], scripts=[], binaries=[], datas=[])

    def collected(room, include_py_files=False):
        if include_py_files:
            sources.append(f"{room.replace('.', '/')}/")
        where = importlib.util.find_spec(room).submodule_search_locations[0]
        return [(f"{where}/{name}", room) for name in os.listdir(where)]

    hooks = ModuleType("hooks")
    hooks.collect_data_files = collected
    hooks.copy_metadata = lambda package: [(metadata.version(package), package)]
    hooks.collect_submodules = lambda room: [importlib.util.find_spec(room).name]
    for name in ("PyInstaller", "PyInstaller.utils", "PyInstaller.utils.win32"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    sys.modules["PyInstaller.utils.win32"].versioninfo = MagicMock()
    monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(sys, "path", [*sys.path])
    shutil.copy(ROOT / "release/window.py", tmp_path)
    makers = dict.fromkeys(("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE"), note)
    source = (ROOT / "release/window.spec").read_text()
    exec(compile(source, "window.spec", "exec"), {**makers, "SPECPATH": str(tmp_path)})
    (analysis,) = (options for options in made if "hiddenimports" in options)
    for module in analysis["hiddenimports"]:
        assert importlib.util.find_spec(module), module
    for module in bundle.MODULES + bundle.PROGRAM_RULES:  # the page is built from sources
        assert module.startswith(tuple(sources)), module
    names = {options["name"] for options in made if "exclude_binaries" in options}
    assert set(smoke.PROGRAMS) <= names <= set(window.PROGRAMS)
    folders = {options["name"] for options in made if "name" in options} - names
    if system == "darwin":
        assert folders == {f"{title}.app" for title in smoke.TITLES.values()}
    for module in window.PROGRAMS.values():
        assert importlib.util.find_spec(module), module
    icons = [options["icon"] for options in made if "icon" in options]
    assert icons and all(Path(icon).stat().st_size > 1000 for icon in icons)


@pytest.mark.real_time
def test_a_window_is_removed_without_traces(tmp_path):
    """It writes only into the folders that its README names."""
    needs(sys.platform == "linux", "a Linux")
    kept = {name: tmp_path / name for name in ("run", "first", "temporary")}
    kept["run"].mkdir()
    kept["temporary"].mkdir()
    home = tmp_path / "home"
    home.mkdir()
    environment = {name: text for name, text in os.environ.items() if "XDG" not in name}
    environment |= {"HOME": str(home), "XDG_RUNTIME_DIR": str(kept["run"])}
    environment |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    environment |= {"TMPDIR": str(kept["temporary"])}
    for words in (
        ["sim.cli", "play", "--listen", "127.0.0.1:0"],
        ["city_game.cli", "--players", "Ann,Bob=visitor", "--pace", "0"],
    ):
        probe = [sys.executable, "-c", smoke.PROBE, str(kept["first"]), "1", *words]
        subprocess.run(probe, env=environment, check=True, timeout=PATIENCE_S, capture_output=True)
    for words in (["desktop"], ["desktop", "--remove"]):
        command = [sys.executable, "-m", "sim.cli", *words]
        subprocess.run(command, env=environment, check=True, capture_output=True)
    readme = (ROOT / "release/window.txt").read_text(encoding="utf-8")
    for folder in re.findall(r"~/([^(,]+) \(", re.search(r"Linux: +(~.*)", readme)[1]):
        shutil.rmtree(home / folder)
    traces = [path for path in (*home.rglob("*"), *kept["temporary"].rglob("*")) if path.is_file()]
    assert traces == []
    assert [path.name for path in home.iterdir()] == [".config"]  # every Linux home has it


def workflow(name: str) -> dict:
    return yaml.safe_load((WORKFLOWS / name).read_text())


def steps() -> list[dict]:
    return [
        step
        for path in WORKFLOWS.glob("*.yml")
        for job in workflow(path.name)["jobs"].values()
        for step in job["steps"]
    ]


def test_the_page_links_the_windows_by_their_names_in_a_release():
    page = (ROOT / "sim/web/page/index.html").read_text()
    linked = re.findall(r"DOWNLOADS/download/([\w-]+)-VERSION-(\w+)-(\w+)\.", page)
    assert {system for _program, system, _machine in linked} == set(release.BUNDLES)
    for program, system, machine in linked:
        assert program in release.BUNDLES[system]
        assert machine in {"linux": "x86_64", "windows": "amd64", "macos": "arm64"}[system]


def test_every_command_module_and_path_of_the_workflows_exists(capsys):
    scripts = "\n".join(step["run"] for step in steps() if "run" in step)
    for path in re.findall(r"(?<![\w/])(?:release|tests|\.ci)/[\w./-]+", scripts):
        assert (ROOT / path).exists(), path
    for module in re.findall(r"\bpython -m ([\w.]+)", scripts):
        assert importlib.util.find_spec(module), module
    for code in re.findall(r'python -c "([^"]+)"', scripts):
        exec("\n".join(re.findall("(?:^|; )((?:from|import) [^;]+)", code)), {})
    commands = dict(re.findall(r"start\.py (\w+)(.*)", scripts))
    assert set(commands) <= {"release", "test"}
    with pytest.raises(SystemExit):
        release.main(["--help"])
    options = set(re.findall(r"--\w+", capsys.readouterr().out))
    assert set(re.findall(r"--\w+", commands["release"])) <= options
    matrix = workflow("release.yml")["jobs"]["build"]["strategy"]["matrix"]["include"]
    named = {word for row in matrix for word in row["parts"].split() if word != "--only"}
    assert named == set(release.PARTS)


def test_only_a_push_publishes_and_everything_is_attested_first():
    jobs = workflow("release.yml")["jobs"]
    for name, job in jobs.items():
        writes = [scope for scope, right in job.get("permissions", {}).items() if right == "write"]
        assert not writes or job["if"].startswith("github.event_name == 'push'"), name
    publish = jobs["publish"]
    assert {"id-token", "attestations"} <= set(publish["permissions"])
    _fetched, attested, released = publish["steps"]
    assert attested["uses"].startswith("actions/attest-build-provenance@")
    assert attested["with"] == {"subject-checksums": f"out/{release.SUMS}"}
    assert "gh release create" in released["run"]
    for page in ("SECURITY.md", "release/__main__.py"):
        assert "gh attestation verify FILE" in (ROOT / page).read_text()


# The prefixes of SSH and TLS keys, and of tokens of forges, registries, Slack and clouds.
SECRETS = (
    "-----BEGIN [A-Z ]*PRIVATE KEY",
    "gh[pousr]_[A-Za-z0-9]{36}",
    "github_pat_[A-Za-z0-9_]{50}",
    "glpat-[A-Za-z0-9_-]{20}",
    "pypi-AgE[A-Za-z0-9_-]{50}",
    "npm_[A-Za-z0-9]{36}",
    "xox[abpr]-[A-Za-z0-9-]{10}",
    "(AKIA|ASIA)[A-Z0-9]{16}",
    "AIza[A-Za-z0-9_-]{35}",
)


def secrets_in(folder: Path) -> list[str]:
    patterns = [word for pattern in SECRETS for word in ("-e", pattern)]
    search = ["git", "-C", str(folder), "grep", "--untracked", "-laE", *patterns]
    plain = {**os.environ, "LC_ALL": "C"}  # ten times as fast as UTF-8
    done = subprocess.run(search, capture_output=True, text=True, env=plain)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.splitlines()


def test_no_secret_is_in_the_repository(tmp_path):
    assert secrets_in(ROOT) == []
    assert all("secrets." not in path.read_text() for path in WORKFLOWS.glob("*.yml"))
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "a").write_bytes(b"\0token = gh" + b"p_" + b"x" * 36)
    assert secrets_in(tmp_path) == ["a"]


def test_actions_are_pinned_by_commit_and_zizmor_finds_nothing():
    used = [step["uses"] for step in steps() if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"[\w/.-]+@[0-9a-f]{40}", name)] == []
    checker = shutil.which("zizmor", path=str(Path(sys.executable).parent))
    needs(checker, "zizmor")
    check = [checker, "--offline", "--quiet", str(WORKFLOWS)]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
