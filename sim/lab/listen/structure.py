"""One scored search for the play in a row of sounds: a unit is known by when it sounds.

The grammar, whatever each part sounds like:

    auction  a press, and one fixed time later a sound: the end
    warning  a sound at one fixed time in each auction
    permit   a sound at one fixed time after another press
    clock    a sound that comes ever more often, and after it, once, another: the end of the game

A hypothesis is a sound for the press and an interval. Each time that a sound comes within an
interval's spread is evidence: by chance one comes there with the probability of spread times
density, so a hit counts minus the logarithm of that, and the interval itself costs the logarithm of
how many others it might have been. Each breach of the grammar costs: a press inside an
auction, the sound of an end elsewhere, two presses for one end. The hypothesis with most evidence
is taken, with the warning, the permits and the clock that go best with it. All is in natural
logarithms (nats).

Nothing recurs in a single auction. There, and between equals, likeness to the cues of a program
decides: it counts at most `_LIKE` a sound, less than a hit, and more where nearly all that is
heard is like the program.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from statistics import median, mode
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.facts import LAMPS
from city_unit.programs import Program
from sim.lab.listen.sounds import STRANGE, Likeness, Phrase, is_begun

AUCTION = ("auction-started", "auction-warning", "auction-ended")
PRESSES = ("auction-started", "permit-started")
PERMITS = LAMPS[1:]
_ENDS_AUCTION = ("auction-started", "auction-ended")
_FOLLOW = ("auction-warning", "auction-ended", "auction-cancelled")
_ALWAYS = ("switched-on", "auction-started", "refused", "auction-cancelled", "auction-ended")

_AUCTION_MS = (5000.0, 600_000.0)  # how long an auction may be
_WARNING_MS = 500.0  # the shortest time from a warning to its end
_PERMIT_MS = (200.0, 8000.0)  # how long a permit may take
_SPREADS_MS = (3.0, 20.0)  # by how much a recurring interval is off: measured, and hidden edges
_SPREAD_PART = 0.0003  # the same as a part of it
_SPREAD_LEAST_MS = 1.0
_LIKE = 2.5  # nats for a sound that is just like the cue of its place
_LIKE_KIN = 6.0  # the same where most sounds are like some cue
_ALONE = 3.0  # for an interval of the program's own length
_INSIDE = 6.0  # cost of a press inside an auction
_ELSEWHERE = 1.5  # cost of the sound of an end, or of a warning, anywhere else
_KNOWN = 4.5  # from here on it is no chance
_EVEN_MS = 12  # presses that come so evenly are no person's
_SOON_MS = 3000  # a press so soon after a sound shows that the auction was over
_DENSER_MS = 30
_MOSTLY = 2 / 3
_ROUND_MS, _ROUND_OFF_MS = 500, 12  # marks of a clock lie at whole half seconds
_CLOCK = 6.0  # nats from which on a series is the clock
_MOST_TRIED = 40


class Auction(NamedTuple):
    """The places of the phrases of an auction; no warning is None."""

    start: int
    warning: int | None
    end: int


class Play(NamedTuple):
    """The places of phrases in the grammar.

    score     nats for the auctions and their warnings, `of_others` for permits and the clock
    permits   each press with its permit
    marks     of the clock, and `over`, its end
    """

    score: float = 0.0
    of_others: float = 0.0
    auctions: tuple[Auction, ...] = ()
    permits: tuple[tuple[int, int], ...] = ()
    marks: tuple[int, ...] = ()
    over: int | None = None

    @property
    def used(self) -> set[int]:
        own = {at for auction in self.auctions for at in auction if at is not None}
        own.update(at for pair in self.permits for at in pair)
        own.update(self.marks)
        return own | ({self.over} if self.over is not None else set())


class _Heard:
    """Phrases with the facts that the search asks of them again and again."""

    def __init__(self, found: Sequence[Phrase], kinds: Sequence[int], like: Likeness) -> None:
        self.found = found
        self.times = [phrase.onset_ms for phrase in found]
        self.kinds = kinds
        self.of_kind: dict[int, list[int]] = {}
        for at, kind in enumerate(kinds):
            self.of_kind.setdefault(kind, []).append(at)
        span = self.times[-1] - self.times[0] + 1000 if found else 1000
        self.density = sum(len(phrase.beeps) for phrase in found) / 2 / span  # phrases a ms, or so
        self._like = like
        self._is_akin = like.is_akin(found)
        self._nearest = [like.nearest(phrase, like.cues) for phrase in found]
        self.likeness = cache(self._likeness)  # of the same few sounds for thousands of plays
        # Rhythms alone show a kin only where all are the program's: some are like by chance.
        is_kin_by_rhythm = like.hz is not None and all(self._nearest)
        self._is_kin = (self._is_akin and like.is_ours) or is_kin_by_rhythm

    def _likeness(self, at: int, *cues: str) -> float:
        """Return nats for how a phrase is like one of some cues, less if it is another of ours."""
        unlike = min(self._like.unlikeness(self.found[at], cue) for cue in cues)
        if unlike < STRANGE:
            return (_LIKE_KIN if self._is_akin else _LIKE) * (1 - unlike / STRANGE)
        is_another = self._is_kin and self._nearest[at]
        return -_LIKE if is_another else 0.0

    def hit(self, spread: float) -> float:
        """Return nats for a sound that comes within a spread of its time."""
        return max(0.0, -math.log(min(1.0, 2 * spread * self.density)))

    def again(self, at: Sequence[int]) -> float:
        """Return nats for sounds at places that are the same sound as most of them."""
        usual = mode(self.kinds[place] for place in at)
        same = sum(self.kinds[place] == usual for place in at)
        chance = len(self.of_kind[usual]) / len(self.times)
        others = len(self.of_kind[usual]) - same
        return -(same - 1) * math.log(chance) - _ELSEWHERE * (others + len(at) - same)


def search(found: Sequence[Phrase], kinds: Sequence[int], like: Likeness, base: Program) -> Play:
    """Return the play in phrases, in order of time, whose sounds are numbered."""
    heard = _Heard(found, kinds, like)
    tried = [play for play in _auctions(heard, base) if play.score > 0]
    tried.sort(key=lambda play: -play.score)
    best = max((_warned(heard, play) for play in tried[:_MOST_TRIED]), key=_score, default=Play())
    if best.score < _KNOWN and not is_like_ours(found, like, best, _ENDS_AUCTION):
        best = Play()
    best = _with_others(heard, best)
    if base.odds:
        score, permits = _permits(heard, best, base)
        best = best._replace(permits=permits, of_others=score)
    score, marks, over = _clock(heard, best)
    return best._replace(marks=marks, over=over, of_others=best.of_others + score)


def _score(play: Play) -> float:
    return play.score


def due(found: Sequence[Phrase], kinds: Sequence[int], play: Play) -> list[float]:
    """Return when a permit or a part of an auction is due after each press."""
    after = [(press, permit) for press, permit in play.permits]
    after += [(a.start, at) for a in play.auctions for at in a[1:] if at is not None]
    usual: dict[tuple[int, int], list[float]] = {}
    for press, at in after:
        ms = found[at].onset_ms - found[press].onset_ms
        usual.setdefault((kinds[press], kinds[at]), []).append(ms)
    return [
        phrase.onset_ms + median(intervals)
        for (press, _kind), intervals in usual.items()
        for phrase, kind in zip(found, kinds, strict=True)
        if kind == press
    ]


def is_like_ours(
    found: Sequence[Phrase], like: Likeness, play: Play, cues: Sequence[str] = AUCTION
) -> bool:
    """Return whether each of some sounds of an auction is like that of the program."""
    return any(
        all(
            at is not None and like.unlikeness(found[at], cue) < STRANGE
            for at, cue in zip(auction, AUCTION, strict=True)
            if cue in cues
        )
        for auction in play.auctions
    )


def is_known(found: Sequence[Phrase], like: Likeness, play: Play) -> bool:
    """Return whether there are auctions: by their evidence, or because they sound like ours."""
    return play.score >= _KNOWN or is_like_ours(found, like, play)


def is_by_a_person(found: Sequence[Phrase], play: Play) -> bool:
    """Return whether auctions begin as somebody presses: a tune's come by its beat."""
    starts = [found[auction.start].onset_ms for auction in play.auctions]
    pauses = [after - before for before, after in pairwise(starts)]
    return len(pauses) < 2 or max(pauses) - min(pauses) > _EVEN_MS


