// What was told of each game's chain of hashes: another record than before is noticed. A head is number and hash
// of an event; it fixes all events up to it. Kept are the newest head and the newest receipt's, and the public log's.

import { OtherLog, read } from "./log.js";

/** @import { Checkpoint } from "./log.js" */

const FIELD = /^([1-9][0-9]{0,15});hash="([0-9a-f]{64})"$/;
const GAME = /\/v1\/games\/([0-9a-f]{32})(?:[/?]|$)/;

/** @typedef {{ seq: number, hash: string }} Head */
/** @typedef {{ head?: Head, signed?: Head }} Kept */
/** @typedef {{ getItem(name: string): string | null, setItem(name: string, value: string): void }} Store */

/** The service tells another record of a game than before: keep both heads, and ask why. */
export class OtherRecord extends Error {
  /** @param {string} game @param {Head} kept @param {Head | null} found @param {string} service */
  constructor(game, kept, found, service = "") {
    super(`Event ${kept.seq} of game ${game} was ${kept.hash}, and now ${found ? `it is ${found.hash}` : "there is none"}.`);
    this.name = "OtherRecord";
    this.game = game;
    this.kept = kept;
    this.found = found;
    const heads = [kept, found].filter((each) => each !== null);
    /** Both heads, as `decklog equivocation` reads them from a file. */
    this.told = { format: "decklog-heads", v: 1, game, service, heads };
  }
}

export class Heads {
  /** @type {Map<string, Kept>} */ #known = new Map();
  /** @type {Store | null} */ #store;
  /** @type {Checkpoint | null} */ #log = null;
  #received;

  /**
   * @param {{ store?: Store | null, service?: string, received?: (game: string, receipt: string) => void }} [how]
   *   `store`: where they stay, localStorage for one; `received`: keeps receipts, which are too many for it
   */
  constructor({ store = null, service = "", received = () => {} } = {}) {
    this.#store = store;
    this.#received = received;
    this.service = service;
    /** @type {Map<string, string[]>} */ this.receipts = new Map();
  }

  /** @param {string} game @returns {Kept} */
  #of(game) {
    const known = this.#known.get(game) ?? {}, stored = this.#stored(game);
    const head = newer(known.head, stored.head), signed = newer(known.signed, stored.signed);
    return { ...(head && { head }), ...(signed && { signed }) };
  }

  /** Another page may have been told more. @param {string} game @returns {Kept} */
  #stored(game) {
    try { return JSON.parse(this.#text(`decklog.kept.${game}`) ?? "{}"); } catch { return {}; }
  }

  /** @param {string} game @param {Kept} kept */
  #keep(game, kept) {
    this.#known.set(game, kept);
    try { this.#store?.setItem(`decklog.kept.${game}`, JSON.stringify(kept)); } catch { /* in memory alone, then */ }
  }

  /** The newest head of the service's public log. */
  checkpoint() {
    this.#log ??= read(this.#text(`decklog.log.${this.service}`) ?? "");
    return this.#log;
  }

  /** A head of the log that goes on from the one before. @param {Checkpoint} found */
  keepLog(found) {
    if (found.size < (this.checkpoint()?.size ?? 0)) return; // another line was told a newer one
    this.#log = found;
    try { this.#store?.setItem(`decklog.log.${this.service}`, found.text); } catch { /* in memory alone, then */ }
  }

  /** The log is another than before. Throws OtherLog. @param {Checkpoint} kept @param {Checkpoint | null} found @returns {never} */
  broke(kept, found) {
    throw new OtherLog(kept, found);
  }

  /** @param {string} name */
  #text(name) {
    try { return this.#store?.getItem(name); } catch { return null; }
  }

  /** @param {string} game */
  newest(game) {
    return this.#of(game).head ?? null;
  }

  /** All that has to be so still. @param {string} game @returns {Head[]} */
  kept(game) {
    const { head, signed } = this.#of(game);
    const same = head && signed && head.seq === signed.seq && head.hash === signed.hash;
    return [head, same ? undefined : signed].filter((each) => each !== undefined);
  }

  /** Take in what an answer says. @param {string} path @param {Headers} headers */
  heard(path, headers) {
    const game = (GAME.exec(headers.get("Location") ?? "") ?? GAME.exec(path))?.[1];
    if (!game) return;
    const field = FIELD.exec(headers.get("Decklog-Head") ?? "");
    if (field) this.note(game, { seq: Number(field[1]), hash: field[2] });
    const receipt = headers.get("Decklog-Receipt");
    if (receipt) this.#receive(game, receipt);
  }

  /** A head was told. Throws OtherRecord. @param {string} game @param {Head} head */
  note(game, head) {
    for (const kept of this.kept(game)) if (kept.seq === head.seq) this.confirm(game, kept, head);
    const known = this.#of(game);
    if (!known.head || head.seq > known.head.seq) this.#keep(game, { ...known, head: { seq: head.seq, hash: head.hash } });
  }

  /** What is there now in the place of a head that was kept. @param {string} game @param {Head} kept @param {Head | null} found */
  confirm(game, kept, found) {
    if (!found || found.seq !== kept.seq || found.hash !== kept.hash) throw new OtherRecord(game, kept, found, this.service);
  }

  /** @param {string} game @param {string} receipt */
  #receive(game, receipt) {
    this.receipts.set(game, [...(this.receipts.get(game) ?? []), receipt]);
    this.#received(game, receipt);
    const head = receiptHead(receipt);
    if (!head) return;
    this.note(game, head);
    const known = this.#of(game);
    if (!known.signed || head.seq > known.signed.seq) this.#keep(game, { ...known, signed: head });
  }
}

/** @param {Head | undefined} one @param {Head | undefined} two */
function newer(one, two) { return (two?.seq ?? 0) > (one?.seq ?? 0) ? two : one; }

/** The head that a receipt names; its signature is for `decklog verify --receipt` to judge. @param {string} receipt */
export function receiptHead(receipt) {
  try {
    const told = JSON.parse(atob(JSON.parse(atob(receipt)).payload));
    return { seq: Number(told.seq), hash: String(told.head) };
  } catch { return null; }
}
