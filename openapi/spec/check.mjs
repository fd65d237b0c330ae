// The same checks as check.py, written a second time from the specification: node check.mjs FILE...
// Node 20 or later, nothing else. node check.mjs GAME.decklog [--root VKEY] [--beacon KEY], or vectors/*.json.
import { createHash, createHmac, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";

class Wrong extends Error {}
const need = (fits, what) => { if (!fits) throw new Wrong(what); };

// 1. Encodings and hashes (encodings.md)

const bytes = (text) => Buffer.from(text, "hex");
const ascii = (text) => Buffer.from(text, "utf8");
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const mac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();
const lp = (data) => Buffer.concat([u(data.length, 4), data]);

function u(value, size) {
  const made = Buffer.alloc(size);
  for (let at = size - 1, rest = BigInt(value); at >= 0; at -= 1, rest >>= 8n) made[at] = Number(rest & 255n);
  return made;
}

const th = (tag, ...fields) => sha256(lp(ascii(tag)), u(fields.length, 4), ...fields.map(lp));

function expand(key, info, length) {
  need(length <= 8160, "no stream is as long as that");
  const blocks = [];
  for (let n = 1, block = Buffer.alloc(0); 32 * blocks.length < length; n += 1) blocks.push((block = mac(key, block, info, u(n, 1))));
  return Buffer.concat(blocks).subarray(0, length);
}

const hkdf = (ikm, salt, info, length = 32) => expand(mac(salt, ikm), info, length);

function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

// 2. Dice (dice.md)

const parameters = (p) => th("nwd1/params", bytes(p.game), bytes(p.rules), bytes(p.scenario), u(p.seats, 1), u(p.length, 4));
const serverEnd = (master, g, domain) => hkdf(master, g, Buffer.concat([ascii("nwd1/server-chain"), lp(ascii(domain))]));
const playerEnd = (secret, g, seat) => hkdf(secret, g, Buffer.concat([ascii("nwd1/player-chain"), u(seat, 1)]));
const SERVICE = ascii("S");
const player = (seat) => Buffer.concat([ascii("P"), u(seat, 1)]);

function down(link, g, who, domain, number, to) {
  for (let i = number; i > to; i -= 1) link = th("nwd1/link", g, who, ascii(domain), u(i, 4), link);
  return link;
}

const commitment = (g, tips) => th("nwd1/server-commit", g, ...Object.keys(tips).sort().flatMap((d) => [ascii(d), tips[d]]));

function batchKey(g, domain, t, link, players, beacon) {
  const given = players.map((each) => (each.length ? Buffer.concat([u(1, 1), lp(each)]) : u(0, 1)));
  const extra = beacon ? Buffer.concat([u(1, 1), u(beacon[0], 8), lp(bytes(beacon[1]))]) : u(0, 1);
  return mac(th("nwd1/batch", g, ascii(domain), u(t, 4)), lp(link), ...given, extra);
}

function faces(key, label, pools) {
  const stream = expand(key, Buffer.concat([ascii("nwd1/roll"), lp(ascii(label))]), 8160);
  let at = 0;
  return pools.map(([count, sides]) => {
    const width = sides <= 256 ? 1 : 2, span = 256 ** width, limit = span - (span % sides), pool = [];
    while (pool.length < count) {
      need(at + width <= stream.length, `${label}: the stream is at its end`);
      const value = stream.readUIntBE(at, width);
      at += width;
      if (value < limit) pool.push(1 + (value % sides));
    }
    return pool;
  });
}

// 3. The log (log.md)

const leafHash = (data) => sha256(u(0, 1), data);
const nodeHash = (left, right) => sha256(u(1, 1), left, right);

function rootOf(leaves) {
  if (!leaves.length) return sha256();
  if (leaves.length === 1) return leaves[0];
  let half = 1;
  while (2 * half < leaves.length) half *= 2;
  return nodeHash(rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}

function rootBy(proof, leaf, index, size) {
  let found = leaf, last = size - 1;
  const rest = [...proof];
  need(index >= 0 && index < size, "no such leaf");
  for (; last; index = Math.floor(index / 2), last = Math.floor(last / 2)) {
    if (!(index % 2) && index === last) continue;
    need(rest.length, "the proof is too short");
    found = index % 2 ? nodeHash(rest.shift(), found) : nodeHash(found, rest.shift());
  }
  need(!rest.length, "the proof is too long");
  return found;
}

function grows(old, before, size, after, proof) {
  if (!old || old === size) return !proof.length && (!old || before.equals(after));
  const rest = [...proof];
  let index = old - 1, last = size - 1;
  const up = () => { index = Math.floor(index / 2); last = Math.floor(last / 2); };
  while (index % 2) up();
  if (index && !rest.length) return false;
  let one = index ? rest.shift() : before, two = one;
  for (; last; up()) {
    if (!(index % 2) && index === last) continue;
    if (!rest.length) return false;
    const other = rest.shift();
    if (index % 2) { one = nodeHash(other, one); two = nodeHash(other, two); } else two = nodeHash(two, other);
  }
  return !rest.length && one.equals(before) && two.equals(after);
}

const tagOf = (game) => th("nwl2/tag", bytes(game)).subarray(0, 16).toString("hex");
const leaf = (game, seq, hash) => ascii(`nwl2 ${tagOf(game)} ${seq} ${hash}\n`);

// 4. Signatures (signatures.md): Ed25519 is Node's own, which takes keys of small order: those are refused here.

const SMALL = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

const isKey = (key) => key.length === 32 && !SMALL.has(key.toString("hex"));

function signed(key, message, signature) {
  if (!isKey(key) || signature.length !== 64) return false;
  const der = Buffer.concat([bytes("302a300506032b6570032100"), key]);
  return verify(null, message, createPublicKey({ key: der, format: "der", type: "spki" }), signature);
}

function vkey(text) {
  const [name, told, ...body] = text.split("+"), kind = Buffer.from(body.join("+"), "base64");
  const id = sha256(ascii(`${name}\n`), kind).subarray(0, 4);
  need(id.toString("hex") === told, `${name}: the id of the key is ${id.toString("hex")}`);
  return { name, id, key: kind.subarray(1) };
}

function noteSigned(note, by) {
  const { name, id, key } = vkey(by), at = note.lastIndexOf("\n\n");
  for (const line of note.slice(at + 2).split("\n").filter(Boolean)) {
    const [whose, body] = line.slice(2).split(" "), raw = Buffer.from(body, "base64");
    if (whose === name && raw.subarray(0, 4).equals(id)) return signed(key, ascii(note.slice(0, at + 1)), raw.subarray(4));
  }
  return false;
}

const dsse = (kind, content) => Buffer.concat([ascii(`DSSEv1 ${ascii(kind).length} ${kind} ${content.length} `), content]);

function envelope(told, kind) {
  need(told.payloadType === kind, `an envelope of ${told.payloadType}, not ${kind}`);
  const content = Buffer.from(told.payload, "base64"), text = dsse(kind, content);
  const by = (key) => told.signatures.some((each) => signed(vkey(key).key, text, Buffer.from(each.sig, "base64")));
  return [content, by];
}

// 5. A public beacon (dice.md): BLS12-381, slowly; a signature is a point of G1, a key one of G2.

const Q = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const COUNT = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
const HARD = (Q ** 4n - Q ** 2n + 1n) / COUNT, LOOP = 0xd201000000010000n;
const TAG = ascii("BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_");
const GENERATOR = "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
  + "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8";
const QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
const QUICKNETS_KEY = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
  + "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";

const mod = (a) => ((a % Q) + Q) % Q;
const big = (data) => BigInt(`0x${data.toString("hex")}`);
const bitsOf = (number) => number.toString(2).slice(1); // all but the first

function power(a, number, product) {
  let found = a;
  for (const bit of bitsOf(number)) { found = product(found, found); if (bit === "1") found = product(found, a); }
  return found;
}

const pow = (a, number) => power(mod(a), number, (x, y) => x * y % Q);
const under = (a) => pow(a, Q - 2n); // 1 / a
const add2 = (a, b) => [mod(a[0] + b[0]), mod(a[1] + b[1])];
const less2 = (a, b) => [mod(a[0] - b[0]), mod(a[1] - b[1])];
const mul2 = (a, b) => [mod(a[0] * b[0] - a[1] * b[1]), mod(a[0] * b[1] + a[1] * b[0])]; // a + b u, with u^2 = -1

function over2(a, b) {
  const by = under(b[0] * b[0] + b[1] * b[1]);
  return mul2(a, [b[0] * by, -b[1] * by]);
}

function mul12(a, b) { // by powers of w, with w^12 = 2 w^6 - 2; u is w^6 - 1
  const out = Array(23).fill(0n);
  a.forEach((x, i) => { if (x) b.forEach((y, j) => { out[i + j] += x * y; }); });
  for (let k = 22; k > 11; k -= 1) { out[k - 6] += 2n * out[k]; out[k - 12] -= 2n * out[k]; }
  return out.slice(0, 12).map(mod);
}

function met(a, b, slope) {
  const x = less2(less2(mul2(slope, slope), a[0]), b[0]);
  return [x, less2(mul2(slope, less2(a[0], x)), a[1])];
}

function line(at, point, slope) { // at a point of G1, of the line through a point (x / w^2, y / w^3), times w^3
  const free = less2(point[1], mul2(slope, point[0])), first = mul2(slope, [at[0], 0n]), out = Array(12).fill(0n);
  [out[0], out[6], out[2], out[8], out[3]] = [mod(free[0] - free[1]), free[1], mod(first[0] - first[1]), first[1], mod(-at[1])];
  return out;
}

const ONE = [1n, ...Array(11).fill(0n)];

function pairing(at, of) { // Miller's loop alone; the last power is taken of a product of these
  let found = ONE, point = of;
  for (const bit of bitsOf(LOOP)) {
    const square = mul2(point[0], point[0]), twice = over2(add2(add2(square, square), square), add2(point[1], point[1]));
    found = mul12(mul12(found, found), line(at, point, twice));
    point = met(point, point, twice);
    if (bit === "0") continue;
    const slope = over2(less2(of[1], point[1]), less2(of[0], point[0]));
    found = mul12(found, line(at, point, slope));
    point = met(point, of, slope);
  }
  return found;
}

// Whether product^((Q^12 - 1) / COUNT) is one: to the power of HARD; of Q^2 + 1, by which w becomes a root of one in Fp
// times w; of Q^6 - 1, which leaves one where w^(Q^6) = -w changes nothing.
function isOne(product) {
  const [turn] = power([1n, 1n], (Q * Q - 1n) / 6n, mul2), hard = power(product, HARD, mul12);
  const found = mul12(hard, hard.map((each, k) => mod(each * turn ** BigInt(k))));
  return found.some(Boolean) && found.every((each, k) => k % 2 === 0 || !each);
}

function rootOfNumber(a) {
  const found = pow(a, (Q + 1n) / 4n);
  return mod(found * found - a) === 0n ? found : null;
}

function unpacked(data) { // of a compressed point: the flag of the larger root, and the rest
  need((data[0] & 0xc0) === 0x80, "a point that is not compressed, or none");
  return [Boolean(data[0] & 0x20), Buffer.concat([u(data[0] & 0x1f, 1), data.subarray(1)])];
}

function point1(data) {
  const [greater, rest] = unpacked(data), x = big(rest), y = x < Q && data.length === 48 ? rootOfNumber(x ** 3n + 4n) : null;
  need(y !== null, "no point of the curve");
  return [x, (2n * y > Q) === greater ? y : Q - y];
}

function point2(data) {
  const [greater, rest] = unpacked(data), x = [big(rest.subarray(48)), big(rest.subarray(0, 48))];
  const a = add2(mul2(mul2(x, x), x), [4n, 4n]), norm = rootOfNumber(a[0] * a[0] + a[1] * a[1]);
  const one = [norm, -norm].map((each) => rootOfNumber((a[0] + each) * (Q + 1n) / 2n)).find(Boolean);
  const y = [one, mod(a[1] * under(2n * one))], turned = less2([0n, 0n], y);
  const larger = y[1] > turned[1] || (y[1] === turned[1] && y[0] > turned[0]);
  return [x, larger === greater ? y : turned];
}

function add1(a, b) {
  if (!a || !b) return a ?? b;
  if (a[0] === b[0] && mod(a[1] + b[1]) === 0n) return null;
  const [up, across] = a[0] === b[0] ? [3n * a[0] * a[0], 2n * a[1]] : [b[1] - a[1], b[0] - a[0]];
  const slope = mod(up * under(across)), x = mod(slope * slope - a[0] - b[0]);
  return [x, mod(slope * (a[0] - x) - a[1])];
}

function ontoCurve(message, told) { // RFC 9380; `told`: the numbers of its appendix E.2
  const tag = Buffer.concat([TAG, u(TAG.length, 1)]), start = sha256(Buffer.alloc(64), message, u(128, 2), u(0, 1), tag);
  const blocks = [Buffer.alloc(32)];
  for (let n = 1; n < 5; n += 1) blocks.push(sha256(Buffer.from(start.map((byte, at) => byte ^ blocks[n - 1][at])), u(n, 1), tag));
  const text = Buffer.concat(blocks.slice(1)), [one, other] = [0, 64].map((at) => mapped(mod(big(text.subarray(at, at + 64))), told));
  return power(add1(one, other), LOOP + 1n, add1);
}

function mapped(number, told) {
  const [a, b] = [told.a, told.b].map((each) => BigInt(`0x${each}`)), z = 11n * number * number % Q, low = mod(z * z + z);
  let x = mod(low ? -b * under(a) * (1n + under(low)) : b * under(11n * a));
  let y = rootOfNumber(x ** 3n + a * x + b);
  if (y === null) { x = z * x % Q; y = rootOfNumber(x ** 3n + a * x + b); }
  if (y % 2n !== number % 2n) y = Q - y;
  const value = (name) => told[name].reduceRight((sum, each) => (sum * x + BigInt(`0x${each}`)) % Q, 0n);
  return [mod(value("xTop") * under(value("xBottom"))), mod(y * value("yTop") * under(value("yBottom")))];
}

function beaconSigned(round, signature, key, told) { // whether the key has signed the round
  let at;
  try { at = point1(signature); } catch (error) { if (error instanceof Wrong) return false; throw error; }
  if (power(at, COUNT, add1) !== null) return false;
  const message = ontoCurve(sha256(u(round, 8)), told);
  return isOne(mul12(pairing([at[0], Q - at[1]], point2(bytes(GENERATOR))), pairing(message, point2(key))));
}

// The numbers of RFC 9380 stand with the vectors; null where these are not beside this file.
function numbers() {
  try { return JSON.parse(readFileSync(new URL("vectors/beacon.json", import.meta.url))).maps[0]; } catch (error) { if (error.code === "ENOENT") return null; throw error; }
}

// 6. An evidence file (bundles.md)

function unzip(data) {
  const files = {}, names = [];
  let at = 0;
  for (; data.readUInt32LE(at) === 0x04034b50;) {
    const size = data.readUInt32LE(at + 22), length = data.readUInt16LE(at + 26);
    need(data.readUInt16LE(at + 8) === 0 && data.readUInt16LE(at + 28) === 0, "a file that is not stored as it is");
    const name = data.toString("ascii", at + 30, at + 30 + length);
    files[name] = data.subarray(at + 30 + length, at + 30 + length + size);
    names.push(name);
    at += 30 + length + size;
  }
  need(names.every((name, n) => !n || names[n - 1] < name), "the names of the files are not sorted");
  return files;
}

const lines = (data) => data.toString("utf8").split("\n").filter(Boolean);

function checkGame(data, root) {
  const files = unzip(data), manifest = JSON.parse(files["manifest.json"]), said = [];
  const listed = manifest.files.map((each) => each.name), outside = ["manifest.json", "manifest.dsse.json", "cosigned.dsse.json", "receipts.jsonl"];
  need(canonical(Object.keys(files).filter((name) => !outside.includes(name))) === canonical(listed), "other files than are listed");
  for (const each of manifest.files) need(sha256(files[each.name]).toString("hex") === each.sha256, `${each.name} is damaged`);
  said.push(`${listed.length} files are those of the manifest`);

  const events = [];
  let before = "0".repeat(64);
  for (const line of lines(files["events.jsonl"])) {
    const event = JSON.parse(line), seq = events.push(event);
    need(canonical(event) === line, `event ${seq} is not in its one form`);
    need(event.seq === seq && event.prev === before && event.game === manifest.game, `event ${seq} breaks the chain`);
    before = th("nwe1/event", ascii(line)).toString("hex");
  }
  need(manifest.head.seq === events.length && manifest.head.hash === before, "another head");
  said.push(`${events.length} events hang together; the last is ${before}`);

  const opened = new Map();
  for (const line of lines(files["openings.jsonl"])) {
    const { seq, viewer, salt, payload } = JSON.parse(line);
    const found = th("nwe1/sealed", bytes(salt), ascii(canonical(payload))).toString("hex");
    need(events[seq - 1].sealed[viewer] === found, `event ${seq}: ${viewer}`);
    opened.set(`${seq} ${viewer}`, payload);
  }
  said.push(`${opened.size} openings are what was sealed`);

  const truth = (event) => opened.get(`${event.seq} ${manifest.viewer}`) || event.data;
  said.push(checkAllDice(files, events, truth));

  const orders = lines(files["commands.jsonl"]).map((line) => JSON.parse(line));
  for (const { salt, command, first, last, id } of orders) {
    const digest = th("nwe1/command", bytes(salt), ascii(canonical(command))).toString("hex");
    for (const event of events.slice(first - 1, last)) need(event.cause.id === id && event.cause.digest === digest, `event ${event.seq}: cause`);
  }
  said.push(`${orders.length} orders are the causes of their events`, `${checkSignatures(events, orders)} orders are signed by their seats`);
  said.push(checkOrigin(files, events, root), ...checkBeside(files, manifest, events, orders, truth, root), ...checkLog(files, events, before));
  return said;
}

function rekeyed(keys, had, ruled, seq, game, { seat, old, key, signature }) { // by ruling; signed by the one before where it says so
  const where = `event ${seq}: the key of ${seat}`, kind = "application/vnd.decklog.seat-key.v1+json";
  need(old && keys[seat]?.public === old, `${where} was another before`);
  need(key || signature === undefined, `${where} is passed on to none`);
  if (key) need(isKey(bytes(key.public)), `${where} is no public key of Ed25519`);
  if (key) need(!had.has(`${seat} ${key.public}`), `${where}: it had that key before`);
  if (signature === undefined) ruled.add(seat);
  else need(signed(bytes(old), dsse(kind, ascii(canonical({ v: 1, game, seat, key }))), bytes(signature)), `${where} is not signed by the one before`);
  delete keys[seat];
  if (key) keys[seat] = key;
  if (key) had.add(`${seat} ${key.public}`);
}

// Each order of a seat that has registered a key, in its place (signatures.md): how many there are.
function checkSignatures(events, orders) {
  const created = events[0].data, keys = { ...created.keys ?? {} }, firsts = new Map(orders.map((order) => [order.first, order])), newest = {};
  const g = parameters(created.params), kind = "application/vnd.decklog.order.v2+json";
  const ruled = new Set(); // seats whose key the operator alone has changed
  const had = new Set(Object.entries(keys).map(([seat, key]) => `${seat} ${key.public}`));
  let rules = created.rules.digest, chains = g, root = g, count = 0;
  for (const { type, seq, data, game, actor } of events) {
    const order = firsts.get(seq), key = order && keys[order.seat];
    if (key && type !== "decklog.deadline-passed") {
      need(order.signature, `event ${seq}: its order is not signed`);
      const { question, subject, value } = order.signature;
      const told = { v: 2, game, rules, chains: chains.toString("hex"), seat: order.seat, question, subject, after: newest[order.seat] ?? 0, command: order.command };
      need(signed(bytes(key.public), dsse(kind, ascii(canonical(told))), bytes(value)), `event ${seq}: the signature is of another order or place`);
      if (!ruled.has(order.seat)) count += 1;
    }
    newest[actor] = seq;
    if (type === "decklog.seat-taken" && data.key) { keys[data.seat] = data.key; had.add(`${data.seat} ${data.key.public}`); }
    if (type === "decklog.key-changed") rekeyed(keys, had, ruled, seq, game, data);
    if (type === "decklog.rules-changed") rules = data.new.digest;
    if (type === "decklog.epoch-started") chains = root = th("nwd1/epoch", g, u(data.epoch, 4), bytes(data.nonce));
    if (type === "decklog.chain-renewed" && root !== g) chains = th("nwd1/renewed", root, u(data.epoch, 4));
  }
  return count;
}

function checkAllDice(files, events, truth) {
  const created = events[0].data, g = parameters(created.params), names = created.setup.seats;
  need(g.toString("hex") === created.params.g, "event 1: G");
  let now = g, base = 0, tips = {}, own = Object.fromEntries(names.map((name, n) => [name, created.seatTips[n]]));
  let root = g, opened = 0, rolls = 0, batches = 0;
  let beacons = {}, seen = 0, named = "";
  const table = numbers();
  const begin = (told) => {
    tips = Object.fromEntries(Object.entries(told.tips).map(([domain, tip]) => [domain, bytes(tip)]));
    need(commitment(now, tips).toString("hex") === told.commitment, "the commitment to the chains");
    if (!files["secrets.json"]) return;
    const master = bytes(JSON.parse(files["secrets.json"]).master), n = created.params.length;
    for (const domain of Object.keys(tips)) need(down(serverEnd(master, now, domain), now, SERVICE, domain, n, 0).equals(tips[domain]), `the master: ${domain}`);
  };
  begin(created);
  for (const event of events) {
    const { type, data } = event;
    if ((type === "decklog.seat-taken" || type === "decklog.tip-renewed") && data.tip) own[data.seat] = data.tip;
    if (type === "decklog.epoch-started") {
      opened = data.epoch;
      root = th("nwd1/epoch", g, u(opened, 4), bytes(data.nonce));
      beacons = {}; // a round of before is in no batch after it
    }
    if (type === "decklog.epoch-started" || type === "decklog.chain-renewed") {
      now = data.epoch === opened ? root : th("nwd1/renewed", root, u(data.epoch, 4));
      base = data.first - 1;
      own = {};
      begin(data);
    }
    if (type === "decklog.links-closed") named = `${data.t} ${data.round}`;
    if (type === "decklog.beacon-seen") {
      need(`${data.t} ${data.round}` === named, `event ${event.seq}: another round than was named`);
      need(beacon || created.beacon === QUICKNET, "a beacon that is not known here: --beacon KEY");
      need(!table || beaconSigned(data.round, bytes(data.signature), bytes(beacon || QUICKNETS_KEY), table), `event ${event.seq}: the signature of round ${data.round}`);
      beacons[data.t] = [data.round, sha256(bytes(data.signature)).toString("hex")];
      seen += 1;
    }
    if (type !== "decklog.batch-rolled" || !truth(event).link) continue;
    const batch = truth(event), number = batch.t - base, link = bytes(batch.link), players = batch.playerLinks.map(bytes);
    need(down(link, now, SERVICE, batch.domain, number, 0).equals(tips[batch.domain]), `event ${event.seq}: the service's link`);
    players.forEach((given, seat) => need(!given.length || down(given, now, player(seat), "", number, 0).toString("hex") === own[names[seat]], `event ${event.seq}: the link of seat ${seat}`));
    const key = batchKey(now, batch.domain, batch.t, link, players, beacons[batch.t]);
    for (const { label, pools, faces: told } of batch.rolls) {
      need(canonical(faces(key, label, pools.map((pool) => [pool.count, pool.sides]))) === canonical(told), `event ${event.seq}: ${label}`);
      rolls += 1;
    }
    batches += 1;
  }
  return `${rolls} rolls in ${batches} batches, each made again (seats: ${names.length})${seen ? `; ${seen} rounds of the beacon ${table ? "are signed by its key" : "may be anybody's: vectors/ is not here"}` : ""}`;
}

function checkOrigin(files, events, root) {
  if (!files["manifest.dsse.json"]) {
    need(!root, "nobody has signed it");
    return "origin not proven: unsigned";
  }
  const [text, by] = envelope(JSON.parse(files["manifest.dsse.json"]), "application/vnd.decklog.manifest.v1+json");
  need(text.equals(files["manifest.json"]), "what is signed is another manifest");
  const keys = keysOf(files, root), own = keys.find((each) => each.role === "bundles" && by(each.key));
  need(own, "no key for bundles of the list has signed it");
  need(!("compromised" in own), "its key was taken back");
  need(!own.until || events.at(-1).at <= own.until, "its key had ended before the last event");
  return `origin ${root ? "shown" : "not proven: no --root was given"}: signed by ${own.key}`;
}

const OF_KINDS = { join: ["seat-taken"], agreement: ["rules-agreed"], links: ["links-given", "tip-renewed"], takeback: ["takeback"],
  key: ["key-changed"], ruling: ["ended-by-ruling", "paused", "resumed", "batch-voided", "key-changed"] };

// What a receipt is for, of a game that is open; null where nothing of its kind is there. The event before is it where
// something else follows at once: the change after the last agreement, the master after the end.
function onRecord(kind, seat, seq, events, orders, truth) {
  const last = events[seq - 1], locked = truth(last);
  if (kind === "order" && last.type === "decklog.orders-locked") return locked.seat === seat ? locked.order : null;
  if (kind === "order") {
    const own = orders.find((each) => each.last === seq && each.seat === seat);
    return own ? canonical(own.command) : null;
  }
  for (const event of [last, events[seq - 2]]) {
    if (!event || !OF_KINDS[kind]?.includes(event.type.replace("decklog.", ""))) continue;
    if ((kind === "ruling" ? "service" : truth(event).seat) === seat) return canonical(truth(event));
  }
  return null;
}

function checkBeside(files, manifest, events, orders, truth, root) { // what came after the manifest: cosignatures, and receipts of who exported it
  const said = [], cosigned = files["cosigned.dsse.json"] && JSON.parse(files["cosigned.dsse.json"]);
  const ordered = (found) => found.every((each, n) => !n || found[n - 1] < each);
  if (cosigned) {
    const [text, by] = envelope(cosigned, "application/vnd.decklog.manifest.v1+json"), names = cosigned.signatures.map((each) => each.keyid);
    need(text.equals(files["manifest.json"]), "what is cosigned is another manifest");
    const whole = names.length > 0 && names.length <= 100 && ordered(names) && files["cosigned.dsse.json"].equals(ascii(canonical(cosigned)));
    need(whole, "cosigned.dsse.json is not in its one form");
    for (const name of names) need(by(name), `a cosignature is not by ${name}`);
    said.push(`cosigned by ${names.join(", ")}: whose keys they are, you know`);
  }
  const given = files["receipts.jsonl"] ? lines(files["receipts.jsonl"]) : [];
  const whole = given.every((line) => canonical(JSON.parse(line)) === line) && ordered(given);
  need(whole && (!files["receipts.jsonl"] || files["receipts.jsonl"].equals(ascii(`${given.join("\n")}\n`))), "receipts.jsonl is not in its one form");
  const own = given.length ? keysOf(files, root).filter((each) => each.role === "receipts") : [];
  for (const line of root ? given : []) { // by a list of his own anybody could accuse
    const [text, by] = envelope(JSON.parse(line), "application/vnd.decklog.receipt.v1+json"), { game, kind, seat, body, seq, head } = JSON.parse(text);
    need(own.some((each) => by(each.key)), "a receipt is of no key of the list");
    need(game === manifest.game, "a receipt is of another game");
    const found = seq < events.length ? events[seq]?.prev : seq === events.length ? manifest.head.hash : "";
    need(seq > 0 && found === head, `event ${seq}: not that of its receipt`);
    if (!files["secrets.json"]) continue; // a part of it may be sealed
    const there = onRecord(kind, seat, seq, events, orders, truth);
    need(there !== null && sha256(ascii(there)).toString("hex") === body, `event ${seq}: not what its receipt is for`);
  }
  if (given.length) said.push(`${given.length} receipts ${root ? "have their events" : "are not judged: no --root was given"}`);
  return said;
}

function keysOf(files, root) {
  if (!files["keys/list.dsse.json"]) return [];
  const [listed, by] = envelope(JSON.parse(files["keys/list.dsse.json"]), "application/vnd.decklog.keys.v1+json");
  const keys = JSON.parse(listed);
  need(by(root || keys.root), "the list of keys is not of that root");
  return keys.keys;
}

function checkLog(files, events, head) {
  const stamped = ["time/proof.txt", "time/stamp.tsr"].filter((name) => files[name]).length;
  if (!files["log/proofs.txt"]) { need(!stamped, "a time stamp without a log"); return ["no public log is told of"]; }
  const { index, note, origin, size, root } = checkLogged(files, "log/proofs.txt", events, head);
  checkGrown(files["log/consistency.txt"], size, root);
  const own = keysOf(files, "").filter((each) => each.role === "log");
  need(!own.length || own.some((each) => noteSigned(note, each.key)), "no log of the service's");
  const said = [`the last event is leaf ${index} of ${size} of ${origin}, signed by a key ${own.length ? "of the service's list" : "that nobody names here"}`];
  if (!stamped) return said;
  need(stamped === 2, "half a time stamp");
  const other = checkLogged(files, "time/proof.txt", events, head);
  need(other.origin === origin, "the head that is stamped is of another log");
  need(other.size !== size || other.root === root, "the head that is stamped has another past");
  return [...said, `a head of ${other.size} leaves is stamped; the stamp is not checked here`];
}

// A proof that a log has the last event: the number of its leaf, and the head.
function checkLogged(files, name, events, head) {
  const text = files[name].toString("utf8"), at = text.indexOf("\n\n"), top = text.slice(0, at).split("\n"), note = text.slice(at + 2);
  const index = /^index ([0-9]{1,15})$/.exec(top[1] ?? ""), [origin, size, root] = note.split("\n");
  need(top[0] === "c2sp.org/tlog-proof@v1" && index && /^[0-9]{1,15}$/.test(size ?? ""), `${name}: no proof of a log`);
  const proof = top.slice(2).map((each) => Buffer.from(each, "base64"));
  const found = rootBy(proof, leafHash(leaf(events[0].game, events.length, head)), Number(index[1]), Number(size));
  need(found.toString("base64") === root, "the log does not have the last event");
  return { index: Number(index[1]), note, origin, size, root };
}

// The head of another size with which the file's own is of one log, if there is a proof of that.
function checkGrown(file, size, root) {
  if (!file) return;
  const [heading, ...rest] = file.toString("utf8").split("\n"), [old, later] = rest.slice(0, 2).map((each) => each.split(" "));
  need([heading, old[0], later[0]].join() === "nwl2-consistency,old,new", "no consistency");
  need([old, later].some((each) => each[1] === size && each[2] === root), "the consistency of another head");
  const [before, after, ...proof] = [old[2], later[2], ...rest.slice(2, -1)].map((each) => Buffer.from(each, "base64"));
  need(Number(old[1]) < Number(later[1]) && grows(Number(old[1]), before, Number(later[1]), after, proof), "the log does not go on from another head");
}

// 7. Vectors

const VECTORS = {
  dice(told) {
    for (const each of told.rolls) need(canonical(faces(bytes(each.key), each.label, each.pools)) === canonical(each.faces), each.label);
    for (const each of told.batches) {
      const key = batchKey(bytes(each.g), each.domain, each.t, bytes(each.link), each.players.map(bytes), each.beacon);
      need(key.toString("hex") === each.key, `batch ${each.t}`);
    }
    for (const each of told.games) {
      const g = bytes(each.g), n = each.params.length, tip = bytes(each.tip);
      need(parameters(each.params).equals(g), "G");
      need(down(serverEnd(bytes(each.master), g, each.domain), g, SERVICE, each.domain, n, 0).equals(tip), "the service's tip");
      need(commitment(g, { [each.domain]: tip }).toString("hex") === each.commitment, "C_S");
      need(down(playerEnd(bytes(each.secret), g, each.seat), g, player(each.seat), "", n, 0).toString("hex") === each.player, "the seat's tip");
    }
    return told.rolls.length + told.batches.length + told.games.length;
  },
  tree(told) {
    const leaves = told.roots.map((_, n) => leafHash(ascii(`${n}`)));
    told.roots.forEach((root, size) => need(rootOf(leaves.slice(0, size)).toString("hex") === root, `the root of ${size} leaves`));
    for (const [size, index, proof] of told.inclusion) need(rootBy(proof.map(bytes), leaves[index], index, size).toString("hex") === told.roots[size], `leaf ${index} of ${size}`);
    for (const [old, size, proof] of told.consistency) {
      const [before, after] = [old, size].map((each) => bytes(told.roots[each])), hashes = proof.map(bytes);
      need(grows(old, before, size, after, hashes), `from ${old} leaves to ${size}`);
      need(!grows(old, Buffer.from(after).reverse(), size, after, hashes), `another past of ${old} leaves`);
    }
    for (const each of told.leaves) need(leaf(each.game, each.seq, each.hash).toString() === each.data, "a leaf");
    return ["roots", "inclusion", "consistency", "leaves"].reduce((sum, name) => sum + told[name].length, 0);
  },
  signatures(told) {
    for (const each of told.ed25519) need(signed(bytes(each.public), bytes(each.message), bytes(each.signature)) === each.holds, each.what);
    for (const each of told.notes) need(noteSigned(each.note, each.vkey) === each.holds, "a note");
    for (const each of told.envelopes) {
      const [content, by] = envelope(each.envelope, each.envelope.payloadType);
      need(by(each.vkey) === each.holds && content.toString() === each.content, "an envelope");
    }
    for (const each of told.orders) {
      const text = dsse("application/vnd.decklog.order.v2+json", ascii(canonical(each.order)));
      need(text.equals(bytes(each.signed)), "the bytes of an order");
      need(signed(bytes(each.public), text, bytes(each.signature)) === each.holds, "the signature of an order");
    }
    for (const each of told.keys) {
      const text = dsse("application/vnd.decklog.seat-key.v1+json", ascii(canonical(each.passed)));
      need(text.equals(bytes(each.signed)), "the bytes of a key passed on");
      need(signed(bytes(each.public), text, bytes(each.signature)) === each.holds, "the signature of a key passed on");
    }
    return told.ed25519.length + told.notes.length + told.envelopes.length + told.orders.length + told.keys.length;
  },
  hashes(told) {
    for (const each of told.tagged) need(th(each.tag, ...each.fields.map(bytes)).toString("hex") === each.hash, each.tag);
    for (const each of told.hmac) need(mac(bytes(each.key), bytes(each.text)).toString("hex") === each.tag, "HMAC");
    for (const each of told.hkdf) {
      const salt = each.salt ? bytes(each.salt) : Buffer.alloc(32);
      need(hkdf(bytes(each.ikm), salt, bytes(each.info), each.out.length / 2).toString("hex") === each.out, "HKDF");
    }
    for (const each of told.events) {
      need(th("nwe1/event", ascii(each.text)).toString("hex") === each.hash, "an event");
      need(canonical(JSON.parse(each.text)) === each.text, "one form");
    }
    return told.tagged.length + told.hmac.length + told.hkdf.length + told.events.length;
  },
  wycheproof(told) { // what is not to hold may be refused, or come to another value
    const derived = (each) => { try { return hkdf(bytes(each.ikm), bytes(each.salt), bytes(each.info), each.size).equals(bytes(each.out)); } catch (error) { if (error instanceof Wrong) return false; throw error; } };
    const kinds = {
      ed25519: (each) => signed(bytes(each.public), bytes(each.message), bytes(each.signature)),
      hmac: (each) => mac(bytes(each.key), bytes(each.text)).subarray(0, each.tag.length / 2).equals(bytes(each.tag)),
      hkdf: derived,
    };
    return Object.entries(kinds).reduce((sum, [kind, holds]) => {
      for (const each of told[kind]) need(holds(each) === each.holds, `${kind}, test ${each.test}`);
      return sum + told[kind].length;
    }, 0);
  },
  beacon(told) {
    for (const { round, signature, key, holds, what } of told.rounds) need(beaconSigned(round, bytes(signature), bytes(key), told.maps[0]) === holds, what);
    return told.rounds.length;
  },
  escrow(told) {
    for (const each of told.secrets) {
      const shares = each.shares.map(bytes);
      shares.forEach((share, n) => need(th("nwd1/escrow-share", bytes(each.g), u(n + 1, 1), share).toString("hex") === each.digests[n], `the digest of share ${n + 1}`));
      for (const [a, b] of [[1, 2], [1, 3], [2, 3]]) need(secretOf(a, shares[a - 1], b, shares[b - 1]).toString("hex") === each.secret, `the secret by shares ${a} and ${b}`);
    }
    return told.secrets.length;
  },
};

// The product in GF(256), the field of AES; and the secret of the shares numbered a and b.
function times(a, b) {
  let found = 0;
  for (let bit = 0; bit < 8; bit += 1) if ((b >> bit) & 1) found ^= a << bit;
  for (let bit = 14; bit > 7; bit -= 1) if ((found >> bit) & 1) found ^= 0x11b << (bit - 8);
  return found;
}

function secretOf(a, first, b, second) {
  const over = [...Array(256).keys()].find((each) => times(each, a ^ b) === 1), one = times(b, over), other = times(a, over);
  return Buffer.from(first.map((x, n) => times(x, one) ^ times(second[n], other)));
}

const words = process.argv.slice(2);
const option = (name) => (words.includes(name) ? words.splice(words.indexOf(name), 2)[1] : "");
const root = option("--root"), beacon = option("--beacon");
for (const name of words) {
  const data = readFileSync(name);
  try {
    const told = data.toString("latin1", 0, 2) === "PK" ? null : JSON.parse(data);
    const said = told ? [`${VECTORS[told.of](told)} vectors of ${told.of} hold`] : checkGame(data, root);
    for (const each of said) console.log(`${name}: ${each}`);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    console.log(`${name}: WRONG: ${error.message}`);
    process.exitCode = 1;
  }
}
