"""``decklog admin``: what an operator has done by the service while that is at work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from .console import emit, say, table
from .given import given, needed, settings_options
from .mistakes import Mistake, NotYet
from .rotating import at_work, change_keys, logged, names_of, settle, without
from .texts import TOLD, UNTOLD
from .texts import logged as named
from .tools import json_option

if TYPE_CHECKING:
    from service.store.beside import Beside
    from service.store.box import Box
    from service.store.instructions import Instruction, Outcome
    from service.store.overview import Overview
    from service.store.workers import Worker

F = TypeVar("F", bound=Callable[..., Any])

PATIENCE = 10
"""Seconds for which a command waits until a worker has done what it asks for."""

LOOK_SECONDS = 0.1

SILENT_DAYS = 14

SHOWN = 20
"""Games of a kind that are named, at most; all of them with --json."""

WAITING = "instruction.waiting"


@click.group("admin", short_help="Have the service stop, end, hide or delete a game, and more.")
def command() -> None:
    """Have the service that is at work on the store do something, without a restart.

    What is asked for is put into the store (DECKLOG_STORE, or an SQLite file), with its key; a
    worker does it within a second, and puts a line into the operator's log (decklog store acts).
    A service with keys answers what goes into a game's record (freeze, thaw, pause, resume, void,
    key, end) with its receipt, on a line of its own: a record without that ruling convicts it
    (decklog verify --receipt). With --json each answers for programs.
    """


def signed(function: F) -> F:
    """Who asks, why, where, and how long to wait."""
    wait = click.option(
        "--wait", type=click.IntRange(0), default=PATIENCE, metavar="SECONDS",
        help=f"How long to wait until it is done; {PATIENCE} by default.",
    )  # fmt: skip
    return named(wait(settings_options(json_option(function))))


def told(help: str, *, required: bool = False) -> Callable[[F], F]:
    """What players are told."""
    more: dict[str, Any] = {"required": True} if required else {"default": ""}
    return click.option(
        "--tell", metavar="TEXT", type=TOLD if required else UNTOLD, help=help, **more
    )


GAME = click.argument("game")


@contextmanager
def opened(config: Path | None, database: Path | None) -> Iterator[Beside]:
    """The store beside whoever is at work on it. Raises Mistake."""
    from service.errors import ServiceError, StoreRefused
    from service.store.beside import beside

    settings = given(config, database=database)
    needed(settings)
    try:
        with beside(settings) as found:
            yield found
    except StoreRefused as refused:
        raise Mistake(
            f"The store cannot be opened: {refused.code}.", refused.hint, refused.code
        ) from None
    except ServiceError as error:
        raise Mistake("The store failed.", error.hint, error.code) from None


def ask(
    act: str,
    game: str,
    *,
    by: str,
    why: str,
    wait: int,
    config: Path | None,
    database: Path | None,
    as_json: bool,
    done: str,
    **about: str,
) -> int:
    """Have it done, and say what came of it. Raises Mistake.

    done  what is said when it is
    """
    from service.entropy import SYSTEM, drawn
    from service.store.instructions import Instruction

    asked = Instruction(drawn(SYSTEM, 16), act, by, why, game, about)
    with opened(config, database) as store:
        _put(store, asked)
        outcome, secret = _carried_out(store, asked, wait)
    if as_json:
        emit({**_told(act, game, outcome), **({"secret": secret} if secret else {})})
    else:
        say(done)
        for alone in filter(None, (secret, outcome.told.get("receipt", ""))):
            say(alone)
    return 0


def _told(act: str, game: str, outcome: Outcome) -> dict[str, str]:
    return {"act": act, "game": game, **outcome.told}


def _put(store: Beside, asked: Instruction) -> None:
    from service.store.instructions import insertion

    store.recorder.put((), [insertion(store.box, asked)])


def _carried_out(store: Beside, asked: Instruction, wait: int) -> tuple[Outcome, str]:
    """What came of it, and its secret. Raises Mistake where it was refused, or is not done yet."""
    from service.store.instructions import told_once, withdrawn

    outcome = _awaited(store, asked.id, wait)
    if outcome is None and asked.act in TELLS_A_SECRET and not withdrawn(store.recorder, asked.id):
        outcome = _awaited(store, asked.id, 0)  # somebody was quicker
    if outcome is None and asked.act in TELLS_A_SECRET:
        hint = "Nothing was done, for nobody would have heard the secret: start a service first."
        raise Mistake(f"Nobody has done it within {wait} seconds.", hint, WAITING)
    if outcome is None:
        raise NotYet(
            f"Nobody has done it within {wait} seconds.",
            "It is done as soon as a service is at work on the store; "
            f"decklog admin withdraw {asked.id} takes it back.",
            WAITING,
        )
    if outcome.code:
        raise Mistake(f"Nothing was done: {outcome.code}.", outcome.said, outcome.code)
    secret = told_once(store.recorder, store.box, asked.id, outcome) if outcome.secret else ""
    return outcome, secret


TELLS_A_SECRET = ("reissue",)
"""Acts whose outcome has a secret for whoever waits: they are not done later than that."""


def _awaited(store: Beside, id_: str, wait: int) -> Outcome | None:
    from service.store.instructions import outcome_of

    until = time.monotonic() + wait
    while True:
        found = outcome_of(store.recorder, id_)
        if found is not None or time.monotonic() > until:
            return found
        time.sleep(LOOK_SECONDS)


@command.command("freeze")
@GAME
@told("Why, for the players: it stands in the game's record.")
@signed
def freeze(game: str, **asked: Any) -> int:
    """Stop a game: nobody may go on in it, and no time runs, until it is thawed.

    Its record says so (decklog.paused), and its seats hear of it.
    """
    return ask("freeze", game, done=f"Game {game} is frozen.", **asked)


@command.command("thaw")
@GAME
@signed
def thaw(game: str, **asked: Any) -> int:
    """Let a frozen game go on: everybody has as much time left as then.

    One that stands still at a worker for what its rules did (status names it) is tried again there.
    """
    return ask("thaw", game, done=f"Game {game} goes on.", **asked)


WORKER = click.option(
    "--worker",
    default="",
    metavar="NAME",
    help="Which; every worker by default. status names them.",
)


@command.command("drain")
@WORKER
@signed
def drain(worker: str, **asked: Any) -> int:
    """Have a worker take nothing new: it ends its streams and finishes what it has.

    It answers 503, and /readyz says so, until it is undone (undrain) or started anew.
    """
    return _drained("drain", worker, "{} nothing new.", asked)


@command.command("undrain")
@WORKER
@signed
def undrain(worker: str, **asked: Any) -> int:
    """Have a worker that was drained take work again."""
    return _drained("undrain", worker, "{} work again.", asked)


@command.command("reload")
@signed
def reload(**asked: Any) -> int:
    """Have every worker read its settings, its keys and those that sign again, as SIGHUP does.

    Its log says what is different. Keys that would lock another worker out are not taken: the log
    says so, and decklog admin keys who has which.
    """
    return ask("reload", "", done="Every worker reads settings and keys again.", **asked)


def _drained(act: str, worker: str, done: str, asked: dict[str, Any]) -> int:
    who = f"Worker {worker} takes" if worker else "All workers take"
    return ask(act, "", done=done.format(who), worker=worker, **asked)


GAMES = click.argument("game", required=False, default="")
ALL = click.option("--all", "everywhere", is_flag=True, help="Every game that it concerns.")


@command.command("pause")
@GAMES
@ALL
@told("Why, for the players: it stands in the games' records.")
@signed
def pause(game: str, everywhere: bool, **asked: Any) -> int:
    """Stop the clocks of a game, in which one may play on, until it is resumed.

    With --all those of every game that has deadlines and is in play; --json lists them then.
    """
    done = "The clocks of game {} are stopped."
    return _clocks("pause", game, done, asked, everywhere=everywhere)


@command.command("resume")
@GAMES
@ALL
@signed
def resume(game: str, everywhere: bool, **asked: Any) -> int:
    """Let the clocks of a game run again, with as much time left as then.

    With --all those of every game that was paused; --json lists them then.
    """
    return _clocks("resume", game, "The clocks of game {} run.", asked, everywhere=everywhere)


def _clocks(act: str, game: str, done: str, asked: dict[str, Any], *, everywhere: bool) -> int:
    """Of one game, or one after the other. Raises Mistake."""
    from service.store.inventory import with_clocks

    if everywhere == bool(game):
        raise Mistake("Name a game, or say --all.", "decklog store games lists them.", "usage")
    if game:
        return ask(act, game, done=done.format(game), **asked)
    with opened(asked["config"], asked["database"]) as store:
        found = list(with_clocks(store.recorder, store.box, stopped=act == "resume"))
        if not found and not asked["as_json"]:
            say("There is no such game.")
        return _all_clocks(store, act, found, done, asked)


def _all_clocks(
    store: Beside, act: str, games: Sequence[str], done: str, asked: dict[str, Any]
) -> int:
    """All are asked for before the first is waited for: what runs until then is nobody's fault."""
    from service.entropy import SYSTEM, drawn
    from service.store.instructions import Instruction

    about = {"tell": asked["tell"]} if "tell" in asked else {}
    wanted = [
        Instruction(drawn(SYSTEM, 16), act, asked["by"], asked["why"], game, about)
        for game in games
    ]
    for each in wanted:
        _put(store, each)
    told = []
    for each in wanted:
        try:
            outcome, _ = _carried_out(store, each, asked["wait"])
            text = done.format(each.game)
            told.append(_told(act, each.game, outcome))
        except NotYet:
            raise
        except Mistake as mistake:  # it is over, or somebody was quicker
            text = f"Game {each.game}: {mistake.hint}"
            told.append({"act": act, "game": each.game, "code": mistake.code})
        if not asked["as_json"]:
            say(text)
    if asked["as_json"]:
        emit(told)
    return 0


