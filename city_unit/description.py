"""The description of a unit's program, so that clients need no copy of its parameters."""

from .programs import Program

_FIXED = 3  # pages of every program


def page(program: Program, index: int) -> str:
    """Return page `index` of the description of `program`; "" if there is no such page.

    A page consists of words `KEY=VALUE`, at most 80 bytes. The parts of a VALUE are separated by
    commas.
    """
    choices = program.clock_choices_ms
    marks = program.marks
    pages = _FIXED + len(choices) + len(marks)
    if index == 0:
        return "program=%s clock=%d pages=%d" % (program.name, program.clock_ms, pages)
    if index == 1:
        figures = program.auction_ms + (program.warning_ms, program.cancel_hold_ms)
        return "auction=%d,%d warning=%d hold=%d" % figures
    if index == 2:
        odds = ",".join([str(weight) for weight in program.odds]) or "0"
        hops = sum(program.permit_hops_ms)
        return "odds=%s permit=%d shown=%d" % (odds, hops, program.permit_shown_ms)
    if 2 < index < _FIXED + len(choices):
        return "choice=%d" % choices[index - _FIXED]
    if 2 < index < pages:
        return "mark=%s,%d,%d,%d,%s" % marks[index - _FIXED - len(choices)]
    return ""
