// The text of a rule in place: its ID stands beside a sentence and opens what it says; nobody leaves the table.

import { get } from "./api.js";
import { el, saying } from "./dom.js";
import { icon } from "./svg.js";

/** @param {string} [id] */
export function ruleLink(id) {
  return id ? el("button", { type: "button", class: "rule", "data-rule": id, "aria-haspopup": "dialog", title: `What ${id} says` }, id) : "";
}

// Of several the same is named once.
/** @param {(string | undefined)[]} ids */
export function ruleLinks(ids) { return [...new Set(ids.filter(Boolean))].flatMap((id) => [" ", ruleLink(id)]); }

export class Rulebook {
  // `digest`: of the rules by which the game is played; where others are installed, it is their text that is shown, and said.
  /** @param {string} ruleset @param {string} digest @param {AbortSignal} signal */
  constructor(ruleset, digest, signal) {
    this.ruleset = ruleset;
    this.digest = digest;
    this.kept = new Map();
    this.box = el("section", { class: "rulebox", role: "dialog", tabindex: -1, hidden: true });
    document.addEventListener("click", (event) => this._click(event), { signal, capture: true });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !this.box.hidden) { event.stopImmediatePropagation(); this.close(); } }, { signal, capture: true });
    signal.addEventListener("abort", () => this.box.remove());
  }

  /** @param {any} event */
  _click(event) {
    const link = event.target.closest?.("[data-rule]");
    // A link on a card is no click on the card.
    if (link) { event.stopPropagation(); this.open(link); }
    else if (!this.box.hidden && !this.box.contains(event.target)) this.close(false);
  }

  /** @param {any} link */
  async open(link) {
    const id = link.dataset.rule;
    this.from = this.box.contains(link) ? this.from : link;
    const told = await this._text(id).catch((error) => ({ id, title: "", text: saying(error), rulings: [] }));
    this.box.setAttribute("aria-label", `${id}: ${told.title}`);
    const close = el("button", { type: "button", class: "btn icon flat", "aria-label": "Close the rule", onclick: () => this.close() }, icon("i-x"));
    this.box.replaceChildren(el("header", {}, el("h2", {}, told.title), el("span", { class: "tag" }, id), close), el("p", {}, told.text),
      told.rulings.length ? el("p", { class: "small" }, "Rulings that touch it:", ruleLinks(told.rulings)) : "", told.other ? el("p", { class: "small quiet" }, "The game was begun by other rules; this is the text of those that are installed.") : "");
    this.box.hidden = false;
    this.box.focus();
  }

  /** @param {string} id */
  async _text(id) {
    const path = `/v1/rulesets/${this.ruleset}/rules/${encodeURIComponent(id)}`;
    if (!this.kept.has(id)) this.kept.set(id, await get(`${path}?digest=${this.digest}`).catch(async (error) => {
      if (error.code !== "ruleset.other-version") throw error;
      return { ...await get(path), other: true };
    }));
    return this.kept.get(id);
  }

  // Back to where one read; where that was painted anew, to its like.
  close(back = true) {
    if (this.box.hidden) return;
    this.box.hidden = true;
    const { from } = this;
    if (back) (from.isConnected ? from : document.querySelector(`[data-rule="${CSS.escape(from.dataset.rule)}"]`))?.focus({ preventScroll: true });
  }
}
