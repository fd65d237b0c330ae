"""What a service might do with dice that nobody but one seat can see, and how it is found out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.kernel.chance import Awaited, Faces
from domain.kernel.codec import canonical
from service.dice.vault import Batch, DiceBook, Epoch, ServerChain
from service.evidence.records import BatchRolled, ChainRenewed, RollRecorded, TipRenewed, seen
from service.evidence.verdict import Finding
from service.evidence.verify import verify
from tests.support import soundings
from tests.support.soundings import DEPTHS, Draw, Gale

from .playing import GAMES, Cheat, Table

replace = msgspec.structs.replace
FIRST = 7
"""The first batch: after creation, opening, three seats taken and the order."""


def table(cheat: Cheat, **more: Any) -> Table:
    """A game in which p1 draws first, to its end; its chains are renewed on the way."""
    fields: dict[str, Any] = {"tips": True, "grade": "A1", "length": 8, **more}
    made = Table(game=soundings.GAME, setup=soundings.setup(12, deal=False), cheat=cheat, **fields)
    made.order("p1", Draw())
    made.order("p2", Gale())
    while made.game.result(made.state) is None:
        made.order(made.game.pending(made.state)[0].seat, Draw())
    return made


def found(cheat: Cheat, **more: Any) -> Finding:
    verdict = verify(table(cheat, **more).forge(), GAMES)
    assert verdict.code == 1, verdict.text()
    assert verdict.finding is not None
    return verdict.finding


def test_the_same_game_without_a_cheat_is_upheld() -> None:
    honest = table(Cheat())
    assert verify(honest.export(), GAMES, grade="A1").code == 0
    assert honest.forge() == honest.export()


def better(batch: Batch, awaited: Awaited, faces: Faces) -> Faces:
    """Rolled as it should be, told otherwise, everywhere in the record."""
    if batch.domain == "pub":
        return faces
    best = tuple(tuple(_best_but(face) for face in pool) for pool in faces.faces)
    batch.rolls[-1] = batch.rolls[-1]._replace(faces=best)
    return Faces(faces.label, best)


def _best_but(face: int) -> int:
    """The best face; of a die that shows it, the one below, so that it is another one."""
    return DEPTHS - (face == DEPTHS)


def test_a_hidden_draw_that_was_exchanged() -> None:
    finding = found(Cheat(faces=better))
    assert (finding.check, finding.seq, finding.what) == ("dice", FIRST, "faces of draw/1/p1")


def test_the_seat_itself_finds_it_while_the_game_runs() -> None:
    made = Table(
        game=soundings.GAME, setup=soundings.setup(12, deal=False), cheat=Cheat(faces=better)
    )
    made.order("p1", Draw())
    made.order("p2", Draw())
    verdict = verify(made.export("p1"), GAMES)
    assert verdict.finding is not None
    assert verdict.finding.what == "faces of draw/1/p1"
    verdict = verify(made.export("p3"), GAMES)
    assert verdict.word == "UPHELD", "what is sealed from p3 cannot be judged by p3"


def resealed(viewer: str, change: Callable[[BatchRolled], Any]) -> Cheat:
    """What is sealed for one viewer of a hidden batch is not what is sealed for the others."""

    def envelope(fields: dict[str, Any]) -> dict[str, Any]:
        payload = fields["payloads"].get("truth")
        if fields["type"] != BatchRolled.TYPE or payload is None:
            return fields
        whole = msgspec.json.decode(payload, type=BatchRolled)
        return {**fields, "payloads": {**fields["payloads"], viewer: canonical(change(whole))}}

    return Cheat(envelope=envelope)


def other_faces(whole: BatchRolled) -> BatchRolled:
    (roll,) = whole.rolls
    other = RollRecorded(roll.label, roll.pools, ((2 if roll.faces == ((1,),) else 1,),))
    return replace(whole, rolls=(other,))


@pytest.mark.parametrize(
    ("cheat", "check", "what"),
    [
        (resealed("p1", other_faces), "record", "what truth sees"),
        (resealed("truth", other_faces), "record", "what truth sees"),
        (resealed("p2", lambda whole: whole), "record", "what p2 sees"),
        (resealed("p1", lambda whole: None), "record", "what p1 sees"),
        (resealed("p1", lambda whole: 7), "record", "sealed data"),
        (resealed("p1", lambda whole: replace(whole, t=9)), "record", "what everybody sees"),
        (resealed("p9", lambda whole: None), "seal", "viewers with a seal"),
    ],
)
def test_what_is_sealed_is_one_and_the_same_for_all(cheat: Cheat, check: str, what: str) -> None:
    finding = found(cheat)
    assert (finding.check, finding.seq, finding.what) == (check, FIRST, what)


def unsealed(fields: dict[str, Any]) -> dict[str, Any]:
    """A hidden batch told to everybody: not false, but against the rules of the game."""
    payload = fields["payloads"].get("truth")
    if fields["type"] != BatchRolled.TYPE or payload is None:
        return fields
    return {**fields, "data": payload, "payloads": {}}


def test_a_hidden_batch_that_everybody_was_shown() -> None:
    finding = found(Cheat(envelope=unsealed))
    assert (finding.check, finding.seq, finding.what) == ("seal", FIRST, "viewers with a seal")


def on_type(type_: type, change: Callable[[Any], Any]) -> Cheat:
    return Cheat(record=lambda item: change(item) if isinstance(item, type_) else item)


@pytest.mark.parametrize(
    ("cheat", "what"),
    [
        (on_type(ChainRenewed, lambda r: replace(r, epoch=r.epoch + 1)), "number of the renewal"),
        (on_type(ChainRenewed, lambda r: replace(r, first=r.first + 1)), None),
        (on_type(ChainRenewed, lambda r: replace(r, commitment="00" * 32)), "commitment C_S"),
        (on_type(ChainRenewed, lambda r: replace(r, tips={"pub": r.tips["pub"]})), "domains"),
        (on_type(TipRenewed, lambda r: replace(r, tip="00" * 32)), None),
        (on_type(TipRenewed, lambda r: replace(r, tip="")), "new tip"),
        (on_type(TipRenewed, lambda r: replace(r, seat="p9")), "seat"),
    ],
)
def test_false_renewals(cheat: Cheat, what: str | None) -> None:
    finding = found(cheat)
    assert finding.what == what if what else finding.check == "dice"


class Hasty(Epoch):
    """Renews before the chains are spent."""

    def lasts(self, t: int, length: int, domains: int) -> bool:
        return t - self.base < 2


def test_chains_that_were_renewed_before_they_were_spent() -> None:
    """Else a service could leave a chain whose next dice it does not like."""
    made = Table(game=soundings.GAME, setup=soundings.setup(12, deal=False), length=64)
    made.epoch = Hasty()
    made.order("p1", Draw())
    while made.game.result(made.state) is None:
        made.order(made.game.pending(made.state)[0].seat, Draw())
    verdict = verify(made.forge(), GAMES)
    assert verdict.finding is not None
    assert verdict.finding.what == "renewal"


class Endless(Epoch):
    """Goes on with chains of which too little is left."""

    def lasts(self, t: int, length: int, domains: int) -> bool:
        return t - 1 - self.base < length


def test_chains_that_were_not_renewed_when_they_were_spent() -> None:
    made = Table(game=soundings.GAME, setup=soundings.setup(12, deal=False), length=13)
    made.epoch = Endless()
    while made.game.result(made.state) is None:
        made.order(made.game.pending(made.state)[0].seat, Draw())
    verdict = verify(made.forge(), GAMES)
    assert verdict.finding is not None
    assert verdict.finding.what == "chains"


class TwoFaced(DiceBook):
    """Makes the chains of a renewal from a master that nobody committed to."""

    __slots__ = ("other",)

    def __init__(self, honest: DiceBook) -> None:
        super().__init__(honest.master, honest.g, honest.length, honest.domains)
        self.other = DiceBook(bytes(32), honest.g, honest.length, honest.domains)

    def _chain(self, domain: str, epoch: Epoch) -> ServerChain:
        if epoch.number:
            return self.other._chain(domain, epoch)
        return super()._chain(domain, epoch)


def test_a_renewed_chain_of_another_master() -> None:
    """Its tips are committed to and its links lead to them: only the opened master tells."""
    made = Table(game=soundings.GAME, setup=soundings.setup(12, deal=False), length=8)
    made.book = TwoFaced(made.book)
    while made.game.result(made.state) is None:
        made.order(made.game.pending(made.state)[0].seat, Draw())
    assert made.epoch.number
    verdict = verify(made.forge(), GAMES)
    assert verdict.finding is not None
    assert verdict.finding.what == "tip of pub from the master"


def test_what_others_see_of_a_hidden_batch_is_its_label_and_its_dice() -> None:
    made = table(Cheat())
    record = next(
        msgspec.json.decode(row.truth, type=BatchRolled)
        for row in made.rows
        if row.truth is not None and b'"domain":"side:p1"' in row.truth
    )
    assert seen(record, "p1") == seen(record, "truth") == record
    shown = seen(record, "p2")
    assert (shown.link, [roll.faces for roll in shown.rolls]) == ("", [()])
    assert [roll.label for roll in shown.rolls] == ["draw/1/p1"]
    assert seen(shown, "p2") == shown
