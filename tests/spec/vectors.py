"""Vectors of the specification in JSON: ``python -m tests.spec.vectors --write``.

Dice and hashes are the service's own, trees those of the log's second implementation (naive.py);
the two checkers beside the specification have no part in either.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import sys
from pathlib import Path
from typing import Any

from domain.kernel.codec import canonical
from service.dice import nwd1
from service.evidence import bls, isogeny, shares
from service.evidence.beacon import NETWORKS, QUICKNET
from service.evidence.escrow import digest_of
from service.evidence.seatkeys import (
    Given,
    OrderSignature,
    SeatKey,
    what_is_passed_on,
    what_is_signed,
)
from service.evidence.signing import SigningKey, seal_envelope, write_envelope, write_note
from service.models import Keeper
from tests.service.log.naive import Tree
from tests.service.log.vectors import FILE as LOG_VECTORS
from tests.support.beacon import OWN, REAL, signed
from tests.support.server import ROOT

SPEC = ROOT / "openapi" / "spec"
FOLDER = SPEC / "vectors"

TREES = 821
SIDES = (2, 3, 4, 6, 6, 6, 8, 10, 12, 20, 100, 129, 255, 256, 257, 1_000, 65_535, 65_536)
DOMAINS = ("pub", "side:0", "side:1", "side:p3")


def _bytes(name: str, count: int = 32) -> bytes:
    return hashlib.sha256(f"decklog vector {name}".encode()).digest()[:count]


def dice() -> dict[str, Any]:
    """A thousand rolls, and the batches and chains above them."""
    chance, rolls, batches = random.Random(1), list[Any](), list[Any]()
    for number in range(900):
        key, label = _bytes(f"key {number}"), f"gun/{number}/A3>B7/m{number % 5}"
        many = 200 if number % 90 == 0 else 9
        pools = [
            [chance.randrange(many + 1), chance.choice(SIDES)] for _ in range(chance.randint(1, 3))
        ]
        found = nwd1.roll(key, label, [(count, sides) for count, sides in pools])
        told = {"key": key.hex(), "label": label, "pools": pools}
        rolls.append({**told, "faces": [list(each) for each in found.faces]})
    for t in range(1, 71):
        g, link, domain = _bytes(f"g {t}"), _bytes(f"link {t}"), DOMAINS[t % 4]
        players = [_bytes(f"player {t} {p}") if (t + p) % 3 else b"" for p in range(t % 5)]
        beacon = (t * 10**9, _bytes(f"beacon {t}")) if t % 4 == 3 else None
        made = nwd1.batch_material(
            link, [each or None for each in players], beacon and nwd1.Beacon(*beacon)
        )
        key = nwd1.batch_key(nwd1.batch_context(g, domain, t), made)
        batches.append({
            "g": g.hex(), "domain": domain, "t": t, "link": link.hex(),
            "players": [each.hex() for each in players],
            "beacon": beacon and [beacon[0], beacon[1].hex()], "key": key.hex(),
        })  # fmt: skip
    games = list(map(_game, range(30)))
    return {"of": "dice", "rolls": rolls, "batches": batches, "games": games}


def _game(number: int) -> dict[str, Any]:
    length, seat, domain = 1 + number * 3, number % 4, DOMAINS[number % 4]
    given = {
        "game": _bytes(f"game {number}", 16).hex(), "rules": _bytes(f"rules {number}").hex(),
        "scenario": _bytes(f"scenario {number}").hex(), "seats": 4, "length": length,
    }  # fmt: skip
    game, rules, scenario = (
        bytes.fromhex(str(given[name])) for name in ("game", "rules", "scenario")
    )
    g = nwd1.params(game, rules, scenario, 4, length)
    master, secret = _bytes(f"master {number}"), _bytes(f"secret {number}")
    far = nwd1.server_seed(master, g, domain)
    tip = nwd1.server_chain(g, domain).down(far, length, 0)
    own = nwd1.player_chain(g, seat).down(nwd1.player_seed(secret, g, seat), length, 0)
    return {
        "params": given, "g": g.hex(), "master": master.hex(), "domain": domain, "tip": tip.hex(),
        "commitment": nwd1.server_commitment(g, {domain: tip}).hex(), "seat": seat,
        "secret": secret.hex(), "player": own.hex(),
    }  # fmt: skip


def tree() -> dict[str, Any]:
    """Every tree of up to 821 leaves, and proofs of some."""
    made, chance = Tree([b"%d" % i for i in range(TREES + 1)]), random.Random(2)
    roots = [made.mth(0, size).hex() for size in range(TREES + 1)]
    inclusion, consistency = [], []
    for size in (*range(1, 18), 255, 256, 257, 511, 513, 820, 821):
        some = range(size) if size < 18 else chance.sample(range(size), 5)
        inclusion += [[size, i, [h.hex() for h in made.path(i, 0, size)]] for i in some]
        for old in range(1, size) if size < 18 else chance.sample(range(1, size), 5):
            proof = [h.hex() for h in made.subproof(old, 0, size, True)]
            consistency.append([old, size, proof])
    leaves = json.loads(LOG_VECTORS.read_text("utf-8"))["leaf"]
    leaves = [{name: row[name] for name in ("game", "seq", "hash", "data")} for row in leaves]
    return {
        "of": "tree", "roots": roots, "inclusion": inclusion, "consistency": consistency,
        "leaves": leaves,
    }  # fmt: skip


RFC8032 = (
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
)
"""Secret keys of the first two tests of RFC 8032, 7.1; their messages are empty, and 72."""

ORDER = 2**252 + 27742317777372353535851937790883648493


def signatures() -> dict[str, Any]:
    """Signatures that hold, and kinds that do not."""
    rows = []

    def row(what: str, public: bytes, message: bytes, signature: bytes, *, holds: bool) -> None:
        texts = {"public": public.hex(), "message": message.hex(), "signature": signature.hex()}
        rows.append({"what": what, **texts, "holds": holds})

    for number in range(12):
        seed = bytes.fromhex(RFC8032[number]) if number < 2 else _bytes(f"seed {number}")
        key, message = SigningKey("x", seed), b"\x72"[:number] if number < 2 else b"m" * number**2
        public, good = key.verify_key.public, key.sign(message)
        row("good", public, message, good, holds=True)
        row("another message", public, message + b"\0", good, holds=False)
        other = SigningKey("x", _bytes(f"other {number}")).verify_key.public
        row("another key", other, message, good, holds=False)
        row("a flipped bit", public, message, bytes([good[0] ^ 1]) + good[1:], holds=False)
        s = int.from_bytes(good[32:], "little") + ORDER
        row("a second form", public, message, good[:32] + s.to_bytes(32, "little"), holds=False)
        row("too short", public, message, good[:-1], holds=False)
    neutral = bytes([1, *bytes(31)])
    row("a key of small order", neutral, b"anything", neutral + bytes(32), holds=False)
    log = SigningKey("example.org/log", _bytes("log"))
    vkey, text = str(log.verify_key), "example.org/log\n2\nAAAA\n"
    note = write_note(text, [log])
    strange = str(SigningKey("example.org/log", _bytes("strange")).verify_key)
    notes = [
        {"note": note, "vkey": vkey, "holds": True},
        {"note": note, "vkey": strange, "holds": False},
        {"note": note.replace("\n2\n", "\n3\n"), "vkey": vkey, "holds": False},
    ]
    told = json.loads(write_envelope(seal_envelope("text/x", b"told", [log])))
    other_kind = {**told, "payloadType": "text/y"}
    envelopes = [
        {"envelope": told, "vkey": vkey, "content": "told", "holds": True},
        {"envelope": told, "vkey": strange, "content": "told", "holds": False},
        {"envelope": other_kind, "vkey": vkey, "content": "told", "holds": False},
    ]
    return {
        "of": "signatures", "ed25519": rows, "notes": notes, "envelopes": envelopes,
        "orders": _orders(), "keys": _keys(),
    }  # fmt: skip


MOST = 2**53 - 1
COMMANDS = (
    {"type": "pennant.choose", "colour": "bold"},
    {"z": 1, "a": {"b": [], "B": {}, "_": None, "aa": True, "a": False}, "": ""},
    {"name": 'Kr\u00e5ngede "\u00d6" \\ / \u2028 \x00\x1f\x7f\n\t\b\f\r \U0001f6a2'},
    {"numbers": [0, -1, MOST, -MOST], "deep": [[[{"z": [1, {"y": []}], "a": ""}]]]},
)
"""As no game has them, too: what is signed has one form whatever the order is."""


def _orders() -> list[dict[str, Any]]:
    """What a seat signs, by the service's own program."""
    key, other = (SigningKey("x", _bytes(f"seat {number}")) for number in (1, 2))
    rows = []
    for place, command in enumerate(COMMANDS):
        asked = ("which?", "Graf Spee") if place % 2 else ("", "")
        given = Given(
            _bytes("game").hex()[:32], "p1", place and MOST, canonical(command),
            _bytes("rules").hex(), _bytes(f"chains {place}").hex(),
        )  # fmt: skip
        text = what_is_signed(given, OrderSignature(*asked, ""))
        told = {
            "v": 2, "game": given.game, "rules": given.rules, "chains": given.chains,
            "seat": given.seat, "question": asked[0], "subject": asked[1], "after": given.after,
            "command": command,
        }  # fmt: skip
        row = {"order": told, "public": key.verify_key.public.hex(), "signed": text.hex()}
        rows.append({**row, "signature": key.sign(text).hex(), "holds": True})
        rows.append({**row, "signature": other.sign(text).hex(), "holds": False})
    return rows


