"""The master in escrow: two of three keepers open it, one alone nothing, and nobody a wrong one."""

from __future__ import annotations

import hashlib
from itertools import combinations, permutations

import msgspec
import pytest

from service.evidence import escrow, shares
from service.evidence.ed25519 import is_key
from service.evidence.escrow import Keeper, KeptShare, ShareOpened, Unusable
from service.evidence.records import GameCreated
from service.evidence.signing import SigningKey
from service.evidence.verify import verify
from tests.support import pennant

from .playing import GAMES, Cheat, Table
from .test_cheats import on_type

replace = msgspec.structs.replace
GAME, G, MASTER = "ab" * 16, b"\x47" * 32, hashlib.sha256(b"a master").digest()
SECRETS = [bytes([number]) * 32 for number in (1, 2, 3)]
KEEPERS = [
    Keeper(name, escrow.public_of(secret).hex())
    for name, secret in zip(("ann", "ben", "cleo"), SECRETS, strict=True)
]
KEPT = escrow.sealed(MASTER, G, KEEPERS, bytes(range(128)))


def opened() -> list[ShareOpened]:
    return [escrow.opened(KEPT, GAME, G, secret) for secret in SECRETS]


@pytest.mark.parametrize("pair", list(permutations(range(3), 2)))
def test_any_two_open_the_master(pair: tuple[int, int]) -> None:
    all_ = opened()
    assert escrow.master_of(KEPT, GAME, G, [all_[n] for n in pair]) == MASTER


def test_the_field_is_one() -> None:
    for a in range(1, 256):
        assert shares.times(a, shares.inverse(a)) == 1
    assert shares.times(0x57, 0x83) == 0xC1, "FIPS 197, 4.2"


def test_one_share_tells_nothing() -> None:
    """For each secret there is a slope by which the share is the same."""
    share = shares.split(MASTER, bytes(range(32)))[0]
    for other in (bytes(32), b"\xff" * 32):
        slopes = bytes(a ^ b for a, b in zip(share, other, strict=True))
        assert shares.split(other, slopes)[0] == share


def test_two_games_have_nothing_in_common() -> None:
    other = escrow.sealed(MASTER, b"\x48" * 32, KEEPERS, bytes(range(128)))
    for one, two in zip(KEPT, other, strict=True):
        assert one.sealed[64:] != two.sealed[64:]
        assert one.digest != two.digest
    with pytest.raises(Unusable, match="no share"):
        escrow.opened(KEPT, GAME, b"\x48" * 32, SECRETS[0])


def test_who_is_no_keeper_opens_none() -> None:
    with pytest.raises(Unusable, match="sealed for this key"):
        escrow.opened(KEPT, GAME, G, b"\x09" * 32)


def test_shares_that_are_none_of_the_record() -> None:
    first, second, _ = opened()
    wrong = [
        [first],
        [first, first],
        [first, replace(second, share="00" * 32)],
        [first, replace(second, share="zz")],
        [first, replace(second, game="cd" * 16)],
        [first, replace(second, number=3)],
        [first, replace(second, number=0)],
        [first, replace(second, number=4)],
    ]
    for pair in wrong:
        with pytest.raises(Unusable):
            escrow.master_of(KEPT, GAME, G, pair)


@pytest.mark.parametrize("place", range(80))
def test_a_sealed_share_that_was_changed_is_none(place: int) -> None:
    text = bytearray.fromhex(KEPT[0].sealed)
    text[place] ^= 1
    with pytest.raises(Unusable):
        escrow.opened([replace(KEPT[0], sealed=text.hex()), *KEPT[1:]], GAME, G, SECRETS[0])


def test_a_share_that_is_another_than_the_record_names() -> None:
    with pytest.raises(Unusable, match="another one"):
        escrow.opened([replace(KEPT[0], digest="00" * 32), *KEPT[1:]], GAME, G, SECRETS[0])


FILES = [
    "",
    "ann",
    "\n".join(f"{k.name} {k.key}" for k in KEEPERS[:2]),
    "\n".join(f"{k.name} {k.key}" for k in [*KEEPERS, KEEPERS[0]]),
    "\n".join(f"{k.name} {KEEPERS[0].key}" for k in KEEPERS),
    "\n".join(f"{k.name} {k.key[:-2]}" for k in KEEPERS),
    "\n".join(f"{k.name} {k.key} more" for k in KEEPERS),
    "\n".join(f"ann {k.key}" for k in KEEPERS),
    "\n".join([*(f"{k.name} {k.key}" for k in KEEPERS[:2]), f"cleo {'00' * 32}"]),
    "\n".join(
        [
            *(f"{k.name} {k.key}" for k in KEEPERS[:2]),
            f"cleo {KEEPERS[0].key[:-2]}{int(KEEPERS[0].key[-2:], 16) | 0x80:02x}",
        ]
    ),
]


