"""Money: integers in notes of 10k, the smallest note, so that no sum is ever rounded.

Files have one format (`parse`, `write`). `show` formats a sum for people in their language.
"""

import re

from city_unit.desktop import forms
from city_unit.desktop.catalogue import _

WRITTEN = re.compile(r"(\d+(?:\.\d+)?)\s*([kM])")
UNITS = {"k": 1000, "M": 1000000}
NOTE = 10000


def parse(text: object) -> int:
    """Return a sum such as "3.5M" or "500k" in notes of 10k.

    Raises ValueError, with the reason, for anything else.
    """
    if text == "0":
        return 0
    found = WRITTEN.fullmatch(text.strip()) if isinstance(text, str) else None
    if not found:
        raise ValueError(_('money is written like "3.5M" or "500k"'))
    whole, _point, part = found[1].partition(".")
    scale = UNITS[found[2]]
    whole_sum = int(whole) * scale + int((part + "000000")[:6]) * scale // 1000000
    if whole_sum % NOTE or len(part) > 6:
        raise ValueError(_("a sum must be a multiple of 10k, the smallest note"))
    return whole_sum // NOTE


def show(notes: int) -> str:
    """Return notes of 10k as people write them: 350 is "3.5M", in French "3,5 M"."""
    return forms.money(notes * NOTE // 1000)


def write(notes: int) -> str:
    """Return notes of 10k as `parse` reads them from files: 350 is "3.5M", 50 is "500k"."""
    sign = "-" if notes < 0 else ""
    notes = abs(notes)
    if not notes:
        return "0"
    if notes < 100:
        return f"{sign}{notes * 10}k"
    whole, part = divmod(notes, 100)
    return f"{sign}{whole}.{part:02d}".rstrip("0").rstrip(".") + "M"
