// The tray in which dice lie: the faces that count are lit, and below them how likely each result was.

import { el } from "./dom.js";
import { icon, s } from "./svg.js";
import { per, plain, words } from "./words.js";

const EYES = /** @type {Record<number, number[][]>} */ ({ 1: [[12, 12]], 2: [[6, 6], [18, 18]], 3: [[6, 6], [12, 12], [18, 18]], 4: [[6, 6], [18, 6], [6, 18], [18, 18]], 5: [[6, 6], [18, 6], [12, 12], [6, 18], [18, 18]], 6: [[6, 5], [18, 5], [6, 12], [18, 12], [6, 19], [18, 19]] });
// What dice alone do not decide: a ship that may yet be saved is lost when its phase ends.
const ENOUGH = /** @type {Record<string, string>} */ ({ destroyed: "enough to destroy" });
const NOTHING = new Set(["miss", "no-effect", "nothing", "failure"]);

const ROLLED = "decklog.batch-rolled";

/** @typedef {{score: number, ways: number}} Score @typedef {{outcome: string, ways: number}} Outcome */
/** @typedef {{worth: number[][], of: number, scores: Score[], outcomes: Outcome[]}} Odds */
/** @typedef {{faces: number[][], pools?: {sides: number}[], score?: number | null, outcome?: string, odds?: Odds | null}} Thrown */
/** @typedef {{label: string, pools: {count: number, sides: number}[], faces: number[][], odds?: {worth: number[][], outcomes?: {name: string, least: number}[]}}} Told a roll as the record has it */
/** @typedef {{seq: number, type: string, causedBy: string, data: any, rules: string[], text: {en: string}}} Heard */

export class Tray {
  command = ""; // by which the dice that lie there were thrown
  ends = { command: "", text: "" };
  cause = ""; // the command that is heard of
  named = ""; // what its events have said
  /** @type {Told[]} */ rolls = []; // its dice that all may see
  rolled = 0; // the batch that lies there, until an event tells what it led to

  /** @param {(seq: number) => string} link */
  constructor(link) {
    this.box = el("section", { class: "tray", "aria-label": "Dice", hidden: true });
    this.link = link;
    this.came = el("p", { class: "came small" });
    this.why = el("a", { class: "btn" }, icon("i-eye"), "Why");
  }

  // What the record says of dice is all that lies here: nothing is asked for. Returns what is read aloud.
  /** @param {Heard} event @param {string} said what the dice were for, in words */
  hear(event, said) {
    if (event.causedBy !== this.cause) Object.assign(this, { cause: event.causedBy, named: "", rolls: [], rolled: 0 });
    if (event.type !== ROLLED) {
      this.named += JSON.stringify(event.data);
      if (this.rolled && event.rules.length) { this.why.setAttribute("href", this.link(event.seq)); this.rolled = 0; }
      return "";
    }
    if (event.data.link) this.rolls.push(...event.data.rolls);
    // A batch may have dice for later: those that were asked for are named before they fall.
    const asked = this.rolls.filter(({ label }) => this.named.includes(JSON.stringify(label))).map(thrown);
    const roll = asked.findLast((each) => each.odds) ?? asked.at(-1);
    if (!event.data.link || !roll) return "";
    this.rolled = event.seq;
    return this.show(roll, said || event.text.en, event.seq, event.causedBy);
  }

  clear() { this.box.hidden = true; this.came.textContent = ""; }

  // What became of the attack, which may come before its dice are drawn.
  /** @param {string} command @param {string} text */
  resolved(command, text) {
    this.ends = { command, text };
    if (this.command === command) this.came.textContent = plain(text);
  }

  // said: what it was for, in words; seq: the moment at which its reasons are read.
  /** @param {Thrown} roll @param {string} said @param {number} seq */
  show(roll, said, seq, command = "") {
    const faces = roll.faces.flat(), worth = (/** @type {number} */ face, /** @type {number} */ pool) => roll.odds?.worth?.[Math.min(pool, roll.odds.worth.length - 1)]?.[face - 1] ?? 0;
    const dice = roll.faces.flatMap((pool, place) => [...pool].sort((a, b) => a - b).map((face) => die(face, worth(face, place), roll.pools?.[place]?.sides ?? 6)));
    const score = roll.score ?? null, outcome = roll.outcome ? ENOUGH[roll.outcome] ?? words(roll.outcome) : "";
    this.command = command;
    this.came.textContent = command && this.ends.command === command ? plain(this.ends.text) : "";
    const read = `${faces.length} dice: ${[...faces].sort((a, b) => a - b).join(" ")}${score === null ? "" : `, ${score} in all`}${outcome ? `, ${outcome}` : ""}`;
    this.why.setAttribute("href", this.link(seq));
    this.box.replaceChildren(
      el("p", { class: "label", title: plain(said) }, plain(said).split(": ")[0]),
      el("p", { class: "result" }, score === null ? "" : `${score} ${score === 1 ? "success" : "successes"} `, outcome ? el("span", { class: NOTHING.has(roll.outcome ?? "") ? "quiet" : "bad" }, outcome) : ""),
      el("div", { class: "dice", role: "img", "aria-label": read }, dice), this.came, distribution(roll) ?? "",
      el("div", { class: "ways" }, this.why, el("button", { type: "button", class: "btn", onclick: () => this.clear() }, icon("i-last"), "Put away")));
    this.box.hidden = false;
    return read;
  }
}