@pytest.mark.parametrize("text", FILES)
def test_a_file_of_keepers_that_is_none(text: str) -> None:
    with pytest.raises(Unusable):
        escrow.read_keepers(text)


def test_a_file_of_keepers() -> None:
    text = "# who keeps\n\n" + "".join(f"{k.name}  {k.key}\n" for k in KEEPERS)
    assert escrow.read_keepers(text) == tuple(KEEPERS)


# In a record


def played(kept: tuple[KeptShare, ...], **more: object) -> Table:
    cheat = Cheat(record=on_type(GameCreated, lambda r: replace(r, escrow=kept, **more)))
    return Table(setup=pennant.setup(6), cheat=cheat).play(1)


def test_the_verdict_says_with_whom_the_master_is() -> None:
    verdict = verify(played(KEPT).export(), GAMES)
    assert verdict.word == "UPHELD", verdict.text()
    assert "of which two open it, with ann, ben, cleo" in verdict.text()


def key_of(secret: bytes) -> str:
    return SigningKey("p1", secret).verify_key.public.hex()


def seated() -> KeptShare:
    """Sealed for the very key of the seat, in its other form."""
    return replace(KEPT[0], key=escrow.montgomery(bytes.fromhex(key_of(SECRETS[0]))).hex())


def test_a_key_has_two_forms_of_one_pair() -> None:
    assert is_key(bytes.fromhex(key_of(SECRETS[0])))
    digest = hashlib.sha512(SECRETS[0]).digest()[:32]
    assert escrow.public_of(digest).hex() == seated().key, "RFC 7748 and 8032 agree"


def other_form(key: str) -> str:
    """The same key for X25519, whose highest bit does not count."""
    text = bytearray.fromhex(key)
    text[31] |= 0x80
    return text.hex()


NOBODYS = [
    number.to_bytes(32, "little").hex()
    for number in (
        0,
        1,
        0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
        0x00B8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
        2**255 - 20,
    )
]
"""Keys with which everybody has the same secret: whoever reads the record opens the share."""


@pytest.mark.parametrize("key", NOBODYS)
def test_nobodys_keys_are_those(key: str) -> None:
    with pytest.raises(Unusable):
        escrow.sealed(MASTER, G, [Keeper("ann", key), *KEEPERS[1:]], bytes(range(128)))


MISFITS = [
    KEPT[:2],
    (*KEPT, KEPT[0]),
    (KEPT[0], KEPT[0], KEPT[1]),
    (replace(KEPT[0], key="ab"), *KEPT[1:]),
    (replace(KEPT[0], sealed="ab" * 79), *KEPT[1:]),
    (replace(KEPT[0], digest="zz" * 32), *KEPT[1:]),
    (replace(KEPT[1], key=other_form(KEPT[0].key)), *(KEPT[0], KEPT[2])),
    (replace(KEPT[0], key=(2**255 - 19 + 9).to_bytes(32, "little").hex()), *KEPT[1:]),
    *((replace(KEPT[0], key=key), *KEPT[1:]) for key in NOBODYS),
    *((replace(KEPT[0], keeper=name), *KEPT[1:]) for name in ("", "ben", "a n", "a\n", "\u200b")),
]


@pytest.mark.parametrize("kept", MISFITS)
def test_an_escrow_that_is_none_is_refuted(kept: tuple[KeptShare, ...]) -> None:
    finding = verify(played(kept).forge(), GAMES).finding
    assert finding is not None
    assert finding.what == "escrow of the master"


def test_a_keeper_who_plays_is_refuted() -> None:
    kept = (seated(), *KEPT[1:])
    assert escrow.well_formed(kept, []) == ""
    assert escrow.well_formed(kept, [key_of(SECRETS[0])]) == "no keeper who plays in a seat"
    assert all(escrow.well_formed(KEPT, [key_of(s)]) == "" for s, _ in combinations(SECRETS, 2))


def test_a_master_that_is_another_is_refuted() -> None:
    table = Table(setup=pennant.setup(6)).play(1, orders=6)
    file = table.export("public")
    good = verify(file, GAMES, master=table.book.master.hex())
    assert good.word == "UPHELD", good.text()
    assert "its master was opened from escrow" in good.text()
    whole = table.play(2).export()
    assert verify(whole, GAMES, master=table.book.master.hex()).word == "UPHELD"
    for each in (file, whole):
        bad = verify(each, GAMES, master="00" * 32)
        assert (bad.word, bad.finding and bad.finding.check) == ("REFUTED", "secrets")
