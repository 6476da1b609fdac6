"""Atomic writing of files, and the TOML reader."""

import errno
import os
import random
import socket
import sys
from pathlib import Path

import pytest

from city_unit.desktop import catalogue, files, toml_reader
from city_unit.desktop.errors import UserError
from city_unit.desktop.files import make_folder, reason, write_whole, writing_whole
from tests.helpers.needs import needs_posix


def test_text_is_written_unchanged(tmp_path):
    for content in ("né\nà Paris\r\n", b"n\xc3\xa9\n\xc3\xa0 Paris\r\n"):
        write_whole(tmp_path / "a.txt", content)
        assert (tmp_path / "a.txt").read_bytes() == "né\nà Paris\r\n".encode()
        assert os.listdir(tmp_path) == ["a.txt"]


def test_the_old_content_remains_until_the_new_is_complete(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, "old")
    with pytest.raises(KeyboardInterrupt), writing_whole(path) as file:
        file.write(b"new, but not")
        assert path.read_text() == "old"
        raise KeyboardInterrupt
    assert (path.read_text(), os.listdir(tmp_path)) == ("old", ["a.txt"])


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    """Otherwise root could replace /dev/null by a file."""
    needs_posix()
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "pipe", "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo() and os.listdir(tmp_path) == ["pipe"]


def test_the_target_of_a_link_is_written_and_the_link_remains(tmp_path):
    needs_posix()
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")
    for content in ("new", "newer"):
        write_whole(tmp_path / "link", content)
        assert (tmp_path / "there" / "file").read_text() == content
    assert (tmp_path / "link").is_symlink() and os.listdir(tmp_path / "there") == ["file"]


def test_a_file_that_cannot_be_written_is_an_error_in_one_line(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError) as mistake:
        write_whole(tmp_path / "folder", "text")
    assert str(mistake.value) == f"cannot write {tmp_path / 'folder'}: is a directory"
    assert mistake.value.code == 1
    with pytest.raises(UserError, match="cannot write /: is a directory"):
        write_whole(os.sep, "text")
    with pytest.raises(UserError, match=r"cannot create the folder .*: file exists"):
        write_whole(tmp_path / "file", "")
        make_folder(tmp_path / "file")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


def test_a_reason_is_in_the_users_language_or_that_of_the_system():
    assert reason(OSError("Ours")) == "Ours"
    assert reason(OSError(12345, "Strange disk")) == "strange disk"
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
def test_the_settings_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("CITY_UNIT_SETTINGS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert files.settings_folder() == tmp_path / "city-unit"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.settings_folder() == tmp_path / ".config" / "city-unit"
    assert list(tmp_path.iterdir()) == []  # the call creates no folder
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "mine.json"))
    assert files.settings_folder() == Path(tmp_path)


BROKEN = {
    "x = [1, 2": 1,
    "a = 1\nx = ": 2,
    "a = 1\nx": 2,
    "a = 1\na = 2": 2,
    "[a]\n[a]": 2,
    "[[a]]\n[a]": 2,
    "x = {a = 1, a = 2}": 1,
    "x = {a = 1}\n[x.b]\nc = 1": 2,
    "a = [1]\n[[a]]": 2,
    'x = "\\q"': 1,
    'x = "\\ud800"': 1,
    'x = "\\u12"': 1,
    'x = "a': 1,
    "x = '''a\nb": 2,
    'x = "\x01"': 1,
    "x = 2020-13-40": 1,
    "x = 1 y = 2": 1,
    "x = {a = 1": 1,
    "[a": 1,
    "[[a]": 1,
    "= 1": 1,
    "a. = 1": 1,
    "x = 1\n# \x02": 2,
    "x = 2M": 1,
    "x = 1\ry = 2": 1,
}


def test_a_syntax_error_has_a_line_and_a_translated_reason():
    for text, line in BROKEN.items():
        spoken = set()
        for language in ("en", "fr"):
            with catalogue.spoken(language), pytest.raises(UserError) as caught:
                toml_reader.parse(text.encode(), "mine.toml")
            assert caught.value.line == line, text
            place, _, reason = str(caught.value).partition("TOML")
            assert "mine.toml" in place and len(reason) > 8, text
            spoken.add(reason)
        assert len(spoken) == 2, text


SOUND = [
    'a=1\nb.c=2\nb.d.e="x"\n[t]\nx=[1,2,\n3\n]\n[[u]]\ny={a=1,b.c=2}\n[[u]]\n[u.v]\nz=1.5e3\n',
    "[a.b]\nc=1\n[a]\nd=2\nb2.e=3\n[a.b2.x]\n",
    's="""\nab\\\n  c"\n"""""\nt=\'\'\'x\'\'\'\nu=\'q\\\'\nv="\\u00e9\\n\\U0001F600"\n',
    "h=0xFF_a\no=0o17\nb=0b1_0\ni=-inf\nn=+nan\nf=1e5\nt=true\n\"q k\".'l'=1\n",
    "a=[{x=1},{x=2}]\n[[c.d]]\n[c.d.e]\n[[c.d]]\n[c.d.e]\n",
]
PIECES = [*"=.[]{},\"'\\#\n \tab1_0x+-eE", *('"""', "'''", "[[", "]]", "a.b", "[a]\n", "[[a]]\n")]