@command.command("void")
@GAME
@told("Why, for the players: it stands in the game's record.")
@signed
def void(game: str, **asked: Any) -> int:
    """Discard the order that is locked in a game of grade A2, and the dice that it waits for.

    Its record says so (decklog.batch-voided), with the service's link of those dice: everybody can
    see what was discarded, and the number of the batch is never used again. The seat gives another
    order. It cannot be taken back.
    """
    return ask("void", game, done=f"The locked order of game {game} is void.", **asked)


@command.command("key")
@GAME
@click.argument("seat")
@click.option(
    "--public", default="", metavar="HEX", help="Public half of the seat's new key (Ed25519)."
)
@click.option("--none", "lost", is_flag=True, help="None: its orders are not signed any more.")
@click.option(
    "--keeper", type=click.Choice(("client", "page")), default="client", show_default=True,
    help="Who has the secret half: a program of the player's own, or the service's page.",
)  # fmt: skip
@click.option(
    "--signature", default="", metavar="HEX",
    help="Of the new key by the one before, in hex: the seat itself has passed its key on.",
)  # fmt: skip
@told("Why, for the players: it stands in the game's record.")
@signed
def key(
    game: str, seat: str, public: str, lost: bool, keeper: str, signature: str, **asked: Any
) -> int:
    """Put another key in the place of the one that a seat signs its orders by, or none.

    Its record says so (decklog.key-changed), and so does every verdict. Where the seat has signed
    the new key with the old one (--signature) the grade of its orders stays. Where only you say so
    it is O0 from then on, for the whole game: whoever rules on keys could give orders by them.
    """
    if lost == bool(public):
        raise Mistake("Name the new key with --public, or say --none.", "One of both.", "usage")
    about: dict[str, Any] = {"seat": seat}
    if public:
        about |= {"public": public.lower(), "keeper": keeper, "signature": signature.lower()}
    done = f"{seat} of game {game} signs by another key." if public else f"{seat} has no key."
    return ask("key", game, done=done, **about, **asked)


