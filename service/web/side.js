// Beside the board: fleets with what is left to do first, and the log in turns.

import { el } from "./dom.js";
import { badge, icon } from "./svg.js";
import { number, plain } from "./words.js";

// What stands before a line of the log, by what the event does.
const SIGNS = /** @type {Record<string, string>} */ ({ lost: "wreck", damaged: "hit", attacked: "gun", moved: "i-step", placed: "i-step", claimed: "objective" });
// Lines that are no news to players: they stand at the desk.
const BOOKS = /^decklog\.(batch-rolled|game-created)$/;

/** @typedef {{seq: number, type: string, actor: string, causedBy: string, text: {en: string}, roles: {role: string}[]}} Told */
/** @typedef {{key: string, seat: string, name: string, sub: string, kind: string, flies?: boolean, doomed?: boolean, hull: Hull}} Unit */
/** @typedef {{left: number, soon?: number, all: number}} Hull */
/** @typedef {{may: boolean, done?: any, chosen: boolean, tag: string, why?: string}} Mark */

export class Log {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    this.said = new Map(); // by order: what it came to, first
    this.list = el("ol", {});
    this.box = el("div", { class: "log scroll", tabindex: 0, role: "log", "aria-label": "What happened" }, this.list);
  }

  /** How a line names seats. @param {string} text */
  named(text) { return text; }

  clear() { this.list.replaceChildren(); this.said.clear(); }

  /** @param {Told} event */
  hear(event) {
    const text = this.named(event.text.en), last = /** @type {Element | null} */ (this.list.lastChild);
    if (!text || BOOKS.test(event.type)) return;
    if (event.causedBy && !this.said.has(event.causedBy)) this.said.set(event.causedBy, plain(text));
    const heading = event.roles.some(({ role }) => role === "turn" || role === "phase");
    if (heading) this.list.append(el("li", { class: "turn heading" }, plain(text)));
    else if (/-rolled$/.test(event.type) && last && !last.classList.contains("heading") && event.roles.length === 0) {
      // Dice belong to what they were thrown for.
      last.querySelector(".said")?.append(el("span", { class: "dice" }, plain(text)));
      return;
    } else {
      const sign = event.roles.map(({ role }) => SIGNS[role]).find(Boolean);
      this.list.append(el("li", {}, sign ? icon(sign) : seatSign(event.actor), el("span", { class: "said" }, el("a", { href: `#/replay/${this.game}/${event.seq}` }, plain(text)))));
    }
    while (this.list.children.length > 200) this.list.firstChild?.remove();
    this.box.scrollTop = this.box.scrollHeight;
  }
}

/** @param {string} actor */
function seatSign(actor) {
  return /^p\d+$/.test(actor) ? el("span", { class: "seat" }, badge(number(actor))) : icon("i-chart");
}

/** @param {Hull} hull */
export function pips({ left, soon = 0, all }) {
  if (!all) return null;
  const name = `${left} of ${all} hull points`;
  if (all > 8) return el("span", { class: "pips", title: name }, `${left}/${all}`);
  return el("span", { class: "pips", role: "img", "aria-label": name, title: name }, Array.from({ length: all }, (_, place) => el("i", { class: place < left ? "" : place < left + soon ? "soon" : "off" })));
}

/** @param {string} title @param {string} seat @param {string} whose who sits there, where it is known @param {Unit[]} units @param {string} note @param {(unit: Unit) => Mark} mark @param {(key: string, event: Event) => void} pick */
export function fleet(title, seat, whose, units, note, mark, pick) {
  return el("section", { "aria-label": title }, el("header", {}, el("h2", {}, title), seat ? el("span", { class: "seat" }, badge(number(seat)), whose) : null, el("span", { class: "small quiet push" }, note)),
    el("ul", { class: "scroll", tabindex: 0, "aria-label": title }, units.map((unit) => {
      const { may, done, chosen, tag, why } = mark(unit);
      return el("li", { class: `s${number(unit.seat)}` }, el("button", { type: "button", class: `unit${may ? " may" : ""}${done ? " done" : ""}`, "aria-pressed": chosen ? "true" : "false", "data-unit": unit.key, title: why || undefined, tabindex: may ? 0 : -1, onclick: (/** @type {Event} */ event) => pick(unit.key, event) },
        icon(unit.kind, unit.flies ? "plane" : "ship"), el("b", {}, plain(unit.name)), el("span", { class: "sub" }, unit.sub),
        el("span", { class: "state" }, tag ? el("span", { class: `tag${unit.doomed ? " fill" : ""}` }, tag) : null, pips(unit.hull))));
    })));
}
