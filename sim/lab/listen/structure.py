"""Find auctions, permits and the clock in a sequence of sounds, by the times between them.

The search knows this grammar. It does not depend on how any part sounds:

    auction  a press and, after a fixed time, another sound: the end
    warning  a sound at a fixed time before each end
    permit   a sound at a fixed time after another press
    clock    a sound that recurs at ever shorter intervals, followed once by another sound: the
             end of the game

A hypothesis consists of a sound for the press and an interval. By chance, a sound occurs within
the spread of the interval with a probability of spread times density. A hit therefore scores minus
the logarithm of this probability; the interval costs the logarithm of the number of intervals that
it was chosen from. A breach of the grammar costs too: a press inside an auction, or the sound of
an end elsewhere. The hypothesis with the highest score wins, with the warning, the permits and the
clock that score highest beside it. All scores are natural logarithms (nats).

A single auction has no interval that recurs. There, and between equal scores, the likeness to the
cues of a program decides. It scores at most `_LIKE` per sound, which is less than a hit, and more
if nearly all sounds resemble the program's.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from statistics import median, mode
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.facts import PERMITS as BLOCKS
from city_unit.programs import Program
from sim.lab.listen.sounds import (
    APART_MS,
    CUT_MS,
    MOST_UNLIKE,
    SAME_PITCH,
    SIMILAR,
    SIMILAR_BY_RHYTHM,
    Likeness,
    Phrase,
    are_alike,
    gap,
    is_cut_off,
)

AUCTION = ("auction-started", "auction-warning", "auction-ended")
PRESSES = ("auction-started", "permit-started")
PERMITS = tuple(f"permit-{permit}" for permit in BLOCKS)
_ENDS_AUCTION = ("auction-started", "auction-ended")

_AUCTION_MS = (5000.0, 600_000.0)  # shortest and longest auction
_WARNING_MS = 500.0  # shortest time from a warning to the end
_PERMIT_MS = (200.0, 8000.0)  # shortest and longest time from a press to its permit
_SPREAD_MS = 20.0  # tolerance of a recurring interval if one of its onsets was not measured
_PLAIN_SPREAD_MS = 5.0  # the same if both onsets were measured
_SPREAD_LEAST_MS = 1.0  # spread assumed for an interval that recurs more exactly
_LIKE = 2.5  # nats for a sound that equals the program's cue
_LIKE_SIMILAR = 6.0  # the same if most sounds resemble cues of the program
_INSIDE = 6.0  # cost of a press inside an auction
_ELSEWHERE = 1.5  # cost of the sound of an end or a warning anywhere else
_KNOWN = 4.5  # score above which auctions are not a coincidence
_EVEN_MS = 12  # the presses of a person are usually less regular than this
_SOON_MS = 3000  # a press this soon after a sound shows that the sound ended the auction
_DENSER_MS = 30  # by how much an interval of the clock's series may exceed the one before
_MOSTLY = 2 / 3  # fraction of the clock's beeps at whole half seconds; of a tune that recurs
_ROUND_MS, _ROUND_OFF_MS = 500, 12  # the clock's beeps lie at whole half seconds; tolerance
_CLOCK = 6.0  # score above which a series is the clock
_CLOSE = 1.0  # nats by which the score of a play must exceed that of another to exclude it
_MOST_TRIED = 40  # hypotheses for which a warning is sought


class Auction(NamedTuple):
    """The indices of an auction's phrases; `warning` is None if there is none."""

    start: int
    warning: int | None
    end: int


class Play(NamedTuple):
    """The parts of the grammar, as indices of phrases.

    score      nats for the auctions and their warnings
    of_others  nats for the permits and the clock
    permits    pairs of a press and its permit
    marks      the clock's beeps
    over       the sound at the end of the clock
    doubts     cues of an auction on which a play with nearly the same score disagrees
    """

    score: float = 0.0
    of_others: float = 0.0
    auctions: tuple[Auction, ...] = ()
    permits: tuple[tuple[int, int], ...] = ()
    marks: tuple[int, ...] = ()
    over: int | None = None
    doubts: tuple[str, ...] = ()

    @property
    def used(self) -> set[int]:
        own = {at for auction in self.auctions for at in auction if at is not None}
        own.update(at for pair in self.permits for at in pair)
        own.update(self.marks)
        return own | ({self.over} if self.over is not None else set())


