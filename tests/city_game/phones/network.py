"""Telephones on a home network, in memory: each with a clock, delays and jitter of its own."""

import random
from heapq import heappop, heappush
from itertools import count

from city_game.phones.line import PhoneClock
from city_game.table.auctioneer import Claim, Judge

PINGS = 24
PING_MS = 250
HANDLING_MS = 1.0  # which a page takes for an answer


class Phone:
    """One telephone: ms up and down, jitter on either way, and a clock of its own.

    lie       how it stamps a press: a function from the true stamp to the sent one
    hesitate  ms for which it keeps an answer back
    """

    def __init__(self, chance, up, down, jitter, lie=None, hesitate=0.0):
        self.chance = chance
        self.up, self.down, self.jitter = up, down, jitter
        self.lie = lie or (lambda stamp: stamp)
        self.hesitate = hesitate
        self.ahead = chance.uniform(-1e6, 1e6)
        self.rate = 1 + chance.uniform(-50e-6, 50e-6)
        self.clock = PhoneClock()
        self._free_at = [0.0, 0.0]  # a line keeps its order: nothing overtakes

    def stamp(self, ms):
        return self.ahead + ms * self.rate

    def arrives(self, way, sent):
        delay = (self.up, self.down)[way] + min(40, self.chance.expovariate(1) * self.jitter)
        self._free_at[way] = max(self._free_at[way], sent + delay)
        return self._free_at[way]


def evening(phones, presses, pings=PINGS):
    """Let telephones be measured, then let them press; yield the claims as they are judged.

    presses  of each: (place of the telephone, ms after the measuring), each only once
    """
    events, order = [], count()
    begin = PINGS * PING_MS + 1000.0
    for place, phone in enumerate(phones):
        for number in range(pings):
            asked = number * PING_MS + phone.chance.uniform(0, 50)
            heard = phone.arrives(1, asked) + phone.hesitate
            came = phone.arrives(0, heard + phone.chance.uniform(0, HANDLING_MS))
            heappush(events, (came, next(order), "answer", place, (asked, phone.stamp(heard))))
    for place, after in presses:
        phone, at = phones[place], begin + after
        came = phone.arrives(0, at + phone.chance.uniform(0, HANDLING_MS))
        heappush(events, (came, next(order), "press", place, (at, phone.lie(phone.stamp(at)))))
    return begin, _judged(phones, events)


def _judged(phones, events):
    """Return the presses in the order in which they are judged: (place, truth, at, within)."""
    judge, truths, found = Judge(), {}, []

    def settle(until):
        while (claim := judge.take_due(until)) is not None:
            found.append((claim.player, truths[claim.player], claim.at, claim.within))

    while events:
        came, _, what, place, told = heappop(events)
        phone = phones[place]
        settle(came - max(each.clock.slowest for each in phones))
        if what == "answer":
            phone.clock.learn(told[0], came, told[1])
            continue
        truths[place] = told[0]
        press = phone.clock.press(told[1], came)
        within = int(press.within + 0.999)
        judge.take(Claim(place, 100, round(press.at * 1000), within, lambda _claim, _why: None))
    settle(float("inf"))
    return [(place, truth, at / 1000, within) for place, truth, at, within in found]


def even(chance):
    """Return a telephone whose two ways take equally long: 5 to 200 ms there and back."""
    way = chance.uniform(2.5, 100)
    return Phone(chance, way, way, chance.uniform(1, 40) / 4)


def uneven(chance):
    return Phone(
        chance, chance.uniform(2.5, 150), chance.uniform(2.5, 110), chance.uniform(1, 40) / 4
    )


def seeded(seed):
    return random.Random(seed)
