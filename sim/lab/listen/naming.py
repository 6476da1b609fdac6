"""Name the sounds of a recording by the parts of the grammar that they play.

`structure.py` shows which sounds are presses, ends, permits and the clock. All other sounds take
the name of an equal sound, or of the cue of a program that they resemble.
"""

from collections.abc import Sequence
from typing import NamedTuple

from city_unit.clock import ENDS
from city_unit.programs import Program
from sim.lab.listen.sounds import MOST_UNLIKE, Phrase, is_begun
from sim.lab.listen.structure import AUCTION, PERMITS, PRESSES, Heard, Play

_FOLLOW = ("auction-warning", "auction-ended", "auction-cancelled")
_ALWAYS = ("switched-on", "auction-started", "refused", "auction-cancelled", "auction-ended")


class Named(NamedTuple):
    """Phrases with their cues.

    by_place   cues recognised by their time alone: they sound like another cue, or like none
    unsure     presses that may be AUCTION or BUILD
    ambiguous  phrases that may be a permit or the clock's beep
    """

    phrases: tuple[Phrase, ...]
    by_place: tuple[str, ...]
    unsure: tuple[Phrase, ...]
    ambiguous: tuple[Phrase, ...]


def name(heard: Heard, base: Program, play: Play) -> Named:
    """Name each phrase: by the play, else by an equal sound, else by its likeness to a cue."""
    found, kinds, like = heard.found, heard.kinds, heard.like
    names = _by_play(heard, base, play)
    if play.over is not None and play.auctions and not names[0]:
        # It occurs once, and a press follows it. If it were a press itself, a permit would follow.
        presses = {kind for kind, cue in zip(kinds, names, strict=True) if cue in PRESSES}
        if kinds[1] in presses and kinds.count(kinds[0]) == 1:
            names[0] = "switched-on"
    by_kind: dict[int, set[str]] = {}
    for cue, kind in zip(names, kinds, strict=True):
        by_kind.setdefault(kind, set()).update({cue} - {""})
    could = playable(base)
    inside = [any(a.start < at < a.end for a in play.auctions) for at in range(len(found))]
    begins = min((at for at, *_ in (*play.auctions, *play.permits)), default=0)
    alike = []
    for at, phrase in enumerate(found):
        never = {"auction-cancelled", "switched-on"} if inside[at] else set()
        if at <= begins:
            never.add("auction-cancelled")  # there is no auction yet
        alike.append(like.nearest(phrase, sorted(could - never)))
    taken = set(names) - {""}
    is_over = play.over is not None
    ambiguous = []
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
        elif not heard.is_similar:
            cue = ""  # one of many cues resembles it by chance
        elif (cue in PERMITS and is_inside) or (
            cue == "hour-beep" and play.over is None and (is_inside or not is_likely)
        ):
            cue = ""
        elif cue in AUCTION[1:] and play.auctions:
            cue = ""  # the play shows these
        elif cue in PERMITS or (cue == "hour-beep" and not play.marks):
            # If the permits' presses are known, this is the clock's beep, provided that it
            # resembles it. If the clock's beep is known, it is a permit whose press was missed.
            is_beep = like.unlikeness(found[at], "hour-beep") < MOST_UNLIKE and "hour-beep" in could
            if "hour-beep" in taken and cue not in taken:
                pass
            elif is_beep and (cue == "hour-beep" or len(play.permits) > 1):
                cue = "hour-beep" if play.over is not None or is_likely else ""
            else:
                cue = ""
                ambiguous += [at] if is_beep else []
        elif cue in ENDS:
            cue, is_over = ("" if is_over else cue), True
        elif cue == "switched-on":
            cue = cue if not at or cue not in taken else ""
        elif cue in taken and cue not in PRESSES:
            cue = ""  # another sound is this cue
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
        tuple(found[at] for at in sorted(ambiguous)),
    )


def playable(program: Program) -> set[str]:
    """Return the cues that a program can play during a game."""
    names = {*_ALWAYS, *(kind for kind, *_ in program.marks)}
    if program.warning_ms:
        names.add("auction-warning")
    if program.odds:
        names.update(("permit-started", *PERMITS))
    if program.clock_choices_ms:
        names.add("choice")
    return names


def starts(names: Sequence[str], program: Program) -> tuple[list[str], list[bool]]:
    """Name each press by the cue that follows it; return the cues and whether each is sure.

    A press followed by another press, or by nothing, keeps its name and is not sure, unless the
    program has only one kind of press.
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
    """Return the cues that the play shows, "" for all other phrases.

    The play does not show which permit is which. Names go to the sounds that resemble the
    program's permits most.
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
