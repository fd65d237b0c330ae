// Steps 1 to 5 of the verifier in the browser: container, chain, seals and orders, dice, master.
// The rules are re-run by `decklog verify`, which has them.

import { Unreadable, canonical, lines, text, unpack } from "./bundle.js";
import { SERVER, ascii, batchKey, commitment, down, epochParams, hex, params, player, renewedParams, roll, serverSeed, th, unhex } from "./nwd1.js";

const GENESIS = "0".repeat(64);

export class Refuted extends Error {
  constructor(check, seq, what, expected, found) {
    super(`${what}: expected ${expected}, found ${found}`);
    Object.assign(this, { check, seq });
  }
}

function equal(check, seq, what, expected, found) {
  if (expected !== found) throw new Refuted(check, seq, what, expected, found);
}

// Calls `passed(check, text)` after each step. Throws Unreadable or Refuted.
export async function verify(bytes, passed = () => {}) {
  const { manifest, files } = await unpack(bytes);
  passed("container", `${files.size} files, whole and in their one form`);
  const events = await chain(manifest, lines(files, "events.jsonl"));
  passed("chain", `${events.length} events, each hashed and linked to the one before`);
  const openings = lines(files, "openings.jsonl").map(JSON.parse);
  const data = await seals(events, openings);
  passed("seals", `${openings.length} openings are what was sealed`);
  const orders = lines(files, "commands.jsonl").map(JSON.parse);
  await ordered(events, orders);
  passed("orders", `${orders.length} orders have their digests`);
  const dice = new Dice(events, data, manifest.viewer);
  await dice.check();
  passed("dice", `${dice.faces} faces in ${dice.batches} batches, each rolled again`);
  const closed = ending(events)?.data ?? null;
  const master = events.at(-1).data.master;
  equal("secrets", events.length, "scope in the manifest", master ? "complete" : "partial", manifest.scope);
  if (master) {
    const secrets = JSON.parse(text(files, "secrets.json"));
    equal("secrets", events.length, "master", master, secrets.master);
    await dice.master(master);
    passed("secrets", "the master makes the chains that were committed to");
  }
  return { manifest, events: events.length, result: closed?.result ?? null, abandoned: Boolean(closed && !closed.result), grade: events[0].data.seedNamed ? "none" : dice.grade, sealed: dice.sealed, seedNamed: events[0].data.seedNamed };
}

// How the game ended: the last event, or the one before it where that opens the master. In the first
// form of its end the master stood there.
function ending(events) {
  const last = events.at(-1);
  const end = last.type === "decklog.master-opened" ? events.at(-2) : last;
  const ends = ["decklog.game-closed", "decklog.game-abandoned"].includes(end?.type);
  equal("record", events.length, "place of the opened master", last !== end || (ends && end.schema === 1), "master" in last.data);
  if (last !== end) equal("record", events.length, "what stands before the opened master", true, ends && end.schema > 1);
  return ends ? end : null;
}

async function chain(manifest, texts) {
  let prev = GENESIS;
  const events = [];
  for (const [number, line] of texts.entries()) {
    const seq = number + 1;
    let event;
    try { event = JSON.parse(line); } catch { throw new Refuted("chain", seq, "form", "a canonical event", "no JSON"); }
    equal("chain", seq, "form", canonical(event), line);
    equal("chain", seq, "seq", seq, event.seq);
    equal("chain", seq, "game", manifest.game, event.game);
    equal("chain", seq, "prev", prev, event.prev);
    prev = hex(await th("nwe1/event", ascii(line)));
    events.push(event);
  }
  equal("chain", events.length, "number of events", manifest.head.seq, events.length);
  equal("chain", events.length, "hash of the last event", manifest.head.hash, prev);
  equal("record", 1, "type", "decklog.game-created", events[0]?.type);
  return events;
}

// Gives the fullest opened data of sealed events, by their number.
async function seals(events, openings) {
  const opened = new Map();
  for (const { seq, viewer, salt, payload } of openings) {
    const sealed = events[seq - 1]?.sealed[viewer];
    const found = hex(await th("nwe1/sealed", unhex(salt), ascii(canonical(payload))));
    equal("seals", seq, `opening for ${viewer}`, sealed, found);
    if (payload !== null && viewer !== "state" && (viewer === "truth" || !opened.has(seq))) opened.set(seq, payload);
  }
  return opened;
}

async function ordered(events, orders) {
  for (const { id, salt, command, first, last } of orders) {
    const found = hex(await th("nwe1/command", unhex(salt), ascii(canonical(command))));
    for (let seq = first; seq <= last; seq += 1) {
      const cause = events[seq - 1]?.cause ?? {};
      equal("orders", seq, "order", id, cause.id);
      equal("orders", seq, `digest of order ${id}`, cause.digest, found);
    }
  }
}

