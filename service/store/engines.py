"""Rows of the engines that stored games name: kept for ever, compressed, under their digests."""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

import msgspec

from .bulk import Statement
from .database import Database
from .queries import Queries


def insertion(digest: str, archive: bytes) -> Statement:
    """Keeps an archive; one that is kept already stays as it is."""
    return (
        "INSERT INTO engines (digest, archive) VALUES (?,?) ON CONFLICT (digest) DO NOTHING",
        (digest, zlib.compress(archive, 9)),
    )


def showing(digest: str, texts: str, archive: bytes) -> Statement:
    """Keeps what shows the games of an engine; what is kept already stays as it is.

    texts  the digest of all that it was made of, by which it is seen whether it is of today
    """
    return (
        "INSERT INTO shown (digest, texts, archive) VALUES (?,?,?) ON CONFLICT (digest) DO NOTHING",
        (digest, texts, zlib.compress(archive, 9)),
    )


def showing_anew(digest: str, texts: str, archive: bytes) -> Statement:
    """Puts what shows the games of an engine in the place of what did before."""
    return (
        "UPDATE shown SET texts = ?, archive = ? WHERE digest = ?",
        (texts, zlib.compress(archive, 9), digest),
    )


def shown_texts(recorder: Database, digest: str) -> str:
    """Of what the archive was made that shows the games of an engine; "" where there is none."""
    found = recorder.query("SELECT texts FROM shown WHERE digest = ?", (digest,))
    return str(found[0][0]) if found else ""


def find_shown(recorder: Database, digest: str) -> bytes | None:
    """The archive of what shows the games of an engine; None where there is none."""
    found = recorder.query("SELECT archive FROM shown WHERE digest = ?", (digest,))
    try:
        return zlib.decompress(found[0][0]) if found else None
    except zlib.error:
        return None


def is_kept(recorder: Database, digest: str) -> bool:
    """Whether the archive is there."""
    return bool(recorder.query("SELECT 1 FROM engines WHERE digest = ?", (digest,)))


def find(recorder: Database, digest: str) -> bytes | None:
    """The archive; None where there is none, or what is there is not it any more."""
    found = recorder.query("SELECT archive FROM engines WHERE digest = ?", (digest,))
    if not found:
        return None
    try:
        archive = zlib.decompress(found[0][0])
    except zlib.error:
        return None
    return archive if hashlib.sha256(archive).hexdigest() == digest else None


def digests(recorder: Database) -> list[str]:
    """What is kept, in order."""
    return [digest for (digest,) in recorder.query("SELECT digest FROM engines ORDER BY digest")]


class Frozen(msgspec.Struct, frozen=True):
    """A game in play whose rules are nowhere."""

    game: str
    ruleset: str
    version: str
    digest: str


class _Rules(msgspec.Struct):
    ruleset: str
    version: str
    digest: str


class _Summary(msgspec.Struct):
    rules: _Rules


class InPlay(msgspec.Struct, frozen=True):
    """Games that are not over, by the engine that decides them to their end.

    games      how many
    installed  whether it is what new games begin with
    """

    ruleset: str
    version: str
    digest: str
    games: int
    installed: bool


class Standing(NamedTuple):
    """How the games that are not over stand to the rules.

    in_play  by their engines; frozen ones are among them
    frozen   those that name an engine which is neither kept nor, by its digest, installed
    """

    in_play: tuple[InPlay, ...] = ()
    frozen: tuple[Frozen, ...] = ()


def standing(look: Queries, installed: Collection[str]) -> Standing:
    """Of all games of the store, which are read once.

    installed  digests of the rules that are installed, of either form
    """
    here = {row[0] for row in look.query("SELECT digest FROM engines")} | set(installed)
    count: Counter[tuple[str, str, str]] = Counter()
    still = []
    games = "SELECT game, summary FROM games WHERE status <> 'finished' ORDER BY place"
    for game, summary in look.query(games):
        rules = msgspec.json.decode(summary, type=_Summary).rules
        named = (rules.ruleset, rules.version, rules.digest)
        count[named] += 1
        if rules.digest not in here:
            still.append(Frozen(game, *named))
    found = (InPlay(*named, count[named], named[2] in installed) for named in sorted(count))
    return Standing(tuple(found), tuple(still))
