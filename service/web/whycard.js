// Why, as a card: the figures as a sum, the dice with what counted, the odds as bars, the rules in place.

import { el } from "./dom.js";
import { provedRoll } from "./proof.js";
import { die } from "./tray.js";
import { per, plain, sentence, words } from "./words.js";

const MANY = 14; // rows of odds: scores without a name of their own are told only up to so many

/** @typedef {import("./types.js").RollRecord} Roll */
/** @typedef {import("./types.js").Explanation} Explanation the service's answer */
/** @typedef {{rolls: Roll[], otherwise: (roll: Roll) => void, go: (version: number) => void, ways: (reasons: Explanation) => Node[]}} Ways what leads on from it */

/** @param {Explanation} reasons @param {Ways} what */
export async function whyCard(reasons, what) {
  const parts = [];
  const { declared, event } = reasons;
  if (declared && declared.seq !== event?.seq) parts.push(el("p", { class: "small" }, "Declared: ", jump(declared.seq, plain(declared.text), what.go)));
  const tallies = shownTallies(reasons), plainOnes = tallies.filter(([, tally]) => tally.reasons.length === 1);
  for (const [name, tally] of tallies.filter(([, { reasons: terms }]) => terms.length > 1)) parts.push(formula(name, tally));
  if (plainOnes.length) parts.push(el("p", { class: "figures" }, plainOnes.map(([name, tally]) => el("span", { title: tally.reasons[0].rule }, el("b", {}, String(tally.total)), ` ${called(name)}, ${tally.reasons[0].label}`))));
  for (const roll of reasons.rolls) parts.push(...await rolled(roll, what));
  const told = reasons.rolls.length === 1 && reasons.rolls[0].odds?.outcomes.length; // dice and attack are the same question
  const before = /** @type {any} */ (reasons.prospects);
  if (before?.outcomes?.length && !told) parts.push(...prospects(before, reasons.rolls.at(-1)?.outcome));
  if (reasons.changes.length) parts.push(el("h3", { class: "label" }, "It changed"), el("ul", { class: "changes" }, reasons.changes.map((each) => el("li", {}, plain(each.text || place(each.path))))));
  parts.push(...byTheRules(reasons.rules), ...what.ways(reasons));
  return parts;
}

/** @param {number} version @param {string} text @param {(version: number) => void} go */
function jump(version, text, go) { return el("a", { href: "#", onclick: (/** @type {Event} */ click) => { click.preventDefault(); go(version); } }, text); }

// One tally under its last name: "56/attack-declared/attack.dice" is "dice".
/** @param {Explanation} reasons */
function shownTallies({ figures, tallies }) {
  return Object.entries({ ...figures, ...tallies }).filter(([, tally]) => tally?.reasons?.length);
}

/** @param {string} name */
export function called(name) { return words(name.split(/[/.]/).at(-1)); }

// 2 printed + 1 Scout Planes = 3 dice
/** @param {string} name @param {import("./types.js").Tally} tally */
function formula(name, tally) {
  const terms = tally.reasons.map((reason, place) => [
    place || reason.value < 0 ? el("span", { class: "op" }, reason.value < 0 ? "−" : "+") : null,
    el("span", { class: `term${reason.counted === false ? " off" : ""}` }, el("b", {}, String(Math.abs(reason.value))), el("small", { title: reason.rule }, reason.counted === false ? `${reason.label}, not counted` : reason.label))]);
  return el("p", { class: "formula" }, terms.flat(), el("span", { class: "op" }, "="), el("span", { class: "term sum" }, el("b", {}, String(tally.total)), el("small", {}, called(name))));
}

