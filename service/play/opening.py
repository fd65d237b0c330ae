"""The beginning of a game: what is asked for, the first records, the seats' tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import count
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from domain.kernel.chance import PUBLIC_DOMAIN, SEALED_DOMAIN, side_domain
from domain.kernel.codec import canonical, full
from domain.kernel.custom import Kind, Unfit
from domain.kernel.event import Event
from domain.kernel.fork import Fork
from domain.kernel.forked import fork_rules
from domain.kernel.game import Game
from domain.kernel.setup import Setup
from domain.kernel.values import Seat
from projections.moments import SideSummary
from projections.records import Rules

from ..bots.bot import bots_of
from ..deadlines import days_later
from ..dice import nwd1
from ..dice.grades import BEACON, LOCKED
from ..dice.resolve import Resolved, resolve
from ..dice.vault import DiceBook, Vault
from ..engines.closure import Unbuildable
from ..engines.strange import once
from ..entropy import drawn
from ..errors import BadSetup
from ..evidence.beacon import QUICKNET
from ..evidence.chain import NO_CAUSE, Chain, Seals
from ..evidence.digest import (
    digest_of,
    rules_archive,
    rules_digest,
    rules_files,
    scenario_digest,
    shown_archive,
)
from ..evidence.ed25519 import is_key
from ..evidence.escrow import KeptShare, plays, sealed
from ..evidence.records import (
    ENGINE,
    SERVICE,
    BotSeat,
    ChainRenewed,
    GameCreated,
    Params,
    RulesUsed,
)
from ..evidence.seatkeys import SeatKey, registered
from ..log.leaf import series_of
from ..models import (
    BotWish,
    CreatedGame,
    ForkedFrom,
    GameSummary,
    NewGame,
    Reached,
    SeatSummary,
    SeatToken,
    SeatWish,
)
from ..store import botturns, engines, unplayed
from ..store.bulk import Statement
from ..store.store import Commit, Store, game_insertion, look_after
from ..store.tokens import NewToken, insertion, make_token
from ..views.rulesets import pinned
from .customs import brought, in_the_request, named, references, scenario_name
from .live import DiceKeeper, Live, Turn, first_links
from .staging import ReadyRequest, RecordWriter, status_of, steps, summarise

AnyGame = Game[Any, Any, Any]


def open_game(
    new: NewGame, games: Mapping[str, AnyGame], vault: Vault, store: Store, at: str
) -> ReadyRequest:
    """A new game, staged. Raises BadSetup, CustomRefused, Refused, DiceRefused."""
    game = _ruleset(new, games)
    _check_grade(new, store)
    terms = terms_of(new, game)
    wishes = seat_wishes(new, game)
    customs = brought(new, game, store)
    setup = setup_of(new, game, terms, wishes, customs)
    _check_forfeit(new, game, setup)
    staged = _begin(new, game, setup, wishes, vault, store, at)
    statements = (*staged.commit.statements, *named(new, at))
    commit = msgspec.structs.replace(staged.commit, statements=statements)
    return msgspec.structs.replace(staged, commit=commit)


def open_fork(
    parent: Setup,
    fork: Fork,
    name: str,
    bots: Mapping[Seat, BotWish],
    games: Mapping[str, AnyGame],
    vault: Vault,
    store: Store,
    at: str,
) -> ReadyRequest:
    """A what-if game, staged: its seats are its maker's, or bots'. Raises BadSetup, Refused.

    Its dice come from its own seed, never from the parent's: with another beginning G is another,
    and so is every link.
    """
    new = NewGame(ruleset=parent.ruleset, seed=FORK_SEED + fork.seed, name=name)
    setup = msgspec.json.decode(canonical(msgspec.structs.replace(parent, fork=fork)), type=Setup)
    beginning = store.game(fork.game)
    rules = _ruleset(new, games) if beginning is None else pinned(games, beginning.summary.rules)
    wishes = [
        SeatWish(seat=seat, hold="bot", bot=bots[seat]) if seat in bots else SeatWish(seat=seat)
        for seat in parent.seats
    ]
    game = fork_rules(rules)
    return _begin(new, game, setup, wishes, vault, store, at)


_HELD = {"keep": "kept", "invite": "invited", "open": "open", "bot": "kept"}

FORK_SEED = "fork/"
"""Begins the seeds of forks, so that none is the named seed of a game that is played."""


def _begin(
    new: NewGame,
    game: AnyGame,
    setup: Setup,
    wishes: Sequence[SeatWish],
    vault: Vault,
    store: Store,
    at: str,
) -> ReadyRequest:
    try:
        opening = game.opening(setup)
    except Unfit as unfit:
        raise in_the_request(unfit) from None
    created, book, game_id = once(
        "created", lambda: _create(new, game, setup, wishes, vault, store)
    )
    links = first_links(created)
    done = _roll_opening(game, opening, book, len(setup.seats))
    seals = Seals(book.master, book.g)
    dice = DiceKeeper(vault, game_id, created, book.master)
    dice.book = book
    scribe = RecordWriter(game, Chain(game_id, seals), setup.seats, at)
    scribe.platform(created)
    scribe.command(steps(game, None, done), NO_CAUSE, SERVICE)
    next_batch = 1 + len(done.batches)
    if (renewal := dice.renewal(links.epoch, next_batch)) is not None:
        scribe.platform(ChainRenewed.of(book, renewal))
        links = links.renewed(renewal)
    scribe.write(done.state)
    held = {wish.seat: _HELD[wish.hold] for wish in wishes}
    days = store.unplayed_days if setup.fork is None else store.fork_days
    summary = begun(game, game_id, created, new.name, held, at, days_later(at, days))
    summary = summarise(
        game, summary, done.state,
        version=scribe.seq, head=scribe.head, next_batch=next_batch, at=at, links=links,
        actor=SERVICE, own=scribe.own,
    )  # fmt: skip
    turns = (Turn(scribe.seq, SERVICE, summary.to_move),)
    live = Live(game, summary, scribe.head, done.state, seals, dice, links, turns, setup.seats,
                waits=store.publishes and setup.fork is None)  # fmt: skip
    return _with_tokens(live, scribe, wishes, store, at)


def _ruleset(new: NewGame, games: Mapping[str, AnyGame]) -> AnyGame:
    game = games.get(new.ruleset)
    if game is None:
        hint = f"Rulesets here: {', '.join(sorted(games))}."
        raise BadSetup(hint, code="ruleset.unknown", pointer="/ruleset")
    return game


def _check_grade(new: NewGame, store: Store) -> None:
    """Raises BadSetup for dice with a public beacon where the service has none."""
    if new.grade == BEACON and not store.beacon:
        hint = "This service has no public beacon: ask for grade A2."
        raise BadSetup(hint, code="grade.unavailable", pointer="/grade")


def _check_forfeit(new: NewGame, game: AnyGame, setup: Setup) -> None:
    """Raises BadSetup where nobody's absence is waited for, or a partner would lose by it."""
    hint = ""
    if new.forfeit is not UNSET and new.grade not in LOCKED:
        hint = "Links are waited for in games of grades A2 and A3."
    elif new.forfeit is not UNSET and any(len(side) > 1 for side in game.sides(setup)):
        hint = "Where seats play together, nobody forfeits for the others."
    if hint:
        raise BadSetup(hint, code="options.invalid", pointer="/forfeit")


