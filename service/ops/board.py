"""The operator's page: what ``decklog admin`` shows and does, for whoever has the operator's token.

A process of its own beside the store, on an address of its own: players reach none of it. It reads
the store, and what it is asked to do it puts into the store as ``decklog admin`` does, with the
store's key. Nothing hidden of a game is on it, and no token, no secret, no player's name.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from html import escape
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from ..clock import SystemClock
from ..deadlines import DAY, later
from ..entropy import SYSTEM, drawn
from ..errors import ServiceError
from ..following.follower import places_of
from ..store import acts, curbs, inventory, resealing, tokens, workers
from ..store.acts import Act
from ..store.archive import Archive
from ..store.beside import Beside
from ..store.box import Box
from ..store.instructions import Instruction, insertion, outcome_of, waiting
from ..store.overview import overview
from . import board_html as html
from .board_html import Field, Form

POLICY = (
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
COOKIE = "decklog_operator"
SESSION_SECONDS = 8 * 3600.0
"""For which one is let in; then the token has to be shown again."""

TRIES, TRIES_SECONDS = 5, 60.0
"""Wrong tokens, of everybody together, after which for so long none is looked at."""

BODY = 16_384
PATIENCE = 10.0
SILENT_DAYS = 14
LISTED = 200
SORTS: Mapping[str, Callable[[inventory.KeptGame], Any]] = {
    "silence": lambda game: game.last,
    "age": lambda game: game.begun,
    "size": lambda game: -game.bytes,
}
TOKEN_CHARACTERS = 32
MOST_HOURS = 87_600
"""Ten years."""

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]

_TELL = Field("tell", "What players read")
_YES = Field("yes", "Do it: it cannot be taken back", kind="checkbox")
GAME_FORMS = (
    Form("Stop it", {"freeze": "Freeze", "pause": "Stop its clocks"}, (_TELL,)),
    Form("Let it go on", {"thaw": "Thaw", "resume": "Let its clocks run"}),
    Form("Lists", {"hide": "Hide", "show": "Show again"}),
    Form(
        "End it by ruling",
        {"end": "End"},
        (Field("tell", "The ruling, for the players", True), _YES),
    ),
    Form("Delete it", {"delete": "Delete"}, (_TELL, _YES)),
)
FORMS = (
    Form("Announce", {"announce": "Announce"}, (Field("text", "Text; empty: nothing more"),)),
    Form(
        "Let in less",
        {"ban": "Ban", "lift": "Lift"},
        (Field("who", "Token's id, address or network", True), Field("hours", "For so many hours")),
    ),
    Form(
        "Workers",
        {"drain": "Drain", "undrain": "Take work again"},
        (Field("worker", "Name; empty: all"),),
    ),
    Form("Settings and keys", {"reload": "Read again"}),
)
ALLOWED = {act for each in (*GAME_FORMS, *FORMS) for act in each.acts} | {"revoke"}
FINAL = ("end", "delete")
LOOKED = "looked at on the operator's page"


class Session(NamedTuple):
    """Somebody who has shown the token.

    secret  in each form: another site's page cannot know it
    opened  games whose pages were looked at: each is an act in the operator's log, once
    """

    by: str
    until: float
    secret: str
    opened: set[str]


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: Mapping[str, str] = {}


def token_in(path: Path) -> str:
    """The operator's token, made where there is none (mode 0600). Raises ValueError, OSError."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(file, "w", encoding="ascii") as out:
            out.write(drawn(SYSTEM, 32) + "\n")
    if path.stat().st_mode & 0o077:
        raise ValueError(f"others may read {path}: chmod 600 {path}")
    token = path.read_text("ascii").strip()
    if len(token) < TOKEN_CHARACTERS:
        raise ValueError(f"{path} holds fewer than {TOKEN_CHARACTERS} characters")
    return token


