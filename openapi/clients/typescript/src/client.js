// The client: one caller of a service, with an address, and a token or none.

import { giving } from "./dice.js";
import { Heads } from "./heads.js";
import { FIELD } from "./keys.js";
import { contradict, goesOn, hashIn, places, read, tileOf } from "./log.js";
import { patched } from "./patch.js";
import { Reader } from "./stream.js";
import { Table } from "./turns.js";
import { asked, FIRST, freshKey, MOST, patiently, pause, Problem, problem, SILENCE, soon } from "./wire.js";

/** @import * as t from "./types.js" */
/** @import { SeatKey } from "./keys.js" */
/** @import { News } from "./stream.js" */

// Times that a list is begun anew while the game moves on.
const TRIES = 20;

/**
 * @typedef {object} How
 * @property {string} [token]
 * @property {Heads} [heads] what was told of each game's chain
 * @property {number} [patience] milliseconds of pauses after which it gives up
 * @property {typeof fetch} [fetch]
 * @property {(milliseconds: number) => Promise<void>} [pause]
 * @property {boolean} [logged] false: the service's public log is not looked at
 */

/** Throws Problem for a refusal, OtherRecord for another record than before, OtherLog for another public log, TypeError when nobody answers. */
export class Client {
  /** @type {Set<string>} */ #confirmed = new Set();

  /** @param {string} url "" in a page of the service @param {How} [how] */
  constructor(url, how = {}) {
    this.url = url.replace(/\/$/, "");
    this.token = how.token ?? "";
    this.patience = how.patience ?? 60_000;
    this.heads = how.heads ?? new Heads({ service: this.url });
    this.fetch = how.fetch ?? globalThis.fetch.bind(globalThis);
    this.pause = how.pause ?? pause;
    this.logged = how.logged ?? true;
  }

  /** The same service, with another token. @param {string} token */
  holding(token) {
    return new Client(this.url, { token, heads: this.heads, patience: this.patience, fetch: this.fetch, pause: this.pause, logged: this.logged });
  }

  /**
   * The answer, if it is a good one.
   * @param {string} path
   * @param {{ method?: string, query?: Record<string, unknown>, headers?: Record<string, string>, body?: unknown }} [request]
   */
  async send(path, { method = "GET", query = {}, headers = {}, body } = {}) {
    /** @type {Record<string, string>} */ const fields = { Accept: "application/json", ...headers };
    if (this.token) fields.Authorization = `Bearer ${this.token}`;
    if (method !== "GET") fields["Idempotency-Key"] = freshKey();
    if (body !== undefined) fields["Content-Type"] = "application/json";
    const text = body === undefined ? undefined : JSON.stringify(body);
    const address = this.#address(path, query);
    const ask = async () => {
      const signal = AbortSignal.timeout(SILENCE);
      const answer = await this.fetch(address, { method, headers: fields, body: text, signal });
      const whole = await answer.arrayBuffer(); // a line that breaks within the body is no answer
      const empty = answer.status === 204 || answer.status === 304;
      return new Response(empty ? null : whole, { status: answer.status, headers: answer.headers });
    };
    const answer = await patiently(ask, this.patience, this.pause);
    this.heads.heard(path, answer.headers);
    if (answer.status >= 400) throw await problem(answer);
    return answer;
  }

