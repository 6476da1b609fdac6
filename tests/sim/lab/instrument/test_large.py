"""Large, damaged and hostile captures: the same edges by either way of reading, or one sentence."""

import random
import zipfile

import pytest

from city_unit.desktop.errors import UserError
from sim.lab.instrument import capture_file
from tests.helpers.needs import needs_modules

needs_modules("vcd", "numpy")

HEAD = '$timescale 1 us $end\n$var wire 1 ! a $end\n$var wire 1 " b $end\n$enddefinitions $end\n'


def random_vcd(path, seed, vector=False):
    chance = random.Random(seed)
    at = chance.randrange(100)
    rows = [f'#{at}\n$dumpvars\n0!\n1"\n$end']
    for _ in range(400):
        at += chance.randrange(50)
        changes = [f"{chance.choice('01xz')}{chance.choice('!')}", f'{chance.choice("01")}"']
        rows.append(f"#{at} " + chance.choice([" ", "\n"]).join(changes[: chance.randrange(3)]))
    rows += ["b1 !"] * vector + [f"#{at + 5}"] * chance.randrange(2)
    path.write_text(HEAD + "\n".join(rows) + "\n")
    return str(path)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("piece", [64, 1 << 22])
def test_a_vcd_is_read_alike_with_numpy_and_without(tmp_path, monkeypatch, seed, piece):
    path = random_vcd(tmp_path / "a.vcd", seed, vector=seed == 5)
    if seed == 4:  # changes before the first time, and no end of the last line
        text = (tmp_path / "a.vcd").read_text().replace(HEAD, HEAD + '0!\n1!\n0"\n')
        (tmp_path / "a.vcd").write_text(text + "$dumpoff\n0!\n$end")
    monkeypatch.setattr(capture_file, "_PIECE", piece)
    fast = capture_file.load(path)
    monkeypatch.setattr(capture_file, "np", None)
    assert capture_file.load(path) == fast


@pytest.mark.parametrize("word", ["1", "#"])
@pytest.mark.parametrize("has_numpy", [True, False])
def test_a_vcd_with_half_a_word_is_refused(tmp_path, monkeypatch, word, has_numpy):
    path = tmp_path / "a.vcd"
    path.write_text(f"{HEAD}#0\n0!\n{word}\n#9\n1!\n#20\n")
    if not has_numpy:
        monkeypatch.setattr(capture_file, "np", None)
    with pytest.raises(UserError) as caught:
        capture_file.load(str(path))
    assert "\n" not in str(caught.value)


