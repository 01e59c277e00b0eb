"""Bots that misbehave, and the lines between them and the host, which do so too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from croupier_server.match.signals import (
    Answered,
    Ask,
    End,
    HostDelay,
    Input,
    Joined,
    Left,
    Message,
    News,
    ProcessEnded,
    Ready,
    Resigned,
    Start,
)
from croupier_server.match.timing import US
from croupier_server.rules import Seat

if TYPE_CHECKING:
    from tests.match.simulation.world import World


@dataclass
class Plan:
    """What a bot does, drawn before the match; an honest one does nothing that may cost it anything."""

    honest: bool
    fate: str | None = None  # what it does for good ...
    fate_turn: int = 0  # ... when it is first asked a later turn; -1 for before the first

    @classmethod
    def draw(cls, random: Random) -> Plan:
        if random.random() < 0.5:
            return cls(honest=True)
        fate = random.choice([None, None, "crash", "resign", "leave", "vanish"])
        return cls(False, fate, random.choice([-1, 0, 1, 2, 3, 5, 8, 20]))


class Bot:
    """A bot and its line. It remembers what it was told, whatever the line does."""

    def __init__(self, world: World, seat: Seat, plan: Plan) -> None:
        self.world, self.seat, self.plan = world, seat, plan
        self.events: dict[int, Any] = {}  # by sequence
        self.answered: dict[int, Any] = {}  # by turn
        self.end: End | None = None
        self._random = world.random
        self._line = 0  # the number of the line that is up; 0 for none
        self._lines = 0
        self._updates = world.random.random() < 0.5
        self._silent = False

    # -- the line

    def connect(self, last_sequence: int | None = None) -> None:
        """Joins, or resumes after a loss; a bot that says no more does not come back."""
        if self._line or self._silent:
            return
        self._lines += 1
        self._line = self._lines
        self.world.host(Joined(self.seat, self._updates, last_sequence))
        if last_sequence is not None and not self.events:
            self.say(Ready(self.seat))  # the first may have been lost

    def cut(self) -> None:
        """The line is lost, with all that is on its way; the host notices."""
        if self._line:
            self._line = 0
            self.world.host(Left(self.seat))

    def send_down(self, message: Message) -> None:
        self._on_the_way(lambda: self.receive(message))

    def say(self, event: Input) -> None:
        self._on_the_way(lambda: self.world.host(event))

    def _on_the_way(self, arrive: Callable[[], None]) -> None:
        """Delayed, so that messages overtake each other; now and then doubled; lost when the line is."""
        line = self._line
        if not line:
            return
        for _ in range(2 if self._random.random() < 0.05 else 1):
            self.world.after(self.world.ms(0, 5), lambda: arrive() if self._line == line else None)

    # -- the bot

    def receive(self, message: Message) -> None:
        match message:
            case Start() if not self._silent:
                self._start()
            case Ask():
                self._hear(message.events, message.last_sequence)
                self._asked(message)
            case News():
                self._hear(message.events, message.last_sequence)
            case End():
                self._hear(message.events, message.last_sequence)
                self.end = message

    def _start(self) -> None:
        if self.plan.fate is not None and self.plan.fate_turn < 0:
            self._meet_fate(self.plan.fate)
            return
        if self._random.random() < 0.1 and self._lines == 1:
            self._lose_the_line()
        self.world.after(self.world.ms(0, 100), lambda: self.say(Ready(self.seat)))

    def _hear(self, events: tuple[Any, ...], last: int) -> None:
        for sequence, event in enumerate(events, last - len(events) + 1):
            assert self.events.setdefault(sequence, event) == event, f"event {sequence} was told in two ways"

    def _asked(self, ask: Ask) -> None:
        if self._silent:
            return
        if ask.turn_id in self.answered:  # asked twice, or again after a loss
            self.say(Answered(self.seat, ask.turn_id, self.answered[ask.turn_id]))
        elif self.plan.fate is not None and ask.turn_id > self.plan.fate_turn:
            self._meet_fate(self.plan.fate)
        else:
            self._decide(ask)

    def _decide(self, ask: Ask) -> None:
        self.answered[ask.turn_id] = self._random.randrange(len(ask.legal))
        if self._random.random() < 0.3:
            self.answered[ask.turn_id] = ask.legal[self.answered[ask.turn_id]]
        costly = [] if self.plan.honest else [self._err, self._err, self._fall_silent, self._be_late]
        roomy = [self._lose_and_answer, self._outlast_the_host] if ask.remaining_us >= 450 * US else []
        chance = 0.2 if self.plan.honest else 0.35
        if self._random.random() < chance:
            deed = self._random.choice([self._babble, *roomy, *costly])
            self.world.faults.append(deed.__name__)
            deed(ask)
        else:
            self._answer(ask)

    def _answer(self, ask: Ask, low: float = 0, high: float = 20) -> None:
        answer = Answered(self.seat, ask.turn_id, self.answered[ask.turn_id], note="a note")
        self.world.after(self.world.ms(low, high), lambda: self.say(answer))

    def _babble(self, ask: Ask) -> None:
        """Answers turns that are not open, and its own more than once."""
        for turn_id in (0, ask.turn_id - 1, ask.turn_id + 1, 2**63):
            if turn_id != ask.turn_id:
                self.say(Answered(self.seat, turn_id, 0))
        for _ in range(3):
            self._answer(ask)

    def _lose_and_answer(self, ask: Ask) -> None:
        """Loses its connection and resumes well within the grace, when it is asked again; the answer may get lost."""
        self._lose_the_line()
        if self._random.random() < 0.5:
            self._answer(ask)

    def _lose_the_line(self) -> None:
        seen = max(self.events, default=0)
        known = self._random.choice([seen, seen, seen, 0, None])
        self.world.after(self.world.ms(0, 50), self.cut)
        self.world.after(self.world.ms(60, 150), lambda: self.connect(known))

    def _outlast_the_host(self, ask: Ask) -> None:
        """Answers after its time, which the host had held up for longer."""
        us = self.world.ms(80, 200)
        seat = self._random.choice([self.seat, None])
        self.world.after(self.world.ms(0, 30), lambda: self.world.host(HostDelay(seat, us)))
        late = Answered(self.seat, ask.turn_id, self.answered[ask.turn_id])
        self.world.after(ask.remaining_us + us - self.world.ms(30, 60), lambda: self.say(late))

    def _err(self, ask: Ask) -> None:
        """Answers illegally, once or oftener, and then legally."""
        others = [action for action in self.world.illegal if action not in ask.legal]
        for _ in range(self._random.choice([1, 1, 2])):
            choice = self._random.choice([len(ask.legal), 2**32 - 1, None, *others])
            self.world.after(self.world.ms(0, 20), partial(self.say, Answered(self.seat, ask.turn_id, choice)))
        self._answer(ask, 30, 40)

    def _fall_silent(self, ask: Ask) -> None:
        """Says nothing to this turn."""

    def _be_late(self, ask: Ask) -> None:
        """Answers when the time is over."""
        self._answer(ask, ask.remaining_us / US, ask.remaining_us / US + 50)

    def _meet_fate(self, fate: str) -> None:
        self._silent = True
        self.world.faults.append(fate)
        wait = self.world.ms(0, 60)
        if fate == "crash":
            self.world.after(wait, self.cut)
            self.world.after(
                wait + self.world.ms(0, 30), lambda: self.world.host(ProcessEnded(self.seat, "exit status 1"))
            )
        elif fate == "leave":
            self.world.after(wait, self.cut)
        elif fate == "resign":
            self.world.after(wait, lambda: self.say(Resigned(self.seat)))