def is_end_known(found: Sequence[Phrase], kinds: Sequence[int], play: Play) -> bool:
    """Return whether the last sound of an auction is its end, and no warning before a silent one.

    It is, with a warning before it; or if the unit took a press at once after it.
    """
    warned = sum(auction.warning is not None for auction in play.auctions)
    if 2 * warned > len(play.auctions):
        return True
    presses = {kinds[auction.start] for auction in play.auctions}
    presses |= {kinds[press] for press, _permit in play.permits}
    ends = [found[auction.end].onset_ms for auction in play.auctions]
    return any(
        0 < phrase.onset_ms - end < _SOON_MS
        for phrase, kind in zip(found, kinds, strict=True)
        if kind in presses
        for end in ends
    )


def _recurring(
    starts: Sequence[tuple[float, int]],
    ends: Sequence[tuple[float, int]],
    within: tuple[float, float],
    spread: float,
) -> Iterator[float]:
    """Yield the intervals from starts to ends, `(ms, place)`, that come at least twice."""
    all_ = sorted(
        (end - start, place, other)
        for start, place in starts
        for end, other in ends
        if within[0] <= end - start <= within[1]
    )
    last = -math.inf
    for at, (ms, _start, _end) in enumerate(all_):
        wide = 2 * max(spread, ms * _SPREAD_PART)
        near = []
        for other in all_[at:]:
            if other[0] - ms > wide:
                break
            near.append(other)
        if len({start for _, start, _ in near}) > 1 < len({end for _, _, end in near}):
            middle = median(ms for ms, _, _ in near)
            if middle - last > spread / 4:
                last = middle
                yield middle


