"""Examples are recorded: a real service plays the beginning of a real game, its answers are kept.

What differs from run to run by nature (ids, tokens, hashes) is replaced by stand-ins of the same
form, and the dice hang on the named seed alone (:class:`SeedOnly`): the same answers are recorded
for as long as the service gives the same answers, whatever else changes in the rules' files.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from domain.kernel.game import Game
from service.app import create_app
from service.clock import FixedClock
from service.dice import nwd1
from service.dice.nwd1 import PUBLIC_DOMAIN
from service.dice.vault import DiceBook, Vault
from service.engines import carry
from service.evidence.seatkeys import SeatKey, what_is_passed_on
from service.evidence.signing import SigningKey
from service.http.operation import JSON
from service.http.paging import write_cursor
from service.http.streams import NDJSON, SSE
from service.settings import Settings
from service.webhooks.keeper import MOST as MOST_WEBHOOKS

from .recorder import Examples, Placeholders, Recorder
from .travelling import travelling

AnyGame = Game[Any, Any, Any]

NOON = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
SEED = "the document's examples"
SECRET = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
"""The first key of RFC 8032's vectors, whose secret half everybody knows; the second is `OTHER`."""
OTHER = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
NOWHERE = "0" * 32
BEFORE_STEP = 40
"""Commands among which a step is looked for that may be taken back."""

BEFORE_DICE = 400
"""Commands within which a game comes to its first dice."""


class SeedOnly(Vault):
    """Dice of the seed alone: the digests of rules and set-up, which every game's are bound to,
    are left out, or a comment in a rule would show other dice in every example.

    No reader of an example can miss them: all that the dice are proved by is a stand-in there.
    """

    def reopen(
        self,
        master: bytes,
        game: bytes,
        rules: bytes,
        scenario: bytes,
        seats: int,
        length: int | None = None,
        domains: Sequence[str] = (PUBLIC_DOMAIN,),
    ) -> DiceBook:
        nothing = bytes(len(rules)), bytes(len(scenario))
        return super().reopen(master, game, *nothing, seats, length, domains)


def shown(games: Mapping[str, AnyGame]) -> AnyGame:
    """The ruleset whose play is recorded: that with most to show, documents and forks included."""
    return max(games.values(), key=lambda game: (len(game.customs), not game.insight.forbids))


async def record(ruleset: AnyGame) -> tuple[Examples, dict[str, Any]]:
    """Examples by operation and problems by code, played with one ruleset."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            database=Path(folder) / "examples.sqlite",
            rate_limit=0,
            chain_length=1024,
            webhook_seconds=0,
            log_level="ERROR",
        )
        app = create_app(
            settings,
            {ruleset.ruleset: ruleset},
            FixedClock(NOON),
            vault=SeedOnly(settings.chain_length),
            resolving=_addresses,
            proving=_agrees,
        )
        application: Any = app
        transport = httpx.ASGITransport(application)
        async with (
            app.lifespan(),
            httpx.AsyncClient(transport=transport, base_url="http://service") as client,
        ):
            recorder = Recorder(client, ruleset.ruleset)
            await _reading(recorder)
            await _own_documents(recorder, ruleset)
            await _playing(recorder)
    stand_in = Placeholders()
    examples = stand_in.replace(recorder.examples)
    problems = stand_in.replace(recorder.problems)
    return dict(sorted(examples.items())), dict(sorted(problems.items()))


async def record_all(
    rulesets: Iterable[AnyGame],
) -> tuple[dict[str, Examples], dict[str, Any]]:
    """The examples of each ruleset, by its name; each problem from the first that shows it."""
    examples: dict[str, Examples] = {}
    problems: dict[str, Any] = {}
    for ruleset in rulesets:
        examples[ruleset.ruleset], found = await record(ruleset)
        problems = found | problems
    return examples, dict(sorted(problems.items()))


def together(recorded: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The examples of several rulesets side by side."""
    examples: dict[str, dict[str, Any]] = {}
    for one in recorded:
        _beside(examples, one)
    return dict(sorted(examples.items()))


