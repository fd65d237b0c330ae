// What lies beside the events: openings against their seals, orders against their digests.

import { alike, canonical, equal, hexed, lines, need } from "./bundle.js";
import { ENVELOPE, OPENING, ORDER, RECORDS, hides, seen } from "./forms.js";
import { ascii, hex, th, unhex } from "./nwd1.js";

/** @typedef {{seq: number, type: string, schema: number, actor: string, at: string, game: string, prev: string, v: number, cause: {id: string, digest: string}, data: any, sealed: Record<string, string>}} Envelope */
/** @typedef {{id: string, seat: string, first: number, last: number, command: any, salt: string, signature?: string}} Order */
/** @typedef {{key: string, cause: string, first: number, last: number, events: Envelope[], actors: Set<string>, order: Order | null}} Batch the events of one order, or what stands by itself */
/** @typedef {((viewer: string, seq: number) => Promise<Uint8Array>) & {order: (id: string) => Promise<Uint8Array>}} Salts */

// Whether that is a time, in the form of stamps, of a day that there is.
/** @param {string} text */
function isStamp(text) {
  const time = STAMP.test(text) && text >= "0001" ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

const GENESIS = "0".repeat(64), STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const FORFEITED = "decklog.forfeited", RULED = "decklog.ended-by-ruling", OPENED = "decklog.master-opened";
export const ENDS = ["decklog.game-closed", "decklog.game-abandoned", FORFEITED, RULED];
const RULINGS = [RULED, "decklog.paused", "decklog.resumed", "decklog.batch-voided", "decklog.key-changed"];
const ALONE = ["decklog.seat-taken", "decklog.epoch-started", "decklog.rules-agreed", "decklog.rules-changed", "decklog.takeback",
  "decklog.game-abandoned", ...RULINGS, OPENED, "decklog.links-given", "decklog.links-closed", "decklog.beacon-seen", FORFEITED,
  "decklog.orders-locked", "decklog.tip-renewed"];
const LEADS = ["decklog.rules-changed", "decklog.takeback"];
const OF_A_SEAT = ["decklog.seat-taken", "decklog.rules-agreed", "decklog.takeback"];
const openedToo = (/** @type {Envelope} */ { type, schema }) => schema === 1 && ENDS.includes(type) && ![RULED, FORFEITED].includes(type);

/** @param {any} manifest @param {Map<string, Uint8Array>} files */
export async function chain(manifest, files) {
  let prev = GENESIS;
  const events = /** @type {Envelope[]} */ ([]);
  for (const [event, line] of lines(files, "events.jsonl", ENVELOPE, "chain")) {
    const seq = events.length + 1;
    equal("chain", seq, "seq", seq, event.seq);
    equal("chain", seq, "game", manifest.game, event.game);
    equal("chain", seq, "prev", prev, event.prev);
    equal("chain", seq, "v", 1, event.v);
    need(isStamp(event.at), "chain", seq, "at", "a time", event.at);
    prev = hex(await th("nwe1/event", line));
    event.cause = { id: event.cause.id ?? "", digest: event.cause.digest ?? "" };
    events.push(event);
  }
  need(events.length > 0, "chain", 1, "length", "at least one event", "none");
  equal("chain", events.length, "number of events", manifest.head.seq, events.length);
  equal("chain", events.length, "hash of the last event", manifest.head.hash, prev);
  return events;
}

// The platform events by number, each in the one form of its kind and where it may stand.
/** @param {Envelope[]} events @returns {Map<number, any>} */
export function records(events) {
  const found = new Map();
  for (const event of events) if (event.type.startsWith("decklog.")) found.set(event.seq, record(event));
  equal("record", 1, "type", "decklog.game-created", events[0].type);
  for (const seq of found.keys()) {
    equal("record", seq, "creates the game", seq === 1, events[seq - 1].type === "decklog.game-created");
  }
  const last = events.length, opens = /** @type {Envelope} */ (events.at(-1)).type === OPENED;
  for (const [seq, data] of found) ended(events, seq, data, last, opens);
  return found;
}

const FORMS = /** @type {Map<string, [number, (data: unknown) => boolean]>} */ (RECORDS); // the newest number of each kind, and its form

/** @param {Envelope} event */
function record({ seq, type, schema, data, actor }) {
  const [newest, shape] = FORMS.get(type) ?? [0, () => false];
  need(schema >= 1 && schema <= newest, "record", seq, "type", [...RECORDS.keys()].join(", "), type);
  need(shape(data), "record", seq, "data", type, canonical(data));
  const own = type === "decklog.game-abandoned" ? data.seat ?? "service" : OF_A_SEAT.includes(type) ? data.seat : "service";
  equal("record", seq, "actor", own, actor);
  return data;
}

/** @param {Envelope[]} events @param {number} seq @param {any} data @param {number} last @param {any} opens whether the last event opens the master */
function ended(events, seq, data, last, opens) {
  const { type } = events[seq - 1];
  if (ENDS.includes(type)) {
    equal("record", seq, "place", last - opens, seq);
    equal("record", seq, "opens the master", openedToo(events[seq - 1]), Boolean(data.master));
  } else if (type === OPENED) {
    equal("record", seq, "place", last, seq);
    const before = events[seq - 2];
    need(ENDS.includes(before.type) && !openedToo(before), "record", seq, "after", "the end of the game", before.type);
  }
}

// Exactly what the viewer may see is opened, and each opening is what was sealed. `salt(viewer, seq)` is
// there once the master is. Gives the payloads by number and viewer.
/** @param {any} manifest @param {Envelope[]} events @param {Map<string, Uint8Array>} files @param {Salts | null} salt @returns {Promise<Map<string, any>>} */
export async function seals(manifest, events, files, salt) {
  const openings = [...lines(files, "openings.jsonl", OPENING)].map(([opening]) => opening);
  const due = events.flatMap(({ seq, sealed }) => Object.keys(sealed)
    .filter((name) => [name, "truth"].includes(manifest.viewer)).sort().map((name) => [seq, name]));
  alike("seal", 0, "openings, in order", due, openings.map(({ seq, viewer }) => [seq, viewer]));
  const opened = new Map();
  for (const { seq, viewer, salt: given, payload } of openings) {
    const salted = unhex(hexed(seq, "salt", given));
    const found = hex(await th("nwe1/sealed", salted, ascii(canonical(payload))));
    equal("seal", seq, `sealed for ${viewer}`, found, events[seq - 1].sealed[viewer]);
    if (salt) equal("seal", seq, `salt for ${viewer}`, hex(await salt(viewer, seq)), given);
    opened.set(`${seq} ${viewer}`, payload);
  }
  return opened;
}

// The platform events as far as they are open. What each viewer sees must be a part of one and the same.
/** @param {Envelope[]} events @param {Map<number, any>} found @param {Map<string, any>} opened @param {string[]} seats @returns {Map<number, any>} */
export function wholes(events, found, opened, seats) {
  const made = new Map();
  for (const [seq, shown] of found) {
    const { type, sealed } = events[seq - 1];
    const viewers = hides(type, shown) ? [...seats, "truth"].sort() : [];
    alike("seal", seq, "viewers with a seal", viewers, Object.keys(sealed).filter((name) => name !== "state").sort());
    const payload = viewers.map((viewer) => opened.get(`${seq} ${viewer}`)).find((each) => each !== undefined && each !== null);
    const whole = payload ?? shown;
    need(FORMS.get(type)?.[1](whole), "record", seq, "sealed data", type, canonical(whole));
    if (["decklog.batch-rolled", "decklog.batch-voided", "decklog.links-given", "decklog.orders-locked"].includes(type)) alike("record", seq, "what everybody sees", seen(whole, "public"), shown);
    for (const viewer of viewers) {
      if (!opened.has(`${seq} ${viewer}`)) continue;
      const sees = canonical(seen(whole, viewer)) === canonical(shown) ? null : seen(whole, viewer);
      alike("record", seq, `what ${viewer} sees`, sees, opened.get(`${seq} ${viewer}`));
    }
    made.set(seq, whole);
  }
  return made;
}

// The events of each order, of the opening, and what stands by itself.
/** @param {any} manifest @param {Envelope[]} events @param {Map<string, Uint8Array>} files @param {Salts | null} salt */
export async function orders(manifest, events, files, salt) {
  const given = /** @type {Order[]} */ ([...lines(files, "commands.jsonl", ORDER)].map(([order]) => order));
  const left = new Map(given.map((order) => [order.id, order]));
  equal("order", 0, "ids of the orders, all different", given.length, left.size);
  const batches = grouped(events);
  for (const batch of batches) {
    if (!batch.cause) continue;
    batch.order = left.get(batch.cause) ?? null;
    left.delete(batch.cause);
  }
  equal("order", 0, "orders without events", "", [...left.keys()].join(", "));
  for (const batch of batches) {
    if (batch.order) await ordered({ ...batch, order: batch.order }, salt);
    else if (batch.cause) {
      const hidden = batch.events.some(({ sealed }) => Object.hasOwn(sealed, "truth")) && manifest.viewer !== "truth" && !batch.actors.has(manifest.viewer);
      need(hidden, "order", batch.first, "order", `order ${batch.cause}`, "not in the bundle");
    }
  }
  const places = given.map(({ first }) => first);
  alike("order", 0, "sequence of the orders", [...places].sort((one, two) => one - two), places);
  return { given, batches };
}

/** @param {Envelope[]} events */
function grouped(events) {
  const batches = /** @type {Batch[]} */ ([]), known = new Set();
  let latest = /** @type {Batch | null} */ (null);
  for (const event of events) {
    const { cause, seq, actor, type } = event;
    const key = canonical(cause.id ? [cause.id, 0] : ["", ALONE.includes(type) ? seq : 0]);
    if (latest === null || latest.key !== key) {
      need(!cause.id || !known.has(cause.id), "order", seq, "cause", "a new order", cause.id);
      known.add(cause.id);
      latest = /** @type {Batch} */ ({ key, cause: cause.id, first: seq, last: seq, events: [], actors: new Set(), order: null });
      batches.push(latest);
    }
    alike("order", seq, "cause", (latest.events[0] ?? event).cause, cause);
    latest.events.push(event);
    latest.actors.add(actor);
    latest.last = seq;
  }
  return batches;
}

/** @param {Batch & {order: Order}} batch @param {Salts | null} salt */
async function ordered({ order, first, last, actors, events }, salt) {
  alike("order", first, "events of the order", [first, last], [order.first, order.last]);
  need(actors.has(order.seat), "order", first, "seat", [...actors].join(", "), order.seat);
  if (salt) equal("order", first, "salt of the order", hex(await salt.order(order.id)), order.salt);
  const found = hex(await th("nwe1/command", unhex(hexed(first, "salt of the order", order.salt)), ascii(canonical(order.command))));
  for (const { seq, cause } of events) equal("order", seq, "digest of the order", found, cause.digest);
}

// Where platform events, seals and actors may stand in an order, whatever the rules are.
/** @param {Batch[]} batches @param {Map<number, any>} made @param {any} created */
export function placed(batches, made, { setup }) {
  for (const [place, batch] of batches.entries()) {
    const { first, events, cause } = batch, alone = !cause && ALONE.includes(events[0].type);
    const due = LEADS.includes(events[0].type) ? ["state"] : [];  // of the position that it leads to
    if (alone && hides(events[0].type, made.get(first))) continue;  // its seals are judged already
    if (alone) alike("seal", first, "viewers with a seal", due, Object.keys(events[0].sealed));
    else shaped(batch, made, setup);
    if (alone && events[0].type === "decklog.takeback") afterItsStep(made.get(first), first, batches[place - 1], made);
  }
}

// It names the order right before it, which led to events of the game alone, and was of the same seat; the way back is for the rules.
/** @param {any} taken @param {number} seq @param {Batch} step @param {Map<number, any>} made */
function afterItsStep({ seat, command, first }, seq, step, made) {
  need(Boolean(step?.cause), "record", seq, "step", "an order right before it", "none");
  alike("record", seq, "step that is taken back", [step.cause, step.first], [command, first]);
  need(step.order?.seat === seat, "record", seq, "seat whose step it was", step.order?.seat ?? "nobody", seat);
  for (const each of step.events) {
    need(!made.has(each.seq), "record", seq, "what the step led to besides events of the game", "nothing", each.type);
    alike("record", seq, "secrets", [], Object.keys(each.sealed).filter((name) => name !== "state"));
  }
}

/** @param {Batch} batch @param {Map<number, any>} made @param {any} setup */
function shaped({ first, last, events, cause, order }, made, { seats, ruleset }) {
  equal("order", first, "is caused by an order", first !== 1, Boolean(cause));
  const due = [...seats, "truth"].sort().join(" ");
  const rolls = events.some(({ type }) => type === "decklog.batch-rolled");
  for (const { seq, type, sealed, actor } of events) {
    equal("seal", seq, "digest of the state is sealed", seq === last, Object.hasOwn(sealed, "state"));
    if (made.has(seq)) {
      need(stands(type, seq, first, last, rolls, events[seq - first + 1]?.type), "record", seq, "place", `no ${type} here`, "one");
      continue;
    }
    const viewers = Object.keys(sealed).filter((name) => name !== "state").sort().join(" ");
    need(viewers === "" || viewers === due, "seal", seq, "viewers with a seal", `none or ${due}`, viewers);
    need(type.startsWith(`${ruleset}.`), "rules", seq, "type", `one of ${ruleset}`, type);
    if (order || !cause) equal("rules", seq, "actor", order?.seat ?? "service", actor);
  }
}

/** @param {string} type @param {number} seq @param {number} first @param {number} last @param {boolean} rolls @param {string} [next] */
function stands(type, seq, first, last, rolls, next) {
  if (type === "decklog.game-created") return seq === 1;
  if (type === "decklog.batch-rolled") return seq !== last;
  if (type === "decklog.links-closed") return next === "decklog.batch-rolled";
  if (type === "decklog.deadline-passed") return seq === first && seq !== last;
  if (type === "decklog.tip-renewed") return seq === first && rolls;
  return seq === last && ["decklog.game-closed", "decklog.game-abandoned", "decklog.chain-renewed"].includes(type);
}