@command.command("end")
@GAME
@told("The ruling, for the players: it stands in the game's record.", required=True)
@signed
def end(game: str, **asked: Any) -> int:
    """End a game by ruling, without a result, and open its master: its dice are seen by all.

    Its record says so (decklog.ended-by-ruling), and so does the verdict on its evidence. It cannot
    be taken back.
    """
    return ask("end", game, done=f"Game {game} is ended.", **asked)


@command.command("hide")
@GAME
@signed
def hide(game: str, **asked: Any) -> int:
    """Take a game out of all lists: lobby, results, dice; and out of the statistics.

    Who knows its id finds it as before.
    """
    return ask("hide", game, done=f"Game {game} is in no list.", **asked)


@command.command("show")
@GAME
@signed
def show(game: str, **asked: Any) -> int:
    """Put a hidden game back into the lists."""
    return ask("show", game, done=f"Game {game} is in the lists again.", **asked)


@command.command("delete")
@GAME
@told("Why, for whoever asks for the game from then on.")
@click.option("--yes", is_flag=True, help="Do it: it cannot be taken back.")
@signed
def delete(game: str, yes: bool, **asked: Any) -> int:
    """Delete a game, its orders, webhooks and answers; backups have it until they go.

    Whoever asks for it is told that it was deleted, when, and the number and hash of its last
    event, by which evidence of it is known. What-if games made from it stay, and go in their time.
    """
    if not yes:
        hint = "decklog export keeps its evidence; then say --yes."
        raise Mistake("A game that is deleted is gone for good.", hint, "usage")
    return ask("delete", game, done=f"Game {game} is deleted.", **asked)