class Heard:
    """Phrases in order of time, the numbers of their sounds, and the queries of the search."""

    def __init__(self, found: Sequence[Phrase], kinds: Sequence[int], like: Likeness) -> None:
        self.found, self.kinds, self.like = found, kinds, like
        self.times = [phrase.onset_ms for phrase in found]
        self.of_kind: dict[int, list[int]] = {}
        for at, kind in enumerate(kinds):
            self.of_kind.setdefault(kind, []).append(at)
        span = self.times[-1] - self.times[0] + 1000 if found else 1000
        self._density = sum(len(phrase.beeps) for phrase in found) / 2 / span  # phrases a ms, or so
        self._nearest = [like.nearest(phrase, like.cues) for phrase in found]
        part = SIMILAR if like.is_ours else SIMILAR_BY_RHYTHM
        self.is_similar = sum(map(bool, self._nearest)) >= part * len(found)
        self.likeness = cache(self._likeness)  # of the same few sounds for thousands of plays
        # Some rhythms agree by chance. Without pitches, all phrases must resemble a cue.
        is_variant_by_rhythm = like.hz is not None and all(self._nearest)
        self._is_variant = (self.is_similar and like.is_ours) or is_variant_by_rhythm

    def _likeness(self, at: int, *cues: str) -> float:
        """Return nats for a phrase's likeness to the nearest of `cues`.

        Negative if it resembles another cue, and the unit seems to run a similar program.
        """
        unlike = min(self.like.unlikeness(self.found[at], cue) for cue in cues)
        if unlike < MOST_UNLIKE:
            return (_LIKE_SIMILAR if self.is_similar else _LIKE) * (1 - unlike / MOST_UNLIKE)
        return -_LIKE if self._is_variant and self._nearest[at] else 0.0

    def kinds_of(self, places: Sequence[int]) -> set[int]:
        return {self.kinds[at] for at in places}

    def ms(self, first: int, last: int) -> float:
        return self.times[last] - self.times[first]

    def after(self, first: int, ms: float, among: Container[int]) -> int | None:
        """Return the index in `among` of the phrase `ms` after the phrase `first`, or None."""

        def off(at: int) -> float:
            return abs(self.ms(first, at) - ms)

        due = self.times[first] + ms
        from_, to = (bisect_left(self.times, due + by) for by in (-_SPREAD_MS, _SPREAD_MS))
        is_plain = self.found[first].beeps[0].is_measured
        own = [
            at
            for at in range(from_, to)
            if at in among
            if off(at) <= _PLAIN_SPREAD_MS or not (is_plain and self.found[at].beeps[0].is_measured)
        ]
        return min(own, key=off, default=None)

    def recurs(self, intervals: Sequence[float], most: float = 1e5) -> float:
        """Return nats for an interval that recurs, 0 for one that occurs once.

        most  the range, in ms, that the interval was chosen from
        """
        if len(intervals) < 2:
            return 0.0
        usual = median(intervals)
        spread = max(_SPREAD_LEAST_MS, *(abs(ms - usual) for ms in intervals))
        hit = -math.log(min(1.0, 2 * spread * self._density))
        return len(intervals) * hit - math.log(most / (2 * spread))

    def sameness(self, places: Sequence[int]) -> float:
        """Return nats for phrases that are the same sound, if it occurs nowhere else."""
        usual = mode(self.kinds[at] for at in places)
        same = sum(self.kinds[at] == usual for at in places)
        chance = len(self.of_kind[usual]) / len(self.times)
        others = len(self.of_kind[usual]) - same
        return -(same - 1) * math.log(chance) - _ELSEWHERE * (others + len(places) - same)


def search(heard: Heard, base: Program) -> Play:
    """Return the play with the highest score."""
    tried = [play for play in _auctions(heard) if play.score > 0]
    tried.sort(key=lambda play: -play.score)
    warned = [_warned(heard, play) for play in tried[:_MOST_TRIED]]
    best = _surest(heard, warned) if warned else Play()
    if best.score < _KNOWN and not is_like_ours(heard, best, _ENDS_AUCTION):
        best = Play()
    best = _with_others(heard, best)
    if base.odds:
        score, permits = _permits(heard, best, base)
        best = best._replace(permits=permits, of_others=score)
    score, marks, over = _clock(heard, best)
    # A permit does not sound like the clock: a beep of it was due when the permit was.
    of_clock = heard.kinds_of(marks)
    permits = tuple(pair for pair in best.permits if heard.kinds[pair[1]] not in of_clock)
    others = best.of_others + score
    return best._replace(marks=marks, over=over, of_others=others, permits=permits)


