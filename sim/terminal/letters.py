"""Large letters for a terminal: five lines high, so that a table reads them. Pure."""

import unicodedata

HEIGHT = 5
GAP = " "

# Each letter from top to bottom; a letter that is not here has no large form.
_FORMS = {
    " ": ("  ",) * 5,
    ":": (" ", "#", " ", "#", " "),
    "!": ("#", "#", "#", " ", "#"),
    ".": (" ", " ", " ", " ", "#"),
    "'": ("#", "#", " ", " ", " "),
    "-": ("   ", "   ", "###", "   ", "   "),
    "0": ("####", "#  #", "#  #", "#  #", "####"),
    "1": (" ## ", "  # ", "  # ", "  # ", " ###"),
    "2": ("####", "   #", "####", "#   ", "####"),
    "3": ("####", "   #", " ###", "   #", "####"),
    "4": ("#  #", "#  #", "####", "   #", "   #"),
    "5": ("####", "#   ", "####", "   #", "####"),
    "6": ("####", "#   ", "####", "#  #", "####"),
    "7": ("####", "   #", "  # ", " #  ", " #  "),
    "8": ("####", "#  #", "####", "#  #", "####"),
    "9": ("####", "#  #", "####", "   #", "####"),
    "A": (" ## ", "#  #", "####", "#  #", "#  #"),
    "B": ("### ", "#  #", "### ", "#  #", "### "),
    "C": (" ###", "#   ", "#   ", "#   ", " ###"),
    "D": ("### ", "#  #", "#  #", "#  #", "### "),
    "E": ("###", "#  ", "###", "#  ", "###"),
    "F": ("###", "#  ", "###", "#  ", "#  "),
    "G": (" ###", "#   ", "# ##", "#  #", " ###"),
    "H": ("#  #", "#  #", "####", "#  #", "#  #"),
    "I": ("#", "#", "#", "#", "#"),
    "J": ("  #", "  #", "  #", "# #", " # "),
    "K": ("#  #", "# # ", "##  ", "# # ", "#  #"),
    "L": ("#  ", "#  ", "#  ", "#  ", "###"),
    "M": ("#   #", "## ##", "# # #", "#   #", "#   #"),
    "N": ("#   #", "##  #", "# # #", "#  ##", "#   #"),
    "O": (" ## ", "#  #", "#  #", "#  #", " ## "),
    "P": ("### ", "#  #", "### ", "#   ", "#   "),
    "Q": (" ## ", "#  #", "#  #", " ## ", "   #"),
    "R": ("### ", "#  #", "### ", "# # ", "#  #"),
    "S": (" ###", "#   ", " ## ", "   #", "### "),
    "T": ("###", " # ", " # ", " # ", " # "),
    "U": ("#  #", "#  #", "#  #", "#  #", " ## "),
    "V": ("#   #", "#   #", "#   #", " # # ", "  #  "),
    "W": ("#   #", "#   #", "# # #", "## ##", "#   #"),
    "X": ("#   #", " # # ", "  #  ", " # # ", "#   #"),
    "Y": ("# #", "# #", " # ", " # ", " # "),
    "Z": ("####", "  # ", " #  ", "#   ", "####"),
}


def large(words: str, width: int, ink: str = "#") -> list[str]:
    """Return words as five lines of at most `width` columns, in the middle of them.

    Where they do not fit so large, or a letter of theirs has no form, they are spread instead.
    """
    plain = _without_accents(words.upper())  # no text: the forms are of capitals
    if plain and all(letter in _FORMS for letter in plain):
        forms = [_FORMS[letter] for letter in plain]
        rows = [GAP.join(form[row] for form in forms) for row in range(HEIGHT)]
        if len(rows[0]) <= width:
            return [row.replace("#", ink).center(width).rstrip() for row in rows]
    spread = " ".join(words)
    line = (spread if len(spread) <= width else words[:width]).center(width).rstrip()
    return ["", "", line, "", ""]


def _without_accents(words: str) -> str:
    """Return words in the letters that have a form: É as E, a narrow space as a space."""
    signs = unicodedata.normalize("NFKD", words.replace("\u2019", "'"))
    return "".join(sign for sign in signs if not unicodedata.combining(sign))
