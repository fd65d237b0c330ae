// An evidence bundle, opened in the browser: a ZIP of stored files, in the one form that it has.

import { MANIFEST } from "./forms.js";
import { ascii, hex, join, sha256 } from "./nwd1.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const NEEDED = ["events.jsonl", "openings.jsonl", "commands.jsonl", "rules/files.json", "rules/setup.json"];
// Of a game that went over to other rules each engine may be there, numbered from the second on.
const ENGINES = Array.from({ length: 16 }, (_, n) => (n ? `rules/rules-${n + 1}.engine` : "rules/rules.engine"));
const KNOWN = new Set([...NEEDED, "secrets.json", "README.txt", ...ENGINES, "keys/list.dsse.json", "manifest.dsse.json", "log/checkpoint", "log/proofs.txt", "log/consistency.txt", "time/proof.txt", "time/stamp.tsr", "cosigned.dsse.json", "receipts.jsonl"]);
// The manifest, signed by the service and by others, and receipts: what is not in the manifest, since it came after it.
const SIGNATURE = "manifest.dsse.json", OUTSIDE = ["manifest.json", SIGNATURE, "cosigned.dsse.json", "receipts.jsonl"];
// Every text that a program of this format has written, by its SHA-256.
const READMES = [
  "de1310bafe107cef3c66bb9cc1e5f9299d838d864802026132b470f46abe4a0d",
  "226a99c4aa5e40568de0af44c829be1340e915cb04938bbc8f9e58a5858c6e3d",
  "0f8f8235bf6187e2884facc95392c3920efd89106f64cd315e2ead39a38de6e8",
  "f680f83e8f1b4bd182b56cea8ee7d32dfbcf1011128b17f60681382dc1f45f2a",
  "616cca3fec1c126134835f0c817bac52027cc136a59c60c3f1538308ebc84e9e",
  "f1340110210f68f0dd456e994ed5e797e5e9f8dae7412beb44b3798dde7eab5c",
  "bb80078f026dfd82902f01a8f0655ade327969c046762ca89d399f535ab5670c",
  "42930613c9415685d90e4d398cdba1387eda40d8cf66cca016cb7b9e0a2a6fcb",
  "6cd288619ddc32c4a943cbb4f32e96d94595e1f48638658975131dfe7a61d060",
  "3f6cbf370a6a1783801912d1392fbbc931ffaadf38ba60c6314abfaa83b249cd",
  "d6b7aceee976f50c75106b246fc29b066ceb3088deef9b159e79c5cef2fb3355",
  "7c28fb37d055310ee2b51017ae8e74f1bad68e82653762ef47c33089c9bd69a6",
  "89eabf7ce0401120f53df6d72ee31cdb00ae66813cdb38d737f995b03a88a207",
  "704b509c6dbd67b44f33d377fc6f2430cbf8a62d937f6380556c90d70bb01812",
  "e31baad72365e600259ea7d7af1b40c57806a209d305a4419858163be0fbbf2e",
  "273a7e301bf48e52daf46ecfee9a9dccd2ac586f517d15b6d4e81688c61b84d2",
  "b1e909f5b8095f38be3e7c38292e04ce836449c5b04d0b9236c5af172c31f5a7",
];
// Those of a signed file, and those of a file that carries a public log's papers.
const SIGNED = [
  "616cca3fec1c126134835f0c817bac52027cc136a59c60c3f1538308ebc84e9e",
  "89eabf7ce0401120f53df6d72ee31cdb00ae66813cdb38d737f995b03a88a207",
  "6cd288619ddc32c4a943cbb4f32e96d94595e1f48638658975131dfe7a61d060",
  "b1e909f5b8095f38be3e7c38292e04ce836449c5b04d0b9236c5af172c31f5a7",
];
const LOGGED = [...READMES.slice(5, 9), ...READMES.slice(-4)];
const MOST_FILES = 64, MOST_BYTES = 200 * 1024 * 1024, MOST_TEXT = 4 << 20, MOST_DEPTH = 64;

export class Unreadable extends Error {}

export class Refuted extends Error {
  /** @param {string} check @param {number} seq @param {string} what @param {unknown} expected @param {unknown} found */
  constructor(check, seq, what, expected, found) {
    super(`${what}: expected ${expected}, found ${found}`);
    this.check = check;
    this.seq = seq;
  }
}

/** @param {unknown} truth @param {string} check @param {number} seq @param {string} what @param {unknown} expected @param {unknown} found @returns {asserts truth} */
export function need(truth, check, seq, what, expected, found) {
  if (!truth) throw new Refuted(check, seq, what, expected, found);
}

/** @param {string} check @param {number} seq @param {string} what @param {unknown} expected @param {unknown} found */
export function equal(check, seq, what, expected, found) {
  need(expected === found, check, seq, what, expected, found);
}

// Whether two values have one canonical form.
/** @param {string} check @param {number} seq @param {string} what @param {unknown} expected @param {unknown} found */
export function alike(check, seq, what, expected, found) {
  equal(check, seq, what, canonical(expected), canonical(found));
}

