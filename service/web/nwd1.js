// NWD-1: the dice, from their definition to the byte, with the browser's own SHA-256 and HMAC.

const encoder = new TextEncoder();

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text */
export function unhex(text) {
  if (typeof text !== "string" || text.length % 2 || /[^0-9a-f]/.test(text)) throw new Error("not hexadecimal");
  return Uint8Array.from({ length: text.length / 2 }, (_, n) => parseInt(text.slice(2 * n, 2 * n + 2), 16));
}

export const ascii = (/** @type {string} */ text) => encoder.encode(text);
export const u8 = (/** @type {number} */ n) => Uint8Array.of(n);
export const u32 = (/** @type {number} */ n) => Uint8Array.of(n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255);

/** @param {...Uint8Array} parts */
export function join(...parts) {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { made.set(part, at); at += part.length; }
  return made;
}

export const lp = (/** @type {Uint8Array} */ bytes) => join(u32(bytes.length), bytes);

/** @param {Uint8Array} bytes */
export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (bytes)));
}

/** @param {string} tag @param {...Uint8Array} fields */
export function th(tag, ...fields) {
  return sha256(join(lp(ascii(tag)), u32(fields.length), ...fields.map(lp)));
}

/** @param {Uint8Array} key @param {Uint8Array} data */
export async function hmac(key, data) {
  const made = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, /** @type {BufferSource} */ (data)));
}

/** @param {Uint8Array} key @param {Uint8Array} info @param {number} length */
export async function expand(key, info, length) {
  if (length > 8160) throw new Error(`${length} bytes: a stream has 8160`);
  let out = new Uint8Array(0), block = new Uint8Array(0);
  for (let counter = 1; out.length < length; counter += 1) {
    block = await hmac(key, join(block, info, u8(counter)));
    out = join(out, block);
  }
  return out.slice(0, length);
}

/** @param {{game: string, rules: string, scenario: string, seats: number, length: number}} agreed */
export function params({ game, rules, scenario, seats, length }) {
  return th("nwd1/params", unhex(game), unhex(rules), unhex(scenario), u8(seats), u32(length));
}

/** @param {Uint8Array} g @param {number} epoch @returns {Promise<Uint8Array> | Uint8Array} */
export function renewedParams(g, epoch) {
  return epoch ? th("nwd1/renewed", g, u32(epoch)) : g;
}

/** @param {Uint8Array} g @param {number} epoch @param {string} nonce */
export function epochParams(g, epoch, nonce) {
  return th("nwd1/epoch", g, u32(epoch), unhex(nonce));
}

/** @param {Uint8Array} g @param {Record<string, string>} tips */
export function commitment(g, tips) {
  const domains = Object.keys(tips).sort();
  return th("nwd1/server-commit", g, ...domains.flatMap((domain) => [ascii(domain), unhex(tips[domain])]));
}

/** @param {Uint8Array} master @param {Uint8Array} g @param {string} domain */
export async function serverSeed(master, g, domain) {
  const key = await hmac(g, master);
  return expand(key, join(ascii("nwd1/server-chain"), lp(ascii(domain))), 32);
}

// Link number `to` of a chain, hashed down from link number `from`.
/** @param {Uint8Array} g @param {Uint8Array} who @param {string} domain @param {Uint8Array} link @param {number} from @param {number} to */
export async function down(g, who, domain, link, from, to) {
  if (to > from || to < 0) throw new Error(`link ${to} is not below link ${from}`);
  for (let number = from; number > to; number -= 1) link = await th("nwd1/link", g, who, ascii(domain), u32(number), link);
  return link;
}

export const SERVER = ascii("S");
export const player = (/** @type {number} */ place) => join(ascii("P"), u8(place));

// The salts of a game's seals, by its master and G: of a payload, and of an order.
/** @param {string} master @param {string} g */
export function saltsOf(master, g) {
  const key = async (/** @type {string} */ viewer) => expand(await hmac(unhex(g), unhex(master)), join(ascii("nwd1/seal"), lp(ascii(viewer))), 32);
  const salt = async (/** @type {string} */ viewer, /** @type {number} */ seq) => hmac(await key(viewer), join(ascii("nwe1/salt"), u32(Math.floor(seq / 2 ** 32)), u32(seq)));
  salt.order = async (/** @type {string} */ id) => hmac(await key("truth"), join(ascii("nwe1/command-salt"), ascii(id)));
  return salt;
}

// Of a public beacon (grade A3) the round, and the hash of its signature.
/** @param {{g: Uint8Array, domain: string, t: number, link: Uint8Array, playerLinks: string[], beacon?: {round: number, signature: string} | null}} batch */
export async function batchKey({ g, domain, t, link, playerLinks, beacon = null }) {
  const salt = await th("nwd1/batch", g, ascii(domain), u32(t));
  const entries = playerLinks.map((each) => each ? join(u8(1), lp(unhex(each))) : u8(0));
  const last = beacon ? join(u8(1), u32(Math.floor(beacon.round / 2 ** 32)), u32(beacon.round), lp(await sha256(unhex(beacon.signature)))) : u8(0);
  return hmac(salt, join(lp(link), ...entries, last));
}

/** @typedef {{count: number, sides: number}} Pool */

// The faces of a roll, pool by pool, and the bytes of its stream that were used; null if it ran out.
/** @param {Uint8Array} key @param {string} label @param {Pool[]} pools @returns {Promise<{faces: number[][], stream: Uint8Array} | null>} */
export async function roll(key, label, pools) {
  const dice = pools.reduce((sum, pool) => sum + pool.count, 0);
  const info = join(ascii("nwd1/roll"), lp(ascii(label)));
  let stream = await expand(key, info, Math.min(8160, 64 + 4 * dice));
  let at = 0;
  const take = async (/** @type {number} */ width) => {
    if (at + width > stream.length) stream = await expand(key, info, 8160);
    if (at + width > stream.length) return null;
    let value = 0;
    for (let n = 0; n < width; n += 1) value = value * 256 + stream[at++];
    return value;
  };
  const faces = [];
  for (const { count, sides } of pools) {
    const width = sides <= 256 ? 1 : 2, span = 256 ** width, limit = span - (span % sides);
    const pool = [];
    while (pool.length < count) {
      const value = await take(width);
      if (value === null) return null;
      if (value < limit) pool.push(1 + (value % sides));
    }
    faces.push(pool);
  }
  return { faces, stream: stream.slice(0, at) };
}
