"""The link explored by hypothesis, and thirty days of it."""

import gc
import sys

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from city_unit import host
from tests.city_unit.hostile import FAULTS, World, clean
from tests.helpers.times import LENGTH_MS

COMMANDS = ("tap auction", "tap build", "start 300", "stop", "identify", "state", "counters")


class Talk(RuleBasedStateMachine):
    """Anything may happen to the line and to either end; at the end all must add up."""

    @initialize(seed=st.integers(0, 1000), near_wrap=st.booleans())
    def begin(self, seed, near_wrap):
        self.world = World(clean, seed, (1 << 30) - 500 if near_wrap else 0)
        self.requests = []

    @rule(fault=st.sampled_from(FAULTS))
    def change_the_line(self, fault):
        self.world.fault = fault

    @rule(ms=st.integers(1, 700))
    def live(self, ms):
        self.world.run(ms)

    @rule(text=st.sampled_from(COMMANDS))
    def ask(self, text):
        self.requests.append(self.world.ask(text, 2000))

    @rule()
    def restart_unit(self):
        self.world.restart_unit()

    @rule()
    def restart_desktop(self):
        self.world.restart_desktop()

    @rule()
    def replug(self):
        self.world.reconnect()

    @rule(reads=st.booleans())
    def read(self, reads):
        self.world.reads = reads

    @invariant()
    def nothing_is_told_twice(self):
        if hasattr(self, "world"):
            self.world.check()
            assert self.world.largest <= 512

    def teardown(self):
        if hasattr(self, "world"):
            self.world.settle()
            self.world.check()


TestTalk = Talk.TestCase
TestTalk.settings = settings(
    max_examples=25,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)

DAY_MS = 24 * 3600 * 1000


def test_thirty_days_with_the_link_on():
    """Each day a game and an auction; the times are exact across both wraps."""
    memory = host.Memory(seed=1)
    blocks = []  # of memory: each object takes one at least, as do the numbers in here
    ms = 0
    for day in range(30):
        memory.client.send("restart")
        memory.client.send("start")
        kinds = {}
        for news in memory.advance(DAY_MS):
            if isinstance(news, host.Event):
                kinds.setdefault(news.kind, news.ms)
        assert kinds["switched-on"] == ms == memory.client.now() - DAY_MS
        assert kinds["auction-ended"] == ms + LENGTH_MS
        assert kinds["hour-ended"] == ms + 3600000
        ms += DAY_MS
        if day >= 6:
            gc.collect()
            blocks.append(sys.getallocatedblocks() - len(blocks))
    assert ms > 2 * (1 << 30)
    assert max(blocks[12:]) <= max(blocks[:12]) + 40