/** @param {number} seq @param {string} what @param {string} value */
export function hexed(seq, what, value, size = 32) {
  need(value.length === 2 * size && !/[^0-9a-f]/.test(value), "form", seq, what, `${size} bytes in hex`, value);
  return value;
}

/** @param {Uint8Array} bytes */
export async function unpack(bytes) {
  const files = entries(bytes);
  const manifest = await listed(files);
  for (const name of NEEDED) if (!files.has(name)) throw new Unreadable(`${name} is missing`);
  for (const name of files.keys()) if (name !== "manifest.json" && !KNOWN.has(name)) throw new Unreadable(`no bundle has a file ${name}`);
  for (const file of manifest.files) {
    const found = files.get(file.name), digest = hex(await sha256(found));
    if (found.length !== file.size || digest !== file.sha256) throw new Unreadable(`${file.name} is damaged: its SHA-256 is ${digest}`);
    if (file.name === "README.txt" && !READMES.includes(digest)) throw new Unreadable("README.txt is not the text that a bundle has");
  }
  if (!files.has("README.txt")) throw new Unreadable("README.txt is missing");
  signedWhole(manifest, files);
  return { manifest, files };
}

// All parts of a signature, or none, and the same of a public log's papers; what they say signatures.js and logged.js judge.
/** @param {any} manifest @param {Map<string, any>} files */
function signedWhole(manifest, files) {
  const readme = manifest.files.find((/** @type {{name: string}} */ file) => file.name === "README.txt");
  const papers = [files.has("log/checkpoint"), files.has("log/proofs.txt"), LOGGED.includes(readme.sha256)];
  if (new Set(papers).size > 1 || (files.has("log/consistency.txt") && !papers[0])) throw new Unreadable("some of the papers of a public log are missing");
  const stamp = [files.has("time/proof.txt"), files.has("time/stamp.tsr")];
  if (new Set(stamp).size > 1 || (stamp[0] && !papers[0])) throw new Unreadable("some parts of a time stamp are missing");
  const marks = [files.has(SIGNATURE), files.has("keys/list.dsse.json"), SIGNED.includes(readme.sha256), manifest.signatures === "service"];
  if (new Set(marks).size > 1 || !["none", "service"].includes(manifest.signatures)) throw new Unreadable("some parts of a signature are missing");
  if (!marks[0]) return;
  let signed;
  try { signed = atob(JSON.parse(decoder.decode(files.get(SIGNATURE))).payload); } catch { signed = null; }
  const whole = signed === null ? [] : [...signed].map((letter) => letter.charCodeAt(0)), own = files.get("manifest.json");
  need(whole.length === own.length && whole.every((byte, at) => byte === own[at]), "signature", 0, "what is signed", "the manifest", "another");
}

/** @param {Map<string, any>} files */
async function listed(files) {
  if (!files.has("manifest.json")) throw new Unreadable("manifest.json is missing");
  const manifest = value(files.get("manifest.json"), MANIFEST);
  if (manifest === undefined) throw new Unreadable("manifest.json is not canonical JSON of its kind");
  if (manifest.format !== "decklog-evidence" || manifest.v !== 1) throw new Unreadable("the format is not known here");
  const names = JSON.stringify(manifest.files.map((/** @type {{name: string}} */ file) => file.name));
  const present = JSON.stringify([...files.keys()].filter((name) => !OUTSIDE.includes(name)));
  if (names !== present) throw new Unreadable("the manifest lists other files than there are");
  return manifest;
}

// The value of one canonical JSON text of a shape; undefined where it is none. Throws Unreadable for what nobody writes.
/** @param {Uint8Array} bytes @param {import("./forms.js").Shape} shape @returns {any} */
function value(bytes, shape) {
  if (bytes.length > MOST_TEXT) throw new Unreadable(`longer than ${MOST_TEXT} bytes in one piece`);
  tooDeep(bytes);
  try {
    const line = decoder.decode(bytes), found = JSON.parse(line);
    return plain(found) && canonical(found) === line && shape(found) ? found : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const QUOTE = 34, ESCAPE = 92, OPENS = [91, 123], CLOSES = [93, 125];

/** @param {Uint8Array} bytes */
function tooDeep(bytes) {
  let depth = 0, inside = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inside && byte === ESCAPE) at += 1;
    else if (byte === QUOTE) inside = !inside;
    else if (!inside && OPENS.includes(byte)) depth += 1;
    else if (!inside && CLOSES.includes(byte)) depth -= 1;
    if (depth > MOST_DEPTH) throw new Unreadable(`nested deeper than ${MOST_DEPTH} levels`);
  }
}

// Whole numbers that every reader has alike, ASCII keys, and text that is text.
/** @param {unknown} part @returns {boolean} */
function plain(part) {
  if (typeof part === "number") return Number.isSafeInteger(part);
  if (typeof part === "string") return !/[\ud800-\udfff]/u.test(part);
  if (part === null || typeof part !== "object") return true;
  return Object.keys(part).every((key) => Array.isArray(part) || !/[^\0-\x7f]/.test(key)) && Object.values(part).every(plain);
}

