"""Who may do what: every operation, asked by every role, of its own game, another and none.

``access.json`` is the expected matrix: by operation and object one status for each role. An
operation without a row fails. ``python -m tests.service.api.test_access`` prints the matrix as it
is, to be looked at before it is kept.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from service.api.operation import Operation
from service.api.registry import OPERATIONS
from service.app import create_app
from service.settings import Settings
from tests.service.api.table import Table
from tests.support.contract import Contract
from tests.support.pennant import GAME

EXPECTED = Path(__file__).with_name("access.json")
ROLES = ("nobody", "p1", "organiser", "stranger", "invitation", "revoked", "malformed")
NONE = "0" * 32
NAMES = {"ruleset": "pennant", "unit": "none", "ability": "none", "rule": "PEN-3", "roll": "none"}
NAMES |= {"kind": "scenario", "custom": "none", "file": "none.js"}
BODIES: dict[str, Any] = {
    "createGame": {"ruleset": "pennant"},
    "takeSeat": {"seat": "p9"},
    "giveCommand": {"type": "fire", "aim": "hull"},
    "checkCommand": {"type": "fire", "aim": "hull"},
    "checkCustom": {"name": "Regatta", "turns": 2},
    "createFork": {"seed": "matrix"},
    "getOdds": {"roll": {"pools": [{"count": 1, "worth": [0, 1]}]}},
    "createCustom": {"name": "Regatta", "turns": 2},
}
"""Bodies that nobody may have accepted, except that anybody creates games and posts documents."""


@contextmanager
def house(folder: Path) -> Iterator[tuple[Table, dict[str, str], str]]:
    """A service with a game, the tokens of all roles, and the id of the game they belong to."""
    settings = Settings(
        database=folder / "access.sqlite", rate_limit=0, chain_length=64, log_level="ERROR"
    )
    app = create_app(settings, {"pennant": GAME})
    with TestClient(app) as client:
        table = Table(client, Contract(json.loads(app.state.http.document)))
        match = table.create(seats=[{"seat": "p1"}, {"seat": "p2", "hold": "invite"}])
        other = table.create()
        revoked = other.tokens["p2"]
        assert table.ask("DELETE", "/v1/token", revoked).status_code == 204
        tokens = {
            "nobody": "",
            "p1": match.tokens["p1"],
            "organiser": match.organiser,
            "stranger": other.tokens["p1"],
            "invitation": match.created.json()["invitations"][0]["token"],
            "revoked": revoked,
            "malformed": "dl_seat_nobody",
        }
        yield table, tokens, match.id


def statuses(operation: Operation, folder: Path) -> dict[str, list[int]]:
    """By object, the status that each role gets, each in a house of its own."""
    objects = ("a game", "no game") if "{game}" in operation.path else ("the service",)
    found: dict[str, list[int]] = {name: [] for name in objects}
    for role in ROLES:
        home = folder / f"{operation.id}-{role}"
        home.mkdir()
        with house(home) as (table, tokens, game):
            for name in objects:
                found[name].append(_asked(table, operation, game, tokens[role], name == "no game"))
    return found


def _asked(table: Table, operation: Operation, game: str, token: str, absent: bool) -> int:
    names = {**NAMES, "game": NONE if absent else game, "code": "version.stale"}
    path = operation.path.format(**names)
    if operation.id == "listEvents":
        path += "?limit=1"
    if operation.body is None:
        return table.ask(operation.method, path, token).status_code
    version = 0 if absent else int(table.get(f"/v1/games/{game}").json()["version"])
    return table.post(path, BODIES[operation.id], token, version=version).status_code


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.id)
def test_every_role_gets_what_the_matrix_says(operation: Operation, tmp_path: Path) -> None:
    expected = json.loads(EXPECTED.read_text("utf-8"))
    assert tuple(expected["roles"]) == ROLES
    assert operation.id in expected["operations"], "a new operation needs a row"
    assert statuses(operation, tmp_path) == expected["operations"][operation.id]


def test_the_matrix_has_no_rows_of_operations_that_are_gone() -> None:
    rows = json.loads(EXPECTED.read_text("utf-8"))["operations"]
    assert set(rows) == {operation.id for operation in OPERATIONS}


def main() -> None:
    """Print the matrix as the service has it now."""
    with tempfile.TemporaryDirectory() as folder:
        rows = {each.id: statuses(each, Path(folder)) for each in OPERATIONS}
    lines = [f'  "{name}": {json.dumps(row)}' for name, row in rows.items()]
    told = ",\n".join(lines)
    sys.stdout.write(f'{{\n "roles": {json.dumps(ROLES)},\n "operations": {{\n{told}\n }}\n}}\n')


if __name__ == "__main__":
    main()
