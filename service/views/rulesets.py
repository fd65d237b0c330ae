"""By which rules a stored game is played: those that are installed, or the engine that it names.

A game is decided by one engine from its first event to its end, whatever is installed meanwhile.
Where that engine is nowhere, its games are frozen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from domain.kernel.codec import canonical
from domain.kernel.game import Game, deciding
from domain.kernel.options import Described
from projections.records import Rules

from ..engines.closure import Unbuildable
from ..engines.face import adapt
from ..engines.load import Loaded, Unloadable, load
from ..errors import EngineMissing, RulesetMissing
from ..evidence.digest import digests_of
from ..threads import SYSTEM, MakesThreads

AnyGame = Game[Any, Any, Any]


class Rulesets(Mapping[str, AnyGame]):
    """The installed rulesets by name; and the engines that games name, by digest.

    archive  the archive that is kept under a digest
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        archive: Callable[[str], bytes | None],
        threads: MakesThreads = SYSTEM,
    ) -> None:
        self._lock = threads.lock()
        self._games = dict(games)
        self._archive = archive
        self._pinned: dict[str, AnyGame] = {}

    def __getitem__(self, ruleset: str) -> AnyGame:
        return self._games[ruleset]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def of(self, rules: Rules) -> AnyGame:
        """The rules of a game. Raises EngineMissing where they are nowhere."""
        game = self._games.get(rules.ruleset)
        if game is not None and is_digest_of(game, rules.digest):
            return game
        with self._lock:
            if rules.digest not in self._pinned:
                self._pinned[rules.digest] = self._load(rules)
            return self._pinned[rules.digest]

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

    def _load(self, rules: Rules) -> AnyGame:
        name = f"{rules.ruleset} {rules.version}, engine {rules.digest}"
        archive = self._archive(rules.digest)
        if archive is None:
            raise EngineMissing(f"The rules of this game ({name}) are not here: it is frozen.")
        try:
            loaded = load(archive, rules.digest)
            loaded.try_sample()
        except Unloadable as error:
            hint = f"The rules of this game ({name}) do not run here: {error}."
            raise EngineMissing(hint) from None
        return lettered(loaded)


def pinned(games: Mapping[str, AnyGame], rules: Rules, *, to_read: bool = False) -> AnyGame:
    """The rules of a stored game. Raises RulesetMissing."""
    if isinstance(games, Rulesets):
        return games.to_read(rules) if to_read else games.of(rules)
    try:
        return games[rules.ruleset]
    except KeyError:
        hint = f"The ruleset {rules.ruleset!r} is not installed here."
        raise RulesetMissing(hint) from None


@cache
def is_digest_of(game: AnyGame, digest: str) -> bool:
    """Whether a digest, of either form, is that of an installed ruleset."""
    try:
        return digest in digests_of(game)
    except Unbuildable:
        return True  # it has none at all: tests alone have such rules


@cache
def lettered(loaded: Loaded) -> AnyGame:
    """An engine with what shows it where nothing does: events by name, the state as a tree."""
    return Game(
        **deciding(adapt(loaded)),
        title=f"{loaded.engine.ruleset} {loaded.engine.version}",
        phases=(),
        describe=_described,
        says=lambda state, event: f"{event.NAME.replace('-', ' ').capitalize()}.",
        board=lambda state: json.dumps(json.loads(canonical(state)), indent=1),
    )


def _described(state: Any, command: Any) -> Described:
    plain: dict[str, Any] = msgspec.json.decode(canonical(command))
    name = str(plain.pop("type", "")).rpartition(".")[2].replace("-", " ")
    return Described(f"{name}: {json.dumps(plain)}" if plain else name)
