// Every die again: commitment, tips, each opened link, each face, batch numbers without a gap.

import { alike, canonical, equal, hexed, need } from "./bundle.js";
import { SERVER, batchKey, commitment, down, epochParams, hex, params, player, renewedParams, roll, serverSeed, th, unhex } from "./nwd1.js";

const MOST_LINKS = 1 << 20, MOST_SIDES = 65536, MOST_DICE = 2000, MOST_LARGE = 1000, MOST_LABEL = 255;
// The public beacon that is known here: when its rounds come. Whether its key has signed one is for the judge to say.
const BEACON = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", GENESIS = 1692803367000, PERIOD = 3000;
const LOCKED = ["A2", "A3"], FORFEITED = "decklog.forfeited", LINK_SECONDS = 30;
const isAscii = (/** @type {string} */ text) => !/[^\0-\x7f]/.test(text);

/** @typedef {import("./papers.js").Envelope} Envelope */
/** @typedef {import("./papers.js").Order} Order */
/** @typedef {{number: number, link: Uint8Array}} Known a link of a chain that is known, and which it is */
/** @typedef {{command: string, digest: string, seconds: number, first: number, wanted: number, since: number, given: number, round?: number}} Lock */

export class Dice {
  faces = 0;
  batches = 0;
  sealed = 0;
  next = 1; // batch
  grade = "";
  command = "";
  number = 0; // of the renewal
  base = 0; // batches before the chains that are in use
  domains = /** @type {string[]} */ ([]);
  epochs = /** @type {[Uint8Array, Record<string, string>][]} */ ([]);
  known = /** @type {Map<string, Known>} */ (new Map());
  links = /** @type {((Known & {tip: string}) | null)[]} */ ([]);
  nonces = /** @type {Set<string>} */ (new Set());
  spent = /** @type {Set<number>} */ (new Set());
  upto = /** @type {Map<string, number>} */ (new Map());
  beacons = /** @type {Map<number, {round: number, signature: string}>} */ (new Map());
  missed = /** @type {Map<string, number>} */ (new Map());
  rolls = /** @type {Map<string, Set<string>>} */ (new Map());
  lost = /** @type {string[]} */ ([]);
  closed = /** @type {{seq: number, data: any} | null} */ (null);
  lock = /** @type {Lock | null} */ (null);
  carriedOut = false;
  stand = false; // the clocks
  stopped = 0;

  /** @param {Envelope[]} events @param {Map<number, any>} made @param {string} viewer @param {Order[]} orders */
  constructor(events, made, viewer, orders) {
    this.events = events;
    this.made = made;
    this.viewer = viewer;
    this.orders = orders;
    this.created = made.get(1);
    this.seats = /** @type {string[]} */ (this.created.setup.seats);
    this.waiting = new Set(this.created.waiting ?? []);
    this.g = this.root = this.now = /** @type {Uint8Array} */ (new Uint8Array());
  }

  async check() {
    this.g = await this.bound();
    this.root = this.now = this.g;
    await this.commit(1, this.created.tips, this.created.commitment, this.g);
    this.domains = Object.keys(this.created.tips);
    this.links = this.seats.map(() => null);
    for (const [place, tip] of this.created.seatTips.entries()) this.register(1, place, tip);
    this.rolls = this.whoRolls();
    for (const { seq, type, cause } of this.events) {
      const own = this.lock !== null && cause.id === this.lock.command;
      if (this.carriedOut && !own) this.lock = null;
      this.carriedOut = own;
      need(!this.lost.length || type === FORFEITED, "dice", seq, "event", `the forfeit of ${this.lost}`, "another");
      if (type !== "decklog.batch-rolled") this.inVain();
      if (this.made.has(seq)) await this.take(seq, type, this.made.get(seq));
    }
    this.inVain();
  }

  async bound() {
    const { params: given, grade, nonce } = this.created;
    need(given.length > 0 && given.length <= MOST_LINKS, "dice", 1, "length", `1 to ${MOST_LINKS}`, given.length);
    need(given.seats > 0 && given.seats < 256, "dice", 1, "seats", "1 to 255", given.seats);
    need(["A0", "A1", ...LOCKED].includes(grade), "dice", 1, "grade", "A0, A1, A2 or A3", grade);
    equal("dice", 1, "beacon", this.ofBeacon ? BEACON : undefined, this.created.beacon);
    const { forfeit } = this.created;
    if (forfeit !== undefined) need(forfeit > 0 && this.ofLocks, "dice", 1, "forfeit", "at an absence, of grade A2 or A3", forfeit);
    hexed(1, "nonce", nonce);
    if (this.created.series !== undefined) hexed(1, "series", this.created.series);
    hexed(1, "game id", given.game, 16);
    hexed(1, "digest of the rules", given.rules);
    hexed(1, "digest of the set-up", given.scenario);
    const g = await params(given);
    equal("dice", 1, "G", hex(g), given.g);
    return g;
  }