def seat_wishes(new: NewGame, game: AnyGame) -> list[SeatWish]:
    """One wish for each seat in order p1, p2, ...; every seat kept where nothing is said."""
    if not new.seats:
        return [SeatWish(seat=seat) for seat in _names(min(game.seat_counts))]
    wishes = sorted(new.seats, key=lambda wish: (len(wish.seat), wish.seat))
    names = [wish.seat for wish in wishes]
    if len(names) not in game.seat_counts or names != _names(len(names)):
        counts = " or ".join(map(str, game.seat_counts))
        raise BadSetup(f"{counts} seats play, named p1, p2, and so on.", pointer="/seats")
    _check_bots(wishes, game)
    return wishes


def _check_bots(wishes: Sequence[SeatWish], game: AnyGame) -> None:
    """Raises BadSetup for a bot that there is not, or where nobody but bots would play.

    Bots alone would keep the service busy for nobody, and some never come to an end.
    """
    names, hint = tuple(bots_of(game)), ""
    if all(wish.hold == "bot" for wish in wishes):
        hint = "One seat at least is somebody's."
    for wish in wishes:
        if wish.bot is not UNSET and wish.hold != "bot":
            hint = f"A bot plays {wish.seat} with hold bot only."
        elif wish.bot is not UNSET and wish.bot.name not in (UNSET, *names):
            hint = f"Bots here: {', '.join(names)}."
    if hint:
        raise BadSetup(hint, pointer="/seats")