@command.command("announce")
@click.argument("text", type=UNTOLD)
@signed
def announce(text: str, **asked: Any) -> int:
    """Tell everybody something, in GET /v1 and on the pages; "" for nothing any more."""
    done = "It is announced." if text else "Nothing is announced any more."
    return ask("announce", "", done=done, text=text, **asked)


@command.command("tokens")
@GAME
@settings_options
@json_option
def tokens_(game: str, config: Path | None, database: Path | None, as_json: bool) -> int:
    """List the tokens of a game: id, kind, seat, since when. The store has none of the secrets."""
    from service.store.tokens import listed

    with opened(config, database) as store:
        found = listed(store.recorder, game)
    if as_json:
        emit(found)
    else:
        table(("token", "kind", "seat", "made", "revoked"),
              [(t.token, t.kind, t.seat, t.made, t.revoked) for t in found])  # fmt: skip
    return 0


@command.command("revoke")
@click.argument("token", metavar="ID")
@signed
def revoke(token: str, **asked: Any) -> int:
    """End a token, at once and for good; decklog admin tokens lists their ids."""
    return ask("revoke", "", done=f"Token {token} is good no more.", token=token, **asked)


@command.command("reissue")
@GAME
@click.argument("seat")
@signed
def reissue(game: str, seat: str, **asked: Any) -> int:
    """Make a new token for a seat whose holder has lost it; those of before are good no more.

    It is printed once, on a line of its own, and is nowhere else: give it to whom the seat belongs.
    """
    done = f"A new token of seat {seat} in game {game}:"
    return ask("reissue", game, done=done, seat=seat, **asked)


@command.group("person")
def person() -> None:
    """What is kept of a person: of whoever holds a seat, for there are no accounts."""


@person.command("export")
@GAME
@click.argument("seat")
@named
@settings_options
def person_export(
    game: str, seat: str, by: str, why: str, config: Path | None, database: Path | None
) -> int:
    """Print all that is kept of who holds a seat, as JSON: tokens, webhooks, orders; no secret.

    Orders of a game that goes on may be secret from the others: give it to that person alone. That
    you have seen it stands in the operator's log.
    """
    from service.store.persons import data_of

    with opened(config, database) as store:
        logged(store, "person-export", by, why, game, {"seat": seat})
        emit(data_of(store.recorder, store.box, game, seat))
    return 0


