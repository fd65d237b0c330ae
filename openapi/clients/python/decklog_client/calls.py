"""What a client asks, as flows: the same for a client that waits and for one that awaits."""

from __future__ import annotations

from typing import Any

from . import dice, log
from .heads import Head, Heads
from .keys import FIELD, SeatKey
from .patch import patched
from .stream import News
from .wire import Answer, Ask, Flow, Json, Problem, patiently, problem, reading, writing

TRIES = 20
"""Times that a list is begun anew while the game moves on."""

PLAYED_ON = frozenset({"game.over", "version.stale"})
"""Codes of a command that came when the game had gone on without it."""


class Calls:
    """The requests of one caller; what they tell of a game's chain is noted."""

    def __init__(self, heads: Heads, patience: float) -> None:
        self.heads, self.patience = heads, patience
        self._confirmed: set[str] = set()

    def send(self, ask: Ask) -> Flow[Answer]:
        """The answer, if it is a good one. Raises Problem, OtherRecord, httpx.TransportError."""
        answer = yield from patiently(ask, self.patience)
        self.heads.heard(ask.path, answer.headers)
        if answer.status >= 400:
            raise problem(answer)
        return answer

    def json(self, ask: Ask) -> Flow[Any]:
        answer = yield from self.send(ask)
        return answer.json()

    def get(self, path: str, **query: object) -> Flow[Any]:
        return self.json(reading(path, **query))

    def post(self, path: str, body: object, **headers: str) -> Flow[Any]:
        return self.json(writing("POST", path, body, **headers))

    def delete(self, path: str) -> Flow[Any]:
        return self.json(writing("DELETE", path, None)._replace(body=b""))

    def items(self, path: str, **query: object) -> Flow[list[Any]]:
        """All pages as one list."""
        page = yield from self.whole(path, **query)
        found: list[Any] = page["items"]
        return found

    def whole(self, path: str, **query: Any) -> Flow[Json]:
        """The first page, with the items of all."""
        page: Json = yield from self.get(path, **query)
        following = page.get("next")
        while following is not None:
            more: Json = yield from self.get(path, **{**query, "cursor": following})
            page["items"] += more["items"]
            following = more["next"]
        return {**page, "next": None}

    def commands(self, game: str, at: int | None = None) -> Flow[Json]:
        """All that may be done, of one version."""
        for _ in range(TRIES):
            try:
                return (yield from self.whole(f"/v1/games/{game}/commands", at=at))
            except Problem as error:
                if error.code != "cursor.stale":
                    raise
        raise Problem(409, {"code": "cursor.stale", "detail": "The game moves too fast."})

    def give(self, game: str, command: object, version: int, **headers: str) -> Flow[Json]:
        """Give a command that was decided on at a version."""
        fields = {"If-Match": f'"{version}"', **headers}
        return self.post(f"/v1/games/{game}/commands", command, **fields)

    def give_signed(
        self, game: str, command: object, version: int, seat: str, key: SeatKey
    ) -> Flow[Json]:
        """The same, signed by the seat's key, which is bound to the game as it is now.

        Its own dice links may come in between: then it is another place, and signed once more.
        """
        refused, signed = None, ""
        while True:
            summary: Json = yield from self.get(f"/v1/games/{game}")
            before, signed = signed, key.sign(summary, seat, command)
            if refused is not None and signed == before:
                raise refused
            try:
                return (yield from self.give(game, command, version, **{FIELD: signed}))
            except Problem as error:
                if error.code != "signature.wrong":
                    raise
                refused = error

    def give_in_time(
        self, game: str, command: object, version: int, seat: str = "", key: SeatKey | None = None
    ) -> Flow[Json | None]:
        """The same, signed where there is a key; None where the game has gone on without it:
        nothing has happened."""
        try:
            if key is not None:
                return (yield from self.give_signed(game, command, version, seat, key))
            return (yield from self.give(game, command, version))
        except Problem as error:
            if error.code not in PLAYED_ON:
                raise
        return None

    def links(self, game: str, seat: str, secret: bytes) -> Flow[Json | None]:
        """Give the dice links that are wanted of the seat; None where none are."""
        summary: Json = yield from self.get(f"/v1/games/{game}")
        body = dice.giving(summary, seat, secret)
        if not body:
            return None
        told: Json = yield from self.post(f"/v1/games/{game}/links", body)
        return told

    def pass_on(self, game: str, seat: str, key: SeatKey, to: SeatKey) -> Flow[Json]:
        """The seat's key passed on to another, as it signs itself."""
        body = {**to.registered, "signature": key.pass_on(game, seat, to)}
        return self.post(f"/v1/games/{game}/keys", body)

    def take_back(self, game: str) -> Flow[Json | None]:
        """Take back the last step; None where its seat may not, or the game has gone on."""
        summary: Json = yield from self.get(f"/v1/games/{game}")
        step = summary["takeback"]
        if step is None:
            return None
        try:
            body = {"command": step["command"]}
            told: Json = yield from self.post(f"/v1/games/{game}/takebacks", body)
        except Problem as error:
            if error.code not in ("game.over", "takeback.refused"):
                raise
            return None
        return told

    def confirm(self, game: str) -> Flow[None]:
        """Ask whether all that is kept of a game is so still. Raises OtherRecord."""
        for kept in self.heads.kept(game):
            try:
                page = yield from self.get(f"/v1/games/{game}/events", after=kept.seq - 1, limit=1)
            except Problem as error:
                if error.code != "version.unknown":
                    raise
                page = {"items": []}
            for event in page["items"]:
                self.heads.note(game, Head(event["seq"], event["hash"]))
            if not page["items"]:
                self.heads.confirm(game, kept, None)

    def confirm_log(self) -> Flow[None]:
        """Ask whether the public log goes on from the head that is kept. Raises OtherLog."""
        kept = self.heads.checkpoint()  # first: another line may be told a newer one meanwhile
        found = yield from self._newest()
        if kept is not None and (found is None or log.contradict(kept, found)):
            self.heads.broke(kept, found)
        elif kept is not None and found is not None and 0 < kept.size < found.size:
            hashes = yield from self._hashes(kept, found)
            if not log.goes_on(kept, found, hashes):
                self.heads.broke(kept, found)
        if found is not None:
            self.heads.keep(found)

    def _newest(self) -> Flow[log.Checkpoint | None]:
        """The head that the log has now; None where the service keeps none."""
        told = yield from self._file("checkpoint")
        return None if told is None else log.read(told.decode("utf-8", "replace"))

    def _hashes(self, kept: log.Checkpoint, found: log.Checkpoint) -> Flow[dict[log.Place, bytes]]:
        """Of the subtrees out of which both are made; b"" where the log does not give it."""
        files: dict[str, bytes] = {}
        hashes = {}
        for place in sorted(log.places(kept.size, found.size)):
            name, full = log.tile_of(place, found.size)
            if name not in files:
                files[name] = (yield from self._file(name)) or (yield from self._file(full)) or b""
            hashes[place] = log.hash_in(place, files[name])
        return hashes

    def _file(self, name: str) -> Flow[bytes | None]:
        """A file of the log; None where it is not there."""
        try:
            answer = yield from self.send(reading(f"/log/{name}", "*/*"))
        except Problem as error:
            if error.status != 404:
                raise
            return None
        return answer.body

    def confirm_again(self, game: str, again: bool) -> Flow[None]:
        """The same before a stream: at first, and whenever its line has broken."""
        if again or game not in self._confirmed:
            yield from self.confirm(game)
            yield from self.confirm_log()
        self._confirmed.add(game)

    def told(self, game: str, news: News) -> None:
        """A stream has told something. Raises OtherRecord."""
        if news.kind == "event":
            self.heads.note(game, Head(news.data["seq"], news.data["hash"]))

    def moved(self, game: str, view: Json, version: int) -> Flow[Json]:
        """The view at a later version: the one that is there, patched by the difference."""
        told: Json = yield from self.get(
            f"/v1/games/{game}/diff", **{"from": view["version"], "to": version}
        )
        state = patched(view["state"], told["changes"])
        return {**view, "version": version, "rules": told["rules"], "state": state}
