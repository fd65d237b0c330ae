"""Who may do what: every operation, asked by every role, of its own game, another and none.

``access.json`` is the expected matrix: by operation and object one status for each role. An
operation without a row fails. ``python -m tests.service.http.test_access`` prints the matrix as it
is, to be looked at before it is kept.
"""

from __future__ import annotations

import json
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.evidence.digest import rules_digest
from service.http.operation import Operation
from service.http.registry import operations
from service.settings import Settings
from tests.service.http.table import Table
from tests.support.contract import Contract
from tests.support.pennant import GAME

EXPECTED = Path(__file__).with_name("access.json")
ROLES = ("nobody", "p1", "organiser", "stranger", "invitation", "revoked", "malformed", "p2")
"""p1 is who made what is asked for, such as a webhook; p2 is the other seat of its game."""
NONE = "0" * 32
NO_ROW = ["none"] * len(ROLES)
NAMES = {"ruleset": "pennant", "unit": "none", "ability": "none", "rule": "PEN-3", "roll": "none"}
NAMES |= {"kind": "scenario", "custom": "none", "page": "quick-start", "asset": "reference.js"}
NAMES |= {"file": "none.js", "document": "pennant.json", "digest": rules_digest(GAME).hex()}
BODIES: dict[str, Any] = {
    "createGame": {"ruleset": "pennant"},
    "takeSeat": {"seat": "p9"},
    "giveCommand": {"type": "pennant.fire", "aim": "hull"},
    "checkCommand": {"type": "pennant.fire", "aim": "hull"},
    "checkCustom": {"name": "Regatta", "turns": 2},
    "createFork": {"seed": "matrix"},
    "giveAgreement": {"digest": rules_digest(GAME).hex()},
    "giveLinks": {"upto": 1, "link": "00" * 32},
    "giveTakeback": {"command": "c_0"},
    "giveKey": {"public": "00" * 32, "signature": "00" * 64},
    "getOdds": {"roll": {"pools": [{"count": 1, "worth": [0, 1]}]}},
    "createCustom": {"name": "Regatta", "turns": 2},
    "createWebhook": {"url": "no address"},
}
"""Bodies that nobody may have accepted, except that anybody creates games and posts documents."""


@contextmanager
def service(folder: Path) -> Iterator[Table]:
    """A service of which nothing is really sent."""
    settings = Settings(
        database=folder / "access.sqlite",
        rate_limit=0,
        chain_length=64,
        webhook_seconds=0,
        webhook_private=True,
        log_level="ERROR",
    )
    app = create_app(settings, {"pennant": GAME})
    with TestClient(app) as client:
        yield Table(client, Contract.of(app.state.http.describe()))


class House(NamedTuple):
    """A game of a service, the token of a role in it, and the ids of what there is.

    A webhook of p1 and its delivery are there.
    """

    table: Table
    token: str
    ids: dict[str, str]


def house(table: Table, role: str) -> House:
    """A house of its own for the role."""
    match = table.create(seats=[{"seat": "p1"}, {"seat": "p2", "hold": "invite"}])
    other = table.create()
    revoked = other.tokens["p2"]
    assert table.ask("DELETE", "/v1/token", revoked).status_code == 204
    invitation = match.created.json()["invitations"][0]["token"]
    tokens = {
        "nobody": "",
        "p1": match.tokens["p1"],
        "organiser": match.organiser,
        "stranger": other.tokens["p1"],
        "invitation": invitation,
        "revoked": revoked,
        "malformed": "dl_seat_nobody",
    }
    if role == "p2":
        taking = {"seat": "p2", "invitation": invitation}
        tokens["p2"] = table.post(f"{match.path}/seats", taking).json()["token"]
    hook = table.post(f"{match.path}/webhooks", {"url": "http://127.0.0.1:9/"}, tokens["p1"])
    sent = table.post(f"{hook.headers['location']}/test", None, tokens["p1"])
    ids = {"game": match.id, "webhook": hook.json()["webhook"]["id"]}
    return House(table, tokens[role], {**ids, "delivery": sent.json()["id"]})


class Houses:
    """A house for each role in which only reading and checking goes on, else a fresh one."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._reading: dict[str, House] = {}

    def of(self, operation: Operation, role: str) -> House:
        if operation.writes or operation.method not in ("GET", "POST"):
            return house(self._table, role)
        if role not in self._reading:
            self._reading[role] = house(self._table, role)
        return self._reading[role]


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Houses]:
    with service(tmp_path_factory.mktemp("access")) as table:
        yield Houses(table)


def statuses(operation: Operation, houses: Houses) -> dict[str, list[int]]:
    """By object, the status that each role gets."""
    objects = ("a game", "no game") if "{game}" in operation.path else ("the service",)
    found: dict[str, list[int]] = {name: [] for name in objects}
    for role in ROLES:
        table, token, ids = houses.of(operation, role)
        # What is not there first: asking for what is there may change it.
        for name in objects[::-1]:
            absent = name == "no game"
            found[name].append(_asked(table, operation, ids, token, absent=absent))
    return found


def _asked(
    table: Table, operation: Operation, ids: dict[str, str], token: str, *, absent: bool
) -> int:
    names = {**NAMES, **ids, "code": "version.stale"}
    if absent:
        names["game"] = NONE
    path = operation.path.format(**names)
    if operation.id == "listEvents":
        path += "?limit=1"
    if operation.body is None:
        headers = {"Idempotency-Key": str(uuid.uuid4())} if operation.writes else {}
        return table.ask(operation.method, path, token, headers).status_code
    version = 0 if absent else int(table.get(f"/v1/games/{ids['game']}").json()["version"])
    return table.post(path, BODIES[operation.id], token, version=version).status_code


@pytest.mark.parametrize("operation", operations(), ids=lambda each: each.id)
def test_every_role_gets_what_the_matrix_says(operation: Operation, houses: Houses) -> None:
    expected = json.loads(EXPECTED.read_text("utf-8"))
    assert tuple(expected["roles"]) == ROLES
    assert operation.id in expected["operations"], (
        f"{operation.id} is new: access.json needs its row, "
        "which python -m tests.service.http.test_access prints"
    )
    found, row = statuses(operation, houses), expected["operations"][operation.id]
    other = [
        f"{role} of {name}: {is_} in place of {said}"
        for name in {*found, *row}
        for role, is_, said in zip(
            ROLES, found.get(name, NO_ROW), row.get(name, NO_ROW), strict=True
        )
        if is_ != said
    ]
    assert not other, f"{operation.id} answers otherwise than access.json says: {sorted(other)}"


def test_the_matrix_has_no_rows_of_operations_that_are_gone() -> None:
    rows = json.loads(EXPECTED.read_text("utf-8"))["operations"]
    gone = sorted(rows.keys() - {operation.id for operation in operations()})
    assert not gone, f"access.json has rows of operations that are gone: {gone}"


def main() -> None:
    """Print the matrix as the service has it now."""
    with tempfile.TemporaryDirectory() as folder, service(Path(folder)) as table:
        houses = Houses(table)
        rows = {each.id: statuses(each, houses) for each in operations()}
    lines = [f'  "{name}": {json.dumps(row)}' for name, row in rows.items()]
    told = ",\n".join(lines)
    sys.stdout.write(f'{{\n "roles": {json.dumps(ROLES)},\n "operations": {{\n{told}\n }}\n}}\n')


if __name__ == "__main__":
    main()