def _surest(heard: Heard, plays: Sequence[Play]) -> Play:
    """Return the play with the highest score, and the cues on which a close one disagrees.

    Of close plays, the one whose auctions last longest is chosen.
    """
    most = max(play.score for play in plays)
    close = [play for play in plays if play.score > most - _CLOSE]
    best = max(close, key=lambda play: median(heard.ms(a.start, a.end) for a in play.auctions))
    unlike = {
        cue
        for play in close
        for ours, theirs in product(best.auctions, play.auctions)
        if ours.start == theirs.start or ours.end == theirs.end
        for cue, one, other in zip(AUCTION, ours, theirs, strict=True)
        if one != other
    }
    return best._replace(doubts=tuple(cue for cue in AUCTION if cue in unlike))


def due(heard: Heard, play: Play) -> list[float]:
    """Return the times at which a permit or a part of an auction is due after each press."""
    after = [*play.permits, *((a.start, at) for a in play.auctions for at in a[1:])]
    usual: dict[tuple[int, int], list[float]] = {}
    for press, at in after:
        if at is not None:
            kinds = heard.kinds[press], heard.kinds[at]
            usual.setdefault(kinds, []).append(heard.ms(press, at))
    return [
        heard.times[press] + median(intervals)
        for (kind, _other), intervals in usual.items()
        for press in heard.of_kind[kind]
    ]


def is_like_ours(heard: Heard, play: Play, cues: Sequence[str] = AUCTION) -> bool:
    """Return whether an auction's sounds for `cues` all resemble those of the program."""
    return any(
        all(
            at is not None and heard.like.unlikeness(heard.found[at], cue) < MOST_UNLIKE
            for at, cue in zip(auction, AUCTION, strict=True)
            if cue in cues
        )
        for auction in play.auctions
    )


def is_known(heard: Heard, play: Play) -> bool:
    """Return whether the auctions are real, by their score or their likeness to the program's.

    In a tune, nearly everything recurs after an equal time. Of a unit, at most the auctions do.
    """
    starts = [heard.times[auction.start] for auction in play.auctions]
    pauses = [after - before for before, after in pairwise(starts)]
    if len(pauses) > 1 and max(pauses) - min(pauses) <= _EVEN_MS:
        after = [ms + median(pauses) for ms in heard.times]
        again = [(bisect_left(heard.times, ms - _EVEN_MS), ms + _EVEN_MS) for ms in after]
        recurring = {
            at
            for first, (place, latest) in enumerate(again)
            for other in range(place, bisect_right(heard.times, latest))
            if heard.kinds[first] == heard.kinds[other]
            for at in (first, other)
        }
        if len(recurring) > _MOSTLY * len(heard.times):
            return False
    return play.score >= _KNOWN or is_like_ours(heard, play)


def assumed(heard: Heard, play: Play) -> tuple[str, ...]:
    """Return what is right only if an auction starts with its press and stops with its end.

    With a warning, press and end are certain. Otherwise the first sound may be a warning whose
    press was missed, unless the same sound precedes permits; the last may be a warning before a
    silent end, unless the unit accepts a press right after it. If another play has nearly the same
    score, nothing on which they disagree is certain.
    """
    if play.doubts:
        return ("auction_ms", "warning_ms", *play.doubts)
    warned = sum(auction.warning is not None for auction in play.auctions)
    if 2 * warned > len(play.auctions):
        return ()
    starts = heard.kinds_of([auction.start for auction in play.auctions])
    presses = heard.kinds_of([press for press, _permit in play.permits])
    doubts = [] if starts <= presses else ["auction-started"]
    if not any(
        0 < heard.ms(auction.end, press) < _SOON_MS
        for auction in play.auctions
        for kind in starts | presses
        for press in heard.of_kind[kind]
    ):
        doubts.append("auction-ended")
    return ("auction_ms", *doubts) if doubts else ()


def _recurring(
    heard: Heard, starts: Sequence[int], ends: Container[int], within: tuple[float, float]
) -> Iterator[float]:
    """Yield the intervals between starts and ends that occur at least twice."""
    every = sorted(
        (heard.ms(start, end), start, end)
        for start in starts
        for end in range(
            bisect_left(heard.times, heard.times[start] + within[0]),
            bisect_right(heard.times, heard.times[start] + within[1]),
        )
        if end in ends
    )
    last = -math.inf
    for at, (ms, *_places) in enumerate(every):
        near = every[at : bisect_right(every, (ms + 2 * _SPREAD_MS, math.inf))]
        if len({start for _, start, _ in near}) > 1 < len({end for _, _, end in near}):
            middle = median(ms for ms, _, _ in near)
            if middle - last > _SPREAD_MS / 4:
                last = middle
                yield middle