def _beside(known: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Put examples, which differ by their ruleset at the latest, into those that are known."""
    for key, value in more.items():
        if "value" in value:
            known[key] = value
        else:
            _beside(known.setdefault(key, {}), value)


async def _agrees(where: str, word: str, now: datetime) -> bool:
    return "refuses" not in where


async def _addresses(host: str, port: int) -> list[str]:
    """A public address for any name but one: nothing is looked up, and nothing sent."""
    return ["127.0.0.1"] if "private" in host else ["93.184.215.14"]


async def _reading(recorder: Recorder) -> None:
    """What can be read before any game."""
    base = f"/v1/rulesets/{recorder.ruleset}"
    await recorder.record("getHealth", "GET", "/healthz")
    await recorder.record("getReadiness", "GET", "/readyz")
    await recorder.record("getService", "GET", "/v1")
    await recorder.record("listRulesets", "GET", "/v1/rulesets")
    await recorder.record("getRuleset", "GET", base)
    await recorder.record("listEngines", "GET", f"/v1/engines?limit=1&cursor={_before_the_past()}")
    await recorder.problem("engine.not-found", "GET", f"/v1/engines/{'0' * 64}")
    await recorder.record("listProblems", "GET", "/problems")
    await recorder.record("getProblem", "GET", "/problems/version.stale")
    for plural, single, name in (
        ("units", "getUnit", "Units"),
        ("abilities", "getAbility", "Abilities"),
        ("rules", "getRule", "Rules"),
        ("scenarios", "", "Scenarios"),
        ("maps", "", "Maps"),
    ):
        page = await recorder.record(f"list{name}", "GET", f"{base}/{plural}?limit=1")
        if single and page.json()["items"]:
            first = page.json()["items"][0]["id"]
            await recorder.record(single, "GET", f"{base}/{plural}/{first}")
    await recorder.problem("route.not-found", "GET", "/v1/nowhere")
    await recorder.problem("method.not-allowed", "PUT", "/v1/games")
    await recorder.problem("resource.not-found", "GET", f"{base}/units/nobody")
    await recorder.problem("ruleset.other-version", "GET", f"{base}?digest={'0' * 64}")
    await recorder.problem("accept.not-acceptable", "GET", "/v1", headers={"Accept": "image/png"})
    await recorder.problem("query.invalid", "GET", "/v1/games?limit=0")
    await recorder.problem("token.invalid", "GET", "/v1/games", token="nobody")
    await recorder.problem("game.not-found", "GET", f"/v1/games/{NOWHERE}")
    await recorder.problem("ruleset.unknown", "POST", "/v1/games", json={"ruleset": "chess"})
    for code, wrong in (
        ("grade.unavailable", {"grade": "A3"}),
        ("edition.unknown", {"edition": "1066"}),
        ("options.invalid", {"options": {"dreadnoughts": True}}),
        ("seats.invalid", {"seats": [{"seat": "p9"}]}),
    ):
        wish = {"ruleset": recorder.ruleset, **wrong}
        await recorder.problem(code, "POST", "/v1/games", json=wish)


def _before_the_past() -> str:
    """The cursor just before an engine of the past: of those installed the bytes would move."""
    return write_cursor(f"{int(carry.table()[0].digest, 16) - 1:064x}")


async def _own_documents(recorder: Recorder, ruleset: AnyGame) -> None:
    """Documents of the players' own, where the ruleset takes any."""
    base = f"/v1/rulesets/{recorder.ruleset}/customs"
    await recorder.record("listCustomKinds", "GET", base)
    await recorder.problem("resource.not-found", "GET", f"{base}/chart/schema")
    for custom in ruleset.customs[:1]:
        path, document = f"{base}/{custom.kind}", custom.examples()[0]
        await recorder.record("getCustomSchema", "GET", f"{path}/schema")
        await recorder.record("checkCustom", "POST", f"{path}/check", json=document)
        posted = await recorder.record(
            "createCustom", "POST", f"{path}?listed=true", 201, json=document
        )
        await recorder.record("listCustoms", "GET", f"{path}?limit=1")
        await recorder.record("getCustom", "GET", posted.headers["location"])
        large = {**document, "text": "x" * 4000, "more": ["y" * 4000] * 20}
        await recorder.problem("document.too-large", "POST", f"{path}/check", json=large)
        faulty = {**document, "surprise": 1}
        await recorder.problem("document.faulty", "POST", f"{path}/check", json=faulty)
        for code, wish in (("custom.unclear", {}), ("custom.unknown", {"id": "0" * 64})):
            new = {"ruleset": recorder.ruleset, "customs": {custom.kind: wish}}
            await recorder.problem(code, "POST", "/v1/games", json=new)


async def _playing(recorder: Recorder) -> None:
    """A game from its creation to its first dice."""
    wish = {"ruleset": recorder.ruleset, "seed": SEED, "name": "Example"}
    made = (await recorder.record("createGame", "POST", "/v1/games", 201, json=wish)).json()
    game = f"/v1/games/{made['game']['id']}"
    tokens = {given["seat"]: given["token"] for given in made["tokens"]}
    await _taking_a_seat(recorder)
    await _own_dice(recorder, game, tokens)
    await _links_ahead(recorder)
    await _seat_keys(recorder)
    await _refusals(recorder, game, made["organiser"], tokens)
    rolled = await _to_the_dice(recorder, game, tokens)
    token = await _asked(recorder, game, tokens)
    await recorder.record("listPieces", "GET", f"{game}/pieces", token=token)
    await recorder.record("listGames", "GET", "/v1/games?limit=50")
    await recorder.record("listDice", "GET", "/v1/dice?limit=2")
    await recorder.record("getStatistics", "GET", "/v1/statistics")
    await recorder.record("getGame", "GET", game)
    await recorder.record("getView", "GET", f"{game}/view?at={rolled}")
    await recorder.record("listRolls", "GET", f"{game}/rolls?limit=1")
    roll = recorder.examples["listRolls"]["200"][JSON][recorder.ruleset]["value"]["items"][0]
    await recorder.record("getRoll", "GET", f"{game}/rolls/{roll['id'].replace('/', '%2F')}")
    await recorder.record("listEvents", "GET", f"{game}/events?limit=2")
    own = {"Decklog-Tokens": tokens["p1"]}
    await recorder.record("listOwnEvents", "GET", "/v1/events?limit=2", headers=own)
    for media in (SSE, NDJSON):
        path = f"{game}/events?after={max(0, rolled - 2)}&follow=false"
        await recorder.record("listEvents", "GET", path, headers={"Accept": media})
    await recorder.problem("version.unknown", "GET", f"{game}/view?at=999999")
    await _webhooks(recorder, game, tokens["p1"])
    await travelling(recorder, game, rolled, await _asked(recorder, game, tokens))
    await recorder.record("revokeToken", "DELETE", "/v1/token", 204, token=made["organiser"])
    await _finished(recorder, wish)
    await _other_rules(recorder, wish)
    await _taking_back(recorder, wish)


async def _other_rules(recorder: Recorder, wish: dict[str, Any]) -> None:
    """A seat takes back what it agreed to: there is one engine of the ruleset here."""
    made = (await recorder.ask("POST", "/v1/games", json=wish)).json()
    path, own = f"/v1/games/{made['game']['id']}/rules", {"token": made["tokens"][0]["token"]}
    digest = made["game"]["rules"]["digest"]
    await recorder.record("giveAgreement", "POST", path, json={"digest": digest}, **own)
    fork = f"/v1/games/{made['game']['id']}/forks"
    made = await recorder.ask("POST", fork, json={"seed": SEED}, **own)
    if made.status_code == 201:  # where nobody has to measure
        told = made.json()
        path, own = f"/v1/games/{told['game']['id']}/rules", {"token": told["tokens"][0]["token"]}
        await recorder.problem("engine.unfit", "POST", path, json={"digest": digest}, **own)


async def _taking_back(recorder: Recorder, wish: dict[str, Any]) -> None:
    """A step that its seat takes back, where a game comes to one soon; in some there is none."""
    made = (await recorder.ask("POST", "/v1/games", json=wish)).json()
    game = f"/v1/games/{made['game']['id']}"
    tokens = {given["seat"]: given["token"] for given in made["tokens"]}
    path, first = f"{game}/takebacks", made["tokens"][0]["token"]
    await recorder.problem("takeback.refused", "POST", path, json={"command": "c_0"}, token=first)
    for _ in range(BEFORE_STEP):
        told = (await recorder.ask("GET", game)).json()
        if step := told["takeback"]:
            own: dict[str, Any] = {"token": tokens[step["seat"]]}
            taking = {"command": step["command"]}
            await recorder.record("giveTakeback", "POST", path, json=taking, **own)
            return
        token = tokens[told["toMove"][0]["seat"]]
        offer = (await recorder.ask("GET", f"{game}/commands?limit=1", token=token)).json()
        headers = {"If-Match": f'"{told["version"]}"'}
        body = offer["items"][0]["command"]
        await recorder.ask("POST", f"{game}/commands", token=token, headers=headers, json=body)


async def _finished(recorder: Recorder, wish: dict[str, Any]) -> None:
    """Another game, in which somebody resigns at once: a list of results without one shows none."""
    made = (await recorder.ask("POST", "/v1/games", json=wish)).json()
    game, given = f"/v1/games/{made['game']['id']}", made["tokens"][0]
    headers = {"If-Match": f'"{made["game"]["version"]}"'}
    own: dict[str, Any] = {"token": given["token"], "headers": headers}
    resign = {"type": f"{wish['ruleset']}.resign"}
    done = await recorder.ask("POST", f"{game}/commands", json=resign, **own)
    done.raise_for_status()
    await recorder.record("listResults", "GET", "/v1/results?limit=2")
    await recorder.record("getReview", "GET", f"{game}/review")


async def _webhooks(recorder: Recorder, game: str, token: str) -> None:
    """A webhook of a seat, tried and watched."""
    path = f"{game}/webhooks"
    wish = {
        "url": "https://bots.example.org/decklog",
        "types": ["your-turn", "game-over"],
        "roles": ["damaged", "lost"],
    }
    own: dict[str, Any] = {"token": token}
    made = await recorder.record("createWebhook", "POST", path, 201, json=wish, **own)
    one = made.headers["location"]
    await recorder.record("listWebhooks", "GET", path, **own)
    await recorder.record("getWebhook", "GET", one, **own)
    await recorder.record("rotateSecret", "POST", f"{one}/secret", **own)
    sent = await recorder.record("testWebhook", "POST", f"{one}/test", 202, **own)
    again = f"{one}/deliveries/{sent.json()['id']}/repeat"
    await recorder.record("repeatDelivery", "POST", again, 202, **own)
    await recorder.record("listDeliveries", "GET", f"{one}/deliveries", **own)
    wrong = {"url": "https://private.example.org/"}
    await recorder.problem("webhook.target-forbidden", "POST", path, json=wrong, **own)
    wrong = {"url": "https://refuses.example.org/"}
    await recorder.problem("webhook.unproved", "POST", path, json=wrong, **own)
    for _ in range(MOST_WEBHOOKS - 1):
        await recorder.ask("POST", path, json=wish, **own)
    await recorder.problem("webhook.too-many", "POST", path, json=wish, **own)
    await recorder.record("deleteWebhook", "DELETE", one, 204, **own)


async def _taking_a_seat(recorder: Recorder) -> None:
    seats = [{"seat": "p1", "hold": "keep"}, {"seat": "p2", "hold": "invite"}]
    wish = {"ruleset": recorder.ruleset, "seed": SEED, "seats": seats}
    made = (await recorder.ask("POST", "/v1/games", json=wish)).json()
    path = f"/v1/games/{made['game']['id']}/seats"
    invitation = made["invitations"][0]["token"]
    await recorder.problem("seat.invitation-needed", "POST", path, json={"seat": "p2"})
    await recorder.problem("seat.unknown", "POST", path, json={"seat": "p9"})
    wrong = {"seat": "p2", "invitation": made["organiser"]}
    await recorder.problem("seat.invitation-wrong", "POST", path, json=wrong)
    taking: dict[str, Any] = {"seat": "p2", "invitation": invitation}
    await recorder.problem("seat.seed-named", "POST", path, json=taking)
    taking["acceptNamedSeed"] = True
    unfit = {**taking, "orderKey": {"public": "00" * 32}}
    await recorder.problem("seat.key-unfit", "POST", path, json=unfit)
    await recorder.record("takeSeat", "POST", path, 201, json=taking)
    await recorder.problem("seat.taken", "POST", path, json={"seat": "p2"})
    waiting = (await recorder.ask("POST", "/v1/games", json=wish)).json()
    hooks = f"/v1/games/{waiting['game']['id']}/webhooks"
    unused = waiting["invitations"][0]["token"]
    await recorder.problem("token.not-a-member", "GET", hooks, token=unused)


async def _own_dice(recorder: Recorder, other: str, tokens: Mapping[str, str]) -> None:
    """What is refused of players who bring their own dice, and of a token in another game."""
    seats = [{"seat": "p1", "hold": "open"}, {"seat": "p2", "hold": "open"}]
    wish = {"ruleset": recorder.ruleset, "seed": SEED, "grade": "A1", "seats": seats}
    game = (await recorder.ask("POST", "/v1/games", json=wish)).json()["game"]
    path = f"/v1/games/{game['id']}"
    tip = "ab" * 32
    taking = {"seat": "p1", "diceTip": tip, "acceptNamedSeed": True}
    taken = (await recorder.ask("POST", f"{path}/seats", json=taking)).json()
    copied = {**taking, "seat": "p2"}
    await recorder.problem("dice.tip-copied", "POST", f"{path}/seats", json=copied)
    offer = (await recorder.ask("GET", f"{path}/commands", token=taken["token"])).json()
    body = offer["items"][0]["command"]
    match = {"If-Match": f'"{offer["version"]}"'}
    own: dict[str, Any] = {"token": taken["token"], "headers": match, "json": body}
    await recorder.problem("dice.link-missing", "POST", f"{path}/commands", **own)
    own["headers"] = {**match, "Decklog-Dice-Link": "cd" * 32}
    await recorder.problem("dice.link-wrong", "POST", f"{path}/commands", **own)
    token = await _asked(recorder, other, tokens)
    now = (await recorder.ask("GET", other)).json()["version"]
    own["headers"] = {"If-Match": f'"{now}"', "Decklog-Dice-Link": "cd" * 32}
    own["token"] = token
    await recorder.problem("dice.link-unexpected", "POST", f"{other}/commands", **own)
    own["token"] = taken["token"]
    await recorder.problem("token.wrong-game", "POST", f"{other}/commands", **own)


async def _links_ahead(recorder: Recorder) -> None:
    """A seat gives its links for the next batches."""
    seats = [{"seat": "p1", "hold": "open"}, {"seat": "p2"}]
    wish = {"ruleset": recorder.ruleset, "seed": SEED, "grade": "A1", "seats": seats}
    game = (await recorder.ask("POST", "/v1/games", json=wish)).json()["game"]
    path, g, length = f"/v1/games/{game['id']}", bytes.fromhex(game["params"]), game["chainLength"]
    chain, far = nwd1.player_chain(g, 0), nwd1.player_seed(bytes(32), g, 0)
    tip = chain.down(far, length, 0).hex()
    taking = {"seat": "p1", "diceTip": tip, "acceptNamedSeed": True}
    taken = (await recorder.ask("POST", f"{path}/seats", json=taking)).json()
    upto = game["nextBatch"] + 9
    giving = {"upto": upto, "link": chain.down(far, length, upto).hex()}
    await recorder.record("giveLinks", "POST", f"{path}/links", json=giving, token=taken["token"])


async def _seat_keys(recorder: Recorder) -> None:
    """What is refused of seats that sign their orders, and of those that do not."""
    seats = [{"seat": "p1", "orderKey": {"public": PUBLIC}}, {"seat": "p2"}]
    wish = {"ruleset": recorder.ruleset, "seed": SEED, "seats": seats}
    made = (await recorder.ask("POST", "/v1/games", json=wish)).json()
    tokens = {each["seat"]: each["token"] for each in made["tokens"]}
    path = f"/v1/games/{made['game']['id']}/commands"
    offer = (await recorder.ask("GET", path, token=tokens["p1"])).json()
    match = {"If-Match": f'"{offer["version"]}"'}
    own: dict[str, Any] = {"json": offer["items"][0]["command"], "headers": match}
    await recorder.problem("signature.missing", "POST", path, token=tokens["p1"], **own)
    own["headers"] = {**match, "Decklog-Signature": "00" * 64}
    await recorder.problem("signature.wrong", "POST", path, token=tokens["p1"], **own)
    await recorder.problem("signature.unexpected", "POST", path, token=tokens["p2"], **own)
    own["headers"] = {**match, "Decklog-Signature": "none"}
    await recorder.problem("signature.malformed", "POST", path, token=tokens["p1"], **own)
    await _passing_on(recorder, made["game"]["id"], tokens["p1"])


async def _passing_on(recorder: Recorder, game: str, token: str) -> None:
    """A seat passes its key on."""
    old, new = SigningKey("seat", bytes.fromhex(SECRET)), SeatKey(OTHER, "client")
    signature = old.sign(what_is_passed_on(game, "p1", new)).hex()
    giving = {"public": new.public, "keeper": new.keeper, "signature": signature}
    await recorder.record("giveKey", "POST", f"/v1/games/{game}/keys", json=giving, token=token)


async def _refusals(
    recorder: Recorder, game: str, organiser: str, tokens: Mapping[str, str]
) -> None:
    """Commands that are refused before the rules are asked."""
    path = f"{game}/commands"
    token = await _asked(recorder, game, tokens)
    offer = (await recorder.ask("GET", path, token=token)).json()
    body = offer["items"][0]["command"]
    match = {"If-Match": f'"{offer["version"]}"'}
    text = {**match, "Content-Type": "text/plain"}
    json_ = {**match, "Content-Type": JSON}

    async def refused(code: str, **more: Any) -> None:
        await recorder.problem(code, "POST", path, **{"token": token, "headers": match, **more})

    await refused("token.missing", token="", json=body)
    await refused("token.not-a-seat", token=organiser, json=body)
    await refused("idempotency.key-missing", key=False, json=body)
    await refused("idempotency.key-malformed", headers={**match, "Idempotency-Key": "1"}, json=body)
    await refused("precondition.required", headers={}, json=body)
    await refused("precondition.malformed", headers={"If-Match": "*"}, json=body)
    await refused("dice-link.malformed", headers={**match, "Decklog-Dice-Link": "x"}, json=body)
    await refused("content.unsupported", headers=text, content=b"{}")
    await refused("body.malformed", headers=json_, content=b"{")
    await refused("body.too-large", headers=json_, content=b" " * 300_000)
    await refused("body.invalid", json={**body, "surprise": 1})
    await refused("command.unknown-type", json={"type": "surrender-at-once"})
    await refused("version.lost", headers={"If-Match": '"999999"'}, json=body)
    await refused("version.stale", headers={"If-Match": '"1"'}, json=body)


async def _asked(recorder: Recorder, game: str, tokens: Mapping[str, str]) -> str:
    """The token of a seat that is asked something."""
    summary = (await recorder.ask("GET", game)).json()
    return tokens[summary["toMove"][0]["seat"]]


async def _to_the_dice(recorder: Recorder, game: str, tokens: Mapping[str, str]) -> int:
    """Play the first offer of whoever is asked until dice have rolled; the version then."""
    path = f"{game}/commands"
    for _ in range(BEFORE_DICE):
        token = await _asked(recorder, game, tokens)
        offer = (
            await recorder.record("listCommands", "GET", f"{path}?limit=2", token=token)
        ).json()
        body = offer["items"][0]["command"]
        await recorder.record("checkCommand", "POST", f"{path}/check", token=token, json=body)
        headers = {"If-Match": f'"{offer["version"]}"'}
        key = headers["Idempotency-Key"] = f"example-key-of-version-{offer['version']:032}"
        done = await recorder.record(
            "giveCommand", "POST", path, token=token, headers=headers, json=body
        )
        await _once_more(recorder, path, token, offer, key)
        if offer["nextBatch"] != done.json()["nextBatch"]:
            return int(done.json()["version"])
    raise RuntimeError(f"no dice within {BEFORE_DICE} commands")


async def _once_more(
    recorder: Recorder, path: str, token: str, offer: Mapping[str, Any], key: str
) -> None:
    """Another command under the key of the first, and a page of a list that is gone."""
    other = offer["items"][-1]["command"]
    if other != offer["items"][0]["command"]:
        headers = {"If-Match": f'"{offer["version"]}"', "Idempotency-Key": key}
        own: dict[str, Any] = {"token": token, "headers": headers, "json": other}
        await recorder.problem("idempotency.key-reused", "POST", path, **own)
    if offer["next"]:
        gone = f"{path}?cursor={offer['next']}"
        await recorder.problem("cursor.stale", "GET", gone, token=token)
