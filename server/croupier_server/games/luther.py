"""The Church vs Martin Luther: tricks win money and sins, and indulgences cover the sins.

Who owns nothing at all in the end is a Luther, and then it is money that costs. The rules, numbered L1 to L28 as cited
here, are in docs/rules/luther.md. What is said is in luther_words.py, what indulgences cover in luther_cover.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from croupier_server.games.luther_cover import (
    ASCII_RANK,
    BLACK,
    CLUBS,
    DIAMONDS,
    FIB,
    HEARTS,
    LIMITS,
    PACK,
    RANK,
    SPADES,
    SUIT,
    Numbers,
    coverage,
    mask_of,
)
from croupier_server.games.luther_words import (
    CARDS,
    INDULGENCES,
    Abstain,
    Abstained,
    Action,
    Card,
    CardPlayed,
    DiscardIndulgence,
    Event,
    HandDealt,
    Indulgence,
    IndulgenceChosen,
    IndulgenceOpened,
    IndulgenceTaker,
    IndulgenceUsed,
    Observation,
    Options,
    Phase,
    Play,
    SetBegan,
    SetLeader,
    SetScored,
    TakeIndulgence,
    TrickWon,
    UseIndulgence,
    action_text,
    check,
    parse_action,
)
from croupier_server.rules import Game, Outcome, Seat, Table, replaced, without

HIGHEST_RANK = {3: 8, 4: 10, 5: 13}  # by number of seats (L3)
DECKS = {seats: tuple([card for card in PACK if RANK[card] <= highest]) for seats, highest in HIGHEST_RANK.items()}
ROUNDS = 10  # in a set, and so cards in a hand
OPEN = 3  # indulgences of the display
TRUMP = {SPADES: DIAMONDS, DIAMONDS: SPADES, CLUBS: HEARTS, HEARTS: CLUBS}  # by led suit (L6)

PLAY, TAKE, INDULGE, OVER = Phase  # plain names are read faster than attributes of an Enum
_card_played, _trick_won, _chosen = cache(CardPlayed), cache(TrickWon), cache(IndulgenceChosen)  # few, and told often
_abstained, _opened = cache(Abstained), cache(IndulgenceOpened)

# Every action is made once, and every list of actions stands in ASCII order of the texts.
_PLAYS = (Play(0), *map(Play, PACK))  # by card
_ABSTAIN = Abstain()

# By led suit: the cards that follow it (L8), and the strength of every card (L9): trump, the led suit, all others.
FOLLOWING = [frozenset([card for card in PACK if SUIT[card] in (led, TRUMP.get(led))]) for led in range(5)]
_STRENGTH = [
    [40 * (SUIT[card] == TRUMP.get(led)) + 20 * (SUIT[card] == led) + (RANK[card] - 2) % 13 for card in (0, *PACK)]
    for led in range(5)
]


@cache
def _choices(display: tuple[Indulgence, ...]) -> tuple[Action, ...]:
    """All that a taker can do (L12)."""
    in_order = sorted(display, key=INDULGENCES.text)
    return (*map(DiscardIndulgence, in_order), *map(TakeIndulgence, in_order))


_BLACK_CARDS = sorted(BLACK)


@lru_cache(1 << 12)
def _cards_of(masks: tuple[int, ...]) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """The cards of masks, one mask after the other, and how many each has."""
    cards = [card for mask in masks for card in _BLACK_CARDS if mask >> card & 1]
    return tuple(cards), tuple([mask.bit_count() for mask in masks])


@lru_cache(1 << 12)
def _in_table_order(owned: tuple[tuple[Indulgence, ...], ...]) -> tuple[tuple[Indulgence, ...], tuple[int, ...]]:
    """The indulgences of the seats, one seat after the other, and how many each has."""
    return tuple([one for own in owned for one in sorted(own)]), tuple([len(own) for own in owned])


class Owned(NamedTuple):
    """What the seats have in this set, each by seat."""

    money: tuple[int, ...]  # red cards captured
    sins: tuple[int, ...]  # black cards captured and not covered, as masks
    unused: tuple[tuple[Indulgence, ...], ...]  # in ASCII order of the texts
    used: tuple[int, ...]  # how many indulgences

    @classmethod
    def nothing(cls, seats: int) -> Owned:
        """What the seats begin with."""
        zeros = (0,) * seats
        return cls(zeros, zeros, ((),) * seats, zeros)


class Plays(NamedTuple):
    """Every card played in the match, in order."""

    cards: tuple[Card, ...] = ()
    by: tuple[Seat, ...] = ()


class Rounds(NamedTuple):
    """What came of every trick of the match, in order."""

    winners: tuple[Seat, ...] = ()
    takers: tuple[Seat, ...] = ()
    chosen: tuple[Indulgence, ...] = ()
    discarded: tuple[bool, ...] = ()


class Uses(NamedTuple):
    """Every use of an indulgence in the match, in order."""

    by: tuple[Seat, ...] = ()
    indulgences: tuple[Indulgence, ...] = ()
    rounds: tuple[int, ...] = ()  # of the match, from 1
    counts: tuple[int, ...] = ()
    cards: tuple[Card, ...] = ()


class Luther(NamedTuple):
    """A position. The cards left over with three or five seats are not even kept."""

    options: Options
    phase: Phase
    turn: Seat  # who decides; when the match is over, the last winner
    leader: Seat  # of the trick of this round
    table: tuple[Card, ...]  # of the trick in play, in order of play
    hands: tuple[tuple[Card, ...], ...]  # by seat, in ASCII order of the texts; secret but to their owners
    display: tuple[Indulgence, ...]  # first opened first
    pile: tuple[Indulgence, ...]  # top first; secret
    owned: Owned
    plays: Plays
    rounds: Rounds
    opened: tuple[Indulgence, ...]  # in the match, in order
    uses: Uses
    scores: tuple[int, ...]  # of the finished sets, by seat, set after set

    @classmethod
    def deal(cls, options: Options, seats: int, table: Table[Event]) -> Luther:
        """The first position of a match (L4)."""
        start = table.chance.below("start", seats) if options.start_seat is None else options.start_seat
        hands, owned = ((),) * seats, Owned.nothing(seats)
        before = cls(options, OVER, start, start, (), hands, (), (), owned, Plays(), Rounds(), (), Uses(), ())
        return before._next_set(start, table)

    @property
    def round(self) -> int:
        """The round of the match, from 1."""
        return len(self.rounds.winners) + (self.phase is PLAY)

    def to_act(self) -> tuple[Seat, ...]:
        """See `State.to_act`."""
        return () if self.phase is OVER else (self.turn,)

    def legal(self, seat: Seat) -> Sequence[Action]:
        """See `State.legal`."""
        phase = self.phase
        if seat != self.turn or phase is OVER:
            return ()
        if phase is PLAY:
            hand: Sequence[Card] = self.hands[seat]
            if self.table:
                following = FOLLOWING[SUIT[self.table[0]]]
                hand = [card for card in hand if card in following] or hand
            return [_PLAYS[card] for card in hand]
        if phase is TAKE:
            return _choices(self.display)
        return [_ABSTAIN, *self._uses(seat)]

    def broken_rule(self, seat: Seat, action: Action) -> str:
        """See `State.broken_rule`; raises ValueError for a legal action."""
        phase = self.phase
        if seat != self.turn or phase is OVER:
            return "L5: this seat has no decision to make now"
        kinds, words = {
            PLAY: ((Play,), "play a card"),
            TAKE: ((TakeIndulgence, DiscardIndulgence), "take or discard an indulgence"),
            INDULGE: ((UseIndulgence, Abstain), "use an indulgence, or to pass"),
        }[phase]
        if not isinstance(action, kinds):
            return f"L5: this is the time to {words}"
        broken = None
        match action:
            case Play(card):
                broken = _unknown(None, (card,)) or self._broken_by_play(seat, card)
            case TakeIndulgence(indulgence) | DiscardIndulgence(indulgence) if indulgence not in self.display:
                broken = _unknown(indulgence, ()) or f"L12: {INDULGENCES.text(indulgence)} is not open"
            case UseIndulgence(indulgence, cards):
                broken = _unknown(indulgence, cards) or self._broken_by_use(seat, indulgence, cards)
        if broken is None:
            raise ValueError(f"{action_text(action)!r} breaks no rule")
        return broken

    def play(self, actions: Mapping[Seat, Action], table: Table[Event]) -> Luther:
        """See `State.play`."""
        match actions[self.turn]:
            case Play(card):
                return self._with_card(card, table)
            case TakeIndulgence(indulgence):
                return self._with_choice(indulgence, table, discarded=False)
            case DiscardIndulgence(indulgence):
                return self._with_choice(indulgence, table, discarded=True)
            case UseIndulgence(indulgence, cards):
                after = self._with_use(indulgence, cards, table)
            case Abstain():
                table.announce(_abstained(self.turn))
                after = self
        return after._with_asked((self.turn - self.leader) % len(self.hands) + 1, table)

    def view(self, viewer: Seat | None) -> Observation:
        """See `State.view`."""
        number, number_in_set = divmod(self.round - 1, ROUNDS)
        owned, plays, rounds, uses = self.owned, self.plays, self.rounds, self.uses
        return Observation(
            viewer,
            self.phase,
            self.turn,
            number + 1,
            number_in_set + 1,
            self.leader,
            self.table,
            self.display,
            len(self.pile),
            () if viewer is None else tuple(sorted(self.hands[viewer])),
            tuple([len(hand) for hand in self.hands]),
            owned.money,
            *_cards_of(owned.sins),
            *_in_table_order(owned.unused),
            owned.used,
            plays.cards,
            plays.by,
            rounds.winners,
            rounds.takers,
            rounds.chosen,
            rounds.discarded,
            self.opened,
            uses.by,
            uses.indulgences,
            uses.rounds,
            uses.counts,
            uses.cards,
            self.scores,
        )

    def outcome(self) -> Outcome | None:
        """See `State.outcome`."""
        if self.phase is not OVER:
            return None
        seats = len(self.hands)
        return Outcome.by_score([sum(self.scores[seat::seats]) for seat in range(seats)])  # L27

    def _uses(self, seat: Seat) -> list[UseIndulgence]:
        """All that a seat can do with its indulgences (L14)."""
        sins, numbers = self.owned.sins[seat], _numbers(self.options)
        return [use for one in self.owned.unused[seat] for use in coverage(one, numbers).uses(sins)]

    def _broken_by_play(self, seat: Seat, card: Card) -> str | None:
        hand, text = self.hands[seat], CARDS.text(card)
        if card not in hand:
            return f"L5: {text} is not in the seat's hand"
        following = FOLLOWING[SUIT[self.table[0]]] if self.table else frozenset(hand)
        if card in following or following.isdisjoint(hand):
            return None
        return f"L8: {text} is neither of the led suit nor trump, which the hand has"

    def _broken_by_use(self, seat: Seat, indulgence: Indulgence, cards: tuple[Card, ...]) -> str | None:
        name, limit = INDULGENCES.text(indulgence), LIMITS[indulgence]
        if indulgence not in self.owned.unused[seat]:
            return f"L14: {name} is not an unused indulgence of the seat"
        for card in cards:
            if not self.owned.sins[seat] >> card & 1:
                return f"L14: {CARDS.text(card)} is not an uncovered black card that the seat captured"
        if list(cards) != sorted(set(cards)):
            return "L14: the cards stand in canonical order, each once"
        if not 1 <= len(cards) <= limit:
            return f"L14: {name} covers 1 to {limit} cards, found {len(cards)}"
        if cards in coverage(indulgence, _numbers(self.options)):
            return None
        rule = 16 if indulgence <= FIB else 7 + indulgence  # L17 to L20, in table order
        return f"L{rule}: {name} does not cover {' '.join(map(CARDS.text, cards))}"

    def _with_card(self, card: Card, table: Table[Event]) -> Luther:
        """One more card lies on the table, and the trick may be complete."""
        options, phase, seat, leader, cards, hands, display, pile, owned, plays, rounds, opened, uses, scores = self
        table.announce(_card_played(seat, card))
        seats = len(hands)
        hands = replaced(hands, seat, without(hands[seat], card))
        plays = Plays((*plays.cards, card), (*plays.by, seat))
        cards, turn = (*cards, card), (seat + 1) % seats
        if len(cards) == seats:
            first, second = _won(cards, options)
            winner, turn = (leader + first) % seats, (leader + second) % seats
            table.announce(_trick_won(winner, turn))
            money, sins, unused, used = owned
            money = replaced(money, winner, money[winner] + sum([one not in BLACK for one in cards]))  # L10
            sins = replaced(sins, winner, sins[winner] | mask_of(BLACK.intersection(cards)))
            owned = Owned(money, sins, unused, used)
            rounds = Rounds((*rounds.winners, winner), (*rounds.takers, turn), rounds.chosen, rounds.discarded)
            phase, cards = TAKE, ()
        return Luther(
            options, phase, turn, leader, cards, hands, display, pile, owned, plays, rounds, opened, uses, scores
        )

    def _with_choice(self, indulgence: Indulgence, table: Table[Event], *, discarded: bool) -> Luther:
        """The taker has taken or discarded an indulgence (L12)."""
        taker, owned, rounds = self.turn, self.owned, self.rounds
        table.announce(_chosen(taker, indulgence, discarded))
        if not discarded:
            own = tuple(sorted((*owned.unused[taker], indulgence), key=INDULGENCES.text))
            owned = owned._replace(unused=replaced(owned.unused, taker, own))
        winners, takers, chosen, discards = rounds
        rounds = Rounds(winners, takers, (*chosen, indulgence), (*discards, discarded))
        return self._replace(display=without(self.display, indulgence), owned=owned, rounds=rounds)._with_asked(
            0, table
        )

    def _with_use(self, indulgence: Indulgence, cards: tuple[Card, ...], table: Table[Event]) -> Luther:
        """A seat has covered sins (L14, L21)."""
        seat = self.turn
        table.announce(IndulgenceUsed(seat, indulgence, cards))
        money, sins, unused, used = self.owned
        sins = replaced(sins, seat, sins[seat] & ~mask_of(cards))
        unused = replaced(unused, seat, without(unused[seat], indulgence))
        owned = Owned(money, sins, unused, replaced(used, seat, used[seat] + 1))
        by, indulgences, rounds, counts, covered = self.uses
        uses = Uses(
            (*by, seat), (*indulgences, indulgence), (*rounds, self.round), (*counts, len(cards)), covered + cards
        )
        return self._replace(owned=owned, uses=uses)

    def _with_asked(self, place: int, table: Table[Event]) -> Luther:
        """The next seat that can use an indulgence is asked, from a place in the order of play on (L13)."""
        seats = len(self.hands)
        for i in range(place, seats):
            seat = (self.leader + i) % seats
            if self._uses(seat):
                return self._replace(phase=INDULGE, turn=seat)
        return self._with_opened(table)

    def _with_opened(self, table: Table[Event]) -> Luther:
        """The round is over: the top of the pile is opened (L22), and the winner leads (L23)."""
        options, _, _, leader, cards, hands, display, pile, owned, plays, rounds, opened, uses, scores = self
        top, winner = pile[0], rounds.winners[-1]
        table.announce(_opened(top))
        display, pile, opened = (*display, top), pile[1:], (*opened, top)
        phase, leader = (PLAY, winner) if hands[0] else (OVER, leader)
        after = Luther(
            options, phase, winner, leader, cards, hands, display, pile, owned, plays, rounds, opened, uses, scores
        )
        return after if phase is PLAY else after._with_scores(table)

    def _with_scores(self, table: Table[Event]) -> Luther:
        """A set is over: it is counted (L24, L25), and the match ends or goes on (L26)."""
        money, sins, unused, used = self.owned
        seats, number, options = range(len(money)), self.round // ROUNDS, self.options
        own = [used[seat] + len(unused[seat]) for seat in seats]
        luthers = tuple([seat for seat in seats if not (money[seat] or sins[seat] or own[seat])])
        if luthers:
            costs = own if options.used_indulgence_costs else [len(left) for left in unused]
            scores = tuple([-money[seat] - costs[seat] for seat in seats])
        else:
            scores = tuple([money[seat] - sins[seat].bit_count() for seat in seats])
        table.announce(SetScored(number, luthers, scores))
        after = self._replace(scores=self.scores + scores)
        if number == options.sets:
            return after
        rotated = (self.plays.by[0] + number) % len(money)
        return after._next_set(rotated if options.set_leader is SetLeader.ROTATE else self.turn, table)

    def _next_set(self, leader: Seat, table: Table[Event]) -> Luther:
        """A set is dealt (L3, L4)."""
        seats, number = len(self.hands), self.round // ROUNDS + 1
        deck = table.chance.shuffle(f"deal {number}", DECKS[seats])
        # Indulgences are shuffled as texts, which no card is taken for.
        order = [INDULGENCES.parse(text) for text in table.chance.shuffle(f"indulgences {number}", INDULGENCES.texts)]
        display, pile = tuple(order[:OPEN]), tuple(order[OPEN:])
        table.announce(SetBegan(number, leader, display))
        hands = [deck[ROUNDS * seat : ROUNDS * (seat + 1)] for seat in range(seats)]
        for seat, hand in enumerate(hands):
            table.whisper(seat, HandDealt(tuple(sorted(hand))))
        return Luther(
            self.options,
            PLAY,
            leader,
            leader,
            (),
            tuple([tuple(sorted(hand, key=ASCII_RANK.__getitem__)) for hand in hands]),
            display,
            pile,
            Owned.nothing(seats),
            self.plays,
            self.rounds,
            self.opened + display,
            self.uses,
            self.scores,
        )


def _won(cards: tuple[Card, ...], options: Options) -> tuple[int, int]:
    """The places in a trick of the cards whose seats win it (L9) and take an indulgence (L11)."""
    led = SUIT[cards[0]]
    strength = [_STRENGTH[led][card] for card in cards]
    best = strength.index(max(strength))
    if led in (SPADES, CLUBS) and options.indulgence_taker is IndulgenceTaker.TABLE:
        return best, best
    reds = [0 if card in BLACK else 1 + value for card, value in zip(cards, strength, strict=True)]
    return best, reds.index(max(reds)) if any(reds) else best


def _numbers(options: Options) -> Numbers:
    """How the options read the numbers of cards."""
    return Numbers(options.ace_value, options.run_min, options.run_wrap)


def _unknown(indulgence: Indulgence | None, cards: tuple[Card, ...]) -> str | None:
    """Why numbers name no indulgence or card, if they do not."""
    if indulgence is not None and not 1 <= indulgence <= len(INDULGENCES.texts):
        return f"L2: {indulgence} is no indulgence"
    return next((f"L1: {card} is no card" for card in cards if card not in PACK), None)


from croupier_server.games.luther_worlds import world  # noqa: E402  # which needs all of the above

GAME = Game(
    id="luther",
    title="The Church vs Martin Luther",
    seats=(3, 4, 5),
    options=Options,
    variants={
        "standard": Options(),
        "strongest-red": Options(indulgence_taker=IndulgenceTaker.STRONGEST_RED),
        "ace-high": Options(ace_value=14),
        "easy-runs": Options(run_min=1, run_wrap=True),
        "used-are-free": Options(used_indulgence_costs=False, start_seat=0),
        "three-sets": Options(sets=3),
        "four-sets": Options(sets=4),
        "five-sets": Options(sets=5),
        "three-sets-last-winner": Options(sets=3, set_leader=SetLeader.LAST_WINNER),
    },
    check=check,
    deal=Luther.deal,
    world=world,
    actions=(Play, TakeIndulgence, DiscardIndulgence, UseIndulgence, Abstain),
    observation=Observation,
    events=(
        SetBegan,
        HandDealt,
        CardPlayed,
        TrickWon,
        IndulgenceChosen,
        IndulgenceUsed,
        Abstained,
        IndulgenceOpened,
        SetScored,
    ),
    action_text=action_text,
    parse_action=parse_action,
    item_text=lambda item: item if isinstance(item, str) else CARDS.text(item),
    simultaneous=False,
)
