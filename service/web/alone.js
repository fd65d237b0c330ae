// A game against the easy bot of the house: the first seat is mine. It signs nothing, so that a step can be taken back.

import { get, keep, post } from "./api.js";

/** @param {string} ruleset @param {string} name what is said of it behind the title @param {object} [start] more of the request @param {object} [kept] more of what this browser keeps */
export async function alone(ruleset, name, start = {}, kept = {}) {
  const { title, seatCounts } = await get(`/v1/rulesets/${ruleset}`);
  const seats = Array.from({ length: seatCounts[0] }, (_, n) => (n ? { seat: `p${n + 1}`, hold: "bot", bot: { strength: "easy" } } : { seat: "p1", hold: "keep" }));
  const { game, tokens, organiser } = await post("/v1/games", { ...start, ruleset, name: `${title}: ${name}`, seats });
  keep(game.id, { ...kept, name: game.name, organiser, seats: Object.fromEntries(tokens.map((/** @type {{seat: string, token: string}} */ { seat, token }) => [seat, token])) });
  location.hash = `#/game/${game.id}`;
}
