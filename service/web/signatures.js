// Who signed a file: the service by a key of its root's list, the seats their orders, the log its head; and
// receipts against the record. By WebCrypto; where that has no Ed25519 nothing of this is judged, which is said.

import { canonical, equal, need, read } from "./bundle.js";
import { able, signedBy } from "./ed25519.js";
import { list, struct, text, whole, word } from "./forms.js";
import { ascii, epochParams, hex, join, renewedParams, sha256, unhex } from "./nwd1.js";
import { ENDS } from "./papers.js";

export const MANIFEST = "application/vnd.decklog.manifest.v1+json", KEYS = "application/vnd.decklog.keys.v1+json";
const ORDER = "application/vnd.decklog.order.v2+json", PASSED_ON = "application/vnd.decklog.seat-key.v1+json", RECEIPT = "application/vnd.decklog.receipt.v1+json";
const ENVELOPE = struct({ payloadType: text, payload: text, signatures: list(struct({ keyid: text, sig: text })) });
const listed = struct({ role: word("log", "receipts", "bundles"), key: text, since: text, until: text }, { compromised: text });
const LIST = struct({ v: whole, origin: text, root: text, serial: whole, at: text, keys: list(listed) });
const TAKEN = struct({ v: whole, game: text, kind: word("order", "join", "agreement", "links", "takeback", "key", "ruling"), seat: text, body: text, at: text,
  seq: whole, head: text, logBy: text });

// The bytes of base64 in its one form; null for anything else.
/** @param {string} told */
export function unbase64(told) {
  try {
    const found = atob(told);
    return btoa(found) === told ? Uint8Array.from(found, (letter) => letter.charCodeAt(0)) : null;
  } catch { return null; }
}

// A key as text: name+id+base64. Throws Refuted where it is none.
/** @param {string} told */
export async function vkey(told) {
  const [name, id, ...rest] = told.trim().split("+"), body = unbase64(rest.join("+"));
  need(name && body !== null && body.length === 33, "signature", 0, "key", "name+id+base64", told);
  const found = hex((await sha256(join(ascii(`${name}\n`), body))).subarray(0, 4));
  equal("signature", 0, `id of the key of ${name}`, found, id);
  return { name, id: unhex(id), hint: `${name}+${id}`, public: body.subarray(1) };
}

const dsse = (/** @type {string} */ kind, /** @type {Uint8Array} */ content) => join(ascii(`DSSEv1 ${ascii(kind).length} ${kind} ${content.length} `), content);

// What an envelope says, and whether a key has signed it, alone and by name.
/** @param {any} envelope @param {string} kind @param {string} what */
function opened(envelope, kind, what) {
  equal("signature", 0, `media type of ${what}`, kind, envelope.payloadType);
  const content = unbase64(envelope.payload);
  need(content !== null, "signature", 0, what, "base64", "another");
  const by = async (/** @type {any} */ key) => {
    const sigs = envelope.signatures.map((/** @type {{sig: string}} */ { sig }) => unbase64(sig));
    const hold = await Promise.all(sigs.map((/** @type {Uint8Array | null} */ sig) => sig !== null && signedBy(key.public, dsse(kind, content), sig)));
    return hold.some(Boolean);
  };
  const alone = async (/** @type {any} */ key) => envelope.signatures.length === 1 && envelope.signatures[0].keyid === key.hint && await by(key);
  return { content, by, alone };
}

/** @param {Uint8Array} content @param {import("./forms.js").Shape} shape @param {string} what */
function told(content, shape, what) {
  let found;
  try { found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content)); } catch { found = null; }
  const same = found !== null && canonical(found) === new TextDecoder().decode(content) && shape(found);
  need(same, "signature", 0, what, "canonical JSON of its kind", "another");
  return found;
}

// Which key of the service has signed the file: `said` of it, and the list of keys. `last`: time of the last event.
/** @param {Map<string, Uint8Array>} files @param {string} last @param {string} root */
export async function origin(files, last, root) {
  if (!files.has("manifest.dsse.json")) {
    need(!root, "signature", 0, "signature", "by a key that the root vouches for", "none");
    return { said: "not proven: the file is unsigned", keys: [] };
  }
  if (!await able()) return { said: "not judged: this browser cannot check signatures (no Ed25519)", keys: [] };
  const from = opened(read(files, "keys/list.dsse.json", ENVELOPE), KEYS, "list of keys"), keys = told(from.content, LIST, "list of keys");
  equal("signature", 0, "version of the list of keys", 1, keys.v);
  const named = await vkey(keys.root), asked = root ? await vkey(root) : named;
  need(await from.by(asked) && await from.alone(named), "signature", 0, "list of keys", `signed by ${asked.hint}`, "not");
  const manifest = opened(read(files, "manifest.dsse.json", ENVELOPE), MANIFEST, "the manifest"), all = [];
  for (const each of keys.keys) all.push({ ...each, ...await vkey(each.key) });
  let own = null;
  for (const each of all) if (!own && each.role === "bundles" && await manifest.alone(each)) own = each;
  need(own, "signature", 0, "signature", "by a key for bundles of the list", "by no such key");
  need(own.compromised === undefined, "signature", 0, "key", "one that nobody else had", `compromised since ${own.compromised}`);
  need(!own.until || last <= own.until, "signature", 0, "time of the last event", `until ${own.until}, when ${own.hint} ended`, last);
  const by = root ? `shown: signed by ${own.hint}, for which ${asked.hint} vouches in its list ${keys.serial} of ${keys.at}`
    : `not proven: signed by ${own.hint}, and no root key was given to vouch for it`;
  return { said: by, keys: all };
}

