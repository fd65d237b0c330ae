// The form of everything in a bundle: each struct of the format as a shape that a value has or has not.
// A shape is strict: no field more, none less, and none written that is left out by default.

/** A check of a value, of whatever form it is. @typedef {(value: any) => boolean} Shape */

const isMap = (/** @type {any} */ value) => value !== null && typeof value === "object" && !Array.isArray(value);

export const text = (/** @type {any} */ value) => typeof value === "string";
export const whole = (/** @type {any} */ value) => Number.isInteger(value);
export const truth = (/** @type {any} */ value) => typeof value === "boolean";
export const any = () => true;
export const word = (/** @type {string[]} */ ...words) => (/** @type {any} */ value) => words.includes(value);
export const list = (/** @type {Shape} */ of) => (/** @type {any} */ value) => Array.isArray(value) && value.every(of);
export const map = (/** @type {Shape} */ of) => (/** @type {any} */ value) => isMap(value) && Object.values(value).every(of);
const some = (/** @type {any} */ value) => text(value) && value !== "";
const filled = (/** @type {Shape} */ of) => (/** @type {any} */ value) => list(of)(value) && value.length > 0;

// `needed` must be there; `other` may be, and is left out where it says nothing.
/** @param {Record<string, Shape>} needed @param {Record<string, Shape>} other @returns {Shape} */
export function struct(needed, other = {}) {
  return (/** @type {any} */ value) => isMap(value)
    && Object.keys(needed).every((name) => Object.hasOwn(value, name) && needed[name](value[name]))
    && Object.keys(value).every((name) => Object.hasOwn(needed, name)
      || (Object.hasOwn(other, name) && other[name](value[name])));
}

const rules = struct({ ruleset: text, version: text, digest: text }, { form: word("engine") });
const file = struct({ name: text, size: whole, sha256: text });

export const MANIFEST = struct({
  format: text, v: whole, game: text, head: struct({ seq: whole, hash: text }), viewer: text, scope: text,
  signatures: text, rules, files: list(file),
});
export const ENVELOPE = struct({
  v: whole, game: text, seq: whole, type: text, schema: whole, at: text, actor: text,
  cause: struct({}, { id: text, digest: text }), prev: text, data: any, sealed: map(text),
});
export const OPENING = struct({ seq: whole, viewer: text, salt: text, payload: any });
const signature = struct({ question: text, subject: text, value: text });
export const ORDER = struct({ id: text, seat: text, command: any, salt: text, first: whole, last: whole }, { signature });
export const SECRETS = struct({ master: text });
export const RULES = struct({}, { files: list(struct({ name: text, sha256: text })), engine: text });

const fork = struct(
  { game: text, version: whole, viewer: text, seed: text, state: map(any) },
  { label: some, faces: filled(list(whole)), schema: (/** @type {any} */ value) => whole(value) && value !== 1 });
const documents = (/** @type {any} */ value) => map(any)(value) && Object.keys(value).length > 0
  && Object.keys(value).every(word("scenario", "map", "deck"));
const setup = struct(
  { ruleset: text, edition: text, scenario: text, seats: list(text), options: map(any) },
  { customs: documents, fork });
const odds = struct({ kind: text, seat: text, worth: list(list(whole)) },
  { outcomes: filled(struct({ name: text, least: whole })), weapon: some, unit: some, target: some });
const rolled = struct({
  label: text, pools: list(struct({ count: whole, sides: whole })), faces: list(list(whole)),
}, { odds });
const chains = { epoch: whole, first: whole, tips: map(text), commitment: text };
const result = struct({ winners: list(text), reason: text, rule: text });

const botSeat = struct({ name: text, strength: text });
const kept = struct({ keeper: text, key: text, sealed: text, digest: text });
const clock = { seat: text, question: text, subject: text, due: text };
const orderKey = struct({ public: text, keeper: word("page", "client") });

// Platform events by type: the newest form's number, and its shape.
export const RECORDS = new Map(Object.entries({
  "decklog.game-created": [1, struct({
    params: struct({ game: text, rules: text, scenario: text, seats: whole, length: whole, g: text }),
    commitment: text, tips: map(text), grade: text, nonce: text, setup, rules, seatTips: list(text), seedNamed: truth,
  }, { deadline: whole, waiting: list(text), keys: map(orderKey), bots: map(botSeat), beacon: text, escrow: list(kept), forfeit: whole, series: text })],
  "decklog.seat-taken": [1, struct({ seat: text, tip: text }, { key: orderKey, mark: text })],
  "decklog.batch-rolled": [2, struct({
    t: whole, domain: text, link: text, playerLinks: list(text), rolls: list(rolled),
  })],
  "decklog.tip-renewed": [1, struct({ seat: text, tip: text })],
  "decklog.links-given": [1, struct({ seat: text, upto: whole, link: text })],
  "decklog.links-closed": [1, struct({ t: whole, absent: list(text) }, { unlogged: truth, round: whole })],
  "decklog.beacon-seen": [1, struct({ t: whole, round: whole, signature: text })],
  "decklog.orders-locked": [1, struct(
    { t: whole, seat: text, command: text, digest: text, seconds: whole, order: text }, { passed: struct(clock), signature })],
  "decklog.deadline-passed": [1, struct(clock)],
  "decklog.chain-renewed": [1, struct(chains)],
  "decklog.epoch-started": [1, struct({ ...chains, nonce: text })],
  "decklog.rules-agreed": [1, struct({ seat: text, rules })],
  "decklog.takeback": [1, struct({ seat: text, command: text, first: whole, back: text })],
  "decklog.rules-changed": [1, struct({ old: rules, new: rules, agreed: list(text), since: whole })],
  "decklog.game-closed": [2, struct({ result }, { master: text })],
  "decklog.game-abandoned": [2, struct({}, { seat: text, days: whole, master: text })],
  "decklog.forfeited": [1, struct({ seats: list(text), absences: whole, result })],
  "decklog.ended-by-ruling": [1, struct({ reason: text })],
  "decklog.paused": [1, struct({ orders: truth, reason: text, left: map(whole) })],
  "decklog.resumed": [1, struct({})],
  "decklog.batch-voided": [1, struct({ t: whole, domain: text, link: text, reason: text })],
  "decklog.key-changed": [1, struct({ seat: text, old: text, reason: text }, { key: orderKey, signature: text })],
  "decklog.master-opened": [1, struct({ master: text })],
}));

// Whether somebody may not see all of a record.
const BATCHES = ["decklog.batch-rolled", "decklog.batch-voided"];
const PRIVATE = ["decklog.links-given", "decklog.orders-locked"];
export const hides = (/** @type {string} */ type, /** @type {any} */ { domain }) => PRIVATE.includes(type) || (BATCHES.includes(type) && domain !== "pub");

// The data of a batch, of a link that was given or of an order that is locked, as `viewer` may know it.
/** @param {any} data @param {string} viewer */
export function seen(data, viewer) {
  if (Object.hasOwn(data, "order")) {
    const { signature, ...others } = data;
    return [data.seat, "truth"].includes(viewer) ? data : { ...others, order: "" };
  }
  if (Object.hasOwn(data, "upto")) return [data.seat, "truth"].includes(viewer) ? data : { ...data, link: "" };
  if (data.domain === "pub" || viewer === "truth" || data.domain === `side:${viewer}`) return data;
  if (!Object.hasOwn(data, "rolls")) return { ...data, link: "" };
  return { ...data, link: "", rolls: data.rolls.map((/** @type {any} */ { label, pools }) => ({ label, pools, faces: [] })) };
}