/** @param {Roll} roll @param {Ways} what */
async function rolled(roll, what) {
  const parts = [];
  if (roll.hidden) return [el("p", {}, "The faces are not yours to see.")];
  const worth = (/** @type {number} */ face, /** @type {number} */ pool) => roll.odds?.worth?.[Math.min(pool, roll.odds.worth.length - 1)]?.[face - 1] ?? 0;
  const faces = roll.faces.flatMap((pool, at) => [...pool].sort((a, b) => a - b).map((face) => die(face, worth(face, at), roll.pools[at]?.sides ?? 6)));
  const told = [roll.score === null ? "" : `${roll.score} in all`, roll.outcome ? words(roll.outcome) : ""].filter(Boolean);
  const read = `${roll.faces.flat().length} dice: ${roll.faces.map((pool) => pool.join(" ")).join("; ")}${told.length ? `, ${told.join(", ")}` : ""}`;
  parts.push(el("div", { class: "thrown" }, el("div", { class: "dice", role: "img", "aria-label": read }, faces),
    told.length ? el("p", { class: "verdict" }, el("b", {}, sentence(told.at(-1) ?? "")), told.length > 1 ? el("span", { class: "small quiet" }, told[0]) : null) : null));
  if (roll.odds) parts.push(...odds(roll, roll.odds));
  const proof = await provedRoll(roll);
  if (proof) parts.push(proof);
  const known = what.rolls.find((each) => each.seq === roll.seq);
  if (known?.id === roll.id && !known.hidden) parts.push(el("p", { class: "row" }, el("button", { type: "button", class: "btn", onclick: () => what.otherwise(known) }, "Let them fall otherwise")));
  return parts;
}

// Every result that the dice could have, as a bar; the one that came is framed.
/** @param {Roll} roll @param {import("./types.js").RollOdds} known */
function odds(roll, { outcomes, scores, of, expected }) {
  const named = outcomes.length > 0, all = Number(of);
  const rows = named ? outcomes.map((each) => ({ name: sentence(each.outcome), ways: each.ways, came: each.outcome === roll.outcome }))
    : scores.map((each) => ({ name: String(each.score), ways: each.ways, came: each.score === roll.score }));
  if (!named && rows.length > MANY) return [];
  const { numerator, denominator } = expected;
  const mean = (Number(numerator) / Number(denominator)).toFixed(1).replace(/\.0$/, "");
  return [el("h3", { class: "label" }, "What could have come"), bars(rows.map(({ name, ways, came }) => [name, Math.round((1000 * Number(ways)) / all), came, `${ways} in ${of}`])),
    el("p", { class: "small quiet" }, `On average ${mean}${roll.score === null ? "" : `; it was ${roll.score}`}.`)];
}

/** @param {any} found @param {string | undefined} came */
function prospects(found, came) {
  return [el("h3", { class: "label" }, "The whole attack, before these dice"), bars(found.outcomes.map((/** @type {any} */ each) => [sentence(each.outcome), each.perMille, each.outcome === came, each.exact]))];
}

/** @param {[name: string, perMille: number, came: boolean, exact: string][]} rows */
function bars(rows) {
  return el("ul", { class: "oddslist" }, rows.map(([name, perMille, came, exact]) => {
    const part = el("i");
    part.style.width = `${perMille / 10}%`;
    return el("li", { "aria-current": came ? "true" : undefined, title: exact }, el("span", {}, name), el("span", { class: "oddsbar", "aria-hidden": "true" }, el("i"), part),
      el("b", {}, exactly(perMille)), el("span", { class: "small quiet" }, came ? "it was" : ""));
  }));
}

/** @param {number} perMille */
function exactly(perMille) { return perMille > 0 && perMille < 1000 ? `${(perMille / 10).toFixed(1)} %` : per(perMille); }

/** @param {import("./types.js").RuleCited[]} rules */
function byTheRules(rules) {
  if (!rules.length) return [];
  return [el("h3", { class: "label" }, "By the rules"), el("dl", { class: "rules" }, rules.flatMap((rule) => [
    el("dt", {}, rule.title, " ", el("span", { class: "tag" }, rule.id)), el("dd", {}, rule.text)]))];
}

// The place of a value in words: "/units/p1-3/damage" is "units, p1-3, damage".
/** @param {string} path */
export function place(path) { return path.split("/").filter(Boolean).map(words).join(", "); }

