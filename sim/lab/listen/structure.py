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
from collections.abc import Container, Iterator, Sequence
from functools import cache
from itertools import pairwise
from statistics import median, mode
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.facts import PERMITS as BLOCKS
from city_unit.programs import Program
from sim.lab.listen.sounds import AKIN, STRANGE, Likeness, Phrase, is_begun

AUCTION = ("auction-started", "auction-warning", "auction-ended")
PRESSES = ("auction-started", "permit-started")
PERMITS = tuple(f"permit-{permit}" for permit in BLOCKS)
_ENDS_AUCTION = ("auction-started", "auction-ended")
_FOLLOW = ("auction-warning", "auction-ended", "auction-cancelled")
_ALWAYS = ("switched-on", "auction-started", "refused", "auction-cancelled", "auction-ended")

_AUCTION_MS = (5000.0, 600_000.0)  # how long an auction may be
_WARNING_MS = 500.0  # the shortest time from a warning to its end
_PERMIT_MS = (200.0, 8000.0)  # how long a permit may take
_SPREAD_MS = 20.0  # by how much a recurring interval is off, where an edge is hidden
_PLAIN_SPREAD_MS = 5.0  # the same where both onsets were measured
_SPREAD_LEAST_MS = 1.0
_LIKE = 2.5  # nats for a sound that is just like the cue of its place
_LIKE_KIN = 6.0  # the same where most sounds are like some cue
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


class Heard:
    """Phrases in order of time, the numbers of their sounds, and the facts that the search asks."""

    def __init__(self, found: Sequence[Phrase], kinds: Sequence[int], like: Likeness) -> None:
        self.found, self.kinds, self.like = found, kinds, like
        self.times = [phrase.onset_ms for phrase in found]
        self.of_kind: dict[int, list[int]] = {}
        for at, kind in enumerate(kinds):
            self.of_kind.setdefault(kind, []).append(at)
        span = self.times[-1] - self.times[0] + 1000 if found else 1000
        self._density = sum(len(phrase.beeps) for phrase in found) / 2 / span  # phrases a ms, or so
        self._nearest = [like.nearest(phrase, like.cues) for phrase in found]
        self.is_akin = sum(map(bool, self._nearest)) >= AKIN * len(found)
        self.likeness = cache(self._likeness)  # of the same few sounds for thousands of plays
        # Rhythms alone show a kin only where all are the program's: some are like by chance.
        is_kin_by_rhythm = like.hz is not None and all(self._nearest)
        self._is_kin = (self.is_akin and like.is_ours) or is_kin_by_rhythm

    def _likeness(self, at: int, *cues: str) -> float:
        """Return nats for how a phrase is like one of some cues, less if it is another of ours."""
        unlike = min(self.like.unlikeness(self.found[at], cue) for cue in cues)
        if unlike < STRANGE:
            return (_LIKE_KIN if self.is_akin else _LIKE) * (1 - unlike / STRANGE)
        return -_LIKE if self._is_kin and self._nearest[at] else 0.0

    def kinds_of(self, places: Sequence[int]) -> set[int]:
        return {self.kinds[at] for at in places}

    def ms(self, first: int, last: int) -> float:
        return self.times[last] - self.times[first]

    def after(self, first: int, ms: float, among: Container[int]) -> int | None:
        """Return the place in `among` nearest to `ms` after the place `first`; None if none is."""

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
        """Return nats for an interval that recurs, 0 for one that comes once."""
        if len(intervals) < 2:
            return 0.0
        usual = median(intervals)
        spread = max(_SPREAD_LEAST_MS, *(abs(ms - usual) for ms in intervals))
        hit = -math.log(min(1.0, 2 * spread * self._density))
        return len(intervals) * hit - math.log(most / (2 * spread))

    def again(self, at: Sequence[int]) -> float:
        """Return nats for sounds at places that are the same sound as most of them."""
        usual = mode(self.kinds[place] for place in at)
        same = sum(self.kinds[place] == usual for place in at)
        chance = len(self.of_kind[usual]) / len(self.times)
        others = len(self.of_kind[usual]) - same
        return -(same - 1) * math.log(chance) - _ELSEWHERE * (others + len(at) - same)