  /** @param {number} seq @param {string} type @param {any} data */
  async take(seq, type, data) {
    if (type === "decklog.seat-taken") this.waiting.delete(data.seat);
    if (type === "decklog.seat-taken" && data.mark !== undefined) hexed(seq, "mark", data.mark);
    if (type === "decklog.links-given") await this.give(seq, data);
    if (type === "decklog.batch-voided") await this.voided(seq, data);
    if (type === "decklog.orders-locked") this.locked(seq, data);
    if (type === "decklog.paused" || type === "decklog.resumed") this.clocks(seq, type);
    if (type === "decklog.links-closed") this.close(seq, data);
    if (type === FORFEITED) this.forfeited(seq, data);
    if (type === "decklog.beacon-seen") this.seen(seq, data);
    if (type === "decklog.seat-taken") this.register(seq, this.place(seq, data.seat), data.tip);
    if (type === "decklog.tip-renewed") {
      const place = this.place(seq, data.seat);
      need(this.spent.has(place) && data.tip !== "", "dice", seq, "new tip", "of a seat whose chain is spent", data.tip);
      this.register(seq, place, data.tip);
    }
    if (type === "decklog.chain-renewed") {
      need(!this.lasts(), "dice", seq, "renewal", "when the chains are spent", "before");
      await this.begin(seq, data, await renewedParams(this.root, this.number + 1));
    }
    if (type === "decklog.epoch-started") await this.start(seq, data);
    if (type === "decklog.batch-rolled") await this.batch(seq, data);
  }

  // By the id of an order, who gave it; nobody did where the clock has answered.
  whoRolls() {
    const found = new Map();
    for (const { cause, actor } of this.events) found.set(cause.id, (found.get(cause.id) ?? new Set()).add(actor));
    for (const [seq, data] of this.made) if (this.events[seq - 1].type === "decklog.deadline-passed") found.get(this.events[seq - 1].cause.id).delete(data.seat);
    return found;
  }

  // Whether links of batches to come are known.
  get opened() { return [...this.upto.values()].some((upto) => upto >= this.next); }

  /** @param {number} seq @param {string} seat */
  place(seq, seat) {
    need(this.seats.includes(seat), "record", seq, "seat", this.seats.join(", "), seat);
    return this.seats.indexOf(seat);
  }

  // Whether a command that begins with the next batch has a link for each of its batches.
  lasts() {
    return this.next - 1 - this.base + this.domains.length <= this.created.params.length;
  }

  /** @param {number} seq @param {Record<string, string>} tips @param {string} committed @param {Uint8Array} g */
  async commit(seq, tips, committed, g) {
    need(Object.keys(tips).every(isAscii), "dice", seq, "domains", "ASCII names", Object.keys(tips).join(", "));
    for (const [domain, tip] of Object.entries(tips)) hexed(seq, `tip of ${domain}`, tip);
    equal("dice", seq, "commitment C_S", hex(await commitment(g, tips)), committed);
    this.known = new Map(Object.entries(tips).map(([domain, tip]) => [domain, { number: 0, link: unhex(tip) }]));
    this.epochs.push([g, tips]);
  }

  /** @param {number} seq @param {number} place @param {string} tip */
  register(seq, place, tip) {
    if (!tip) return;
    const what = `tip of ${this.seats[place]}`;
    hexed(seq, "dice tip", tip);
    need(!Object.hasOwn(this.created.bots ?? {}, this.seats[place]), "dice", seq, what, "none: a bot plays it", tip);
    need(this.links[place] === null, "dice", seq, what, "one", "another");
    need(!this.opened, "dice", seq, what, "fixed before others' links are known", "after");
    need(!this.links.some((known) => known && [known.tip, hex(known.link)].includes(tip)), "dice", seq, what, "a chain of its own", "another's");
    this.links[place] = { tip, number: 0, link: unhex(tip) };
    this.spent.delete(place);
  }

