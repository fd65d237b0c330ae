// The rolls that went most against the odds: so good or better, or so bad or worse, was least likely before.

import { el } from "./dom.js";
import { per, words } from "./words.js";

/** @typedef {import("./types.js").RollRecord} Roll */

const TOLD = 8;

// How likely so good a score or better was, or so bad or worse: the rarer of both, in thousandths; null where no score is kept.
/** @param {Roll} roll */
export function rarity({ odds, score }) {
  if (!odds?.scores.length || score === null) return null;
  const ways = (/** @type {(score: number) => boolean} */ fits) => odds.scores.filter((each) => fits(each.score)).reduce((sum, each) => sum + Number(each.ways), 0);
  const good = ways((each) => each >= score), bad = ways((each) => each <= score);
  return { rare: (1000 * Math.min(good, bad)) / Number(odds.of), good: good <= bad };
}

/** @param {Roll[]} rolls @param {(seq: number) => void} show */
export function upsetsOf(rolls, show) {
  const found = rolls.filter((roll) => !roll.hidden).flatMap((roll) => { const known = rarity(roll); return known ? [{ roll, ...known }] : []; });
  if (!found.length) return [];
  const told = found.sort((one, other) => one.rare - other.rare).slice(0, TOLD);
  return [el("h2", {}, "Most against the odds"), el("ol", { class: "upsets" }, told.map(({ roll, rare, good }) => el("li", {},
    el("button", { type: "button", class: "btn flat", onclick: () => show(roll.event || roll.seq) },
      `${roll.event || roll.seq}. ${roll.odds?.seat || roll.owner}: ${[roll.outcome && words(roll.outcome), `${roll.score} in all`].filter(Boolean).join(", ")}; so ${good ? "good" : "bad"} in ${per(rare)}`))))];
}