def search(heard: Heard, base: Program) -> Play:
    """Return the play of most evidence."""
    tried = [play for play in _auctions(heard) if play.score > 0]
    tried.sort(key=lambda play: -play.score)
    warned = (_warned(heard, play) for play in tried[:_MOST_TRIED])
    best = max(warned, key=lambda play: play.score, default=Play())
    if best.score < _KNOWN and not is_like_ours(heard, best, _ENDS_AUCTION):
        best = Play()
    best = _with_others(heard, best)
    if base.odds:
        score, permits = _permits(heard, best, base)
        best = best._replace(permits=permits, of_others=score)
    score, marks, over = _clock(heard, best)
    return best._replace(marks=marks, over=over, of_others=best.of_others + score)


def due(heard: Heard, play: Play) -> list[float]:
    """Return when a permit or a part of an auction is due after each press."""
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
    """Return whether each of some sounds of an auction is like that of the program."""
    return any(
        all(
            at is not None and heard.like.unlikeness(heard.found[at], cue) < STRANGE
            for at, cue in zip(auction, AUCTION, strict=True)
            if cue in cues
        )
        for auction in play.auctions
    )


def is_known(heard: Heard, play: Play) -> bool:
    """Return whether there are auctions: by their evidence, or because they sound like ours.

    They begin as somebody presses: a tune's come by its beat.
    """
    starts = [heard.times[auction.start] for auction in play.auctions]
    pauses = [after - before for before, after in pairwise(starts)]
    is_by_a_person = len(pauses) < 2 or max(pauses) - min(pauses) > _EVEN_MS
    return is_by_a_person and (play.score >= _KNOWN or is_like_ours(heard, play))


def is_end_known(heard: Heard, play: Play) -> bool:
    """Return whether the last sound of an auction is its end, and no warning before a silent one.

    It is, with a warning before it; or if the unit took a press at once after it.
    """
    warned = sum(auction.warning is not None for auction in play.auctions)
    presses = heard.kinds_of([*(a.start for a in play.auctions), *(at for at, _ in play.permits)])
    return 2 * warned > len(play.auctions) or any(
        0 < heard.ms(auction.end, press) < _SOON_MS
        for auction in play.auctions
        for kind in presses
        for press in heard.of_kind[kind]
    )


def _recurring(
    heard: Heard, starts: Sequence[int], ends: Container[int], within: tuple[float, float]
) -> Iterator[float]:
    """Yield the intervals from starts to ends that come at least twice."""
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
    """Yield the plays whose auctions these may be, without their warnings."""
    tried = set()  # a tune has thousands of intervals with the same ends
    for starts in heard.of_kind.values():
        others = {*range(len(heard.times))}.difference(starts)
        intervals = [*_recurring(heard, starts, others, _AUCTION_MS)]
        if heard.likeness(starts[0], *PRESSES) > 0:
            # From a sound like our press to the next like our end.
            ends = [at for at in range(len(heard.times)) if heard.likeness(at, "auction-ended") > 0]
            nexts = [(at, bisect_right(ends, at)) for at in starts]
            lengths = [heard.ms(at, ends[place]) for at, place in nexts if place < len(ends)]
            intervals += [ms for ms in lengths if _AUCTION_MS[0] <= ms <= _AUCTION_MS[1]]
        for ms in intervals:
            pairs = [(start, heard.after(start, ms, others)) for start in starts]
            hits = tuple(Auction(start, None, end) for start, end in pairs if end is not None)
            if hits not in tried:
                tried.add(hits)
                yield from _of_ends(heard, starts, hits)