  /** @param {number} seq @param {any} record */
  async start(seq, record) {
    hexed(seq, "nonce", record.nonce);
    need(!this.nonces.has(record.nonce), "dice", seq, "nonce", "a new one", record.nonce);
    this.nonces.add(record.nonce);
    this.lock = null;
    this.root = await epochParams(this.g, this.number + 1, record.nonce);
    await this.begin(seq, record, this.root);
  }

  /** @param {number} seq @param {any} record @param {Uint8Array} g */
  async begin(seq, record, g) {
    this.number += 1;
    equal("dice", seq, "number of the renewal", this.number, record.epoch);
    equal("dice", seq, "first batch of the new chains", this.next, record.first);
    alike("dice", seq, "domains", [...this.domains].sort(), Object.keys(record.tips).sort());
    await this.commit(seq, record.tips, record.commitment, g);
    this.now = g;
    this.base = this.next - 1;
    this.links.forEach((known, place) => known && this.spent.add(place));
    this.links = this.links.map(() => null);
    this.upto.clear();
  }

  // Links given ahead: from now on each batch up to that one has to have them.
  /** @param {number} seq @param {{seat: string, upto: number, link: string}} given */
  async give(seq, { seat, upto, link }) {
    const place = this.place(seq, seat), what = `links of ${seat}`;
    need(this.links[place] !== null, "dice", seq, what, "of a seat with a tip", "one");
    equal("dice", seq, what, 0, this.waiting.size);
    let least = Math.max(this.upto.get(seat) ?? 0, this.next - 1) + 1, most = this.base + this.created.params.length;
    if (this.ofLocks) least = most = this.lock?.wanted ?? 0;
    need(!this.lock?.round, "dice", seq, what, "before they are closed", upto);
    if (this.lock !== null) this.lock.given += 1;
    need(least <= upto && upto <= most, "dice", seq, what, `${least} to ${most}`, upto);
    this.upto.set(seat, upto);
    if (link) await this.linked(seq, place, link, upto - this.base, what);
  }

  get ofLocks() { return LOCKED.includes(this.created.grade); }
  get ofBeacon() { return this.created.grade === "A3"; }

  // An order is locked: the next one of the record is that, unless there is none or a new start.
  /** @param {number} seq @param {any} lock */
  locked(seq, { t, seat, command, digest, seconds, order }) {
    this.place(seq, seat);
    need(this.ofLocks && this.lock === null, "dice", seq, "lock", "of one order at a time, of grade A2 or A3", command);
    equal("dice", seq, "first batch of the locked order", this.next, t);
    need(!this.opened, "dice", seq, "lock", "before links of its dice are known", "after");
    need(seconds > 0, "dice", seq, "seconds for links", "some", seconds);
    this.lock = { command, digest, seconds, first: t, wanted: t, since: Date.parse(this.events[seq - 1].at), given: 0 };
    const ends = ["decklog.epoch-started", "decklog.batch-voided"];
    const next = this.events.slice(seq).find(({ cause, type }) => cause.id || ends.includes(type));
    if (next?.cause.id) alike("order", next.seq, "order that was locked", [command, digest], [next.cause.id, next.cause.digest]);
    const given = this.orders.find(({ id }) => id === command);
    if (given && order && next?.cause.id) equal("order", seq, "locked order", canonical(given.command), order);
  }

  // A batch is discarded before its dice could fall; its link is the service's, opened.
  /** @param {number} seq @param {{t: number, domain: string, link: string}} batch */
  async voided(seq, { t, domain, link }) {
    equal("dice", seq, "batch that is voided", this.lock?.wanted ?? 0, t);
    equal("dice", seq, "batch that is voided", this.next, t);
    need(this.known.has(domain), "dice", seq, "domain", this.domains.join(", "), domain);
    if (link || domain === "pub" || this.viewer === "truth" || domain === `side:${this.viewer}`) await this.served(seq, domain, link, t - this.base);
    this.lock = null;
    this.next += 1;
  }

