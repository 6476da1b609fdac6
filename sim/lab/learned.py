"""Writes what was learned from a recording as a program file that says so."""

from pathlib import Path

from city_unit.programs import Program
from city_unit.provenance import SOURCES
from sim import program_file, program_text, texts_listen, toml_reader
from sim.errors import UserError
from sim.files import refuse_no_folder, write_whole
from sim.lab.learning import Learned, learn
from sim.lab.listening import Beep


def refuse(path: str, is_forced: bool) -> None:
    """Raise UserError if no program may be written there."""
    if Path(path).suffix.lower() != ".toml":
        raise UserError(texts_listen.STRANGE_PROGRAM.format(path=path))
    if Path(path).exists() and not is_forced:
        raise UserError(texts_listen.EXISTS.format(path=path))
    refuse_no_folder(path)


def write(path: str, beeps: list[Beep], base: Program, recording: str) -> Learned:
    """Write the program that was heard; raises UserError, also if nothing was recognised."""
    learned = learn(beeps, base, program_file.name_of(Path(path).stem))
    if not learned.values and not learned.cues:
        raise UserError(texts_listen.NOTHING_LEARNED.format(name=base.name), 1)
    text = program_text.write(learned.program, _sources(learned, base, recording))
    program_file.read(toml_reader.parse(text.encode(), path))  # what is written can be read
    write_whole(path, text.encode())
    return learned


def _sources(learned: Learned, base: Program, recording: str) -> dict[str, str]:
    """Return where each value comes from: this recording, or where the program had it from."""
    source = texts_listen.LEARNED_FROM.format(path=_printable(recording))
    told = dict(SOURCES.get(base.name, {}))
    told.update(dict.fromkeys(learned.values, source))
    if learned.cues:
        rest = told.get("cues", base.name)
        if learned.hz:
            rest = texts_listen.AT_ONE_PITCH.format(rest=rest, hz=learned.hz)
        told["cues"] = texts_listen.LEARNED_CUES.format(
            source=source, cues=", ".join(learned.cues), rest=rest
        )
        if learned.by_place:
            told["cues"] += texts_listen.BY_PLACE.format(cues=", ".join(learned.by_place))
        if learned.unsure:
            told["cues"] += texts_listen.UNSURE_CUES.format(count=len(learned.unsure))
    return told


def _printable(name: str) -> str:
    """Return a file's name as a comment can hold it."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)