def _of_ends(heard: Heard, starts: Sequence[int], hits: Sequence[Auction]) -> Iterator[Play]:
    """Yield the plays of some auctions: with ends of any sound, and of each."""
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
        score += heard.again(ends) - _INSIDE * inside - math.log(len(heard.of_kind))
        score += heard.likeness(starts[0], *PRESSES) + heard.likeness(ends[0], "auction-ended")
        yield Play(score, 0.0, tuple(auctions))


def _warned(heard: Heard, play: Play) -> Play:
    """Return a play with the warning that has most evidence, if there is one."""
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
        places = [at for at, _end in pairs]
        score = play.score + heard.recurs([heard.ms(*pair) for pair in pairs])
        score += heard.again(places) + heard.likeness(places[0], "auction-warning")
        if score > best.score:
            best = Play(score, 0.0, tuple(found))
    return best


def _with_others(heard: Heard, play: Play) -> Play:
    """Return a play with the auctions that were of another length: press, then the same end."""
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
    """Return the presses with their permits that have most evidence together, and how much."""
    free = [
        at
        for at in range(len(heard.times))
        if at not in play.used and not any(a.start < at < a.end for a in play.auctions)
    ]
    runs = float(sum(base.permit_hops_ms))
    best: tuple[float, tuple[tuple[int, int], ...]] = (0.0, ())
    for kind in heard.kinds_of(free):
        starts = [at for at in free if heard.kinds[at] == kind]
        ends = set(free).difference(starts)
        for ms in (runs, *_recurring(heard, starts, ends, _PERMIT_MS)):
            pairs = [(start, heard.after(start, ms, ends)) for start in starts]
            found = [(start, end) for start, end in pairs if end is not None]
            if not found:
                continue
            likes = sum(heard.likeness(end, *PERMITS) for _start, end in found) / len(found)
            score = heard.recurs([heard.ms(*pair) for pair in found], 1e4) + likes
            score += heard.likeness(found[0][0], *PRESSES) - _ELSEWHERE
            if score > best[0]:
                best = score, tuple(found)
    return best


def _clock(heard: Heard, play: Play) -> tuple[float, tuple[int, ...], int | None]:
    """Return the series that grows denser and the sound that ends it, and their evidence.

    It goes on during auctions, and people agree on whole seconds for its marks.
    """

    def roundness(left: float) -> float:
        """Return nats for a mark at a whole half second before the end, if the recorder is true."""
        off = abs((left + _ROUND_MS / 2) % _ROUND_MS - _ROUND_MS / 2)
        return math.log(_ROUND_MS / (2 * _ROUND_OFF_MS)) if off <= _ROUND_OFF_MS else 0.0

    taken = play.used
    best: tuple[float, tuple[int, ...], int | None] = (0.0, (), None)
    for kind, every in heard.of_kind.items():
        places = [at for at in every if at not in taken]
        if not places or len(places) < len(every) / 2:
            continue
        for over in range(places[-1] + 1, len(heard.times)):
            if over in taken or heard.kinds[over] == kind:
                continue
            own = [at for at in places if roundness(heard.ms(at, over))]
            if len(own) < _MOSTLY * len(places):  # else the others only sound alike
                own = places
            lefts = [heard.ms(at, over) for at in own]
            gaps = [*(before - after for before, after in pairwise(lefts)), lefts[-1]]
            is_denser = all(after <= before + _DENSER_MS for before, after in pairwise(gaps))
            score = heard.likeness(places[0], "hour-beep") + heard.likeness(over, *ENDS)
            score += sum(map(roundness, lefts))
            score += math.lgamma(len(gaps) + 1) if is_denser else -1.0
            score -= len(heard.times) - 1 - over
            if score > max(best[0], _CLOCK):
                best = score, tuple(own), over
    return best


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