@person.command("forget")
@GAME
@click.argument("seat")
@click.option("--yes", is_flag=True, help="Do it: it cannot be taken back.")
@signed
def person_forget(game: str, seat: str, yes: bool, **asked: Any) -> int:
    """Take away all that is kept of who holds a seat, but for the record: tokens are good no more.

    Its webhooks go, with addresses and messages, and so do stored answers. The record of the game
    names seats and nobody; it stays, for the others have played it, too.
    """
    from service.store.persons import KEPT

    if not yes:
        hint = "decklog admin person export shows what there is; then say --yes."
        raise Mistake("What is taken away is gone for good.", hint, "usage")
    return ask("forget", game, done=f"It is taken away. {KEPT}", seat=seat, **asked)


WHOM = click.argument("whom", metavar="TOKEN-ID|ADDRESS|NETWORK")
HOURS = click.option(
    "--hours", type=click.IntRange(1, 87_600), metavar="N", help="For so long; for ever by default."
)


def _whom(whom: str) -> str:
    """As the store names them. Raises Mistake."""
    from service.store.curbs import NETWORK, TOKEN, named

    for kind in (TOKEN, NETWORK):
        try:
            found = named(kind + whom)
        except ValueError:
            continue
        if found.endswith("/0"):
            hint = "To let nobody in, stop the service, or drain it: decklog admin drain."
            raise Mistake(f"{whom} is everybody.", hint, "usage")
        return found
    hint = "A token's id is 16 hexadecimal digits; a network is written 203.0.113.0/24."
    # It is not said again: it may be a whole token.
    raise Mistake("That is neither a token's id nor an address nor a network.", hint, "usage")


def _curb(whom: str, rate: int, hours: int | None, done: str, asked: dict[str, Any]) -> int:
    more: dict[str, Any] = {} if hours is None else {"seconds": str(hours * 3600)}
    return ask("curb", "", done=done, who=_whom(whom), rate=str(rate), **more, **asked)


@command.command("ban")
@WHOM
@HOURS
@signed
def ban(whom: str, hours: int | None, **asked: Any) -> int:
    """Let nobody in with that token, or from that address or network (caller.banned).

    An IPv6 address stands for its /64, all of which one caller has; write /128 for it alone.
    """
    return _curb(whom, 0, hours, f"{whom} is let in no more.", asked)


@command.command("quota")
@WHOM
@click.argument("rate", type=click.IntRange(1, 1_000_000))
@HOURS
@signed
def quota(whom: str, rate: int, hours: int | None, **asked: Any) -> int:
    """Let a token, or a network together, ask RATE times a minute, in place of the usual."""
    return _curb(whom, rate, hours, f"{whom} may ask {rate} times a minute.", asked)


@command.command("lift")
@WHOM
@signed
def lift(whom: str, **asked: Any) -> int:
    """Lift a ban or a quota: the usual holds again."""
    return ask("lift", "", done=f"Nothing is special of {whom}.", who=_whom(whom), **asked)


@command.command("curbs")
@settings_options
@json_option
def curbs_(config: Path | None, database: Path | None, as_json: bool) -> int:
    """List whom a ban or a quota is for, and until when. Addresses are persons': keep it close."""
    from service.store.curbs import kept

    with opened(config, database) as store:
        found = kept(store.recorder)
    if as_json:
        emit(found)
    else:
        table(("whom", "a minute", "until"),
              [(c.who, str(c.rate) if c.rate else "banned", c.until) for c in found])  # fmt: skip
    return 0


@command.command("status")
@click.option(
    "--silent",
    "days",
    type=click.IntRange(1),
    default=SILENT_DAYS,
    metavar="DAYS",
    help=f"After how long a game is silent; {SILENT_DAYS} days by default.",
)
@settings_options
@json_option
def status_(days: int, config: Path | None, database: Path | None, as_json: bool) -> int:
    """Show the store at a glance: games in play, frozen, silent and damaged, keys, what waits.

    It names no player, and changes nothing.
    """
    from service.following.follower import places_of
    from service.store.overview import overview

    with opened(config, database) as store:
        found = overview(store.recorder, store.box, _days_ago(store, days))
        places = {name: each.place for name, each in places_of(store.recorder).items()}
        workers = at_work(store)
    behind = {name: max(0, found.newest - place) for name, place in places.items()}
    if as_json:
        told = {"behind": behind, "workers": [msgspec.structs.asdict(w) for w in workers]}
        emit({**msgspec.structs.asdict(found), **told})
    else:
        _say_status(found, behind, days)
        _say_workers(workers)
    return 0


