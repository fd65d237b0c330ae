"""Checks a Decklog evidence file, or the vectors, by the specification beside it and nothing else.

    python3 check.py GAME.decklog [--root VKEY] [--beacon KEY]
    python3 check.py vectors/*.json

Python 3.10 or later, its standard library alone. It does not know the rules of any game: that each
order led where the record says, only the judge with the rules can tell (`decklog verify`).
"""

import base64
import hashlib
import hmac
import io
import json
import os
import re
import sys
import zipfile

# 1. Encodings and hashes (encodings.md)


class Wrong(Exception):
    """What contradicts the specification, and where."""


def need(fits, what):
    if not fits:
        raise Wrong(what)


def u(value, size):
    return value.to_bytes(size, "big")


def lp(data):
    return u(len(data), 4) + data


def th(tag, *fields):
    text = lp(tag.encode()) + u(len(fields), 4) + b"".join(map(lp, fields))
    return hashlib.sha256(text).digest()


def mac(key, text):
    return hmac.new(key, text, "sha256").digest()


def expand(key, info, length):
    need(length <= 8160, "no stream is as long as that")
    out = block = b""
    for number in range(1, -(-length // 32) + 1):
        block = mac(key, block + info + u(number, 1))
        out += block
    return out[:length]


def hkdf(ikm, salt, info, length=32):
    return expand(mac(salt, ikm), info, length)


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


# 2. Dice (dice.md)


def parameters(p):
    return th(
        "nwd1/params", bytes.fromhex(p["game"]), bytes.fromhex(p["rules"]),
        bytes.fromhex(p["scenario"]), u(p["seats"], 1), u(p["length"], 4),
    )  # fmt: skip


def far_end(secret, g, info):
    return hkdf(secret, g, info)


def server_end(master, g, domain):
    return far_end(master, g, b"nwd1/server-chain" + lp(domain.encode()))


def player_end(secret, g, seat):
    return far_end(secret, g, b"nwd1/player-chain" + u(seat, 1))


def down(link, g, who, domain, number, to):
    """Link `to` of a chain, from its link `number`."""
    for i in range(number, to, -1):
        link = th("nwd1/link", g, who, domain.encode(), u(i, 4), link)
    return link


def commitment(g, tips):
    fields = [f for d in sorted(tips) for f in (d.encode(), tips[d])]
    return th("nwd1/server-commit", g, *fields)


def batch_key(g, domain, t, link, players, beacon=None):
    given = b"".join(b"\1" + lp(each) if each else b"\0" for each in players)
    extra = b"\1" + u(beacon[0], 8) + lp(beacon[1]) if beacon else b"\0"
    return mac(th("nwd1/batch", g, domain.encode(), u(t, 4)), lp(link) + given + extra)


def faces(key, label, pools):
    """Of `count` dice with `sides` faces each, pool by pool, from one stream of bytes."""
    stream, at, found = expand(key, b"nwd1/roll" + lp(label.encode()), 8160), 0, []
    for count, sides in pools:
        width = 1 if sides <= 256 else 2
        limit = 256**width - 256**width % sides
        pool = []
        while len(pool) < count:
            need(at + width <= len(stream), f"{label}: the stream is at its end")
            value = int.from_bytes(stream[at : at + width], "big")
            at += width
            if value < limit:
                pool.append(1 + value % sides)
        found.append(pool)
    return found


# 3. The log (log.md)


def leaf_hash(data):
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root_of(leaves):
    """Of a tree over these hashes of leaves, level by level."""
    level = list(leaves)
    while len(level) > 1:
        pairs = [node_hash(*level[i : i + 2]) for i in range(0, len(level) - 1, 2)]
        level = pairs + level[len(level) // 2 * 2 :]
    return level[0] if level else hashlib.sha256(b"").digest()


def root_by(proof, leaf, index, size):
    """The root that a proof of inclusion leads to."""
    last, found, rest = size - 1, leaf, list(proof)
    need(0 <= index < size, "no such leaf")
    while last:
        if index % 2 or index < last:
            need(rest, "the proof is too short")
            other = rest.pop(0)
            found = node_hash(other, found) if index % 2 else node_hash(found, other)
        index, last = index // 2, last // 2
    need(not rest, "the proof is too long")
    return found


def grows(old, before, new, after, proof):
    """Whether the tree of `new` leaves goes on from that of `old`."""
    if not old or old == new:
        return not proof and (before == after if old else True)
    rest, index, last = list(proof), old - 1, new - 1
    while index % 2:
        index, last = index // 2, last // 2
    if index and not rest:
        return False
    one = two = rest.pop(0) if index else before
    while last:
        if index % 2 or index < last:
            if not rest:
                return False
            other = rest.pop(0)
            if index % 2:
                one, two = node_hash(other, one), node_hash(other, two)
            else:
                two = node_hash(two, other)
        index, last = index // 2, last // 2
    return not rest and (one, two) == (before, after)


def tag_of(game):
    return th("nwl2/tag", bytes.fromhex(game))[:16].hex()


def leaf(game, seq, hash_):
    return f"nwl2 {tag_of(game)} {seq} {hash_}\n".encode()


# 4. Signatures (signatures.md): Ed25519 by RFC 8032, slowly; what is checked here is public.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def plus(a, b):
    """Two points, in extended coordinates."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    m, n = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * t1 * t2 * D, 2 * z1 * z2
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(k, point):
    found = (0, 1, 1, 0)
    while k:
        found = plus(found, point) if k % 2 else found
        point, k = plus(point, point), k // 2
    return found


def point_of(data):
    """None where the bytes are no point in its one form."""
    y = int.from_bytes(data, "little")
    odd, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (not x and odd):
        return None
    x = P - x if x % 2 != odd else x
    return x, y, 1, x * y % P


BASE = point_of(u(4 * pow(5, P - 2, P) % P, 32)[::-1])


def same(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def is_key(public):
    key = point_of(public) if len(public) == 32 else None
    return key is not None and not same(times(8, key), (0, 1, 1, 0))


def signed(public, message, signature):
    if not is_key(public) or len(signature) != 64:
        return False
    key, r = point_of(public), point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if r is None or s >= ORDER:
        return False
    h = hashlib.sha512(signature[:32] + public + message).digest()
    return same(times(s, BASE), plus(r, times(int.from_bytes(h, "little") % ORDER, key)))


def vkey(text):
    """Name, id and public key of a vkey."""
    name, told, body = text.split("+", 2)
    kind = base64.b64decode(body)
    found = hashlib.sha256(name.encode() + b"\n" + kind).digest()[:4]
    need(found.hex() == told, f"{name}: the id of the key is {found.hex()}")
    return name, found, kind[1:]


def note_signed(note, key):
    """Whether a signed note has a good line of the key."""
    name, id_, public = vkey(key)
    text, _, below = note.rpartition("\n\n")
    for line in below.splitlines():
        whose, body = line[2:].split(" ", 1)
        raw = base64.b64decode(body)
        if whose == name and raw[:4] == id_:
            return signed(public, (text + "\n").encode(), raw[4:])
    return False


SEAT_ORDER = "application/vnd.decklog.order.v2+json"
SEAT_KEY = "application/vnd.decklog.seat-key.v1+json"


def dsse(kind, content):
    """What of an envelope is signed."""
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind.encode(), len(content), content)


def envelope(data, kind):
    """Content of an envelope (DSSE), and a function that says whether a vkey has signed it."""
    told = json.loads(data)
    need(told["payloadType"] == kind, f"an envelope of {told['payloadType']}, not {kind}")
    content = base64.b64decode(told["payload"])
    text = dsse(kind, content)
    found = [base64.b64decode(each["sig"]) for each in told["signatures"]]
    return content, lambda key: any(signed(vkey(key)[2], text, each) for each in found)


# 5. A public beacon (dice.md): BLS12-381, slowly; a signature is a point of G1, a key one of G2.

Q = int(
    "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624"
    "1eabfffeb153ffffb9feffffffffaaab", 16,
)  # fmt: skip
COUNT = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
HARD = (Q**4 - Q**2 + 1) // COUNT
LOOP = 0xD201000000010000
TAG = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
GENERATOR = (
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
QUICKNETS_KEY = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)


def mul2(a, b):  # in Fp2: a + b u, with u^2 = -1
    return ((a[0] * b[0] - a[1] * b[1]) % Q, (a[0] * b[1] + a[1] * b[0]) % Q)


def over2(a, b):
    down_ = pow(b[0] * b[0] + b[1] * b[1], -1, Q)
    return mul2(a, (b[0] * down_, -b[1] * down_))


def less2(a, b):
    return ((a[0] - b[0]) % Q, (a[1] - b[1]) % Q)


def mul12(a, b):  # in Fp12: by powers of w, with w^12 = 2 w^6 - 2; u is w^6 - 1
    out = [0] * 23
    for i, x in enumerate(a):
        for j, y in enumerate(b if x else ()):
            out[i + j] += x * y
    for k in range(22, 11, -1):
        out[k - 6] += 2 * out[k]
        out[k - 12] -= 2 * out[k]
    return [x % Q for x in out[:12]]


def met(a, b, slope):
    x = less2(less2(mul2(slope, slope), a[0]), b[0])
    return x, less2(mul2(slope, less2(a[0], x)), a[1])


def line(at, point, slope):
    """At a point of G1, of the line through a point (x / w^2, y / w^3), times w^3."""
    free, first = less2(point[1], mul2(slope, point[0])), mul2(slope, (at[0], 0))
    out = [0] * 12
    out[0], out[6] = (free[0] - free[1]) % Q, free[1]
    out[2], out[8] = (first[0] - first[1]) % Q, first[1]
    out[3] = -at[1] % Q
    return out


def pairing(at, of):
    """Miller's loop alone; the last power is taken of a product of these."""
    found, point = [1] + [0] * 11, of
    for bit in bin(LOOP)[3:]:
        square = mul2(point[0], point[0])
        slope = over2((3 * square[0], 3 * square[1]), (2 * point[1][0], 2 * point[1][1]))
        found = mul12(mul12(found, found), line(at, point, slope))
        point = met(point, point, slope)
        if bit == "1":
            slope = over2(less2(of[1], point[1]), less2(of[0], point[0]))
            found = mul12(found, line(at, point, slope))
            point = met(point, of, slope)
    return found


def power(a, number, times_):
    found = a
    for bit in bin(number)[3:]:
        found = times_(found, found)
        found = times_(found, a) if bit == "1" else found
    return found


def is_one(product):
    """Whether product^((Q^12 - 1) / COUNT) is one, by three powers: HARD; Q^2 + 1, by which w
    becomes a root of one in Fp times w; Q^6 - 1, which leaves one where w^(Q^6) = -w changes
    nothing."""
    turn = power((1, 1), (Q * Q - 1) // 6, mul2)[0]
    hard = power(product, HARD, mul12)
    found = mul12(hard, [each * pow(turn, k, Q) % Q for k, each in enumerate(hard)])
    return any(found) and not any(found[1::2])


def root(a):
    found = pow(a, (Q + 1) // 4, Q)
    return found if (found * found - a) % Q == 0 else None


def flags_of(data):
    need(data[0] & 0xC0 == 0x80, "a point that is not compressed, or none")
    return data[0] & 0x20, bytes([data[0] & 0x1F]) + data[1:]


def point1(data):
    greater, data = flags_of(data)
    x = int.from_bytes(data, "big")
    y = root(x**3 + 4) if x < Q and len(data) == 48 else None
    need(y is not None, "no point of the curve")
    return x, y if (2 * y > Q) == bool(greater) else Q - y


def point2(data):
    greater, data = flags_of(data)
    x = (int.from_bytes(data[48:], "big"), int.from_bytes(data[:48], "big"))
    a = less2(mul2(mul2(x, x), x), (-4, -4))
    norm = root(a[0] * a[0] + a[1] * a[1])
    halves = [root((a[0] + sign * norm) * (Q + 1) // 2 % Q) for sign in (1, -1)]
    one = next(half for half in halves if half)
    y = (one, a[1] * pow(2 * one, -1, Q) % Q)
    larger = (y[1], y[0]) > (-y[1] % Q, -y[0] % Q)
    return x, y if larger == bool(greater) else less2((0, 0), y)


def add1(a, b):
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0] and (a[1] + b[1]) % Q == 0:
        return None
    up, across = (3 * a[0] ** 2, 2 * a[1]) if a == b else (b[1] - a[1], b[0] - a[0])
    slope = up * pow(across, -1, Q) % Q
    x = (slope * slope - a[0] - b[0]) % Q
    return x, (slope * (a[0] - x) - a[1]) % Q


def many1(a, number):
    found = None
    for bit in bin(number)[2:]:
        found = add1(found, found)
        found = add1(found, a) if bit == "1" else found
    return found


def onto_curve(message, told):
    """RFC 9380; ``told``: the numbers of its appendix E.2."""
    tag = TAG + u(len(TAG), 1)
    start = hashlib.sha256(bytes(64) + message + u(128, 2) + b"\0" + tag).digest()
    blocks = [bytes(32)]
    for number in range(1, 5):
        mixed = bytes(a ^ b for a, b in zip(start, blocks[-1], strict=True))
        blocks.append(hashlib.sha256(mixed + u(number, 1) + tag).digest())
    text = b"".join(blocks)[32:]
    halves = (int.from_bytes(text[at : at + 64], "big") % Q for at in (0, 64))
    return many1(add1(*(mapped(each, told) for each in halves)), LOOP + 1)


def mapped(number, told):
    a, b = (int(told[name], 16) for name in "ab")
    z = 11 * number * number % Q
    low = (z * z + z) % Q
    x = (-b * pow(a, -1, Q) * (1 + pow(low, -1, Q)) if low else b * pow(11 * a, -1, Q)) % Q
    y = root((x**3 + a * x + b) % Q)
    if y is None:
        x = z * x % Q
        y = root((x**3 + a * x + b) % Q)
    y = y if y % 2 == number % 2 else Q - y
    tops, bottoms = (
        [sum(int(c, 16) * pow(x, n, Q) for n, c in enumerate(told[axis + end])) for axis in "xy"]
        for end in ("Top", "Bottom")
    )
    across, up = (t * pow(d, -1, Q) % Q for t, d in zip(tops, bottoms, strict=True))
    return across, y * up % Q


def numbers():
    """Those of RFC 9380, which stand with the vectors; none where they are not beside this file."""
    try:
        with open(os.path.join(os.path.dirname(__file__), "vectors", "beacon.json"), "rb") as file:
            return json.load(file)["maps"][0]
    except FileNotFoundError:
        return None


def beacon_signed(number, signature, key, told):
    """Whether the key has signed the round."""
    try:
        at = point1(signature)
    except (Wrong, IndexError):
        return False
    if many1(at, COUNT) is not None:
        return False
    message = onto_curve(hashlib.sha256(u(number, 8)).digest(), told)
    one = pairing((at[0], Q - at[1]), point2(bytes.fromhex(GENERATOR)))
    return is_one(mul12(one, pairing(message, point2(key))))


# 6. An evidence file (bundles.md)

OF_KINDS = {  # events that have what was taken, by the kind of its receipt
    "join": ["seat-taken"], "agreement": ["rules-agreed"], "takeback": ["takeback"],
    "links": ["links-given", "tip-renewed"], "key": ["key-changed"],
    "ruling": ["ended-by-ruling", "paused", "resumed", "batch-voided", "key-changed"],
}  # fmt: skip


class Game:
    """What is read of a file on the way."""

    def __init__(self, data, beacon=""):
        archive = zipfile.ZipFile(io.BytesIO(data))
        names = archive.namelist()
        need(names == sorted(set(names)), "the names of the files are not sorted")
        self.files = {name: archive.read(name) for name in names}
        self.manifest = json.loads(self.files["manifest.json"])
        self.said, self.keys = [], []
        self.beacon, self.seen, self.map = beacon, 0, numbers()

    def whole(self):
        listed = {each["name"]: each for each in self.manifest["files"]}
        outside = {"manifest.json", "manifest.dsse.json", "cosigned.dsse.json", "receipts.jsonl"}
        need(listed.keys() == self.files.keys() - outside, "other files than are listed")
        for name, each in listed.items():
            found = hashlib.sha256(self.files[name]).hexdigest()
            need(found == each["sha256"], f"{name} is damaged")
        self.said.append(f"{len(listed)} files are those of the manifest")

    def chain(self):
        self.events, self.hashes, before = [], [], "0" * 64
        for line in self.files["events.jsonl"].splitlines():
            event = json.loads(line)
            seq = len(self.events) + 1
            need(canonical(event) == line, f"event {seq} is not in its one form")
            place = (event["seq"], event["prev"], event["game"])
            need(place == (seq, before, self.manifest["game"]), f"event {seq} breaks the chain")
            before = th("nwe1/event", line).hex()
            self.events.append(event)
            self.hashes.append(before)
        head = self.manifest["head"]
        need((head["seq"], head["hash"]) == (len(self.events), before), "another head")
        self.said.append(f"{len(self.events)} events hang together; the last is {before}")

    def seals(self):
        self.opened = {}
        for line in self.files["openings.jsonl"].splitlines():
            each = json.loads(line)
            seq, viewer, text = each["seq"], each["viewer"], canonical(each["payload"])
            found = th("nwe1/sealed", bytes.fromhex(each["salt"]), text).hex()
            need(self.events[seq - 1]["sealed"].get(viewer) == found, f"event {seq}: {viewer}")
            self.opened[seq, viewer] = each["payload"]
        self.said.append(f"{len(self.opened)} openings are what was sealed")

    def data(self, event):
        """In truth, as far as the file opens it."""
        whose = self.manifest["viewer"]
        return self.opened.get((event["seq"], whose)) or event["data"]

    def orders(self):
        lines = [json.loads(each) for each in self.files["commands.jsonl"].splitlines()]
        self.given = lines
        for each in lines:
            salt = bytes.fromhex(each["salt"])
            found = th("nwe1/command", salt, canonical(each["command"])).hex()
            for event in self.events[each["first"] - 1 : each["last"]]:
                cause = {"id": each["id"], "digest": found}
                need(event["cause"] == cause, f"event {event['seq']}: cause")
        self.said.append(f"{len(lines)} orders are the causes of their events")
        self.own = self.signatures({each["first"]: each for each in lines})
        self.said.append(f"{self.own} orders are signed by their seats")

    def signatures(self, firsts):
        created = self.events[0]["data"]
        keys, rules, chains = dict(created.get("keys", {})), created["rules"]["digest"], self.g
        self.ruled = set()  # seats whose key the operator alone has changed
        self.had = {(seat, key["public"]) for seat, key in keys.items()}
        newest, count = {}, 0
        for event in self.events:
            data, order = event["data"], firsts.get(event["seq"])
            by_clock = event["type"] == "decklog.deadline-passed"
            if order and order["seat"] in keys and not by_clock:
                need("signature" in order, f"event {event['seq']}: its order is not signed")
                told = order["signature"]
                text = dsse(SEAT_ORDER, canonical({
                    "v": 2, "game": event["game"], "rules": rules, "chains": chains.hex(),
                    "seat": order["seat"], "question": told["question"],
                    "subject": told["subject"], "command": order["command"],
                    "after": newest.get(order["seat"], 0),
                }))  # fmt: skip
                public = bytes.fromhex(keys[order["seat"]]["public"])
                fits = signed(public, text, bytes.fromhex(told["value"]))
                need(fits, f"event {event['seq']}: the signature is of another order or place")
                count += order["seat"] not in self.ruled
            newest[event["actor"]] = event["seq"]
            if event["type"] == "decklog.seat-taken" and "key" in data:
                keys[data["seat"]] = data["key"]
                self.had.add((data["seat"], data["key"]["public"]))
            elif event["type"] == "decklog.key-changed":
                self.rekeyed(event, keys)
            elif event["type"] == "decklog.rules-changed":
                rules = data["new"]["digest"]
            chains = self.chains_after(event, chains)
        return count

    def rekeyed(self, event, keys):
        """By ruling a seat has another key, or none; where it says so, signed by the one before."""
        data, seat = event["data"], event["data"]["seat"]
        where = f"event {event['seq']}: the key of {seat}"
        old = keys.pop(seat, {"public": ""})["public"]
        need(old and old == data["old"], f"{where} was another before")
        if "signature" not in data:
            self.ruled.add(seat)
        if "key" not in data:
            need("signature" not in data, f"{where} is passed on to none")
            return
        new = data["key"]["public"]
        need(is_key(bytes.fromhex(new)), f"{where} is no public key of Ed25519")
        need((seat, new) not in self.had, f"{where}: it had that key before")
        if "signature" in data:
            told = {"v": 1, "game": event["game"], "seat": seat, "key": data["key"]}
            text = dsse(SEAT_KEY, canonical(told))
            fits = signed(bytes.fromhex(old), text, bytes.fromhex(data["signature"]))
            need(fits, f"{where} is not signed by the one before")
        keys[seat] = data["key"]
        self.had.add((seat, new))

    def chains_after(self, event, chains):
        """What an order is bound to after an event: G, until the store went back."""
        if event["type"] == "decklog.epoch-started":
            data = event["data"]
            self.restarted = (data["epoch"], bytes.fromhex(data["nonce"]))
            return self.epoch(data["epoch"], *self.restarted)
        if event["type"] == "decklog.chain-renewed" and self.restarted:
            return self.epoch(event["data"]["epoch"], *self.restarted)
        return chains

    def epoch(self, number, opened=0, nonce=b""):
        """What takes the place of G in the chains of an epoch."""
        first = th("nwd1/epoch", self.g, u(opened, 4), nonce) if nonce else self.g
        return first if number == opened else th("nwd1/renewed", first, u(number, 4))

    def dice(self):
        created = self.events[0]["data"]
        self.g, self.restarted, self.beacons = parameters(created["params"]), None, {}
        need(self.g.hex() == created["params"]["g"], "event 1: G")
        self.begin(self.g, 0, created)
        names, rolls, count = list(created["setup"]["seats"]), 0, 0
        tips = dict(zip(names, created["seatTips"], strict=True))
        restarted = named = None
        for event in self.events:
            data, kind = event["data"], event["type"]
            if kind in ("decklog.seat-taken", "decklog.tip-renewed") and data["tip"]:
                tips[data["seat"]] = data["tip"]
            if kind in ("decklog.epoch-started", "decklog.chain-renewed"):
                if kind == "decklog.epoch-started":
                    restarted = (data["epoch"], bytes.fromhex(data["nonce"]))
                    self.beacons = {}  # a round of before is in no batch after it
                self.begin(
                    self.epoch(data["epoch"], *restarted or (0, b"")), data["first"] - 1, data
                )
                tips = dict.fromkeys(tips, "")
            if kind == "decklog.links-closed":
                named = data["t"], data.get("round")
            if kind == "decklog.beacon-seen":
                seen = data["t"], data["round"]
                need(seen == named, f"event {event['seq']}: another round than was named")
                self.round(event["seq"], data, created)
                randomness = hashlib.sha256(bytes.fromhex(data["signature"])).digest()
                self.beacons[data["t"]] = (data["round"], randomness)
            if kind == "decklog.batch-rolled":
                batch = self.data(event)
                if batch["link"]:
                    rolls += self.batch(event["seq"], batch, [tips.get(s, "") for s in names])
                    count += 1
        self.said.append(f"{rolls} rolls in {count} batches, each made again (seats: {len(names)})")
        if self.seen:
            ok = "are signed by its key" if self.map else "may be anybody's: vectors/ is not here"
            self.said.append(f"{self.seen} rounds of the beacon {ok}")

    def round(self, seq, data, created):
        key, self.seen = self.beacon, self.seen + 1
        if not key:
            need(created["beacon"] == QUICKNET, "a beacon that is not known here: --beacon KEY")
            key = QUICKNETS_KEY
        given = bytes.fromhex(data["signature"]), bytes.fromhex(key)
        signed_ = not self.map or beacon_signed(data["round"], *given, self.map)
        need(signed_, f"event {seq}: the signature of round {data['round']}")

    def begin(self, g, base, told):
        self.now, self.base = g, base
        self.tips = {d: bytes.fromhex(tip) for d, tip in told["tips"].items()}
        need(commitment(g, self.tips).hex() == told["commitment"], "the commitment to the chains")
        if "secrets.json" in self.files:
            master = bytes.fromhex(json.loads(self.files["secrets.json"])["master"])
            length = self.events[0]["data"]["params"]["length"]
            for domain, tip in self.tips.items():
                far = server_end(master, g, domain)
                need(down(far, g, b"S", domain, length, 0) == tip, f"the master: {domain}")

    def batch(self, seq, data, tips):
        number, link = data["t"] - self.base, bytes.fromhex(data["link"])
        found = down(link, self.now, b"S", data["domain"], number, 0)
        need(found == self.tips[data["domain"]], f"event {seq}: the service's link")
        players = [bytes.fromhex(each) for each in data["playerLinks"]]
        for seat, (given, tip) in enumerate(zip(players, tips, strict=True)):
            if given:
                found = down(given, self.now, b"P" + u(seat, 1), "", number, 0)
                need(found.hex() == tip, f"event {seq}: the link of seat {seat}")
        beacon = self.beacons.get(data["t"])
        key = batch_key(self.now, data["domain"], data["t"], link, players, beacon)
        for each in data["rolls"]:
            pools = [(pool["count"], pool["sides"]) for pool in each["pools"]]
            need(faces(key, each["label"], pools) == each["faces"], f"event {seq}: {each['label']}")
        return len(data["rolls"])

    def origin(self, root):
        if "manifest.dsse.json" not in self.files:
            need(not root, "nobody has signed it")
            self.said.append("origin not proven: unsigned")
            return
        text, by = envelope(
            self.files["manifest.dsse.json"], "application/vnd.decklog.manifest.v1+json"
        )
        need(text == self.files["manifest.json"], "what is signed is another manifest")
        listed, by_root = envelope(
            self.files["keys/list.dsse.json"], "application/vnd.decklog.keys.v1+json"
        )
        keys = json.loads(listed)
        self.keys = keys["keys"]
        need(by_root(root or keys["root"]), "the list of keys is not of that root")
        own = [k for k in keys["keys"] if k["role"] == "bundles" and by(k["key"])]
        need(own, "no key for bundles of the list has signed it")
        need("compromised" not in own[0], "its key was taken back")
        last, until = self.events[-1]["at"], own[0]["until"]
        need(not until or last <= until, "its key had ended before the last event")
        word = "shown" if root else "not proven: no --root was given"
        self.said.append(f"origin {word}: signed by {own[0]['key']}")

    def beside(self, root):
        """What came after the manifest: cosignatures, and receipts of who exported the file."""
        if "cosigned.dsse.json" in self.files:
            data = self.files["cosigned.dsse.json"]
            text, by = envelope(data, "application/vnd.decklog.manifest.v1+json")
            need(text == self.files["manifest.json"], "what is cosigned is another manifest")
            told = json.loads(data)
            names = [each["keyid"] for each in told["signatures"]]
            in_order = 0 < len(names) <= 100 and names == sorted(set(names))
            need(canonical(told) == data and in_order, "cosigned.dsse.json is not in its one form")
            for name in names:
                need(by(name), f"a cosignature is not by {name}")
            self.said.append(f"cosigned by {', '.join(names)}: whose keys they are, you know")
        data = self.files.get("receipts.jsonl", b"")
        lines = data.splitlines()
        in_order = lines == sorted(set(lines)) and data == b"".join(each + b"\n" for each in lines)
        whole = all(canonical(json.loads(each)) == each for each in lines)
        empty = not lines and "receipts.jsonl" in self.files
        need(in_order and whole and not empty, "receipts.jsonl is not in its one form")
        own = [each["key"] for each in self.keys if each["role"] == "receipts"]
        for line in lines if root else ():  # by a list of his own anybody could accuse
            text, by = envelope(line, "application/vnd.decklog.receipt.v1+json")
            told = json.loads(text)
            need(any(map(by, own)), "a receipt is of no key of the list")
            need(told["game"] == self.manifest["game"], "a receipt is of another game")
            there = 0 < told["seq"] <= len(self.hashes)
            found = self.hashes[told["seq"] - 1] if there else ""
            need(found == told["head"], f"event {told['seq']}: not that of its receipt")
            if "secrets.json" in self.files:  # else a part of it may be sealed
                body = self.on_record(told["kind"], told["seat"], told["seq"])
                fits = body is not None and hashlib.sha256(body).hexdigest() == told["body"]
                need(fits, f"event {told['seq']}: not what its receipt is for")
        if lines:
            word = "have their events" if root else "are not judged: no --root was given"
            self.said.append(f"{len(lines)} receipts {word}")

    def on_record(self, kind, seat, seq):
        """What a receipt is for, of a game that is open; None where nothing of its kind is there.

        The event before is it where something else follows at once: the change after the last
        agreement, the master after the end."""
        locked = self.data(self.events[seq - 1])
        if kind == "order" and self.events[seq - 1]["type"] == "decklog.orders-locked":
            return locked["order"].encode() if locked["seat"] == seat else None
        if kind == "order":
            own = (each for each in self.given if (each["last"], each["seat"]) == (seq, seat))
            return next((canonical(each["command"]) for each in own), None)
        for event in reversed(self.events[max(seq - 2, 0) : seq]):
            data = self.data(event)
            own = "service" if kind == "ruling" else data.get("seat")
            if own == seat and event["type"].partition(".")[2] in OF_KINDS.get(kind, ()):
                return canonical(data)
        return None

    def log(self):
        stamped = {"time/proof.txt", "time/stamp.tsr"} & self.files.keys()
        if "log/proofs.txt" not in self.files:
            need(not stamped, "a time stamp without a log")
            self.said.append("no public log is told of")
            return
        index, note = self.logged("log/proofs.txt")
        origin, size, root = note.split("\n")[:3]
        self.grown(int(size), root)
        own = [k["key"] for k in self.keys if k["role"] == "log"]
        need(not own or any(note_signed(note, key) for key in own), "no log of the service's")
        by = "by a key of the service's list" if own else "by a key that nobody names here"
        self.said.append(f"the last event is leaf {index} of {size} of {origin}, signed {by}")
        if stamped:
            self.stamped(stamped, origin, size, root)

    def logged(self, name):
        """Of a proof that a log has the last event: the number of its leaf, and the head."""
        top, _, note = self.files[name].decode("utf-8", "replace").partition("\n\n")
        lines, head = top.split("\n"), note.split("\n")
        need(lines[0] == "c2sp.org/tlog-proof@v1", f"{name}: no proof of a log")
        form = len(lines) > 1 and re.fullmatch("index [0-9]{1,15}", lines[1])
        need(form and len(head) > 3 and re.fullmatch("[0-9]{1,15}", head[1]), f"{name}: no proof")
        index = int(lines[1][6:])
        proof = [base64.b64decode(each) for each in lines[2:]]
        found = root_by(
            proof, leaf_hash(leaf(self.manifest["game"], len(self.events), self.hashes[-1])),
            index, int(head[1]),
        )  # fmt: skip
        need(found == base64.b64decode(head[2]), "the log does not have the last event")
        return index, note

    def stamped(self, names, origin, size, root):
        """That a stamp is whole, and its head no second past; whose stamp it is, openssl tells."""
        need(len(names) == 2, "half a time stamp")
        _, note = self.logged("time/proof.txt")
        other, leaves, top = note.split("\n")[:3]
        need(other == origin, "the head that is stamped is of another log")
        need(leaves != size or top == root, "the head that is stamped has another past")
        self.said.append(f"a head of {leaves} leaves is stamped; the stamp is not checked here")

    def grown(self, size, root):
        """The head of another size with which the file's own is of one log, if it has a proof."""
        if "log/consistency.txt" not in self.files:
            return
        heading, *rest = self.files["log/consistency.txt"].decode().split("\n")
        old, new = (each.split(" ") for each in rest[:2])
        need((heading, old[0], new[0]) == ("nwl2-consistency", "old", "new"), "no consistency")
        need([str(size), root] in (old[1:], new[1:]), "the consistency of another head")
        before, after, *proof = map(base64.b64decode, (old[2], new[2], *rest[2:-1]))
        need(
            int(old[1]) < int(new[1]) and grows(int(old[1]), before, int(new[1]), after, proof),
            "the log does not go on from another head",
        )

    def check(self, root):
        for step in (self.whole, self.chain, self.seals, self.dice, self.orders):
            step()
        self.origin(root)
        self.beside(root)
        self.log()
        return self.said


# 7. Shares in escrow (dice.md)


def product(a, b):
    """The product in GF(256), the field of AES."""
    found = 0
    for bit in range(8):
        if b >> bit & 1:
            found ^= a << bit
    for bit in range(14, 7, -1):
        if found >> bit & 1:
            found ^= 0x11B << (bit - 8)
    return found


def secret_of(a, first, b, second):
    """The secret, of the shares numbered a and b."""
    over = next(each for each in range(1, 256) if product(each, a ^ b) == 1)
    one, other = product(b, over), product(a, over)
    return bytes(product(x, one) ^ product(y, other) for x, y in zip(first, second, strict=True))


# 8. Vectors


def hexed(told, *names):
    return [bytes.fromhex(told[name]) for name in names]


def check_dice(told):
    for each in told["rolls"]:
        key = bytes.fromhex(each["key"])
        need(faces(key, each["label"], each["pools"]) == each["faces"], each["label"])
    for each in told["batches"]:
        g, link, key = hexed(each, "g", "link", "key")
        players = [bytes.fromhex(link) for link in each["players"]]
        beacon = each["beacon"] and (each["beacon"][0], bytes.fromhex(each["beacon"][1]))
        made = batch_key(g, each["domain"], each["t"], link, players, beacon)
        need(made == key, f"batch {each['t']}")
    for each in told["games"]:
        g, master, tip, secret, player = hexed(each, "g", "master", "tip", "secret", "player")
        need(parameters(each["params"]) == g, "G")
        far, n = server_end(master, g, each["domain"]), each["params"]["length"]
        need(down(far, g, b"S", each["domain"], n, 0) == tip, "the service's tip")
        need(commitment(g, {each["domain"]: tip}).hex() == each["commitment"], "C_S")
        mine = down(player_end(secret, g, each["seat"]), g, b"P" + u(each["seat"], 1), "", n, 0)
        need(mine == player, "the seat's tip")
    return sum(len(told[name]) for name in ("rolls", "batches", "games"))


def check_tree(told):
    leaves = [leaf_hash(b"%d" % i) for i in range(len(told["roots"]))]
    for size, root in enumerate(told["roots"]):
        need(root_of(leaves[:size]).hex() == root, f"the root of {size} leaves")
    for size, index, proof in told["inclusion"]:
        found = root_by([bytes.fromhex(h) for h in proof], leaves[index], index, size)
        need(found.hex() == told["roots"][size], f"leaf {index} of {size}")
    for old, new, proof in told["consistency"]:
        before, after = (bytes.fromhex(told["roots"][size]) for size in (old, new))
        hashes = [bytes.fromhex(h) for h in proof]
        need(grows(old, before, new, after, hashes), f"from {old} leaves to {new}")
        need(not grows(old, after[::-1], new, after, hashes), f"another past of {old} leaves")
    for each in told["leaves"]:
        need(leaf(each["game"], each["seq"], each["hash"]).decode() == each["data"], "a leaf")
    return sum(len(told[name]) for name in ("roots", "inclusion", "consistency", "leaves"))


def check_signatures(told):
    for each in told["ed25519"]:
        public, message, signature = hexed(each, "public", "message", "signature")
        need(signed(public, message, signature) == each["holds"], each["what"])
    for each in told["notes"]:
        need(note_signed(each["note"], each["vkey"]) == each["holds"], "a note")
    for each in told["envelopes"]:
        content, by = envelope(canonical(each["envelope"]), each["envelope"]["payloadType"])
        need(by(each["vkey"]) == each["holds"], "an envelope")
        need(content.decode() == each["content"], "the content of an envelope")
    for each in told["orders"]:
        public, text, signature = hexed(each, "public", "signed", "signature")
        need(dsse(SEAT_ORDER, canonical(each["order"])) == text, "the bytes of an order")
        need(signed(public, text, signature) == each["holds"], "the signature of an order")
    for each in told["keys"]:
        public, text, signature = hexed(each, "public", "signed", "signature")
        need(dsse(SEAT_KEY, canonical(each["passed"])) == text, "the bytes of a key passed on")
        need(signed(public, text, signature) == each["holds"], "the signature of a key passed on")
    return sum(len(told[name]) for name in ("ed25519", "notes", "envelopes", "orders", "keys"))


def check_hashes(told):
    for each in told["tagged"]:
        found = th(each["tag"], *map(bytes.fromhex, each["fields"]))
        need(found.hex() == each["hash"], each["tag"])
    for each in told["hmac"]:
        key, text, tag = hexed(each, "key", "text", "tag")
        need(mac(key, text) == tag, "HMAC")
    for each in told["hkdf"]:
        ikm, salt, info, out = hexed(each, "ikm", "salt", "info", "out")
        need(hkdf(ikm, salt or bytes(32), info, len(out)) == out, "HKDF")
    for each in told["events"]:
        need(th("nwe1/event", each["text"].encode()).hex() == each["hash"], "an event")
        need(canonical(json.loads(each["text"])).decode() == each["text"], "one form")
    return sum(len(told[name]) for name in ("tagged", "hmac", "hkdf", "events"))


def check_wycheproof(told):
    """Figures of others; what is not to hold may be refused, or come to another value."""
    for each in told["ed25519"]:
        public, message, signature = hexed(each, "public", "message", "signature")
        found = signed(public, message, signature)
        need(found == each["holds"], f"Ed25519, test {each['test']}")
    for each in told["hmac"]:
        key, text, tag = hexed(each, "key", "text", "tag")
        found = mac(key, text)[: len(tag)] == tag
        need(found == each["holds"], f"HMAC, test {each['test']}")
    for each in told["hkdf"]:
        ikm, salt, info, out = hexed(each, "ikm", "salt", "info", "out")
        try:
            found = hkdf(ikm, salt, info, each["size"]) == out
        except Wrong:
            found = False
        need(found == each["holds"], f"HKDF, test {each['test']}")
    return sum(len(told[name]) for name in ("ed25519", "hmac", "hkdf"))


def check_escrow(told):
    for each in told["secrets"]:
        shares = [bytes.fromhex(share) for share in each["shares"]]
        for number, share in enumerate(shares, 1):
            found = th("nwd1/escrow-share", bytes.fromhex(each["g"]), u(number, 1), share)
            need(found.hex() == each["digests"][number - 1], f"the digest of share {number}")
        for a, b in ((1, 2), (1, 3), (2, 3)):
            found = secret_of(a, shares[a - 1], b, shares[b - 1])
            need(found.hex() == each["secret"], f"the secret by shares {a} and {b}")
    return len(told["secrets"])


def check_beacon(told):
    for each in told["rounds"]:
        given = each["round"], bytes.fromhex(each["signature"]), bytes.fromhex(each["key"])
        need(beacon_signed(*given, told["maps"][0]) == each["holds"], each["what"])
    return len(told["rounds"])


VECTORS = {
    "dice": check_dice, "tree": check_tree, "signatures": check_signatures, "hashes": check_hashes,
    "wycheproof": check_wycheproof,
    "escrow": check_escrow,
    "beacon": check_beacon,
}  # fmt: skip


def option(name, words):
    if name not in words:
        return "", words
    at = words.index(name)
    return words[at + 1], words[:at] + words[at + 2 :]


def main(words):
    root, words = option("--root", words)
    beacon, words = option("--beacon", words)
    for name in words:
        with open(name, "rb") as file:
            data = file.read()
        try:
            if data.startswith(b"PK"):
                said = Game(data, beacon).check(root)
            else:
                told = json.loads(data)
                said = [f"{VECTORS[told['of']](told)} vectors of {told['of']} hold"]
        except Wrong as error:
            print(f"{name}: WRONG: {error}")
            return 1
        print("\n".join(f"{name}: {each}" for each in said))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
