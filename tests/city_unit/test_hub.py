"""One unit for many programs: any number watch it, one has control, all receive the same."""

from types import SimpleNamespace

from city_unit.host.requests import Refused, Request
from city_unit.host.serving.hub import TAKEN, Hub, ServedUnit
from city_unit.wire import seal, unseal


class FakeUnit:
    """A unit whose commands the test answers by holder."""

    boot = 4711
    about = "0.1.0 test unit"
    first = 0

    def __init__(self):
        self.events = ["0 switched-on city"]
        self.asked = []
        self.online = True
        self.sessions = 0
        self.waiting = 0

    @property
    def count(self):
        return self.first + len(self.events)

    def new_session(self):
        self.sessions += 1
        return self.sessions

    def is_online(self):
        return self.online

    def now(self):
        return 1500

    def event(self, index):
        return self.events[index - self.first]

    def ask_state(self, seen):
        seen("1500 ready city 3600000 3598500 0 0 0 2")

    def ask(self, text, answered):
        self.asked.append((text, answered))


def say(peer, *texts, now=0.0):
    """Have a peer send lines; return the answers."""
    peer.receive(now, b"".join(map(seal, texts)))
    return heard(peer)


def heard(peer):
    lines = peer.unsent.splitlines(True)
    peer.sent(len(peer.unsent))
    return [line if line == TAKEN else unseal(line.rstrip()) for line in lines]


def seated(*greetings, may_act=True):
    """Return a unit, its hub, and a peer for each greeting, whose answer is checked."""
    unit = FakeUnit()
    hub = Hub(unit, may_act)
    peers = []
    for place, greeting in enumerate(greetings, 1):
        peers.append(hub.connect(0.0))
        client = greeting.split(" ")[2]
        assert say(peers[-1], greeting) == [
            f"welcome {client} 4711.{place} 1 0.1.0 test unit",
            f"state 4711.{place} 1500 ready city 3600000 3598500 0 0 0 2 1",
        ]
    return unit, hub, *peers


RELEASED = ["release auction", "release build", "switch free"]


def test_all_are_told_the_same_and_who_watches_has_no_hand():
    unit, hub, holder, first, second = seated("hello 1 aaa", "watch 1 bbb", "watch 1 ccc")
    assert say(first, "since 4711.2 0") == ["event 4711.2 0 0 switched-on city"]
    assert say(second, "since 4711.3 1", "do 4711.3 1 watch on") == ["done 4711.3 1"]
    unit.events.append("1400 auction-started 30000")
    hub.send_events()
    hub.send_edge("0 1400 auction 1 1400250")
    assert heard(first) == ["event 4711.2 1 1400 auction-started 30000"]
    assert heard(second) == [
        "event 4711.3 1 1400 auction-started 30000",
        "edge 4711.3 0 1400 auction 1 1400250",
    ]
    assert heard(holder) == []  # it has not said yet from where on
    assert say(second, "do 4711.3 2 watch maybe") == ["refused 4711.3 2 bad-word"]
    commands = ("tap auction", "start", "switch off", "program world", "show 1 1 1")
    for number, command in enumerate(commands, 1):
        assert say(first, f"do 4711.2 {number} {command}") == [f"refused 4711.2 {number} watching"]
    assert unit.asked == []


def test_a_command_is_done_once_and_its_answer_finds_the_program_also_by_another_line():
    unit, hub, peer = seated("hello 1 aaa")
    assert say(peer, "do 4711.1 1 start", "do 4711.1 1 start") == []
    ((text, answered),) = unit.asked
    assert text == "start"
    answered("", "")
    assert heard(peer) == ["done 4711.1 1"]
    assert say(peer, "do 4711.1 1 start") == ["done 4711.1 1"]
    assert say(peer, "do 4711.1 2 stop", "do 4711.1 1 start") == ["refused 4711.1 1 stale 2"]
    hub.disconnect(peer)
    assert [text for text, _ in unit.asked[2:]] == RELEASED
    again = hub.connect(1.0)
    say(again, "hello 1 aaa", now=1.0)
    unit.asked[1][1]("", "ready")
    assert heard(again) == ["refused 4711.1 2 ready"]
    assert hub.peers == [again]