  // The links of a batch are closed: after a lock for all, else only of those who give theirs ahead.
  /** @param {number} seq @param {any} data */
  close(seq, data) {
    if (this.events[seq - 1].cause.id) { this.closed = { seq, data }; return; }
    const missing = this.seats.filter((seat, place) => this.links[place] !== null && (this.upto.get(seat) ?? 0) < data.t);
    need(this.lock !== null, "dice", seq, "links closed", "of an order that is locked", "none is");
    equal("dice", seq, "batch whose links are closed", this.lock.wanted, data.t);
    alike("dice", seq, "seats that are absent", missing, data.absent);
    need(missing.length === 0 || !this.stand, "time", seq, "clocks", "running where a seat is absent", "stopped");
    need(missing.length === 0 || this.lock.seconds >= LINK_SECONDS, "time", seq, "seconds for links", `${LINK_SECONDS} or more, where a seat is absent`, this.lock.seconds);
    if (data.unlogged !== undefined) need(data.unlogged === true && missing.length > 0 && this.lock.given === 0, "dice", seq, "the lock was not in the public log", "no link", this.lock.given);
    const { at } = this.events[seq - 1], waited = (Date.parse(at) - this.lock.since) / 1000;
    need(missing.length === 0 || waited >= this.lock.seconds, "time", seq, "links closed", `${this.lock.seconds} seconds later`, at);
    need(!this.lock.round, "dice", seq, "links closed", "once for each batch", "again");
    equal("dice", seq, "whether it waits for a round of the beacon", this.ofBeacon, data.round !== undefined);
    if (this.ofBeacon) need(data.round > 0 && comes(data.round) > Math.max(Date.parse(at), this.lock.since), "time", seq, `round ${data.round} named`, "before it came", at);
    Object.assign(this.lock, { since: Date.parse(at), wanted: this.lock.wanted + (this.ofBeacon ? 0 : 1), round: data.round ?? 0 });
    if (data.unlogged === undefined) for (const seat of missing) this.missed.set(seat, (this.missed.get(seat) ?? 0) + 1);
    this.lost = missing.filter((seat) => this.missed.get(seat) === this.created.forfeit);
  }

  // Who was absent once too often has lost, right then, and nobody else.
  /** @param {number} seq @param {any} data */
  forfeited(seq, data) {
    need(this.lost.length > 0, "dice", seq, "forfeit", "after the last absence allowed", "before");
    const winners = this.seats.filter((seat) => !this.lost.includes(seat));
    alike("dice", seq, "forfeit", { seats: this.lost, absences: this.created.forfeit, result: { winners, reason: "absent", rule: "" } }, data);
    this.lost = [];
  }

  // The round of the beacon that was named; its signature is checked by the judge alone.
  /** @param {number} seq @param {{t: number, round: number, signature: string}} beacon */
  seen(seq, { t, round, signature }) {
    need(this.lock?.round, "dice", seq, "beacon", "after links that wait for it are closed", "one");
    equal("dice", seq, "batch of the beacon", this.lock.wanted, t);
    equal("dice", seq, "round of the beacon", this.lock.round, round);
    hexed(seq, `signature of round ${round}`, signature, 48);
    const at = Date.parse(this.events[seq - 1].at);
    need(at >= comes(round), "time", seq, `round ${round}`, "when it has come", this.events[seq - 1].at);
    this.beacons.set(t, { round, signature });
    Object.assign(this.lock, { since: at, wanted: this.lock.wanted + 1, round: 0, given: 0 });
  }

  // The clocks stand, or go on: while they stood it was nobody's time.
  /** @param {number} seq @param {string} type */
  clocks(seq, type) {
    const at = Date.parse(this.events[seq - 1].at);
    this.stand = type === "decklog.paused";
    if (this.stand) this.stopped = at;
    else if (this.lock !== null) this.lock.since += at - Math.max(this.stopped, this.lock.since);
  }

  // Whether a batch fell after its lock, with its links closed.
  /** @param {number} seq @param {number} t */
  fell(seq, t) {
    if (!this.ofLocks || (this.lock === null && this.links.every((known) => known === null))) return false;
    need(this.lock !== null, "dice", seq, `batch ${t}`, "of an order that was locked", "no lock");
    need(this.lock.first <= t && t < this.lock.wanted, "dice", seq, `links of batch ${t}`, "closed before it", "not closed");
    const { cause } = this.events[seq - 1];
    alike("dice", seq, "locked order", [this.lock.command, this.lock.digest], [cause.id, cause.digest]);
    return true;
  }