def _bots(wishes: Sequence[SeatWish], game: AnyGame) -> dict[Seat, BotSeat]:
    """By seat that a bot plays: which one."""
    found: dict[Seat, BotSeat] = {}
    for wish in wishes:
        if wish.hold == "bot":
            bot = BotWish() if wish.bot is UNSET else wish.bot
            name = next(iter(bots_of(game))) if bot.name is UNSET else bot.name
            found[wish.seat] = BotSeat(name, bot.strength)
    return found


def _names(count: int) -> list[Seat]:
    return [f"p{number}" for number in range(1, count + 1)]


def edition_of(new: NewGame, game: AnyGame) -> str:
    """The edition that is wished for; without a wish the newest."""
    return game.editions[-1] if new.edition is UNSET else new.edition


def terms_of(new: NewGame, game: AnyGame) -> tuple[str, Any]:
    """The edition, and every option written out. Raises BadSetup."""
    edition = edition_of(new, game)
    if edition not in game.editions:
        hint = f"Editions: {', '.join(game.editions)}."
        raise BadSetup(hint, code="edition.unknown", pointer="/edition")
    try:
        return edition, full(msgspec.convert(new.options, game.options))
    except msgspec.ValidationError as error:
        raise BadSetup(f"{error}.", code="options.invalid", pointer="/options") from None


def setup_of(
    new: NewGame,
    game: AnyGame,
    terms: tuple[str, Any],
    wishes: Sequence[SeatWish],
    customs: dict[Kind, Any],
) -> Setup:
    """The set-up with every option written out, so that a later default changes nothing.

    It is as it will be read back from its record. A stored value leaves out a default when it is
    the very object of the declaration, and one read from JSON may be equal to it without being it:
    rules that were given anything else than the verifier gives them would store another form.
    """
    edition, options = terms
    scenario, seats = scenario_name(new, customs), tuple(wish.seat for wish in wishes)
    setup = Setup(game.ruleset, edition, scenario, seats, options, customs)
    return msgspec.json.decode(canonical(setup), type=Setup)


def _create(
    new: NewGame,
    game: AnyGame,
    setup: Setup,
    wishes: Sequence[SeatWish],
    vault: Vault,
    store: Store,
) -> tuple[GameCreated, DiceBook, str]:
    """The first record, the dice, and the game's id.

    A named seed also names the game inside NWD-1's G: the same seed makes the same dice. No seat
    has a dice tip yet: it is made with G, which nobody knows before.
    """
    entropy = store.entropy
    game_id = drawn(entropy, 16)
    seed = None if new.seed is UNSET else new.seed
    named = bytes.fromhex(game_id) if seed is None else _named_game(seed)
    rules, scenario = _digest_of_rules(game), scenario_digest(setup)
    domains = _domains(game, setup, vault.length)
    book = vault.new_game(named, rules, scenario, len(wishes), seed, domains)
    waiting = tuple(wish.seat for wish in wishes if wish.hold in ("invite", "open"))
    created = GameCreated(
        params=Params(
            named.hex(), rules.hex(), scenario.hex(), len(wishes), book.length, book.g.hex()
        ),
        commitment=book.commitment.hex(),
        tips={domain: tip.hex() for domain, tip in book.tips.items()},
        grade=new.grade,
        nonce=drawn(entropy, 32),
        setup=setup,
        rules=RulesUsed(game.ruleset, game.version, rules.hex(), ENGINE),
        seat_tips=tuple("" for _ in wishes),
        seed_named=seed is not None,
        deadline=new.deadline,
        waiting=waiting or UNSET,
        keys=_keys(wishes, [keeper.key for keeper in store.keepers]) or UNSET,
        bots=_bots(wishes, game) or UNSET,
        beacon=QUICKNET if new.grade == BEACON else UNSET,
        escrow=_escrow(book, store) if seed is None else UNSET,
        forfeit=new.forfeit,
        series=UNSET if new.series is UNSET else series_of(new.series),
    )
    return created, book, game_id


