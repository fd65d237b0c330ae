"""What an operator wants done: put into the store, done by a service that is at work on it.

So one way leads to every worker, whatever the store is, with no address and no password but the
store's own and its key: an instruction bears a mark that is made with it. Whoever carries one out
takes it away and puts down what came of it, in the transaction of what was done: it is done once,
however many workers see it. It never names a player, nor a secret.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from ..clock import stamp
from ..models import GameId
from .acts import time_of
from .box import Box
from .bulk import Statement
from .database import Database
from .queries import Queries

KEPT = timedelta(days=1)
"""For which it is known what came of an instruction; what was done is in the operator's log."""

AT_ONCE = 16
"""Instructions that are read at a time."""

_PURPOSE = "instruction"
_ADD = "INSERT INTO instructions (id, mark, told) VALUES (?,?,?)"
_NEXT = "SELECT id, mark, told, place FROM instructions WHERE place > ? ORDER BY place LIMIT ?"
_TAKE = "DELETE FROM instructions WHERE id = ?"
_WITHDRAW = f"{_TAKE} AND NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.id = instructions.id)"
_PUT = "INSERT INTO outcomes (id, at, outcome) VALUES (?,?,?)"
_READ = "SELECT outcome FROM outcomes WHERE id = ?"
_FORGET = "DELETE FROM outcomes WHERE at < ?"


class Instruction(msgspec.Struct, frozen=True):
    """One act that is asked for.

    id        32 hexadecimal digits
    act       what to do, in a word
    operator  who says that it is them
    why       for the operator's log
    game      to which game; "" where to none alone
    about     what else there is to say, by act
    """

    id: str
    act: str
    operator: str
    why: str
    game: GameId = ""
    about: dict[str, str] = {}


class Outcome(msgspec.Struct, frozen=True):
    """What came of an instruction.

    code  why it was refused; "" where it was done
    said  the same in a sentence
    told  what else came of it, by act; no secret
    secret  sealed for who asked, in hex: it is told once; "" where there is none
    """

    code: str = ""
    said: str = ""
    told: dict[str, str] = {}
    secret: str = ""


def insertion(box: Box, instruction: Instruction) -> Statement:
    """Puts an instruction into the store."""
    told = msgspec.json.encode(instruction)
    return _ADD, (instruction.id, box.mark(_PURPOSE, told), told)


class Waiting(NamedTuple):
    """What nobody has carried out.

    found    some of it, in order
    foreign  ids of what was not given with a key of this store, as far as was looked: the operator
             has not said it, and nobody does it
    whole    whether all of it was looked at
    """

    found: list[Instruction]
    foreign: list[str]
    whole: bool


def waiting(recorder: Queries, box: Box) -> Waiting:
    """Some that nobody has carried out; what is not the operator's is passed over."""
    found, foreign = list[Instruction](), list[str]()
    place = 0
    while rows := recorder.query(_NEXT, (place, AT_ONCE)):
        place = rows[-1][3]
        for id_, mark, told, _ in rows:
            if box.marked_by(_PURPOSE, bytes(told), mark.encode()) >= 0:
                found.append(msgspec.json.decode(bytes(told), type=Instruction))
            else:
                foreign.append(id_)
        if found:  # what comes behind waits for the next look
            return Waiting(found, foreign, whole=False)
    return Waiting(found, foreign, whole=True)


def outcome_of(recorder: Queries, id_: str) -> Outcome | None:
    """What came of an instruction; None while nothing has."""
    found = recorder.query(_READ, (id_,))
    return msgspec.json.decode(bytes(found[0][0]), type=Outcome) if found else None


def sealed(box: Box, id_: str, secret: str) -> str:
    """What only who asked is told."""
    return box.seal(f"outcome/{id_}", secret.encode()).hex()


def told_once(recorder: Database, box: Box, id_: str, outcome: Outcome) -> str:
    """The secret in what came of an instruction, which is in no store from then on."""
    bare = msgspec.json.encode(msgspec.structs.replace(outcome, secret=""))
    recorder.put((), [("UPDATE outcomes SET outcome = ? WHERE id = ?", (bare, id_))])
    return box.open(f"outcome/{id_}", bytes.fromhex(outcome.secret)).decode()


def ended(id_: str, at: str, outcome: Outcome) -> list[Statement]:
    """It is carried out, or refused. A second time is a conflict."""
    # In the order of ``withdrawn``, so that neither waits for the other.
    return [taken(id_), *settled(id_, at, outcome)]


def taken(id_: str) -> Statement:
    """Nobody has to do anything for it any more."""
    return _TAKE, (id_,)


def settled(id_: str, at: str, outcome: Outcome) -> list[Statement]:
    """What came of it, where something is to be done yet before it is taken away."""
    forgotten = stamp(datetime.fromisoformat(at) - KEPT)
    return [
        (_PUT, (id_, at, msgspec.json.encode(outcome))),
        (_FORGET, (forgotten,)),
    ]


def withdrawn(recorder: Database, id_: str) -> bool:
    """Take an instruction back; False where somebody has carried it out.

    Who has read it already finds that something came of it, and does nothing.
    """
    outcome = msgspec.json.encode(Outcome("instruction.withdrawn", "It was taken back."))
    return recorder.exchange([(_WITHDRAW, (id_,))], [(_PUT, (id_, time_of(recorder), outcome))])
