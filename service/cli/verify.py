"""``decklog verify``: judge a game again from its evidence file."""

from __future__ import annotations

from typing import Any

import click

from service.dice.grades import GRADES

from .console import Report, emit, progress, say
from .engines import places
from .escrow import read_master
from .files import read_bytes
from .keytexts import log_judge, receipts_in, verify_key, verify_keys
from .mistakes import Mistake
from .tools import Tools, json_option

SECONDS = 900
"""More than a game of the longest takes by a factor of a hundred: what takes longer means harm."""


@click.command("verify", short_help="Judge a game again from its evidence file.")
@click.argument("file", metavar="FILE")
@click.option(
    "--grade", type=click.Choice(GRADES), default=None, help="The lowest dice grade that will do."
)
@click.option(
    "--head",
    default="",
    metavar="HASH",
    help="Hash of an event that the record must contain: one that you noted while you played.",
)
@click.option(
    "--root",
    default="",
    metavar="VKEY",
    help="The root key of the service that the game was played on: a file that it does not stand "
    "behind is refuted.",
)
@click.option(
    "--keys",
    default="",
    metavar="LIST",
    help="The service's newest list of keys, where you have one: it counts in the place of the "
    "file's own.",
)
@click.option(
    "--receipt",
    "receipts",
    multiple=True,
    metavar="RECEIPT",
    help="A receipt of the service for something of yours: it has to be in the record. "
    "May be repeated; needs --root.",
)
@click.option(
    "--policy",
    default="",
    metavar="FILE",
    help="Policy file: the public log that has to have the game, and the witnesses that have to "
    "have cosigned it.",
)
@click.option(
    "--known-head",
    "known",
    multiple=True,
    metavar="FILE",
    help="File with a head of the public log that you have kept: the log has to go on from it. "
    "May be repeated.",
)
@click.option(
    "--log",
    default="",
    metavar="ADDRESS",
    help="Address of the log, whose tiles compare a --known-head of another size where the file "
    "has no proof for it.",
)
@click.option(
    "--until",
    default="",
    metavar="DATE|SIZE",
    help="The log has to have had the game by then: by a head that the witnesses of --policy "
    "cosigned before DATE, or among its first SIZE leaves.",
)
@click.option(
    "--tsa-root",
    "tsa",
    default="",
    metavar="FILE",
    help="Root certificate (PEM) of a time-stamping authority whose stamp in the file counts for "
    "the time; without it a stamp is not judged.",
)
@click.option(
    "--master",
    default="",
    metavar="FILE",
    help="The master of a game that is not over, as two keepers have opened it: decklog escrow.",
)
@click.option(
    "--explain",
    type=click.IntRange(1),
    metavar="SEQ",
    help="Also explain this event: the order, the odds, the bytes of the dice, each face.",
)
@click.option(
    "--engines",
    multiple=True,
    metavar="PLACE",
    help="Where else engines may be: a folder, or the address of a service. May be repeated.",
)
@click.option(
    "--cosigner",
    "cosigners",
    multiple=True,
    metavar="VKEY",
    help="Key that has to have cosigned the file: an organiser's, a witness's. May be repeated.",
)
@click.option(
    "--trust-engine",
    "trusted",
    multiple=True,
    metavar="DIGEST",
    help="You know this engine, by the SHA-256 of its archive, and vouch for it.",
)
@click.option(
    "--seconds",
    type=click.IntRange(0),
    default=SECONDS,
    show_default=True,
    help="Seconds of the processor that it may take; 0 for as many as it likes.",
)
@json_option
@click.pass_obj
def command(
    tools: Tools,
    file: str,
    grade: str | None,
    head: str,
    root: str,
    keys: str,
    receipts: tuple[str, ...],
    policy: str,
    known: tuple[str, ...],
    log: str,
    until: str,
    tsa: str,
    master: str,
    explain: int | None,
    engines: tuple[str, ...],
    cosigners: tuple[str, ...],
    trusted: tuple[str, ...],
    seconds: int,
    as_json: bool,
) -> int:
    """Judge a game again from its evidence FILE, without any service.

    Checks the chain of events, every seal and order, rolls every die again, and decides every
    order anew by the very rules that the game names: those that are installed here, or their
    engine, looked for among what this build carries, in the local cache, at --engines and in the
    file. An engine runs in a process apart, behind a wall.

    The verdict says on whose word each part stands: rules, dice, orders, origin, time; and how old
    the root, what it takes back and this program's list of engines are.

    \b
    The exit code is the verdict:
      0  UPHELD
      1  REFUTED: names the first bad event, the check or rule, and the two values
      2  UNREADABLE: not a whole evidence file (also: no such file, or wrong use)
      3  CANNOT JUDGE: its rules are nowhere to be found, or did not run, or it takes too long
      4  UPHELD, but the dice are of a lower grade than --grade asks for
      5  CONSISTENT, RULES NOT VOUCHED FOR: nothing contradicts itself, but nobody here knows the
         rules; --trust-engine says that you do
    """
    from service.clock import SYSTEM, stamp
    from service.evidence.verify import verify

    root_key, given = verify_key(root, "--root"), receipts_in(receipts)
    if (given or keys) and root_key is None:
        hint = "Name it with --root: whoever vouches for that key vouches for the others."
        raise Mistake("--receipt and --keys need the root key of the service.", hint, "usage")
    data, logged = read_bytes(file), log_judge(policy, known, log, until, tsa)
    with progress(f"verifying {file}") as report, places(engines) as found:
        verdict = verify(
            data, tools.games, grade=grade or "", head=head, root=root_key,
            keys=read_bytes(keys) if keys else b"", receipts=given, log=logged,
            master=read_master(master) if master else "", now=stamp(SYSTEM.now()),
            cosigners=verify_keys(cosigners, "--cosigner"),
            seconds=seconds, progress=_told(report), engines=found, trusted=trusted,
        )  # fmt: skip
    page = None if explain is None else _explained(tools, data, explain)
    if as_json:
        emit(verdict if page is None else {"verdict": verdict, "explanation": page.plain()})
    else:
        say(verdict.text())
        if page is not None:
            say()
            say(page.text())
    return int(verdict.code)


def _told(report: Report) -> Any:
    """The verifier's progress as ours: only the rules take long enough to be counted."""

    def told(check: str, done: int, total: int) -> None:
        if check == "rules":
            report(done, total)
        else:
            report(0, 0)

    return told


def _explained(tools: Tools, data: bytes, seq: int) -> Any:
    """The page, or one that says why there is none: the verdict is told in any case."""
    from .explain import Unexplained, explain

    try:
        return explain(tools, data, seq)
    except Mistake as mistake:
        return Unexplained(mistake.message)
