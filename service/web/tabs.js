// Panels of which one is seen: arrows go round the tabs.

import { el } from "./dom.js";

export class Tabs {
  // panels: [id, name, element, opened()?]
  constructor(label, panels) {
    this.panels = panels;
    this.buttons = panels.map(([id, name, box]) => {
      box.id ||= `panel-${id}`;
      box.setAttribute("role", "tabpanel");
      box.setAttribute("aria-label", box.getAttribute("aria-label") ?? name);
      return el("button", { type: "button", role: "tab", class: "btn", id: `tab-${id}`, "aria-controls": box.id, onclick: () => this.open(id) }, name);
    });
    this.bar = el("div", { class: "seg tabs", role: "tablist", "aria-label": label, onkeydown: (event) => this._key(event) }, this.buttons);
    this.open(panels[0][0]);
  }

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

  _key(event) {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.panels.findIndex(([id]) => id === this.now), next = (at + way + this.panels.length) % this.panels.length;
    this.open(this.panels[next][0]);
    this.buttons[next].focus();
  }
}