// By ruling a seat has another key, or none: of the one that it had, and signed by that where it says so.
/** @param {Record<string, any>} keys @param {Set<string>} had @param {Set<string>} ruled @param {number} seq @param {string} game @param {any} data */
async function rekeyed(keys, had, ruled, seq, game, { seat, old, key, signature }) {
  equal("order", seq, `key of ${seat}`, keys[seat]?.public ?? "none", old);
  delete keys[seat];
  if (signature === undefined) ruled.add(seat);
  need(key || signature === undefined, "order", seq, `key of ${seat}`, "one that is passed on to", "none");
  if (!key) return;
  need(/^[0-9a-f]{64}$/.test(key.public) && !had.has(`${seat} ${key.public}`), "order", seq, `key of ${seat}`, "a public key of Ed25519 that the seat never had", key.public);
  if (signature !== undefined) {
    const told = ascii(canonical({ v: 1, game, seat, key })), fits = /^[0-9a-f]{128}$/.test(signature) && await signedBy(unhex(old), dsse(PASSED_ON, told), unhex(signature));
    need(fits, "order", seq, `signature of ${seat}'s new key`, `by the key ${old}`, "another");
  }
  keys[seat] = key;
  had.add(`${seat} ${key.public}`);
}

// How many orders their seats have signed; each that a seat with a key gave has to be. null: it cannot be checked here.
/** @param {any[]} events @param {Map<number, any>} shown @param {any[]} given */
export async function signedOrders(events, shown, given) {
  const created = shown.get(1), keys = { ...created.keys ?? {} }, taken = Object.fromEntries(Object.keys(keys).map((seat) => [seat, 1]));
  if (!await able()) return null;
  const ruled = new Set(); // seats whose key the operator alone has changed
  const had = new Set(Object.entries(keys).map(([seat, key]) => `${seat} ${key.public}`));
  const firsts = new Map(given.map((/** @type {any} */ order) => [order.first, order])), newest = /** @type {Record<string, number>} */ ({}), g = /** @type {Uint8Array} */ (unhex(created.params.g));
  let rules = created.rules.digest, chains = g, root = g, count = 0;
  for (const { seq, type, actor, game } of events) {
    const order = firsts.get(seq), data = shown.get(seq);
    if (order) {
      const key = keys[order.seat], what = `signature of ${order.seat}'s order`;
      need(!key || seq >= (taken[order.seat] ?? 0), "order", seq, "order of a seat", "after the seat was taken", "before that");
      if (!key || type === "decklog.deadline-passed") need(!order.signature, "order", seq, what, "none", "one");
      else {
        need(order.signature, "order", seq, what, `by the key ${key.public}`, "none");
        const { question, subject, value } = order.signature;
        const bound = canonical({ v: 2, game, rules, chains: hex(chains), seat: order.seat, question, subject, after: newest[order.seat] ?? 0, command: order.command });
        const fits = /^[0-9a-f]{128}$/.test(value) && /^[0-9a-f]{64}$/.test(key.public) && await signedBy(unhex(key.public), dsse(ORDER, ascii(bound)), unhex(value));
        need(fits, "order", seq, what, `by the key ${key.public}, over this order`, "another");
        if (!ruled.has(order.seat)) count += 1;
      }
    }
    newest[actor] = seq;
    if (type === "decklog.seat-taken") {
      need(!Object.hasOwn(taken, data.seat), "record", seq, "seat", "one that nobody holds", data.seat);
      taken[data.seat] = seq;
      if (data.key) {
        keys[data.seat] = data.key;
        had.add(`${data.seat} ${data.key.public}`);
      }
    } else if (type === "decklog.key-changed") await rekeyed(keys, had, ruled, seq, game, data);
    else if (type === "decklog.rules-changed") rules = data.new.digest;
    else if (type === "decklog.epoch-started") chains = root = await epochParams(g, data.epoch, data.nonce);
    else if (type === "decklog.chain-renewed" && root !== g) chains = await renewedParams(root, data.epoch);
  }
  return count;
}

// Who has cosigned the manifest, each by the key that it names whole. null: it cannot be checked here.
/** @param {Map<string, any>} files */
export async function cosigned(files) {
  if (!files.has("cosigned.dsse.json")) return "";
  if (!await able()) return null;
  const envelope = read(files, "cosigned.dsse.json", ENVELOPE), names = envelope.signatures.map((/** @type {{keyid: string}} */ { keyid }) => keyid);
  const from = opened(envelope, MANIFEST, "the manifest"), own = files.get("manifest.json");
  need(from.content.length === own.length && from.content.every((byte, at) => byte === own[at]), "signature", 0, "what is cosigned", "the manifest", "another");
  need(names.length > 0 && names.join() === [...new Set(names)].sort().join(), "signature", 0, "cosignatures", "in order, each once", names.join());
  for (const { keyid, sig } of envelope.signatures) {
    const key = await vkey(keyid), bare = unbase64(sig);
    need(bare !== null && await signedBy(key.public, dsse(MANIFEST, own), bare), "signature", 0, "cosignature", `by ${key.hint}`, "not by it");
  }
  return `cosigned by ${names.join(", ")}: whose keys they are, you know`;
}

