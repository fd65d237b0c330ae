// Panels of which one is seen: arrows go round the tabs.

import { el } from "./dom.js";

/** @typedef {[id: string, name: string, box: HTMLElement, opened?: () => void]} Panel */

export class Tabs {
  /** @param {string} label @param {Panel[]} panels */
  constructor(label, panels) {
    this.panels = panels;
    this.buttons = panels.map(([id, name, box]) => {
      box.id ||= `panel-${id}`;
      box.setAttribute("role", "tabpanel");
      box.setAttribute("aria-label", box.getAttribute("aria-label") ?? name);
      return el("button", { type: "button", role: "tab", class: "btn", id: `tab-${id}`, "aria-controls": box.id, onclick: () => this.open(id) }, name);
    });
    this.bar = el("div", { class: "seg tabs", role: "tablist", "aria-label": label, onkeydown: (/** @type {KeyboardEvent} */ event) => this._key(event) }, this.buttons);
    this.open(panels[0][0]);
  }

  /** @param {string} id */
  open(id) {
    this.now = id;
    this.panels.forEach(([each, , box, opened], at) => {
      const on = each === id;
      box.hidden = !on;
      this.buttons[at].setAttribute("aria-selected", String(on));
      this.buttons[at].tabIndex = on ? 0 : -1;
      if (on) opened?.();
    });
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.panels.findIndex(([id]) => id === this.now), next = (at + way + this.panels.length) % this.panels.length;
    this.open(this.panels[next][0]);
    this.buttons[next].focus();
  }
}
