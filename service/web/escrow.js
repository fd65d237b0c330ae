// Shares of a game's master in its first event: three keepers, of whom none plays, each with a key in its one form.

import { need } from "./bundle.js";
import { unhex } from "./nwd1.js";

const COUNT = 3, KEY = 64, SEALED = 160, PRIME = 2n ** 255n - 19n, MOST_NAME = 100;
// Keys of a small order: what is sealed for one everybody opens.
const NOBODYS = [
  0n, 1n, 0x57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5fn,
  0x00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0n, PRIME - 1n,
];
/** @param {string} text @param {number} size */
const isHex = (text, size) => text.length === size && /^[0-9a-f]*$/.test(text);
/** @param {string} key */
const number = (key) => unhex(key).reduceRight((found, byte) => found * 256n + BigInt(byte), 0n);
/** @param {string} key */
const isPublic = (key) => isHex(key, KEY) && number(key) < PRIME && !NOBODYS.includes(number(key));
/** @param {string} name */
const isName = (name) => name.length > 0 && [...name].length <= MOST_NAME && !/[\p{C}\p{Z}]/u.test(name);

/** @param {bigint} value */
function inverse(value) {
  let found = 1n, base = value % PRIME;
  for (let left = PRIME - 2n; left; left >>= 1n, base = base * base % PRIME) if (left & 1n) found = found * base % PRIME;
  return found;
}

// The key for X25519 of whoever has this one for Ed25519 (RFC 7748, 4.1), as a number.
/** @param {string} key */
function montgomery(key) {
  const y = number(key) & (2n ** 255n - 1n);
  return (1n + y) * inverse((1n - y + 2n * PRIME) % PRIME) % PRIME;
}

// `taken`: the data of each event by which a seat was taken.
/** @param {{escrow?: {keeper: string, key: string, sealed: string, digest: string}[], keys?: Record<string, any>}} created @param {any[]} taken */
export function escrow({ escrow: kept, keys = {} }, taken) {
  if (kept === undefined) return;
  const what = /** @type {[string, number, string]} */ (["record", 1, "escrow of the master"]);
  const own = new Set(kept.map(({ key }) => key)), names = new Set(kept.map(({ keeper }) => keeper).filter(isName));
  need(kept.length === COUNT && own.size === COUNT && names.size === COUNT, ...what, `${COUNT} keepers, each with a name and a key of its own`, kept.length);
  for (const { key, sealed, digest } of kept) need(isPublic(key) && isHex(sealed, SEALED) && isHex(digest, KEY), ...what, "keys in their one form, shares and digests in hex", key);
  const seats = [...Object.values(keys), ...taken.map(({ key }) => key).filter(Boolean)].map((each) => each.public);
  const keepers = new Set(kept.map(({ key }) => number(key)));
  for (const each of seats) need(!isHex(each, KEY) || !keepers.has(montgomery(each)), ...what, "no keeper who plays in a seat", each);
}
