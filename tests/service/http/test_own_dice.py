"""Whole games of grade A1 over HTTP, by what the document says and nothing else.

Every seat brings a dice chain of its own, made with hashlib alone.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from litestar.testing import TestClient

from domain.kernel.finder import games
from service.app import create_app
from service.evidence.verify import verify
from service.settings import Settings
from tests.service.http.table import Match, Table, code
from tests.service.http.test_war_at_sea import Sometimes
from tests.support import soundings

LENGTH = 1024
CHECKED = 30
"""Every so many commands the answers are held against the document, and the ledger is read."""


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def lp(value: bytes) -> bytes:
    return u32(len(value)) + value


def salt(game: dict[str, Any]) -> bytes:
    """G, or what takes its place when the chains were renewed."""
    g = bytes.fromhex(game["params"])
    if not game["renewals"]:
        return g
    renewed = lp(b"nwd1/renewed") + u32(2) + lp(g) + lp(u32(game["renewals"]))
    return hashlib.sha256(renewed).digest()


def own_chain(secret: bytes, game: dict[str, Any], place: int) -> list[bytes]:
    """r[0] to r[N], as the description of ``takeSeat`` gives them."""
    g = salt(game)
    key = hmac.digest(g, secret, "sha256")
    link = hmac.digest(key, b"nwd1/player-chain" + bytes([place, 1]), "sha256")
    links = [link]
    for i in range(game["chainLength"], 0, -1):
        head = lp(b"nwd1/link") + u32(5) + lp(g) + lp(b"P" + bytes([place])) + lp(b"")
        link = hashlib.sha256(head + lp(u32(i)) + lp(link)).digest()
        links.append(link)
    return links[::-1]


@contextmanager
def service(
    folder: Path, length: int = LENGTH, rulesets: dict[str, Any] | None = None
) -> Iterator[Table]:
    settings = Settings(
        database=folder / "own.sqlite", rate_limit=0, chain_length=length, log_level="WARNING"
    )
    app = create_app(settings, rulesets or games())
    with TestClient(app) as client:
        yield Table(client, Sometimes(json.loads(app.state.http.describe())))


def invited(table: Table) -> tuple[Match, dict[str, list[bytes]]]:
    """A game whose seats were taken with invitation and tip."""
    seats = [{"seat": "p1", "hold": "invite"}, {"seat": "p2", "hold": "invite"}]
    match = table.create(ruleset="war-at-sea", grade="A1", seats=seats)
    made = match.created.json()
    assert made["tokens"] == []
    chains = {}
    for place, given in enumerate(made["invitations"]):
        seat = given["seat"]
        chains[seat] = own_chain(bytes([7 + place]) * 32, made["game"], place)
        wish = {"seat": seat, "invitation": given["token"], "diceTip": chains[seat][0].hex()}
        taken = table.post(f"{match.path}/seats", wish)
        assert taken.status_code == 201, taken.text
        match.tokens[seat] = taken.json()["token"]
        spent = table.post(f"{match.path}/seats", wish)
        assert code(spent) == "seat.taken"
    return match, chains


def play(table: Table, match: Match, chains: dict[str, list[bytes]], random: Random) -> int:
    """Random offers to the end, each with its seat's link; how many were posted."""
    for given in range(3000):
        table.contract.looking = given % CHECKED == 0  # type: ignore[attr-defined]
        game = table.get(match.path).json()
        if game["status"] == "finished":
            return given
        offer, item = table.by_chance(match, game["toMove"], random, given)
        seat, command = offer["seat"], item["command"]
        link = chains[seat][offer["nextBatch"]].hex()
        if given % CHECKED == 0:
            refuse_other_links(table, match, chains, offer, command)
            table.get(f"{match.path}/rolls?limit=1")
        done = table.command(match, seat, command, offer["version"], Decklog_Dice_Link=link)
        assert done.status_code == 200, done.text
    raise AssertionError("the battle does not end")


def refuse_other_links(
    table: Table, match: Match, chains: dict[str, list[bytes]], offer: dict[str, Any], command: Any
) -> None:
    """No link, a stale one, a later one, the other seat's: each refused, and nothing happens."""
    seat, batch = offer["seat"], offer["nextBatch"]
    other = chains["p2" if seat == "p1" else "p1"][batch]
    wrong = (chains[seat][batch - 1], chains[seat][batch + 1], other)
    refused = table.command(match, seat, command, offer["version"])
    assert (refused.status_code, code(refused)) == (422, "dice.link-missing")
    for link in wrong:
        refused = table.command(
            match, seat, command, offer["version"], Decklog_Dice_Link=link.hex()
        )
        assert (refused.status_code, code(refused)) == (422, "dice.link-wrong")
        assert str(batch) in refused.json()["detail"]
    assert table.version(match) == offer["version"]


