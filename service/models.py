"""What goes into the desk and what comes out of it. JSON names are camelCase.

Requests refuse unknown fields; an optional request field is absent, never null. Answers always
carry all of their fields.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.kernel.options import Pending
from domain.kernel.setup import Result
from domain.kernel.values import Seat
from projections.moments import SideSummary, Status
from projections.records import Rules
from projections.stream import SeenEvent

GameId = str
"""32 hexadecimal digits, lower case."""

Hex32 = Annotated[
    str, Meta(max_length=64, pattern="^[0-9a-f]{64}$", description="32 bytes, hexadecimal")
]
Hex64 = Annotated[
    str, Meta(max_length=128, pattern="^[0-9a-f]{128}$", description="64 bytes, hexadecimal")
]
CommandId = Annotated[
    str, Meta(max_length=64, description="id of an order: `causedBy` of its events")
]
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[a-z0-9][a-z0-9.-]*$")]
SeatName = Annotated[str, Meta(min_length=1, max_length=16, pattern="^[a-z0-9]+$")]
Label = Annotated[str, Meta(max_length=80)]

LONGEST = 90 * 24 * 3_600
"""Seconds that a question may be given at most."""

Hold = Literal["keep", "invite", "open", "bot"]
Strength = Literal["full", "easy"]
Grade = Literal["A0", "A1", "A2", "A3"]
Reached = Literal["none", "A0", "A1", "A2", "A3"]
Keeper = Literal["page", "client"]
"""Whose program holds a seat's key, as the seat said: the service's own page, whose code the
operator ships, or a client of one's own."""
Kind = Literal["seat", "invitation", "organiser", "spectator", "auditor"]


class Request(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"
):
    """Base of what a client sends."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of what a client gets; of what projections make it is ``Document``."""


class EngineInfo(Answer, frozen=True):
    """An engine, as its archive says.

    digest     SHA-256 of the archive
    ruleset    that it decides
    version    of the ruleset
    bytes      of the archive
    installed  whether new games of the ruleset begin under it
    """

    digest: str
    ruleset: str
    version: str
    bytes: int
    installed: bool


class OrderKey(Request, frozen=True):
    """The key by which a seat signs its orders: none is taken then that it has not signed.

    public  the public key (Ed25519), in hex
    keeper  holder of the secret half: "client", one's own; "page", the service's page
    """

    public: Hex32
    keeper: Keeper = "client"


class BotWish(Request, frozen=True):
    """A bot of the service that plays a seat.

    name      one of the ruleset's ``bots``; the first of them where it is left out
    strength  "full": it plays as well as it can; "easy": of three orders one is any that is legal
    """

    name: Name | UnsetType = UNSET
    strength: Strength = "full"


class SeatWish(Request, frozen=True):
    """The way in which a seat of a new game is filled.

    hold  "keep": the creator gets its token; "invite": who has the invitation; "open": anybody;
          "bot": a bot of the service plays it, and nobody gets a token
    order_key  of a seat that is kept: the key that signs its orders
    bot   of a seat that a bot plays: which one; the ruleset's first where it is left out
    """

    seat: SeatName
    hold: Hold = "keep"
    order_key: OrderKey | UnsetType = UNSET
    bot: BotWish | UnsetType = UNSET


CustomId = Annotated[
    str,
    Meta(max_length=64, pattern="^[0-9a-f]{64}$", description="Name of a posted document."),
]
USUAL_SCENARIO = "standard"


class CustomWish(Request, frozen=True):
    """A document for a new game: the id of a posted one, or the document itself."""

    id: CustomId | UnsetType = UNSET
    document: dict[str, Any] | UnsetType = UNSET


class CustomWishes(Request, frozen=True):
    """The documents that a new game brings, by kind."""

    scenario: CustomWish | UnsetType = UNSET
    map: CustomWish | UnsetType = UNSET
    deck: CustomWish | UnsetType = UNSET


