"""A program as the text of a file, to read, to change, and to run."""

from city_unit.programs import Program
from city_unit.provenance import SOURCES
from sim import texts_program as texts
from sim.program_file import RANKS, VALUES
from sim.toml_reader import UNITS_MS


def write(program: Program, sources: dict[str, str] | None = None) -> str:
    """Return `program` as a file that says what each value means and where it comes from.

    sources  of values by their names in Program; those of the built-in program if None
    """
    told = SOURCES.get(program.name, {}) if sources is None else sources
    lines = [texts.HEAD, "", f'name = "{program.name}"']
    for key, (attribute, _) in VALUES.items():
        value = getattr(program, attribute)
        if value != () and (value or key == "warning"):
            lines.append(f"{key} = {_written(key, value)}{_comment(told, key, attribute)}")
    if program.marks:
        lines += ["", f"# {texts.MEANS['marks']}{_comment(told, '', 'marks')}"]
    for kind, first, last, every, label in program.marks:
        lines += ["[[marks]]", f'tell = "{kind}"', f"left = {shown(first)}"]
        lines += [f"every = {shown(every)}", f"until = {shown(last)}"] if every else []
        lines += [f'phase = "{label}"'] if label else []
    lines += ["", f"# {texts.MEANS['cues']}{_comment(told, '', 'cues')}", "[cues]"]
    names = {rank: name for name, rank in RANKS.items()}
    for name, (rank, *numbers) in program.cues.items():
        notes = zip(numbers[::2], numbers[1::2], strict=True)
        play = ", ".join(f'"{hz} Hz {ms} ms"' for hz, ms in notes)
        lines.append(f'{name} = {{ rank = "{names[rank]}", play = [{play}] }}')
    return "\n".join(lines) + "\n"


def shown(value: int | tuple[int, ...]) -> str:
    """Return a time in ms as it is written in a file, in the longest unit that fits."""
    if isinstance(value, tuple):
        return f"[{', '.join(shown(one) for one in value)}]"
    for unit in ("min", "s", "ms"):
        if value % UNITS_MS[unit] == 0:
            return f'"{value // UNITS_MS[unit]} {unit}"'
    raise AssertionError(value)


def _written(key: str, value: int | tuple[int, ...]) -> str:
    if key == "odds":
        return str(list(value)) if isinstance(value, tuple) else str(value)
    if key == "auction" and isinstance(value, tuple) and value[0] == value[1]:
        return shown(value[0])
    return shown(value)


def _comment(told: dict[str, str], key: str, attribute: str) -> str:
    parts = [texts.MEANS.get(key, ""), f"[{told[attribute]}]" if attribute in told else ""]
    comment = " ".join(part for part in parts if part)
    return f"  # {comment}" if comment and key else f" {comment}" if comment else ""
