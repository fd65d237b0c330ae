"""Keys, notes and envelopes: by the definitions' own vectors, and refused when anything is off."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

import pytest

from service.evidence import ed25519
from service.evidence.signing import (
    BadKey,
    BadSignature,
    SigningKey,
    VerifyKey,
    add_signature,
    read_envelope,
    read_note,
    read_skey,
    read_vkey,
    seal_envelope,
    signed_bytes,
    write_envelope,
    write_note,
)

Check = Callable[[bytes, bytes, bytes], bool]

ORDER = 2**252 + 27742317777372353535851937790883648493
LOG = SigningKey("example.org/nwg/log", hashlib.sha256(b"nwl1 vector log key").digest())
VKEY = "example.org/nwg/log+e4a1b10e+AUjloR5Oo+0oa1L9e/dYFxhR0w2wSpdnDecAnuWH/1Tc"
CHECKPOINT = """example.org/nwg/log
2
bjbeme2zJDfHyMaIrb6Ys8i8JlkwAf7l833X9+24wrA=
"""
SIGNED = (
    CHECKPOINT + "\n— example.org/nwg/log 5KGxDpdD95LB/5GjE02pmaWiI+nkNb/Lxhy4Pd4aR2HgFVBtkOClc7k"
    "EosQIHvfBNHuNtr+wT9zYoDsQPCkX9onC9wA=\n"
)
# RFC 8032, 7.1: secret, public, message, signature.
RFC_8032 = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b"
            "46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11"
            "d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
)
BOTH = pytest.mark.parametrize(
    "verify", [ed25519.verify, ed25519.verify_plainly], ids=["library", "plain"]
)


def key(name: str = "decklog.example/receipts", seed: bytes = bytes(range(32))) -> SigningKey:
    return SigningKey(name, seed)


@BOTH
@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_the_vectors_of_the_rfc(
    verify: Check, secret: str, public: str, message: str, signature: str
) -> None:
    told = bytes.fromhex(message)
    made = SigningKey("vector", bytes.fromhex(secret))
    assert made.verify_key.public.hex() == public
    assert made.sign(told).hex() == signature
    assert verify(bytes.fromhex(public), told, bytes.fromhex(signature))
    assert not verify(bytes.fromhex(public), told + b"x", bytes.fromhex(signature))


def test_library_and_plain_check_agree_on_damaged_signatures() -> None:
    chance = random.Random(29)
    for _ in range(60):
        signer = key(seed=chance.randbytes(32))
        message = chance.randbytes(chance.randrange(80))
        whole = bytearray(signer.verify_key.public + signer.sign(message))
        assert ed25519.verify_plainly(bytes(whole[:32]), message, bytes(whole[32:]))
        whole[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        args = bytes(whole[:32]), message, bytes(whole[32:])
        assert ed25519.verify(*args) == ed25519.verify_plainly(*args) == False  # noqa: E712


@BOTH
def test_a_second_form_of_s_is_refused(verify: Check) -> None:
    signature = key().sign(b"order")
    s = int.from_bytes(signature[32:], "little") + ORDER
    other = signature[:32] + s.to_bytes(32, "little")
    assert not verify(key().verify_key.public, b"order", other)


@BOTH
@pytest.mark.parametrize("y", [0, 1, 2**255 - 20, 2**255 - 18])
def test_keys_of_small_order_and_second_forms_are_none(verify: Check, y: int) -> None:
    """Under such a key one signature fits every message."""
    public = y.to_bytes(32, "little")
    assert not ed25519.is_key(public)
    assert not verify(public, b"anything", (1).to_bytes(32, "little") + bytes(32))
    with pytest.raises(BadKey):
        VerifyKey("weak", public)


def test_the_vector_of_the_log() -> None:
    assert str(LOG.verify_key) == VKEY
    assert write_note(CHECKPOINT, [LOG]) == SIGNED
    note = read_note(SIGNED)
    assert note.text == CHECKPOINT
    assert note.signers([read_vkey(VKEY)]) == (LOG.verify_key,)


def test_both_texts_of_a_key_are_read_back() -> None:
    assert read_vkey(str(key().verify_key)) == key().verify_key
    assert read_skey(key().secret) == key()
    assert key().seed.hex() not in repr(key())


@pytest.mark.parametrize(
    "text",
    [
        "", "name", "name+00000000+", VKEY.replace("e4a1b10e", "e4a1b10f"), VKEY[:-1], VKEY + "A",
        VKEY.replace("example.org", "example org"),
    ],
)  # fmt: skip
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(BadKey):
        read_vkey(text)
    with pytest.raises(BadKey):
        read_skey(text)


def test_the_secret_of_another_key_is_refused() -> None:
    text = key().secret.replace("receipts", "bundles")
    with pytest.raises(BadKey, match="does not belong"):
        read_skey(text)


def test_a_note_has_as_many_signatures_as_it_likes_and_only_asked_ones_count() -> None:
    witness = key("witness.example/one", bytes(31) + b"w")
    line = witness.sign(CHECKPOINT.encode())
    note = read_note(add_signature(SIGNED, witness.verify_key, line))
    assert note.signers([LOG.verify_key]) == (LOG.verify_key,)
    assert note.signers([witness.verify_key, LOG.verify_key]) == (
        witness.verify_key, LOG.verify_key,
    )  # fmt: skip
    assert note.signers([key().verify_key]) == ()


def test_a_note_with_a_wrong_signature_of_an_asked_key_is_refused() -> None:
    note = read_note(SIGNED.replace("\n2\n", "\n3\n"))
    with pytest.raises(BadSignature, match=r"example\.org/nwg/log"):
        note.signers([LOG.verify_key])


@pytest.mark.parametrize(
    "text",
    [
        "", "text\n", "text\n\n", SIGNED[:-1], SIGNED.replace("— ", "- "), SIGNED + "\n",
        SIGNED.replace("\n2\n", "\n2\r\n"), SIGNED.replace("5KGx", "5KG!"),
    ],
)  # fmt: skip
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(BadSignature):
        read_note(text)


def test_what_an_envelope_signs_is_the_definition_s_example() -> None:
    found = signed_bytes("http://example.com/HelloWorld", b"hello world")
    assert found == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_an_envelope_is_signed_over_type_and_bytes() -> None:
    made = seal_envelope("application/x", b"{}", [key()])
    read = read_envelope(write_envelope(made))
    assert read == made
    assert read.content() == b"{}"
    assert read.is_signed_by(key().verify_key)
    assert not read.is_signed_by(LOG.verify_key)
    as_other = write_envelope(made).replace(b"application/x", b"application/y")
    assert not read_envelope(as_other).is_signed_by(key().verify_key)


def test_the_hint_of_an_envelope_is_not_believed() -> None:
    made = write_envelope(seal_envelope("application/x", b"{}", [key()]))
    hint = key().verify_key.hint.encode()
    forged = read_envelope(made.replace(hint, LOG.verify_key.hint.encode()))
    assert forged.is_signed_by(key().verify_key)
    assert not forged.is_signed_by(LOG.verify_key)


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"payload":"","payloadType":""}'])
def test_what_is_no_envelope_is_refused(data: bytes) -> None:
    with pytest.raises(BadSignature):
        read_envelope(data)