NO_CUSTOMS = CustomWishes()


class NewGame(Request, frozen=True):
    """A game to be created.

    options  the ruleset's own options; GET the ruleset for names and defaults
    seats    one wish for each seat of the game; none: every seat is kept
    grade    "A0": dice of the service's chain alone; "A1": with the links of seats that bring a tip
             ("A2": programs give them once the order that needs them is locked, ``giveLinks``)
             when they are taken; a creator who wants to bring one invites itself. "A3": as "A2",
             and each batch waits for a round of a public beacon, where the service has one
    seed     names the dice chain, so that the whole game can be made again. Who knows or guesses it
             can foresee every die and read every hidden card: such a game has the grade "none",
             is marked, and is joined only by who accepts that (``acceptNamedSeed``)
    name     for the lobby; not part of the record
    customs  documents of the players' own: a scenario, a map, a deck, as the ruleset takes them;
             with a scenario among them ``scenario`` is "custom" or left out
    deadline seconds that a seat has for each question once all seats are filled: after that the
             service gives the usual answer for it; no limit where it is left out
    forfeit  number of absences from the dice at which a seat forfeits the game (grades A2 and A3,
             each for itself); none does where it is left out
    series   secret name of the series that the game is of, a tournament for one: the public log
             counts its games, so that nobody leaves one out. Who does not know the name adds none;
             the record has a digest of it
    """

    ruleset: Name
    edition: Name | UnsetType = UNSET
    scenario: Name = USUAL_SCENARIO
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    seats: Annotated[list[SeatWish], Meta(max_length=16)] = msgspec.field(default_factory=list)
    grade: Grade = "A0"
    seed: Annotated[str, Meta(min_length=1, max_length=256)] | UnsetType = UNSET
    name: Label = ""
    customs: CustomWishes = NO_CUSTOMS
    deadline: Annotated[int, Meta(ge=1, le=LONGEST)] | UnsetType = UNSET
    forfeit: Annotated[int, Meta(ge=1, le=1_000)] | UnsetType = UNSET
    series: Annotated[str, Meta(min_length=16, max_length=256)] | UnsetType = UNSET


class TakeSeat(Request, frozen=True):
    """A seat to be taken: an open one by its name, another one by its invitation.

    ``mark`` of a player's n-th game is TH("nws1/mark", s, u64(n)): nobody can tell whose it is
    until he opens the secret s. Then the public log shows how many games he has.

    dice_tip  r[p,0]: joins the seat's own chain to the dice (grade A1) from the next batch on
    order_key  signs the seat's orders from now on, see ``giveCommand``
    mark      by which the public log counts the game as one of its player's
    accept_named_seed  needed where the game's ``seedNamed`` is true: somebody may know every die
              and every hidden card of it
    """

    seat: SeatName
    invitation: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET
    dice_tip: Hex32 | UnsetType = UNSET
    order_key: OrderKey | UnsetType = UNSET
    mark: Hex32 | UnsetType = UNSET
    accept_named_seed: bool = False


class NewLinks(Request, frozen=True):
    """Links that a seat gives: one makes all before it. Or the tip of its next chain, or both.

    upto  number ``t`` of the batch that it is for; at most 64 ahead; with ``link``
    link  r[upto - firstBatch + 1] of the seat's chain, see ``takeSeat``; with ``upto``
    tip   r[0] of the seat's next chain, where the one before is spent (``renewals``)
    """

    upto: Annotated[int, Meta(ge=1, le=2**53 - 1)] | UnsetType = UNSET
    link: Hex32 | UnsetType = UNSET
    tip: Hex32 | UnsetType = UNSET


