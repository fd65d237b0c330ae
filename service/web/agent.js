// The agent of this browser's seats: each has a secret of its own, and it is in every die (NWD-1, 2.2).
// Of grade A1 links are given ahead; of grades A2 and A3 each when the order that needs it is locked.

import { get, held, keep, post } from "./api.js";
import { chainParams, down, hex, player, playerSeed, unhex } from "./nwd1.js";

/** @typedef {import("./types.js").GameSummary} GameSummary */
/** @typedef {import("./api.js").Problem} Problem */

const AHEAD = 64, TIRED = 20, PAUSE = 500;
const LOCKED = ["A2", "A3"];
const NOT_NOW = ["dice.link-unexpected", "game.over", "game.frozen"];

// Whether this browser can have secrets of its own: over plain HTTP from another machine it cannot.
export const able = () => Boolean(globalThis.crypto?.subtle);

// A secret for a seat that is taken, kept before anybody hears of its tip; or none.
/** @param {{id: string, grade: string} & GameSummary} game @param {string} seat @returns {Promise<{diceTip?: string}>} */
export async function tipFor(game, seat) {
  if (!able() || game.grade === "none" || game.grade === "A0") return {};
  const known = held()[game.id]?.secrets?.[seat];
  const secret = known ?? hex(crypto.getRandomValues(new Uint8Array(32)));
  keep(game.id, { secrets: { ...held()[game.id]?.secrets, [seat]: secret } });
  return { diceTip: hex(await new Chain(game, seat, secret).link(0)) };
}

/** @param {GameSummary} summary @param {string} seat */
export const placeOf = (summary, seat) => summary.seats.findIndex((each) => each.seat === seat);

// A seat's chain in one epoch. Every link is hashed down from its far end once, and kept.
export class Chain {
  /** @param {GameSummary} summary @param {string} seat @param {string} secret */
  constructor(summary, seat, secret) {
    this.place = placeOf(summary, seat);
    this.secret = secret;
    this.length = summary.chainLength;
    this.links = /** @type {Promise<Uint8Array[]> | null} */ (null);
    this.of = named(summary);
    this.params = chainParams(summary);
  }

  /** @param {number} number */
  async link(number) {
    this.links ??= this.made();
    return (await this.links)[number];
  }

  async made() {
    const g = await this.params, links = new Array(this.length + 1);
    links[this.length] = await playerSeed(unhex(this.secret), g, this.place);
    for (let number = this.length; number > 0; number -= 1) links[number - 1] = await down(g, player(this.place), "", links[number], number, number - 1);
    return links;
  }
}

/** @param {GameSummary} summary */
const named = ({ params, chainParams: own, renewals }) => own ?? `${params} ${renewals}`;

export class Agent {
  chain = /** @type {Chain | null} */ (null);
  at = /** @type {Promise<void> | null} */ (null);
  given = "";

  /** @param {string} game @param {string} seat @param {string} token @param {string} secret */
  constructor(game, seat, token, secret) {
    this.game = game;
    this.seat = seat;
    this.token = token;
    this.secret = secret;
  }

  // Give what is wanted now. One after the other: a link is asked for once.
  /** @param {GameSummary} summary */
  look(summary) {
    this.at = (this.at ?? Promise.resolve()).then(() => this.once(summary)).catch(() => {});
    return this.at;
  }

  /** @param {GameSummary} summary */
  async once(summary) {
    for (let times = 0; times < TIRED; times += 1) {
      const giving = await this.giving(summary), what = `${named(summary)} ${giving?.tip ?? giving?.upto}`;
      if (!giving || what === this.given) return;
      try {
        await post(`/v1/games/${this.game}/links`, giving, { token: this.token });
        this.given = what;
        return;
      } catch (error) {
        const { code } = /** @type {Problem} */ (error);
        if (NOT_NOW.includes(code)) return;
        if (code !== "dice.awaited") throw error;
      }
      await new Promise((later) => setTimeout(later, PAUSE));
      summary = await get(`/v1/games/${this.game}`, { token: this.token });
    }
  }

  /** @param {GameSummary} summary @returns {Promise<{tip?: string, upto?: number, link?: string} | null>} */
  async giving(summary) {
    const own = summary.seats[placeOf(summary, this.seat)];
    if (summary.renewals && !own.diceTip && !summary.locked) return { tip: hex(await this.of(summary).link(0)) };
    const upto = wanted(summary, this.seat);
    return upto ? { upto, link: hex(await this.of(summary).link(upto - summary.firstBatch + 1)) } : null;
  }

  /** @param {GameSummary} summary @returns {Chain} */
  of(summary) {
    if (this.chain?.of !== named(summary)) this.chain = new Chain(summary, this.seat, this.secret);
    return this.chain;
  }
}

// The batch for which the seat should give its link now; 0: none.
/** @param {GameSummary} summary @param {string} seat */
export function wanted(summary, seat) {
  const own = summary.seats[placeOf(summary, seat)];
  if (!own.diceTip || summary.status !== "playing") return 0;
  if (LOCKED.includes(summary.grade)) return summary.locked?.missing.includes(seat) ? summary.locked.batch : 0;
  const spent = summary.nextBatch - 1;
  if (own.linksUpto - spent > AHEAD / 2) return 0;
  const most = Math.min(spent + AHEAD, summary.firstBatch - 1 + summary.chainLength);
  return most > own.linksUpto ? most : 0;
}

// The agents of all seats of a game that this browser plays.
/** @param {string} game @param {{seats: Record<string, string>, secrets?: Record<string, string>}} kept */
export function agentsOf(game, { seats, secrets = {} }) {
  return Object.keys(seats).filter((seat) => secrets[seat]).map((seat) => new Agent(game, seat, seats[seat], secrets[seat]));
}

// The grade that dice have now: of the seats that people hold, whose secrets are in them.
/** @param {GameSummary} summary */
export function graded(summary) {
  if (summary.grade === "none") return ["none", "The seed of the dice was named."];
  const people = summary.seats.filter((seat) => !seat.bot), own = people.filter((seat) => seat.diceTip).map((seat) => seat.seat);
  if (!own.length || summary.grade === "A0") return ["A0", "The dice are of the service's secret alone: it knows each beforehand, and can change none."];
  const beacon = summary.grade === "A3" ? " and a public beacon" : "";
  const also = own.length < people.length ? `; ${people.filter((seat) => !seat.diceTip).map((seat) => seat.seat).join(", ")} has none` : "";
  const when = LOCKED.includes(summary.grade) ? "given once the order is locked" : "given ahead";
  return [summary.grade, `Secrets of ${own.join(", ")}${beacon} are in each die, ${when}${also}.`];
}

// What a locked order waits for, in a sentence; "" where none does.
/** @param {GameSummary} summary */
export function awaited({ locked, beaconRound }) {
  if (!locked) return "";
  if (beaconRound) return `The order of ${locked.seat} is locked: its dice wait for round ${beaconRound} of the public beacon.`;
  return `The order of ${locked.seat} is locked: its dice wait for ${locked.missing.join(", ")}.`;
}
