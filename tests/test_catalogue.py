"""The catalogue has all texts for people, and each language translates them."""

import re
import string

import pytest

from city_unit.desktop import catalogue as texts
from tests.helpers.needs import needs_modules

needs_modules("babel")


from tests import catalogue  # noqa: E402

COMPLETE = ("fr",)  # the languages that may lack nothing
LANGUAGES = texts.languages()[1:]
_PERCENT = re.compile(r"%(?:\(\w+\))?[a-z%]")


@pytest.fixture(scope="module")
def template():
    """Return the texts of all files."""
    return catalogue.extracted()


def test_the_template_has_all_texts_and_no_more(template):
    there = catalogue.TEMPLATE.read_text(encoding="utf-8")
    assert there == catalogue.written(template), "run `python -m tests.catalogue`"


def test_an_unknown_language_creates_nothing(capsys):
    assert catalogue.main(["--help"]) == 2
    assert "--help: give a language's code" in capsys.readouterr().err
    assert not texts.path_of("--help").parent.exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_texts_of_the_template_with_their_fields_and_lines(language, template):
    there = texts.path_of(language).read_text(encoding="utf-8")
    assert there == catalogue.updated(language, template), "run `python -m tests.catalogue`"
    messages = catalogue.read(language)
    assert language not in COMPLETE or catalogue.missing(messages) == []
    for message in messages:
        if not message.id or not message.string or message.fuzzy:
            continue
        keys = message.id if isinstance(message.id, tuple) else (message.id,)
        wanted = set().union(*map(fields, keys))
        for form in filter(None, forms(message)):
            # A singular may leave out the number: "un jeu".
            assert fields(form) | {"count"} == wanted | {"count"}, message.id
        if isinstance(message.id, str):
            assert message.id.startswith("\n") == message.string.startswith("\n"), message.id
            assert message.id.endswith("\n") == message.string.endswith("\n"), message.id


def forms(message):
    """Return the translations of a message: one, or one for each plural."""
    return message.string if isinstance(message.string, tuple) else (message.string,)


def fields(text):
    """Return the fields of a text with their formats."""
    try:
        braces = {f"{name}:{form}" for _, name, form, _ in string.Formatter().parse(text) if name}
    except ValueError:
        braces = {"no format at all"}
    return {name.removesuffix(":") for name in braces} | {
        found.rstrip("sr") for found in _PERCENT.findall(text)
    }


def test_french_is_set_as_french():
    said = [form for message in catalogue.read("fr") if message.id for form in forms(message)]
    bare = [re.sub(r"\{[^{}]*\}|%\(\w+\)|`[^`]*`", "x", form) for form in said]
    assert [form for form in bare if catalogue.ill_set(form)] == []


def test_each_text_is_written_out_where_it_is_said():
    assert list(catalogue.not_literal()) == []