class SeatSummary(Answer, frozen=True):
    """A seat of a game: how it is filled, and its dice tip.

    dice_tip  "" when it has none, or has not begun a new chain since the last one was spent
    order_key the key that signs its orders, in hex; "" where it has none, and none is signed
    keeper    holder of its secret half, "client" or "page"; "" for none
    key_ruled the organiser has put a key there, or taken it away, by his word alone: no key before
              has signed that, and the seat's orders are of grade O0 to the end; absent elsewhere
    last      number of the newest event whose ``actor`` is the seat; 0 for none
    links_upto  the last batch for which it has given its links ahead; 0: it gives none
    bot       the bot of the service that plays it, and is "kept"; "" for a seat of somebody's
    strength  of that bot, "full" or "easy"; "" for none
    """

    seat: Seat
    held: Literal["kept", "invited", "open", "taken"]
    dice_tip: str
    order_key: str = ""
    keeper: str = ""
    key_ruled: bool | UnsetType = UNSET
    last: int = 0
    links_upto: int = 0
    bot: str = ""
    strength: str = ""


class CustomBrought(Answer, frozen=True):
    """A document that a game was created with. ``id`` names it by its content."""

    kind: str
    id: str
    name: str


class CustomDocument(Answer, frozen=True):
    """A document that players bring.

    id        names it by its content: the same document has the same id, for ever
    name      what it calls itself
    document  as it was posted
    expires_at  when it goes, if it is not posted again and no new game names it; null: it is kept
    """

    id: str
    ruleset: str
    kind: str
    name: str
    document: dict[str, Any]
    expires_at: str | None = None
    replayed: bool = False


class ForkedFrom(Answer, frozen=True):
    """The origin of a what-if game.

    viewer  through whose eyes its position was taken; "truth" when the parent was over
    seed    seed of the values that stand in for that viewer's unknown ones, and of the dice
    """

    game: GameId
    version: int
    viewer: str
    seed: str


class ForkWish(Request, frozen=True):
    """A what-if game to be made from a version of another one.

    at      that version; the newest if absent. A position between two events of one command is
            none, unless dice are awaited there
    viewer  through whose eyes: by default the caller's own, or the truth once the game is over
    seed    seed of the values that stand in for the viewer's unknown ones, and of the fork's dice;
            drawn if absent
    faces   faces for the dice that are awaited at that version, pool by pool; thrown anew if absent
    name    for the owner
    bots    by seat: the bot of the service that plays it; at least one seat is the owner's
    """

    at: Annotated[int, Meta(ge=1, le=2**53 - 1)] | UnsetType = UNSET
    viewer: SeatName | UnsetType = UNSET
    seed: Annotated[str, Meta(min_length=1, max_length=128)] | UnsetType = UNSET
    faces: (
        Annotated[
            list[
                Annotated[
                    list[Annotated[int, Meta(ge=1, le=65_536)]], Meta(min_length=1, max_length=2000)
                ]
            ],
            Meta(min_length=1, max_length=100),
        ]
        | UnsetType
    ) = UNSET
    name: Label = ""
    bots: Annotated[dict[str, BotWish], Meta(max_length=16)] = {}


class StepTold(Answer, frozen=True):
    """A step that its seat may take back.

    seat     that gave the order
    command  id of the order
    first    number of its first event
    """

    seat: Seat
    command: str
    first: int


class FormerRules(Answer, frozen=True):
    """Rules by which a game was played before it went over to others.

    rules  that decided
    until  version of the change: what stands before it is of these rules
    """

    rules: Rules
    until: int


class Standstill(Answer, frozen=True):
    """A game whose clocks the operator has stopped.

    since   when
    orders  whether orders are taken meanwhile; where not, the game is frozen: ``game.frozen``
    reason  as it was given; may be ""
    left    by seat that was asked then and still is: seconds that it has from when the game goes on
    """

    since: str
    orders: bool
    reason: str
    left: dict[Seat, int] = {}


class LinksAwaited(Answer, frozen=True):
    """An order is locked, and its dice wait for links (grade A2), then for a beacon (grade A3).

    seat     that has given the order
    batch    number ``t`` of the batch for which links are taken now
    due      when those that have not come are absent; where a beacon is waited for, when it comes
    missing  the seats whose links have not come
    """

    seat: Seat
    batch: int
    due: str
    missing: tuple[Seat, ...]


