// Ed25519 by the browser's own WebCrypto, and as strict as the program: a key of small order or in a second
// form, and a second form of a signature's half S, are refused here, whatever the browser thinks of them.

import { hex, unhex } from "./nwd1.js";

// What y may be of a point of small order, without the bit for the sign of x.
const SMALL = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);
const P = 2n ** 255n - 19n, ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** @param {Uint8Array} bytes */
const number = (bytes) => BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);

/** @param {Uint8Array} key */
function fits(key) {
  if (key.length !== 32) return false;
  const plain = Uint8Array.from(key);
  plain[31] &= 127;
  return !SMALL.has(hex(plain)) && number(plain) < P;
}

const TRIED = unhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
let known;

// Whether this browser can check such signatures at all.
export function able() {
  known ??= imported(TRIED).then(() => true, (error) => { if (error instanceof TypeError) throw error; return false; });
  return known;
}

/** @param {Uint8Array} key */
function imported(key) {
  return crypto.subtle.importKey("raw", new Uint8Array(key), { name: "Ed25519" }, false, ["verify"]);
}

// Whether `signature` is that of `message` under the public key. Ask `able` first.
/** @param {Uint8Array} key @param {Uint8Array} message @param {Uint8Array} signature */
export async function signedBy(key, message, signature) {
  if (signature.length !== 64 || !fits(key) || number(signature.subarray(32)) >= ORDER) return false;
  let made;
  try { made = await imported(key); } catch (error) { if (/** @type {Error} */ (error).name === "DataError") return false; throw error; }
  return crypto.subtle.verify({ name: "Ed25519" }, made, new Uint8Array(signature), new Uint8Array(message));
}