class Board:
    """The application, for one process.

    box  with the keys of now, which may be others than at the start; None: they cannot be read now
    """

    def __init__(
        self,
        store: Beside,
        token: str,
        box: Callable[[], Box | None],
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        self._store = store
        self._box = box
        self._digest = _digest(token)
        self._monotonic = monotonic or SystemClock().monotonic
        self._sessions: dict[str, Session] = {}
        self._said: dict[str, str] = {}
        self._wrong: list[float] = []
        self._alone = asyncio.Lock()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            answer = await self._answer(scope, receive)
        except ServiceError as error:
            body = f"<p>{escape(error.hint)}</p>"
            answer = Answer(503, html.page("The store does not answer", body, known=False))
        headers = {"content-type": "text/html; charset=utf-8", **HEADERS, **answer.headers}
        fields = [(n.encode(), v.encode("latin-1")) for n, v in headers.items()]
        await send({"type": "http.response.start", "status": answer.status, "headers": fields})
        await send({"type": "http.response.body", "body": answer.body})

    async def _answer(self, scope: Mapping[str, Any], receive: Receive) -> Answer:
        method, path = scope["method"], scope["path"]
        if (method, path) == ("GET", "/style.css"):
            return Answer(200, html.STYLE, {"content-type": "text/css"})
        told = await _form(scope, receive) if method == "POST" else {}
        if told is None:
            return Answer(413, html.page("Too large", "", known=False))
        if (method, path) == ("POST", "/login"):
            return self._login(told)
        name = _cookie(scope)
        session = self._sessions.get(name)
        if session is None or self._monotonic() > session.until:
            self._sessions.pop(name, None)
            return Answer(401, html.page("Who are you?", html.entrance(), known=False))
        if method == "POST":
            return await self._posted(path, told, name, session)
        if method not in ("GET", "HEAD"):
            return Answer(405, html.page("Not so", ""), {"allow": "GET, HEAD, POST"})
        async with self._alone:
            await self._take_keys()
            return await asyncio.to_thread(self._shown, path, scope, name, session)

    async def _take_keys(self) -> None:
        """Read and mark under the keys of now: under a former one nobody believes what is asked."""
        box = await asyncio.to_thread(self._box)
        self._store = self._store._replace(box=box or self._store.box)

    def _login(self, told: Mapping[str, str]) -> Answer:
        now = self._monotonic()
        self._wrong = [each for each in self._wrong if now - each < TRIES_SECONDS]
        if len(self._wrong) >= TRIES:
            body = "<p>Too many wrong tokens: wait a minute.</p>"
            wait = {"retry-after": str(int(TRIES_SECONDS))}
            return Answer(429, html.page("Wait", body, known=False), wait)
        by = told.get("by", "").strip()
        if not hmac.compare_digest(_digest(told.get("token", "")), self._digest) or not by:
            self._wrong.append(now)
            said = "That is not the operator's token, or there is no name."
            return Answer(403, html.page("Who are you?", html.entrance(), said, known=False))
        name = drawn(SYSTEM, 32)
        self._sessions = {n: s for n, s in self._sessions.items() if s.until > now}
        self._sessions[name] = Session(by, now + SESSION_SECONDS, drawn(SYSTEM, 32), set())
        cookie = f"{COOKIE}={name}; HttpOnly; SameSite=Strict; Path=/"
        return Answer(303, b"", {"location": "/", "set-cookie": cookie})

    async def _posted(
        self, path: str, told: Mapping[str, str], name: str, session: Session
    ) -> Answer:
        if path != "/act":
            return Answer(404, html.page("There is no such page", ""))
        if not hmac.compare_digest(told.get("secret", "").encode(), session.secret.encode()):
            return Answer(403, html.page("Not from here", "<p>The form is not of this page.</p>"))
        async with self._alone:
            await self._take_keys()
            self._said[name] = await self._done(told, session)
        back = told.get("back", "/")
        return Answer(303, b"", {"location": back if _ours(back) else "/"})

    async def _done(self, told: Mapping[str, str], session: Session) -> str:
        """What came of an act, in a sentence."""
        try:
            asked = _instruction(told, session.by)
        except ValueError as error:
            return f"Nothing was done: {error}."
        recorder = self._store.recorder
        await asyncio.to_thread(recorder.put, (), [insertion(self._store.box, asked)])
        until = self._monotonic() + PATIENCE
        while (found := await asyncio.to_thread(outcome_of, recorder, asked.id)) is None:
            if self._monotonic() > until:
                return "Nobody has done it yet: it is done as soon as a service is at work."
            await asyncio.sleep(0.1)
        return f"Nothing was done: {found.said}" if found.code else f"Done: {told['act']}."

    def _shown(self, path: str, scope: Mapping[str, Any], name: str, session: Session) -> Answer:
        said = self._said.pop(name, "")
        kind, _, game = path.strip("/").partition("/")
        match kind, game:
            case "", "":
                return Answer(200, html.page("Overview", "".join(self._overview(session)), said))
            case "games", "":
                sort = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("sort", "")
                return Answer(200, html.page("Games", "".join(self._games(sort)), said))
            case "log", "":
                return Answer(200, html.page("Log of acts", self._log(), said))
            case "game", id_ if id_ and "/" not in id_:
                body = "".join(self._game(id_, session))
                return Answer(200, html.page(f"Game {id_}", body, said))
            case _:
                return Answer(404, html.page("There is no such page", "", said))

    def _overview(self, session: Session) -> Iterator[str]:
        recorder, box = self._store
        now = acts.time_of(recorder)
        found = overview(recorder, box, later(now, -SILENT_DAYS * DAY))
        places = {name: max(0, found.newest - e.place) for name, e in places_of(recorder).items()}
        told: dict[str, object] = {
            "store format": found.format, "bytes": found.bytes, "events": found.events,
            **{f"{what} in the archive": count for what, count in found.archived.items()},
            **{f"games {status}": count for status, count in found.games.items()},
            **found.counts, **{f"{name} is behind by": n for name, n in places.items()},
            "announced": found.announcement or "(nothing)",
        }  # fmt: skip
        yield html.section("Store", html.plain(("figure", "now"), told.items()))
        for kind in ("damaged", "frozen", "paused", "silent"):
            games = [[html.game_link(game)] for game in getattr(found, kind)[:LISTED]]
            title = f"Games that are {kind}"
            more = f" for {SILENT_DAYS} days" if kind == "silent" else ""
            yield html.section(
                f"{title}{more}: {len(getattr(found, kind)):,}", html.table(("game",), games)
            )
        rows = [
            (w.name, w.version, "drained" if w.draining else "at work", w.streams, w.waiting, w.at)
            for w in workers.listed(recorder, now)
        ]
        head = ("worker", "version", "state", "streams", "commands that wait", "seen")
        yield html.section("Workers", html.plain(head, rows))
        stuck = [
            [html.game_link(game), escape(w.name)]
            for w in workers.listed(recorder, now)
            for game in w.frozen[:LISTED]
        ]
        yield html.section("Frozen by their rules", html.table(("game", "worker"), stuck))
        bans = [(c.who, c.rate or "banned", c.until or "for ever") for c in curbs.kept(recorder)]
        yield html.section("Bans and quotas", html.plain(("whom", "a minute", "until"), bans))
        counted = resealing.counts(recorder, box)
        keys = [(kind, *by.values()) for kind, by in counted.items()]
        yield html.section("Sealed under which key", html.plain(("kind", *box.names, "none"), keys))
        seen = waiting(recorder, box)
        left = [(a.id, a.act, a.game, a.operator, a.why) for a in seen.found]
        left += [(id_, "not under a key of this store", "", "", "") for id_ in seen.foreign]
        yield html.section(
            "What waits to be done", html.plain(("id", "act", "game", "by", "why"), left)
        )
        forms = (html.form(each, session.secret, "/") for each in FORMS)
        yield html.section("What you may do", *forms)

    def _games(self, sort: str) -> Iterator[str]:
        sort = sort if sort in SORTS else "silence"
        links = (
            f'<a href="/games?sort={s}"{" aria-current=page" * (s == sort)}>{s}</a> ' for s in SORTS
        )
        yield f"<p>By: {''.join(links)}</p>"
        recorder, box = self._store
        found = inventory.games(recorder, box, Archive("").sizes(recorder))
        games = sorted(found, key=SORTS[sort])
        rows = (
            [html.game_link(g.game), *map(escape, (g.ruleset, g.status)), f"{g.events:,}",
             f"{g.bytes:,}{' in the archive' * g.archived}", escape(g.begun), escape(g.last)]
            for g in games[:LISTED]
        )  # fmt: skip
        head = ("game", "ruleset", "status", "events", "bytes", "begun", "last event")
        yield html.table(head, rows)
        if len(games) > LISTED:
            yield f"<p>The first {LISTED} of {len(games):,}; decklog store games has all.</p>"

    def _game(self, game: str, session: Session) -> Iterator[str]:
        recorder, back = self._store.recorder, f"/game/{game}"
        found = tokens.listed(recorder, game)
        if found and game not in session.opened:
            act = Act(acts.time_of(recorder), session.by, "page-opened", game, LOOKED)
            recorder.put((), [acts.insertion(act)])
            session.opened.add(game)
        rows = [(t.token, t.kind, t.seat, t.made, t.revoked or "good") for t in found]
        head = ("token's id", "kind", "seat", "made", "state")
        yield html.section("Tokens, without secrets", html.plain(head, rows))
        for token in found:
            if not token.revoked:
                told = Form(
                    f"Token {token.token}", {"revoke": "Revoke"}, (), {"token": token.token}
                )
                yield html.form(told, session.secret, back)
        forms = (
            html.form(each._replace(fixed={"game": game}), session.secret, back)
            for each in GAME_FORMS
        )
        yield html.section("What you may do", *forms)
        yield html.section("What was done to it", self._log(game))

    def _log(self, game: str = "") -> str:
        found = reversed(acts.listed(self._store.recorder, game)[-LISTED:])
        rows = ((a.at, a.operator, a.act, a.game, a.why, bytes(a.details).decode()) for a in found)
        return html.plain(("when", "who", "act", "game", "why", "more"), rows)


def _instruction(told: Mapping[str, str], by: str) -> Instruction:
    """What a form asks for. Raises ValueError."""
    act, why = told.get("act", ""), told.get("why", "").strip()
    if act not in ALLOWED:
        raise ValueError("there is no such act")
    if not why:
        raise ValueError("say why, for the operator's log")
    if act in FINAL and told.get("yes") != "yes":
        raise ValueError("it cannot be taken back: tick that you mean it")
    about = {name: told[name] for name in ("tell", "text", "token", "worker") if name in told}
    if act in ("ban", "lift"):
        about["who"] = _whom(told.get("who", "").strip())
    if act == "ban":
        about["rate"] = "0"
        if hours := told.get("hours", "").strip():
            about["seconds"] = str(_hours(hours) * 3600)
    wanted = "curb" if act == "ban" else act
    return Instruction(drawn(SYSTEM, 16), wanted, by, why, told.get("game", ""), about)


def _hours(told: str) -> int:
    if told.isdecimal() and told.isascii() and 1 <= int(told) <= MOST_HOURS:
        return int(told)
    raise ValueError(f"hours are a number from 1 to {MOST_HOURS:,}")


def _whom(who: str) -> str:
    for kind in (curbs.TOKEN, curbs.NETWORK):
        try:
            return curbs.named(kind + who)
        except ValueError:
            continue
    raise ValueError(f"{who} is neither a token's id nor an address nor a network")


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _ours(back: str) -> bool:
    """Whether it leads to a page of this one."""
    return back in html.PLACES or (
        back.startswith("/game/") and back[6:].isalnum() and back.isascii()
    )


def _cookie(scope: Mapping[str, Any]) -> str:
    text = next((v.decode("latin-1") for n, v in scope["headers"] if n == b"cookie"), "")
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""


async def _form(scope: Mapping[str, Any], receive: Receive) -> dict[str, str] | None:
    """What was filled in, without what PostgreSQL holds in no text; None where it is too much."""
    body = b""
    while True:
        part = await receive()
        body += part.get("body", b"")
        if len(body) > BODY:
            return None
        if part["type"] != "http.request" or not part.get("more_body"):
            found = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
            return {name: value.replace("\0", "") for name, value in found}