class GameSummary(Answer, frozen=True):
    """A game as everybody may know it.

    grade       of the dice, as asked for; "none" where ``seed_named``
    seed_named  somebody named the seed: who knows it can foresee every die and read every hand
    status      "open" while a seat is not filled, then "playing"; "finished" when the record is
                closed: with a result, or ``abandoned``
    opened      the dice's master is opened, and with it all that was sealed: anybody may look with
                the eyes of each seat. After the end; where the service keeps a public log, once
                that has the end, cosigned as the service asks its witnesses
    abandoned   given up before anybody joined it, ended since nobody played, or by ruling: there is
                no result
    ruling      the reason for which the operator ended it; "" where nobody did
    paused      set while the operator has stopped its clocks, or frozen it
    resumed_at  when its clocks last went on after that; absent where they never stood
    expires_at  when it goes, if nobody gives a command until then: a fork is deleted, a game in
                which nobody has given one is ended (``abandoned``); later by as long as nobody
                could reach the service. null: it is kept
    version     of the latest event; the ETag
    head        hash of that event: whoever notes it can show later that the record was another
    to_move     the open questions, one for each seat that is asked
    next_batch  number t of the dice batch that the next roll will open
    commitment  NWD-1 C_S: fixes every server link of the game
    params      NWD-1 G: the salt of this game's links, the seats' own included
    customs     the documents that it was created with; each is in the set-up, in its first event
    link_credit for how many batches a seat's link has to do: with its command it sends the link of
                batch ``next_batch + link_credit - 1``
    renewals    number of times that the chains were spent and made anew
    first_batch the batch that opens link 1 of the chains in use
    chain_params the value in place of ``params`` in the chains in use, in hex; absent where
                that is made of ``params`` and ``renewals`` alone: it is not once the store went
                back (``decklog.epoch-started``)
    fork        where a what-if game comes from; null for any other
    deadline    seconds that a seat has for each question; 0: as long as it likes
    due         by seat that is asked: when its time is over, and the service answers for it
    sides       the sides with their seats and scores; each seat is of one side
    former      rules by which the game was played before those that are in ``rules``, in order
    agreed      by seat: the digest of the engine to which it would go over, once all seats would
    locked      set while an order waits for the links of its dice: no other is taken then
    beacon_round of the public beacon for which a locked order waits, once the links are closed
                (grade A3); 0: for none
    forfeited   the seats that were absent from the dice once too often, and have lost by that
    takebacks   the number of steps that were taken back
    takeback    the last step, where its seat may take it back (`giveTakeback`); null elsewhere
    """

    id: GameId
    name: str
    rules: Rules
    scenario: str
    options: dict[str, Any]
    grade: Reached
    seed_named: bool
    commitment: str
    params: str
    chain_length: int
    status: Status
    version: int
    next_batch: int
    seats: tuple[SeatSummary, ...]
    to_move: tuple[Pending, ...]
    scores: dict[Seat, int]
    result: Result | None
    created_at: str
    updated_at: str
    customs: tuple[CustomBrought, ...] = ()
    link_credit: int = 1
    renewals: int = 0
    first_batch: int = 1
    chain_params: str | UnsetType = UNSET
    fork: ForkedFrom | None = None
    deadline: int = 0
    due: dict[Seat, str] = {}
    abandoned: bool = False
    expires_at: str | None = None
    sides: tuple[SideSummary, ...] = ()
    former: tuple[FormerRules, ...] = ()
    agreed: dict[Seat, str] = {}
    ruling: str = ""
    paused: Standstill | None = None
    resumed_at: str | UnsetType = UNSET
    head: str = ""
    opened: bool = False
    locked: LinksAwaited | None = None
    beacon_round: int = 0
    forfeited: tuple[Seat, ...] = ()
    takebacks: int = 0
    takeback: StepTold | None = None

    @property
    def frozen(self) -> bool:
        """Whether nobody may go on in it."""
        return self.paused is not None and not self.paused.orders

    def rules_at(self, version: int) -> Rules:
        """By which rules the game was judged at a version."""
        return next((each.rules for each in self.former if version < each.until), self.rules)


