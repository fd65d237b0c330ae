"""A seat with a key signs its orders: none is taken without, none can be invented or altered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar.testing import TestClient

from domain.kernel.codec import canonical
from service import container
from service.app import create_app
from service.bots import DecklogClient, Signer
from service.evidence import bundle
from service.evidence.seatkeys import ORDER
from service.evidence.verify import verify
from service.settings import Settings
from tests.service.evidence.playing import GAMES
from tests.service.http.table import Match, Table
from tests.support.pennant import GAME

CHOOSE = {"type": "pennant.choose", "colour": "bold"}
ONE, TWO = Signer(b"1" * 32), Signer(b"2" * 32)


@pytest.fixture
def keyed(table: Table) -> Match:
    """A game in which p1 signs its orders."""
    return table.create(seats=[{"seat": "p1", "orderKey": ONE.registered}, {"seat": "p2"}])


def signature(table: Table, match: Match, command: Any, signer: Signer = ONE) -> str:
    return signer.sign(table.get(match.path).json(), "p1", command)


def give(table: Table, match: Match, command: Any, signed: str) -> httpx.Response:
    version = table.version(match)
    token = match.tokens["p1"]
    more = {"Decklog_Signature": signed} if signed else {}
    return table.post(f"{match.path}/commands", command, token, version=version, **more)


def test_a_seat_with_a_key_gives_signed_orders_alone(table: Table, keyed: Match) -> None:
    seats = table.get(keyed.path).json()["seats"]
    assert [seat["orderKey"] for seat in seats] == [ONE.registered["public"], ""]
    assert [seat["keeper"] for seat in seats] == ["client", ""]
    for signed, code in (
        ("", "signature.missing"),
        (signature(table, keyed, CHOOSE, TWO), "signature.wrong"),
        (signature(table, keyed, {**CHOOSE, "colour": "steady"}), "signature.wrong"),
        ("xyz", "signature.malformed"),
    ):
        assert give(table, keyed, CHOOSE, signed).json()["code"] == code
    done = give(table, keyed, CHOOSE, signature(table, keyed, CHOOSE))
    assert done.status_code == 200
    assert table.get(keyed.path).json()["seats"][0]["last"] == done.json()["version"]


def test_what_is_signed_is_what_the_operation_says(table: Table, keyed: Match) -> None:
    words = table.contract.document["paths"]["/v1/games/{game}/commands"]["post"]["description"]
    assert f"`DSSEv1 {len(ORDER)} {ORDER} N `" in words


def test_a_signature_of_a_seat_without_a_key_is_refused(table: Table, keyed: Match) -> None:
    path, version = f"{keyed.path}/commands", table.version(keyed)
    signed = {"Decklog_Signature": "00" * 64}
    done = table.post(path, CHOOSE, keyed.tokens["p2"], version=version, **signed)
    assert done.json()["code"] == "signature.unexpected"


def test_a_signature_fits_one_place_only(table: Table, keyed: Match) -> None:
    """One that was overtaken by an independent order still fits; used again it fits no more."""
    signed, version = signature(table, keyed, CHOOSE), table.version(keyed)
    assert table.command(keyed, "p2", {"type": "pennant.choose", "colour": "steady"}).is_success
    token = keyed.tokens["p1"]
    path, more = f"{keyed.path}/commands", {"Decklog_Signature": signed}
    assert table.post(path, CHOOSE, token, version=version, **more).status_code == 200
    fire = table.options(keyed, "p1")["items"][0]["command"]
    assert give(table, keyed, fire, signed).json()["code"] == "signature.wrong"


def test_a_creator_brings_no_key_for_a_seat_that_waits(table: Table) -> None:
    seats = [{"seat": "p1"}, {"seat": "p2", "hold": "open", "orderKey": ONE.registered}]
    done = table.post("/v1/games", {"ruleset": "pennant", "seats": seats}, key="k" * 32)
    assert done.json()["code"] == "seats.invalid"


@pytest.mark.parametrize(
    "public",
    [
        "01" + "00" * 31,  # the neutral point: what anybody signs would hold
        "00" * 32,  # of order four
        "ee" + "ff" * 30 + "7f",  # a second form of a point
        "02" + "00" * 31,  # on no curve
    ],
)
def test_what_no_order_can_be_checked_by_is_no_key(table: Table, public: str) -> None:
    """A seat that had registered it could never give an order again."""
    key = {"public": public}
    kept = {"ruleset": "pennant", "seats": [{"seat": "p1", "orderKey": key}, {"seat": "p2"}]}
    made = table.post("/v1/games", kept, key="k" * 32)
    waits = table.create(seats=[{"seat": "p1"}, {"seat": "p2", "hold": "open"}])
    joined = table.post(f"{waits.path}/seats", {"seat": "p2", "orderKey": key}, key="j" * 32)
    for answer, code, pointer in (
        (made, "seats.invalid", "/seats"), (joined, "seat.key-unfit", "/orderKey/public"),
    ):  # fmt: skip
        told = answer.json()
        assert (answer.status_code, told["code"]) == (422, code)
        assert [each["pointer"] for each in told["errors"]] == [pointer]
    assert table.get(waits.path).json()["seats"][1]["held"] == "open"


# Whole games, by the client


@pytest.fixture
def http(tmp_path: Path) -> Iterator[TestClient[Any]]:
    settings = Settings(
        database=tmp_path / "decklog.sqlite", rate_limit=0, chain_length=256, log_level="WARNING"
    )
    with TestClient(create_app(settings, {"pennant": GAME})) as made:
        yield made


def played(http: TestClient[Any], *signers: Signer | None, page: bool = False) -> bytes:
    """A game to its end; p1 keeps its seat, p2 takes it. Its evidence."""
    client = DecklogClient(str(http.base_url), http=http)
    one, two = signers
    first: dict[str, Any] = {"seat": "p1"}
    if one is not None:
        first["orderKey"] = {**one.registered, "keeper": "page" if page else "client"}
    seats = [first, {"seat": "p2", "hold": "open"}]
    made = client.create_game(ruleset="pennant", seats=seats)
    game = made["game"]["id"]
    token = client.take_seat(game, "p2", signer=two)["token"]
    players = {
        "p1": client.as_holder(made["tokens"][0]["token"], one), "p2": client.as_holder(token, two),
    }  # fmt: skip
    while asked := client.summary(game)["toMove"]:
        player = players[asked[0]["seat"]]
        player.act(game, lambda listed: dict(listed["items"][0]["command"]))
    return client.evidence(game)


def vouched(data: bytes) -> tuple[int, str, str]:
    told = verify(data, GAMES)
    return told.code, told.orders, next(v.by for v in told.vouched if v.what == "orders")


def test_the_verdict_has_the_grade_of_the_orders(http: TestClient[Any]) -> None:
    code, grade, by = vouched(played(http, ONE, TWO))
    assert (code, grade) == (0, "O1")
    assert by.startswith("grade O1: by their own keys, of which ")
    assert by.endswith(" orders are signed: p1 (O1), p2 (O1)")
    assert vouched(played(http, ONE, TWO, page=True))[:2] == (0, "O1p")
    code, grade, by = vouched(played(http, None, TWO))
    assert (code, grade) == (0, "O0")
    assert by.endswith("p2 (O1); the service alone for p1")
    assert vouched(played(http, None, None)) == (
        0, "O0", "the service alone (grade O0): no order is signed by its seat",
    )  # fmt: skip


def _other(line: dict[str, Any], **changed: Any) -> dict[str, Any]:
    return {**line, "signature": {**line["signature"], **changed}}


def _without(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name != "signature"}


ALTERED: dict[str, Callable[[list[dict[str, Any]]], None]] = {
    "no signature": lambda lines: lines.__setitem__(0, _without(lines[0])),
    "another question": lambda lines: lines.__setitem__(0, _other(lines[0], question="x")),
    "another value": lambda lines: lines.__setitem__(0, _other(lines[0], value="00" * 64)),
    "no value": lambda lines: lines.__setitem__(0, _other(lines[0], value="none")),
    "in capitals": lambda lines: lines.__setitem__(
        0, _other(lines[0], value=lines[0]["signature"]["value"].upper())
    ),
    "that of another order": lambda lines: lines.__setitem__(
        2, {**lines[2], "signature": lines[0]["signature"]}
    ),
}


@pytest.mark.parametrize("how", ALTERED)
def test_a_tampered_signature_is_refuted(http: TestClient[Any], how: str) -> None:
    files = container.unpack(played(http, ONE, TWO))
    manifest = msgspec.json.decode(files.pop(bundle.MANIFEST), type=bundle.Manifest)
    lines = [msgspec.json.decode(line) for line in files[bundle.COMMANDS].splitlines()]
    ALTERED[how](lines)
    files[bundle.COMMANDS] = b"".join(canonical(line) + b"\n" for line in lines)
    data = bundle.pack(files, manifest.game, manifest.head, manifest.rules, manifest.viewer)
    told = verify(data, GAMES)
    assert told.code == 1
    assert told.finding is not None
    assert (told.finding.check, told.finding.what[:12]) == ("order", "signature of")


def test_who_has_a_finished_game_cannot_make_another_with_signed_orders(
    http: TestClient[Any],
) -> None:
    """Even the service, which has the master, cannot give orders in a seat's name."""
    files = container.unpack(played(http, ONE, None))
    manifest = msgspec.json.decode(files.pop(bundle.MANIFEST), type=bundle.Manifest)
    lines = [msgspec.json.decode(line) for line in files[bundle.COMMANDS].splitlines()]
    lines = [_without(line) if line["seat"] == "p1" else line for line in lines]
    files[bundle.COMMANDS] = b"".join(canonical(line) + b"\n" for line in lines)
    data = bundle.pack(files, manifest.game, manifest.head, manifest.rules, manifest.viewer)
    told = verify(data, GAMES)
    assert (told.code, told.finding and told.finding.found) == (1, "none")
