// The prompt bar: what is asked, the answers as chips with what they are worth, and the ways on and back.

import { effect } from "./choices.js";
import { el } from "./dom.js";
import { botWords, seatName } from "./seatnames.js";
import { badge, icon } from "./svg.js";
import { number, plain, worthWords } from "./words.js";

/** @typedef {import("./choices.js").Choices} Choices */
/** @typedef {import("./choices.js").Option} Option */
/** @typedef {import("./choices.js").Item} Item */

const ASKS = /** @type {Record<string, string>} */ ({
  unit: "Choose a unit", card: "Choose a card", fleet: "Choose a fleet", rows: "Choose an order of battle", side: "Choose a side", seat: "Choose a player",
  weapon: "choose a weapon", place: "choose a sector", path: "order its move", arc: "choose an arc", target: "choose a target", ability: "which ability?",
  attack: "Choose an attack", way: "how?", number: "how many?", end: "what is it to do?",
});
export const NOUNS = /** @type {Record<string, string>} */ ({ unit: "unit", card: "card", fleet: "fleet", rows: "rows", side: "side", seat: "player", weapon: "weapon", place: "sector", path: "way", arc: "arc", target: "target", ability: "ability", attack: "attack", way: "way", number: "number", end: "act" });

/** @param {Choices} choices @param {string} place how its game calls one */
export function question(choices, place = "sector") {
  const { role } = choices;
  const asked = ASKS[role]?.replace("sector", place) ?? "What do you do?";
  const before = choices.answers[0]?.option;
  return before ? `${plain(before.text)}: ${asked.charAt(0).toLowerCase()}${asked.slice(1)}` : asked.charAt(0).toUpperCase() + asked.slice(1);
}

// Steps taken; each leads back to its question.
/** @param {Choices} choices @param {string} step @param {string} place @param {(place: number) => void} back */
export function crumbs(choices, step, place, back) {
  const parts = /** @type {Element[]} */ ([el("span", {}, step)]), long = (/** @type {string} */ text) => (text.length > 14 ? " long" : ""); // only these are cut where room is short
  choices.answers.forEach(({ option }, place) => {
    const others = choices.beside(place);
    parts.push(icon("i-pass"), others.length > 1 && !option.ends
      ? el("button", { type: "button", class: `crumb${long(plain(option.text))}`, title: "Choose again", onclick: () => back(place) }, plain(option.text)) : el("span", { class: long(plain(option.text)).trim() || undefined }, plain(option.text)));
  });
  if (choices.role) parts.push(icon("i-pass"), el("span", { "aria-current": "step" }, choices.role === "place" ? place : NOUNS[choices.role] ?? choices.role));
  return parts;
}

// Names that read alike keep the ID behind them.
/** @param {Option[]} options @returns {Map<Option, string>} */
export function labels(options) {
  const count = new Map();
  for (const { text } of options) count.set(plain(text), (count.get(plain(text)) ?? 0) + 1);
  return new Map(options.map((option) => [option, count.get(plain(option.text)) > 1 ? option.text.replace(/ \(p(\d+)-(\d+)\)/, " #$2") : plain(option.text)]));
}

/** @param {Item} item */
export function bar(item) {
  const { hit, lost } = effect(item);
  const parts = [hit, lost].map((share) => { const part = el("i"); part.style.width = `${share / 10}%`; return part; });
  return el("span", { class: "oddsbar", "aria-hidden": "true" }, parts);
}

/** @param {Item} item */
export function worthLine(item) {
  return worthWords(item).flatMap(([what, chance], place) => [place ? ", " : "", what, chance ? " " : "", chance ? el("b", {}, chance) : ""]);
}

// One answer. `unit`: what lies there or is meant, for its picture; `note`: a second line where there are no odds.
/** @param {Option} option @param {string} label @param {{unit?: any, note?: string, picked?: boolean, digit?: number}} how @param {(event: any) => void} act */
export function chip(option, label, { unit, note, picked, digit }, act) {
  const single = option.items.length === 1 ? option.items[0] : null;
  const rolled = [single, option.role === "target" || option.role === "weapon" ? option.best : null].find((item) => item?.oddsSummary);
  const why = option.pointless.split(":")[0];
  const second = option.pointless ? [`${/** @type {import("./choices.js").Vain} */ (option.vain).word}: ${why}`] : rolled ? worthLine(rolled) : [note ?? (option.items.length > 1 ? `${option.items.length} choices` : "")];
  return el("button", {
    type: "button", class: `chip command${option.pointless ? " pointless" : ""}${unit ? ` s${number(unit.seat)}` : ""}`, "data-id": option.id, "data-key": option.key, "data-type": single?.command.type,
    "aria-pressed": picked ? "true" : "false", title: option.pointless || single?.rule || undefined, tabindex: -1, onclick: act,
  },
  unit?.kind ? icon(unit.kind, "ship") : null, el("span", { class: "top" }, el("b", {}, label), digit ? [" ", el("kbd", {}, digit)] : null),
  second.length && second.join("") ? el("span", { class: "sub" }, second) : null, rolled && !option.pointless ? el("span", { class: "odds" }, bar(rolled)) : null);
}

/** @param {any} summary @param {string} seat @param {(due: string) => string} tick */
export function versus(summary, seat, tick) {
  return summary.sides.map((/** @type {any} */ side) => el("div", { class: side.seats.includes(seat) ? "me" : undefined }, el("span", { class: "points", title: "points" }, String(side.score)), ...side.seats.flatMap((/** @type {string} */ each) => {
    const due = summary.due[each];
    const asked = summary.toMove.some((/** @type {{seat: string}} */ question) => question.seat === each);
    const bot = botWords(summary, each), name = seatName(summary, each, seat), partner = each !== seat && side.seats.includes(seat);
    const pace = bot && summary.sides.length <= 2 ? "answers at once" : "";
    const clock = due ? el("span", { class: `clock${asked ? " run" : ""}`, "data-due": due }, tick(due)) : el("span", { class: asked ? "clock run" : "quiet only-desk" }, asked ? "to move" : pace);
    return [el("span", { class: `seat s${number(each)}`, title: bot || each }, badge(number(each)), partner ? `${name}, with you` : name), clock];
  })));
}
