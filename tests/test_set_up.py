"""`start.py` sets the project up, also after an interrupted or damaged set-up.

Stand-ins replace Python's venv and pip. They write files in the same order as the real ones and
can be killed at each file.
"""

import errno
import importlib.util
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.needs import needs
from tests.helpers.quick import some_quick

ROOT = Path(__file__).parent.parent
BASE = Path(sys.base_prefix, "bin", "python{}.{}".format(*sys.version_info))
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
# The command that start.py runs; it fails unless all stand-in packages are complete.
PROGRAM = """
import sys
sys.path = [path for path in sys.path if "stand_ins" not in path]
import pip.part
from needed import part_0, part_1, part_2
assert pip.part.IS_WHOLE and part_0.IS_WHOLE and part_1.IS_WHOLE and part_2.IS_WHOLE
print("well", *sys.argv[1:])
"""
STRUCK = {"group": -signal.SIGKILL, "start": -signal.SIGKILL, "ctrl-c": 130, "full": 1}


class Project:
    """A copy of start.py in a project of its own."""

    def __init__(self, folder: Path, count: Path) -> None:
        self.folder = folder
        self.count = count
        self.venv = folder / ".venv"
        (folder / "sim").mkdir(parents=True)
        shutil.copy(ROOT / "start.py", folder)
        (folder / "pyproject.toml").write_text("# a project\n")
        (folder / "sim/__init__.py").touch()
        (folder / "sim/cli.py").write_text(PROGRAM)

    def begin(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """Start it from another folder, as a process group of its own."""
        self.count.write_bytes(b"")
        stand_ins = {"PYTHONPATH": str(ROOT / "tests/stand_ins"), "COUNT": str(self.count)}
        return subprocess.Popen(
            [BASE, "-B", self.folder / "start.py", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder.parent,
            env={**os.environ, **stand_ins, **environment},
            start_new_session=True,
        )

    def start(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Start it and wait for its end."""
        return end_of(self.begin(*words, **environment))

    def files_written(self) -> int:
        """Return how many files the last start wrote and deleted."""
        return self.count.stat().st_size

    def spoil(self, what: str) -> None:
        python = self.venv / "bin/python"
        match what:
            case "more is needed":
                with open(self.folder / "pyproject.toml", "a") as file:
                    file.write("# and more\n")
            case "a link to a Python that was taken away":
                python.unlink()
                python.symlink_to("/gone/python")
            case "a Python that cannot be run":
                python.unlink()
                python.touch(0o755)
            case "a later Python":  # as where the system's 3.11 became 3.12
                lib = next(self.venv.glob("lib/python3.*"))
                lib.rename(lib.with_name("python3.1"))
            case "no environment" | "a link to an environment that was taken away":
                shutil.rmtree(self.venv)
                if what != "no environment":
                    self.venv.symlink_to("/gone/.venv")
            case "no mark":
                (self.venv / "installed.txt").unlink()
            case "a package in part":
                next(self.venv.rglob("part_1.py")).unlink()


def end_of(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    out, errors = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)


@pytest.fixture
def project(tmp_path):
    needs(os.name == "posix", "links and signals to a group of processes")
    return Project(tmp_path / "jeu de société [été]", tmp_path / "count")


def is_well(start: subprocess.CompletedProcess[str]) -> bool:
    return (start.returncode, start.stdout) == (0, "well\n")


def test_it_is_set_up_once(project):
    first = project.start()
    assert is_well(first), first
    assert first.stderr.startswith(f"Setting up in {project.venv}; ")
    assert "Collecting needed" in first.stderr  # pip prints its progress
    assert project.start("trace", "a.toml").stdout == "well trace a.toml\n"
    assert project.files_written() == 0


def test_a_python_that_is_gone_or_cannot_be_run_is_replaced_with_the_extras(project):
    assert project.start("flash").returncode == 0
    for what in (
        "a link to a Python that was taken away",
        "a Python that cannot be run",
        "a later Python",
        "a link to an environment that was taken away",
    ):
        project.spoil(what)
        renewed = project.start()
        assert is_well(renewed), what
        again = project.start("flash")
        assert again.returncode == 0
        # The list of the extras is in the environment, which is gone in the last case.
        assert ("Setting up" in again.stderr) == ("environment" in what)


def test_new_requirements_are_installed_for_the_extras_too(project):
    assert project.start("flash").returncode == project.start("uf2").returncode == 0
    project.spoil("more is needed")
    assert project.start(OFFLINE="yes").returncode == 1
    renewed = project.start()
    assert is_well(renewed) and "Obtaining .[board,uf2]\n" in renewed.stderr
    assert project.start("flash").stderr == project.start("uf2").stderr == ""
    project.spoil("more is needed")
    assert project.start(STRIKE="1:ctrl-c").returncode == STRUCK["ctrl-c"]
    assert "Obtaining .[board,uf2]\n" in project.start().stderr


def test_an_extra_that_cannot_be_installed_again_does_not_block_the_unit(project):
    assert project.start("flash").returncode == 0
    project.spoil("a later Python")
    assert project.start(OFFLINE="yes").returncode == 1
    assert "Obtaining .\n" in project.start().stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "kinds"),
    [
        ("no environment", ("group", "full")),
        ("more is needed", ("start", "ctrl-c")),
        ("a link to a Python that was taken away", ("ctrl-c", "full")),
        ("no mark", ("group", "start")),
    ],
)
def test_killed_at_any_moment_it_is_repaired_by_the_next_start(project, before, kinds):
    """It is killed while `flash` installs its extra packages."""
    assert is_well(project.start())
    assert project.start("flash").returncode == 0
    project.spoil(before)
    assert project.start("flash").returncode == 0
    files = project.files_written()
    rng = random.Random(before)
    for kind in kinds:
        project.spoil(before)
        at = f"{rng.randrange(1, files + 1)}:{kind}"
        struck = project.start("flash", STRIKE=at)
        assert struck.returncode == STRUCK[kind], (at, struck)
        if kind == "ctrl-c":
            assert struck.stderr.endswith("\nstart.py: interrupted; run it again to continue\n")
            assert "Traceback" not in struck.stderr
        repaired = project.start()
        assert is_well(repaired), (at, repaired)
        assert project.start("flash").returncode == 0


@pytest.mark.slow
def test_killed_while_it_deletes_a_broken_environment(project):
    assert is_well(project.start())
    project.spoil("a package in part")
    assert project.start("flash", STRIKE="1:group").returncode == STRUCK["group"]
    assert is_well(project.start())


@pytest.mark.slow
@pytest.mark.parametrize("killed", [False, True])
def test_a_start_waits_for_a_running_set_up(project, killed):
    """It also waits if that start was killed, since its child continues."""
    first = project.begin(STRIKE="3:wait")
    while project.files_written() < 3:
        assert first.poll() is None
    if killed:
        first.kill()
    second = project.begin()
    assert second.stderr.readline().startswith("Setting up in ")
    assert second.stderr.readline() == "waiting for another set-up to end\n"
    project.count.with_suffix(".go").touch()
    assert is_well(end_of(second))
    first = end_of(first)
    assert first.returncode == -signal.SIGKILL if killed else is_well(first)


@pytest.mark.parametrize("before", some_quick(["moved", "copied"], 1))
def test_a_folder_that_was_moved_is_set_up_in_its_new_place(project, before):
    """Scripts and links contain the old path, so a new environment is made."""
    assert project.start("flash").returncode == 0
    old = project.folder
    project.folder = old.with_name("elsewhere")
    project.venv = project.folder / ".venv"
    if before == "moved":
        old.rename(project.folder)
    else:
        shutil.copytree(old, project.folder, symlinks=True)
    assert is_well(project.start())
    assert (next(project.venv.rglob("project.pth"))).read_text() == f"{project.folder}\n"
    assert project.start("flash").stderr == ""


def test_a_file_in_the_place_of_the_environment_is_kept(project):
    project.venv.write_text("of the owner")
    refused = project.start()
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[1:] == [
        "start.py: another file is in the way: move it and run this again"
        f" ([Errno 17] File exists: '{project.venv}')"
    ]
    assert project.venv.read_text() == "of the owner"


@pytest.mark.slow
def test_without_ensurepip_and_then_with_it(project):
    """As on Debian before and after `apt install python3-venv`."""
    refused = project.start(WITHOUT_PIP="yes")
    said = "start.py: cannot create the environment; on Debian: sudo apt install python3-venv"
    assert (refused.returncode, refused.stderr.splitlines()[-1]) == (1, said)
    assert is_well(project.start())


def test_offline_the_reason_is_shown_and_the_installed_commands_still_work(project):
    failed = "start.py: cannot install the packages; check the network and the free disk space"
    refused = project.start(OFFLINE="yes")
    assert (refused.returncode, refused.stderr.splitlines()[-1]) == (1, failed)
    assert is_well(project.start())
    refused = project.start("flash", OFFLINE="yes")
    only = "start.py: only `flash` needs this; the rest works without it"
    assert (refused.returncode, refused.stderr.splitlines()[-2:]) == (1, [failed, only])
    assert is_well(project.start(OFFLINE="yes"))


def test_an_unwritable_folder_is_one_line(project, monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("start", project.folder / "start.py")
    start = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(start)

    def refuse(path, **_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    line = (
        "start.py: cannot write here: copy this folder to a place of your own"
        f" ([Errno 13] Permission denied: '{project.venv}')"
    )
    monkeypatch.setattr(Path, "mkdir", refuse)
    assert start.main([]) == 1
    assert capsys.readouterr().err.splitlines()[1:] == [line]
    project.start()
    assert start.main(["flash"]) == 1
    only = "start.py: only `flash` needs this; the rest works without it"
    assert capsys.readouterr().err.splitlines()[1:] == [line, only]


OLD = sorted(
    path
    for version in ("2.7", "3.6", "3.7", "3.8", "3.9")
    for path in PYENV.glob(f"versions/{version}.*/bin/python")
)


def test_a_python_that_is_too_old_is_one_line(project):
    needs(OLD, "a Python older than 3.10")
    for python in OLD:
        done = subprocess.run([python, project.folder / "start.py"], capture_output=True, text=True)
        version = ".".join(python.parts[-3].split(".")[:2])
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == (
            f"start.py: this needs Python 3.10 or later, and this is Python {version}:"
            " install a newer one from python.org and run it with that.\n"
        )


BUILDER = """
import pathlib, zipfile
def build_editable(folder, *_):
    name = "project-1-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder, name), "w") as wheel:
        wheel.writestr("project.pth", str(pathlib.Path.cwd()))
        wheel.writestr("project-1.dist-info/METADATA", METADATA)
        wheel.writestr("project-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
        wheel.writestr("project-1.dist-info/RECORD", "")
    return name
METADATA = "Metadata-Version: 2.1\\nName: project\\nVersion: 1\\nProvides-Extra: board\\n"
"""
BUILT_BY_IT = """
[build-system]
requires = []
build-backend = "builder"
backend-path = ["."]
"""


@pytest.mark.slow
def test_with_the_real_venv_and_the_real_pip(project):
    """The project needs no packages, so nothing is downloaded."""
    (project.folder / "builder.py").write_text(BUILDER)
    (project.folder / "pyproject.toml").write_text(BUILT_BY_IT)
    (project.folder / "sim/cli.py").write_text("print('well')")
    first = project.start(PYTHONPATH="")
    assert is_well(first), first
    assert project.start(PYTHONPATH="").stderr == ""
    made = (project.venv / "pyvenv.cfg").stat().st_ctime_ns
    more = project.start("selftest", PYTHONPATH="")
    assert more.returncode == 0 and "Setting up" in more.stderr
    assert (project.venv / "pyvenv.cfg").stat().st_ctime_ns == made
    next(project.venv.rglob("pip/__main__.py")).unlink()
    project.spoil("more is needed")
    assert is_well(project.start(PYTHONPATH=""))
    assert (project.venv / "pyvenv.cfg").stat().st_ctime_ns != made