class Dice {
  constructor(events, opened, viewer) {
    Object.assign(this, { events, opened, viewer, faces: 0, batches: 0, sealed: 0, next: 1, grade: "", epoch: 0, base: 0, epochs: [], nonces: new Set() });
    this.created = events[0].data;
    this.seats = this.created.setup.seats;
  }

  async check() {
    const { created } = this;
    this.g = await params(created.params);
    equal("dice", 1, "G", hex(this.g), created.params.g);
    this.root = this.now = this.g;
    await this.commit(1, created.tips, created.commitment, this.g);
    this.links = created.seatTips.map((tip) => tip ? { number: 0, link: unhex(tip) } : null);
    for (const event of this.events) {
      const data = this.opened.get(event.seq) ?? event.data;
      if (event.type === "decklog.seat-taken" || event.type === "decklog.tip-renewed") this.register(event.seq, data);
      if (event.type === "decklog.chain-renewed") await this.renew(event.seq, data);
      if (event.type === "decklog.epoch-started") await this.start(event.seq, data);
      if (event.type === "decklog.batch-rolled") await this.batch(event.seq, data);
    }
  }

  async commit(seq, tips, committed, g) {
    equal("dice", seq, "commitment C_S", hex(await commitment(g, tips)), committed);
    this.known = Object.fromEntries(Object.entries(tips).map(([domain, tip]) => [domain, { number: 0, link: unhex(tip) }]));
    this.epochs.push([g, tips]);
  }

  register(seq, { seat, tip }) {
    if (!tip) return;
    const place = this.seats.indexOf(seat);
    equal("dice", seq, `tip of ${seat}`, null, this.links[place]);
    this.links[place] = { number: 0, link: unhex(tip) };
  }

  async renew(seq, record) {
    await this.begin(seq, record, await renewedParams(this.root, this.epoch + 1));
  }

  async start(seq, record) {
    if (!/^[0-9a-f]{64}$/.test(record.nonce) || this.nonces.has(record.nonce)) {
      throw new Refuted("dice", seq, "nonce", "a new one, 32 bytes in hex", record.nonce);
    }
    this.nonces.add(record.nonce);
    this.root = await epochParams(this.g, this.epoch + 1, record.nonce);
    await this.begin(seq, record, this.root);
  }

  async begin(seq, record, params) {
    this.epoch += 1;
    this.now = params;
    this.base = this.next - 1;
    equal("dice", seq, "number of the renewal", this.epoch, record.epoch);
    equal("dice", seq, "first batch of the new chains", this.next, record.first);
    await this.commit(seq, record.tips, record.commitment, params);
    this.links = this.links.map(() => null);
  }

  async batch(seq, record) {
    equal("dice", seq, "number t of the batch", this.next, record.t);
    this.next += 1;
    const g = this.now, number = record.t - this.base;
    const shared = record.playerLinks.some(Boolean);
    for (const [place, link] of record.playerLinks.entries()) {
      if (!link) continue;
      const known = this.links[place];
      if (!known) throw new Refuted("dice", seq, `link of ${this.seats[place]}`, "a tip", "none");
      const reached = await down(g, player(place), "", unhex(link), number, known.number);
      equal("dice", seq, `link of ${this.seats[place]}`, hex(known.link), hex(reached));
      this.links[place] = { number, link: unhex(link) };
    }
    this.grade = !shared || this.grade === "A0" ? "A0" : "A1";
    if (!record.link) { this.sealed += 1; return; }
    const known = this.known[record.domain];
    if (!known) throw new Refuted("dice", seq, "domain", Object.keys(this.known).join(", "), record.domain);
    const link = unhex(record.link);
    equal("dice", seq, `link ${known.number} of the service`, hex(known.link), hex(await down(g, SERVER, record.domain, link, number, known.number)));
    this.known[record.domain] = { number, link };
    const key = await batchKey({ g, domain: record.domain, t: record.t, link, playerLinks: record.playerLinks });
    for (const each of record.rolls) {
      const { faces } = await roll(key, each.label, each.pools);
      equal("dice", seq, `faces of ${each.label}`, JSON.stringify(faces), JSON.stringify(each.faces));
      this.faces += faces.flat().length;
    }
    this.batches += 1;
  }

  async master(master) {
    for (const [g, tips] of this.epochs) {
      for (const [domain, tip] of Object.entries(tips)) {
        const { length } = this.created.params;
        const seed = await serverSeed(unhex(master), g, domain);
        equal("secrets", this.events.length, `tip of ${domain} from the master`, hex(await down(g, SERVER, domain, seed, length, 0)), tip);
      }
    }
  }
}

export { Unreadable };
