"""What grows old: games that nobody plays, what-if games, documents, and the keys of requests.

In a world with nights time goes on by hours at once, while nobody asks for anything. What the
service keeps for days may be gone when its days are over, by a clock that is right, and not before;
once there is no harm any more, and they are long over, it has to be.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from service.evidence.records import GameAbandoned
from service.store.ageing import STEP

from .seams import right

if TYPE_CHECKING:
    from .people import People, Table
    from .town import Town

DAY = 86_400.0
NIGHT = 20 * 3600.0
"""Seconds that one takes, at most: less than a key is kept."""

HOURS = 24
"""For which a key is known, where nights are: the fewest that an operator may set. Two nights may
be longer."""

LOOSE = 2.0
"""Seconds by which a clock that is right enough may be wrong."""

DOCUMENTS = tuple({"name": f"Of {turns}", "turns": turns} for turns in (4, 6, 8, 10, 12, 14))
"""What players of Pennant bring; of another ruleset its own examples."""

_PLAYED = "SELECT 1 FROM commands WHERE game = ? AND seat <> '' AND first <= ?"
ALL = 1 << 40
_ENDED = "SELECT originator_version FROM stored_events WHERE originator_id = ? AND topic LIKE ?"


class Attic:
    """What people have made and left, and until when it has to be there, in the world's time.

    unplayed   games: from when on one may be ended if nobody has played it
    forks      what-if games: until when one is there
    documents  by kind and id: until when one is there, and what it says
    """

    def __init__(self, people: People) -> None:
        self._people = people
        self._days = people.town.plan.days * DAY
        self.unplayed: dict[str, float] = {}
        self.forks: dict[str, float] = {}
        self.documents: dict[str, float] = {}
        self._contents: dict[str, Mapping[str, Any]] = {}

    # --- made and used ---

    async def leave(self) -> None:
        """Now and then somebody opens a game and plays another, or posts a document."""
        play = self._people.world.play
        if play.random() < 0.3:
            await self._people.open_table(played=False)
        if play.random() < 0.3:
            await self._post()
        if self.documents and play.random() < 0.6:
            await self._read(play.choice(sorted(self.documents)))

    async def _post(self) -> None:
        people, began = self._people, self._people.world.now
        game = people.town.games[people.manners.ruleset]
        kind = game.customs[0]
        known = DOCUMENTS if game.ruleset == "pennant" else kind.examples()
        document = people.world.play.choice(known)
        ask = people.voice.post(game.ruleset, kind.kind, document, people.key())
        said = await asyncio.gather(people.ask(ask), people.ask(ask))
        assert {each.status for each in said} == {201}, f"no document: {said[0].body!r}"
        assert said[0].body == said[1].body, f"two answers under one key: {said}"
        id_ = said[0].told["id"]
        self._contents[id_] = document
        self._kept(id_, began)

    def _kept(self, id_: str, began: float) -> None:
        until = began + self._days
        self.documents[id_] = max(self.documents.get(id_, 0.0), until)

    async def _read(self, id_: str) -> None:
        said = await self._people.ask(self._people.voice.document(id_))
        if said.code:
            self._gone(id_, said.code, "resource.not-found")
        else:
            told = said.told["document"]
            assert told == self._contents[id_], f"another document: {told}"

    def _gone(self, id_: str, code: str, wanted: str) -> None:
        assert code == wanted, f"no document: {code}"
        left = self.documents.pop(id_, 0.0) - self._people.world.now
        assert left < self._slack, f"document {id_} is gone {left:.0f} s before its time"

    def brought(self) -> dict[str, Any]:
        """What a new game brings: a document by its name, or nothing. Of Pennant alone: elsewhere
        what fits a document has to be said as well."""
        play, ruleset = self._people.world.play, self._people.manners.ruleset
        if ruleset != "pennant" or not self.documents or play.random() < 0.3:
            return {}
        return {"customs": {"scenario": {"id": play.choice(sorted(self.documents))}}}

    def named(self, wish: Mapping[str, Any], began: float, code: str) -> bool:
        """A game was to bring a document; whether it was there."""
        if "customs" not in wish:
            return not code
        id_ = wish["customs"]["scenario"]["id"]
        if code == "custom.unknown":
            self._gone(id_, code, "custom.unknown")
            return False
        self._kept(id_, began)
        return True

    def opened(self, game: str, began: float) -> None:
        self.unplayed[game] = began + self._days

    def forked(self, game: str, began: float) -> None:
        self.forks[game] = began + self._days

    # --- checked ---

    @property
    def _slack(self) -> float:
        return self._people.town.slack + LOOSE

    def young(self) -> None:
        """Nothing is gone, and no game has been ended, before its days were over."""
        town = self._people.town
        now, ask = town.world.now + self._slack, town.disk.ask
        ids = {id_ for (id_,) in ask("SELECT id FROM customs")}
        lost = [id_ for id_, until in self.documents.items() if until > now and id_ not in ids]
        assert not lost, f"documents gone before their time: {lost}"
        games = {game for (game,) in ask("SELECT game FROM games")}
        lost = [game for game, until in self.forks.items() if until > now and game not in games]
        assert not lost, f"forks gone before their time: {lost}"
        for table in self._people.tables:
            self._not_ended(town, table)

    def _not_ended(self, town: Town, table: Table) -> None:
        """Before its time, or though it was played."""
        for (seq,) in town.disk.ask(_ENDED, (table.id, f"{GameAbandoned.TYPE}.%")):
            played = town.disk.ask(_PLAYED, (table.id, seq))
            assert not played, f"{table.id} was played, and abandoned"
            early = self.unplayed[table.id] - self._slack - town.disk.times[table.id, seq]
            assert early < 0, f"{table.id} was ended {early:.0f} s before its time"

    def old(self) -> None:
        """All is gone that nobody has used for long, and who follows a game has seen its end."""
        ask = self._people.town.disk.ask
        for what, sql in _LEFT.items():
            left = ask(sql)
            assert not left, f"{what} are kept for ever: {left[:2]}"
        for table in self._people.tables:
            if not ask(_PLAYED, (table.id, ALL)):
                ended = ask(_ENDED, (table.id, f"{GameAbandoned.TYPE}.%"))
                assert ended, f"{table.id} is never ended"
                deaf = [reader.seat for reader in table.readers if not reader.finished]
                assert not deaf, f"nobody tells {deaf} that {table.id} was ended"


_LEFT = {
    "documents": "SELECT id FROM customs",
    "forks": "SELECT game FROM games WHERE status = 'fork'",
    "games that nobody plays": "SELECT game FROM unplayed",
}

LAST = (1.0, 0.05, 0.05)
"""Nights at the end, each as a part of what is kept, and a little more."""

MORNING = 3.0
"""Seconds after a night in which a key may be stamped with the evening: by then every worker has
counted the night, or is dead, but for one that stood still. (It counts a quarter of an hour at a
time where hours go by as they do.)"""

AWAKE = 70.0
"""Seconds after each of them: whoever looks for what is old looks once a minute."""


def nightfall(people: People, much: float) -> None:
    """Everybody sleeps. Only where nobody has been asking since the night before: else a request
    might be as old as a key becomes."""
    if people.attic is not None and people.rested:
        people.attic.young()
        people.world.leap(1.0 + much * NIGHT)
        people.nights.append(people.world.now + MORNING + people.town.slack)


def _behind(town: Town) -> float:
    """Seconds that the store has not counted: of nights after which a worker died too soon."""
    ((told,),) = town.disk.ask("SELECT value FROM meta WHERE name = 'served'")
    return (right(town.world) - datetime.fromisoformat(bytes(told).decode())).total_seconds()


def years_later(people: People) -> None:
    """Nobody comes any more: what is old is gone."""
    if people.attic is None:
        return
    people.attic.young()
    whole = people.town.plan.days * DAY + 4 * STEP + _behind(people.town)
    for part in LAST:
        people.world.leap(whole * part)
        people.world.run(people.world.now + AWAKE)
        if people.world.over:
            return
        people.attic.young()
    people.attic.old()