def ledger(table: Table, match: Match) -> list[dict[str, Any]]:
    """The whole dice ledger, page by page."""
    path, found = f"{match.path}/rolls?limit=50", []
    while path:
        page = table.get(path)
        found += page.json()["items"]
        path = page.links["next"]["url"] if "next" in page.links else ""
    return found


@pytest.mark.slow("clients")
def test_a_battle_with_the_players_own_dice(tmp_path: Path) -> None:
    with service(tmp_path) as table:
        match, chains = invited(table)
        assert play(table, match, chains, Random(4)) > 50
        carried_on = ledger(table, match)
        evidence = table.get(f"{match.path}/evidence").content

    with service(tmp_path) as table:
        assert ledger(table, match) == carried_on, "read at once is as read on the way"

    assert len({roll["id"] for roll in carried_on}) == len(carried_on) > 20
    for roll in carried_on:
        if roll["causedBy"]:
            opened = [link for link in roll["proof"]["playerLinks"] if link]
            assert opened in ([chains[s][roll["batch"]].hex()] for s in ("p1", "p2"))
    verdict = verify(evidence, games())
    assert (verdict.word, verdict.grade) == ("UPHELD", "A1")


def seated(table: Table) -> Match:
    """Three seats with hidden hands; each is taken by who brings a chain."""
    seats = [{"seat": f"p{number}", "hold": "open"} for number in (1, 2, 3)]
    options = {"turns": 30, "deal": False}
    match = table.create(ruleset="soundings", grade="A1", seats=seats, options=options)
    for place, wish in enumerate(seats):
        tip = own_chain(SECRETS[place], table.get(match.path).json(), place)[0].hex()
        body = {"seat": wish["seat"], "diceTip": tip}
        taken = table.post(f"{match.path}/seats", body)
        assert taken.status_code == 201, taken.text
        match.tokens[wish["seat"]] = taken.json()["token"]
    return match


SECRETS = tuple(bytes([number]) * 32 for number in (7, 8, 9))


def sent(game: dict[str, Any], place: int) -> dict[str, Any]:
    """The headers that a seat's command carries now."""
    chain = own_chain(SECRETS[place], game, place)
    batch = game["nextBatch"] + game["linkCredit"] - 1
    headers: dict[str, Any] = {"Decklog_Dice_Link": chain[batch - game["firstBatch"] + 1].hex()}
    if not game["seats"][place]["diceTip"]:
        headers["Decklog_Dice_Tip"] = chain[0].hex()
    return headers


def test_hidden_dice_with_the_players_own_and_chains_that_are_spent(tmp_path: Path) -> None:
    with service(tmp_path, 16, {"soundings": soundings.GAME}) as table:
        match = seated(table)
        refused = {"dice.exhausted": 0}
        while (game := table.get(match.path).json())["status"] != "finished":
            seat = game["toMove"][0]["seat"]
            headers = sent(game, int(seat[1:]) - 1)
            kind = {"type": f"soundings.{'gale' if game['version'] % 3 else 'draw'}"}
            if "Decklog_Dice_Tip" in headers:
                bare: dict[str, Any] = {"Decklog_Dice_Link": headers["Decklog_Dice_Link"]}
                refused[code(table.command(match, seat, kind, **bare))] += 1
            done = table.command(match, seat, kind, **headers)
            assert done.status_code == 200, done.text
        # Each of the three once a renewal; the game may end before all have come after the last.
        whole = (game["renewals"] - 1) * 3
        assert 3 <= whole <= refused["dice.exhausted"] <= whole + 3
        evidence = table.get(f"{match.path}/evidence").content
    verdict = verify(evidence, {"soundings": soundings.GAME}, grade="A1")
    assert (verdict.word, verdict.grade) == ("UPHELD", "A1"), verdict.text()


def test_links_are_given_once_however_often_they_are_sent(tmp_path: Path) -> None:
    with service(tmp_path, 64, {"soundings": soundings.GAME}) as table:
        match = seated(table)
        path, token = f"{match.path}/links", match.tokens["p2"]
        chain = own_chain(SECRETS[1], table.get(match.path).json(), 1)
        giving = {"upto": 9, "link": chain[9].hex()}
        first = table.post(path, giving, token, key="a-key-of-this-world-000000000001")
        assert first.status_code == 200, first.text
        assert [seat["linksUpto"] for seat in first.json()["seats"]] == [0, 9, 0]
        again = table.post(path, giving, token, key="a-key-of-this-world-000000000001")
        assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
        assert again.json()["version"] == first.json()["version"]
        other = {"upto": 10, "link": chain[10].hex()}
        reused = table.post(path, other, token, key="a-key-of-this-world-000000000001")
        assert code(reused) == "idempotency.key-reused"
        wrong = table.post(path, {**other, "link": chain[11].hex()}, token)
        assert (wrong.status_code, code(wrong)) == (422, "dice.link-wrong")
        for bare in ({"upto": 12}, {"link": chain[12].hex()}, {}):
            assert code(table.post(path, bare, token)) == "dice.link-unexpected"
