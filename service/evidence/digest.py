"""Digests of what a game is judged by: the archive of its rules, and its set-up.

Evidence from before there were archives has another digest, over a list of files. It can still be
worked out from the files that are installed.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.finder import home_of
from domain.kernel.game import Game
from domain.kernel.setup import Setup

from ..dice import nwd1
from ..engines import installed, shown
from ..engines.build import Ruleset
from ..engines.closure import Unbuildable, in_tree
from ..engines.load import archive_of, digest_in
from .records import ENGINE, RulesUsed

KERNEL = installed.KERNEL.replace(".", "/")


class RulesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the rules: ``game/...`` or ``kernel/...``, and its SHA-256 in hex."""

    name: str
    sha256: str


def ruleset_of(game: Game[Any, Any, Any]) -> Ruleset:
    """A game as its archive is built."""
    return Ruleset(game.ruleset, game.version, in_tree(home_of(game)))


def rules_digest(game: Game[Any, Any, Any]) -> bytes:
    """SHA-256 of the engine, to which G binds the dice. Raises Unbuildable."""
    loaded = digest_in(game.state.__module__)
    if loaded:
        return bytes.fromhex(loaded)
    return bytes.fromhex(installed.named(ruleset_of(game)).digest)


@cache
def rules_archive(game: Game[Any, Any, Any]) -> bytes:
    """The archive itself, built once in each process. Raises Unbuildable."""
    loaded = digest_in(game.state.__module__)
    return archive_of(loaded) if loaded else installed.archive(ruleset_of(game))


@cache
def shown_archive(game: Game[Any, Any, Any]) -> bytes:
    """What shows it, to be laid over its engine; once in each process. Raises Unbuildable."""
    if digest_in(game.state.__module__):
        raise Unbuildable("it is an engine out of its archive, without a tree")
    ruleset = ruleset_of(game)
    return shown.build(installed.sources(ruleset.home), ruleset, rules_archive(game))


def are_installed(game: Game[Any, Any, Any], used: RulesUsed) -> bool:
    """Whether these rules are those that were used, by whichever digest those have."""
    if used.form == ENGINE or digest_in(game.state.__module__):
        return rules_digest(game).hex() == used.digest
    return digest_of(rules_files(game)).hex() == used.digest


def digests_of(game: Game[Any, Any, Any]) -> tuple[str, str]:
    """Both digests of its rules, in hex: of their archive, and the older one. Raises Unbuildable"""
    return rules_digest(game).hex(), digest_of(rules_files(game)).hex()


def rules_files(game: Game[Any, Any, Any]) -> tuple[RulesFile, ...]:
    """The files that the older digest is over, sorted by name: the game's own and the kernel's.

    Of a game that is a package all files count, of one that is a single module that module.
    """
    return _files_of(in_tree(home_of(game)))


def digest_of(listed: tuple[RulesFile, ...]) -> bytes:
    """The older digest: TH("nwe1/rules", name, SHA-256, name, SHA-256, ...) of a list of files."""
    fields: list[bytes] = []
    for file in listed:
        fields += [file.name.encode(), bytes.fromhex(file.sha256)]
    return nwd1.th("nwe1/rules", *fields)


def scenario_digest(setup: Setup) -> bytes:
    """TH("nwe1/scenario", canonical set-up): edition, scenario, seats and options are fixed."""
    return nwd1.th("nwe1/scenario", canonical(setup))


@cache
def _files_of(home: str) -> tuple[RulesFile, ...]:
    found = {_listed(home, name): data for name, data in installed.sources(home).items()}
    return tuple(RulesFile(name, hashlib.sha256(found[name]).hexdigest()) for name in sorted(found))


def _listed(home: str, name: str) -> str:
    """The name of a file in the older list."""
    if name.startswith(f"{KERNEL}/"):
        return f"kernel{name.removeprefix(KERNEL)}"
    package = home.replace(".", "/")
    inside = name.removeprefix(package) if name.startswith(f"{package}/") else None
    return f"game/{name.rpartition('/')[2]}" if inside is None else f"game{inside}"