def _auctions(heard: _Heard, base: Program) -> Iterator[Play]:
    """Yield the plays whose auctions these may be, without their warnings."""
    every = list(zip(heard.times, range(len(heard.times)), strict=True))
    tried = set()  # a tune has thousands of intervals with the same ends
    for kind, places in heard.of_kind.items():
        starts = [every[at] for at in places]
        others = [(ms, at) for ms, at in every if heard.kinds[at] != kind]
        intervals = [
            (interval, spread)
            for spread in _SPREADS_MS
            for interval in _recurring(starts, others, _AUCTION_MS, spread)
        ]
        intervals += [(interval, _SPREADS_MS[-1]) for interval in _like_ours(heard, places)]
        for interval, spread in intervals:
            hits = _of_interval(heard, places, interval, spread)
            is_usual = abs(interval - base.auction_ms[0]) < _SPREADS_MS[-1]
            if (hits, is_usual) not in tried:
                tried.add((hits, is_usual))
                yield from _of_ends(heard, places, hits, _ALONE * is_usual)


def _like_ours(heard: _Heard, starts: Sequence[int]) -> Iterator[float]:
    """Yield the times from a sound like our press to the next sound like our end."""
    if heard.likeness(starts[0], *PRESSES) <= 0:
        return
    for at in starts:
        for end in range(at + 1, len(heard.times)):
            if heard.likeness(end, "auction-ended") > 0:
                ms = heard.times[end] - heard.times[at]
                if _AUCTION_MS[0] <= ms <= _AUCTION_MS[1]:
                    yield ms
                break


