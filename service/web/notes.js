// The docket: notes on moments of a game, and questions with a rule until they are ruled on; kept in this browser,
// and taken along as a file.

import { choice, el } from "./dom.js";

const KEPT = "decklog.notes";
const STATES = [["note", "note"], ["open", "question"]];
const RULINGS = [["open", "open"], ["upheld", "upheld"], ["refused", "refused"]];

/** @typedef {{at: number, text: string, state?: string, rule?: string}} Note `state` "" or absent: a note */

/** @returns {Record<string, Note[]>} */
function all() { try { return JSON.parse(localStorage.getItem(KEPT) ?? "{}"); } catch { return {}; } }

export class Notes {
  /** What tells how many questions are open. @type {(open: number) => void} */ told = () => {};

  // now(): the version that is shown; go(version) shows one; rules(): by which it was decided; shown(id): a rule to be opened.
  /** @param {string} game @param {{now: () => number, go: (version: number) => void, rules: () => string[], shown: (id: string) => Node | string}} desk */
  constructor(game, { now, go, rules, shown }) {
    this.game = game;
    this.now = now;
    this.go = go;
    this.rules = rules;
    this.shown = shown;
    this.text = el("textarea", { "aria-label": "Note on this moment", rows: 3, maxlength: 4000 });
    this.kind = choice(STATES, "note", { "aria-label": "What it is" });
    this.list = el("ol", { class: "notes", "aria-label": "Docket" });
    this.file = el("a", { class: "btn", download: `${game}.notes.json` }, "Take them along as a file");
    this.box = el("div", {}, el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.add(); } }, this.text,
      el("p", { class: "row" }, this.kind, el("button", { type: "submit", class: "btn" }, "Note it"), this.file)), this.list);
    this.tell();
  }

  get notes() { return all()[this.game] ?? []; }

  add() {
    const text = this.text.value.trim();
    if (!text) return;
    const asks = this.kind.value === "open", rule = this.rules()[0];
    /** @type {Note} */ const made = { at: this.now(), text, ...(asks ? { state: "open", ...(rule ? { rule } : {}) } : {}) };
    this.keep([...this.notes, made].sort((one, other) => one.at - other.at));
    this.text.value = "";
  }

  /** @param {Note[]} notes */
  keep(notes) {
    localStorage.setItem(KEPT, JSON.stringify({ ...all(), [this.game]: notes }));
    this.tell();
  }

  tell() {
    const { notes } = this;
    this.file.hidden = !notes.length;
    if (this.made) URL.revokeObjectURL(this.made);
    this.made = URL.createObjectURL(new Blob([JSON.stringify({ game: this.game, notes }, null, 2), "\n"], { type: "application/json" }));
    this.file.href = this.made;
    this.list.replaceChildren(...notes.map((note, place) => this._entry(note, place)));
    this.told(notes.filter(({ state }) => state === "open").length);
  }

  /** @param {Note} note @param {number} place */
  _entry(note, place) {
    const { at, text, state = "note", rule } = note;
    const ruled = (/** @type {any} */ event) => this.keep(this.notes.map((each, n) => (n === place ? { ...each, state: event.target.value } : each)));
    return el("li", {}, el("span", { class: `tag ${state === "open" || state === "refused" ? "bad" : ""}` }, state),
      el("span", { class: "entry" }, el("button", { type: "button", class: "btn flat", onclick: () => this.go(at) }, `${at}. ${text}`), rule ? el("span", { class: "small" }, "rule ", this.shown(rule)) : null),
      state === "note" ? null : choice(RULINGS, state, { "aria-label": `Rule on ${at}`, onchange: ruled }),
      el("button", { type: "button", class: "btn small", "aria-label": `Remove the note on ${at}`, onclick: () => this.keep(this.notes.filter((_, n) => n !== place)) }, "×"));
  }
}
