"""The dearest request of each operation that is known, measured: none costs more than a moment.

A battle that has gone on for a while, a caller who asks for the most that the document lets him ask
for, and the processor's time of the whole process, in line. With ``-s`` the list is printed, the
dearest first. What is dear belongs into a task (service/work), where it is bounded.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.settings import Settings
from service.work.tasks import LONG, SHORT
from tests.service.work.test_attack import DEAREST

ORDERS = 120
DOCUMENT = Path(__file__).parents[3] / "openapi" / "openapi.json"

ALLOWED = {"GET": 2.0, "POST": 1.0, "DELETE": 0.5}
"""CPU seconds: ten times what is seen and more, for machines that are slow or do other things."""


@dataclass
class House:
    """A battle, who asks, and what he needs to ask."""

    client: Any
    game: str = ""
    token: str = ""
    throwaway: str = ""
    latest: int = 0
    roll: str = ""
    unit: str = ""
    hook: str = ""
    delivery: str = ""
    custom: str = ""
    keys: int = 0

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        self.keys += 1
        sent = {"Idempotency-Key": f"{self.keys:032x}", **headers}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        return self.client.request(method, path, json=body, headers=sent)

    def get(self, path: str) -> Any:
        return self.ask("GET", path)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    settings = Settings(
        database=tmp_path_factory.mktemp("dearest") / "dearest.sqlite", rate_limit=0,
        webhook_private=True, webhook_seconds=0, log_level="ERROR",
    )  # fmt: skip
    with TestClient(create_app(settings)) as client:
        yield furnished(House(client))


def furnished(house: House) -> House:
    made = house.ask("POST", "/v1/games", {"ruleset": "war-at-sea", "edition": "2009"}).json()
    tokens = {each["seat"]: each["token"] for each in made["tokens"]}
    house.game = f"/v1/games/{made['game']['id']}"
    for _ in range(ORDERS):
        played(house, tokens)
    house.token = tokens["p1"]
    house.latest = house.get(house.game).json()["version"]
    rolls = house.get(f"{house.game}/rolls?limit=200").json()["items"]
    house.roll = rolls[-1]["id"] if rolls else "none"
    house.unit = "p1-1"
    hook = house.ask("POST", f"{house.game}/webhooks", {"url": "http://127.0.0.1:9/"})
    house.hook = hook.headers["location"]
    house.delivery = house.ask("POST", f"{house.hook}/test").json()["id"]
    kind = "/v1/rulesets/war-at-sea/customs/scenario"
    known = house.get("/v1/rulesets/war-at-sea/customs").json()["items"]
    example = next(each for each in known if each["kind"] == "scenario")["examples"][0]
    house.custom = house.ask("POST", kind, example).json()["id"]
    house.throwaway = house.ask("POST", "/v1/games", {"ruleset": "war-at-sea"}).json()["organiser"]
    return house


def played(house: House, tokens: dict[str, str]) -> None:
    """The last command that is offered to whoever is asked: it does more than the first."""
    house.token = ""
    game = house.get(house.game).json()
    house.token = tokens[game["toMove"][0]["seat"]]
    offer = house.get(f"{house.game}/commands").json()["items"]
    version = {"If-Match": f'"{game["version"]}"'}
    done = house.ask("POST", f"{house.game}/commands", offer[-1]["command"], **version)
    assert done.status_code == 200, done.text


def command(house: House) -> Any:
    offer = house.get(f"{house.game}/commands?limit=200").json()["items"]
    return offer[-1]["command"] if offer else {"type": "war-at-sea.pass"}


Ask = Callable[[House], tuple[Any, ...]]
RULES = "/v1/rulesets/war-at-sea"

ASKS: dict[str, Ask] = {
    "getHealth": lambda h: ("GET", "/healthz"),
    "getReadiness": lambda h: ("GET", "/readyz"),
    "getMetrics": lambda h: ("GET", "/metrics"),
    "getOpenapiJson": lambda h: ("GET", "/openapi.json"),
    "getOpenapiYaml": lambda h: ("GET", "/openapi.yaml"),
    "getRulesetOpenapi": lambda h: ("GET", "/openapi/war-at-sea.json"),
    "listProblems": lambda h: ("GET", "/problems"),
    "listOwnEvents": lambda h: ("GET", "/v1/events"),
    "getProblem": lambda h: ("GET", "/problems/odds.unclear"),
    "getService": lambda h: ("GET", "/v1"),
    "getDocs": lambda h: ("GET", "/docs"),
    "getDocsPage": lambda h: ("GET", "/docs/limits"),
    "getDocsAsset": lambda h: ("GET", "/docs/assets/none.css"),
    "getHome": lambda h: ("GET", "/"),
    "getPage": lambda h: ("GET", "/pages/api.js"),
    "listRulesets": lambda h: ("GET", "/v1/rulesets"),
    "getRuleset": lambda h: ("GET", RULES),
    "listUnits": lambda h: ("GET", f"{RULES}/units?limit=200"),
    "getUnit": lambda h: ("GET", f"{RULES}/units/yamato"),
    "listAbilities": lambda h: ("GET", f"{RULES}/abilities?limit=200"),
    "getAbility": lambda h: ("GET", f"{RULES}/abilities/expert-bomber"),
    "listRules": lambda h: ("GET", f"{RULES}/rules?limit=200"),
    "getRule": lambda h: ("GET", f"{RULES}/rules/WAS-SETUP-28"),
    "listScenarios": lambda h: ("GET", f"{RULES}/scenarios?limit=200"),
    "listMaps": lambda h: ("GET", f"{RULES}/maps?limit=200"),
    "listEngines": lambda h: ("GET", "/v1/engines?limit=200"),
    "getEngine": lambda h: ("GET", f"/v1/engines/{h.get(h.game).json()['rules']['digest']}"),
    "listCustomKinds": lambda h: ("GET", f"{RULES}/customs"),
    "getCustomSchema": lambda h: ("GET", f"{RULES}/customs/map/schema"),
    "checkCustom": lambda h: ("POST", f"{RULES}/customs/map/check", LARGE),
    "createCustom": lambda h: ("POST", f"{RULES}/customs/map", LARGE),
    "listCustoms": lambda h: ("GET", f"{RULES}/customs/scenario?limit=200"),
    "getCustom": lambda h: ("GET", f"/v1/customs/{h.custom}"),
    "createGame": lambda h: (
        "POST", "/v1/games", {"ruleset": "war-at-sea", "customs": {"map": {"document": LARGE}}}
    ),
    "listGames": lambda h: ("GET", "/v1/games?limit=200&sort=activity"),
    "getGame": lambda h: ("GET", h.game),
    "takeSeat": lambda h: ("POST", f"{h.game}/seats", {"seat": "p2"}),
    "giveAgreement": lambda h: (
        "POST",
        f"{h.game}/rules",
        {"digest": h.get(h.game).json()["rules"]["digest"]},
    ),
    "giveLinks": lambda h: ("POST", f"{h.game}/links", {"upto": 1, "link": "00" * 32}),
    "giveTakeback": lambda h: ("POST", f"{h.game}/takebacks", {"command": "c_0"}),
    "giveKey": lambda h: (
        "POST", f"{h.game}/keys", {"public": "00" * 32, "signature": "00" * 64}
    ),
    "revokeToken": lambda h: (
        "DELETE", "/v1/token", None, {"Authorization": f"Bearer {h.throwaway}"}
    ),
    "listCommands": lambda h: ("GET", f"{h.game}/commands?limit=200"),
    "giveCommand": lambda h: (
        "POST", f"{h.game}/commands", command(h), {"If-Match": f'"{h.latest}"'}
    ),
    "checkCommand": lambda h: ("POST", f"{h.game}/commands/check", command(h)),
    "listPieces": lambda h: ("GET", f"{h.game}/pieces"),
    "listEvents": lambda h: ("GET", f"{h.game}/events?limit=200"),
    "getView": lambda h: ("GET", f"{h.game}/view?at={h.latest - 1}"),
    "listRolls": lambda h: ("GET", f"{h.game}/rolls?limit=200"),
    "getRoll": lambda h: ("GET", f"{h.game}/rolls/{h.roll}"),
    "getEvidence": lambda h: ("GET", f"{h.game}/evidence"),
    "getBoard": lambda h: ("GET", f"{h.game}/board.svg?at={h.latest - 1}&unit={h.unit}"),
    "getFilm": lambda h: ("GET", f"{h.game}/film?after={max(0, h.latest - 50)}&pictures=true"),
    "getReview": lambda h: ("GET", f"{h.game}/review?limit=50"),
    "listResults": lambda h: ("GET", "/v1/results?limit=200"),
    "listDice": lambda h: ("GET", "/v1/dice?limit=200"),
    "getStatistics": lambda h: ("GET", "/v1/statistics"),
    "createWebhook": lambda h: ("POST", f"{h.game}/webhooks", {"url": "http://127.0.0.1:9/"}),
    "listWebhooks": lambda h: ("GET", f"{h.game}/webhooks"),
    "getWebhook": lambda h: ("GET", h.hook),
    "rotateSecret": lambda h: ("POST", f"{h.hook}/secret"),
    "testWebhook": lambda h: ("POST", f"{h.hook}/test"),
    "listDeliveries": lambda h: ("GET", f"{h.hook}/deliveries?limit=200"),
    "repeatDelivery": lambda h: ("POST", f"{h.hook}/deliveries/{h.delivery}/repeat"),
    "deleteWebhook": lambda h: ("DELETE", h.hook),
    "getMoment": lambda h: ("GET", f"{h.game}/moment?at={h.latest - 1}"),
    "getReport": lambda h: ("GET", f"{h.game}/report"),
    "getDiff": lambda h: ("GET", f"{h.game}/diff?from=1&to={h.latest}"),
    "getReasons": lambda h: ("GET", f"{h.game}/why?path=/units&limit=200"),
    "listMentions": lambda h: ("GET", f"{h.game}/mentions?unit={h.unit}&limit=200"),
    "listMoments": lambda h: (
        "GET", f"{h.game}/query?question=" + "any(state,any(state,any(state,any(event,it==key))))"
    ),
    "getOdds": lambda h: ("POST", "/v1/odds", DEAREST),
    "getLuck": lambda h: ("GET", f"{h.game}/luck"),
    "createFork": lambda h: ("POST", f"{h.game}/forks", {}),
}  # fmt: skip
"""Each operation, with the request; in the order in which they are sent."""

LARGE: dict[str, Any] = {
    "name": "x" * 40,
    "land": [f"{n}.{m}" for n in range(90) for m in range(90)],
}
"""A document that is as large as one may be, and as wrong."""


def measured(house: House, ask: Ask) -> tuple[float, Any]:
    method, path, *rest = ask(house)
    body, headers = (*rest, None, {})[:2] if len(rest) < 2 else rest
    began = time.process_time()
    answer = house.ask(method, path, body, **(headers or {}))
    return time.process_time() - began, answer


@pytest.mark.timeout(180)
def test_the_dearest_request_of_each_operation_costs_no_more_than_a_moment(house: House) -> None:
    found = {name: measured(house, ask) for name, ask in ASKS.items()}
    for name, (seconds, answer) in sorted(found.items(), key=lambda each: -each[1][0]):
        print(f"{name:<18}{seconds * 1000:8.1f} ms  {answer.status_code}  {len(answer.content)}")
    broken = {name: answer.status_code for name, (_, answer) in found.items()
              if answer.status_code >= 500}  # fmt: skip
    assert broken == {}
    methods = {name: ask(house)[0] for name, ask in ASKS.items() if name != "giveCommand"}
    dear = {name: seconds for name, (seconds, _) in found.items()
            if seconds > ALLOWED[methods.get(name, "POST")]}  # fmt: skip
    assert dear == {}
    assert ALLOWED["GET"] < LONG
    assert ALLOWED["POST"] < SHORT


def test_every_operation_has_its_dearest_request() -> None:
    paths = json.loads(DOCUMENT.read_bytes())["paths"]
    known = {
        each["operationId"]
        for operations in paths.values()
        for method, each in operations.items()
        if method in ("get", "post", "delete")
    }
    assert set(ASKS) == known