// A roll of the record with what came of it, and what might have come.
/** @param {Told} told @returns {Thrown} */
export function thrown({ pools, faces, odds }) {
  if (odds?.worth.length !== pools.length) return { pools, faces, score: null, odds: null };
  const { worth, outcomes = [] } = odds, name = (/** @type {number} */ score) => outcomes.findLast(({ least }) => score >= least)?.name ?? "";
  const scores = ways(pools, worth), led = /** @type {Map<string, number>} */ (new Map());
  for (const each of scores) if (name(each.score)) led.set(name(each.score), (led.get(name(each.score)) ?? 0) + each.ways);
  const score = faces.flatMap((pool, place) => pool.map((face) => worth[place][face - 1])).reduce((sum, each) => sum + each, 0);
  return { pools, faces, score, outcome: name(score), odds: { worth, scores, of: scores.reduce((sum, each) => sum + each.ways, 0), outcomes: [...led].map(([outcome, many]) => ({ outcome, ways: many })) } };
}

// In how many ways the dice come to each score, the lowest first; where they are more than 2^53, as near as a float is.
/** @param {{count: number}[]} pools @param {number[][]} worth @returns {Score[]} */
function ways(pools, worth) {
  let found = new Map([[0, 1]]);
  for (const one of pools.flatMap(({ count }, place) => Array.from({ length: count }, () => worth[place]))) {
    const next = /** @type {Map<number, number>} */ (new Map());
    for (const [score, many] of found) for (const more of one) next.set(score + more, (next.get(score + more) ?? 0) + many);
    found = next;
  }
  return [...found].sort(([a], [b]) => a - b).map(([score, many]) => ({ score, ways: many }));
}

/** @param {number} face @param {number} worth @param {number} sides */
export function die(face, worth, sides) {
  const marks = sides === 6 ? (EYES[face] ?? []).map(([cx, cy]) => s("circle", { cx, cy, r: 2.3 })) : s("text", { x: 12, y: 16.5, "text-anchor": "middle", "font-size": 13 }, String(face));
  return el("span", { class: `die ${worth > 1 ? "two" : worth ? "one" : "no"}`, "data-worth": worth }, s("svg", { viewBox: "0 0 24 24" }, marks));
}

/** @param {Thrown} roll */
function distribution(roll) {
  const { odds } = roll;
  if (!odds?.scores?.length || odds.scores.length < 2) return null;
  const { scores, outcomes, of: all } = odds, reached = roll.score ?? 0;
  const ways = scores.map((each) => each.ways / all), most = Math.max(...ways);
  const share = (/** @type {(each: Outcome) => boolean} */ test) => Math.round(1000 * outcomes.filter(test).reduce((sum, each) => sum + each.ways / all, 0));
  const hit = share((each) => !NOTHING.has(each.outcome)), lost = share((each) => each.outcome === "destroyed");
  const better = Math.round(1000 * scores.filter((each) => each.score >= reached).reduce((sum, each) => sum + each.ways / all, 0));
  let sum = 0;
  const bars = scores.map((each, place) => {
    const after = 1000 * (1 - sum);
    sum += ways[place];
    const made = el("i", { class: `${after <= lost + 0.5 && lost ? "kill" : after <= hit + 0.5 && hit ? "hit" : ""} ${each.score === roll.score ? "was" : ""}` });
    made.style.height = `${Math.max(2, (100 * ways[place]) / most)}%`;
    return made;
  });
  return el("div", { class: "odds" }, el("p", { class: "small" }, hit || lost ? [el("b", {}, per(hit)), " hit, ", el("b", {}, per(lost)), ` ${ENOUGH.destroyed}; `] : "", "as good as this or better ", el("b", {}, per(better))),
    el("div", { class: "dist", "aria-hidden": "true" }, bars), el("p", { class: "scale" }, el("span", {}, String(odds.scores[0].score)), el("span", {}, String(odds.scores.at(-1)?.score))));
}
