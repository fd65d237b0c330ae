"""The chain: hash what you store, refuse what does not follow; seals open for whom they should."""

from __future__ import annotations

import hashlib
import hmac
import json

import msgspec
import pytest

from domain.kernel.codec import canonical
from domain.kernel.values import Known
from service.dice import nwd1
from service.evidence import chain
from service.evidence.chain import GENESIS, NO_CAUSE, NULL, Chain, ChainError, Link, Seals
from tests.support import pennant

GAME = "ab" * 16
SEALS = Seals(b"\x01" * 32, b"\x02" * 32)


def three() -> list[Link]:
    made = Chain(GAME, SEALS)
    return [
        made.add(
            type="pennant.passed", schema=1, at="2026-11-21T14:00:00.000Z", actor="p1",
            cause=SEALS.cause(f"c_{n}", b"{}"), data=b'{"n":%d}' % n, payloads={"p1": NULL},
        )
        for n in range(3)
    ]  # fmt: skip


def verify(link: Link, seq: int, prev: str, game: str = GAME) -> chain.Envelope:
    return chain.verify(link.body, link.hash, game=game, seq=seq, prev=prev)


def test_the_hash_is_over_the_very_text() -> None:
    link = three()[0]
    text = b"\x00\x00\x00\x0anwe1/event\x00\x00\x00\x01" + len(link.body).to_bytes(4, "big")
    assert link.hash == hashlib.sha256(text + link.body).hexdigest()
    assert link.hash == nwd1.th("nwe1/event", link.body).hex()


def test_the_text_is_canonical() -> None:
    link = three()[0]
    plain = json.loads(link.body)
    assert json.dumps(plain, sort_keys=True, separators=(",", ":")).encode() == link.body
    assert list(plain) == [
        "actor", "at", "cause", "data", "game", "prev", "schema", "sealed", "seq", "type", "v",
    ]  # fmt: skip


def test_each_event_names_the_hash_of_the_one_before() -> None:
    one, two, three_ = three()
    assert verify(one, 1, GENESIS).data == msgspec.Raw(b'{"n":0}')
    assert verify(two, 2, one.hash).seq == 2
    assert verify(three_, 3, two.hash).prev == two.hash


def test_a_chain_goes_on_where_it_was_stored() -> None:
    one, two, _ = three()
    added = Chain(GAME, SEALS, 2, two.hash).add(
        type="t", schema=1, at="", actor="p1", cause=NO_CAUSE, data=b"{}"
    )
    envelope = verify(added, 3, two.hash)
    assert (envelope.seq, envelope.cause, envelope.sealed) == (3, NO_CAUSE, {})
    assert one.hash != added.hash


@pytest.mark.parametrize(
    ("check", "seq", "prev", "game"),
    [("seq", 2, GENESIS, GAME), ("prev", 1, "1" * 64, GAME), ("game", 1, GENESIS, "cd" * 16)],
)
def test_an_event_in_the_wrong_place(check: str, seq: int, prev: str, game: str) -> None:
    with pytest.raises(ChainError) as caught:
        verify(three()[0], seq, prev, game)
    assert (caught.value.check, caught.value.seq) == (check, seq)


def test_an_altered_event() -> None:
    link = three()[0]
    altered = msgspec.structs.replace(link, body=link.body.replace(b'"n":0', b'"n":1'))
    with pytest.raises(ChainError) as caught:
        verify(altered, 1, GENESIS)
    assert caught.value.check == "hash"
    assert (caught.value.expected, caught.value.found) == (link.hash, chain.hash_of(altered.body))


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"\xff", b'{"v":1,"unknown":2}'])
def test_text_that_is_no_event(body: bytes) -> None:
    with pytest.raises(ChainError) as caught:
        chain.verify(body, chain.hash_of(body), game=GAME, seq=1, prev=GENESIS)
    assert caught.value.check == "form"


def test_seals_spelled_out() -> None:
    info = b"nwd1/seal\x00\x00\x00\x02p1"
    extracted = hmac.new(b"\x02" * 32, b"\x01" * 32, "sha256").digest()
    key = hmac.new(extracted, info + b"\x01", "sha256").digest()
    salt = hmac.new(key, b"nwe1/salt" + (7).to_bytes(8, "big"), "sha256").digest()
    assert SEALS.key("p1") == key
    assert SEALS.salt("p1", 7) == salt
    assert SEALS.seal("p1", 7, b'{"a":1}') == nwd1.th("nwe1/sealed", salt, b'{"a":1}').hex()


def test_equal_payloads_look_different_for_each_viewer_and_event() -> None:
    seals = {SEALS.seal(v, seq, NULL) for v in ("p1", "p2", "truth", "state") for seq in (1, 2)}
    assert len(seals) == 8


def test_a_command_cannot_be_guessed_from_its_digest() -> None:
    cause = SEALS.cause("c_1", b'{"colour":"bold"}')
    salt = hmac.new(SEALS.key("truth"), b"nwe1/command-saltc_1", "sha256").digest()
    assert cause.digest == nwd1.th("nwe1/command", salt, b'{"colour":"bold"}').hex()
    assert cause.digest != SEALS.cause("c_2", b'{"colour":"bold"}').digest
    assert cause.digest != Seals(bytes(32), b"\x02" * 32).cause("c_1", b'{"colour":"bold"}').digest


def test_payloads_have_the_same_shape_whatever_happened() -> None:
    game = pennant.GAME
    secret = pennant.Chosen(seat="p1", choice=Known(("bold",)))
    public = pennant.TurnPassed(seat="p1")
    for event in (secret, public):
        data = chain.public_data(game, event, canonical(event))
        assert set(chain.payloads(game, event, data, ("p1", "p2"))) == {"p1", "p2", "truth"}
    data = chain.public_data(game, secret, canonical(secret))
    hidden = chain.payloads(game, secret, data, ("p1", "p2"))
    assert hidden["p2"] == NULL
    assert hidden["p1"] == hidden["truth"] != NULL
    assert b"bold" not in data
    data = chain.public_data(game, public, canonical(public))
    shown = chain.payloads(game, public, data, ("p1", "p2"))
    assert set(shown.values()) == {NULL}


def test_the_digest_of_a_state() -> None:
    state = {"b": 1, "a": (1, 2)}
    digest = nwd1.th("nwe1/state", b'{"a":[1,2],"b":1}').hex()
    assert chain.state_payload(state) == b'{"state":"%s"}' % digest.encode()
