// Notes on moments of a game: kept in this browser, and taken along as a file.

import { el } from "./dom.js";

const KEPT = "decklog.notes";

/** @typedef {{at: number, text: string}} Note */

/** @returns {Record<string, Note[]>} */
function all() { try { return JSON.parse(localStorage.getItem(KEPT) ?? "{}"); } catch { return {}; } }

export class Notes {
  // now(): the version that is shown; go(version) shows one.
  /** @param {string} game @param {() => number} now @param {(version: number) => void} go */
  constructor(game, now, go) {
    this.game = game;
    this.now = now;
    this.go = go;
    this.text = el("textarea", { "aria-label": "Note on this moment", rows: 3, maxlength: 4000 });
    this.list = el("ol", { class: "notes", "aria-label": "Notes" });
    this.file = el("a", { class: "btn", download: `${game}.notes.json` }, "Take them along as a file");
    this.box = el("div", {}, el("form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.add(); } }, this.text,
      el("p", { class: "row" }, el("button", { type: "submit", class: "btn" }, "Note it"), this.file)), this.list);
    this.tell();
  }

  get notes() { return all()[this.game] ?? []; }

  add() {
    const text = this.text.value.trim();
    if (!text) return;
    this.keep([...this.notes, { at: this.now(), text }].sort((one, other) => one.at - other.at));
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
    this.list.replaceChildren(...notes.map((note) => el("li", {}, el("button", { type: "button", class: "btn flat", onclick: () => this.go(note.at) }, `${note.at}. ${note.text}`),
      el("button", { type: "button", class: "btn small", "aria-label": `Remove the note on ${note.at}`, onclick: () => this.keep(this.notes.filter((each) => each.at !== note.at || each.text !== note.text)) }, "×"))));
  }
}