def _auctions(heard: Heard) -> Iterator[Play]:
    """Yield the plays, without warnings, of each hypothesis.

    They have all the ends that it found, or the ends of one sound.
    """
    tried = set()  # many intervals of a tune lead to the same auctions
    for starts in heard.of_kind.values():
        others = {*range(len(heard.times))}.difference(starts)
        intervals = [*_recurring(heard, starts, others, _AUCTION_MS)]
        if heard.likeness(starts[0], *PRESSES) > 0:
            # A single auction: from a sound like the program's press to one like its end.
            ends = [at for at in range(len(heard.times)) if heard.likeness(at, "auction-ended") > 0]
            nexts = [(at, bisect_right(ends, at)) for at in starts]
            lengths = [heard.ms(at, ends[place]) for at, place in nexts if place < len(ends)]
            intervals += [ms for ms in lengths if _AUCTION_MS[0] <= ms <= _AUCTION_MS[1]]
        for ms in intervals:
            pairs = [(start, heard.after(start, ms, others)) for start in starts]
            hits = tuple(Auction(start, None, end) for start, end in pairs if end is not None)
            if hits in tried:
                continue
            tried.add(hits)
            every = heard.kinds_of([hit.end for hit in hits])
            for kinds in ([every] if len(every) > 1 else []) + [{kind} for kind in every]:
                auctions: list[Auction] = []
                for hit in hits:
                    is_free = not auctions or hit.start >= auctions[-1].end
                    if is_free and heard.kinds[hit.end] in kinds:
                        auctions.append(hit)
                ends = [auction.end for auction in auctions]
                inside = sum(a.start < start < a.end for start in starts for a in auctions)
                score = heard.recurs([heard.ms(a.start, a.end) for a in auctions])
                score += heard.sameness(ends) - _INSIDE * inside - math.log(len(heard.of_kind))
                likeness = heard.likeness(starts[0], *PRESSES)
                score += likeness + heard.likeness(ends[0], "auction-ended")
                yield Play(score, 0.0, tuple(auctions))


def _warned(heard: Heard, play: Play) -> Play:
    """Return a play with the warning that raises its score most, if any does."""
    presses = heard.kinds_of([auction.start for auction in play.auctions])
    others = {at for at, kind in enumerate(heard.kinds) if kind not in presses}
    ends = {auction.end for auction in play.auctions}
    leads = []
    for auction in play.auctions:
        for at in range(auction.end - 1, auction.start, -1):
            if at not in others or at in ends:
                break
            lead = heard.ms(at, auction.end)
            if lead >= _WARNING_MS:
                leads.append(lead)
    best = play
    for lead in dict.fromkeys(leads):
        found = []
        for auction in play.auctions:
            at = heard.after(auction.end, -lead, others)
            is_inside = at is not None and auction.start < at < auction.end
            found.append(auction._replace(warning=at if is_inside else None))
        pairs = [(a.warning, a.end) for a in found if a.warning is not None]
        if 2 * len(pairs) <= len(found):
            continue
        places = [at for at, _end in pairs]
        score = play.score + heard.recurs([heard.ms(*pair) for pair in pairs])
        score += heard.sameness(places) + heard.likeness(places[0], "auction-warning")
        if score > best.score:
            best = Play(score, 0.0, tuple(found))
    return best


def _with_others(heard: Heard, play: Play) -> Play:
    """Add the auctions of another length: the same press and, later, the same end."""
    if not play.auctions:
        return play
    usual = median(heard.ms(auction.start, auction.end) for auction in play.auctions)
    starts, warnings, ends = zip(*play.auctions, strict=True)
    presses, ends = heard.kinds_of(starts), heard.kinds_of(ends)
    warnings = heard.kinds_of([at for at in warnings if at is not None])
    found = list(play.auctions)
    for start, kind in enumerate(heard.kinds):
        if kind not in presses or any(a.start <= start < a.end for a in play.auctions):
            continue
        warning = None
        for at in range(start + 1, len(heard.times)):
            ms = heard.ms(start, at)
            if heard.kinds[at] in presses or ms > 1.25 * usual:
                break
            if heard.kinds[at] in warnings:
                warning = at
            if heard.kinds[at] in ends and ms > 0.8 * usual:
                found.append(Auction(start, warning, at))
                break
    return play._replace(auctions=tuple(sorted(found)))


