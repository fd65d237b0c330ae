// The agent of this browser's seats: each has a secret of its own, and it is in every die (NWD-1, 2.2).
// Of grade A1 links are given ahead; of grades A2 and A3 each when the order that needs it is locked.

import { get, held, keep, post } from "./api.js";
import { Chain, giving } from "./dice.js";
import { hex, unhex } from "./nwd1.js";

/** @typedef {import("./types.js").GameSummary} GameSummary */
/** @typedef {import("./wire.js").Problem} Problem */

const TIRED = 20, PAUSE = 500;
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
  return { diceTip: (await Chain.of(unhex(secret), game, seat)).tip };
}

/** @param {GameSummary} summary */
const named = ({ params, chainParams: own, renewals }) => own ?? `${params} ${renewals}`;

export class Agent {
  at = /** @type {Promise<void> | null} */ (null);
  given = "";

  /** @param {string} game @param {string} seat @param {string} token @param {string} secret */
  constructor(game, seat, token, secret) {
    this.game = game;
    this.seat = seat;
    this.token = token;
    this.secret = unhex(secret);
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
      const given = await giving(summary, this.seat, this.secret), what = `${named(summary)} ${given?.tip ?? given?.upto}`;
      if (!given || what === this.given) return;
      try {
        await post(`/v1/games/${this.game}/links`, given, { token: this.token });
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
