"""Writes the program learned from a recording as a program file that names its source."""

from collections.abc import Iterator
from pathlib import Path

from city_unit.desktop import toml_reader
from city_unit.desktop.catalogue import _, lazy
from city_unit.desktop.errors import FAILURE, UserError
from city_unit.desktop.files import refuse_no_folder, write_whole
from city_unit.programs import Program
from sim.engine import program_file, program_text
from sim.engine.program_name import plain_name
from sim.engine.provenance import SOURCES
from sim.lab.listen.beeps.listening import Beep
from sim.lab.listen.cues import against
from sim.lab.listen.cues.learning import Learned, learn

EXISTS = lazy("{path} is there already; another name, or --force to write over it")
DOUBTFUL = lazy("heard, but not well enough to know them: {cues}")
AUCTIONS = lazy("auctions of different lengths were heard: {lengths}")
WARNINGS = lazy("the warning came at different times before the end: {lengths}")
ASSUMED = lazy(
    "assumed: the last sound of an auction is its end; to know it, record a press right after it"
)
BY_PLACE = lazy("known by when they came, for they sound otherwise: {cues}")


def refuse(path: str, is_forced: bool) -> None:
    """Raise UserError if no program may be written there."""
    if Path(path).suffix.lower() != ".toml":
        raise UserError(_("{path}: a program is written as a .toml").format(path=path))
    if Path(path).exists() and not is_forced:
        raise UserError(EXISTS.format(path=path))
    refuse_no_folder(path)


def write(path: str, beeps: list[Beep], base: Program, recording: str) -> Learned:
    """Write the program that was heard; raises UserError, also if nothing was recognised."""
    stem = Path(path).stem
    learned = learn(beeps, base, plain_name(stem))
    learned.program.title = stem if learned.program.name != stem else ""
    if not learned.is_unit:
        words = _(
            "nothing was learned: a unit is known by an auction; record two of them, each from its "
            "press to its end, and nothing else that beeps"
        )
        raise UserError(words, FAILURE)
    text = program_text.write(learned.program, _sources(learned, base, recording))
    program_file.read(toml_reader.parse(text.encode(), path))  # the written file can be read
    write_whole(path, text)
    return learned


def _sources(learned: Learned, base: Program, recording: str) -> dict[str, str]:
    """Return where each value comes from: this recording, or where the program had it from."""
    source = _("learned from {path}").format(path=_printable(recording))
    sources = {name: str(known) for name, known in SOURCES.get(base.name, {}).items()}
    others = sources.get("cues", base.name)
    sources.update(dict.fromkeys(learned.values, source))
    for name, words in spreads(learned):
        sources[name] = f"{sources.get(name, base.name)}; {words}"
    for value in learned.assumed[:1]:
        sources[value] = f"{source}; {ASSUMED}"
    if learned.cues:
        sources["cues"] = "; ".join(_of_cues(learned, source, others))
    return sources


def spreads(learned: Learned) -> Iterator[tuple[str, str]]:
    """Yield each length that was not always the same, and the values that were heard."""
    said = {"auction_ms": AUCTIONS, "warning_ms": WARNINGS}
    for name, words in said.items():
        each = against.every(learned, name)
        if len(each) > 1:
            yield name, words.format(lengths=against.in_words(each))


def _of_cues(learned: Learned, source: str, others: str) -> Iterator[str]:
    """Say where the cues come from.

    others  where those come from that were not heard
    """
    yield f"{source}: {', '.join(learned.cues)}"
    if learned.hz:
        words = _("the others: {source}, at the one pitch heard, {hz:.0f} Hz")
        yield words.format(source=others, hz=learned.hz)
    else:
        yield _("the others: {source}").format(source=others)
    if learned.by_place:
        yield BY_PLACE.format(cues=", ".join(learned.by_place))
    if learned.doubtful:
        yield DOUBTFUL.format(cues=", ".join(learned.doubtful))
    if learned.unsure:
        words = _("not learned, presses that may be an auction's or another's: {count}")
        yield words.format(count=len(learned.unsure))


def _printable(name: str) -> str:
    """Return a file's name as a comment can hold it."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)
