"""The service's own events in a game's stream, ``decklog.<name>``, as people and views see them.

Their stored forms are in ``service.evidence.records``. They do not touch the game's state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from domain.kernel.chance import SEALED_DOMAIN, domain_seat
from domain.kernel.values import Seat

from .records import (
    RECORDS,
    BatchRolled,
    BatchVoided,
    BeaconSeen,
    BotSeat,
    ChainRenewed,
    DeadlinePassed,
    EndedByRuling,
    EpochStarted,
    Forfeited,
    GameAbandoned,
    GameClosed,
    GameCreated,
    KeyChanged,
    LinksClosed,
    LinksGiven,
    MasterOpened,
    OrdersLocked,
    Paused,
    Record,
    Resumed,
    RollRecorded,
    RulesAgreed,
    RulesChanged,
    SeatTakenRecord,
    Takeback,
    TipRenewed,
)

R = TypeVar("R", bound=Record)

_DECODERS = {name: msgspec.json.Decoder(type_) for name, type_ in RECORDS.items()}


def decode(name: str, data: bytes | msgspec.Raw) -> Record:
    """A platform event by its stored type. Raises KeyError, msgspec.ValidationError."""
    return _DECODERS[name].decode(data)


def decode_as(type_: type[R], data: bytes | msgspec.Raw) -> R:
    """A platform event of a known type. Raises msgspec.ValidationError."""
    found = _DECODERS[type_.TYPE].decode(data)
    assert isinstance(found, type_)
    return found


def plain(value: msgspec.Struct) -> dict[str, Any]:
    """The value as plain JSON (lists, no tuples), for those who only show it."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return found


def says(record: Record) -> str:
    """The event as a sentence."""
    match record:
        case GameCreated():
            if record.seed_named:
                return "The game is set up with a named seed: dice of grade none, unranked."
            played = "" if record.bots is UNSET else _bots(record.bots)
            return f"The game is set up with dice of grade {record.grade}.{played}"
        case SeatTakenRecord():
            return f"{record.seat} takes its seat."
        case BatchRolled():
            return _batch(record)
        case TipRenewed():
            return f"{record.seat} begins a new chain of dice links."
        case LinksGiven():
            return f"{record.seat} gives its links for the dice up to batch {record.upto}."
        case OrdersLocked():
            return f"The order of {record.seat} is locked; batch {record.t} waits for its links."
        case LinksClosed():
            without = f", without {', '.join(record.absent)}" if record.absent else ""
            then = (
                "" if record.round is UNSET else f" It waits for the beacon's round {record.round}."
            )
            return f"The links of batch {record.t} are closed{without}.{then}"
        case BeaconSeen():
            return f"Round {record.round} of the public beacon has come: it is in batch {record.t}."
        case DeadlinePassed():
            about = record.question.replace("-", " ")
            return f"{record.seat} has no time left to {about}: the usual answer is given."
        case ChainRenewed():
            return f"The dice chains are spent and made anew from batch {record.first} on."
        case EpochStarted():
            return (
                "The store went back: what may have followed is lost. All dice chains are new from "
                f"batch {record.first} on; a seat that had one is absent from the dice until it "
                "begins another."
            )
        case RulesAgreed():
            name = f"{record.rules.ruleset} {record.rules.version}"
            return f"{record.seat} agrees to go on under {name}, engine {record.rules.digest[:16]}."
        case RulesChanged():
            return _changed(record)
        case Takeback():
            return f"{record.seat} takes back its last step: all since event {record.first}."
        case GameClosed():
            return "The game is over: its record is closed."
        case GameAbandoned():
            if record.days is not UNSET:
                return f"Nobody has played for {record.days} days: the game ends without a result."
            return "Nobody joined: the game is abandoned without a result."
        case Forfeited():
            who = ", ".join(record.seats)
            verb = "has" if len(record.seats) == 1 else "have"
            often = "once" if record.absences == 1 else f"{record.absences} times"
            return f"{who} {verb} been absent from the dice {often}: a forfeit."
        case EndedByRuling():
            return f"The game is ended by ruling, without a result: {quoted(record.reason)}"
        case Paused():
            return _paused(record)
        case BatchVoided():
            told = f"Batch {record.t} of the dice is voided, and the order that waited for it."
            return f"{told} {quoted(record.reason)}" if record.reason else told
        case KeyChanged():
            return key_said(record)
        case Resumed():
            return "The game goes on: the time for which it was stopped is given back."
        case MasterOpened():
            return "The master secret is opened, and with it the dice and all that was sealed."
        case _:
            return record.TYPE


def _changed(record: RulesChanged) -> str:
    old, new = record.old, record.new
    return (
        f"All seats have agreed: from here on {new.ruleset} {new.version} decides, engine "
        f"{new.digest[:16]}, in the place of {old.version}, engine {old.digest[:16]}."
    )


def _bots(bots: Mapping[Seat, BotSeat]) -> str:
    """Who is played by the service."""
    return "".join(
        f" {seat} is played by the bot {bot.name} ({bot.strength})." for seat, bot in bots.items()
    )


def _paused(record: Paused) -> str:
    told = "The clocks are stopped." if record.orders else "The game is frozen, and its clocks too."
    return f"{told} {quoted(record.reason)}" if record.reason else told


def key_said(record: KeyChanged) -> str:
    """Who says that the key of a seat is another, or lost."""
    told = f" {quoted(record.reason)}" if record.reason else ""
    if record.key is UNSET:
        return f"{record.seat} has lost the key of its orders: they are not signed any more.{told}"
    by = "as the operator says" if record.signature is UNSET else "as it has signed by the old one"
    return f"{record.seat} signs its orders by another key, {by}: {record.key.public}.{told}"


def quoted(reason: str) -> str:
    """The words of the operator, as theirs: on one line, at any length."""
    return f'"{" ".join(reason.split())}"'


def _batch(record: BatchRolled) -> str:
    rolls = "; ".join(
        f"{roll.label}: {_faces(roll)}" if record.is_open else f"{roll.label}: {_dice(roll)} hidden"
        for roll in record.rolls
    )
    return f"Dice batch {record.t}{_for_whom(record.domain)}. {rolls}."


def _for_whom(domain: str) -> str:
    if domain == SEALED_DOMAIN:
        return ", sealed from everybody"
    seat = domain_seat(domain)
    return f" for {seat} alone" if seat is not None else ""


def _dice(roll: RollRecorded) -> str:
    return " + ".join(f"{pool.count}d{pool.sides}" for pool in roll.pools)


def _faces(roll: RollRecorded) -> str:
    return " + ".join(" ".join(map(str, faces)) for faces in roll.faces)
