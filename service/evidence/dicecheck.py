"""Every die again: commitment, tips, each opened link, each face, batch numbers without a gap."""

from __future__ import annotations

from collections.abc import Mapping

from domain.kernel.chance import Awaited, Faces

from ..dice import nwd1
from ..dice.nwd1 import DiceError
from ..dice.vault import Batch as DiceBatch
from ..dice.vault import DiceBook, PlayerLinks
from ..errors import DiceRefused
from .casefile import Case
from .records import BatchRolled, GameCreated, SeatTakenRecord
from .verdict import equal, need, refute, unhex

MAX_LENGTH = 1 << 20
"""Links of a chain that the verifier is willing to hash."""

GRADES = ("A0", "A1")


class DiceCheck:
    """Goes through a case's platform events in order, and keeps each batch opened for the rules.

    batches  by number of its event, each batch with its key: it rolls what the rules ask for
    grades   of each batch
    """

    def __init__(self, case: Case) -> None:
        created = case.created
        self.batches: dict[int, DiceBatch] = {}
        self.grades: list[str] = []
        self.faces = 0
        self._g = check_params(created)
        self._known = _check_commitment(created, self._g)
        seats = created.params.seats
        self._seats = created.setup.seats
        self._links = PlayerLinks.none(self._g, created.params.length, seats)
        for place, tip in enumerate(created.seat_tips):
            self._register(1, place, tip)
        for seq, record in case.records.items():
            self.take(seq, record)

    def take(self, seq: int, record: object) -> None:
        match record:
            case SeatTakenRecord():
                known = record.seat in self._seats
                need(known, "record", seq, "seat", ", ".join(self._seats), record.seat)
                self._register(seq, self._seats.index(record.seat), record.tip)
            case BatchRolled():
                self._batch(seq, record)

    @property
    def grade(self) -> str:
        """The lowest grade of any batch; "" while nothing was rolled."""
        return min(self.grades, default="")

    def _register(self, seq: int, place: int, tip: str) -> None:
        if not tip:
            return
        try:
            self._links = self._links.register(place, unhex(seq, "dice tip", tip))
        except DiceRefused as error:
            raise refute("dice", seq, f"tip of {self._seats[place]}", error.hint, tip) from None

    def _batch(self, seq: int, record: BatchRolled) -> None:
        equal("dice", seq, "number t of the batch", len(self.grades) + 1, record.t)
        length = self._links.length
        need(record.t <= length, "dice", seq, "number t of the batch", f"<= {length}", record.t)
        link = self._server_link(seq, record)
        links = self._player_links(seq, record)
        batch = DiceBatch(self._g, record.domain, record.t, link, links)
        self._check_faces(seq, record, DiceBatch(self._g, record.domain, record.t, link, links))
        self.batches[seq] = batch
        self.grades.append("A1" if any(record.player_links) else "A0")

    def _server_link(self, seq: int, record: BatchRolled) -> bytes:
        """s[d,t], which must lead down to the newest link of its domain that is known."""
        need(record.domain in self._known, "dice", seq, "domain", list(self._known), record.domain)
        number, known = self._known[record.domain]
        link = unhex(seq, "server link", record.link)
        reached = nwd1.server_chain(self._g, record.domain).down(link, record.t, number)
        what = f"link {number} of the server, from link {record.t}"
        equal("dice", seq, what, known.hex(), reached.hex())
        self._known[record.domain] = (record.t, link)
        return link

    def _player_links(self, seq: int, record: BatchRolled) -> list[bytes | None]:
        equal("dice", seq, "player links", len(self._seats), len(record.player_links))
        links: list[bytes | None] = []
        for place, text in enumerate(record.player_links):
            links.append(self._player_link(seq, place, record.t, text) if text else None)
        return links

    def _player_link(self, seq: int, place: int, t: int, text: str) -> bytes:
        link = unhex(seq, "player link", text)
        try:
            self._links = self._links.accept(place, t, link)
        except DiceRefused as error:
            raise refute("dice", seq, f"link of {self._seats[place]}", error.hint, text) from None
        return link

    def _check_faces(self, seq: int, record: BatchRolled, batch: DiceBatch) -> None:
        need(bool(record.rolls), "dice", seq, "rolls", "at least one", "none")
        for roll in record.rolls:
            try:
                faces = batch.roll(roll.label, roll.pools)
            except DiceError as error:
                raise refute("dice", seq, f"roll {roll.label}", error.hint, roll.pools) from None
            equal("dice", seq, f"faces of {roll.label}", faces, roll.faces)
            self.faces += sum(map(len, faces))


def check_params(created: GameCreated) -> bytes:
    """G, recomputed from what it is made of."""
    params = created.params
    need(0 < params.length <= MAX_LENGTH, "dice", 1, "length", f"1 to {MAX_LENGTH}", params.length)
    need(0 < params.seats < 256, "dice", 1, "seats", "1 to 255", params.seats)
    need(created.grade in GRADES, "dice", 1, "grade", " or ".join(GRADES), created.grade)
    unhex(1, "nonce", created.nonce)
    g = nwd1.params(
        unhex(1, "game id", params.game, 16),
        unhex(1, "digest of the rules", params.rules),
        unhex(1, "digest of the set-up", params.scenario),
        params.seats,
        params.length,
    )
    equal("dice", 1, "G", g.hex(), params.g)
    return g


def _check_commitment(created: GameCreated, g: bytes) -> dict[str, tuple[int, bytes]]:
    """Number and value of the newest known link of each domain: its tip."""
    ascii_names = all(name.isascii() for name in created.tips)
    need(ascii_names, "dice", 1, "domains", "ASCII names", list(created.tips))
    tips = {name: unhex(1, f"tip of {name}", tip) for name, tip in created.tips.items()}
    commitment = nwd1.server_commitment(g, tips).hex()
    equal("dice", 1, "commitment C_S", commitment, created.commitment)
    return {name: (0, tip) for name, tip in tips.items()}


def check_master(created: GameCreated, g: bytes, master: str, seq: int) -> None:
    """The opened master makes the very chains whose tips were committed to (check 9)."""
    domains = sorted(created.tips)
    book = DiceBook(unhex(seq, "master", master), g, created.params.length, domains)
    for domain in domains:
        what = f"tip of {domain} from the master"
        equal("secrets", seq, what, book.tips[domain].hex(), created.tips[domain])


def answer(batch: DiceBatch, awaited: Awaited, seq: int) -> Faces:
    """Chance's command from a batch. Raises Refuted for a roll that NWD-1 does not define."""
    try:
        return batch.answer(awaited)
    except DiceError as error:
        raise refute("dice", seq, f"roll {awaited.label}", error.hint, awaited.pools) from None


Batches = Mapping[int, DiceBatch]