def _keys() -> list[dict[str, Any]]:
    """What a seat signs to pass its key on."""
    key, new = (SigningKey("x", _bytes(f"seat {number}")) for number in (1, 2))
    game, rows = _bytes("game").hex()[:32], []
    keepers: tuple[Keeper, ...] = ("client", "page")
    for keeper in keepers:
        told = SeatKey(new.verify_key.public.hex(), keeper)
        text = what_is_passed_on(game, "p1", told)
        passed = {
            "v": 1, "game": game, "seat": "p1", "key": {"keeper": keeper, "public": told.public}
        }  # fmt: skip
        row = {"passed": passed, "public": key.verify_key.public.hex(), "signed": text.hex()}
        rows.append({**row, "signature": key.sign(text).hex(), "holds": True})
        rows.append({**row, "signature": new.sign(text).hex(), "holds": False})
    return rows


def hashes() -> dict[str, Any]:
    """Tagged hashes, HMAC, HKDF, hashes of events."""
    tagged = []
    for fields in ([], [b""], [b"", b""], [b"a", b"bc"], [b"ab", b"c"], [bytes(300)]):
        row = {"tag": "nwd1/link", "fields": [each.hex() for each in fields]}
        tagged.append({**row, "hash": nwd1.th("nwd1/link", *fields).hex()})
    macs = []
    for size in (0, 1, 32, 63, 64, 65, 131, 200):
        key, text = b"k" * size, b"t" * (3 * size)
        tag = hmac.new(key, text, "sha256").hexdigest()
        macs.append({"key": key.hex(), "text": text.hex(), "tag": tag})
    derived = []
    for length in (1, 31, 32, 33, 42, 64, 1_000, 8_160):
        ikm, info = b"\x0b" * 22, bytes(range(0xF0, 0xFA))
        for salt in (bytes(range(13)), b""):
            out = nwd1.hkdf(ikm, salt, info, length).hex()
            row = {"ikm": ikm.hex(), "salt": salt.hex(), "info": info.hex(), "out": out}
            derived.append(row)
    texts = ('{"a":1,"b":[null,true,"x"]}', '{"at":"\u2014","z":{"k":"\\n\\"\\\\"}}')
    events = [{"text": text, "hash": nwd1.th("nwe1/event", text.encode()).hex()} for text in texts]
    return {"of": "hashes", "tagged": tagged, "hmac": macs, "hkdf": derived, "events": events}