def _of_interval(
    heard: _Heard, starts: Sequence[int], interval: float, spread: float
) -> tuple[Auction, ...]:
    """Return the auctions that are so long, overlapping ones too."""
    spread = max(spread, interval * _SPREAD_PART)
    times, kind = heard.times, heard.kinds[starts[0]]
    found = []
    for start in starts:
        ms = times[start] + interval
        near = range(bisect_left(times, ms - spread), bisect_right(times, ms + spread))
        others = [(abs(times[at] - ms), at) for at in near if heard.kinds[at] != kind]
        if others:
            found.append(Auction(start, None, min(others)[1]))
    return tuple(found)


def _of_ends(
    heard: _Heard, starts: Sequence[int], hits: Sequence[Auction], of_length: float
) -> Iterator[Play]:
    """Yield the plays of some auctions: with ends of each sound, and with any."""
    kinds = {heard.kinds[hit.end] for hit in hits}
    ways = [hits] if len(kinds) > 1 else []
    for kind in kinds:
        ways.append([hit for hit in hits if heard.kinds[hit.end] == kind])
    for way in ways:
        auctions: list[Auction] = []
        for hit in way:
            if not auctions or hit.start >= auctions[-1].end:
                auctions.append(hit)
        ends = [auction.end for auction in auctions]
        inside = sum(a.start < start < a.end for start in starts for a in auctions)
        score = _of_hits(heard, [heard.times[a.end] - heard.times[a.start] for a in auctions])
        score += heard.again(ends) - _INSIDE * inside - math.log(len(heard.of_kind))
        score += heard.likeness(starts[0], *PRESSES) + heard.likeness(ends[0], "auction-ended")
        yield Play(score + of_length, 0.0, tuple(auctions))


def _of_hits(heard: _Heard, intervals: Sequence[float], most: float = 1e5) -> float:
    """Return nats for an interval that recurs, 0 for one that comes once."""
    if len(intervals) < 2:
        return 0.0
    usual = median(intervals)
    spread = max(_SPREAD_LEAST_MS, *(abs(ms - usual) for ms in intervals))
    return len(intervals) * heard.hit(spread) - math.log(most / (2 * spread))


def _warned(heard: _Heard, play: Play) -> Play:
    """Return a play with the warning that has most evidence, if there is one.

    An end whose press was not heard tells of the warning all the same.
    """
    presses = {heard.kinds[auction.start] for auction in play.auctions}
    ends = {heard.kinds[auction.end] for auction in play.auctions}
    begins = {auction.end: auction.start for auction in play.auctions}
    if len(ends) == 1:
        begins |= {end: -1 for end in heard.of_kind[ends.pop()] if end not in begins}
    usual = max(_lengths(heard, play.auctions))
    leads: dict[float, dict[int, int]] = {}
    for end, start in begins.items():
        for at in range(end - 1, start, -1):
            lead = heard.times[end] - heard.times[at]
            if lead > usual or heard.kinds[at] in presses or at in begins:
                break
            if lead >= _WARNING_MS:
                leads[lead] = {}
    for lead, warned in leads.items():
        for end, start in begins.items():
            near = [
                (abs(heard.times[end] - heard.times[at] - lead), at)
                for at in range(start + 1, end)
                if heard.kinds[at] not in presses
            ]
            off, at = min(near, default=(math.inf, -1))
            if off <= max(_SPREADS_MS[-1], lead * _SPREAD_PART):
                warned[end] = at
    best = play
    for warned in leads.values():
        own = [a._replace(warning=warned.get(a.end)) for a in play.auctions]
        score = play.score + _of_hits(
            heard, [heard.times[e] - heard.times[w] for e, w in warned.items()]
        )
        score += heard.again(list(warned.values()))
        score += heard.likeness(next(iter(warned.values())), "auction-warning")
        score -= _LIKE / 2 * (len(warned) == 1)
        if score > best.score and any(auction.warning is not None for auction in own):
            best = Play(score, 0.0, tuple(own))
    return best