def _escrow(book: DiceBook, store: Store) -> tuple[KeptShare, ...] | UnsetType:
    """The master's shares, where the service has keepers."""
    if not store.keepers:
        return UNSET
    needed = 32 * (1 + len(store.keepers))
    return sealed(book.master, book.g, store.keepers, store.entropy.draw(needed))


def _keys(wishes: Sequence[SeatWish], keepers: Sequence[str]) -> dict[Seat, SeatKey]:
    """The keys that the creator registers for seats that it keeps. Raises BadSetup."""
    found = {wish.seat: wish.order_key for wish in wishes if wish.order_key is not UNSET}
    strange = [wish.seat for wish in wishes if wish.seat in found and wish.hold != "keep"]
    if strange:
        hint = f"Whoever takes {strange[0]} brings its key."
        raise BadSetup(hint, code="seats.invalid", pointer="/seats")
    unfit = [seat for seat, key in found.items() if not is_key(bytes.fromhex(key.public))]
    if unfit:
        hint = f"The key of {unfit[0]} is no public key of Ed25519, or a weak one."
        raise BadSetup(hint, code="seats.invalid", pointer="/seats")
    playing = [seat for seat, key in found.items() if plays(key.public, keepers)]
    if playing:
        hint = f"Who keeps a share of the master in escrow plays in no seat: not {playing[0]}."
        raise BadSetup(hint, code="seats.invalid", pointer="/seats")
    return {seat: SeatKey(key.public, key.keeper) for seat, key in found.items()}


def _domains(game: AnyGame, setup: Setup, length: int) -> tuple[str, ...]:
    """The dice domains of the game. Raises DiceError where the ruleset names strange ones."""
    domains = game.domains(setup)
    usual = {PUBLIC_DOMAIN, SEALED_DOMAIN, *map(side_domain, setup.seats)}
    strange = set(domains) - usual
    if strange or not domains or len(set(domains)) < len(domains):
        raise nwd1.DiceError("dice.domain", f"{game.ruleset} has the dice domains {domains}.")
    if len(domains) > length:
        raise ValueError(f"a chain of {length} links is too short for {len(domains)} domains")
    return domains


def rules_of(game: AnyGame, edition: str) -> Rules:
    """The ruleset as it is installed here; ``edition`` is "" where it is about no one edition."""
    return Rules(
        ruleset=game.ruleset,
        edition=edition,
        version=game.version,
        digest=_digest_of_rules(game).hex(),
    )


@cache
def texts_of(game: AnyGame) -> str:
    """The digest of every file of the ruleset and the kernel: of what it shows, too, in hex."""
    return digest_of(rules_files(game)).hex()


@cache
def _digest_of_rules(game: AnyGame) -> bytes:
    """Where a game lives is asked of what is installed, which does not change while we run."""
    return rules_digest(game)


def _named_game(seed: str) -> bytes:
    return nwd1.th("nwd1/named-game", seed.encode())[:16]


def _roll_opening(game: AnyGame, events: Sequence[Event], book: DiceBook, seats: int) -> Resolved:
    """Dice that fall before anybody has a choice, with the service's links alone."""
    numbers, none = count(1), [None] * seats
    return resolve(game, None, events, lambda domain: book.open_batch(next(numbers), none, domain))


