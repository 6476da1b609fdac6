"""Deals between two telephones, that nobody else sees until they are made."""

from typing import NamedTuple

MOST = 3  # that a player may have open at a time


class Proposal(NamedTuple):
    """What a player would give another: as in `rules.deals`, `pays` and `cards` may be below 0.

    number  by which the telephones know it
    """

    number: int
    proposer: int
    partner: int
    gives: tuple[int, ...]
    asks: tuple[int, ...]
    pays: int
    cards: int

    def action(self) -> tuple:
        """Return the action of the rules that offers it."""
        return ("offer", *self[1:])


class Proposals:
    """Those that wait for an answer."""

    def __init__(self) -> None:
        self._open: dict[int, Proposal] = {}
        self._count = 0

    def make(self, action: tuple) -> Proposal:
        """Keep what an action offers; of more than `MOST` of a player the oldest is dropped."""
        self._count += 1
        proposal = Proposal(self._count, *action[1:])
        self._open[proposal.number] = proposal
        mine = [kept for kept in self._open.values() if kept.proposer == proposal.proposer]
        for kept in mine[:-MOST]:
            del self._open[kept.number]
        return proposal

    def of(self, player: int) -> list[Proposal]:
        """Return those that a player has made, or has to answer."""
        return [kept for kept in self._open.values() if player in (kept.proposer, kept.partner)]

    def all(self) -> list[Proposal]:
        return list(self._open.values())

    def find(self, number: object) -> Proposal | None:
        return self._open.get(number) if type(number) is int else None

    def drop(self, proposal: Proposal) -> None:
        self._open.pop(proposal.number, None)

    def forget(self) -> None:
        self._open.clear()