// Receipts of who exported the file, as texts; each by a key of the list alone. `root`: whether one was named: by a list
// that no root vouches for anybody could accuse the service.
/** @param {Map<string, Uint8Array>} files @param {any[]} keys @param {unknown} root */
export async function receiptsIn(files, keys, root) {
  if (!files.has("receipts.jsonl")) return [];
  const texts = new TextDecoder().decode(files.get("receipts.jsonl")).split("\n"), last = texts.pop();
  need(last === "" && texts.length > 0 && texts.join() === [...new Set(texts)].sort().join(), "receipt", 0, "receipts.jsonl", "lines in order, each once", "others");
  if (!await able()) return [];
  for (const each of root ? texts : []) {
    const from = opened(told(ascii(each), ENVELOPE, "receipt"), RECEIPT, "receipt");
    const hold = await Promise.all(keys.map((/** @type {any} */ key) => key.role === "receipts" && from.alone(key)));
    need(hold.some(Boolean), "receipt", 0, "signature of a receipt", "by a key for receipts of the list, alone", "by no such key");
  }
  return texts;
}

const OF_KINDS = /** @type {Record<string, string[]>} */ ({ join: ["seat-taken"], agreement: ["rules-agreed"], links: ["links-given", "tip-renewed"], takeback: ["takeback"],
  key: ["key-changed"], ruling: ["ended-by-ruling", "paused", "resumed", "batch-voided", "key-changed"] });

// What is on record of a receipt: "" where it is sealed from whom the file is for, null where nothing of its kind and seat is.
// The event before is it where something else follows at once: the change after an agreement, the master after an end.
/** @param {any} receipt @param {any} manifest @param {any[]} events @param {Map<number, any>} made @param {any[]} given */
function onRecord({ kind, seat, seq }, manifest, events, made, given) {
  const { type } = events[seq - 1], locked = made.get(seq);
  if (kind === "order" && type === "decklog.orders-locked" && locked.seat === seat) return locked.order;
  if (kind === "order") {
    const order = given.find((/** @type {any} */ one) => one.last === seq && one.seat === seat);
    return order ? canonical(order.command) : manifest.scope === "complete" ? null : "";
  }
  for (const number of [seq, seq - 1]) {
    const data = made.get(number), own = kind === "ruling" ? "service" : data?.seat;
    if (!data || own !== seat || !OF_KINDS[kind].includes(events[number - 1].type.slice("decklog.".length))) continue;
    return data.link === "" ? "" : canonical(data);
  }
  return null;
}

// Receipts, each its text, against the record: how many have their events, and how many are of nobody's key here. Without
// a root none is judged.
/** @param {string[]} texts @param {any} manifest @param {any[]} events @param {Map<number, any>} made @param {any[]} given @param {any[]} keys @param {unknown} root */
export async function receipts(texts, manifest, events, made, given, keys, root) {
  if (!root) return `${texts.length} receipts are not judged: no root key was given`;
  let there = 0, strange = 0, later = 0;
  for (const each of texts) {
    const plain = each.startsWith("{") ? ascii(each) : unbase64(each.trim());
    need(plain !== null, "receipt", 0, "receipt", "an envelope, or one in base64", "neither");
    const from = opened(told(plain, ENVELOPE, "receipt"), RECEIPT, "receipt"), receipt = told(from.content, TAKEN, "receipt");
    let own = null;
    for (const key of keys) if (!own && key.role === "receipts" && await from.by(key)) own = key;
    const { at, seq } = receipt;
    if (!own || at < own.since || (own.until && at > own.until) || (own.compromised !== undefined && at >= own.compromised)) { strange += 1; continue; }
    equal("receipt", seq, "game", receipt.game, manifest.game);
    const over = events.some((/** @type {{type: string}} */ { type }) => ENDS.includes(type));
    if (seq > events.length && !over) { later += 1; continue; }
    const found = seq < events.length ? events[seq].prev : seq === events.length ? manifest.head.hash : "none";
    equal("receipt", seq, `event that ${receipt.kind} of ${receipt.seat} led to`, receipt.head, found);
    const body = onRecord(receipt, manifest, events, made, given), what = `${receipt.kind} of ${receipt.seat}`;
    if (body !== "") equal("receipt", seq, what, receipt.body, body === null ? "none" : hex(await sha256(ascii(body))));
    there += 1;
  }
  const parts = [`${there} receipts have their events`];
  if (later) parts.push(`${later} are of events after the end of this file`);
  if (strange) parts.push(`${strange} are of no key of this service that counted then: not judged`);
  return parts.join("; ");
}
