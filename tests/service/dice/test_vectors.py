"""Every field of the two NWD-1 vectors, recomputed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from service.dice import nwd1
from service.dice.vault import DiceBook

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "dice-vectors.json").read_text()
)
BY_NAME = pytest.mark.parametrize("vector", VECTORS, ids=[v["name"] for v in VECTORS])
ROLLS = pytest.mark.parametrize(
    ("vector", "roll"),
    [(v, r) for v in VECTORS for r in v["rolls"]],
    ids=[r["label"] for v in VECTORS for r in v["rolls"]],
)


def unhex(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


def g_of(vector: dict[str, Any]) -> bytes:
    names = ("game_id", "rules", "scenario")
    game, rules, scenario = (bytes.fromhex(vector[name]) for name in names)
    return nwd1.params(game, rules, scenario, vector["seats"], vector["N"])


def beacon_of(vector: dict[str, Any]) -> nwd1.Beacon | None:
    beacon = vector["beacon"]
    return beacon and nwd1.Beacon(beacon["round"], bytes.fromhex(beacon["randomness"]))


def pools_of(spec: str) -> list[tuple[int, int]]:
    """``2d10 + 1d20`` as pools."""
    return [
        (int(count), int(sides))
        for count, _, sides in (part.strip().partition("d") for part in spec.split("+"))
    ]


def test_there_are_two_vectors() -> None:
    assert [vector["name"] for vector in VECTORS] == ["one", "two"]


@BY_NAME
def test_params(vector: dict[str, Any]) -> None:
    assert g_of(vector).hex() == vector["G"]


@BY_NAME
def test_server_chains(vector: dict[str, Any]) -> None:
    master, g = bytes.fromhex(vector["server_master"]), g_of(vector)
    for domain, seed in vector["server_chain_seed"].items():
        assert nwd1.server_seed(master, g, domain).hex() == seed
        chain = nwd1.server_chain(g, domain)
        tip = chain.down(bytes.fromhex(seed), vector["N"], 0)
        assert tip.hex() == vector["server_tips"][domain]


@BY_NAME
def test_commitment(vector: dict[str, Any]) -> None:
    tips = {domain: bytes.fromhex(tip) for domain, tip in vector["server_tips"].items()}
    backwards = dict(reversed(tips.items()))
    assert nwd1.server_commitment(g_of(vector), backwards).hex() == vector["server_commit"]


@BY_NAME
def test_player_chains(vector: dict[str, Any]) -> None:
    g, n = g_of(vector), vector["N"]
    for place, secret in enumerate(vector["player_secret"]):
        far = nwd1.player_seed(bytes.fromhex(secret), g, place)
        assert far.hex() == vector["player_chain_seed"][place]
        chain = nwd1.player_chain(g, place)
        assert chain.down(far, n, 0).hex() == vector["player_tips"][place]
        if vector["links"][place] is not None:
            assert chain.down(far, n, vector["t"]).hex() == vector["links"][place]


@BY_NAME
def test_batch(vector: dict[str, Any]) -> None:
    context = nwd1.batch_context(g_of(vector), vector["domain"], vector["t"])
    links = [unhex(link) for link in vector["links"]]
    ikm = nwd1.batch_material(bytes.fromhex(vector["s_t"]), links, beacon_of(vector))
    assert context.hex() == vector["ctx"]
    assert (ikm.hex(), len(ikm)) == (vector["ikm"], vector["ikm_len"])
    assert nwd1.batch_key(context, ikm).hex() == vector["K"]


@ROLLS
def test_rolls(vector: dict[str, Any], roll: dict[str, Any]) -> None:
    key, label = bytes.fromhex(vector["K"]), roll["label"]
    assert nwd1.stream(key, label, 64).hex() == roll["stream64"]
    rolled = nwd1.roll(key, label, pools_of(roll["spec"]))
    assert [list(faces) for faces in rolled.faces] == roll["dice"]
    assert (rolled.used, rolled.rejected) == (roll["bytes_used"], roll["rejected"])


@BY_NAME
def test_the_vault_opens_the_same_link(vector: dict[str, Any]) -> None:
    master, g = bytes.fromhex(vector["server_master"]), g_of(vector)
    book = DiceBook(master, g, vector["N"], list(vector["server_tips"]))
    links = [unhex(link) for link in vector["links"]]
    batch = book.open_batch(vector["t"], links, vector["domain"])
    assert batch.link.hex() == vector["s_t"]
    assert book.commitment.hex() == vector["server_commit"]
    if vector["beacon"] is None:
        assert batch.key.hex() == vector["K"]
