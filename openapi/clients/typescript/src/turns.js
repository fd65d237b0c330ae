// Seats of one game, played by one program. Whose turn it is comes from answers and streams: nothing is polled.

import { Problem } from "./wire.js";

/** @import { Client } from "./client.js" */
/** @import { SeatKey } from "./keys.js" */
/** @import * as t from "./types.js" */

// Codes of a command that came when the game had gone on without it.
const PLAYED_ON = ["game.over", "version.stale"];

export class Table {
  /** @type {any} */ #standing = null;

  /** @param {Client} client @param {string} game @param {Record<string, string>} tokens @param {Record<string, SeatKey>} [keys] */
  constructor(client, game, tokens, keys = {}) {
    this.client = client;
    this.game = game;
    this.keys = keys;
    /** @type {Record<string, Client>} */
    this.seats = Object.fromEntries(Object.entries(tokens).map(([seat, token]) => [seat, client.holding(token)]));
  }

  summary() {
    return this.client.game(this.game);
  }

  /** How the game stands, as it was told; null: it is to be asked. @param {any} told */
  take(told) {
    this.#standing = told?.standing ?? told;
  }

  /** One of the seats here that is asked; undefined: none. @returns {string | undefined} */
  get #asked() {
    return this.#standing.toMove.find((/** @type {any} */ each) => each.seat in this.seats)?.seat;
  }

  /** Each question that a seat here is asked, until the game is over. @returns {AsyncGenerator<Turn>} */
  async *turns() {
    for (;;) {
      if (!this.#standing) this.take(await this.summary());
      if (this.#standing.status === "finished") return;
      const seat = this.#asked, told = this.#standing;
      if (!seat) { await this.#wait(); continue; }
      yield new Turn(this, seat, told);
      if (this.#standing === told) this.take(null);
    }
  }

  // Until a seat here is asked, or the game is over.
  async #wait() {
    const reader = Object.values(this.seats)[0] ?? this.client;
    for await (const { kind, data } of reader.follow(this.game, { after: this.#standing.version, moments: true })) {
      if (kind !== "moment") continue;
      this.take(data);
      if (this.#asked || data.status === "finished") return;
    }
    this.take(null);
  }
}

/** A question to a seat, at a version. Its list is read when it is first asked for. */
export class Turn {
  /** @type {t.CommandList | null} */ #listed = null;

  /** @param {Table} table @param {string} seat @param {{ version: number, toMove: t.Pending[] }} told */
  constructor(table, seat, told) {
    this.table = table;
    this.seat = seat;
    this.version = told.version;
    this.question = told.toMove.find((each) => each.seat === seat);
  }

  /** The list of its version, with odds and templates. @returns {Promise<t.CommandList>} */
  async listed() {
    this.#listed ??= await this.table.seats[this.seat].commands(this.table.game, this.version);
    return this.#listed;
  }

  /** The commands to choose from, ready to be given. @returns {Promise<t.ReadyCommand[]>} */
  async items() {
    const { items, concessions } = await this.listed();
    return items.length ? items : (concessions ?? []);
  }

  /** Give a command, signed where its seat has a key; null where the game has gone on without it: a next turn will say. @param {unknown} command */
  async give(command) {
    const { seat } = this, { game, seats, keys } = this.table;
    /** @type {t.CommandDone | null} */ let done = null;
    try {
      done = await (keys[seat] ? seats[seat].giveSigned(game, command, this.version, { seat, key: keys[seat] }) : seats[seat].give(game, command, this.version));
    } catch (error) {
      if (!(error instanceof Problem) || !PLAYED_ON.includes(error.code)) throw error;
    }
    this.table.take(done);
    return done;
  }
}
