"""Translated texts, and formats of numbers and lists."""

import pytest

from city_unit.desktop import catalogue, forms, language
from city_unit.desktop.catalogue import _, lazy, ngettext, nlazy, pgettext, plazy
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
    """Use a folder of catalogues with Welsh in it; return a function that adds a language."""

    def add(language, text):
        path = tmp_path / language / "LC_MESSAGES" / "city-unit.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    monkeypatch.setattr(catalogue, "LOCALE", tmp_path)
    monkeypatch.setenv("CITY_UNIT_SETTINGS", str(tmp_path / "settings.json"))
    add("cy", WELSH)
    return add


def test_texts_are_translated_into_the_current_language(locale):
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


def test_texts_without_a_valid_translation_stay_english(locale, capsys):
    catalogue.speak("cy")
    for text in ("A guess", "Not yet", "Never heard of", ""):
        assert _(text) == text
    for broken in (
        b"",
        b"\xff\xfe",
        b"msgid no quotes",
        b"msgstr",
        WELSH.replace("(n==1", "(n=1").encode(),
        WELSH.replace("charset=utf-8", "charset=klingon").encode(),
        WELSH.replace("Language", "Plural-Forms: \\n").encode(),
    ):
        locale("tlh", broken)
        catalogue.speak("tlh")
        assert _("Not yet") == "Not yet", broken
        assert ngettext("{count} game", "{count} games", 1) in ("{count} game", "un gêm"), broken
    assert capsys.readouterr() == ("", "")


def test_without_catalogues_the_language_is_english(monkeypatch, tmp_path):
    monkeypatch.setattr(catalogue, "LOCALE", tmp_path / "nowhere")
    catalogue.speak("fr")
    assert (catalogue.speaking(), catalogue.languages()) == ("en", ["en"])


def test_the_language_is_the_chosen_one_or_the_systems(locale):
    for asked, environ, spoken in (
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
    ):
        language.choose(asked, environ)
        assert catalogue.speaking() == spoken, (asked, environ)
    assert system_language({}, "linux") == ""
    assert system_language({"LANG": "fr_FR"}, "win32") == "fr_FR"


def test_each_window_has_its_own_choice(locale):
    english, welsh = {"LANG": "en_GB"}, {"LANG": "cy_GB"}
    language.choose("", english)
    language.change_in("unit", english)
    assert catalogue.speaking() == language.saved("unit") == "cy"
    assert language.saved("table") == ""
    for asked, window, spoken in (("", "table", "en"), ("", "unit", "cy"), ("en", "unit", "en")):
        language.choose(asked, english)
        language.choose_for(window)
        assert catalogue.speaking() == spoken  # `--lang` has precedence
    language.choose("", welsh)
    for _turn in range(2):
        language.change_in("unit", welsh)
    assert (catalogue.speaking(), language.saved("unit")) == ("cy", "")  # the system's again


def test_the_catalogue_reader_agrees_with_babel():
    """Babel's parser of .po files finds the same texts as ours."""
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


def test_a_temporary_language_ends_with_its_block():
    with catalogue.spoken("fr"):
        assert catalogue.speaking() == "fr"
        with pytest.raises(ValueError, match="inside"), catalogue.spoken("en"):
            raise ValueError("inside")
        assert catalogue.speaking() == "fr"
    assert catalogue.speaking() == "en"
    assert [catalogue.own_name(name) for name in ("en", "fr")] == ["English", "français"]


def test_the_pseudo_language_is_longer_bracketed_and_accented():
    catalogue.speak("xx")
    for text, said in (
        ("Build", "[Büíld]"),
        ("The port is busy.", "[Thé pört ís büsý.~~~~~]"),
        ("{player} bids {amount:>5}.", "[{player} bíds {amount:>5}.~]"),
        ("%(prog)s: %d of %s", "[%(prog)s: %d öf %s]"),
    ):
        assert _(text) == said
    assert ngettext("{count} game", "{count} games", 2) == "[{count} gámés]"
    assert forms.number(1234.5, 1) == "1,234.5"  # formats are not words


NARROW = "\u202f"


def test_formats_of_english_and_french():
    for form, given, english, french in (
        (forms.number, (0,), "0", "0"),
        (forms.number, (1234567.891, 2), "1,234,567.89", f"1{NARROW}234{NARROW}567,89"),
        (forms.number, (-12.5, 1), "-12.5", "-12,5"),
        (forms.shortest, (2.50, 2), "2.5", "2,5"),
        (forms.shortest, (20.0, 2), "20", "20"),
        (forms.shortest, (100.0, 0), "100", "100"),
        (forms.percent, (0.253, 1), "25.3 %", f"25,3{NARROW}%"),
        (forms.seconds, (1500,), "1.5 s", f"1,5{NARROW}s"),
        (forms.span_of_time, (250,), "0.25 s", f"0,25{NARROW}s"),
        (forms.signed, (0.04, 1), "+0.0", "+0,0"),
        (forms.signed, (-2.5, 1), "-2.5", "-2,5"),
        (forms.milliseconds, (12,), "12 ms", f"12{NARROW}ms"),
        (forms.minutes, (90_001,), "1:31", "1:31"),
        (forms.minutes, (0,), "0:00", "0:00"),
        (forms.money, (0,), "0", "0"),
        (forms.money, (500,), "500k", f"500{NARROW}k"),
        (forms.money, (-3520,), "-3.52M", f"-3,52{NARROW}M"),
        (forms.all_of, (["a"],), "a", "a"),
        (forms.all_of, ([],), "", ""),
        (forms.all_of, (["a", "b", "c"],), "a, b and c", "a, b et c"),
        (forms.any_of, ([1, 2],), "1 or 2", "1 ou 2"),
    ):
        assert form(*given) == english
        with catalogue.spoken("fr"):
            assert form(*given) == french