def _say_workers(workers: list[Worker]) -> None:
    for each in workers:
        has = f"{each.streams:,} streams, {each.waiting:,} commands wait"
        state = f"drained: {has}" if each.draining else "at work"
        say(f"worker     {each.name}, {each.version}, {state}")
        for game in each.frozen[:SHOWN]:
            say(f"frozen     {game} at {each.name}: by its rules (see the log; decklog admin thaw)")


def _days_ago(store: Beside, days: int) -> str:
    """By the store's clock."""
    from service.deadlines import DAY, later
    from service.store.acts import time_of

    return later(time_of(store.recorder), -days * DAY)


def _say_status(found: Overview, behind: dict[str, int], days: int) -> None:
    games = ", ".join(f"{count:,} {status}" for status, count in found.games.items())
    say(f"store      format {found.format}, {found.bytes:,} bytes, {found.events:,} events")
    say(f"games      {games or 'none'}")
    if (kept := found.archived)["games"]:
        told = f"{kept['games']:,} of the games with {kept['events']:,} of the events"
        say(f"archive    {told} are there, in {kept['bytes']:,} bytes")
    for kind in ("frozen", "paused", "silent", "damaged"):
        named = getattr(found, kind)
        more = f" (for {days} days)" if kind == "silent" else ""
        say(f"{kind:10} {len(named):,}{more} {' '.join(named[:SHOWN])}".rstrip())
    for kind, count in found.counts.items():
        say(f"{kind:10} {count:,}")
    say("behind     " + (", ".join(f"{n} {c:,}" for n, c in behind.items()) or "nobody follows"))
    former = sum(found.former.values())
    say(f"keys       {former:,} sealed under another than the first (decklog admin keys)")
    say(f"announced  {found.announcement or '(nothing)'}")


@command.command("keys")
@settings_options
@json_option
def keys_(config: Path | None, database: Path | None, as_json: bool) -> int:
    """Count what is sealed under which of the keys that are given; the first one seals.

    A key is known by a name that is made of it. One whose counts are all 0 may go.
    """
    from service.store.resealing import counts

    with opened(config, database) as store:
        found, names = counts(store.recorder, store.box), store.box.names
        workers = {each.name: each.keys for each in at_work(store)}
    if as_json:
        emit({"keys": names, "sealed": found, "workers": workers})
        return 0
    headings = ("sealed", *names, "none of them")
    rows = [(kind, *(str(told[n]) for n in names), str(told[""])) for kind, told in found.items()]
    table(headings, rows)
    for name, known in workers.items():
        say(f"worker {name} seals under {', then knows '.join(known)}")
    return 0


@command.command("rotate")
@click.option("--drop", is_flag=True, help="Leave the former keys away, once nothing needs them.")
@named
@settings_options
def rotate(drop: bool, by: str, why: str, config: Path | None, database: Path | None) -> int:
    """Put a new key before those in the key file beside the database; every worker takes it.

    From then on it seals under the new key, and all else anew in the background (decklog admin
    keys counts). Where DECKLOG_KEY is set, put the new key before the old one there.
    """
    from service.entropy import SYSTEM, drawn
    from service.store.box import KEY_BYTES, key_path

    settings = given(config, database=database)
    if settings.key:
        hint = (
            "Put a new key and a space before the old one where DECKLOG_KEY is, then: reload."
            " openssl rand -hex 32 makes one."
        )
        raise Mistake("The key is not in a file of ours.", hint, "usage")
    with opened(config, database) as store:
        path = key_path(settings.database)
        settle(store, path)
        known = path.read_text("ascii").split()
        if drop:
            _check_unneeded(store)
        keys = known[:1] if drop else [drawn(SYSTEM, KEY_BYTES), *known]
        change_keys(store, path, keys, "drop-keys" if drop else "rotate", by, why)
        behind = without(store, names_of(keys), PATIENCE)
    say("The former keys are gone." if drop else "There is a new key.")
    say(_who_has_it(behind))
    return 0


