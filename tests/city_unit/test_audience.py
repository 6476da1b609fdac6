"""One unit for many programs: any number watch it, one has its hand, and all are told the same."""

from city_unit.host.serving.audience import TAKEN, Audience
from city_unit.wire import seal, unseal


class Stage:
    """A unit whose commands the test answers by hand."""

    boot = 4711
    about = "0.1.0 test unit"
    first = 0

    def __init__(self):
        self.events = ["0 switched-on city"]
        self.asked = []
        self.there = True
        self.sessions = 0

    @property
    def count(self):
        return self.first + len(self.events)

    def new_session(self):
        self.sessions += 1
        return self.sessions

    def is_there(self):
        return self.there

    def now(self):
        return 1500

    def event(self, index):
        return self.events[index - self.first]

    def look(self, seen):
        seen("1500 ready city 3600000 3598500 0 0 0 2")

    def ask(self, text, answered):
        self.asked.append((text, answered))


def say(guest, *texts, now=0.0):
    """Have a guest send lines; return the answers."""
    guest.receive(now, b"".join(map(seal, texts)))
    return heard(guest)


def heard(guest):
    lines = guest.unsent.splitlines(True)
    guest.sent(len(guest.unsent))
    return [line if line == TAKEN else unseal(line.rstrip()) for line in lines]


def test_a_hand_and_two_who_watch():
    stage = Stage()
    audience = Audience(stage)
    hand, *watchers = (audience.enter(0.0) for _ in range(3))
    assert say(hand, "hello 1 aaa") == [
        "welcome aaa 4711.1 1 0.1.0 test unit",
        "state 4711.1 1500 ready city 3600000 3598500 0 0 0 2 1",
    ]
    assert say(watchers[0], "watch 1 bbb", "since 4711.2 0")[2:] == [
        "event 4711.2 0 0 switched-on city"
    ]
    assert say(watchers[1], "watch 1 ccc", "since 4711.3 1")[2:] == []
    stage.events.append("1400 auction-started 30000")
    audience.tell()
    assert heard(watchers[0]) == ["event 4711.2 1 1400 auction-started 30000"]
    assert heard(watchers[1]) == ["event 4711.3 1 1400 auction-started 30000"]
    assert heard(hand) == []  # it has not said yet from where on
    commands = ("tap auction", "start", "switch off", "program world", "show 1 1 1")
    for sequence, command in enumerate(commands, 1):
        assert say(watchers[0], f"do 4711.2 {sequence} {command}") == [
            f"refused 4711.2 {sequence} watching"
        ]
    assert stage.asked == []


def test_who_says_goodbye_has_the_unit_no_more_until_it_greets_again():
    audience = Audience(Stage())
    first, second = audience.enter(0.0), audience.enter(0.0)
    say(first, "hello 1 aaa")
    assert say(second, "hello 1 bbb") == [TAKEN]
    assert say(first, "bye 4711.1") == ["bye 4711.1"]
    assert say(first, "do 4711.1 1 tap auction") == ["refused 4711.1 1 watching"]
    assert say(first, "hello 1 aaa")[0] == "welcome aaa 4711.1 1 0.1.0 test unit"
    say(first, "do 4711.1 2 tap auction")
    assert audience.stage.asked[-1][0] == "tap auction"


def test_a_command_is_done_once_and_its_answer_repeated():
    stage = Stage()
    guest = Audience(stage).enter(0.0)
    assert say(guest, "hello 1 aaa", "do 4711.1 1 start", "do 4711.1 1 start")[2:] == []
    ((text, answered),) = stage.asked
    assert text == "start"
    answered("", "")
    assert heard(guest) == ["done 4711.1 1"]
    assert say(guest, "do 4711.1 1 start") == ["done 4711.1 1"]
    assert say(guest, "do 4711.1 2 stop", "do 4711.1 1 start") == ["refused 4711.1 1 stale 2"]
    stage.asked[1][1]("", "ready")
    assert heard(guest) == ["refused 4711.1 2 ready"]
    assert len(stage.asked) == 2


def test_the_answer_finds_a_program_that_came_back_by_another_line():
    stage = Stage()
    audience = Audience(stage)
    first = audience.enter(0.0)
    say(first, "hello 1 aaa", "do 4711.1 1 start")
    audience.leave(first)
    second = audience.enter(1.0)
    say(second, "hello 1 aaa", now=1.0)
    stage.asked[0][1]("", "")
    assert heard(second) == ["done 4711.1 1"]


