"""``decklog witness``: cosign the heads of logs that take nothing back."""

from __future__ import annotations

import time
from pathlib import Path

import click

from .console import emit, say
from .mistakes import Mistake
from .tools import json_option


@click.command("witness", short_help="Cosign heads of public logs that take nothing back.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER")
@click.option("--name", required=True, help="Name of this witness, for ever: a host, or a path.")
@click.option(
    "--log", "logs", multiple=True, required=True, nargs=2, metavar="VKEY ADDRESS",
    help="A log: its key, and where it is read (http://HOST/log, or a folder). May be repeated.",
)  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8123, show_default=True,
    help="Port to listen on; 0: any that is free.",
)  # fmt: skip
@click.option("--key", is_flag=True, help="Say the key of this witness, for policies, and end.")
@json_option
def command(
    folder: Path,
    name: str,
    logs: tuple[tuple[str, str], ...],
    host: str,
    port: int,
    key: bool,
    as_json: bool,
) -> int:
    """Cosign the heads of logs, by C2SP tlog-witness, until it is stopped.

    The witness reads every new leaf before it cosigns, and refuses a head that does not go on from
    what it has seen, or a log in which one event stands twice. What it knows is in FOLDER, with its
    key, which is made at the first start: losing either means to begin anew under another name.
    What convicts a log is put into FOLDER/convictions, for anybody to judge.
    """
    from service.log.ledger import Ledger
    from service.log.note import COSIGNATURE, NoteWrong, Signer, read_key
    from service.log.remote import RemoteLog
    from service.log.serving import server_of
    from service.log.witness import WatchedLog, Witness
    from service.store.box import secret_of

    try:
        folder.mkdir(parents=True, exist_ok=True)
        signer = Signer(name, secret_of(folder / "key", ""), COSIGNATURE)
        if key:
            emit({"key": str(signer.public)}) if as_json else say(str(signer.public))
            return 0
        keys = [(read_key(vkey), RemoteLog(address)) for vkey, address in logs]
        known = {each.name: WatchedLog(each, files) for each, files in keys}
        ledger = Ledger(folder / "ledger.sqlite")
        witness = Witness(signer, known, ledger, folder / "convictions", time.time)
        server = server_of(witness, host, port)
    except (NoteWrong, OSError, ValueError) as error:
        raise Mistake(f"The witness cannot begin: {error}.", "", "witness.unfit") from None
    _tell(str(signer.public), f"http://{host}:{server.server_address[1]}", as_json=as_json)
    try:
        server.serve_forever()
    finally:
        server.server_close()
        ledger.close()
    return 0


def _tell(key: str, url: str, *, as_json: bool) -> None:
    if as_json:
        emit({"key": key, "url": url})
        return
    say(f"witness {key}")
    say(f"listens on {url}")
