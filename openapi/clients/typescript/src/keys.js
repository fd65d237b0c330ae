// A seat's own key (Ed25519): what it signs nobody else can have ordered, and nobody can alter. It is registered when
// the seat is taken. Lost, the seat gives no order any more until the organiser rules on it.

import { hex } from "./dice.js";

const ORDER = "application/vnd.decklog.order.v2+json";
const PASSED_ON = "application/vnd.decklog.seat-key.v1+json";
const SECRET = 32;
// Before 32 secret bytes: they are a private key of Ed25519 (PKCS #8, RFC 8410).
const PKCS8 = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20);

// The field of a request in which the signature is sent.
export const FIELD = "Decklog-Signature";

/** @typedef {"client" | "page"} Keeper whose program holds the secret half: one's own, or the service's page */

/** The key of a seat. `pair` is to be kept: IndexedDB takes it as it is, also where nobody can read its secret half. */
export class SeatKey {
  /** @param {CryptoKeyPair} pair @param {string} publicKey in hex @param {Keeper} keeper */
  constructor(pair, publicKey, keeper) {
    this.pair = pair;
    this.public = publicKey;
    this.keeper = keeper;
  }

  /** Whether keys can be made here: over plain HTTP from another machine, and by an older browser, they cannot. */
  static async able() {
    try {
      return Boolean(await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]));
    } catch {
      return false;
    }
  }

  /** A new key. `extractable`: its secret half can be read, by `crypto.subtle.exportKey`. @param {{ extractable?: boolean, keeper?: Keeper }} [how] */
  static async make({ extractable = false, keeper = "client" } = {}) {
    const pair = await crypto.subtle.generateKey("Ed25519", extractable, ["sign", "verify"]);
    return SeatKey.of(/** @type {CryptoKeyPair} */ (pair), keeper);
  }

  /** One that was kept. @param {CryptoKeyPair} pair @param {Keeper} [keeper] */
  static async of(pair, keeper = "client") {
    return new SeatKey(pair, hex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey))), keeper);
  }

  /** The one of 32 secret bytes, which the caller keeps. @param {Uint8Array} secret @param {Keeper} [keeper] */
  static async from(secret, keeper = "client") {
    if (secret.length !== SECRET) throw new RangeError(`a secret has ${SECRET} bytes`);
    const readable = await crypto.subtle.importKey("pkcs8", Uint8Array.of(...PKCS8, ...secret), "Ed25519", true, ["sign"]);
    const { x, kty, crv } = await crypto.subtle.exportKey("jwk", readable);
    const publicKey = await crypto.subtle.importKey("jwk", { x, kty, crv }, "Ed25519", true, ["verify"]);
    const privateKey = await crypto.subtle.importKey("pkcs8", Uint8Array.of(...PKCS8, ...secret), "Ed25519", false, ["sign"]);
    return SeatKey.of({ privateKey, publicKey }, keeper);
  }

  /** `orderKey` of `takeSeat`, or of a seat that one keeps in a new game. */
  get registered() {
    return { public: this.public, keeper: this.keeper };
  }

  /**
   * The signature of an order as the field `Decklog-Signature` has it.
   * @param {any} summary the game as it is now
   * @param {string} seat
   * @param {unknown} command as the service lists it, or as `checkCommand` shows it
   */
  sign(summary, seat, command) {
    return this.#signed(whatIsSigned(summary, seat, command));
  }

  /** The signature by which another key takes this one's place: `passOn` of the client sends it. @param {string} game @param {string} seat @param {{ registered: { public: string, keeper: Keeper } }} to */
  passOn(game, seat, to) {
    return this.#signed(enveloped(PASSED_ON, { v: 1, game, seat, key: to.registered }));
  }

  /** @param {Uint8Array} text */
  async #signed(text) {
    return hex(new Uint8Array(await crypto.subtle.sign("Ed25519", this.pair.privateKey, /** @type {BufferSource} */ (text))));
  }
}

/** The bytes that a seat signs: the order, and the one place of one game that it fits. @param {any} summary @param {string} seat @param {unknown} command */
export function whatIsSigned(summary, seat, command) {
  const its = (/** @type {{ seat: string }} */ each) => each.seat === seat;
  const { question = "", subject = "" } = summary.toMove.find(its) ?? {};
  return enveloped(ORDER, {
    v: 2, game: summary.id, rules: summary.rules.digest, chains: summary.chainParams || summary.params,
    seat, question, subject, after: summary.seats.find(its).last, command,
  });
}

/** What of an envelope (DSSE) is signed; its payload is canonical JSON. @param {string} kind @param {unknown} told */
function enveloped(kind, told) {
  const encoder = new TextEncoder(), text = canonical(told);
  return encoder.encode(`DSSEv1 ${kind.length} ${kind} ${encoder.encode(text).length} ${text}`);
}

/** JSON without spaces, names sorted by their characters, whole numbers alone. @param {unknown} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value).filter(([, each]) => each !== undefined).sort(([one], [other]) => byCharacters(one, other));
    return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number of an order`);
  return JSON.stringify(value);
}

// JavaScript compares halves of characters: beyond U+FFFF that is another order than everybody else's.
/** @param {string} one @param {string} other */
function byCharacters(one, other) {
  const [left, right] = [one, other].map((text) => Array.from(text, (each) => /** @type {number} */ (each.codePointAt(0))));
  const place = left.findIndex((each, at) => each !== right[at]);
  return place < 0 ? left.length - right.length : left[place] - (right[place] ?? -1);
}
