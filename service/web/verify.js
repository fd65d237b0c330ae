// A second opinion in the browser, by code that has nothing in common with the program's: container,
// chain, seals and orders, dice, master, signatures, the log. It has no rules, so it judges no result and shows none.

import { Refuted, Unreadable, equal, hexed, read, unpack } from "./bundle.js";
import { Dice, bound } from "./dicecheck.js";
import { escrow } from "./escrow.js";
import { RULES, SECRETS } from "./forms.js";
import { logged } from "./logged.js";
import { chain, orders, placed, records, seals, wholes } from "./papers.js";
import { saltsOf } from "./nwd1.js";
import { cosigned, origin, receipts, receiptsIn, signedOrders } from "./signatures.js";

// Calls `passed(check, text)` after each step. Throws Unreadable or Refuted. `known`: the service's root key, and
// receipts of it, each its text.
/**
 * @param {Uint8Array} bytes
 * @param {(check: string, text: string) => void} passed
 * @param {{root?: string, receipts?: string[]}} known
 */
export async function verify(bytes, passed = () => {}, known = {}) {
  const { manifest, files } = await unpack(bytes);
  passed("container", `${files.size} files, whole and in their one form`);
  const events = await chain(manifest, files);
  const shown = records(events), created = shown.get(1);
  escrow(created, events.filter(({ type }) => ["decklog.seat-taken", "decklog.key-changed"].includes(type)).map(({ seq }) => shown.get(seq)));
  passed("chain", `${events.length} events, each hashed and linked to the one before`);
  const signed = await origin(files, events.at(-1)?.at ?? "", known.root ?? "");
  await bound(manifest, created, files, { read, RULES });
  const master = shown.get(events.length)?.master ?? "";
  const salt = opened(manifest, files, created, master, events.length);
  const openings = await seals(manifest, events, files, salt);
  const made = wholes(events, shown, openings, created.setup.seats);
  passed("seals", `${openings.size} openings are what was sealed`);
  const { given, batches } = await orders(manifest, events, files, salt);
  passed("orders", `${given.length} orders have their digests`);
  const own = await signedOrders(events, shown, given);
  if (own) passed("signed orders", `${own} orders are signed by their seats`);
  const others = await cosigned(files), held = [...await receiptsIn(files, signed.keys, known.root), ...known.receipts ?? []];
  if (others) passed("cosigned", others);
  if (held.length) passed("receipts", await receipts(held, manifest, events, made, given, signed.keys, known.root));
  const log = await logged(files, manifest, signed.keys);
  if (log) passed("log", log);
  const dice = new Dice(events, made, manifest.viewer, given);
  await dice.check();
  passed("dice", `${dice.faces} faces in ${dice.batches} batches, each rolled again`);
  if (master) {
    await dice.master(master);
    passed("secrets", "the master makes the chains that were committed to");
  }
  placed(batches, made, created);
  const unjudged = own === null ? given.filter(({ signature }) => signature).length : 0;
  return { manifest, origin: signed.said, unjudged, events: events.length, sealed: dice.sealed, bots: /** @type {Record<string, {name: string, strength: string}>} */ (created.bots ?? {}), seedNamed: created.seedNamed,
    grade: created.seedNamed ? "none" : dice.grade || created.grade };
}

// The salts of a game whose last event opened the master; null where none did.
/** @param {any} manifest @param {Map<string, Uint8Array>} files @param {any} created @param {string} master @param {number} last */
function opened(manifest, files, created, master, last) {
  equal("secrets", 0, "scope in the manifest", master ? "complete" : "partial", manifest.scope);
  equal("secrets", 0, "secrets.json present", Boolean(master), files.has("secrets.json"));
  if (!master) return null;
  equal("secrets", 0, "viewer in the manifest", "truth", manifest.viewer);
  equal("secrets", last, "master", master, read(files, "secrets.json", SECRETS).master);
  return saltsOf(hexed(last, "master", master), hexed(1, "G", created.params.g));
}

export { Refuted, Unreadable };
