"""Rule 13: what may be kept for ever says so in its own address; what a token shows never is."""

from __future__ import annotations

import pytest

from service.http.registry import operations
from service.http.rulesets import TAG
from service.openapi.document import COMMITTED
from tests.service.http.table import Table, code
from tests.service.http.test_access import NAMES
from tests.support.pennant import GAME

BASE = "/v1/rulesets/pennant"
OTHER = "0" * 64
UNIT = GAME.catalogue.units()[0].id
ABILITIES = [each.id for each in GAME.catalogue.abilities()]
RULE = GAME.catalogue.rules()[0].id
PLACES = [
    BASE, *(f"{BASE}/{name}" for name in ("units", "abilities", "rules", "scenarios", "maps")),
    f"{BASE}/units/{UNIT}", f"{BASE}/rules/{RULE}", f"{BASE}/customs",
    f"{BASE}/customs/scenario/schema", *(f"{BASE}/abilities/{each}" for each in ABILITIES[:1]),
]  # fmt: skip


@pytest.fixture
def digest(table: Table) -> str:
    """Of the rules that are installed, as their ruleset says."""
    found: str = table.get(BASE).json()["digest"]
    assert len(found) == 64
    return found


@pytest.fixture
def texts(table: Table, digest: str) -> str:
    """Of all that the ruleset shows, as it says."""
    found: str = table.get(BASE).json()["texts"]
    assert len(found) == 64
    assert found != digest
    return found


def test_the_digest_is_that_of_games(table: Table, digest: str) -> None:
    game = table.get(table.create().path).json()
    assert game["rules"]["digest"] == digest
    for place in ("/v1", "/v1/rulesets"):
        answer = table.get(place).json()
        (only,) = answer["rulesets"] if place == "/v1" else answer["items"]
        assert only["digest"] == digest


@pytest.mark.parametrize("place", PLACES)
def test_what_names_its_texts_may_be_kept_for_ever(
    table: Table, digest: str, texts: str, place: str
) -> None:
    present, named = table.get(place), table.get(f"{place}?digest={texts}")
    assert present.headers["cache-control"] == "public, max-age=300"
    assert named.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert (named.content, named.headers["etag"]) == (present.content, present.headers["etag"])
    again = table.get(f"{place}?digest={texts}", If_None_Match=named.headers["etag"])
    assert (again.status_code, again.headers["cache-control"]) == (
        304, named.headers["cache-control"],
    )  # fmt: skip
    other = table.get(f"{place}?digest={OTHER}")
    assert code(other) == "ruleset.other-version"
    assert other.headers["cache-control"] == "no-store"
    assert digest in other.json()["hint"]


def test_every_operation_of_the_catalogue_can_be_asked_so() -> None:
    """All but the list of the rulesets, which is what changes."""
    asked = {
        each.id for each in operations() if "digest" in each.query
    }  # fmt: skip
    catalogue = {each.id for each in operations() if each.tag == TAG} - {"listRulesets"}
    assert asked == catalogue | {"listCustomKinds", "getCustomSchema"}
    assert b"ruleset.other-version" in COMMITTED.read_bytes()


@pytest.mark.parametrize("place", PLACES)
def test_what_names_its_rules_is_of_them_and_may_be_improved(
    table: Table, digest: str, place: str
) -> None:
    """A sentence may be mended without another digest, so nobody is told to keep it for ever."""
    present, named = table.get(place), table.get(f"{place}?digest={digest}")
    assert named.headers["cache-control"] == "public, max-age=300"
    assert (named.content, named.headers["etag"]) == (present.content, present.headers["etag"])


def test_the_next_page_is_of_the_same_rules(table: Table, texts: str) -> None:
    page = table.get(f"{BASE}/rules?limit=1&digest={texts}")
    following = page.links["next"]["url"]
    assert f"digest={texts}" in following
    assert "immutable" in table.get(following).headers["cache-control"]


def test_which_refusal_comes_first(table: Table) -> None:
    wrong = f"digest={OTHER}"
    assert code(table.get(f"{BASE}/units?{wrong}&limit=0")) == "query.invalid"
    assert code(table.get(f"{BASE}?digest=latest")) == "query.invalid"
    assert code(table.get(f"{BASE}/units/nobody?{wrong}")) == "ruleset.other-version"
    assert code(table.get(f"/v1/rulesets/chess?{wrong}")) == "resource.not-found"


def test_no_other_answer_says_that_it_never_changes(table: Table) -> None:
    """Without a version in the address; and what a token shows is kept by nobody at all."""
    match = table.create()
    table.play_out(match)
    body = {"name": "Regatta", "turns": 2}
    custom = table.post(f"{BASE}/customs/scenario", body).json()["id"]
    names = {**NAMES, "game": match.id, "webhook": "none", "delivery": "none"}
    names |= {"code": "version.stale", "custom": custom, "unit": UNIT, "rule": RULE}
    names["roll"] = table.get(f"{match.path}/rolls").json()["items"][0]["id"]
    forever = set()
    for operation in operations():
        if operation.method != "GET" or operation.id == "listEvents":
            continue
        path = operation.path.format(**names)
        plain = table.get(path)
        if plain.status_code < 400 and "immutable" in plain.headers["cache-control"]:
            forever.add(operation.id)
        if operation.access != "open":
            for suffix in ("", "?at=2") if operation.id == "getView" else ("",):
                seen = table.get(path + suffix, match.tokens["p1"])
                assert seen.headers["cache-control"] == "no-store", operation.id
    assert forever == set()
