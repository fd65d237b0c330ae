"""Evidence with all that vouches for it: a signature, a public log, orders of a seat's key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from service import container
from service.evidence import bundle
from service.evidence.beside import cosign, with_receipts
from service.evidence.keylist import KeyList, ListedKey, sign_list
from service.evidence.receipts import Accepted, Given, give, read
from service.evidence.signing import SigningKey, write_envelope
from service.log import tiles, tree
from service.log.checkpoint import read_checkpoint
from service.log.games import leaves_of
from service.log.proof import GrownProof, LoggedProof, Tree
from service.publishing.folder import LogFolder
from tests.service.evidence.playing import AT, GAME_ID
from tests.service.evidence.test_signed_orders import signed, slow_game
from tests.service.log.logs import LOG, played, write_log

ROOT_KEY = SigningKey("decklog.example/root", b"r" * 32)
BUNDLES = SigningKey("decklog.example/bundles", b"b" * 32)
RECEIPTS = SigningKey("decklog.example/receipts", b"c" * 32)
ORGANISER = SigningKey("organiser.example", b"o" * 32)
WITNESS = SigningKey("witness.example", b"w" * 32)


KEPT = 7
"""Leaves of the head that the asker has kept."""


def logged(data: bytes, folder: Path) -> bytes:
    leaves = [*played(5), *(each.data for each in leaves_of(data)), *played(20)[5:]]
    checkpoint = write_log(folder, leaves)
    number = 5 + len(leaves_of(data)) - 1
    size = read_checkpoint(checkpoint)[1].size
    nodes = tiles.nodes_from(LogFolder(folder).fetch, size)
    proof = LoggedProof(number, tuple(tree.inclusion(number, size, nodes)), checkpoint)
    old, new = (Tree(each, tree.root(each, nodes)) for each in (KEPT, size))
    grown = GrownProof(old, new, tuple(tree.consistency(KEPT, size, nodes)))
    return bundle.with_log(data, checkpoint, str(proof), str(grown))


def by_service(data: bytes) -> bytes:
    listed = [
        ("bundles", str(BUNDLES.verify_key)),
        ("log", str(LOG.public)),
        ("receipts", str(RECEIPTS.verify_key)),
    ]
    keys = tuple(ListedKey(role, key, AT) for role, key in listed)  # type: ignore[arg-type]
    told = KeyList(1, "decklog.example", str(ROOT_KEY.verify_key), 1, AT, keys)
    return bundle.signed(data, BUNDLES, sign_list(told, ROOT_KEY))


def whole(folder: Path) -> bytes:
    """Signed by a service, in its log, its orders signed by a seat."""
    return by_service(logged(signed(slow_game()).export(), folder))


def receipt(data: bytes, place: int, **other: Any) -> Given:
    """Of one of its orders, as the service gives it."""
    lines = container.unpack(data)[bundle.COMMANDS].splitlines()
    orders = [msgspec.json.decode(line, type=bundle.OrderLine) for line in lines]
    order = orders[place]
    head = leaves_of(data)[order.last - 1].hash
    told = Accepted("order", order.seat, bytes(order.command), order.last, head)
    made = give(GAME_ID.hex(), told._replace(**other), AT, RECEIPTS)
    return read(write_envelope(made))


def cosigned(folder: Path) -> bytes:
    """The same with what others add: two cosignatures, and receipts of two orders."""
    data = whole(folder)
    data = with_receipts(data, [receipt(data, place) for place in (0, 2)])
    return cosign(cosign(data, WITNESS), ORGANISER)