def _who_has_it(behind: list[str] | None) -> str:
    if behind is None:
        return "No worker is at work: the next start takes it."
    if behind:
        return f"Not taken yet by {', '.join(behind)}: look at the log there, or restart."
    return "Every worker has taken it, without a restart."


def _check_unneeded(store: Beside) -> None:
    """Raises Mistake while something is under another key than the first."""
    from service.store.box import WrongKey
    from service.store.resealing import KEY_CHECK, counts

    first = store.box.names[0]
    others = sum(
        count for told in counts(store.recorder, store.box).values()
        for name, count in told.items() if name != first
    )  # fmt: skip
    ((word,),) = store.recorder.query("SELECT value FROM meta WHERE name = ?", (KEY_CHECK,))
    try:
        others += store.box.opened(KEY_CHECK, bytes(word))[1]
    except WrongKey:
        others += 1
    if others:
        hint = "A service that is at work seals it anew; decklog admin keys counts."
        raise Mistake(f"{others} are under a former key still.", hint, "store.wrong-key")


@command.command("page")
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True)
@click.option(
    "--token-file",
    "token_file",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="File of the operator's token; made where there is none (mode 0600).",
)
@settings_options
def page(port: int, token_file: Path, config: Path | None, database: Path | None) -> int:
    """Serve the operator's page on the loopback of this machine, until Ctrl-C.

    It shows and does what the other commands do, for whoever has the token in the file, which is
    none of the players'. From elsewhere reach it by ssh -L 8090:127.0.0.1:8090.
    """
    from service.ops.board import Board, token_in

    try:
        token = token_in(token_file)
    except (OSError, ValueError) as error:
        raise Mistake(f"The token: {error}.", "", "file") from None
    with opened(config, database) as store:
        return _serve_page(Board(store, token, lambda: _box_of_now(config, database)), port)


def _box_of_now(config: Path | None, database: Path | None) -> Box | None:
    """The store's keys as they are given now; None where they cannot be read."""
    from service.store.box import box_of

    try:
        settings = given(config, database=database)
        return box_of(settings.database, settings.store_keys)
    except (Mistake, OSError, ValueError):
        return None


def _serve_page(board: Any, port: int) -> int:
    """On the loopback alone: there is no TLS in it."""
    import socket

    import uvicorn

    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            raise Mistake(f"Port {port} cannot be used: {error.strerror}.", "", "port") from None
        say(f"The operator's page is at http://127.0.0.1:{listener.getsockname()[1]}/")
        told = uvicorn.Config(
            board, log_config=None, access_log=False, server_header=False, proxy_headers=False,
            lifespan="off", limit_concurrency=32, ws="none",
        )  # fmt: skip
        uvicorn.Server(told).run([listener])
    return 0


@command.command("waiting")
@settings_options
@json_option
def waiting_(config: Path | None, database: Path | None, as_json: bool) -> int:
    """List what was asked for and nobody has done yet.

    An act of "(foreign)" was not asked for with a key of this store: nobody does it; withdraw it.
    """
    from service.store.instructions import waiting

    with opened(config, database) as store:
        seen = waiting(store.recorder, store.box)
    if as_json:
        emit([*seen.found, *({"id": id_, "foreign": True} for id_ in seen.foreign)])
    else:
        table(("id", "act", "game", "by", "why"),
              [*((a.id, a.act, a.game, a.operator, a.why) for a in seen.found),
               *((id_, "(foreign)", "", "", "") for id_ in seen.foreign)])  # fmt: skip
    return 0


@command.command("withdraw")
@click.argument("id")
@settings_options
def withdraw(id: str, config: Path | None, database: Path | None) -> int:
    """Take back what was asked for, if nobody has done it yet."""
    from service.store.instructions import withdrawn

    with opened(config, database) as store:
        if not withdrawn(store.recorder, id):
            hint = "decklog store acts says what was done."
            raise Mistake(f"Nothing waits under {id}.", hint, WAITING)
    say("It is taken back.")
    return 0