def escrow() -> dict[str, Any]:
    """Secrets in shares, with the digests by which these are known."""
    rows = []
    for number in range(40):
        secret, slopes, g = (_bytes(f"{what} {number}") for what in ("secret", "slopes", "g"))
        made = shares.split(secret, slopes)
        digests = [digest_of(g, n, share) for n, share in enumerate(made, 1)]
        rows.append({
            "secret": secret.hex(), "g": g.hex(), "shares": [each.hex() for each in made],
            "digests": digests,
        })  # fmt: skip
    return {"of": "escrow", "secrets": rows}


def beacon() -> dict[str, Any]:
    """Rounds of drand's quicknet and of the tests' own beacon, true ones and others."""
    own, quick = OWN.key, NETWORKS[QUICKNET].key
    point = bls.onto_curve(b"any")
    assert point is not None
    strange = next(at for at in map(_on_curve, range(1, 99)) if at and bls.times(at, bls.ORDER))
    true = [(quick, n, signature, "a round of quicknet") for n, signature in REAL.items()]
    true += [(own, n, signed(n), "a round of another beacon") for n in (1, 2**40)]
    false = [
        (quick, 124, REAL[123], "another round's"), (quick, 123, signed(123), "another key's"),
        (own, 5, signed(5, 9), "another secret's"), (own, 5, "", "nothing"),
        (own, 5, bls.compressed(None).hex(), "infinity"),
        (own, 5, bls.compressed(bls.minus(bls.onto_curve(b"5"))).hex(), "any point"),
        (own, 5, bls.compressed(strange).hex(), "a point beside the group"),
        (own, 5, "1" + signed(5)[1:], "not compressed"), (own, 5, "bf" + "ff" * 47, "too large"),
    ]  # fmt: skip
    rounds = [
        {"key": key, "round": n, "signature": signature, "what": what, "holds": holds}
        for holds, rows in ((True, true), (False, false))
        for key, n, signature, what in rows
    ]
    return {"of": "beacon", "maps": [_isogeny()], "rounds": rounds}