def _with_others(heard: _Heard, play: Play) -> Play:
    """Return a play with the auctions that were of another length: press, then the same end."""
    if not play.auctions:
        return play
    usual = median(_lengths(heard, play.auctions))
    presses = {heard.kinds[auction.start] for auction in play.auctions}
    ends = {heard.kinds[auction.end] for auction in play.auctions}
    warnings = {heard.kinds[a.warning] for a in play.auctions if a.warning is not None}
    found = list(play.auctions)
    for start, kind in enumerate(heard.kinds):
        if kind not in presses or any(a.start <= start < a.end for a in play.auctions):
            continue
        warning = None
        for at in range(start + 1, len(heard.times)):
            ms = heard.times[at] - heard.times[start]
            if heard.kinds[at] in presses or ms > 1.25 * usual:
                break
            if heard.kinds[at] in warnings:
                warning = at
            if heard.kinds[at] in ends and ms > 0.8 * usual:
                found.append(Auction(start, warning, at))
                break
    return play._replace(auctions=tuple(sorted(found)))


def _lengths(heard: _Heard, auctions: Iterable[Auction]) -> list[float]:
    return [heard.times[auction.end] - heard.times[auction.start] for auction in auctions]


def _permits(heard: _Heard, play: Play, base: Program) -> tuple[float, tuple[tuple[int, int], ...]]:
    """Return the presses with their permits that have most evidence together, and how much."""
    free = _free(heard, play)
    runs = float(sum(base.permit_hops_ms))
    best: tuple[float, tuple[tuple[int, int], ...]] = (0.0, ())
    for kind in {heard.kinds[at] for at in free}:
        starts = [(heard.times[at], at) for at in free if heard.kinds[at] == kind]
        ends = [(heard.times[at], at) for at in free if heard.kinds[at] != kind]
        for interval in (runs, *_recurring(starts, ends, _PERMIT_MS, _SPREADS_MS[-1])):
            found = []
            for ms, start in starts:
                near = [
                    (abs(time - ms - interval), at)
                    for time, at in ends
                    if abs(time - ms - interval) <= _SPREADS_MS[-1]
                ]
                if near:
                    found.append((start, min(near)[1]))
            if not found:
                continue
            offs = [heard.times[end] - heard.times[start] for start, end in found]
            likes = sum(heard.likeness(end, *PERMITS) for _start, end in found) / len(found)
            score = _of_hits(heard, offs, 1e4) + heard.likeness(found[0][0], *PRESSES) + likes
            score += _ALONE * (interval == runs) - _ELSEWHERE
            if score > best[0]:
                best = score, tuple(found)
    return best


def _free(heard: _Heard, play: Play) -> list[int]:
    """Return the places that have no part yet and lie in no auction."""
    return [
        at
        for at in range(len(heard.times))
        if at not in play.used and not any(a.start < at < a.end for a in play.auctions)
    ]


def _clock(heard: _Heard, play: Play) -> tuple[float, tuple[int, ...], int | None]:
    """Return the series that grows denser and the sound that ends it, and their evidence.

    It goes on during auctions, and people agree on whole seconds for its marks.
    """
    taken = play.used
    best: tuple[float, tuple[int, ...], int | None] = (0.0, (), None)
    for kind, every in heard.of_kind.items():
        places = [at for at in every if at not in taken]
        if not places or len(places) < len(every) / 2:
            continue
        for over in range(places[-1] + 1, len(heard.times)):
            if over in taken or heard.kinds[over] == kind:
                continue
            lefts = [heard.times[over] - heard.times[at] for at in places]
            is_round = [_roundness(left) > 0 for left in lefts]
            if sum(is_round) >= _MOSTLY * len(lefts):  # the others only sound alike
                lefts = [left for left, is_own in zip(lefts, is_round, strict=True) if is_own]
            gaps = [*(before - after for before, after in pairwise(lefts)), lefts[-1]]
            like = heard.likeness(places[0], "hour-beep") + heard.likeness(over, *ENDS)
            is_denser = all(after <= before + _DENSER_MS for before, after in pairwise(gaps))
            score = like + sum(_roundness(left) for left in lefts)
            score += math.lgamma(len(gaps) + 1) if is_denser else -1.0
            score -= _ELSEWHERE * (len(heard.of_kind[heard.kinds[over]]) - 1)
            score -= len(heard.times) - 1 - over
            if score > max(best[0], _CLOCK):
                own = (at for at in places if heard.times[over] - heard.times[at] in lefts)
                best = score, tuple(own), over
    return best


