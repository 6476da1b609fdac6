"""Files that are written whole or not at all."""

import errno
import os
import socket
import sys
from pathlib import Path

import pytest

from city_unit.desktop import catalogue, files
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import make_folder, reason, write_whole, writing_whole
from tests.helpers.needs import needs_posix


def test_a_text_is_written_as_it_is(tmp_path):
    for content in ("né\nà Paris\r\n", b"n\xc3\xa9\n\xc3\xa0 Paris\r\n"):
        write_whole(tmp_path / "a.txt", content)
        assert (tmp_path / "a.txt").read_bytes() == "né\nà Paris\r\n".encode()
        assert os.listdir(tmp_path) == ["a.txt"]


def test_what_was_there_stays_until_all_of_it_is_written(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, "old")
    with pytest.raises(KeyboardInterrupt), writing_whole(path) as file:
        file.write(b"new, but not")
        assert path.read_text() == "old"
        raise KeyboardInterrupt
    assert (path.read_text(), os.listdir(tmp_path)) == ("old", ["a.txt"])


def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path):
    """A careless write to /dev/null as root would leave a file there, and no /dev/null any more."""
    needs_posix()
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "pipe", "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo() and os.listdir(tmp_path) == ["pipe"]


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path):
    needs_posix()
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")
    for content in ("new", "newer"):
        write_whole(tmp_path / "link", content)
        assert (tmp_path / "there" / "file").read_text() == content
    assert (tmp_path / "link").is_symlink() and os.listdir(tmp_path / "there") == ["file"]


def test_a_file_that_cannot_be_written_is_a_mistake_in_one_line(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError) as mistake:
        write_whole(tmp_path / "folder", "text")
    assert str(mistake.value) == f"cannot write {tmp_path / 'folder'}: is a directory"
    assert mistake.value.code == 1
    with pytest.raises(UserError, match=r"cannot make the folder .*: file exists"):
        write_whole(tmp_path / "file", "")
        make_folder(tmp_path / "file")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


def test_a_reason_is_said_in_the_users_language_or_as_the_system_says_it():
    assert reason(OSError("Strange disk")) == "strange disk"
    for error in (
        PermissionError(errno.EACCES, "Permission denied"),
        OSError(errno.ENOENT, "No such file or directory"),
        OSError(errno.ETIMEDOUT, "Connection timed out"),
        socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
    ):
        english = reason(error)
        with catalogue.spoken("fr"):
            assert reason(error) not in (english, error.strerror.lower())


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of Linux")
def test_settings_lie_where_they_always_have(monkeypatch, tmp_path):
    monkeypatch.delenv("CITY_UNIT_SETTINGS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert files.settings_folder() == tmp_path / "city-unit"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.settings_folder() == tmp_path / ".config" / "city-unit"
    assert list(tmp_path.iterdir()) == []  # asking makes no folder
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "mine.json"))
    assert files.settings_folder() == Path(tmp_path)
