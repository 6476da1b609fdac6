"""Numbers, money, times and lists, as the language sets them.

How it does so stands in its catalogue, as translations of how English does.
"""

from collections.abc import Sequence

from city_unit.desktop.catalogue import pgettext


def number(value: float, places: int = 0) -> str:
    """Return a number with its thousands in groups: 12,345.6, in French 12 345,6."""
    whole, _, fraction = f"{value:,.{places}f}".partition(".")
    if "," in whole:
        group = pgettext("how this language writes: what groups thousands", ",")
        whole = whole.replace(",", group)
    mark = pgettext("how this language writes: the decimal mark", ".") if fraction else ""
    return whole + mark + fraction


def shortest(value: float, places: int) -> str:
    """Return a number with at most so many places: 2.50 is 2.5, and 2.0 is 2."""
    return number(value, len(f"{value:.{places}f}".partition(".")[2].rstrip("0")))


def signed(value: float, places: int = 0) -> str:
    """Return a number with its sign, also if it is no less than 0: +1.5."""
    words = number(value, places)
    return words if words.startswith("-") else f"+{words}"


def percent(share: float, places: int = 0, is_signed: bool = False) -> str:
    """Return a share of 1 in per cent: 0.25 is 25 %."""
    form = pgettext("how this language writes: per cent", "{number} %")
    return form.format(number=(signed if is_signed else number)(100 * share, places))


def seconds(ms: float, places: int = 1) -> str:
    """Return milliseconds as seconds: 1500 is 1.5 s, in French 1,5 s."""
    form = pgettext("how this language writes: seconds", "{number} s")
    return form.format(number=number(ms / 1000, places))


def span_of_time(ms: float) -> str:
    """Return milliseconds as seconds, with the places it takes: 50 s, 0.25 s, in French 0,25 s."""
    form = pgettext("how this language writes: seconds", "{number} s")
    return form.format(number=shortest(ms / 1000, 3))


def milliseconds(ms: float, places: int = 0) -> str:
    """Return milliseconds: 12 ms."""
    form = pgettext("how this language writes: milliseconds", "{number} ms")
    return form.format(number=number(ms, places))


def minutes(ms: int) -> str:
    """Return a time as on a clock: 90 000 ms is 1:30, and a part of a second is a whole one."""
    whole = -(-ms // 1000)
    form = pgettext("how this language writes: minutes and seconds", "{minutes}:{seconds:02d}")
    return form.format(minutes=whole // 60, seconds=whole % 60)


def money(thousands: int) -> str:
    """Return a sum of the game, given in thousands: 500k, 3.5M, in French 500 k, 3,5 M."""
    if abs(thousands) < 1000:
        form = pgettext("how this language writes: thousands of money", "{number}k")
        return form.format(number=number(thousands)) if thousands else "0"
    form = pgettext("how this language writes: millions of money", "{number}M")
    return form.format(number=shortest(thousands / 1000, 3))


def span(least: int, most: int) -> str:
    """Return "2 to 6", or "4" if there is only that."""
    if least == most:
        return number(least)
    form = pgettext("how this language writes: from a number to a number", "{least} to {most}")
    return form.format(least=number(least), most=number(most))


def all_of(items: Sequence[object]) -> str:
    """Return "a, b and c"."""
    return _listed(
        items, pgettext("how this language writes: the last of all", "{first} and {last}")
    )


def any_of(items: Sequence[object]) -> str:
    """Return "a, b or c"."""
    return _listed(
        items, pgettext("how this language writes: the last of some", "{first} or {last}")
    )


def _listed(items: Sequence[object], form: str) -> str:
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    comma = pgettext("how this language writes: between the first of a list", ", ")
    return form.format(first=comma.join(words[:-1]), last=words[-1])
