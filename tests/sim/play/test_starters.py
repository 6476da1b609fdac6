"""Starters for a double click: the files of each system, and that their commands work."""

import configparser
import os
import plistlib
import shlex
import shutil
import stat
import struct
import subprocess
import sys
from pathlib import Path

import start
from city_unit.desktop.catalogue import lazy
from sim import cli
from sim.play import starters
from sim.play.starters import Starter
from tests.helpers.needs import needs
from tests.helpers.patience import PATIENCE_S

PNG = b"\x89PNG\r\n\x1a\n"
NASTY = '/home/Été à la plage/50 % "of" $HOME `it` \\ it\'s/python3'
STARTER = Starter(
    "city-unit", "City Unit", lazy("a game"), (NASTY, "/a b/start.py", "play"), PNG + b"it"
)


def entry(content):
    parser = configparser.RawConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read_string(content.decode())
    return parser["Desktop Entry"]


def words_of(line):
    """Parse an Exec line by the rules of the standard for desktop entries."""
    assert line.endswith(" %f")
    plain = line[:-3].replace("\\\\", "\\").replace("%%", "%")
    return shlex.split(plain.replace("\\`", "`").replace("\\$", "$"), posix=True)


def test_linux_has_an_entry_in_the_menu_and_on_an_existing_desktop(tmp_path):
    files = starters.linux_files(STARTER, {"HOME": str(tmp_path)}, tmp_path)
    assert [file.path.name for file in files[1:]] == ["city-unit.desktop"]
    (tmp_path / "Desktop").mkdir()
    icon, menu, on_desktop = starters.linux_files(STARTER, {"HOME": str(tmp_path)}, tmp_path)
    assert menu.path == tmp_path / ".local/share/applications/city-unit.desktop"
    assert on_desktop.path == tmp_path / "Desktop/city-unit.desktop"
    assert menu.is_executable and on_desktop.is_executable
    assert icon.content == STARTER.icon
    keys = entry(menu.content)
    shown = [keys[key] for key in ("Type", "Name", "Icon", "Comment")]
    assert shown == ["Application", "City Unit", str(icon.path), "a game"]
    assert words_of(keys["Exec"]) == list(STARTER.command)
    needs(shutil.which("desktop-file-validate"), "desktop-file-validate")
    path = tmp_path / "city-unit.desktop"
    path.write_bytes(menu.content)
    done = subprocess.run(
        ["desktop-file-validate", path], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_macos_has_an_application_that_goes_with_its_folders(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(starters, "programs", lambda: [STARTER])
    monkeypatch.setattr(starters.sys, "platform", "darwin")
    monkeypatch.setattr(starters.Path, "home", lambda: tmp_path)
    about, icon, script = starters.macos_files(STARTER, tmp_path)
    assert plistlib.loads(about.content)["CFBundleExecutable"] == script.path.name
    assert icon.content[:4] == b"icns"
    assert struct.unpack(">I", icon.content[4:8])[0] == len(icon.content)
    assert script.is_executable
    line = script.content.decode().splitlines()[1]
    assert shlex.split(line) == ["exec", *STARTER.command]
    assert cli.main(["desktop"]) == 0
    other = tmp_path / "Applications/Other.app"
    other.mkdir()
    assert cli.main(["desktop", "--remove"]) == 0
    assert "removed" in capsys.readouterr().out
    assert cli.main(["desktop", "--remove"]) == 0
    assert capsys.readouterr().out == "There were no starters to remove.\n"
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "Applications", other]


def test_windows_has_a_shortcut_or_a_batch_file(tmp_path, monkeypatch, capsys):
    command = ("C:\\Program Files\\it's\\pythonw.exe", "C:\\100 %\\start.py", "play")
    starter = STARTER._replace(command=command)
    text = starters.script(starter, Path("/desk/it.lnk"), Path("/icon.ico"))
    assert "$link.TargetPath = 'C:\\Program Files\\it''s\\pythonw.exe'" in text
    assert '$link.Arguments = \'"C:\\100 %\\start.py" "play"\'' in text
    file = starters.command_file(starter, tmp_path)
    assert b'"C:\\100 %%\\start.py" "play" %*\r\n' in file.content
    count, size, offset = struct.unpack("<4xH8xII", starters.ico(PNG)[:22])
    assert (count, size, starters.ico(PNG)[offset:]) == (1, len(PNG), PNG)

    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "kept/settings.json"))
    monkeypatch.setattr(starters.platformdirs, "user_desktop_dir", lambda: str(tmp_path))
    monkeypatch.setattr(starters, "programs", lambda: [STARTER])
    monkeypatch.setattr(starters.sys, "platform", "win32")
    for works, kind in ((True, ".lnk"), (False, ".cmd")):
        monkeypatch.setattr(starters, "make_shortcut", lambda *_, works=works: works)
        assert cli.main(["desktop"]) == 0
        assert f"City Unit{kind}" in capsys.readouterr().out
        assert (tmp_path / "City Unit.cmd").exists() == (not works)
    assert (tmp_path / "kept/city-unit.ico").exists()


def test_the_starters_of_this_system_work(tmp_path, monkeypatch, capsys):
    needs(sys.platform == "linux", "a Linux")
    # Otherwise the starters would first install the environment that runs this test.
    needs(start.is_set_up(""), "an up-to-date environment of start.py")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    (tmp_path / "Desktop").mkdir()
    assert cli.main(["desktop"]) == 0
    assert capsys.readouterr().out.count("a double click starts") == 2
    for name, in_help in (("city-unit", "play with the emulated unit"), ("city-game", "city-game")):
        path = tmp_path / f"Desktop/{name}.desktop"
        assert path.stat().st_mode & stat.S_IXUSR
        keys = entry(path.read_bytes())
        assert Path(keys["Icon"]).read_bytes().startswith(PNG)
        done = subprocess.run(
            [*words_of(keys["Exec"]), "--help"],
            capture_output=True,
            text=True,
            cwd="/",
            env={**os.environ, "LANG": "C"},
            timeout=PATIENCE_S,
        )
        assert done.returncode == 0, done.stderr
        assert in_help in done.stdout
    assert cli.main(["desktop", "--remove"]) == 0
    assert not (tmp_path / ".local").exists()
    assert list((tmp_path / "Desktop").iterdir()) == []
