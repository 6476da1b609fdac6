"""Numbers, money, times and lists as English and French set them."""

import pytest

from city_unit.desktop import catalogue, forms

NARROW = "\u202f"

CASES = [
    (forms.number, (0,), "0", "0"),
    (forms.number, (1234567.891, 2), "1,234,567.89", f"1{NARROW}234{NARROW}567,89"),
    (forms.number, (-12.5, 1), "-12.5", "-12,5"),
    (forms.shortest, (2.50, 2), "2.5", "2,5"),
    (forms.shortest, (20.0, 2), "20", "20"),
    (forms.percent, (0.253, 1), "25.3 %", f"25,3{NARROW}%"),
    (forms.seconds, (1500,), "1.5 s", f"1,5{NARROW}s"),
    (forms.span_of_time, (50_000,), "50 s", f"50{NARROW}s"),
    (forms.span_of_time, (250,), "0.25 s", f"0,25{NARROW}s"),
    (forms.signed, (0.04, 1), "+0.0", "+0,0"),
    (forms.signed, (-2.5, 1), "-2.5", "-2,5"),
    (forms.shortest, (100.0, 0), "100", "100"),
    (forms.milliseconds, (12,), "12 ms", f"12{NARROW}ms"),
    (forms.minutes, (90_001,), "1:31", "1:31"),
    (forms.minutes, (0,), "0:00", "0:00"),
    (forms.money, (0,), "0", "0"),
    (forms.money, (500,), "500k", f"500{NARROW}k"),
    (forms.money, (-3520,), "-3.52M", f"-3,52{NARROW}M"),
    (forms.money, (12_000,), "12M", f"12{NARROW}M"),
    (forms.all_of, (["a"],), "a", "a"),
    (forms.all_of, ([],), "", ""),
    (forms.all_of, (["a", "b", "c"],), "a, b and c", "a, b et c"),
    (forms.any_of, ([1, 2],), "1 or 2", "1 ou 2"),
]


@pytest.mark.parametrize(("form", "given", "english", "french"), CASES)
def test_forms(form, given, english, french):
    assert form(*given) == english
    catalogue.speak("fr")
    assert form(*given) == french