  /** @param {string} path @param {Record<string, unknown>} query */
  #address(path, query) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]);
    const asked = new URLSearchParams(given).toString();
    return `${this.url}${path}${asked && (path.includes("?") ? "&" : "?")}${asked}`;
  }

  // --- to read ---

  /** Any operation that reads. @param {string} path @param {Record<string, unknown>} [query] @returns {Promise<any>} */
  async get(path, query) {
    return (await this.send(path, { query })).json();
  }

  /** All pages of a list. @param {string} path @param {Record<string, unknown>} [query] @returns {Promise<any[]>} */
  async items(path, query) {
    return (await this.#whole(path, query)).items;
  }

  /** @param {string} path @param {Record<string, unknown>} [query] */
  async #whole(path, query) {
    const page = await this.get(path, query);
    for (let next = page.next; next !== null && next !== undefined;) {
      const more = await this.get(path, { ...query, cursor: next });
      page.items.push(...more.items);
      next = more.next;
    }
    return { ...page, next: null };
  }

  /** @param {string} game @returns {Promise<t.GameSummary>} */
  game(game) {
    return this.get(`/v1/games/${game}`);
  }

  /** @param {string} game @param {number} [at] @returns {Promise<t.View>} */
  view(game, at) {
    return this.get(`/v1/games/${game}/view`, { at });
  }

  /** The view at another version, patched by the difference. @param {string} game @param {t.View} view @param {number} version @returns {Promise<t.View>} */
  async moved(game, view, version) {
    const told = await this.get(`/v1/games/${game}/diff`, { from: view.version, to: version });
    return { .../** @type {any} */ (view), version, rules: told.rules, state: patched(/** @type {any} */ (view).state, told.changes) };
  }

  /** All that this seat may do now, or could at a version. @param {string} game @param {number} [at] @returns {Promise<t.CommandList>} */
  async commands(game, at) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#whole(`/v1/games/${game}/commands`, { at });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "cursor.stale" || tries === TRIES) throw error;
      }
    }
  }

  /** The events up to now. @param {string} game @param {number} [after] @returns {Promise<t.Event[]>} */
  events(game, after = 0) {
    return this.items(`/v1/games/${game}/events`, { after });
  }

  /** The evidence file, byte for byte. @param {string} game */
  async evidence(game) {
    return new Uint8Array(await (await this.send(`/v1/games/${game}/evidence`, { headers: { Accept: "*/*" } })).arrayBuffer());
  }

  // --- to write ---

  /** Any operation that writes: one effect, however often the line breaks. @param {string} path @param {unknown} body @param {Record<string, string>} [headers] @returns {Promise<any>} */
  async post(path, body, headers) {
    const answer = await this.send(path, { method: "POST", body, headers });
    return answer.status === 204 ? null : answer.json();
  }

  /** @param {string} path */
  async delete(path) {
    await this.send(path, { method: "DELETE" });
  }

  /** @param {t.NewGame} wish @returns {Promise<t.GameCreated>} */
  createGame(wish) {
    return this.post("/v1/games", wish);
  }

  /** @param {string} game @param {t.TakeSeat} wish @returns {Promise<t.SeatGiven>} */
  takeSeat(game, wish) {
    return this.post(`/v1/games/${game}/seats`, wish);
  }

  /** A command that was decided on at a version; Problem `version.stale` if that is over. @param {string} game @param {unknown} command @param {number} version @param {Record<string, string>} [headers] @returns {Promise<t.CommandDone>} */
  give(game, command, version, headers) {
    return this.post(`/v1/games/${game}/commands`, command, { "If-Match": `"${version}"`, ...headers });
  }

  /**
   * The same, signed by the key of a seat. Its own dice links may come in between: then it is another place of the game,
   * and signed once more.
   * @param {string} game
   * @param {unknown} command
   * @param {number} version
   * @param {{ seat: string, key: SeatKey }} by
   * @param {t.GameSummary} [known] as it was told last; asked for where none is given
   * @returns {Promise<t.CommandDone>}
   */
  async giveSigned(game, command, version, { seat, key }, known) {
    /** @type {unknown} */ let refused;
    for (let summary = known, before = ""; ; summary = undefined) {
      const signed = await key.sign(summary ?? await this.game(game), seat, command);
      if (refused && signed === before) throw refused;
      try {
        return await this.give(game, command, version, { [FIELD]: signed });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "signature.wrong") throw error;
        [refused, before] = [error, signed];
      }
    }
  }

  /** The dice links that are wanted of the seat now; null where none are. @param {string} game @param {string} seat @param {Uint8Array} secret */
  async giveLinks(game, seat, secret) {
    const body = await giving(await this.game(game), seat, secret);
    return body && this.post(`/v1/games/${game}/links`, body);
  }

  /**
   * The seat signs by another key from now on: the one that it has passes itself on, and is good for nothing more. Keep the
   * new one first; sit down with it by `table`. Of `to` the public half is enough.
   * @param {string} game @param {string} seat @param {SeatKey} key @param {{ registered: { public: string, keeper: import("./keys.js").Keeper } }} to
   * @returns {Promise<t.GameSummary>}
   */
  async passOn(game, seat, key, to) {
    return this.post(`/v1/games/${game}/keys`, { ...to.registered, signature: await key.passOn(game, seat, to) });
  }

  /** The game after the seat's last step is taken back; null where that cannot be. @param {string} game @returns {Promise<t.GameSummary | null>} */
  async takeBack(game) {
    const { takeback } = await this.game(game);
    if (!takeback) return null;
    try {
      return await this.post(`/v1/games/${game}/takebacks`, { command: takeback.command });
    } catch (error) {
      if (!(error instanceof Problem) || !["takeback.refused", "game.over"].includes(error.code)) throw error;
      return null;
    }
  }

  /** Ask whether the heads and receipts that are kept of a game are in its record still. @param {string} game */
  async confirm(game) {
    for (const kept of this.heads.kept(game)) {
      let items = [];
      try {
        ({ items } = await this.get(`/v1/games/${game}/events`, { after: kept.seq - 1, limit: 1 }));
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "version.unknown") throw error;
      }
      for (const event of items) this.heads.note(game, event);
      if (!items.length) this.heads.confirm(game, kept, null);
    }
  }

  /** Ask whether the service's public log goes on from the head that is kept of it. */
  async confirmLog() {
    const kept = this.heads.checkpoint(), told = await this.#file("checkpoint"); // in this order: another line may be told a newer one meanwhile
    const found = told && read(new TextDecoder().decode(told));
    if (kept && (!found || contradict(kept, found))) this.heads.broke(kept, found);
    if (kept && found && kept.size > 0 && kept.size < found.size) {
      /** @type {Map<string, Uint8Array>} */ const files = new Map(), hashes = new Map();
      for (const place of await places(kept.size, found.size)) {
        const { name, full } = tileOf(place, found.size);
        if (!files.has(name)) files.set(name, await this.#file(name) ?? await this.#file(full) ?? new Uint8Array());
        hashes.set(place.join("/"), await hashIn(place, /** @type {Uint8Array} */ (files.get(name))));
      }
      if (!await goesOn(kept, found, hashes)) this.heads.broke(kept, found);
    }
    if (found) this.heads.keepLog(found);
  }

  /** A file of the public log; null where it is not there. @param {string} name */
  async #file(name) {
    try {
      return new Uint8Array(await (await this.send(`/log/${name}`, { headers: { Accept: "*/*" } })).arrayBuffer());
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    }
  }

  // --- to follow and to play ---

  /**
   * What happens, as it does, to the game's last event; no cut loses or doubles an event.
   * @param {string} game
   * @param {{ after?: number, moments?: boolean, offers?: boolean, table?: boolean, signal?: AbortSignal }} [how]
   * @returns {AsyncGenerator<News>}
   */
  async *follow(game, { after = 0, moments = false, offers = false, table = false, signal } = {}) {
    const reader = new Reader(after);
    for (let again = false, waited = 0, least = FIRST; ; again = true) {
      if (again || !this.#confirmed.has(game)) {
        await this.confirm(game);
        if (this.logged) await this.confirmLog();
      }
      this.#confirmed.add(game);
      /** @type {Response | undefined} */ let answer;
      /** @type {unknown} */ let broken;
      const line = new Line(signal);
      try {
        answer = await this.#streaming(game, { moments, offers, table: table || undefined }, reader, line.signal);
        if (answer.status === 204) return;
        for await (const piece of answer.status === 200 && answer.body ? pieces(answer.body, line) : []) {
          for (const news of reader.feed(piece)) {
            [waited, least] = [0, FIRST];
            if (news.kind === "event") this.heads.note(game, news.data);
            yield news;
          }
        }
      } catch (error) {
        if (signal?.aborted || !line.broke(error)) throw error;
        broken = error;
      } finally {
        line.cut();
      }
      if (answer?.status === 200) waited = 0;
      const pausing = Math.max(least, answer ? asked(answer) : 0);
      const later = broken !== undefined || answer?.status === 200 || soon(answer?.status ?? 0);
      if (!later || waited + pausing > this.patience) throw broken ?? await problem(/** @type {Response} */ (answer));
      await this.pause(pausing);
      [waited, least] = [waited + pausing, Math.min(2 * least, MOST)];
    }
  }

  /** @param {string} game @param {Record<string, boolean | undefined>} query @param {Reader} reader @param {AbortSignal} signal */
  #streaming(game, query, reader, signal) {
    reader.anew();
    /** @type {Record<string, string>} */ const headers = { Accept: "text/event-stream", "Last-Event-ID": String(reader.after) };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    return this.fetch(this.#address(`/v1/games/${game}/events`, query), { headers, signal });
  }

  /** The view, and again whenever the game has moved, patched by the difference. @param {string} game @returns {AsyncGenerator<t.View>} */
  async *watch(game) {
    let view = await this.view(game), newest = view.version;
    yield view;
    for await (const { kind, data } of this.follow(game, { after: view.version, moments: true })) {
      if (kind === "event") newest = data.seq;
      if (kind !== "moment" || data.version <= view.version) continue;
      view = await this.moved(game, view, data.version);
      yield view;
    }
    // A line that broke after the last event has not told its moment, and nothing follows an end.
    if (newest > view.version) yield this.moved(game, view, newest);
  }

  /** Create a game, and sit down at all of its seats that one keeps. `keys`: by seat, what its orders are signed with. @param {any} wish @param {Record<string, SeatKey>} [keys] */
  async newTable(wish, keys = {}) {
    const seats = new Map((wish.seats ?? []).map((/** @type {any} */ each) => [each.seat, each]));
    for (const [seat, key] of Object.entries(keys)) seats.set(seat, { seat, ...seats.get(seat), orderKey: key.registered });
    const made = await this.createGame(seats.size ? { ...wish, seats: [...seats.values()] } : wish);
    return this.table(made.game.id, Object.fromEntries(made.tokens.map((each) => [each.seat, each.token])), keys);
  }

  /** Take a seat, and sit down at it; its orders are signed with the key. @param {string} game @param {t.TakeSeat} wish @param {SeatKey} [key] */
  async sitDown(game, wish, key) {
    const { seat, token } = await this.takeSeat(game, key ? { ...wish, orderKey: key.registered } : wish);
    return this.table(game, { [seat]: token }, key ? { [seat]: key } : {});
  }

  /** Sit down at seats of a game by their tokens; those with a key sign their orders. @param {string} game @param {Record<string, string>} tokens @param {Record<string, SeatKey>} [keys] */
  table(game, tokens, keys = {}) {
    return new Table(this, game, tokens, keys);
  }
}

/** One line to the service: cut where it is silent too long, or the reader has left. */
class Line {
  #cutting = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #silence;

  /** @param {AbortSignal} [left] */
  constructor(left) {
    this.signal = left ? AbortSignal.any([left, this.#cutting.signal]) : this.#cutting.signal;
    this.heard();
  }

  heard() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#cutting.abort(), SILENCE);
  }

  cut() {
    clearTimeout(this.#silence);
    this.#cutting.abort();
  }

  /** Whether the line is what failed. @param {unknown} error */
  broke(error) {
    return this.#cutting.signal.aborted || error instanceof TypeError;
  }
}

/** @param {ReadableStream<Uint8Array>} body @param {Line} line */
async function* pieces(body, line) {
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      line.heard();
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}
