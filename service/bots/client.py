"""A small client of the HTTP API: what a bot, the demo and the command line need of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator
from typing import Any, Self
from uuid import uuid4

import httpx

from .bot import Json
from .heads import FIELD, RECEIPT, Head, Heads, game_of, read_field
from .signer import Signer

STALE = 412
GONE = "version.unknown"
"""The code by which a service says that a game has not come so far."""
TRIES = 20
SECONDS = 60.0
"""Without a word; longer than a service works on an answer."""


class ApiError(Exception):
    """The service refused. ``code`` is stable; ``problem`` is the whole answer."""

    def __init__(self, status: int, problem: Json) -> None:
        self.status = status
        self.code = str(problem.get("code", ""))
        self.problem = problem
        super().__init__(f"{status} {self.code}: {problem.get('detail') or problem.get('title')}")


class DecklogClient:
    """One caller of the service: an address, and a token or none.

    Clients made by :meth:`as_holder` share the connection; close the first one, or use it as a
    context. Every method raises ApiError for a refusal and httpx.HTTPError when nobody answers, and
    OtherRecord where a game's chain is not the one that was told before: ``heads`` keeps that.
    """

    def __init__(
        self,
        base_url: str,
        token: str = "",
        *,
        http: httpx.Client | None = None,
        heads: Heads | None = None,
        signer: Signer | None = None,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.token = token
        self.heads = heads or Heads(service=self.base_url)
        self.signer = signer
        self._http = http or httpx.Client(base_url=self.base_url, timeout=SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, also of the clients that share it."""
        self._http.close()

    def as_holder(self, token: str, signer: Signer | None = None) -> DecklogClient:
        """The same service, spoken to with another token; ``signer`` signs its seat's orders."""
        return DecklogClient(self.base_url, token, http=self._http, heads=self.heads, signer=signer)

    # --- what there is ---------------------------------------------------------------------------

    def service(self) -> Json:
        """Name, version, limits and rulesets."""
        return self._get("/v1")

    def units(self, ruleset: str) -> dict[str, Json]:
        """The catalogue of units by ID."""
        path = f"/v1/rulesets/{ruleset}/units"
        return {unit["id"]: unit for unit in self._items(path, limit=200)}

    def games(self, **filters: Any) -> Iterator[Json]:
        """The lobby, newest first."""
        return self._items("/v1/games", **filters)

    def summary(self, game: str) -> Json:
        """Status, seats, whose turn it is, version and result."""
        return self._get(f"/v1/games/{game}")

    def view(self, game: str, at: int | None = None) -> Json:
        """The state as this caller may see it, with its version; ``at`` names an earlier one."""
        return self._get(f"/v1/games/{game}/view", **({} if at is None else {"at": at}))

    def moment(self, game: str) -> Json:
        """The newest version in short, with the board as text."""
        return self._get(f"/v1/games/{game}/moment")

    def commands(self, game: str) -> Json:
        """Everything that this caller may do now: all pages as one list, of one version."""
        for _ in range(TRIES):
            try:
                return self._whole_list(f"/v1/games/{game}/commands")
            except ApiError as error:
                if error.code != "cursor.stale":
                    raise
        raise ApiError(STALE, {"code": "cursor.stale", "title": "The game moves too fast."})

    def _whole_list(self, path: str) -> Json:
        page = self._get(path)
        items, following = list(page["items"]), page["next"]
        while following is not None:
            more = self._get(path, cursor=following)
            items += more["items"]
            following = more["next"]
        return {**page, "items": items, "next": None}

    def evidence(self, game: str) -> bytes:
        """The evidence bundle, byte for byte."""
        return self._send("GET", f"/v1/games/{game}/evidence").content

    def events(
        self, game: str, after: int = 0, *, follow: bool = False
    ) -> Generator[Json, None, None]:
        """Events after a version; with ``follow`` also those to come, until the game ends."""
        self._confirm(game)
        headers = self._headers({"Accept": "application/x-ndjson"})
        query = {"after": after, "follow": "true" if follow else "false"}
        silence = httpx.Timeout(SECONDS, read=None if follow else SECONDS)
        path = f"/v1/games/{game}/events"
        with self._http.stream(
            "GET", path, params=query, headers=headers, timeout=silence
        ) as answer:
            if answer.is_error:
                answer.read()
            self._check(answer)
            for line in answer.iter_lines():
                if line.strip():
                    event: Json = json.loads(line)
                    self.heads.note(game, Head(event["seq"], event["hash"]))
                    yield event

    def _confirm(self, game: str) -> None:
        """Whoever comes back asks whether what was told before still stands."""
        kept = self.heads.newest(game)
        if kept is None:
            return
        try:
            page = self._get(f"/v1/games/{game}/events", after=kept.seq - 1, limit=1)
        except ApiError as error:
            if error.code != GONE:
                raise
            page = {"items": ()}
        self.heads.confirm(game, kept, next(iter(page["items"]), None))

    # --- what can be done ------------------------------------------------------------------------

    def create_game(self, **new: Any) -> Json:
        """Create a game; the answer has its summary, tokens, invitations and organiser's token."""
        return self._post("/v1/games", new)

    def take_seat(
        self,
        game: str,
        seat: str,
        invitation: str = "",
        signer: Signer | None = None,
        tip: str = "",
    ) -> Json:
        """Take an open or invited seat; the answer has its token. ``signer`` will sign its orders:
        give it to :meth:`as_holder` with the token. ``tip``: of its chain of dice links."""
        wish: Json = {"seat": seat, **({"invitation": invitation} if invitation else {})}
        if tip:
            wish["diceTip"] = tip
        if signer is not None:
            wish["orderKey"] = signer.registered
        return self._post(f"/v1/games/{game}/seats", wish)

    def give_links(self, game: str, **given: Any) -> Json:
        """Give the seat's dice ``link`` for a batch, ``upto``, or the ``tip`` of its next chain;
        the answer is the game."""
        return self._post(f"/v1/games/{game}/links", given)

    def pass_on(self, game: str, key: Json, signature: str) -> Json:
        """The seat signs by another ``key`` from now on, as its own has signed; the game then."""
        return self._post(f"/v1/games/{game}/keys", {**key, "signature": signature})

    def take_back(self, game: str, command: str) -> Json:
        """Take back the seat's last step, the order of that id; the game after it."""
        return self._post(f"/v1/games/{game}/takebacks", {"command": command})

    def check(self, game: str, command: Json) -> Json:
        """Whether a command would be accepted now, in words, with its odds. Nothing happens."""
        return self._send("POST", f"/v1/games/{game}/commands/check", json=command).json()  # type: ignore[no-any-return]

    def post(self, game: str, command: Json, version: int) -> Json:
        """Give a command that was decided on at ``version``; ApiError 412 when that is stale."""
        path = f"/v1/games/{game}/commands"
        signed = {}
        if self.signer is not None:
            seat = self._get(path, limit=1)["seat"]
            signed["Decklog-Signature"] = self.signer.sign(self.summary(game), seat, command)
        return self._post(path, command, {"If-Match": f'"{version}"', **signed})

    def act(self, game: str, choose: Callable[[Json], Json | None]) -> Json | None:
        """List, choose, post; again from the start when another seat was quicker.

        ``choose`` gets the list and gives a command, or None to do nothing (then None is returned).
        """
        for _ in range(TRIES):
            listed = self.commands(game)
            command = choose(listed)
            if command is None:
                return None
            try:
                return self.post(game, command, listed["version"])
            except ApiError as error:
                if error.status != STALE:
                    raise
        raise ApiError(STALE, {"code": "version.stale", "title": "The game moves too fast."})

    # --- the wire --------------------------------------------------------------------------------

    def _headers(self, more: dict[str, str] | None = None) -> dict[str, str]:
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**bearer, **(more or {})}

    def _get(self, path: str, **query: Any) -> Json:
        answer: Json = self._send("GET", path, params=query).json()
        return answer

    def _post(self, path: str, body: Json, headers: dict[str, str] | None = None) -> Json:
        """A POST that writes; repeated with the same key when the connection broke."""
        fresh = {"Idempotency-Key": str(uuid4()), **(headers or {})}
        try:
            return self._json("POST", path, fresh, body)
        except httpx.TransportError:
            return self._json("POST", path, fresh, body)

    def _json(self, method: str, path: str, headers: dict[str, str], body: Json) -> Json:
        answer: Json = self._send(method, path, headers=headers, json=body).json()
        return answer

    def _send(self, method: str, path: str, **request: Any) -> httpx.Response:
        headers = self._headers(request.pop("headers", None))
        answer = self._http.request(method, path, headers=headers, **request)
        self._check(answer)
        return answer

    def _check(self, answer: httpx.Response) -> None:
        address = answer.headers.get("location") or answer.request.url.path
        game, head = game_of(address), read_field(answer.headers.get(FIELD, ""))
        self.heads.note(game, head)
        self.heads.keep(game, head, answer.headers.get(RECEIPT, ""))
        if not answer.is_error:
            return
        try:
            problem = answer.json()
        except ValueError:
            problem = {"title": answer.reason_phrase}
        raise ApiError(answer.status_code, problem)

    def _items(self, path: str, **query: Any) -> Iterator[Json]:
        page = self._get(path, **query)
        yield from page["items"]
        while page["next"] is not None:
            page = self._get(path, **{**query, "cursor": page["next"]})
            yield from page["items"]
