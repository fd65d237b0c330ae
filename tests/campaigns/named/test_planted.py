"""Each named campaign finds a fault that is planted; without it, a piece of each has none."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from service.evidence import bundle, verify
from service.openapi.document import plain
from tests.campaigns.corpus import Asked, Service
from tests.campaigns.named import asking, bundles, http, images, kills, soak, timing
from tests.campaigns.named.__main__ import CANNOT, run
from tests.campaigns.named.campaigns import CAMPAIGNS
from tests.campaigns.named.pieces import Campaign, Done, Piece, failures, measured
from tests.naval_battles import worlds_http
from tests.service.evidence import test_mutations
from tests.service.evidence.playing import decode

SLOW = pytest.mark.slow("faults")
STRANGERS = pytest.mark.slow("strangers")
FOUND_BY = {
    "lost": (
        "acknowledged and not stored so",
        "an offer was refused",
        "nothing is offered to the seat that is to move",
        "a gap or a repeat",
    ),
    # Whoever looked before the second time finds that another is to move by now.
    "doubled": ("told_again", "told.text", "done twice", "nobody was told", "an offer was refused"),
    "otherwise": ("told.text",),
}
"""Words of the checks, or of the line that failed, by what has been planted."""


def found(name: str, number: int = 1) -> list[str]:
    """What the campaign says of one piece."""
    return [*measured(CAMPAIGNS[name], number).failures]


# --- bundles -------------------------------------------------------------------------------------


def test_damaged_files_that_are_upheld_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "DAMAGED", 10)
    assert found("damaged-bundles") == []

    def repaired(data: bytes, choose: random.Random) -> bytes:
        """A reader that finds its way around whatever is wrong."""
        return data

    monkeypatch.setattr(bundles, "_other", repaired)
    assert "exit code 0" in found("damaged-bundles")[0]


def test_a_value_that_nothing_binds_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "FUZZED", 40)
    assert found("fuzzed-bundles") == []
    monkeypatch.setattr(bundles, "WAYS", (bundles.value,))
    monkeypatch.setattr(test_mutations, "FREE", {("data", "grade"), ("data", "nonce")})
    monkeypatch.setattr(bundles, "FUZZED", 200)
    assert "value of" in found("fuzzed-bundles")[0], "the time of an event is free to say"


def test_a_signature_that_nobody_checks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "SIGNED", 60)
    assert found("signed-bundles") == []
    monkeypatch.setattr(verify, "cosigners_of", lambda files, manifest, asked: ())
    assert bundle.COSIGNED in found("signed-bundles")[0]


def test_who_came_first_is_nothing_that_a_file_can_be_wrong_about() -> None:
    """Found by the campaign (piece 18): two arrivals exchanged are another honest record."""
    lines = test_mutations.files_of("live")[1]["events.jsonl"].splitlines()
    events = [decode(line) for line in lines]
    places = [at for at, event in enumerate(events) if event["type"] == bundles.TAKEN]
    assert len(places) == 2

    def exchanged(one: int, other: int) -> list[Any]:
        made = [*events]
        made[one], made[other] = made[other], made[one]
        return made

    assert bundles.arrivals_alone(events, exchanged(*places))
    assert not bundles.arrivals_alone(events, exchanged(places[0], places[0] - 1))
    assert not bundles.arrivals_alone(events, [*events[: places[0]], *events[places[1] :]])


# --- requests ------------------------------------------------------------------------------------


@STRANGERS
def test_an_answer_that_is_not_in_the_document_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "REQUESTS", 60)
    assert found("fuzzed-requests") == []
    honest = Service.ask

    async def ask(service: Service, request: Asked) -> Any:
        status, fields, body = await honest(service, request)
        return (418 if status == 422 else status), fields, body

    monkeypatch.setattr(Service, "ask", ask)
    assert any("418 is not in the document" in each for each in found("fuzzed-requests"))


@STRANGERS
def test_a_repeat_that_is_answered_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found("repeats") == []
    honest = Service.ask

    async def ask(service: Service, request: Asked) -> Any:
        """Its second answer to each key is another."""
        status, fields, body = await honest(service, request)
        replayed = fields.get("idempotency-replayed") == "true"
        return status, fields, body + b" " if replayed else body

    monkeypatch.setattr(Service, "ask", ask)
    assert "piece 1: /v1/" in found("repeats")[0]


def test_everything_that_takes_a_key_is_repeated() -> None:
    paths = plain()["paths"]
    posts = [path["post"] for path in paths.values() if "post" in path]
    keyed = [each for each in posts if "dempotency" in str(each.get("parameters"))]
    done = asking.repeated(3)  # War at Sea: in Naval Battles no step is taken back
    assert done.failures == []
    assert done.figures["operations"] == [len(keyed)]
    assert done.figures["repeats"][0] > 500


# --- the clock -----------------------------------------------------------------------------------


@pytest.mark.slow("secrecy")
def test_an_answer_that_takes_longer_for_what_is_hidden_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The delay stands out of what a busy machine adds to forty requests; 0.5 ms did not."""

    def told() -> list[str]:
        pieces = {number: measured(CAMPAIGNS["timing"], number) for number in (0, 1)}
        return failures(CAMPAIGNS["timing"], pieces)

    assert told() == []
    honest = worlds_http.World.ask

    def ask(world: Any, method: str, path: str, *more: Any, **fields: Any) -> Any:
        if world.fate.shift and path.endswith("/view"):
            time.sleep(0.02)
        return honest(world, method, path, *more, **fields)

    monkeypatch.setattr(worlds_http.World, "ask", ask)
    assert "/view" in [each.split()[0] for each in told()]


