"""``decklog escrow``: the master of a game in shares, with keepers who play in none of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from msgspec import UNSET

from .console import emit, say
from .files import opened, read_bytes, read_secret
from .finishing import checked_dice, dice_of, finished, in_words
from .mistakes import Mistake
from .tools import Tools, json_option

if TYPE_CHECKING:
    from service.evidence.casefile import Case
    from service.evidence.escrow import KeptShare

evidence = click.argument("file", metavar="EVIDENCE")
master_option = click.option(
    "--master", required=True, metavar="FILE", help="The master that was opened."
)
beacon_option = click.option(
    "--beacon", default="", metavar="HEX",
    help="Signature of the beacon's round that the batch waits for (grade A3).",
)  # fmt: skip


@click.group("escrow", short_help="Open a game's master without its service.")
def command() -> None:
    """The master of a game in three shares, each sealed for a keeper; two of them open it.

    A service that names keepers (DECKLOG_ESCROW) puts the sealed shares into the first event of
    each game, so that whoever has the record has them. If it stalls or is gone, two keepers open
    theirs, and with the master every die is known that is due: the game is finished, or closed
    and judged (decklog verify --master). Never name anybody who plays. With --json each answers for
    programs; share does in any case.
    """


@command.command("key", short_help="Make a keeper's key.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", required=True, metavar="NAME", help="Of the keeper.")
@json_option
def make_key(file: Path, name: str, as_json: bool) -> int:
    """Make a keeper's key: the secret half into FILE, and a line for the service's file."""
    from service.evidence import escrow

    secret = os.urandom(32)
    _write(file, secret.hex() + "\n")
    key = escrow.public_of(secret).hex()
    emit({"name": name, "key": key}) if as_json else say(f"{name} {key}")
    return 0


@command.command("share", short_help="Open the share that is sealed for a keeper.")
@evidence
@click.option("--key", "key", required=True, metavar="FILE", help="The keeper's secret key.")
def open_share(file: str, key: str) -> int:
    """Open the share of EVIDENCE's game that is sealed for a keeper's key.

    Who keeps one looks at once, when a game begins, that it can be opened; it tells nothing alone.
    """
    from service.evidence import escrow

    case = _case(file)
    try:
        secret = escrow._key(read_bytes(key).decode("ascii").strip(), "the secret key")
        found = escrow.opened(_kept(case), case.manifest.game, _g(case), secret)
    except (escrow.Unusable, UnicodeDecodeError) as error:
        raise _unusable(error) from None
    emit(found)
    return 0


@command.command("open", short_help="Open the master by two shares.")
@evidence
@click.argument("shares", nargs=2, metavar="SHARE SHARE")
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), required=True, metavar="FILE",
    help="Where the master is written, for its owner's eyes alone.",
)  # fmt: skip
@json_option
def open_master(file: str, shares: tuple[str, str], output: Path, as_json: bool) -> int:
    """Put the master of EVIDENCE's game together of two opened shares, and check that it is it."""
    from service.evidence import escrow

    case = _case(file)
    try:
        found = [msgspec.json.decode(read_bytes(each), type=escrow.ShareOpened) for each in shares]
        master = escrow.master_of(_kept(case), case.manifest.game, _g(case), found)
    except (escrow.Unusable, msgspec.MsgspecError) as error:
        raise _unusable(error) from None
    hint = "Both shares are those of the record: the service has put a wrong one in escrow."
    checked_dice(case, master.hex(), "The shares make another master than the game's", hint)
    _write(output, master.hex() + "\n")
    told = {"game": case.manifest.game, "file": str(output)}
    emit(told) if as_json else say(f"The master of game {case.manifest.game} is in {output}.")
    return 0


