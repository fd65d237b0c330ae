"""By which rules a stored game is played: those that are installed, or the engine that it names.

A game is decided by one engine from its first event to its end, whatever is installed meanwhile.
Where that engine is nowhere, its games are frozen.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import Any, Protocol

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.finder import games as installed_games
from domain.kernel.forked import played
from domain.kernel.game import Game, deciding
from domain.kernel.options import Described
from domain.kernel.shown.catalogue import Catalogue, Entry
from domain.kernel.shown.insight import Insight
from domain.kernel.shown.rulebook import RuleText
from domain.kernel.values import Choose
from projections.records import Rules

from ..engines import carry, shown, strange
from ..engines.apart import apart
from ..engines.closure import Unbuildable
from ..engines.face import adapt
from ..engines.laid import shown_as_it_was, shown_by
from ..engines.load import WHOLE, Loaded, Unloadable, load
from ..engines.outside import Failed
from ..engines.room import Room
from ..engines.strange import Outsider
from ..errors import EngineMissing, EngineNotFound, RulesetMissing
from ..evidence.changed import Part, joined
from ..evidence.digest import digests_of, rules_archive, rules_digest, ruleset_of, shown_archive
from ..evidence.records import RulesUsed
from ..evidence.shelf import CARRIED, is_it
from ..models import GameSummary
from ..threads import SYSTEM, MakesThreads

AnyGame = Game[Any, Any, Any]

log = logging.getLogger(__name__)

PROCESSES = 8
"""Of rules that are not of this build, for all rulesets together: two that hang leave room for none
longer than an answer may take."""


class Archives(Protocol):
    """Where archives are kept, by the digest of the engine. Any thread may ask."""

    def engine(self, digest: str) -> bytes | None:
        """What decides."""
        ...

    def shown(self, digest: str) -> bytes | None:
        """What shows it."""
        ...


class Rulesets(Mapping[str, AnyGame]):
    """The installed rulesets by name; and the engines that games name, by digest.

    archives  those that are kept, of engines and of what shows them
    apart     whether rules that are not of this build decide in processes of their own
              (``engines/strange.py``), until ``end``
    processes  of rules, at most, of all of these together
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        archives: Archives,
        threads: MakesThreads = SYSTEM,
        *,
        apart: bool = False,
        processes: int = PROCESSES,
    ) -> None:
        self._lock = threads.lock()
        self._threads = threads
        self._room = Room(processes, threads)
        self._outsiders: dict[str, Outsider] | None = {} if apart else None
        self._over = False
        self._ours = {each.ruleset for each in carry.table()} - set(games)
        self._ours |= {name for name, game in games.items() if _is_ours(game)}
        self._games = {
            name: self._apart(game, partial(rules_archive, game), partial(_shown, game))
            for name, game in games.items()
        }
        self._archives = archives
        self._pinned: dict[str, AnyGame] = {}
        self._digests: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, ruleset: str) -> AnyGame:
        return self._games[ruleset]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def of(self, rules: Rules) -> AnyGame:
        """The rules of a game. Raises EngineMissing where they are nowhere."""
        game = self._games.get(rules.ruleset)
        if game is not None and self._decides(game, rules.digest):
            return game
        with self._lock:
            found = self._pinned.get(rules.digest)
        if found is not None:
            return found
        archive = self._archive(rules)
        tried = None if self._is_ours(rules.ruleset) else self._tried(rules, archive)
        with self._lock:
            if rules.digest not in self._pinned:
                self._pinned[rules.digest] = self._load(rules, archive, tried)
            return self._pinned[rules.digest]

    def ask_again(self) -> None:
        """Whatever rules in processes of their own gave no answer to is asked when somebody wants
        it next."""
        with self._lock:
            for outsider in (self._outsiders or {}).values():
                outsider.processes.ask_again()

    def end(self) -> None:
        """End the processes of rules: nothing is decided by them any more."""
        with self._lock:
            self._over = True
            for outsider in (self._outsiders or {}).values():
                outsider.end()

    def _apart(
        self, game: AnyGame, archive: Callable[[], bytes], shown: Callable[[], bytes]
    ) -> AnyGame:
        """The game as it is asked here: where it is not of this build, in a process of its own"""
        if self._is_ours(game.ruleset):
            return game
        name = f"{game.ruleset} {game.version}"
        there = apart(game, self._outsider(name, name, archive, shown), self._threads)
        return replace(there, catalogue=as_listed(game))

    def _is_ours(self, ruleset: str) -> bool:
        """Whether its rules run in this process."""
        return self._outsiders is None or ruleset in self._ours

    def _outsider(
        self, key: str, name: str, archive: Callable[[], bytes], shown: Callable[[], bytes]
    ) -> Outsider:
        assert self._outsiders is not None
        if key not in self._outsiders:
            outsider = self._outsiders[key] = Outsider(
                archive, name, self._threads, shown, self._room
            )
            if self._over:  # whoever still loads a game begins no process
                outsider.end()
        return self._outsiders[key]

    def _tried(self, rules: Rules, archive: bytes) -> Outsider:
        """A process that has loaded what is kept of strange rules, and played its sample: before
        that nothing of it is loaded here, and then for its types alone. Raises EngineMissing.
        """
        with self._lock:
            shown = self._archives.shown(rules.digest) or b""
            name = f"{rules.ruleset} {rules.version}".strip()
            kept = partial(bytes, archive), partial(bytes, shown)
            outsider = self._outsider(rules.digest, name, *kept)
        outsider.ask(b'{"call":"about"}')
        return outsider

    def _decides(self, game: AnyGame, digest: str) -> bool:
        """Whether an installed ruleset has that digest, in either form.

        Remembered by its name. The record of a ruleset as a key is hashed with all that it has, at
        each look, and every command looks.
        """
        digests = self._digests.get(game.ruleset)
        if digests is None:
            digests = self._digests[game.ruleset] = digests_known(game)
        return not digests or digest in digests

    def at_hand(self, rules: Rules) -> bool:
        """Whether ``of`` waits for nobody. On an event loop it is asked of no others."""
        game = self._games.get(rules.ruleset)
        if self._is_ours(rules.ruleset) or (game is not None and self._decides(game, rules.digest)):
            return True
        with self._lock:
            return rules.digest in self._pinned

    def to_read(self, rules: Rules) -> AnyGame:
        """The same, to look at a game: where its engine is nowhere, as far as the installed rules
        read it. Raises RulesetMissing where there are none.
        """
        try:
            return self.of(rules)
        except EngineMissing as error:
            if rules.ruleset in self._games:
                return self._games[rules.ruleset]
            raise RulesetMissing(error.hint) from None

    def engine(self, ruleset: str, digest: str) -> AnyGame | None:
        """An engine of a ruleset that is here, by its digest. Raises EngineMissing where it is and
        does not run.
        """
        game = self._games.get(ruleset)
        if game is not None and digest == rules_digest(game).hex():
            return game
        if self._archives.engine(digest) is None:
            return None
        try:
            found = self.of(Rules(ruleset=ruleset, edition="", version="", digest=digest))
        except Failed as failed:
            raise EngineMissing(f"The engine {digest} does not run here: {failed}.") from None
        return found if found.ruleset == ruleset else None

    def _archive(self, rules: Rules) -> bytes:
        """What decides a game. Raises EngineMissing."""
        found = self._archives.engine(rules.digest) or _of_this_build(rules)
        if found is None:
            raise EngineMissing(
                f"The rules of this game ({_named(rules)}) are not here: it is frozen."
            )
        return found

    def _load(self, rules: Rules, archive: bytes, tried: Outsider | None) -> AnyGame:
        try:
            loaded = load(archive, "" if _is_older(archive, rules) else rules.digest)
            if tried is None:
                loaded.try_sample()
        except Unloadable as error:
            hint = f"The rules of this game ({_named(rules)}) do not run here: {error}."
            raise EngineMissing(hint) from None
        game = self._with_what_shows(loaded, here=tried is None)
        if tried is None:
            return game
        return apart(game, tried, self._threads, shown=game is not lettered(loaded))

    def _with_what_shows(self, loaded: Loaded, *, here: bool) -> AnyGame:
        """The engine as it was shown; in letters where what shows it is gone or does not run.

        here  whether it runs in this process
        """
        if loaded.about["kind"] == WHOLE:
            return shown_as_it_was(loaded)
        archive = self._archives.shown(loaded.digest) or carry.shown_over(loaded.digest)
        if archive is None:
            whole = hasattr(loaded.engine, "says")  # of one module: it has what shows it
            return shown_by(loaded, loaded.engine) if whole else lettered(loaded)
        try:
            game = shown.lay(loaded, archive)
            if here:
                shown.try_sample(loaded, game)
        except Unloadable as error:
            log.warning("what shows the engine %s is not used: %s", loaded.digest, error)
            return lettered(loaded)
        return shown_by(loaded, game)


