"""What ought to come of a match, worked out from what is done to it, apart from the referee.

The book is told every event that is injected, and the time. From these alone, the rules and the key it knows who is to
be asked what and until when, who has forfeited and why, what every seat was told, and how the match ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from croupier_server.match.signals import Answered, HostDelay, Input, Joined, Left, ProcessEnded, Ready, Resigned
from croupier_server.match.spec import ForfeitReason, MatchSpec, Termination
from croupier_server.match.timing import US
from croupier_server.rules import AnyState, KeyedChance, Outcome, Seat, Table


@dataclass
class Open:
    """A turn that is owed."""

    turn_id: int
    asked: int
    bank: int
    allowed: int
    legal: tuple[Any, ...]
    host: int = 0
    announced: bool = False  # whether the seat has heard of it

    @property
    def deadline(self) -> int:
        return self.asked + self.allowed + self.host


@dataclass
class Account:
    """What one seat has and has done."""

    bank: int
    turns: int = 0
    strikes: int = 0
    connected: bool = False
    away_since: int | None = None  # the host's delays added
    ready: bool = False
    open: Open | None = None
    choice: Any = None  # for the step that is open
    gone: ForfeitReason | None = None
    moment: int = 0  # of the forfeit; those of one moment share it
    told: list[Any] = field(default_factory=list)


class Book:
    """One match as it ought to go."""

    def __init__(self, spec: MatchSpec, key: bytes) -> None:
        self.spec = spec
        self.accounts = [Account(spec.clock.bank_ms * US) for _ in spec.seats]
        self.decisions: list[tuple[Seat, Any]] = []
        self._table: Table[Any] = Table(KeyedChance(key))
        self._state: AnyState | None = None
        self._start_up = spec.clock.start_up_ms * US
        self._moment = 0

    # -- how it stands

    @property
    def outcome(self) -> Outcome | None:
        return None if self._state is None else self._state.outcome()

    @property
    def over(self) -> bool:
        return self.outcome is not None or sum(account.gone is None for account in self.accounts) <= 1

    @property
    def termination(self) -> Termination:
        return Termination.FORFEIT if self.outcome is None else Termination.NORMAL

    @property
    def forfeits(self) -> list[tuple[Seat, ForfeitReason]]:
        """In order of their moments, and of seats within one."""
        gone = [(account.moment, seat, account.gone) for seat, account in enumerate(self.accounts) if account.gone]
        return [(seat, reason) for _, seat, reason in sorted(gone, key=lambda item: item[:2])]

    @property
    def places(self) -> tuple[int, ...]:
        def better(one: Seat, two: Seat) -> bool:
            first, second = self.accounts[one], self.accounts[two]
            if first.gone and second.gone:
                return first.moment > second.moment
            if first.gone or second.gone:
                return second.gone is not None
            return self.outcome is not None and self.outcome.places[one] < self.outcome.places[two]

        seats = range(len(self.accounts))
        return tuple([1 + sum(better(other, seat) for other in seats) for seat in seats])

    @property
    def next_due(self) -> int | None:
        """When something happens by itself."""
        return min((due for account in self.accounts for due, _ in self._dues(account)), default=None)

    def _dues(self, account: Account) -> list[tuple[int, ForfeitReason]]:
        dues: list[tuple[int, ForfeitReason]] = []
        if account.gone or self.over:
            return dues
        if self._state is None and not account.ready:
            dues.append((self._start_up, ForfeitReason.NOT_READY))
        if account.ready and account.away_since is not None:
            dues.append((account.away_since + self.spec.clock.disconnect_grace_ms * US, ForfeitReason.DISCONNECT))
        if account.open is not None:
            dues.append((account.open.deadline, ForfeitReason.TIMEOUT))
        return dues

    # -- what happens

    def let_time_pass(self, now: int) -> None:
        """Whatever is due by now happens, the earliest first; what is due at one moment happens together."""
        while (due := self.next_due) is not None and due <= now:
            self._moment += 1
            for account, reason in [(a, r) for a in self.accounts for when, r in self._dues(a) if when == due]:
                if reason is not ForfeitReason.TIMEOUT:
                    self._go(account, reason)
                elif account.open is not None:
                    self._close(account, now, account.open.legal[0])
                    self._strike(account, reason)
            self._go_on(now)

    def happened(self, event: Input, now: int) -> None:
        """An event reached the host."""
        self._moment += 1
        if self.over:
            return
        match event:
            case Joined(seat):
                self.accounts[seat].connected, self.accounts[seat].away_since = True, None
            case Ready(seat):
                self.accounts[seat].ready = self.accounts[seat].ready or self.accounts[seat].gone is None
            case Left(seat) if self.accounts[seat].connected:
                self.accounts[seat].connected, self.accounts[seat].away_since = False, now
            case ProcessEnded(seat, _):
                self._go(self.accounts[seat], ForfeitReason.CRASH)
            case Resigned(seat):
                self._go(self.accounts[seat], ForfeitReason.RESIGNED)
            case HostDelay(seat, us):
                self._delayed(seat, us)
            case Answered(seat, turn_id, choice):
                self._answered(self.accounts[seat], turn_id, choice, now)
        self._go_on(now)

    def _delayed(self, seat: Seat | None, us: int) -> None:
        for number, account in enumerate(self.accounts):
            if account.open is not None and seat in (None, number):
                account.open.host += us
            if account.away_since is not None and seat is None:
                account.away_since += us
        if seat is None:
            self._start_up += us

    def _answered(self, account: Account, turn_id: int, choice: Any, now: int) -> None:
        turn = account.open
        if turn is None or turn.turn_id != turn_id:
            return
        assert now < turn.deadline, "time passes before anything else happens"
        if isinstance(choice, int) and 0 <= choice < len(turn.legal):
            self._close(account, now, turn.legal[choice])
        elif choice in turn.legal:
            self._close(account, now, choice)
        else:
            self._strike(account, ForfeitReason.ILLEGAL_ACTION)

    def _strike(self, account: Account, reason: ForfeitReason) -> None:
        account.strikes += 1
        if account.strikes == self.spec.policy.strikes:
            self._go(account, reason)

    def _close(self, account: Account, now: int, action: Any) -> None:
        turn = account.open
        assert turn is not None
        account.bank -= min(max(now - turn.asked - turn.host, 0), turn.allowed)
        account.open, account.choice = None, action

    def _go(self, account: Account, reason: ForfeitReason) -> None:
        if account.gone is None:
            account.open, account.gone, account.moment = None, reason, self._moment

    # -- the game

    def _go_on(self, now: int) -> None:
        if self.over:
            return
        if self._state is None and all(account.ready or account.gone for account in self.accounts):
            self._open(self.spec.game.deal(self.spec.options, len(self.accounts), self._table), now)
        while self._state is not None and not self.over and self._decided(self._state.to_act()):
            actions = {seat: self._action(seat, self._state) for seat in self._state.to_act()}
            self.decisions += actions.items()
            self._open(self._state.play(actions, self._table), now)

    def _decided(self, acting: tuple[Seat, ...]) -> bool:
        return all(self.accounts[seat].open is None for seat in acting)

    def _action(self, seat: Seat, state: AnyState) -> Any:
        choice = self.accounts[seat].choice
        return state.legal(seat)[0] if choice is None else choice

    def _open(self, state: AnyState, now: int) -> None:
        self._state = state
        for entry in self._table.news:
            for seat, account in enumerate(self.accounts):
                if entry.reader in (None, seat):
                    account.told.append(entry.event)
        self._table.news = []
        for account in self.accounts:
            account.choice = None
        for seat in state.to_act():
            account = self.accounts[seat]
            if account.gone is None:
                account.turns += 1
                account.bank += self.spec.clock.increment_ms * US
                allowed = min(account.bank, self.spec.clock.turn_cap_ms * US)
                account.open = Open(account.turns, now, account.bank, allowed, tuple(state.legal(seat)))
