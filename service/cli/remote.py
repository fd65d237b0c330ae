"""A service over HTTP, as the commands that read games use it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from service import container

from ..bots.client import GONE
from ..bots.heads import FIELD, Heads, OtherRecord, game_of, read_field
from .console import Report, unheard
from .kept import cache
from .mistakes import Mistake

T = TypeVar("T")
TIMEOUT = 60.0
"""Seconds without a word; longer than a service works on an answer."""
PAGE = 200


class WireText(msgspec.Struct):
    """The part of an event's words that is used here."""

    en: str = ""


class WireEvent(msgspec.Struct, rename="camel"):
    """An event as the service tells it (contract rule 20); ``data`` is left as it came."""

    seq: int
    type: str
    at: str
    actor: str
    caused_by: str
    schema_version: int
    data: msgspec.Raw
    text: WireText


class _EventPage(msgspec.Struct):
    items: list[WireEvent]
    next: str | None = None


def game_path(game: str, part: str = "") -> str:
    """Path of a game, or of a part of it; ``game`` is what somebody typed."""
    return f"/v1/games/{quote(game, safe='')}{part}"


class Remote:
    """Reads from a service. Raises Mistake for whatever it does not answer as hoped."""

    def __init__(self, url: str, token: str = "") -> None:
        self.url = url.rstrip("/")
        self._heads = Heads(cache("heads"), self.url)
        self._confirmed: set[str] = set()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            self._http = httpx.Client(base_url=self.url, headers=headers, timeout=TIMEOUT)
            self._http.event_hooks["response"] = [self._witness]
        except (httpx.InvalidURL, ValueError) as error:
            raise _bad_address(url, error) from None

    def __enter__(self) -> Remote:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str, /, **query: Any) -> dict[str, Any]:
        """The JSON object at ``path``."""
        return self._typed(path, dict[str, Any], query)

    def get_with(self, path: str, headers: dict[str, str], /, **query: Any) -> dict[str, Any]:
        """The same, with more headers."""
        return self._typed(path, dict[str, Any], query, headers)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What the service makes of ``body``, under a fresh idempotency key."""
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        try:
            answer = self._http.post(path, json=body, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreached(error) from None
        if not answer.is_success:
            raise self._refusal(answer)
        try:
            return msgspec.json.decode(answer.content, type=dict[str, Any])
        except msgspec.MsgspecError:
            raise self._stranger() from None

    def events(self, game: str, report: Report = unheard) -> Iterator[WireEvent]:
        """Every event of a game that the caller may see, in order; ``report`` is told how many."""
        cursor = ""
        while True:
            query = {"limit": PAGE, "cursor": cursor}
            page = self._typed(game_path(game, "/events"), _EventPage, query)
            yield from page.items
            if page.items:
                report(page.items[-1].seq, 0)
            if page.next is None:
                return
            cursor = page.next

    def download(self, path: str, report: Report) -> bytes:
        """The bytes at ``path``."""
        try:
            with self._http.stream("GET", path) as answer:
                if answer.status_code != 200:
                    answer.read()
                    raise self._refusal(answer)
                total = int(answer.headers.get("content-length", 0))
                return b"".join(_counted(answer, total, report))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreached(error) from None

    def engine(self, digest: str) -> bytes | None:
        """The archive of rules that the service keeps under a digest; None where it has none."""
        parts, size = [], 0
        try:
            with self._http.stream("GET", f"/v1/engines/{quote(digest, safe='')}") as answer:
                if answer.status_code == 404:
                    return None
                if answer.status_code != 200:
                    answer.read()
                    raise self._refusal(answer)
                for part in answer.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if size > container.ENGINE.size:
                        raise self._stranger()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreached(error) from None
        return b"".join(parts)

    def _witness(self, answer: httpx.Response) -> None:
        """Each answer about a game is compared with what was told of it before, here and in
        earlier runs. Raises Mistake."""
        address = answer.headers.get("location") or answer.request.url.path
        game = game_of(address)
        try:
            self._confirm(game)
            self._heads.note(game, read_field(answer.headers.get(FIELD, "")))
        except OtherRecord as error:
            where = f"Both heads are in {error.file}." if error.file else "Note both heads."
            hint = f"{where} Ask whoever runs {self.url}: decklog equivocation compares files."
            raise Mistake(str(error), hint, "record.other") from None

    def _confirm(self, game: str) -> None:
        kept = self._heads.newest(game)
        if not game or kept is None or game in self._confirmed:
            return
        self._confirmed.add(game)
        query = {"after": kept.seq - 1, "limit": 1}
        answer = self._http.get(game_path(game, "/events"), params=query)
        told = msgspec.json.decode(answer.content, type=dict[str, Any])
        if answer.status_code == 200 or told.get("code") == GONE:
            self._heads.confirm(game, kept, next(iter(told.get("items", ())), None))

    def _typed(
        self,
        path: str,
        type_: type[T],
        query: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> T:
        given = {name: value for name, value in query.items() if value not in ("", None)}
        try:
            answer = self._http.get(path, params=given, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreached(error) from None
        if answer.status_code != 200:
            raise self._refusal(answer)
        try:
            return msgspec.json.decode(answer.content, type=type_)
        except msgspec.MsgspecError:
            raise self._stranger() from None

    def _refusal(self, answer: httpx.Response) -> Mistake:
        try:
            problem = msgspec.json.decode(answer.content, type=dict[str, Any])
            code, detail = str(problem["code"]), str(problem["detail"])
        except (msgspec.MsgspecError, KeyError):
            return self._stranger()
        return Mistake(f"{detail} ({code})", str(problem.get("hint", "")), code)

    def _stranger(self) -> Mistake:
        return Mistake(
            f"{self.url} answers, but not as a Decklog service does.",
            "Check the address that --url names.",
            "service.not-decklog",
        )

    def _unreached(self, error: Exception) -> Mistake:
        if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
            return _bad_address(self.url, error)
        if isinstance(error, httpx.TimeoutException):
            message = f"{self.url} does not answer in time."
        else:
            message = f"No service answers at {self.url}."
        hint = "Start one with: decklog serve. Or name another address with --url."
        return Mistake(message, hint, "service.unreachable")


def _bad_address(url: str, error: Exception) -> Mistake:
    return Mistake(
        f"{url!r} is no address: {error}.", "An address looks like http://127.0.0.1:8000.", "usage"
    )


def _counted(answer: httpx.Response, total: int, report: Report) -> Iterator[bytes]:
    done = 0
    for chunk in answer.iter_bytes():
        done += len(chunk)
        report(done, total)
        yield chunk