  // What a seat has given ahead is in the batch; where one has given no more, that is on record.
  /** @param {number} seq @param {{t: number, playerLinks: string[]}} batch */
  absences(seq, { t, playerLinks }) {
    const absent = this.seats.filter((seat, place) => this.upto.has(seat) && !playerLinks[place]);
    for (const seat of absent) need((this.upto.get(seat) ?? 0) < t, "dice", seq, `link of ${seat}`, `given up to batch ${this.upto.get(seat)}`, "none");
    // The batch has the links that were given for it, and, but for grade A2, that of whoever rolls it.
    const { id } = this.events[seq - 1].cause, rolls = this.ofLocks ? new Set() : this.rolls.get(id);
    for (const [place, seat] of this.seats.entries()) need(!playerLinks[place] || (this.upto.get(seat) ?? 0) >= t || rolls?.has(seat), "dice", seq, `link of ${seat}`, `none: ${seat} has not given it`, playerLinks[place]);
    const found = this.closed?.seq === seq - 1 ? this.closed.data : null;
    this.closed = null;
    alike("dice", seq, "seats that are absent, on record before it", absent.length && !this.ofLocks ? { t, absent } : null, found);
  }

  // An order names the absent right before a batch that they are absent from.
  inVain() {
    if (this.closed) alike("dice", this.closed.seq, "seats that are absent, on record before it", null, this.closed.data);
  }

  /** @param {number} seq @param {any} record */
  async batch(seq, record) {
    equal("dice", seq, "number t of the batch", this.next, record.t);
    const { id } = this.events[seq - 1].cause;
    if (id !== this.command || this.next === 1) {
      need(this.lasts(), "dice", seq, "chains", "renewed before another command", "spent");
      this.command = id;
    }
    const number = record.t - this.base;
    need(number <= this.created.params.length, "dice", seq, "number t of the batch", "a link of the chain", record.t);
    need(this.known.has(record.domain), "dice", seq, "domain", this.domains.join(", "), record.domain);
    need(record.rolls.length > 0, "dice", seq, "rolls", "at least one", "none");
    const locked = this.fell(seq, record.t);
    equal("dice", seq, "player links", this.seats.length, record.playerLinks.length);
    for (const [place, link] of record.playerLinks.entries()) if (link) await this.linked(seq, place, link, number);
    this.absences(seq, record);
    this.next += 1;
    const grade = record.playerLinks.some(Boolean) ? locked ? this.created.grade : "A1" : "A0";
    this.grade = this.grade && this.grade < grade ? this.grade : grade;
    if (record.domain !== "pub" && !record.link) this.hidden(seq, record);
    else await this.rolled(seq, record, number, locked);
  }

  /** @param {number} seq @param {{domain: string}} batch */
  hidden(seq, { domain }) {
    const own = this.viewer === "truth" || domain === `side:${this.viewer}`;
    need(!own, "dice", seq, "server link", `opened for ${this.viewer}`, "sealed");
    this.sealed += 1;
  }

  /** @param {number} seq @param {number} place @param {string} text @param {number} number */
  async linked(seq, place, text, number, what = `link of ${this.seats[place]}`) {
    const known = this.links[place];
    hexed(seq, "player link", text);
    need(known !== null, "dice", seq, what, "a tip", "none");
    if (number < known.number) {
      const own = await down(this.now, player(place), "", known.link, known.number, number);
      equal("dice", seq, what, hex(own), text);
      return;
    }
    need(number >= Math.max(known.number, 1), "dice", seq, what, "a later link", number);
    const reached = await down(this.now, player(place), "", unhex(text), number, known.number);
    equal("dice", seq, what, hex(known.link), hex(reached));
    this.links[place] = { ...known, number, link: unhex(text) };
  }

  // The service's link, which must lead down to the newest one of its domain that is known.
  /** @param {number} seq @param {string} domain @param {string} text @param {number} number */
  async served(seq, domain, text, number) {
    const known = /** @type {Known} */ (this.known.get(domain)), link = unhex(hexed(seq, "server link", text));
    const reached = await down(this.now, SERVER, domain, link, number, known.number);
    equal("dice", seq, `link ${known.number} of the server, from link ${number}`, hex(known.link), hex(reached));
    this.known.set(domain, { number, link });
    return link;
  }

