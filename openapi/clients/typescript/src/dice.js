// A seat's own links (NWD-1): with them nobody alone can foresee or choose the dice. A chain is made of 32 secret
// bytes and bound to one game and one seat; its tip is given when the seat is taken, a link for each batch of dice.

// Batches ahead for which a service takes links.
const AHEAD = 64;
// Grades whose links are given once an order is locked.
const LOCKED = ["A2", "A3"];
// Chains that are kept: to make one is to hash as often as it has links.
const KEPT = 8;

const encoder = new TextEncoder();
/** @param {string} text */
const ascii = (text) => encoder.encode(text);
/** @param {number} n */
const u32 = (n) => Uint8Array.of(n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255);

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text */
function unhex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array[]} parts */
function join(...parts) {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { made.set(part, at); at += part.length; }
  return made;
}

/** @param {string} tag @param {Uint8Array[]} fields */
async function hash(tag, ...fields) {
  const sized = [ascii(tag), ...fields].map((each) => join(u32(each.length), each));
  const [head, ...rest] = sized;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", join(head, u32(fields.length), ...rest)));
}

/** `mark` of `takeSeat`: of a player's game of that number, from 1. Nobody but who is given the secret can tell that two games are his. @param {Uint8Array} secret @param {number} number */
export async function mark(secret, number) {
  return hex(await hash("nws1/mark", secret, join(u32(Math.floor(number / 2 ** 32)), u32(number))));
}

/** @param {Uint8Array} key @param {Uint8Array} data */
async function hmac(key, data) {
  const how = { name: "HMAC", hash: "SHA-256" };
  const made = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (key), how, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, /** @type {BufferSource} */ (data)));
}

/** What the chains in use are bound to. @param {any} summary */
async function paramsOf(summary) {
  if (summary.chainParams) return unhex(summary.chainParams);
  const own = unhex(summary.params);
  return summary.renewals ? hash("nwd1/renewed", own, u32(summary.renewals)) : own;
}

/** @param {any} summary @param {string} seat */
function placeOf(summary, seat) {
  return summary.seats.findIndex((/** @type {any} */ each) => each.seat === seat);
}

/** The chain of one seat in a game: `tip` commits to it, `link(n)` reveals its link n. */
export class Chain {
  /** @type {Map<string, Promise<Chain>>} */ static #made = new Map();
  /** @type {Uint8Array[]} */ #links;

  /** @param {Uint8Array[]} links */
  constructor(links) {
    this.#links = links;
  }

  /** Made once, and kept. @param {Uint8Array} secret @param {any} summary @param {string} seat @returns {Promise<Chain>} */
  static of(secret, summary, seat) {
    const { params, chainParams = "", renewals, chainLength } = summary;
    const what = [hex(secret), params, chainParams, renewals, chainLength, placeOf(summary, seat)].join(" ");
    const made = Chain.#made.get(what) ?? Chain.#hashed(secret, summary, seat);
    Chain.#made.delete(what);
    Chain.#made.set(what, made);
    for (const oldest of [...Chain.#made.keys()].slice(0, -KEPT)) Chain.#made.delete(oldest);
    made.catch(() => Chain.#made.delete(what));
    return made;
  }

  /** @param {Uint8Array} secret @param {any} summary @param {string} seat */
  static async #hashed(secret, summary, seat) {
    if (secret.length !== 32) throw new RangeError("a secret has 32 bytes");
    const place = placeOf(summary, seat), params = await paramsOf(summary);
    const key = await hmac(params, secret);
    let link = await hmac(key, join(ascii("nwd1/player-chain"), Uint8Array.of(place, 1)));
    const links = [link], who = join(ascii("P"), Uint8Array.of(place));
    for (let number = summary.chainLength; number > 0; number -= 1) {
      link = await hash("nwd1/link", params, who, new Uint8Array(0), u32(number), link);
      links.push(link);
    }
    return new Chain(links.reverse());
  }

  get tip() {
    return hex(this.#links[0]);
  }

  /** Number 0 is the tip. @param {number} number */
  link(number) {
    return hex(this.#links[number]);
  }
}

/**
 * The batch for which the seat should give its link now; 0: none. Of grades A2 and A3 that of the order that is
 * locked; else as far ahead as may be, once half of that is used up.
 * @param {any} summary
 * @param {string} seat
 * @returns {number}
 */
export function wanted(summary, seat) {
  const own = summary.seats[placeOf(summary, seat)];
  if (!own.diceTip || summary.status !== "playing") return 0;
  if (LOCKED.includes(summary.grade)) return summary.locked?.missing.includes(seat) ? summary.locked.batch : 0;
  const spent = summary.nextBatch - 1, given = own.linksUpto ?? 0;
  const most = Math.min(spent + AHEAD, (summary.firstBatch ?? 1) - 1 + summary.chainLength);
  return given - spent <= AHEAD / 2 && most > given ? most : 0;
}

/**
 * The body of `giveLinks` that is wanted of the seat now; null where nothing is.
 * @param {any} summary
 * @param {string} seat
 * @param {Uint8Array} secret
 */
export async function giving(summary, seat, secret) {
  const own = summary.seats[placeOf(summary, seat)];
  if (summary.renewals && !own.diceTip && !summary.locked) return { tip: (await Chain.of(secret, summary, seat)).tip };
  const upto = wanted(summary, seat);
  if (!upto) return null;
  const chain = await Chain.of(secret, summary, seat);
  return { upto, link: chain.link(upto - (summary.firstBatch ?? 1) + 1) };
}