LISTS: dict[str, type[Any]] = {
    "units": Entry, "abilities": Entry, "scenarios": Entry, "maps": Entry, "rules": RuleText,
}  # fmt: skip
"""Functions of a catalogue that list, and what."""


@cache
def as_listed(game: AnyGame) -> Catalogue:
    """The catalogue of a game as it lists now, once and for all. A strange package is asked for it
    in this process, as it is imported in it: so not when somebody else waits, on the event loop.
    """
    lists: dict[str, Any] = {name: _known(_listed(game, name)) for name in LISTS}
    return replace(game.catalogue, **lists)


def with_lists_read(games: Mapping[str, AnyGame]) -> dict[str, AnyGame]:
    """The games as they are told of; for what strange packages list nobody waits any more."""
    return {
        name: game if _is_ours(game) else replace(game, catalogue=as_listed(game))
        for name, game in games.items()
    }


def _listed(game: AnyGame, name: str) -> tuple[Any, ...]:
    """What the package lists there; nothing where it fails over it, which is no fault of others."""
    try:
        found = tuple(getattr(game.catalogue, name)())
        if not all(isinstance(each, LISTS[name]) for each in found):
            raise TypeError(f"it lists what is no {LISTS[name].__name__}")
    except Exception:
        log.exception("the package of %s fails to list its %s: none are shown", game.ruleset, name)
        return ()
    return found


