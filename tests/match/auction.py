"""A small game for tests of what is true of every game: two to five seats, secret luck, simultaneous and single steps.

A1 In every round all seats bid 0 to 3 coins at once. A2 The highest bidder, of equal ones the lowest seat, keeps the
lot or gives it to the left. A3 A lot kept is worth what its owner appraises it at, less the bid; one given is worth 1
to the left. A4 With `appraised` everyone's appraisal is drawn and whispered, else it is 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from croupier_server.rules import Chance, Game, OptionsError, Outcome, Seat, Table, viewer_of


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = 2
    appraised: bool = True


@dataclass(frozen=True, slots=True)
class Bid:
    coins: int


@dataclass(frozen=True, slots=True)
class Decide:
    keep: bool


Action: TypeAlias = Bid | Decide


@dataclass(frozen=True, slots=True)
class Appraised:
    """Told to one seat."""

    value: int


@dataclass(frozen=True, slots=True)
class BidsShown:
    bids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LotGone:
    seat: Seat
    kept: bool


Event: TypeAlias = Appraised | BidsShown | LotGone


@dataclass(frozen=True, slots=True)
class Observation:
    seat: Seat | None
    round: int
    appraisal: int | None
    scores: tuple[int, ...]
    bids: tuple[int, ...]


BIDS = tuple([Bid(coins) for coins in range(4)])
GIVE, KEEP = Decide(keep=False), Decide(keep=True)


class Auction(NamedTuple):
    """A position; `bids` is empty while all seats bid."""

    options: Options
    appraisals: tuple[int, ...]
    scores: tuple[int, ...]
    round: int = 1
    bids: tuple[int, ...] = ()

    @classmethod
    def deal(cls, options: Options, seats: int, table: Table[Event]) -> Auction:
        values = [2] * seats
        if options.appraised:
            values = [table.chance.below(f"appraisal {seat}", 5) for seat in range(seats)]
            for seat, value in enumerate(values):
                table.whisper(seat, Appraised(value))
        return cls(options, tuple(values), (0,) * seats)

    @property
    def buyer(self) -> Seat:
        return self.bids.index(max(self.bids))

    def to_act(self) -> tuple[Seat, ...]:
        if self.round > self.options.rounds:
            return ()
        return (self.buyer,) if self.bids else tuple(range(len(self.scores)))

    def legal(self, seat: Seat) -> Sequence[Action]:
        if seat not in self.to_act():
            return ()
        return (GIVE, KEEP) if self.bids else BIDS

    def broken_rule(self, seat: Seat, action: Action) -> str:
        return "A2: the lot is kept or given" if self.bids else "A1: bids are from 0 to 3"

    def play(self, actions: Mapping[Seat, Action], table: Table[Event]) -> Auction:
        if not self.bids:
            bids = tuple([bid.coins for _, bid in sorted(actions.items()) if isinstance(bid, Bid)])
            table.announce(BidsShown(bids))
            return self._replace(bids=bids)
        buyer, decision = self.buyer, actions[self.buyer]
        assert isinstance(decision, Decide)
        table.announce(LotGone(buyer, decision.keep))
        scores = list(self.scores)
        scores[buyer] += self.appraisals[buyer] * decision.keep - self.bids[buyer]
        if not decision.keep:
            scores[(buyer + 1) % len(scores)] += 1
        return self._replace(scores=tuple(scores), round=self.round + 1, bids=())

    def view(self, viewer: Seat | None) -> Observation:
        appraisal = None if viewer is None else self.appraisals[viewer]
        return Observation(viewer, self.round, appraisal, self.scores, self.bids)

    def outcome(self) -> Outcome | None:
        return Outcome.by_score(self.scores) if self.round > self.options.rounds else None


def check(options: Options, seats: int) -> None:
    if not 1 <= options.rounds <= 20:
        raise OptionsError("rounds", f"auction: rounds = {options.rounds} is not possible; expected 1 to 20")


def world(options: Options, view: Observation, chance: Chance) -> Auction:
    appraisals = [chance.below("world appraisals", 5) if options.appraised else 2 for _ in view.scores]
    if view.appraisal is not None:
        appraisals[viewer_of(view)] = view.appraisal
    return Auction(options, tuple(appraisals), view.scores, view.round, view.bids)


def action_text(action: Action) -> str:
    if isinstance(action, Bid):
        return f"bid {action.coins}"
    return "keep" if action.keep else "give"


def parse_action(text: str) -> Action:
    actions: tuple[Action, ...] = (*BIDS, GIVE, KEEP)
    return {action_text(action): action for action in actions}[text]


GAME: Game[Options, Action, Observation, Event] = Game(
    id="auction",
    title="Auction",
    seats=(2, 3, 4, 5),
    options=Options,
    variants={"standard": Options(), "open": Options(appraised=False)},
    check=check,
    deal=Auction.deal,
    world=world,
    actions=(Bid, Decide),
    observation=Observation,
    events=(Appraised, BidsShown, LotGone),
    action_text=action_text,
    parse_action=parse_action,
    item_text=str,
    simultaneous=True,
)