  /** @param {number} seq @param {any} record @param {number} number @param {any} locked */
  async rolled(seq, record, number, locked) {
    const link = await this.served(seq, record.domain, record.link, number);
    const key = await batchKey({ g: this.now, domain: record.domain, t: record.t, link, playerLinks: record.playerLinks, beacon: locked ? this.beacons.get(record.t) ?? null : null });
    const labels = new Set();
    for (const { label, pools, faces } of record.rolls) {
      const what = `roll ${label}`;
      need(isAscii(label) && label.length >= 1 && label.length <= MOST_LABEL && !labels.has(label), "dice", seq, what, "a label of its own", label);
      labels.add(label);
      possible(seq, what, pools);
      const found = await roll(key, label, pools);
      need(found !== null, "dice", seq, what, "dice that one roll may have", canonical(pools));
      alike("dice", seq, `faces of ${label}`, found.faces, faces);
      this.faces += faces.flat().length;
    }
    this.batches += 1;
  }

  // The opened master makes the very chains whose tips were committed to.
  /** @param {any} master */
  async master(master) {
    for (const [g, tips] of this.epochs) {
      for (const [domain, tip] of Object.entries(tips)) {
        const seed = await serverSeed(unhex(master), g, domain);
        const made = await down(g, SERVER, domain, seed, this.created.params.length, 0);
        equal("secrets", this.events.length, `tip of ${domain} from the master`, hex(made), tip);
      }
    }
  }
}

const comes = (/** @type {number} */ round) => GENESIS + (round - 1) * PERIOD;

/** @param {number} seq @param {string} what @param {{count: number, sides: number}[]} pools */
function possible(seq, what, pools) {
  const large = pools.some(({ count, sides }) => sides > 256 && count);
  const dice = pools.reduce((sum, { count }) => sum + count, 0);
  const fits = pools.every(({ count, sides }) => count >= 0 && sides >= 2 && sides <= MOST_SIDES);
  need(fits && dice <= (large ? MOST_LARGE : MOST_DICE), "dice", seq, what, "dice that one roll may have", canonical(pools));
}

// The set-up and the rules against the digests that G is bound to.
/** @param {any} manifest @param {any} created @param {Map<string, Uint8Array>} files @param {{read: any, RULES: import("./forms.js").Shape}} tools */
export async function bound(manifest, created, files, { read, RULES }) {
  const { params: given, setup, rules } = created, viewers = [...setup.seats, "public", "truth"];
  need(viewers.includes(manifest.viewer), "setup", 0, "viewer", viewers.join(", "), manifest.viewer);
  hexed(0, "game id", manifest.game, 16);
  equal("setup", 1, "dice bound to the game's own id", !created.seedNamed, given.game === manifest.game);
  const scenario = hex(await th("nwe1/scenario", new TextEncoder().encode(canonical(setup))));
  equal("setup", 1, "digest of the set-up", scenario, given.scenario);
  equal("setup", 1, "digest of the rules", rules.digest, given.rules);
  equal("setup", 1, "number of seats", setup.seats.length, given.seats);
  need((created.waiting ?? []).every((/** @type {string} */ seat) => setup.seats.includes(seat)), "setup", 1, "seats that wait", setup.seats.join(", "), canonical(created.waiting ?? []));
  const bots = Object.keys(created.bots ?? {}), filled = setup.seats.filter((/** @type {string} */ seat) => !(created.waiting ?? []).includes(seat));
  need(bots.every((seat) => filled.includes(seat)), "setup", 1, "seats that a bot plays", filled.join(", "), canonical(bots));
  equal("setup", 1, "dice tips, one for each seat", given.seats, created.seatTips.length);
  equal("setup", 1, "ruleset", setup.ruleset, rules.ruleset);
  alike("setup", 0, "rules in the manifest", rules, manifest.rules);
  const written = new TextDecoder("utf-8", { ignoreBOM: true }).decode(files.get("rules/setup.json"));
  equal("setup", 0, "rules/setup.json", canonical(setup), written);
  const { files: listed = [], engine } = read(files, "rules/files.json", RULES);
  if (rules.form === "engine") {
    equal("setup", 0, "files of rules that are an archive", 0, listed.length);
    if (engine !== undefined) equal("setup", 0, "archive of the rules", rules.digest, engine);
    return;
  }
  equal("setup", 0, "archive of rules that are files", undefined, engine);
  for (const { name, sha256 } of listed) hexed(0, `SHA-256 of ${name}`, sha256);
  const fields = listed.flatMap((/** @type {{name: string, sha256: string}} */ { name, sha256 }) => [new TextEncoder().encode(name), unhex(sha256)]);
  if (listed.length) equal("setup", 0, "digest over the files of the rules", rules.digest, hex(await th("nwe1/rules", ...fields)));
}