def test_the_distance_of_two_samples() -> None:
    """Known values: of one distribution, and of two that are a deviation apart."""
    dice = random.Random(1)
    one, other = ([dice.gauss(0, 1) for _ in range(2_000)] for _ in range(2))
    later = [each + 0.2 for each in other]
    assert timing.by_chance(one, one) == 1.0
    assert timing.by_chance(one, other) > 0.01
    assert timing.by_chance(one, later) < 1e-6
    assert timing.by_chance(later, one) > 0.01
    assert timing.by_chance([], one) == timing.by_chance(one, []) == 1.0
    # D = 0.5 of 20 and 20: lambda = (sqrt(10) + 0.12 + 0.11 / sqrt(10)) / 2 = 1.6585
    half = timing.by_chance([0.0] * 10 + [1.0] * 10, [1.0] * 20)
    assert math.isclose(half, math.exp(-2 * 1.65853**2), rel_tol=1e-3)


def waited(number: int, dealt: float, another: float) -> Piece:
    """A piece in which each world took so long, give or take."""
    about = [each / 100 for each in range(40)]
    took = {"as dealt": dealt, "another card": another}
    figures = {f"/view {world}": [at + each for each in about] for world, at in took.items()}
    return Piece(number, 40, 1.0, "2026-11-26", (), figures)


def test_a_service_that_is_slower_is_no_world_that_is() -> None:
    """On a machine that is busy in one piece only, which made a failure of it."""
    assert timing.judge([waited(0, 10, 11), waited(1, 21, 20)]) == []
    assert timing.judge([waited(0, 10, 11)]) == []
    (found,) = timing.judge([waited(0, 10, 11), waited(1, 20, 21)])
    assert found.startswith("/view")
    assert found.endswith("another card")
    (found,) = timing.judge([waited(0, 11, 10), waited(1, 21, 20)])
    assert found.endswith("as dealt")


def minutes(memory: list[float], handles: list[float], server: float = 1) -> dict[int, Piece]:
    pairs = enumerate(zip(memory, handles, strict=True))
    return {
        number: Piece(
            number, 1, 1.0, "2026-11-25", (),
            {"server": [server], "memory": [has], "handles": [open_]},
        )
        for number, (has, open_) in pairs
    }  # fmt: skip


def test_a_server_that_grows_is_found() -> None:
    campaign: Campaign = CAMPAIGNS["soak"]
    flat, warming = [40.0] * 12, [60.0, 80.0, 99.0, *[100.0, 101.0, 99.0] * 3]
    assert failures(campaign, minutes(warming, flat)) == []
    grows = [100.0 + number for number in range(12)]
    assert "memory grew" in failures(campaign, minutes(grows, flat))[0]
    leaks = [40.0 + 2 * number for number in range(12)]
    assert "handles grew" in failures(campaign, minutes(warming, leaks))[0]


@SLOW
def test_a_minute_is_half_of_what_the_server_can_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "MINUTE", 5.0)
    monkeypatch.setattr(soak, "MEASURING", 5.0)
    done = soak.piece(0)
    soak.end()
    assert done.failures == []
    assert 0.2 < done.figures["rate"][0] / done.figures["capacity"][0] < 0.9
    assert done.figures["memory"][0] > 20
    assert done.figures["handles"][0] > 5


# --- servers -------------------------------------------------------------------------------------


@SLOW
def test_images_of_a_disk_that_swallows_syncs_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    if CAMPAIGNS["crash-images"].lacks:
        # Optional, and not on every machine: there it must not pretend.
        assert run("crash-images", 1, 1, "abc") == CANNOT
        return
    assert found("crash-images") == []
    monkeypatch.setattr(images, "DROP", 0.3)
    assert found("crash-images") != []


@SLOW
def test_an_offer_that_is_refused_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "GAMES", 3)
    assert found("http") == []
    honest = http.service

    @contextmanager
    def service() -> Iterator[httpx.Client]:
        """What is offered in the fourth position is refused: it is said to be another one."""

        def stale(request: httpx.Request) -> None:
            if request.headers.get("if-match") == '"4"' or request.url.path.endswith("/commands"):
                request.headers["if-match"] = '"1"'

        with honest() as client:
            client.event_hooks["request"].append(stale)
            yield client

    monkeypatch.setattr(http, "service", service)
    assert "412" in "".join(found("http")) or "stale" in "".join(found("http"))


@SLOW
@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", kills.KINDS)
def test_a_kill_is_survived(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kills, "KILLS", 1)
    done: Done = kills.piece(kind, 1)
    assert (done.amount, [*done.failures]) == (1, [])


LOSES = {"sqlite": "behind", "worker": "behind", "postgresql": "unsynced", "redis": "dropped"}


@SLOW
@pytest.mark.timeout(300)
@pytest.mark.parametrize("fault", ["lost", "doubled", "otherwise"])
@pytest.mark.parametrize("kind", kills.KINDS)
def test_a_kill_that_does_harm_is_found(
    kind: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each kind that is killed: acknowledged and not there, done twice, answered otherwise."""
    monkeypatch.setattr(kills, "PLANTED", LOSES[kind] if fault == "lost" else fault)
    said = "".join(found(f"kills-{kind}"))
    assert any(word in said for word in FOUND_BY[fault]), said[-1500:]