def _roundness(left: float) -> float:
    """Return nats for a mark at a whole half second before the end, if the recorder is true."""
    off = abs((left + _ROUND_MS / 2) % _ROUND_MS - _ROUND_MS / 2)
    return math.log(_ROUND_MS / (2 * _ROUND_OFF_MS)) if off <= _ROUND_OFF_MS else 0.0


class Named(NamedTuple):
    """Phrases with their cues.

    by_place  cues known by their place: they sound like another, or like none
    unsure    phrases of a press, where nothing shows whether it was AUCTION or BUILD
    either    phrases for which nothing shows whether they are a permit or the clock's beep
    """

    phrases: tuple[Phrase, ...]
    by_place: tuple[str, ...]
    unsure: tuple[Phrase, ...]
    either: tuple[Phrase, ...]


def name(
    found: Sequence[Phrase], kinds: Sequence[int], like: Likeness, base: Program, play: Play
) -> Named:
    """Return phrases with their cues: by the play first, then by an equal sound, then by
    likeness."""
    names = _by_play(found, kinds, like, base, play)
    if _is_switch(names, kinds, play):
        names[0] = "switched-on"
    by_kind: dict[int, set[str]] = {}
    for at, cue in enumerate(names):
        by_kind.setdefault(kinds[at], set()).add(cue)
    could = played(base)
    inside = [any(a.start < at < a.end for a in play.auctions) for at in range(len(found))]
    alike = [
        like.nearest(
            phrase, sorted(could - {"auction-cancelled", "switched-on"} if is_inside else could)
        )
        for phrase, is_inside in zip(found, inside, strict=True)
    ]
    taken = set(names) - {""}
    is_over = play.over is not None
    is_akin = like.is_akin(found)
    either = []
    for at in range(len(found) - 1, -1, -1):
        if names[at]:
            continue
        same = by_kind[kinds[at]] - {""}
        cue = alike[at]
        is_inside = inside[at]
        is_likely = like.is_ours or kinds.count(kinds[at]) > 1
        if (
            len(same) == 1
            and not same & {*ENDS, *PRESSES}
            and not (is_inside and same & {*PERMITS})
        ):
            cue = min(same)
        elif same & set(PRESSES):
            cue = PRESSES[0]
        elif (cue in PERMITS and is_inside) or (
            cue == "hour-beep" and play.over is None and (is_inside or not (is_akin and is_likely))
        ):
            cue = ""
        elif cue in AUCTION[1:] and play.auctions:
            cue = ""  # these are known by when they come
        elif cue in PERMITS or (cue == "hour-beep" and not play.marks):
            cue, is_either = _permit_or_beep(
                found[at], cue, taken if is_akin else set(), like, base, play
            )
            if cue == "hour-beep" and play.over is None and not is_likely:
                cue = ""
            either += [at] if is_either else []
        elif cue in ENDS:
            cue, is_over = ("" if is_over else cue), True
        elif cue == "switched-on":
            cue = cue if not at or (is_akin and cue not in taken) else ""
        elif cue in taken and cue not in PRESSES:
            cue = ""  # something else is known to be it
        names[at] = cue
    called, sure = starts(names, base)
    proven = {auction.start for auction in play.auctions} | {press for press, _ in play.permits}
    names = [names[at] if at in proven else called[at] for at in range(len(names))]
    unsure = tuple(
        Phrase(found[at].beeps, names[at])
        for at in range(len(found))
        if not sure[at] and at not in proven
    )
    by_place = {
        cue
        for at, cue in enumerate(names)
        if cue and cue != alike[at] and not {cue, alike[at]} <= set(PRESSES)
    }
    return Named(
        tuple(Phrase(phrase.beeps, cue) for phrase, cue in zip(found, names, strict=True)),
        tuple(cue for cue in base.cues if cue in by_place),
        unsure,
        tuple(found[at] for at in sorted(either)),
    )


