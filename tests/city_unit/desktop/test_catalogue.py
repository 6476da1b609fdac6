"""Texts in the language of the user: which it is, and the texts in it."""

import pytest

from city_unit.desktop import catalogue, forms, language
from city_unit.desktop.catalogue import _, lazy, ngettext, nlazy, pgettext, plazy, strange
from city_unit.desktop.language import system_language

WELSH = r"""
# A catalogue by hand.
msgid ""
msgstr ""
"Language: cy\n"
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);\n"

#: somewhere.py
msgid "The port is busy."
msgstr "Mae'r porth"
" yn brysur.\n\"Nawr\""

msgid "{count} game"
msgid_plural "{count} games"
msgstr[0] "un gêm"
msgstr[1] "dwy gêm"
msgstr[2] "{count} gêm"

msgctxt "the button"
msgid "Build"
msgstr "Adeiladu"

#, fuzzy, python-brace-format
msgid "A guess"
msgstr "Dyfaliad"

msgid "Not yet"
msgstr ""

#~ msgid "The port is busy."
#~ msgstr "Nid hyn"
"""


@pytest.fixture
def locale(tmp_path, monkeypatch):
    """A folder of catalogues with Welsh in it; returns how to add another."""

    def add(language, text):
        path = tmp_path / language / "LC_MESSAGES" / "city-unit.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    monkeypatch.setattr(catalogue, "LOCALE", tmp_path)
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    add("cy", WELSH)
    return add


def test_a_text_is_said_in_the_language_that_is_spoken(locale):
    games, busy = nlazy("{count} game", "{count} games"), lazy("The port is busy.")
    assert _("The port is busy.") == str(busy) == "The port is busy."
    assert [games.format(count=count) for count in (1, 2)] == ["1 game", "2 games"]
    catalogue.speak("cy")
    assert _("The port is busy.") == f"{busy}" == 'Mae\'r porth yn brysur.\n"Nawr"'
    said = [games.format(count=count) for count in (1, 2, 3)]
    assert said == ["un gêm", "dwy gêm", "3 gêm"]
    assert ngettext("{count} game", "{count} games", 2) == "dwy gêm"
    assert (pgettext("the button", "Build"), _("Build")) == ("Adeiladu", "Build")
    assert str(plazy("the button", "Build")) == "Adeiladu"


@pytest.mark.parametrize("text", ["A guess", "Not yet", "Never heard of", ""])
def test_what_is_not_translated_for_good_is_said_in_english(locale, text):
    catalogue.speak("cy")
    assert _(text) == text


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"\xff\xfe",
        b"msgid no quotes",
        b"msgstr",
        WELSH.replace("(n==1", "(n=1").encode(),
        WELSH.replace("charset=utf-8", "charset=klingon").encode(),
        WELSH.replace("Language", "Plural-Forms: \\n").encode(),
    ],
)
def test_of_a_broken_catalogue_nothing_is_taken_and_nothing_is_said(locale, broken, capsys):
    locale("cy", broken)
    catalogue.speak("cy")
    assert _("Not yet") == "Not yet"
    assert ngettext("{count} game", "{count} games", 1) in ("{count} game", "un gêm")
    assert capsys.readouterr() == ("", "")


def test_no_catalogues_at_all_is_english(monkeypatch, tmp_path):
    monkeypatch.setattr(catalogue, "LOCALE", tmp_path / "nowhere")
    catalogue.speak("fr")
    assert (catalogue.speaking(), catalogue.languages()) == ("en", ["en"])


@pytest.mark.parametrize(
    ("asked", "environ", "spoken"),
    [
        ("", {}, "en"),
        ("cy", {"LANG": "C"}, "cy"),
        ("en", {"LANG": "cy_GB"}, "en"),
        ("tlh", {"LANG": "cy_GB.UTF-8"}, "cy"),
        ("", {"LANG": "cy_GB.UTF-8@euro"}, "cy"),
        ("", {"LANG": "cy_GB", "LC_MESSAGES": "C"}, "en"),
        ("", {"LANG": "C", "LC_MESSAGES": "cy"}, "cy"),
        ("", {"LC_ALL": "POSIX", "LC_MESSAGES": "cy"}, "en"),
        ("", {"LC_ALL": "", "LANG": "cy"}, "cy"),
        ("", {"LANG": "tlh_QO.UTF-8"}, "en"),
        ("CY-gb", {}, "cy"),
        ("xx", {}, "xx"),
        ("../../etc", {}, "en"),
    ],
)
def test_the_language_is_the_one_asked_for_or_the_systems(locale, asked, environ, spoken):
    language.choose(asked, environ)
    assert catalogue.speaking() == spoken


def test_the_choice_of_a_window_is_its_own(locale, tmp_path, monkeypatch):
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    english = {"LANG": "en_GB"}
    language.choose("", english)
    language.change_in("unit", english)
    assert (catalogue.speaking(), language.saved("unit"), language.saved("table")) == (
        "cy",
        "cy",
        "",
    )
    language.choose("", english)
    language.choose_for("table")
    assert catalogue.speaking() == "en"
    language.choose_for("unit")
    assert catalogue.speaking() == "cy"
    language.choose("en", english)  # `--lang` is above it
    language.choose_for("unit")
    assert catalogue.speaking() == "en"
    language.choose("", {"LANG": "cy_GB"})
    language.change_in("unit", {"LANG": "cy_GB"})
    language.change_in("unit", {"LANG": "cy_GB"})
    assert (catalogue.speaking(), language.saved("unit")) == ("cy", "")  # back at the system's


def test_a_system_that_is_not_told_by_its_environment_is_asked():
    assert system_language({}, "linux") == ""
    assert system_language({"LANG": "fr_FR"}, "win32") == "fr_FR"


def test_a_language_has_a_name_of_its_own():
    assert [catalogue.own_name(name) for name in ("en", "fr")] == ["English", "français"]


def test_what_a_catalogue_says_is_what_a_full_reader_finds():
    """Babel reads .po files by the book; ours finds the same."""
    babel = pytest.importorskip("babel.messages.pofile")
    with catalogue.path_of("fr").open("rb") as file:
        theirs = [message for message in babel.read_po(file) if message.id and message.string]
    catalogue.speak("fr")
    for message in theirs:
        context = (message.context,) if message.context else ()
        if isinstance(message.id, str):
            assert (pgettext if context else _)(*context, message.id) == message.string
            continue
        for place, form in enumerate(message.string):
            assert ngettext(*message.id, place + 1) == form


def test_a_language_is_spoken_to_one_and_not_to_the_rest():
    before = catalogue.speaking()
    with catalogue.spoken("fr"):
        assert catalogue.speaking() == "fr" and catalogue.own_name("fr") == "français"
        with pytest.raises(ValueError, match="inside"), catalogue.spoken("en"):
            raise ValueError("inside")
        assert catalogue.speaking() == "fr"
    assert catalogue.speaking() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Build", "[Büíld]"),
        ("The port is busy.", "[Thé pört ís büsý.~~~~~]"),
        ("{player} bids {amount:>5}.", "[{player} bíds {amount:>5}.~]"),
        ("%(prog)s: %d of %s", "[%(prog)s: %d öf %s]"),
    ],
)
def test_a_text_is_longer_in_brackets_and_accented(text, said):
    assert strange(text) == said


def test_it_comes_right_from_the_catalogue():
    catalogue.speak("xx")
    assert _("Build") == "[Büíld]"
    assert ngettext("{count} game", "{count} games", 2) == "[{count} gámés]"
    assert forms.number(1234.5, 1) == "1,234.5"  # how it writes numbers are no words