def name(heard: Heard, base: Program, play: Play) -> Named:
    """Return phrases with their cues: by the play, then by an equal sound, then by likeness."""
    found, kinds, like = heard.found, heard.kinds, heard.like
    names = _by_play(heard, base, play)
    first = next((cue for cue in names if cue), "")
    is_game = play.over is not None and play.auctions
    if is_game and not names[0] and first in PRESSES and kinds.count(kinds[0]) == 1:
        names[0] = "switched-on"  # before all presses, and heard once
    by_kind: dict[int, set[str]] = {}
    for cue, kind in zip(names, kinds, strict=True):
        by_kind.setdefault(kind, set()).update({cue} - {""})
    could = played(base)
    inside = [any(a.start < at < a.end for a in play.auctions) for at in range(len(found))]
    begins = min((at for at, *_ in (*play.auctions, *play.permits)), default=0)
    alike = []
    for at, phrase in enumerate(found):
        never = {"auction-cancelled", "switched-on"} if inside[at] else set()
        if at <= begins:
            never.add("auction-cancelled")  # no press came before it
        alike.append(like.nearest(phrase, sorted(could - never)))
    taken = set(names) - {""}
    is_over = play.over is not None
    either = []
    for at in range(len(found) - 1, -1, -1):
        if names[at]:
            continue
        same = by_kind[kinds[at]]
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
            cue == "hour-beep"
            and play.over is None
            and (is_inside or not (heard.is_akin and is_likely))
        ):
            cue = ""
        elif cue in AUCTION[1:] and play.auctions:
            cue = ""  # these are known by when they come
        elif cue in PERMITS or (cue == "hour-beep" and not play.marks):
            # Where each permit follows its press, it is the clock's beep if it may be one. Where
            # that is known, it is a permit whose press was not heard.
            is_beep = like.unlikeness(found[at], "hour-beep") < STRANGE and "hour-beep" in could
            if heard.is_akin and "hour-beep" in taken and cue not in taken:
                pass
            elif is_beep and (cue == "hour-beep" or len(play.permits) > 1):
                cue = "hour-beep" if play.over is not None or is_likely else ""
            else:
                cue = ""
                either += [at] if is_beep else []
        elif cue in ENDS:
            cue, is_over = ("" if is_over else cue), True
        elif cue == "switched-on":
            cue = cue if not at or (heard.is_akin and cue not in taken) else ""
        elif cue in taken and cue not in PRESSES:
            cue = ""  # something else is known to be it
        names[at] = cue
    called, sure = starts(names, base)
    proven = {auction.start for auction in play.auctions} | {press for press, _ in play.permits}
    names = [names[at] if at in proven else called[at] for at in range(len(names))]
    phrases = [Phrase(phrase.beeps, cue) for phrase, cue in zip(found, names, strict=True)]
    by_place = {
        cue
        for cue, other in zip(names, alike, strict=True)
        if cue not in ("", other) and not {cue, other} <= set(PRESSES)
    }
    return Named(
        tuple(phrases),
        tuple(cue for cue in base.cues if cue in by_place),
        tuple(phrases[at] for at in range(len(found)) if not sure[at] and at not in proven),
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


def _by_play(heard: Heard, base: Program, play: Play) -> list[str]:
    """Return the cues of places that the play shows, "" for the others.

    The play does not show which permit is which: first come those most like a permit of ours.
    """
    names = [""] * len(heard.found)
    for auction in play.auctions:
        for at, cue in zip(auction, AUCTION, strict=True):
            if at is not None:
                names[at] = cue
    sounds = {heard.kinds[permit]: heard.found[permit] for _press, permit in play.permits}
    pairs = sorted(
        (heard.like.unlikeness(phrase, cue), cue, kind)
        for kind, phrase in sounds.items()
        for cue in PERMITS
        if not any(kind != other and is_begun(phrase, sounds[other]) for other in sounds)
    )
    called: dict[int, str] = {}
    for _unlike, cue, kind in pairs:
        if kind not in called and cue not in called.values():
            called[kind] = cue
    for press, permit in play.permits:
        names[press], names[permit] = "permit-started", called.get(heard.kinds[permit], "")
    for at in play.marks:
        names[at] = "hour-beep"
    if play.over is not None:
        names[play.over] = ([kind for kind, *_ in base.marks if kind in ENDS] or [ENDS[0]])[-1]
    return names
