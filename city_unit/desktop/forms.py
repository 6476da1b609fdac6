"""Format numbers, money, times and lists for the current language.

The rules of a language are entries of its catalogue: translations of the English forms.
"""

from collections.abc import Sequence

from city_unit.desktop.catalogue import pgettext


def number(value: float, places: int = 0) -> str:
    """Format a number with grouped thousands: 12,345.6, in French 12 345,6."""
    whole, _, fraction = f"{value:,.{places}f}".partition(".")
    if "," in whole:
        group = pgettext("how this language writes: what groups thousands", ",")
        whole = whole.replace(",", group)
    mark = pgettext("how this language writes: the decimal mark", ".") if fraction else ""
    return whole + mark + fraction


def shortest(value: float, places: int) -> str:
    """Format a number with at most this many decimals: 2.50 as 2.5, and 2.0 as 2."""
    return number(value, len(f"{value:.{places}f}".partition(".")[2].rstrip("0")))


def signed(value: float, places: int) -> str:
    """Format a number with its sign, also if it is positive: +1.5."""
    words = number(value, places)
    return words if words.startswith("-") else f"+{words}"


def percent(share: float, places: int = 0, is_signed: bool = False) -> str:
    """Format a fraction as a percentage: 0.25 as 25 %."""
    form = pgettext("how this language writes: per cent", "{number} %")
    return form.format(number=(signed if is_signed else number)(100 * share, places))


def seconds(ms: float, places: int = 1) -> str:
    """Format milliseconds as seconds: 1500 as 1.5 s, in French 1,5 s."""
    form = pgettext("how this language writes: seconds", "{number} s")
    return form.format(number=number(ms / 1000, places))


def span_of_time(ms: float) -> str:
    """Format milliseconds as seconds, with as many decimals as needed: 50 s, 0.25 s."""
    form = pgettext("how this language writes: seconds", "{number} s")
    return form.format(number=shortest(ms / 1000, 3))


def milliseconds(ms: float) -> str:
    """Format milliseconds: 12 ms."""
    form = pgettext("how this language writes: milliseconds", "{number} ms")
    return form.format(number=number(ms))


def minutes(ms: int) -> str:
    """Format a time as on a clock, rounded up to seconds: 90 000 ms as 1:30."""
    whole = -(-ms // 1000)
    form = pgettext("how this language writes: minutes and seconds", "{minutes}:{seconds:02d}")
    return form.format(minutes=whole // 60, seconds=whole % 60)


def money(thousands: int) -> str:
    """Format a sum of the game, given in thousands: 500k, 3.5M, in French 500 k, 3,5 M."""
    if abs(thousands) < 1000:
        form = pgettext("how this language writes: thousands of money", "{number}k")
        return form.format(number=number(thousands)) if thousands else "0"
    form = pgettext("how this language writes: millions of money", "{number}M")
    return form.format(number=shortest(thousands / 1000, 3))


def span(least: int, most: int) -> str:
    """Return "2 to 6", or "4" if both are equal."""
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