def test_a_hand_keeps_the_unit_until_it_is_silent_or_says_goodbye():
    unit, hub, first = seated("hello 1 aaa")
    second = hub.connect(0.0)
    hub.step(4.9)
    assert say(second, "hello 1 bbb", now=4.9) == [TAKEN]
    assert unit.asked == []
    assert say(second, "hello 1 bbb", now=5.0)[0].startswith("welcome bbb")
    assert [text for text, _ in unit.asked] == RELEASED
    assert say(first, "do 4711.1 1 stop", now=5.1) == ["refused 4711.1 1 watching"]
    assert say(second, "bye 4711.2", now=5.2) == ["bye 4711.2"]
    assert say(second, "do 4711.2 1 tap auction", now=5.3) == ["refused 4711.2 1 watching"]
    assert say(first, "hello 1 aaa", now=5.4)[0].startswith("welcome aaa 4711.1 ")
    say(first, "do 4711.1 2 tap auction", now=5.4)
    assert unit.asked[-1][0] == "tap auction"
    hub.step(10.4)
    assert [text for text, _ in unit.asked[-3:]] == RELEASED


def test_where_nobody_may_act_all_are_turned_away_who_want_the_hand():
    _, hub = seated(may_act=False)
    peer = hub.connect(0.0)
    assert say(peer, "hello 1 aaa") == [TAKEN]
    assert say(peer, "watch 1 aaa")[0].startswith("welcome aaa")


def test_what_is_kept_no_more_is_gone_and_a_unit_that_started_anew_knows_nobody():
    unit, hub, peer = seated("watch 1 aaa")
    unit.first = 100
    assert say(peer, "since 4711.1 0", "ping 4711.1 7") == [
        "pong 4711.1 7 1500 0",
        "gone 4711.1 100",
        "event 4711.1 100 0 switched-on city",
    ]
    unit.online = False
    assert say(peer, "ping 4711.1 1", "watch 1 aaa", "do 4711.1 1 state") == []
    unit.online, unit.boot = True, 4712
    hub.end_sessions()
    assert say(peer, "ping 4711.1 1") == ["stranger 4711.1"]
    assert say(peer, "watch 1 aaa")[0] == "welcome aaa 4712.2 1 0.1.0 test unit"


def test_a_guest_that_never_reads_costs_no_more_than_its_room_and_is_answered():
    unit, _, peer = seated("watch 1 aaa")
    unit.events *= 10000
    peer.receive(0.0, seal("since 4711.1 0") + seal("ping 4711.1 7"))
    assert b"pong 4711.1 7 1500 " in peer.unsent  # though thousands of events wait
    for _ in range(10000):
        peer.receive(0.0, seal("ping 4711.1 1"))
    assert len(peer.unsent) < 70000
    numbers = []
    while lines := heard(peer):
        numbers += [int(line.split(" ")[2]) for line in lines if line.startswith("event")]
        peer.send_events()
    assert numbers == list(range(10000))


def test_a_flood_of_requests_delays_control_by_no_more_than_a_few_of_them():
    unit, hub, holder, peer = seated("hello 1 aaa", "watch 1 bbb")
    unit.waiting = 16
    assert say(peer, "do 4711.2 1 state", "do 4711.2 2 describe 0") == [
        "refused 4711.2 1 busy",
        "refused 4711.2 2 busy",
    ]
    assert say(hub.connect(0.0), "watch 1 ccc") == []  # it will repeat its greeting
    assert say(holder, "do 4711.1 1 state")[1] == "done 4711.1 1"
    assert say(holder, "do 4711.1 2 tap auction") == [] and unit.asked[0][0] == "tap auction"
    unit.waiting = 64
    assert say(holder, "do 4711.1 3 tap build") == ["refused 4711.1 3 busy"]
    assert say(hub.connect(0.0), "hello 1 ddd") == [] and len(unit.asked) == 1


def test_requests_that_a_unit_answers_refuses_or_leaves_are_under_way_no_more():
    asked = []

    class Client(SimpleNamespace):
        def ask(self, text, *_):
            asked.append(Request(text, 0))
            return asked[-1]

    unit = ServedUnit(Client(on=lambda *_: None, snapshot=None))
    heard = []
    unit.ask("tap auction", lambda *words: heard.append(words))
    unit.ask("tap build", lambda *words: heard.append(words))
    unit.ask_state(heard.append)
    assert unit.waiting == 3
    asked[0].finish("")
    asked[1].finish(None, Refused("tap build", "busy"))
    asked[2].fail("the line is gone")
    assert unit.waiting == 0 and heard == [("", ""), ("", "busy")]


def test_strange_lines_are_nothing():
    peer = Hub(FakeUnit()).connect(0.0)
    peer.receive(0.0, b"\x00\xff GET / HTTP/1.1\r\n\r\ntap auction\n" + b"x" * 10000)
    assert say(peer, "hello", "hello 1 " + "a" * 17, "watch 1 a.b", "since", "do", "do 1.1") == [
        "stranger 1.1"
    ]