def begun(
    game: AnyGame,
    game_id: str,
    created: GameCreated,
    name: str,
    held: Mapping[Seat, str],
    at: str,
    expires_at: str | None,
) -> GameSummary:
    """The summary of a game of which nothing but its first record is known.

    name, held  for the lobby, and how each seat is filled: they are not part of the record
    expires_at  when it goes if nothing else happens
    """
    seats = tuple(
        with_key(
            msgspec.convert(
                {"seat": seat, "held": held[seat], "diceTip": tip, **_bot_told(created, seat)},
                SeatSummary,
            ),
            registered(created.keys).get(seat, UNSET),
        )
        for seat, tip in zip(created.setup.seats, created.seat_tips, strict=True)
    )
    used = created.rules
    summary = GameSummary(
        id=game_id,
        name=name,
        rules=Rules(
            ruleset=used.ruleset,
            edition=created.setup.edition,
            version=used.version,
            digest=used.digest,
        ),
        scenario=created.setup.scenario,
        options={"ruleset": used.ruleset, **created.setup.options},
        grade="none" if created.seed_named else _GRADES[created.grade],
        seed_named=created.seed_named,
        commitment=created.commitment,
        params=created.params.g,
        chain_length=created.params.length,
        status="open",
        version=0,
        next_batch=1,
        seats=seats,
        to_move=(),
        scores={},
        result=None,
        created_at=at,
        updated_at=at,
        expires_at=expires_at,
        customs=references(used.ruleset, created.setup.customs),
        link_credit=len(created.tips),
        fork=_forked_from(created.setup),
        deadline=0 if created.deadline is UNSET else created.deadline,
        sides=tuple(SideSummary(side, 0) for side in game.sides(created.setup)),
    )
    return msgspec.structs.replace(summary, status=status_of(summary, over=False))


_GRADES: Mapping[str, Reached] = {"A0": "A0", "A1": "A1", "A2": "A2", "A3": "A3"}


def _bot_told(created: GameCreated, seat: Seat) -> dict[str, str]:
    bot = None if created.bots is UNSET else created.bots.get(seat)
    return {} if bot is None else {"bot": bot.name, "strength": bot.strength}


def with_key(seat: SeatSummary, key: SeatKey | UnsetType) -> SeatSummary:
    """The seat with the key that signs its orders."""
    if key is UNSET:
        return seat
    return msgspec.structs.replace(seat, order_key=key.public, keeper=key.keeper)


def _forked_from(setup: Setup) -> ForkedFrom | None:
    fork = setup.fork
    if fork is None:
        return None
    return ForkedFrom(game=fork.game, version=fork.version, viewer=fork.viewer, seed=fork.seed)


def _with_tokens(
    live: Live, scribe: RecordWriter, wishes: Sequence[SeatWish], store: Store, at: str
) -> ReadyRequest:
    make = partial(make_token, store.entropy)
    kept = [make("seat", live.id, w.seat) for w in wishes if w.hold == "keep"]
    invited = [make("invitation", live.id, w.seat) for w in wishes if w.hold == "invite"]
    organiser = make("organiser", live.id)
    statements: list[Statement] = [
        game_insertion(store.box, live.summary, live.head, live.dice.master)
    ]
    statements += look_after(live.summary)
    statements += unplayed.beginning(live.summary, at, store.ageing.at)
    statements += botturns.noted(live.summary)
    statements += keep_engine(live.game, live.summary.rules.digest, store)
    statements += [insertion(token, at) for token in (*kept, *invited, organiser)]
    answer = CreatedGame(
        game=live.summary,
        tokens=_told_once(kept),
        invitations=_told_once(invited),
        organiser=organiser.text,
    )
    commit = Commit(live.id, tuple(scribe.rows), tuple(statements))
    return ReadyRequest(live, commit, tuple(scribe.told), answer)


def keep_engine(game: AnyGame, digest: str, store: Store) -> list[Statement]:
    """Keeps the engine with the first game that names it, in the same commit."""
    if engines.is_kept(store.recorder, digest):
        return []
    kept = [engines.insertion(digest, rules_archive(game))]
    return kept + _showing(game, digest)


def _showing(game: AnyGame, digest: str) -> list[Statement]:
    """Keeps what shows the games of an engine, where that is an archive of its own."""
    try:
        return [engines.showing(digest, texts_of(game), shown_archive(game))]
    except Unbuildable:
        return []


def keep_what_shows(store: Store, games: Mapping[str, AnyGame]) -> None:
    """At the start: texts of the installed games may be others than when a game began."""
    for game in games.values():
        with suppress(Unbuildable):
            digest, texts = _digest_of_rules(game).hex(), texts_of(game)
            if engines.shown_texts(store.recorder, digest) not in ("", texts):
                anew = engines.showing_anew(digest, texts, shown_archive(game))
                store.recorder.put((), [anew])


def _told_once(tokens: Sequence[NewToken]) -> tuple[SeatToken, ...]:
    return tuple(SeatToken(seat=token.identity.seat, token=token.text) for token in tokens)
