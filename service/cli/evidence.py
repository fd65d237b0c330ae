"""``decklog evidence``: what others add to an evidence file beside what its service has signed."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .console import emit, progress, say
from .export import write_whole
from .files import opened, read_bytes
from .keys import write_secret
from .keytexts import receipts_in, verify_key
from .mistakes import Mistake
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.evidence.signing import SigningKey

out_option = click.option(
    "-o", "--output", default="", metavar="FILE", help="Where the file goes; in place by default."
)


@click.group("evidence", short_help="Cosign an evidence file, or put one's receipts into it.")
def command() -> None:
    """Cosign an evidence file, as an organiser or a witness does, or put one's receipts into it.

    None of it is in what the service has signed, and none of it breaks that.

    Whoever judges names whom he believes: decklog verify FILE --cosigner VKEY. With --json each
    answers for programs.
    """


@command.command("key")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", required=True, metavar="NAME", help="Yours, without a space or a +.")
@json_option
def make_key(file: Path, name: str, as_json: bool) -> int:
    """Make a key to cosign with: the secret half into FILE, and its vkey for all."""
    from service.evidence.signing import SigningKey, is_name

    if not is_name(name):
        raise Mistake(f"{name!r} is no name of a key.", "It has no space and no +.", "usage")
    key = SigningKey(name, secrets.token_bytes(32))
    write_secret(file, key)
    _tell({"vkey": str(key.verify_key), "file": str(file)}, str(key.verify_key), as_json)
    return 0


@command.command("sign")
@click.argument("file")
@click.option("--key", "key_file", required=True, metavar="FILE", help="Your secret key.")
@click.option("--root", default="", metavar="VKEY", help="The root key of its service.")
@out_option
@json_option
@click.pass_obj
def sign(tools: Tools, file: str, key_file: str, root: str, output: str, as_json: bool) -> int:
    """Judge an evidence FILE, and cosign it if it is upheld: nothing else is signed."""
    from service.evidence.beside import TooMany, cosign
    from service.evidence.verdict import UPHELD
    from service.evidence.verify import verify

    key, data = _signer(key_file), read_bytes(file)
    with progress(f"verifying {file}") as report:
        verdict = verify(
            data, tools.games, root=verify_key(root, "--root"),
            progress=lambda check, done, total: report(done, total),
        )  # fmt: skip
    if verdict.code != UPHELD:
        hint = f"decklog verify {file} says why. Nothing was signed."
        raise Mistake(f"{file}: {verdict.word}.", hint, "evidence.refuted")
    try:
        made = cosign(data, key)
    except TooMany as error:
        raise Mistake(f"{file}: {error}.", "Nothing was signed.", "evidence.full") from None
    write_whole(Path(output or file), made)
    told = {"file": output or file, "vkey": str(key.verify_key)}
    _tell(told, f"{output or file} is cosigned by {key.verify_key}", as_json)
    return 0


@command.command("receipts")
@click.argument("file")
@click.argument("receipts", nargs=-1, required=True)
@out_option
@json_option
def receipts(file: str, receipts: tuple[str, ...], output: str, as_json: bool) -> int:
    """Put RECEIPTS of a service into the evidence FILE of a game that is over and opened.

    Each is judged with it from then on, by the list of keys in the file. A game in play is given to
    its judge with decklog verify --receipt: by a receipt one could guess a hidden order.
    """
    from service.evidence.beside import InPlay, with_receipts

    data, given = read_bytes(file), receipts_in(receipts)
    game = opened(file, data).manifest.game
    strange = [each.receipt.game for each in given if each.receipt.game != game]
    if strange:
        hint = "Give those of this game alone."
        raise Mistake(f"A receipt is of game {strange[0]}, not {game}.", hint, "usage")
    try:
        made = with_receipts(data, given)
    except InPlay as error:
        hint = "decklog verify --receipt takes them beside the file."
        raise Mistake(f"{file} is of a game in play: {error}.", hint, "evidence.in-play") from None
    write_whole(Path(output or file), made)
    told = {"file": output or file, "receipts": len(given)}
    _tell(told, f"{output or file} has them: {len(given)} receipts.", as_json)
    return 0


def _signer(file: str) -> SigningKey:
    from service.evidence.signing import BadKey, read_skey

    try:
        return read_skey(read_bytes(file).decode("ascii"))
    except (BadKey, UnicodeDecodeError) as error:
        why = error if isinstance(error, BadKey) else "it is no key"
        hint = "decklog evidence key makes such files."
        raise Mistake(f"{file}: {why}.", hint, "file") from None


def _tell(told: dict[str, Any], text: str, as_json: bool) -> None:
    if as_json:
        emit(told)
    else:
        say(text)