// A file that is one canonical JSON text.
/** @param {Map<string, any>} files @param {string} name @param {import("./forms.js").Shape} shape */
export function read(files, name, shape) {
  const found = value(files.get(name), shape);
  need(found !== undefined, "form", 0, name, "canonical JSON of its kind", "another");
  return found;
}

// The values of a JSONL file with their bytes, one after the other.
/** @param {Map<string, any>} files @param {string} name @param {import("./forms.js").Shape} shape @returns {Generator<[any, Uint8Array]>} */
export function* lines(files, name, shape, check = "form") {
  const bytes = files.get(name);
  need(!bytes.length || bytes.at(-1) === 10, "form", 0, name, "whole lines", "the last line is cut off");
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const end = bytes.indexOf(10, start), line = bytes.subarray(start, end);
    const found = value(line, shape);
    need(found !== undefined, check, check === "form" ? 0 : number, check === "form" ? `${name}, line ${number}` : "form", "canonical JSON of its kind", "another");
    yield [found, line];
    start = end + 1;
  }
}

// Canonical JSON as it is hashed: keys in order, no spaces, whole numbers.
/** @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** The file of a game that is over, with receipts in it besides those that it has: as `decklog evidence receipts` makes it. @param {Uint8Array} bytes @param {string[]} texts each as an answer of the service bore it */
export async function withReceipts(bytes, texts) {
  const { files } = await unpack(bytes), known = files.get("receipts.jsonl");
  if (!files.has("secrets.json")) throw new Error("the game is not over: by a receipt one could guess a hidden order");
  const held = known ? decoder.decode(known).split("\n").filter(Boolean) : [];
  const own = texts.map((each) => canonical(JSON.parse(atob(each.trim()))));
  const lines = [...new Set([...held, ...own])].sort();
  return lines.length ? pack(new Map([...files, ["receipts.jsonl", ascii(`${lines.join("\n")}\n`)]])) : bytes;
}

// The container

/** @param {Uint8Array} bytes */
function entries(bytes) {
  if (bytes.length > MOST_BYTES) throw new Unreadable(`${MOST_BYTES} bytes are the most`);
  const found = stored(bytes);
  const packed = pack(found);
  if (packed.length !== bytes.length || packed.some((byte, at) => byte !== bytes[at])) {
    throw new Unreadable("the ZIP file is not in the one form that there is");
  }
  return found;
}

/** @param {Uint8Array} bytes */
function stored(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 22;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new Unreadable("this is no ZIP file of a bundle");
  const count = view.getUint16(end + 10, true), found = new Map();
  if (count > MOST_FILES) throw new Unreadable(`${MOST_FILES} entries are the most`);
  let at = view.getUint32(end + 16, true);
  for (let n = 0; n < count; n += 1) {
    if (at + 46 > bytes.length) throw new Unreadable("the ZIP file's list is damaged");
    const size = view.getUint32(at + 24, true), length = view.getUint16(at + 28, true);
    const from = view.getUint32(at + 42, true) + 30 + length;
    const name = String.fromCharCode(...bytes.subarray(at + 46, at + 46 + length));
    if (/[^\x20-\x7e]/.test(name) || found.has(name)) throw new Unreadable("an entry's name is not plain, or there twice");
    found.set(name, bytes.subarray(from, from + size));
    at += 46 + length;
  }
  return found;
}

const short = (/** @type {number} */ n) => Uint8Array.of(n & 255, (n >>> 8) & 255);
const long = (/** @type {number} */ n) => Uint8Array.of(n & 255, (n >>> 8) & 255, (n >>> 16) & 255, n >>> 24);

// The files as the one ZIP that they make: stored, sorted, of midnight on the first of January 1980.
/** @param {Map<string, any>} files */
function pack(files) {
  const pieces = [], directory = [];
  let place = 0;
  for (const name of [...files.keys()].sort()) {
    const content = files.get(name), size = long(content.length);
    const kind = join(short(20), short(0), short(0), short(0), short(0x21), long(crc32(content)), size, size, short(name.length), short(0));
    const head = join(long(0x04034b50), kind, ascii(name));
    pieces.push(head, content);
    directory.push(join(long(0x02014b50), short(20 | (3 << 8)), kind, short(0), short(0), short(0), long((0o100644 << 16) >>> 0), long(place), ascii(name)));
    place += head.length + content.length;
  }
  const listing = join(...directory), count = short(files.size);
  return join(...pieces, listing, long(0x06054b50), long(0), count, count, long(listing.length), long(place), short(0));
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let made = n;
  for (let bit = 0; bit < 8; bit += 1) made = made & 1 ? 0xedb88320 ^ (made >>> 1) : made >>> 1;
  return made;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let made = 0xffffffff;
  for (const byte of bytes) made = TABLE[(made ^ byte) & 255] ^ (made >>> 8);
  return (made ^ 0xffffffff) >>> 0;
}
