// The card of what is pointed at: after a moment under the mouse, at the focus of the keys, or while a finger rests on it.

import { el } from "./dom.js";
import { unitcard } from "./fleet.js";

const HOVER = 400, REST = 500; // milliseconds
const SLIP = 8; // pixels that a resting finger may move

export class Peek {
  // `find`: the card that a piece or a line of a fleet is about, by its key; nothing for what has none.
  /** @param {(key: string) => any} find @param {AbortSignal} signal */
  constructor(find, signal) {
    this.find = find;
    this.box = el("div", { class: "peek", role: "tooltip", hidden: true });
    /** @type {(type: string, act: (event: any) => void, options?: object) => void} */
    const on = (type, act, options) => document.addEventListener(type, act, { signal, ...options });
    on("pointerover", (event) => { if (event.pointerType !== "touch") this.point(event.target, HOVER); });
    on("focusin", ({ target }) => { if (target.matches(":focus-visible")) this.point(target, HOVER); });
    on("focusout", () => this.hide());
    on("pointerdown", (event) => { this.hide(); if (event.pointerType === "touch") { this.from = event; this.point(event.target, REST); } });
    on("pointermove", (event) => { if (event.pointerType === "touch" && this.from && Math.hypot(event.clientX - this.from.clientX, event.clientY - this.from.clientY) > SLIP) this.hide(); });
    for (const type of ["pointerup", "pointercancel"]) on(type, (event) => { if (event.pointerType === "touch") { clearTimeout(this.timer); this.from = null; this.rested = !this.box.hidden; } });
    // The finger that has looked has not chosen.
    on("click", (event) => { if (this.rested) { this.rested = false; event.stopPropagation(); event.preventDefault(); } }, { capture: true });
    on("keydown", (event) => { if (event.key === "Escape") this.hide(); });
    signal.addEventListener("abort", () => this.hide());
  }

  /** @param {any} target @param {number} after milliseconds */
  point(target, after) {
    const at = target.closest?.("[data-unit], [data-key]");
    if (at === this.at) return;
    this.hide();
    const card = at && this.find(at.dataset.unit ?? at.dataset.key);
    if (!card) return;
    this.at = at;
    this.timer = setTimeout(() => this.show(card, at), after);
  }

  /** @param {any} card @param {Element} at */
  show(card, at) {
    this.box.replaceChildren(unitcard(card));
    this.box.hidden = false;
    const { left, right, top } = at.getBoundingClientRect(), { width, height } = this.box.getBoundingClientRect();
    const beside = right + 8 + width <= innerWidth ? right + 8 : left - 8 - width;
    this.box.style.left = `${Math.max(4, Math.min(beside, innerWidth - width - 4))}px`;
    this.box.style.top = `${Math.max(4, Math.min(top, innerHeight - height - 4))}px`;
  }

  hide() {
    clearTimeout(this.timer);
    this.at = null;
    this.box.hidden = true;
  }
}