def _known(listed: tuple[Any, ...]) -> Callable[[], tuple[Any, ...]]:
    return lambda: listed


def _shown(game: AnyGame) -> bytes:
    """What shows an installed game; nothing where its engine has that."""
    try:
        return shown_archive(game)
    except Unbuildable:
        return b""


def _named(rules: Rules) -> str:
    return f"{rules.ruleset} {rules.version}, engine {rules.digest}"


def _is_ours(game: AnyGame) -> bool:
    """Whether the game is of this build; or handed over in memory, by whom it is not installed."""
    if ruleset_of(game).home.startswith(strange.OURS):
        return True
    return installed_games().get(game.ruleset) is not game


def pinned(games: Mapping[str, AnyGame], rules: Rules, *, to_read: bool = False) -> AnyGame:
    """The rules of a stored game. Raises RulesetMissing."""
    if isinstance(games, Rulesets):
        return games.to_read(rules) if to_read else games.of(rules)
    try:
        return games[rules.ruleset]
    except KeyError:
        hint = f"The ruleset {rules.ruleset!r} is not installed here."
        raise RulesetMissing(hint) from None


def engine_of(games: Mapping[str, AnyGame], ruleset: str, digest: str) -> AnyGame:
    """An engine that is here, by its digest. Raises EngineNotFound, EngineMissing."""
    found = games.engine(ruleset, digest) if isinstance(games, Rulesets) else None
    if found is None:
        raise EngineNotFound(f"No engine {digest} of {ruleset} is here.", pointer="/digest")
    return found


async def made_ready(games: Mapping[str, AnyGame], summary: GameSummary) -> None:
    """See to it that ``playing`` waits for nobody, as far as its rules are anywhere."""
    used = (*(each.rules for each in summary.former), summary.rules)
    if isinstance(games, Rulesets) and not all(map(games.at_hand, used)):
        with suppress(RulesetMissing):
            await asyncio.to_thread(playing, games, summary, to_read=True)


def playing(
    games: Mapping[str, AnyGame], summary: GameSummary, *, to_read: bool = False
) -> AnyGame:
    """A stored game as it is played, by all rules that it had. Raises RulesetMissing."""
    fork, first, parts = summary.fork is not None, 1, list[Part]()
    went_back = summary.takebacks > 0
    if not summary.former and not went_back:
        return played(pinned(games, summary.rules, to_read=to_read), fork=fork)
    for former in summary.former:
        rules = pinned(games, former.rules, to_read=to_read)
        parts.append(Part(first, played(rules, fork=fork)))
        first = former.until
    newest = pinned(games, summary.rules, to_read=to_read)
    return joined((*parts, Part(first, played(newest, fork=fork))), went_back=went_back)


def _of_this_build(rules: Rules) -> bytes | None:
    """An engine of the past that this build carries: it is found again where it was lost."""
    used = RulesUsed(rules.ruleset, rules.version, rules.digest)
    return next(CARRIED.find(used), None)


def _is_older(archive: bytes, rules: Rules) -> bool:
    """Whether the rules are named by the digest over a list of files, of before there were archives
    (``engines.whole``), and these are the files.
    """
    return is_it(archive, RulesUsed(rules.ruleset, rules.version, rules.digest))


@cache
def digests_known(game: AnyGame) -> tuple[str, ...]:
    """The digests of an installed ruleset, in each form; none of one that has none at all, which
    every digest fits: tests alone have such rules."""
    try:
        return digests_of(game)
    except Unbuildable:
        return ()


def is_digest_of(game: AnyGame, digest: str) -> bool:
    """Whether a digest, of either form, is that of an installed ruleset."""
    digests = digests_known(game)
    return not digests or digest in digests


@cache
def lettered(loaded: Loaded) -> AnyGame:
    """An engine with what shows it where nothing does: events by name, the state as a tree."""
    name = f"{loaded.engine.ruleset} {loaded.engine.version}"
    missing = f"What shows {name} is not here: events by name, the state as it is."
    return Game(
        **deciding(adapt(loaded)),
        title=name,
        phases=(),
        describe=_described,
        insight=Insight(suppose=partial(_nothing_supposed, missing)),
        says=lambda state, event: f"{event.NAME.replace('-', ' ').capitalize()}.",
        board=lambda state: f"{missing}\n{json.dumps(json.loads(canonical(state)), indent=1)}",
    )


def _nothing_supposed(missing: str, state: Any, choose: Choose) -> Any:
    """What is hidden in a position nobody can make up without the words of its game."""
    raise EngineMissing(f"{missing} Fork it as the truth, when it is over.")


def _described(state: Any, command: Any) -> Described:
    plain: dict[str, Any] = msgspec.json.decode(canonical(command))
    name = str(plain.pop("type", "")).rpartition(".")[2].replace("-", " ")
    return Described(f"{name}: {json.dumps(plain)}" if plain else name)