@command.command("roll", short_help="Roll the dice that are due, by an opened master.")
@evidence
@master_option
@click.option("--label", required=True, help="Of the roll, as the rules name it.")
@click.option("--dice", multiple=True, required=True, metavar="2d6", help="A pool of dice; more.")
@click.option("--domain", default="pub", show_default=True, help="Of the dice.")
@click.option(
    "--link", "links", multiple=True, metavar="SEAT=HEX",
    help="A seat's link for the batch, which it has given, where the file does not have it.",
)  # fmt: skip
@beacon_option
@json_option
def roll(
    file: str,
    master: str,
    label: str,
    dice: tuple[str, ...],
    domain: str,
    links: tuple[str, ...],
    beacon: str,
    as_json: bool,
) -> int:
    """Roll the dice that come next in EVIDENCE's game: they are those that the service would."""
    from service.dice.nwd1 import DiceError
    from service.errors import DiceRefused

    check, pools, given = dice_of(_case(file)), [_pool(each) for each in dice], _given(links)
    try:
        owed = [seat for seat in check.owed() if seat not in given]
        if owed:
            raise Mistake(f"{owed[0]} has given a link.", "Add it with --link.", "escrow.link")
        batch = check.due(bytes.fromhex(read_master(master)), domain, given, beacon)
        faces = batch.roll(label, pools)
    except (DiceRefused, DiceError, ValueError) as error:
        hint = "Label, dice and domain are as the rules ask for them; a link is of its seat."
        raise Mistake(f"These dice cannot be rolled: {error}.", hint, "escrow.dice") from None
    told = {"batch": batch.t, "domain": domain, "label": label, "faces": faces}
    shown = " + ".join(" ".join(map(str, pool)) for pool in faces)
    emit(told) if as_json else say(f"batch {batch.t}, {label}: {shown}")
    return 0


@command.command("finish", short_help="Play a stalled game on, by an opened master.")
@evidence
@master_option
@click.option(
    "--orders", default="", metavar="FILE",
    help='What the seats do, a line each: {"seat": ..., "command": ...}; no command: the usual.',
)  # fmt: skip
@click.option("--usual", is_flag=True, help="Then the usual for whoever is asked, to the end.")
@click.option(
    "--link", "links", multiple=True, metavar="SEAT=HEX",
    help="A seat's link for the first batch, which it has given, where the file does not have it.",
)  # fmt: skip
@beacon_option
@json_option
@click.pass_obj
def finish(
    tools: Tools, file: str, master: str, orders: str, usual: bool, links: tuple[str, ...],
    beacon: str, as_json: bool,
) -> int:  # fmt: skip
    """Play EVIDENCE's game on without its service: by its rules, with the dice that it would have.

    An order that was locked comes first, and has to be that one. Dice after it have the links that
    were given ahead, and no others; nobody has to be believed, for whoever has the file, the master
    and the orders comes to the same end. The record stays as it is.
    """
    found = finished(tools, file, read_master(master), _given(links), beacon, orders, usual=usual)
    emit(found) if as_json else say(in_words(found))
    return 0


def _given(links: tuple[str, ...]) -> dict[str, bytes]:
    """Links by their seats. Raises Mistake."""
    try:
        return {seat: bytes.fromhex(link) for seat, _, link in (e.partition("=") for e in links)}
    except ValueError:
        hint = "Write it as p1=, and 64 digits."
        raise Mistake("A link is not in hex.", hint, "escrow.dice") from None


def read_master(file: str) -> str:
    """A master as ``open`` has written it, in hex. Raises Mistake."""
    hint = "decklog escrow open writes it."
    return read_secret(file, Mistake(f"{file} holds no master.", hint, "escrow.master")).hex()


def _pool(text: str) -> Any:
    from domain.kernel.chance import Dice

    count, _, sides = text.partition("d")
    if not (count.isdigit() and sides.isdigit()):
        raise Mistake(f"{text} is no pool of dice.", "Write it as 2d6.", "usage")
    return Dice(int(count), int(sides))


def _case(file: str) -> Case:
    return opened(file, read_bytes(file))


def _kept(case: Case) -> tuple[KeptShare, ...]:
    """Raises Mistake where there is nothing in escrow."""
    kept = case.created.escrow
    if kept is UNSET:
        hint = "Its service named no keepers when it began."
        raise Mistake("The master of this game is not in escrow.", hint, "escrow.none")
    return kept


def _g(case: Case) -> bytes:
    return bytes.fromhex(case.created.params.g)


def _unusable(error: Exception) -> Mistake:
    hint = "Each keeper opens the share that is sealed for its own key."
    return Mistake(f"It cannot be opened: {error}.", hint, "escrow.unusable")


def _write(file: Path, text: str) -> None:
    """For its owner's eyes, under a name that is not there yet. Raises Mistake."""
    try:
        opened_file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        hint = "Name a file that is not there yet."
        raise Mistake(
            f"{file} cannot be made: {error.strerror}.", hint, "file.unwritable"
        ) from None
    with os.fdopen(opened_file, "w", encoding="ascii") as out:
        out.write(text)
