"""What events mean, over HTTP: a loss is found without the name of any event."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.settings import Settings
from tests.service.http.table import Table, code, sunk
from tests.service.http.test_records import pages
from tests.support import pennant
from tests.support.contract import Contract

NAMES = (pennant.TenderLost.NAME, "small-craft-sunk")
"""As the event is called, and as it might be called one day."""


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(pennant.TenderLost, "NAME", request.param)
    return str(request.param)


@pytest.fixture
def renamed(name: str, settings: Settings) -> Iterator[Table]:
    game = pennant.mutant(title=f"Pennant with {name}")  # a document of its own
    app = create_app(settings, {"pennant": game})
    with TestClient(app) as client:
        yield Table(client, Contract.of(app.state.http.describe()))


def test_a_loss_is_found_whatever_its_event_is_called(renamed: Table, name: str) -> None:
    match, event = sunk(renamed)
    [role] = event["roles"]
    tender, owner, by = event["data"]["tender"], event["data"]["seat"], event["actor"]
    lost = {"role": "lost", "unit": tender, "seat": owner, "by": by, "cause": "magazine"}
    assert role == lost
    assert event["type"] == f"pennant.{name}"
    for query in ("role=lost", f"unit={tender}&role=lost", f"type={name}"):
        found = pages(renamed, f"{match.path}/mentions?{query}")
        assert [each["event"]["seq"] for each in found] == [event["seq"]], query
        assert found[0]["roles"][0] == "lost"
    [figures] = renamed.get("/v1/statistics").json()["items"]
    assert figures["losses"] == 1


def test_roles_are_searched_for_all_units(table: Table) -> None:
    match, _ = sunk(table)
    fired = pages(table, f"{match.path}/mentions?role=attacked&limit=3")
    assert [each["event"]["type"] for each in fired] == ["pennant.fire-declared"] * len(fired)
    assert len(fired) == len(pages(table, f"{match.path}/mentions?type=fire-declared"))
    assert pages(table, f"{match.path}/mentions?role=left") == []
    assert code(table.get(f"{match.path}/mentions?role=attacker")) == "query.invalid"
    own = pages(table, f"{match.path}/mentions?role=attacked&unit=p2")
    assert own
    assert all(each["event"]["actor"] == "p1" for each in own)
