"""Catalogues as translators write them (.po), compiled into gettext's form (.mo), in memory.

The form of both is the manual of GNU gettext's, "The Format of PO Files" and "The Format of
GNU MO Files". Comments, entries that are marked fuzzy or obsolete, and entries without a
translation are left out, as gettext itself does.
"""

import re
import struct
from collections.abc import Iterator

_MAGIC = 0x950412DE
_FIELD = re.compile(r"(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\])\s+)?\"(.*)\"")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def entries(text: str) -> dict[str, str]:
    """Return the translations by their keys, both as gettext has them in a .mo.

    A context stands before its key and \\x04; the forms of a plural are parted by \\0. The head
    of the file has the key "". Raises ValueError, with the line.
    """
    return dict(_entry(fields) for fields in _blocks(text) if _is_said(fields))


def _blocks(text: str) -> Iterator[dict[str, str]]:
    """Return the fields of each entry, and among them "fuzzy" if it is marked so."""
    fields: dict[str, str] = {}
    name = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line.startswith("#") or not line:
            if "msgid" in fields:
                yield fields
                fields, name = {}, ""
            if line.startswith("#,") and "fuzzy" in line:
                fields["fuzzy"] = ""
            continue
        found = _FIELD.fullmatch(line)
        if not found or not (found[1] or name):
            mistake = f"line {number}: this is no line of a catalogue"  # no text: nobody sees it
            raise ValueError(mistake)
        if found[1] in ("msgctxt", "msgid") and "msgid" in fields:
            yield fields
            fields = {}
        name = found[1] or name
        fields[name] = fields.get(name, "") + _ESCAPE.sub(
            lambda sign: _ESCAPED.get(sign[1], sign[1]), found[2]
        )
    if "msgid" in fields:
        yield fields


def _is_said(fields: dict[str, str]) -> bool:
    """Return whether all forms of an entry are translated for good; the head always counts."""
    forms = [said for name, said in fields.items() if name.startswith("msgstr")]
    return fields["msgid"] == "" or ("fuzzy" not in fields and bool(forms) and all(forms))


def _entry(fields: dict[str, str]) -> tuple[str, str]:
    key = fields["msgid"]
    if "msgctxt" in fields:
        key = f"{fields['msgctxt']}\x04{key}"
    if "msgid_plural" not in fields:
        return key, fields.get("msgstr", "")
    forms = [said for name, said in sorted(fields.items()) if name.startswith("msgstr[")]
    return f"{key}\0{fields['msgid_plural']}", "\0".join(forms)


def compiled(text: str) -> bytes:
    """Return the .mo of a .po; raises ValueError."""
    pairs = [(key.encode(), said.encode()) for key, said in sorted(entries(text).items())]
    strings = [*(key for key, _ in pairs), *(said for _, said in pairs)]
    table_at = 7 * 4
    string_at = table_at + 8 * len(strings)
    numbers = [_MAGIC, 0, len(pairs), table_at, table_at + 8 * len(pairs), 0, 0]
    for string in strings:
        numbers += [len(string), string_at]
        string_at += len(string) + 1
    return struct.pack(f"<{len(numbers)}I", *numbers) + b"".join(s + b"\0" for s in strings)