def test_a_second_hand_is_turned_away_until_the_first_is_silent():
    stage = Stage()
    audience = Audience(stage)
    first, second = audience.enter(0.0), audience.enter(0.0)
    say(first, "hello 1 aaa")
    assert say(second, "hello 1 bbb", now=4.9) == [TAKEN]
    assert stage.asked == []
    assert say(second, "hello 1 bbb", now=5.0)[0].startswith("welcome bbb")
    assert [text for text, _ in stage.asked] == ["release auction", "release build", "switch free"]
    assert say(first, "do 4711.1 1 stop", now=5.1) == ["refused 4711.1 1 watching"]


def test_a_hand_that_goes_leaves_nothing_held():
    stage = Stage()
    audience = Audience(stage)
    guest = audience.enter(0.0)
    say(guest, "hello 1 aaa")
    audience.step(4.9)
    assert stage.asked == []
    audience.step(5.0)
    assert [text for text, _ in stage.asked] == ["release auction", "release build", "switch free"]
    audience.leave(guest)
    assert len(stage.asked) == 3 and audience.guests == []


def test_where_nobody_may_act_all_are_turned_away_who_want_the_hand():
    audience = Audience(Stage(), may_act=False)
    guest = audience.enter(0.0)
    assert say(guest, "hello 1 aaa") == [TAKEN]
    assert say(guest, "watch 1 aaa")[0].startswith("welcome aaa")


def test_what_is_kept_no_more_is_gone():
    stage = Stage()
    stage.first = 100
    guest = Audience(stage).enter(0.0)
    assert say(guest, "watch 1 aaa", "since 4711.1 0", "ping 4711.1 7")[2:] == [
        "pong 4711.1 7 1500 0",
        "gone 4711.1 100",
        "event 4711.1 100 0 switched-on city",
    ]


def test_a_unit_that_was_started_anew_knows_nobody():
    stage = Stage()
    audience = Audience(stage)
    guest = audience.enter(0.0)
    say(guest, "watch 1 aaa", "since 4711.1 0")
    stage.boot = 4712
    audience.forget()
    assert say(guest, "ping 4711.1 1") == ["stranger 4711.1"]
    assert say(guest, "watch 1 aaa")[0] == "welcome aaa 4712.2 1 0.1.0 test unit"


def test_a_unit_that_is_gone_answers_nobody():
    stage = Stage()
    audience = Audience(stage)
    guest = audience.enter(0.0)
    say(guest, "watch 1 aaa")
    stage.there = False
    assert say(guest, "ping 4711.1 1", "watch 1 aaa", "do 4711.1 1 state") == []


def test_edges_are_told_to_who_asked_for_them():
    stage = Stage()
    audience = Audience(stage)
    first, second = audience.enter(0.0), audience.enter(0.0)
    assert say(first, "watch 1 aaa", "do 4711.1 1 watch on")[2:] == ["done 4711.1 1"]
    say(second, "watch 1 bbb")
    audience.tell_edge("0 1400 auction 1 1400250")
    assert heard(first) == ["edge 4711.1 0 1400 auction 1 1400250"]
    assert heard(second) == []
    assert say(first, "do 4711.1 2 watch maybe") == ["refused 4711.1 2 bad-word"]


def test_who_never_reads_costs_no_more_than_its_room():
    stage = Stage()
    guest = Audience(stage).enter(0.0)
    guest.receive(0.0, seal("watch 1 aaa") + seal("since 4711.1 0"))
    stage.events += ["1400 auction-started 30000"] * 10000
    for _ in range(10000):
        guest.receive(0.0, seal("ping 4711.1 1"))
    assert len(guest.unsent) < 70000
    numbers = []
    while lines := heard(guest):
        numbers += [int(line.split(" ")[2]) for line in lines if line.startswith("event")]
        guest.tell()
    assert numbers == list(range(10001))


def test_strange_lines_are_nothing():
    guest = Audience(Stage()).enter(0.0)
    guest.receive(0.0, b"\x00\xff GET / HTTP/1.1\r\n\r\ntap auction\n" + b"x" * 10000)
    assert say(guest, "hello", "hello 1 " + "a" * 17, "watch 1 a.b", "since", "do", "do 1.1") == [
        "stranger 1.1"
    ]


def test_events_that_wait_leave_room_for_an_answer():
    """A guest that has thousands of events to read is answered meanwhile."""
    stage = Stage()
    stage.events *= 10000
    guest = Audience(stage).enter(0.0)
    guest.receive(0.0, seal("watch 1 aaa") + seal("since 4711.1 0") + seal("ping 4711.1 7"))
    first = guest.unsent
    assert b"pong 4711.1 7 1500 " in first
    numbers = []
    while guest.unsent:
        numbers += [line.split(" ")[2] for line in heard(guest) if line.startswith("event")]
        guest.tell()
    assert numbers == [str(number) for number in range(10000)]