def _on_curve(x: int) -> tuple[int, int] | None:
    y = pow(x**3 + 4, (bls.P + 1) // 4, bls.P)
    return (x, y) if (y * y - x**3 - 4) % bls.P == 0 else None


def _isogeny() -> dict[str, Any]:
    """The numbers of RFC 9380, E.2: the curve that is mapped from, and the four polynomials."""
    parts = {"xTop": isogeny.X_TOP, "xBottom": isogeny.X_BOTTOM, "yTop": isogeny.Y_TOP,
             "yBottom": isogeny.Y_BOTTOM}  # fmt: skip
    told = {name: [f"{each:x}" for each in row] for name, row in parts.items()}
    return {"a": f"{isogeny.A:x}", "b": f"{isogeny.B:x}", **told}


MADE = {
    "dice": dice, "tree": tree, "signatures": signatures, "hashes": hashes, "escrow": escrow,
    "beacon": beacon,
}  # fmt: skip


def text(name: str) -> str:
    """A file as it is committed: a vector a line."""
    told = MADE[name]()
    parts = [f'"of":{json.dumps(told.pop("of"))}']
    for key, rows in told.items():
        body = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        parts.append(f'"{key}":[\n{body}\n]')
    return "{" + ",\n".join(parts) + "}\n"


def file(name: str) -> Path:
    return FOLDER / f"{name}.json"


if __name__ == "__main__":
    if "--write" in sys.argv:
        for each in MADE:
            file(each).write_text(text(each), "utf-8")
    else:
        sys.exit(any(file(each).read_text("utf-8") != text(each) for each in MADE))
