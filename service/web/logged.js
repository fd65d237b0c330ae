// What a public log says of a file: that it has the last event, and goes on from another head; who signed its head.

import { Refuted, equal, need } from "./bundle.js";
import { able, signedBy } from "./ed25519.js";
import { ascii, hex, join, sha256, th, u8, unhex } from "./nwd1.js";
import { unbase64 } from "./signatures.js";

const utf8 = (/** @type {Uint8Array | undefined} */ bytes) => new TextDecoder().decode(bytes);
const node = (/** @type {Uint8Array} */ left, /** @type {Uint8Array} */ right) => sha256(join(u8(1), left, right));
const same = (/** @type {Uint8Array | null} */ one, /** @type {Uint8Array | null} */ other) => one !== null && other !== null && hex(one) === hex(other);
/** @type {(what: string) => never} */
const wrong = (what) => { throw new Refuted("log", 0, what, "one that holds", "another"); };

// Climbs from a leaf or node to the root: `join_(other, left)` for each hash of the proof.
/** @param {number} index @param {number} last @param {Uint8Array[]} proof @param {(other: Uint8Array, left: boolean) => Promise<void>} joined */
async function climb(index, last, proof, joined) {
  for (; last > 0; index = Math.floor(index / 2), last = Math.floor(last / 2)) {
    if (index % 2 === 0 && index === last) continue;
    if (!proof.length) wrong("proof of the log");
    await joined(/** @type {Uint8Array} */ (proof.shift()), index % 2 === 1);
  }
  if (proof.length) wrong("proof of the log");
}

/** @param {[number, Uint8Array]} earlier @param {[number, Uint8Array]} later @param {Uint8Array[]} proof */
async function grows([old, before], [size, after], proof) {
  let index = old - 1, last = size - 1;
  while (index % 2) { index = Math.floor(index / 2); last = Math.floor(last / 2); }
  if (index && !proof.length) wrong("proof of consistency");
  let one = index ? /** @type {Uint8Array} */ (proof.shift()) : before, two = one;
  await climb(index, last, proof, async (other, left) => {
    if (left) one = await node(other, one);
    two = left ? await node(other, two) : await node(two, other);
  });
  if (!same(one, before) || !same(two, after)) wrong("proof of consistency");
}

const hashes = (/** @type {string[]} */ texts) => texts.map((each) => { const found = unbase64(each); return found?.length === 32 ? found : wrong("hash"); });

// `keys`: those of the service's list. Gives what is to be said; "" where the file tells of no log.
/** @param {Map<string, Uint8Array>} files @param {any} manifest @param {any[]} keys */
export async function logged(files, manifest, keys) {
  if (!files.has("log/proofs.txt")) return "";
  const { number, note, name, size, root } = await proven(files, manifest, "log/proofs.txt");
  equal("log", 0, "head of the proof", utf8(files.get("log/checkpoint")), note);
  await consistent(files, size, root);
  if (files.has("time/proof.txt")) { // whose stamp it is, the page does not judge
    const other = await proven(files, manifest, "time/proof.txt");
    equal("log", 0, "log of the head that is stamped", name, other.name);
    if (other.size === size) equal("log", 0, "root of the head that is stamped", root, other.root);
  }
  return `the last event is leaf ${number + 1} of ${size} of ${name}, ${await signer(note, keys)}`;
}

// The head of a proof that a log has the last event, and the number of its leaf.
/** @param {Map<string, Uint8Array>} files @param {any} manifest @param {string} file */
async function proven(files, manifest, file) {
  const text = utf8(files.get(file)), at = text.indexOf("\n\n"), [heading, index, ...proof] = text.slice(0, at).split("\n"), note = text.slice(at + 2);
  const number = Number(/^index (0|[1-9][0-9]{0,14})$/.exec(index)?.[1] ?? NaN), [name, size, root] = note.split("\n"), many = Number(size);
  need(heading === "c2sp.org/tlog-proof@v1" && number < many, "log", 0, "proof", "one of C2SP tlog-proof", "another");
  const { game, head } = manifest, tag = hex(await th("nwl2/tag", unhex(game))).slice(0, 32);
  let found = await sha256(join(u8(0), ascii(`nwl2 ${tag} ${head.seq} ${head.hash}\n`)));
  await climb(number, many - 1, hashes(proof), async (other, left) => { found = left ? await node(other, found) : await node(found, other); });
  if (!same(found, unbase64(root))) wrong("proof that the log has the last event");
  return { number, note, name, size, root };
}

/** @param {Map<string, Uint8Array>} files @param {string} size @param {string} root */
async function consistent(files, size, root) {
  if (!files.has("log/consistency.txt")) return;
  const [heading, old, later, ...rest] = utf8(files.get("log/consistency.txt")).split("\n"), trees = [old, later].map((each) => (each ?? "").split(" "));
  const own = trees.some((each) => each[1] === size && each[2] === root), [small, large] = trees.map((each) => /** @type {[number, Uint8Array]} */ ([Number(each[1]), unbase64(each[2] ?? "")]));
  if (heading !== "nwl2-consistency" || !own || !(small[0] < large[0]) || rest.pop() !== "") wrong("proof of consistency");
  await grows(small, large, hashes(rest));
}

// A note (C2SP): lines, an empty one, and a line for each signature.
/** @param {string} note @param {any[]} keys */
async function signer(note, keys) {
  if (!await able()) return "whose head is not judged: this browser cannot check signatures (no Ed25519)";
  const listed = keys.filter(({ role }) => role === "log"), at = note.lastIndexOf("\n\n");
  if (!listed.length) return "signed by a key that nobody names here";
  for (const line of note.slice(at + 2).split("\n").filter(Boolean)) {
    const [, name, told] = line.split(" "), raw = unbase64(told ?? "");
    for (const own of listed) {
      if (raw && name === own.name && same(raw.subarray(0, 4), own.id) && await signedBy(own.public, ascii(note.slice(0, at + 1)), raw.subarray(4))) return `signed by ${own.hint} of the service's list`;
    }
  }
  return wrong("signature of the log's head");
}
