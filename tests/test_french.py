"""French style: errors that readers found in one place are searched for everywhere.

test_catalogue.py and test_pages.py check the spaces before ; : ! ? and inside « ».
"""

import re
from pathlib import Path

from tests.helpers.needs import needs_modules

needs_modules("babel")

from tests import catalogue  # noqa: E402

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    path
    for path in ROOT.rglob("*.fr.md")
    if not {".venv", "node_modules"} & set(path.relative_to(ROOT).parts)
)

# The pattern of each kind of error.
MISTAKES = {
    "passé simple": (
        r"\b(?:il|elle|on|qui|ce|cela|l’\w+) "
        r"(?:fut|eut|vint|devint|tint|mit|prit|alla|resta|put|sut)\b"
        r"|\b(?:furent|eurent|vinrent|firent|prirent|mirent|tinrent|devinrent)\b"
        r"|\b(?:fut|eut) \w+é\b"
    ),
    "presser for appuyer sur": r"(?i)\bpress(?:e|ez|er|ent|ant|é|ée|és)\b(?!-)",
    "tenir for maintenir": r"(?i)\btenez\b(?! compte)|\ben tenant\b",
    "gens for joueurs": r"\bgens\b",
    "dire for taper": r"\bdites (?:`|--|py\b)",
    "a verb that takes no object": r"enchéri\w* l’argent",
    "an English placeholder": (
        r"\b(?:FILE|FOLDER|COMMAND|RECORDING|NAME|LINE|SHELL_|BODY|SEATS|TIME)\b"
    ),
    "no elision before a name": (
        r"(?i)\b(?:de|que|jusque|lorsque|puisque) "
        r"\{(?:district|player|partner|creditor|holder|opener)\}"
    ),
    "quotation marks of a typewriter": (
        r"(?<![\w=\[(,`\\])\"[^\"=\n]*\"(?![\w`])|(?<![\w=\[(,`])'[^'\n]+'"
    ),
}

# Words that look like an error but are right.
RIGHT = {
    # words of the protocol
    "NAME [CLOCK",
    "do TAG SEQ",
    "CLIENT TAG 1",
    "VERSION, BODY et NAME",
    "program=NAME",
    "WORD/NAME",
    "auto:NAME",
    "SECRET/NAME",
}


def mistakes(text):
    """Return the errors in a text, each with some context."""
    bare = re.sub(r"`[^`\n]*`|<!--.*?-->", "`x`", text)
    found = []
    for kind, pattern in MISTAKES.items():
        where = text if "placeholder" in kind or "dire" in kind else bare
        for hit in re.finditer(pattern, where):
            words = where[max(0, hit.start() - 40) : hit.end() + 25].replace("\n", " ")
            if not any(right in words for right in RIGHT):
                found.append(f"{kind}: {words}")
    return found


def prose(text):
    """Return a text without the string literals of its code."""
    is_code, kept = False, []
    for line in text.splitlines():
        if line.startswith("```"):
            is_code = not is_code
        elif is_code or line.startswith("  "):
            kept.append(re.sub(r"[\"'][^\"']*[\"']", "x", line))
        else:
            kept.append(line)
    return "\n".join(kept)


def test_the_catalogue_and_the_pages_have_none():
    said = [message.string for message in catalogue.read("fr") if message.id]
    texts = [form for text in said for form in (text if isinstance(text, tuple) else (text,))]
    texts += [page.read_text(encoding="utf-8") for page in PAGES]
    assert [found for text in texts for found in mistakes(prose(text))] == []


def test_a_link_to_an_english_page_says_so():
    wrong = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for hit in re.finditer(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", text):
            begun = text.rfind("\n", 0, hit.start()) + 1
            line = text[begun : text.find("\n", hit.end())]
            near = text[begun : begun + len(line) + 60]
            says_so = "In English" in line or "en anglais" in line or "en anglais)" in near
            if not (hit[1].endswith(".fr.md") or says_so):
                wrong.append(f"{page.name}: {hit[1]}")
    assert wrong == []
