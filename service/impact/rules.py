"""Which rules a word means: an archive, what is installed, a digest, a version, or a commit."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ..engines import carry, installed, load, wall
from ..engines.build import Ruleset
from ..engines.closure import Unbuildable
from ..engines.history import NoHistory
from ..engines.outside import Failed, Outside
from ..engines.past import engine_at
from ..engines.wire import Wire
from ..evidence.asked import Answers
from ..evidence.records import ENGINE, RulesUsed
from ..evidence.shelf import Place
from .history import History

INSTALLED = "installed"
DIGEST = re.compile(r"[0-9a-f]{12,64}")
"""The whole of it, or its beginning."""


class NoRules(Exception):
    """A word means no rules here; the message says why, in a sentence."""


class Engine(NamedTuple):
    """Rules that were found.

    digest  SHA-256 of the archive
    known   whether they are ours: installed, carried, or of the checkout that one stands in
    """

    archive: bytes
    digest: str
    ruleset: str
    version: str
    known: bool

    @property
    def name(self) -> str:
        return f"{self.ruleset} {self.version} ({self.digest[:12]})"


def find(word: str, ruleset: Ruleset, places: Sequence[Place] = ()) -> Engine:
    """The rules of a game that a word means. Raises NoRules.

    word     a file of an archive, ``installed``, a version, a digest or its beginning, or a commit
             of the checkout that one stands in; the first of these that there is
    ruleset  as it is installed here
    places   where a whole digest is looked for, too
    """
    try:
        found = next(_found(word, ruleset, places), None)
    except (Unbuildable, load.Unloadable) as error:
        raise NoRules(f"{word} is no engine of {ruleset.name}: {error}") from None
    if found is None:
        raise NoRules(
            f"{word!r} is no archive, version, digest or commit of {ruleset.name} that is known "
            "here"
        )
    if found.ruleset != ruleset.name:
        raise NoRules(f"{word} has the rules of {found.ruleset}, not of {ruleset.name}")
    return found


def _found(word: str, ruleset: Ruleset, places: Sequence[Place]) -> Iterator[Engine]:
    if Path(word).is_file():
        yield _engine(Path(word).read_bytes(), ruleset)
    if word in (INSTALLED, ruleset.version):
        yield _engine(installed.archive(ruleset), ruleset)
    carried = [each for each in carry.table() if each.ruleset == ruleset.name]
    yield from (_carried(each, ruleset) for each in carried if each.version == word)
    if DIGEST.fullmatch(word):
        yield from _by_digest(word, ruleset, places)
    try:
        yield _engine(engine_at(Path(), word, ruleset), ruleset, known=True)
    except NoHistory:
        return


def _by_digest(word: str, ruleset: Ruleset, places: Sequence[Place]) -> Iterator[Engine]:
    if installed.named(ruleset).digest.startswith(word):
        yield _engine(installed.archive(ruleset), ruleset)
    for each in carry.table():
        if each.rules.startswith(word) or each.digest.startswith(word):
            yield _carried(each, ruleset)
    used = RulesUsed(ruleset.name, ruleset.version, word, form=ENGINE)
    for place in places if len(word) == 64 else ():
        for archive in place.find(used):
            if hashlib.sha256(archive).hexdigest() == word:
                yield _engine(archive, ruleset)


def _carried(each: carry.Carried, ruleset: Ruleset) -> Engine:
    return _engine(carry.archive(each), ruleset)


def _engine(archive: bytes, ruleset: Ruleset, *, known: bool = False) -> Engine:
    digest, about = hashlib.sha256(archive).hexdigest(), load.opened(archive)[1]
    ours = {each.digest for each in carry.table()}
    known = known or digest in ours or digest == installed.named(ruleset).digest
    return Engine(archive, digest, str(about["ruleset"]), str(about["version"]), known)


@contextmanager
def asked(engine: Engine, history: History) -> Iterator[Answers]:
    """The rules, ready to be asked about a game. Raises NoRules.

    Ours run here; what comes from elsewhere runs in a process apart, behind a wall, or not at all.
    """
    given = (engine.ruleset, engine.version, history.setup)
    if engine.known:
        yield Answers(Wire(load.load(engine.archive, engine.digest)).answer, *given)
        return
    start = wall.walled()
    if start is None:
        raise NoRules(
            f"{engine.name} is not known here, and there is no wall for it: install bubblewrap"
        )
    try:
        process = Outside(start, engine.archive)
    except Failed as error:
        raise NoRules(f"{engine.name} does not run: {error}") from None
    with process:
        yield Answers(process.ask, *given)
