// The keys of this browser's seats (Ed25519): each order of such a seat is signed, so that nobody else can have given it.
// A key lies in IndexedDB by its public half, before anybody hears of it; its secret half cannot be read, not even here.

import { held, keep } from "./api.js";
import { SeatKey } from "./keys.js";
import { shelf } from "./shelf.js";

/** @typedef {import("./types.js").GameSummary} GameSummary */

// A key is on the disk before anybody hears of it.
const stored = shelf("decklog", "keys", { durability: "strict" });
let able = /** @type {Promise<boolean> | undefined} */ (undefined);

/** Whether this browser makes keys that sign orders, and keeps them: over plain HTTP from another machine, or in a private window, it may not. Tried once for a page, by a key that is thrown away. */
export function signs() { return able ??= tried(); }

async function tried() {
  try {
    const { orderKey } = await freshKey();
    await stored("readwrite", (store) => store.delete(orderKey.public));
    return true;
  } catch { return false; }
}

/** @param {SeatKey} key */
export function keepKey(key) { return stored("readwrite", (store) => store.put(key.pair, key.public)); }

/** `orderKey` of a seat that is taken; it fails where none can be made or kept, so that nobody plays unsigned unasked. The browser is asked to clear it for nobody but its owner. @returns {Promise<{orderKey: {public: string, keeper: "client" | "page"}}>} */
export async function freshKey() {
  const key = await SeatKey.make({ keeper: "page" });
  await keepKey(key);
  navigator.storage?.persist?.().catch(() => false);
  return { orderKey: key.registered };
}

/** The key of that public half; null where this browser has it not. @param {string} publicKey @returns {Promise<SeatKey | null>} */
export async function keptKey(publicKey) {
  const pair = publicKey ? await stored("readonly", (store) => store.get(publicKey)).catch(() => null) : null;
  return pair ? SeatKey.of(pair, "page") : null;
}

/** The public half of a key that may come in the place of one that is not here: one and the same until it has; "" where none is made. @param {string} game @param {string} seat @returns {Promise<string>} */
export async function instead(game, seat) {
  const offered = held()[game]?.newKeys?.[seat] ?? "";
  if (await keptKey(offered)) return offered;
  const made = await freshKey().catch(() => null);
  if (!made) return "";
  keep(game, { newKeys: { ...held()[game]?.newKeys, [seat]: made.orderKey.public } });
  return made.orderKey.public;
}

/** Whether the seat is played elsewhere, since this browser has passed it on. @param {GameSummary} summary @param {string} seat */
export function passedOn({ id, seats }, seat) {
  const to = held()[id]?.passed?.[seat];
  return Boolean(to) && seats.some((each) => each.seat === seat && each.orderKey === to);
}

/** Such a key is the seat's now: another change takes another one. @param {string} game @param {string} seat @param {string} publicKey */
export function arrived(game, seat, publicKey) {
  const { [seat]: offered, ...others } = held()[game]?.newKeys ?? {};
  if (offered && offered === publicKey) keep(game, { newKeys: others });
}

const WORDS = {
  O1: "signed by a program of its own",
  O1p: "signed by the service's page, with a key that stays in its browser",
  O0: "not signed: whose they are is the service's word",
};
const GRADES = /** @type {(keyof typeof WORDS)[]} */ (Object.keys(WORDS)), SEATED = ["kept", "taken"];

/** The grade of the orders of one's seat, or the lowest of the people's; and that of each in words. @param {GameSummary} summary @param {string} seat @returns {[string, string]} */
export function ordersGraded(summary, seat) {
  const grades = summary.seats.filter((each) => !each.bot && SEATED.includes(each.held)).map((each) => /** @type {[string, keyof typeof WORDS]} */ ([each.seat, gradeOf(each)]));
  const known = GRADES.map((grade) => ({ grade, of: grades.filter(([, each]) => each === grade).map(([each]) => each) })).filter(({ of }) => of.length);
  const own = grades.find(([each]) => each === seat)?.[1] ?? known.at(-1)?.grade ?? "O0";
  const told = known.map(({ grade, of }) => `${of.join(" and ")} ${grade}, ${WORDS[grade]}`).join("; ");
  const ruled = summary.seats.filter((each) => each.keyRuled).map((each) => each.seat);
  return [own, ruled.length ? `${told}. That the key of ${ruled.join(" and ")} is another, or none, is the organiser's word alone.` : `${told}.`];
}

/** A key that the organiser alone has put there is worth no more than his word. @param {GameSummary["seats"][number]} its @returns {keyof typeof WORDS} */
function gradeOf({ orderKey, keyRuled, keeper }) {
  if (!orderKey || keyRuled) return "O0";
  return keeper === "page" ? "O1p" : "O1";
}

/** What the organiser is asked for where a seat's key is lost. @param {string} game @param {string} seat @param {string} publicKey of another key, which this browser has; "" for none */
export function remedy(game, seat, publicKey) {
  const which = publicKey ? `--public ${publicKey} --keeper page` : "--none";
  return `decklog admin key ${game} ${seat} ${which} --by NAME --why "the key was lost"`;
}
