"""Logs in folders, as a service writes them, and as one that lies does; witnesses over loopback."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from service.log import tiles, tree
from service.log.checkpoint import Checkpoint
from service.log.leaf import FORM, Leaf
from service.log.ledger import Ledger
from service.log.note import COSIGNATURE, Note, Signer
from service.log.remote import RemoteLog
from service.log.serving import ADD, server_of
from service.log.witness import WatchedLog, Witness, request
from service.publishing.folder import CHECKPOINT, LogFolder, Rows

LOG = Signer("example.org/log", bytes(range(32)))
AT = 1_790_000_000


def leaf(game: int, seq: int, variant: int = 0, form: str = FORM) -> bytes:
    """Of a made-up game."""
    return Leaf(f"{game:032x}", seq, f"{variant:060x}{seq:04x}", form).data


def played(count: int, form: str = FORM) -> list[bytes]:
    """Leaves of three games, by turns."""
    return [leaf(at % 3, at // 3 + 1, form=form) for at in range(count)]


def write_log(folder: Path, leaves: Sequence[bytes], signer: Signer = LOG) -> str:
    """Tiles and checkpoint; the checkpoint's text."""
    files, rows, grown = LogFolder(folder), Rows(), tree.Frontier()
    found: dict[str, bytes] = {}
    for each in leaves:
        grown.add(tree.leaf_hash(each))
        found.update((tile.path, data) for tile, data in rows.add(each))
    found.update((tile.path, data) for tile, data in rows.begun())
    files.put(found)
    text = Checkpoint(signer.public.name, grown.size, grown.root()).text
    note = str(Note(text, (signer.sign(text),)))
    files.say(CHECKPOINT, note)
    return note


def asking(folder: Path, old: int, new: int, checkpoint: str) -> bytes:
    """What a log sends to a witness."""
    nodes = tiles.nodes_from(LogFolder(folder).fetch, new)
    return request(old, tree.consistency(old, new, nodes), checkpoint)


class Place:
    """A witness with its folder; ``log``: the folder of the log that it watches."""

    def __init__(self, folder: Path, log: Path | str, number: int = 1) -> None:
        self.signer = Signer(f"w{number}.example", bytes([number]) * 32, COSIGNATURE)
        self.folder = folder
        self.log = log
        self.open()

    def open(self) -> None:
        self.ledger = Ledger(self.folder / "ledger.sqlite")
        self.files = RemoteLog(str(self.log))
        watched = {LOG.public.name: WatchedLog(LOG.public, self.files)}
        self.witness = Witness(
            self.signer, watched, self.ledger, self.folder / "convictions", lambda: AT
        )

    def again(self) -> None:
        """Stopped, and started anew."""
        self.ledger.close()
        self.open()

    def convictions(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted(self.folder.glob("convictions/*.json"))]


@contextmanager
def listening(place: Place, port: int = 0) -> Iterator[str]:
    """Its address, while it is served."""
    server = server_of(place.witness, "127.0.0.1", port)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def post(address: str, body: bytes) -> httpx.Response:
    return httpx.post(address + ADD, content=body, timeout=10)
