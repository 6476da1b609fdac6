"""Files that are no TOML: each mistake has its line and its reason, in any language."""

import inspect
import re

import pytest

from city_unit.desktop import catalogue, toml_reader
from city_unit.desktop.errors import UserError

BROKEN = {
    "x = [1, 2": 1,
    "a = 1\nx = ": 2,
    "a = 1\nx": 2,
    "a = 1\na = 2": 2,
    "[a]\n[a]": 2,
    "[[a]]\n[a]": 2,
    "x = {a = 1, a = 2}": 1,
    "x = {a = 1}\n[x.b]\nc = 1": 2,
    "a = [1]\n[[a]]": 2,
    'x = "\\q"': 1,
    'x = "\\ud800"': 1,
    'x = "\\u12"': 1,
    'x = "a': 1,
    "x = '''a\nb": 2,
    'x = "\x01"': 1,
    "x = 2020-13-40": 1,
    "x = 1 y = 2": 1,
    "x = {a = 1": 1,
    "[a": 1,
    "[[a]": 1,
    "= 1": 1,
    "a. = 1": 1,
    "x = 1\n# \x02": 2,
    "x = 2M": 1,
    "x = 1\ry = 2": 1,
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_file_has_its_line_and_its_reason_in_each_language(text):
    spoken = set()
    for language in ("en", "fr"):
        with catalogue.spoken(language), pytest.raises(UserError) as caught:
            toml_reader.parse(text.encode(), "mine.toml")
        assert caught.value.line == BROKEN[text]
        place, _, reason = str(caught.value).partition("TOML")
        assert "mine.toml" in place
        assert len(reason) > 8
        spoken.add(reason)
    assert len(spoken) == 2


def test_all_that_the_reader_of_this_python_says_is_known():
    loads = inspect.getmodule(toml_reader.tomllib.loads)
    source = inspect.getsource(loads)  # as it is written: "\\\\" is one sign of its text
    # The text stands behind the place, or before it in later versions.
    said = re.findall(r'suffixed_err\(\s*src,\s*\w+,\s*f?"(.*?)"\s*\)', source)
    said += re.findall(r'TOMLDecodeError\(\s*f?"(.*?)",\s*src', source)
    said = [re.sub(r"\{.*?\}", "X", words).replace(2 * "\\", "\\") for words in said]
    assert len(said) > 15
    forms = list(toml_reader.TOML_MISTAKES)
    unknown = [words for words in said if not any(re.fullmatch(form, words) for form in forms)]
    assert unknown == []