def _permits(heard: Heard, play: Play, base: Program) -> tuple[float, tuple[tuple[int, int], ...]]:
    """Return the highest score of presses and their permits, and these."""
    free = [
        at
        for at in range(len(heard.times))
        if at not in play.used and not any(a.start < at < a.end for a in play.auctions)
    ]
    presses = heard.kinds_of([auction.start for auction in play.auctions])
    runs = float(sum(base.permit_hops_ms))
    best: tuple[float, tuple[tuple[int, int], ...]] = (0.0, ())
    for kind in heard.kinds_of(free):
        starts = [at for at in free if heard.kinds[at] == kind]
        ends = {at for at in free if heard.kinds[at] not in presses | {kind}}
        for ms in (runs, *_recurring(heard, starts, ends, _PERMIT_MS)):
            pairs = [(start, heard.after(start, ms, ends)) for start in starts]
            found = [
                (start, end)
                for start, end in pairs
                if end is not None
                and gap(heard.found[start].beeps[-1], heard.found[end].beeps[0]) > APART_MS
            ]
            if not found:
                continue
            likes = sum(heard.likeness(end, *PERMITS) for _start, end in found) / len(found)
            score = heard.recurs([heard.ms(*pair) for pair in found], 1e4) + likes
            score += heard.likeness(found[0][0], *PRESSES)
            # Each free press has its permit, and each free sound of a permit its press.
            of_permits = heard.kinds_of([end for _start, end in found])
            sounding = sum(heard.kinds[at] in of_permits for at in ends)
            score -= _ELSEWHERE * (1 + len(starts) + sounding - 2 * len(found))
            if score > best[0]:
                best = score, tuple(found)
    return best


def _clock(heard: Heard, play: Play) -> tuple[float, tuple[int, ...], int | None]:
    """Return the score of the clock, its beeps, and the sound at its end.

    The clock's beeps also sound during auctions. They are due at times that people chose, which
    are usually whole half seconds before the end.
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
            own = [at for at in places if _roundness(heard.ms(at, over))]
            if len(own) < _MOSTLY * len(places):  # the times were not chosen in half seconds
                own = places
            lefts = [heard.ms(at, over) for at in own]
            gaps = [*(before - after for before, after in pairwise(lefts)), lefts[-1]]
            is_denser = all(after <= before + _DENSER_MS for before, after in pairwise(gaps))
            score = heard.likeness(places[0], "hour-beep") + heard.likeness(over, *ENDS)
            score += sum(map(_roundness, lefts))
            score += math.lgamma(len(gaps) + 1) if is_denser else -1.0
            score -= len(heard.times) - 1 - over
            if score > max(best[0], _CLOCK):
                best = score, tuple(own), over
    if best[2] is not None and _is_end_hidden(heard, best[1], best[2]):
        return 0.0, (), None
    return best


def _roundness(left: float) -> float:
    """Return nats for a beep at a whole half second before the end."""
    off = abs((left + _ROUND_MS / 2) % _ROUND_MS - _ROUND_MS / 2)
    return math.log(_ROUND_MS / (2 * _ROUND_OFF_MS)) if off <= _ROUND_OFF_MS else 0.0


def _is_end_hidden(heard: Heard, marks: Sequence[int], over: int) -> bool:
    """Return whether the end may be a beep of the clock that the end or another sound cut in on.

    A sound that only begins like the beep is the end: the rest of it neither lies at whole half
    seconds, as the end does, nor is heard elsewhere.
    """
    mark, end = heard.found[marks[0]], heard.found[over].beeps
    is_cut = not end[0].is_measured and abs(end[0].hz / mark.beeps[0].hz - 1) < SAME_PITCH
    if is_cut or heard.ms(marks[-1], over) < _ROUND_MS - _ROUND_OFF_MS:
        return True
    # A cut note often has a hidden edge. That it is shorter than the beep's shows the cut anyway.
    as_measured = Phrase(tuple(beep._replace(is_measured=True) for beep in end))
    if any(is_cut_off(as_measured, after, mark) for after in heard.found[over + 1 : over + 2]):
        return True
    for place in range(1, len(end)):
        first, rest = Phrase(end[:place]), Phrase(end[place:])
        if is_cut_off(first, rest, mark) and (
            gap(first.beeps[-1], rest.beeps[0]) < CUT_MS
            or _roundness(rest.onset_ms - first.onset_ms)
            or any(are_alike(rest, other) for other in heard.found)
        ):
            return True
    return False