class Standing(Answer, frozen=True):
    """The standing of a game after its last event: all that a follower needs to go on.

    version  of the game: all events up to it are there
    head     hash of the event of that number
    status   as that of the game
    to_move  the open questions, one for each seat that is asked; none once the game is over
    due      by seat that is asked: when its time is over
    scores   by seat
    result   the end of the game; null while it is played, or where it ended without one
    """

    version: int
    head: str
    status: Status
    to_move: tuple[Pending, ...]
    due: dict[Seat, str]
    scores: dict[Seat, int]
    result: Result | None

    @classmethod
    def of(cls, game: GameSummary) -> Standing:
        """The game as it stands."""
        return cls(
            game.version, game.head, game.status, game.to_move, game.due, game.scores, game.result
        )


class NewAgreement(Request, frozen=True):
    """The engine under which a seat would go on.

    digest  of the engine; that of the game's own rules takes an agreement back
    """

    digest: Hex32


class NewTakeback(Request, frozen=True):
    """The step that a seat takes back.

    command  id of the order, as its events and `takeback` of the game name it
    """

    command: CommandId


class NewKey(Request, frozen=True):
    """The key to which a seat passes its own on.

    public     the new public key (Ed25519), in hex: one that the seat never had
    signature  by the key that the seat has until then, over the new one, in hex
    keeper     holder of its secret half: "client", one's own; "page", the service's page
    """

    public: Hex32
    signature: Hex64
    keeper: Keeper = "client"


class SeatToken(Answer, frozen=True):
    """A secret for one seat; shown when it is made and not kept by the service."""

    seat: Seat
    token: str


class CreatedGame(Answer, frozen=True):
    """A new game with everything that is told once.

    tokens       one for each seat that the creator keeps
    invitations  one for each seat that waits for an invited player
    organiser    token of the game's organiser
    """

    game: GameSummary
    tokens: tuple[SeatToken, ...]
    invitations: tuple[SeatToken, ...]
    organiser: str
    replayed: bool = False


class SeatTaken(Answer, frozen=True):
    """A seat that was taken: its token is told once.

    receipt  that the service has signed, as it goes out; "" where it signs nothing
    """

    game: GameSummary
    seat: Seat
    token: str
    receipt: str = ""
    replayed: bool = False


class GameTold(Answer, frozen=True):
    """The game, after a seat has put on record what is no order: that it agrees to other rules, its
    dice links, another key, or that it takes back its last step.

    receipt  that the service has signed, as it goes out; "" where it signs nothing
    """

    game: GameSummary
    receipt: str = ""
    replayed: bool = False


class Outcome(Answer, frozen=True):
    """The events that were stored with an accepted command, as its seat may see them.

    version     after them
    head        hash of the event of that number
    command     id of the command (``causedBy`` of its events)
    next_batch  number of the next dice batch
    standing    how the game stood then
    receipt     that the service has signed, as it goes out; "" where it signs nothing
    """

    version: int
    head: str
    command: str
    events: tuple[SeenEvent, ...]
    next_batch: int
    standing: Standing
    receipt: str = ""
    replayed: bool = False


class View(Answer, frozen=True):
    """The game at ``version`` as a viewer may see it: ``state`` is the game's own state type.

    head  hash of event number ``version``
    """

    version: int
    head: str
    viewer: str
    next_batch: int
    state: Any


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """Whose token it is: ``seat`` is "" unless the kind is "seat" or "invitation"."""

    kind: Kind
    game: GameId
    seat: Seat
    token_id: str
