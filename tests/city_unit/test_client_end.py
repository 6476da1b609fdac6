"""Whatever a client does can be stopped, and stays stopped."""

import pytest

from city_unit import host


def test_a_closed_client_does_not_open_its_port_again():
    memory = host.Memory()
    client = memory.client
    client.poll()
    client.close()
    assert not client.online
    memory.ms += 10_000
    assert client.poll() == [host.Disconnected("goodbye")]
    assert client.poll() == []
    assert not client.online
    assert client.next_due() is None
    assert list(client) == []


def test_what_was_asked_of_a_client_that_is_closed_is_given_up():
    memory = host.Memory()
    memory.cut()
    asked = [memory.client.ask("start"), memory.client.ask("stop")]
    memory.client.close()
    for request in asked:
        assert isinstance(request.error, host.NoAnswer)
        with pytest.raises(host.NoAnswer, match="closed"):
            request.result()
    with pytest.raises(host.NoAnswer, match="closed"):
        memory.client.send("start")


def test_closing_twice_does_nothing():
    memory = host.Memory()
    memory.client.close()
    memory.client.close()


def test_a_request_tells_its_result():
    memory = host.Memory()
    request = memory.client.ask("counters")
    with pytest.raises(LookupError, match="'counters' is not answered yet"):
        request.result()
    memory.advance(10)
    assert request.result().startswith("received=")