def played(program: Program) -> set[str]:
    """Return the cues that a program plays at some time."""
    names = {*_ALWAYS, *(kind for kind, *_ in program.marks)}
    if program.warning_ms:
        names.add("auction-warning")
    if program.odds:
        names.update(("permit-started", *PERMITS))
    if program.clock_choices_ms:
        names.add("choice")
    return names


def starts(names: Sequence[str], program: Program) -> tuple[list[str], list[bool]]:
    """Return cues in order of time, each press called by the next cue, and which are sure.

    A press that another press follows, or nothing, keeps its name and is not sure, unless the
    program knows a single kind of press.
    """
    found = list(names)
    sure = [True] * len(found)
    is_only = not program.odds and not program.clock_choices_ms
    follows = ""
    for at in range(len(found) - 1, -1, -1):
        if found[at] in PRESSES:
            found[at], sure[at] = follows or found[at], bool(follows) or is_only
            follows = ""
        elif found[at] in PERMITS:
            follows = "permit-started"
        elif found[at] in _FOLLOW:
            follows = "auction-started"
        elif found[at] in ("switched-on", *ENDS):
            follows = ""
    return found, sure


def _by_play(
    found: Sequence[Phrase], kinds: Sequence[int], like: Likeness, base: Program, play: Play
) -> list[str]:
    names = [""] * len(found)
    for auction in play.auctions:
        for at, cue in zip(auction, AUCTION, strict=True):
            if at is not None:
                names[at] = cue
    permits = _named_permits(found, kinds, like, play)
    for press, permit in play.permits:
        names[press] = "permit-started"
        names[permit] = permits.get(kinds[permit], "")
    for at in play.marks:
        names[at] = "hour-beep"
    if play.over is not None:
        ends = [kind for kind, *_ in base.marks if kind in ENDS] or [ENDS[0]]
        names[play.over] = ends[-1]
    return names


def _named_permits(
    found: Sequence[Phrase], kinds: Sequence[int], like: Likeness, play: Play
) -> dict[int, str]:
    """Return what each sound of a permit is called: first those most like a permit of ours.

    The play does not show which permit is which.
    """
    sounds = {kinds[permit]: found[permit] for _press, permit in play.permits}
    sounds = {
        kind: phrase
        for kind, phrase in sounds.items()
        if not any(kind != other and is_begun(phrase, sounds[other]) for other in sounds)
    }
    pairs = sorted(
        (like.unlikeness(phrase, cue), cue, kind)
        for kind, phrase in sounds.items()
        for cue in PERMITS
    )
    called: dict[int, str] = {}
    for _unlike, cue, kind in pairs:
        if kind not in called and cue not in called.values():
            called[kind] = cue
    return called


def _permit_or_beep(
    phrase: Phrase, cue: str, taken: set[str], like: Likeness, base: Program, play: Play
) -> tuple[str, bool]:
    """Return the cue of a sound like a permit that follows no press, and whether it may be either.

    Where each permit follows its press, it is the clock's beep if it may be one. Where that is
    known, it is a permit whose press was not heard.
    """
    if "hour-beep" in taken and cue not in taken:
        return cue, False
    is_beep = like.unlikeness(phrase, "hour-beep") < STRANGE and any(
        kind == "hour-beep" for kind, *_ in base.marks
    )
    if not is_beep:
        return "", False
    if cue == "hour-beep" or len(play.permits) > 1:
        return "hour-beep", False
    return "", True


def _is_switch(names: Sequence[str], kinds: Sequence[int], play: Play) -> bool:
    """Return whether the first sound is the switch's: before all presses, and heard once."""
    if not names or names[0] or play.over is None or not play.auctions:
        return False
    first = next((cue for cue in names if cue), "")
    return first in PRESSES and kinds.count(kinds[0]) == 1
