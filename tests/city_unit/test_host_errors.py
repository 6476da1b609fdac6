"""Errors of a unit are said in the language that the program speaks."""

import pytest

from city_unit import host
from city_unit.desktop import catalogue
from city_unit.host.lines.ports import TcpPort


@pytest.fixture
def french():
    catalogue.speak("fr")
    yield
    catalogue.speak("en")


def refusal():
    memory = host.Memory()
    with pytest.raises(host.Refused) as refused:
        memory.client.send("tap lamp")
    return str(refused.value)


def test_french(french):
    assert refusal() == (
        "l’unité a refusé 'tap lamp'\u202f: bad-word (un mot ou un nombre y est faux)"
    )
    with pytest.raises(OSError, match="n’a pas la forme socket://HÔTE:PORT"):
        TcpPort("socket://nowhere")
    with pytest.raises(host.NoUnit, match="aucune unité nommée 'nobody'"):
        host.begin("auto:nobody")


def test_what_is_no_port_says_what_is():
    with pytest.raises(TypeError, match=r'a port is a text, such as "auto".* not None'):
        host.connect(None)
    with pytest.raises(host.NoUnit, match="no port is named: it is auto"):
        host.connect("")
    with pytest.raises(host.NoUnit, match=r"write socket://127\.0\.0\.1:7007"):
        host.connect("127.0.0.1:7007", timeout=1)


def test_what_a_unit_is_refused_for_has_its_words_on_the_wire_in_any_language(french):
    memory = host.Memory()
    with pytest.raises(host.Refused) as refused:
        memory.client.send("stop")
    assert refused.value.why == "ready"