def session(path, samples, width=1, rate="1 MHz", parts=1):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        probes = "".join(f"probe{n}=D{n}\n" for n in range(1, 4))
        about = f"[device 1]\ncapturefile=logic-1\nunitsize={width}\nsamplerate={rate}\n{probes}"
        file.writestr("metadata", about)
        size = -(-len(samples) // parts)
        for n in range(parts):
            name = f"logic-1-{n + 1}" if parts > 1 else "logic-1"
            file.writestr(name, samples[n * size : (n + 1) * size])
    return str(path)


@pytest.mark.parametrize(("width", "parts"), [(1, 1), (2, 3), (4, 1)])
def test_a_session_is_read_alike_with_numpy_and_without(tmp_path, monkeypatch, width, parts):
    chance = random.Random(width)
    samples = b"".join(
        chance.randrange(8).to_bytes(width, "little") * chance.randrange(1, 900) for _ in range(300)
    )
    path = session(tmp_path / "a.sr", samples, width, parts=parts)
    monkeypatch.setattr(capture_file, "_SAMPLES", 1001)
    fast = capture_file.load(path)
    assert sum(len(line.turns) for line in fast.lines.values()) > 300
    monkeypatch.setattr(capture_file, "np", None)
    assert capture_file.load(path) == fast


HOSTILE = {
    "rate.sr": lambda path: session(path, b"\0\1", rate="0 Hz"),
    "width.sr": lambda path: session(path, b"\0\1", width=1 << 40),
    "rate.huge.sr": lambda path: session(path, b"\0\1", rate="9" * 400 + " GHz"),
    "metadata.sr": lambda path: session(path, b"\0\1", rate="1 MHz\n" + "#" * 2**26 + "\nx"),
    "backwards.vcd": lambda path: path.write_text(HEAD + "#9\n0!\n#3\n1!\n") and None,
    "huge.vcd": lambda path: path.write_text(HEAD + f"#0\n0!\n#{2**62}\n1!\n") and None,
    "far.vcd": lambda path: path.write_text(HEAD + f"#0\n0!\n#{2**80}\n1!\n") and None,
    "lines.vcd": lambda path: (
        path.write_text("".join(f"$var wire 1 c{n} n{n} $end\n" for n in range(5000))) and None
    ),
    "head.vcd": lambda path: path.write_text("$timescale 1 us") and None,
    "comment.vcd": lambda path: path.write_text("$comment" + " x" * 2**23) and None,
    "scale.vcd": lambda path: path.write_text(HEAD.replace("1 us", "0 us") + "#0\n0!") and None,
    "quote.csv": lambda path: path.write_text('Time [s],a\n0,"' + "x" * 200_000) and None,
    "far.csv": lambda path: path.write_text(f"Time [s],a\n0,0\n{2**63},1\n") and None,
    "further.csv": lambda path: path.write_text("Time [s],a\n0,0\n1e308,1\n") and None,
    "rate.csv": lambda path: path.write_text(f"; Samplerate: {'9' * 400} Hz\na\n0\n") and None,
    "twice.csv": lambda path: path.write_text("Time [s],a,a\n0,0,0\n1,1,0\n") and None,
    "lines.csv": lambda path: (
        path.write_text("Time [s]" + "".join(f",{n}" for n in range(5000)) + "\n0\n") and None
    ),
}
MISTAKES = {  # and the words that name each
    "empty.vcd": (b"", "$enddefinitions is missing"),
    "noise.vcd": (b"\x00\xff" * 99, "cannot be read"),
    "empty.sr": (b"", "no whole session of sigrok"),
    "nothing.sr": (b"PK\x03\x04 nothing", "no whole session of sigrok"),
    "empty.csv": (b"", "it is empty"),
    "heading.csv": (b"Time [s],D0\n", "nothing below its heading"),
    "x.csv": (b"Time [s],D0\n0.0,0\nx,1\n", 'row 2: "x" is no time'),
    "nan.csv": (b"Time [s],D0\nnan,0\n", 'row 1: "nan" is no time'),
    "volts.csv": (b"Time [s],D0\n0.0,3.3\n", 'row 1: "3.3" is no level'),
    "backwards.csv": (b"Time [s],D0\n1.0,0\n0.5,1\n", "row 2 is earlier"),
    "untimed.csv": (b"D0,D1\n0,1\n", "neither a column of times nor a rate"),
    "a.sal": (b"", "export one of these"),
    "missing.csv": (None, ""),
}


@pytest.mark.parametrize("name", [*HOSTILE, *MISTAKES])
def test_a_hostile_file_gets_one_sentence(tmp_path, name):
    path, (content, words) = tmp_path / name, MISTAKES.get(name, (b"", ""))
    if content is not None:
        path.write_bytes(content)
    if name in HOSTILE:
        HOSTILE[name](path)
    with pytest.raises(UserError) as caught:
        capture_file.load(str(path))
    assert "\n" not in str(caught.value) and name in str(caught.value)
    assert words in str(caught.value)
    assert caught.value.code == 2 and len(str(caught.value)) < 300


@pytest.mark.parametrize("rows", [3, 1 << 20])
@pytest.mark.parametrize(
    "odd", ["", "low", "; a comment", "2.5", "01", " 1", "1.0", "\n", "1e999,0,0"]
)
@pytest.mark.parametrize("count", [40, 1])
def test_a_table_is_read_alike_with_numpy_and_without(
    tmp_path, monkeypatch, recwarn, rows, odd, count
):
    chance = random.Random(rows)
    at, text = 5.0, ["Time [s],a,b,pitch_hz,events"]
    for _ in range(count):
        at += chance.random() / 100
        text.append(f"{at:.9f},{chance.randrange(2)},{chance.randrange(2)},0,an event")
    text += [odd if odd[:1] in ";\n1" else f"{at + 1:.9f},{odd},0,0,"] * 2 * bool(odd)
    path = tmp_path / "a.csv"
    path.write_text("\n".join(text) + "\n")

    def read():
        try:
            return capture_file.load(str(path))
        except UserError as error:
            return str(error)

    monkeypatch.setattr(capture_file, "_CELLS", 3 * rows)
    fast = read()
    assert not recwarn.list  # they would be lines on the screen
    monkeypatch.setattr(capture_file, "np", None)
    assert read() == fast