def changed(draw):
    """Return a valid document with some pieces inserted, deleted or doubled."""
    text = draw.choice(SOUND)
    for _ in range(draw.randint(0, 4)):
        first = draw.randint(0, len(text))
        last = first + draw.randint(0, 6)
        piece = draw.choice([draw.choice(PIECES), "", 2 * text[first:last]])
        text = text[:first] + piece + text[draw.choice([first, last]) :]
    return text


def test_the_parser_agrees_with_tomllib():
    tomllib = pytest.importorskip("tomllib")  # tomli, for Python 3.10, may read a later TOML
    draw = random.Random(1)
    refused = 0
    for _ in range(1500):
        text = changed(draw)
        try:
            wanted = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            wanted = None
        try:
            found = toml_reader.read(text)[0]
        except toml_reader.TomlError:
            found = None
        assert repr(found) == repr(wanted), text  # nan is not nan
        refused += wanted is None
    assert 500 < refused < 1250


def test_each_value_has_a_line_number():
    text = 'a.b = 1\n[[c]]\n[[c]]\nd = [ # two\n 1,\n {e = 2}]\nf = """\n"""\ng = 3'
    lines = toml_reader.read(text)[1]
    assert lines == {
        ("a",): 1,
        ("a", "b"): 1,
        ("c",): 2,
        ("c", 0): 2,
        ("c", 1): 3,
        ("c", 1, "d"): 4,
        ("c", 1, "d", 0): 5,
        ("c", 1, "d", 1): 6,
        ("c", 1, "d", 1, "e"): 6,
        ("c", 1, "f"): 7,
        ("c", 1, "g"): 9,
    }


def test_a_long_list_of_tables_is_read_as_a_short_one(monkeypatch):
    rows = "".join(
        f"[[a]] # {n}\r\nx.y = {n}\r\n[b.c{n}]\r\n" + f"[a.z]\r\nw = [{n}]\r\n" * (n % 5 == 0)
        for n in range(20)
    )
    long = "[[a]]\r\nx = 1\r\n" * 20
    found = []
    for far in (1000, 3):
        monkeypatch.setattr(toml_reader, "_FAR", far)
        table = toml_reader.parse(f"{rows}[[d]]\r\n{long.replace('a', 'e')}".encode(), "mine.toml")
        for name in "ae":
            for each in table.tables(name):
                x = each.value("x")
                lines = [each.line(key) for key in (None, "x", "z")]
                found.append((x, each.value("z"), lines))
    assert found[:40] == found[40:]
    assert found[15] == ({"y": 15}, {"w": [15]}, [52, 53, 55])
    assert found[21] == (1, None, [72, 73, 72])


HOSTILE = {  # and what is wrong
    f"a = {'[' * 5000}": "too deeply",
    f"a{'.a' * 100} = 1": "too deeply",
    f"[a{'.a' * 40_000}]": "too deeply",
    f"a = {'{a.b.c.d = ' * 30}": "too deeply",
    f"a = [{'1,' * 100_000}]": "this line is too long",
    f"a = 0x{'f' * 5000}": "this number is too long",
    f"a = {'9' * 5000}": "this number is too long",
    f"a = '{'9' * 900} s'": "is not a time",
    f"a = '{'x' * 5000}'": "xxx$",
    f"a = [\n{'[], ' * 5000}]": r"\[\], \[",
    f"a = '1 s'\n{'b' * 5000} = 1": "unknown key",
}


def test_excessive_depth_or_length_is_rejected_in_one_short_line():
    assert toml_reader.read(f"a = {'[' * 40}{']' * 40}")
    assert toml_reader.read(f"a{'.a' * 40} = 1")
    for text, words in HOSTILE.items():
        with pytest.raises(UserError, match=words) as caught:
            table = toml_reader.parse(text.encode(), "mine.toml")
            table.take("a", toml_reader.time_ms)
            table.finish()
        said = str(caught.value)
        assert said.startswith("mine.toml, line ") and len(said) < 1100 and "\n" not in said, text


def test_stored_values_are_limited_and_a_plain_long_list_of_tables_is_not_stored(monkeypatch):
    monkeypatch.setattr(toml_reader, "_MOST", 3100)
    assert len(toml_reader.read("[[a]]\nb = 1\nc = 2\n" * 5000)[0]["a"]) == 5000
    for text in (
        "".join(f"k{n} = 1\n" for n in range(3101)),
        "".join(f"[k{n}]\n" for n in range(3101)),
        "a = [\n" + "[],\n" * 3101 + "]\n",
        "[[a]]\nb.c = 1\n" * 1100,
        "[[a]]\n[[a.b]]\n" * 1600,
    ):
        with pytest.raises(UserError, match="there are too many values"):
            toml_reader.parse(text.encode(), "mine.toml")


def test_an_endless_file_is_read_only_to_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "mine.toml"
    path.write_text("#" * 5001)
    monkeypatch.setattr(toml_reader, "LARGEST", 5000)
    with pytest.raises(UserError, match="the file is too long"):
        toml_reader.load(str(path))
