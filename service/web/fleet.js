// The fleet builder: the whole catalogue as drawn cards, what fits first, and of what does not why not.

import { choice, el, saying } from "./dom.js";
import { KINDS } from "./sea.js";
import { icon } from "./svg.js";
import { words } from "./words.js";

const PAGE = 24; // cards drawn at once
const TYPES = /** @type {Record<string, string>} */ ({ bb: "Battleships", cv: "Carriers", ca: "Cruisers", dd: "Destroyers", ss: "Submarines", ax: "Auxiliaries", pt: "Boats", fighter: "Fighters", "dive-bomber": "Dive bombers", "torpedo-bomber": "Torpedo bombers", "patrol-bomber": "Patrol bombers" });
const ROWS = [["main", "Main"], ["forward", "Forward"], ["aft", "Aft"], ["broadside", "Broadside"], ["secondary", "Secondary"], ["tertiary", "Tertiary"], ["antiair", "Antiair"], ["aaw", "Antiair"], ["asw", "ASW"], ["torpedo", "Torpedoes"], ["bombs", "Bombs"], ["strafe", "Strafing"]];

/** @param {any} data */
export function kindOf(data) {
  const type = data.subtype || data.type || "";
  return /** @type {Record<string, string>} */ (KINDS)[type] ?? (/Carrier/.test(type) ? "cv" : /Battle/.test(type) ? "bb" : "ax");
}

// A card as it is printed; `last`: what stands below it.
/** @param {any} card @param {number} cost @param {Node | string} last */
export function unitcard(card, cost = card.data.cost ?? card.data.points, last = "", unfit = false) {
  const { data } = card, kind = kindOf(data), dice = { ...data, ...data.attacks };
  const rows = ROWS.filter(([name]) => Array.isArray(dice[name]) && dice[name].some((each) => each >= 0)), many = Math.max(1, ...rows.map(([name]) => dice[name].length));
  const figures = [["armor", data.armor], ["vital", data.vitalArmor ?? data.critical], ["hull", data.hullPoints], ["speed", data.speed ?? data.movement]].filter(([, value]) => value > 0);
  return el("article", { class: `unitcard s1${unfit ? " unfit" : ""}` }, el("h3", {}, card.name), el("span", { class: "cost", title: "points" }, String(cost ?? "")), el("p", { class: "small quiet" }, [data.nation, data.subtype || data.type, data.year].filter(Boolean).join(" · ")), icon(kind, "portrait"),
    rows.length ? el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "dice at range"), Array.from({ length: many }, (_, range) => el("th", { scope: "col" }, String(range))))), el("tbody", {}, rows.map(([name, title]) => el("tr", {}, el("th", { scope: "row" }, title), Array.from({ length: many }, (_, range) => el("td", {}, dice[name][range] >= 0 ? String(dice[name][range]) : "·")))))) : "",
    el("p", { class: "figures" }, figures.map(([name, value]) => el("span", {}, el("b", {}, String(value)), ` ${name}`))), el("p", { class: "small abilities" }, (data.abilities ?? []).map((/** @type {{family: string, n?: number}} */ { family, n }) => `${words(family)}${n ? ` ${n}` : ""}`).join(", ")),
    last);
}

export class Yard {
  // Where a fleet is asked for in a form that may be built; else null.
  /** @param {any} table @param {any} offer */
  static of(table, offer) {
    const given = offer.templates.find((/** @type {{type: string}} */ each) => each.type.endsWith(".submit-fleet"));
    return given && Object.keys(table.cards).length ? new Yard(table, given, offer) : null;
  }

  /** @param {any} table @param {any} given the template @param {any} offer */
  constructor(table, given, offer) {
    this.table = table;
    this.given = given;
    this.offer = offer;
    const { cards, units } = given.schema.properties;
    this.field = cards ? "cards" : "units";
    this.most = (cards ?? units).maxItems;
    /** @type {(items: any) => string[]} */
    const named = (items) => items.enum ?? items.properties?.card?.enum ?? (items.oneOf ?? items.anyOf ?? []).flatMap((/** @type {any} */ each) => named(each));
    this.names = new Set(named((cards ?? units).items));
    this.limit = Number(/(\d[\d,]*) points/.exec(given.text)?.[1].replace(",", "") ?? 0);
    this.mine = (table.wish ?? []).filter((/** @type {string} */ id) => this.names.has(id));
    this.find = el("input", { type: "search", "aria-label": "Search cards", placeholder: `Search ${this.names.size} cards`, oninput: () => this.shelf() });
    this.kind = "";
    this.all = [...this.names].map((id) => table.cards[id]).filter(Boolean);
    const nations = [...new Set(this.all.map((card) => card.data.nation))].sort();
    this.nation = choice([["", "all"], ...nations.map((each) => [each])], "", { "aria-label": "Nation", onchange: () => this.shelf() });
    this.order = choice([["dear", "points, dearest first"], ["cheap", "points, cheapest first"], ["name", "name"]], "dear", { "aria-label": "Sort", onchange: () => this.shelf() });
    this.unfit = el("input", { type: "checkbox", onchange: () => this.shelf() });
    this.kinds = el("div", { class: "seg", role: "group", "aria-label": "Type" });
    this.cards = el("div", { class: "shelf", tabindex: 0, role: "group", "aria-label": "Cards" });
    this.list = el("ul", { class: "scroll", tabindex: 0, "aria-label": "My fleet" });
    this.total = el("p", { class: "total" });
    this.meter = el("i");
    this.verdict = el("p", { class: "small", role: "status" });
    this.box = el("section", { class: "yard", "aria-label": "Build a fleet" }, el("div", { class: "yard-main" }, el("div", { class: "yard-bar" }, this.find, this.kinds, el("label", {}, "Nation ", this.nation), el("label", {}, "Sort ", this.order), el("label", {}, this.unfit, " show what does not fit, with the reason")), this.cards),
      el("aside", { class: "yard-side", "aria-label": "The fleet" }, el("header", {}, el("h2", {}, "My fleet"), this.total), el("span", { class: "meter" }, this.meter), this.list, this.verdict));
    this.shown = PAGE;
    this.changed();
  }

  /** @param {any} card @returns {number} */
  cost(card) { return card?.data.cost ?? card?.data.points ?? 0; }

  get sum() { return this.mine.reduce((/** @type {number} */ sum, /** @type {string} */ id) => sum + this.cost(this.table.cards[id]), 0); }

  get command() { return { type: this.given.type, [this.field]: this.field === "cards" ? this.mine : this.mine.map((/** @type {string} */ card) => ({ card })) }; }

  // Why a card cannot be added, as far as the printed figures tell; the service has the last word.
  /** @param {any} card */
  why(card) {
    const left = this.limit - this.sum, side = this.table.state?.alliances?.[this.table.seat];
    if (card.playable === false) return card.missing?.[0] ? `not playable: ${words(card.missing[0])}` : "not playable";
    if (side && card.data.alliance && ![side, "Neutral"].includes(card.data.alliance)) return `${card.data.alliance}; you command the ${side}`;
    if (this.mine.length >= this.most) return `${this.most} units at most`;
    if (this.limit && this.cost(card) > left) return `${this.cost(card)} points; ${left} are left`;
    return "";
  }

  changed() {
    this.shelf();
    const { sum } = this;
    this.total.replaceChildren(el("b", {}, String(sum)), ` of ${this.limit}`);
    this.meter.style.width = `${Math.min(100, (100 * sum) / (this.limit || 1))}%`;
    const count = new Map();
    for (const id of this.mine) count.set(id, (count.get(id) ?? 0) + 1);
    this.list.replaceChildren(...[...count].map(([id, many]) => {
      const card = this.table.cards[id];
      return el("li", { class: "s1" }, icon(kindOf(card.data), "ship"), el("span", {}, card.name), many > 1 ? el("span", { class: "tag" }, `×${many}`) : el("span"), el("b", {}, String(many * this.cost(card))),
        el("button", { type: "button", class: "btn icon flat", "aria-label": `Take out ${card.name}`, onclick: () => { this.mine.splice(this.mine.indexOf(id), 1); this.changed(); } }, icon("i-minus")));
    }));
    this.legal = false;
    clearTimeout(this.later);
    this.verdict.textContent = this.mine.length ? "" : "Add cards, or take one of the ready fleets below.";
    if (this.mine.length) this.later = setTimeout(() => this.check(), 250);
    this.table.paint();
  }

  async check() {
    const command = JSON.stringify(this.command);
    try {
      await this.table.check(this.command);
      if (command !== JSON.stringify(this.command)) return;
      this.legal = true;
      this.verdict.textContent = `Legal. ${this.limit - this.sum} points are left.`;
      this.verdict.className = "small good";
    } catch (error) {
      if (command !== JSON.stringify(this.command)) return;
      this.verdict.textContent = saying(error);
      this.verdict.className = "small bad";
    }
    this.table.paint();
  }

  shelf() {
    const text = this.find.value.trim().toLowerCase(), order = /** @type {Record<string, (a: any, b: any) => number>} */ ({ dear: (a, b) => this.cost(b) - this.cost(a), cheap: (a, b) => this.cost(a) - this.cost(b), name: (a, b) => a.name.localeCompare(b.name) })[this.order.value] ?? (() => 0);
    const kinds = [...new Set(this.all.map((card) => kindOf(card.data)))];
    const press = (/** @type {string} */ kind) => { this.kind = kind; this.shelf(); };
    this.kinds.replaceChildren(el("button", { type: "button", class: "btn", "aria-pressed": String(!this.kind), onclick: () => press("") }, "All"),
      ...Object.keys(TYPES).filter((kind) => kinds.includes(kind)).map((kind) => el("button", { type: "button", class: "btn", "aria-label": TYPES[kind], title: TYPES[kind], "aria-pressed": String(this.kind === kind), onclick: () => press(kind) }, icon(/bomber|fighter/.test(kind) ? kind : `${kind}-s`, "kind"))));
    const found = this.all.filter((card) => (!this.kind || kindOf(card.data) === this.kind) && (!this.nation.value || card.data.nation === this.nation.value) && (!text || `${card.name} ${card.data.nation} ${card.data.shipClass ?? card.data.unitClass ?? ""}`.toLowerCase().includes(text)))
      .map((card) => /** @type {[any, string]} */ ([card, this.why(card)])).filter(([, why]) => !why || this.unfit.checked).sort((a, b) => Number(Boolean(a[1])) - Number(Boolean(b[1])) || order(a[0], b[0]));
    this.cards.replaceChildren(...found.slice(0, this.shown).map(([card, why]) => this.card(card, why)), found.length > this.shown ? el("button", { type: "button", class: "btn more", onclick: () => { this.shown += PAGE; this.shelf(); } }, `${found.length - this.shown} more`) : "");
    if (!found.length) this.cards.append(el("p", {}, "No such card fits."));
  }

  /** @param {any} card @param {string} why */
  card(card, why) {
    const add = el("button", { type: "button", class: "btn add", "data-card": card.id, onclick: () => { this.mine.push(card.id); this.changed(); /** @type {HTMLElement | null} */ (this.cards.querySelector(`[data-card="${CSS.escape(card.id)}"]`))?.focus(); } }, icon("i-plus"), "Add");
    return unitcard(card, this.cost(card), why ? el("p", { class: "small bad why" }, why) : add, Boolean(why));
  }

  ways() {
    const share = el("button", { type: "button", class: "btn", title: "Copy a link to this fleet", onclick: async () => {
      const link = `${location.origin}/#/game/${this.table.game}/fleet/${this.mine.join(",")}`;
      try { await navigator.clipboard.writeText(link); this.verdict.textContent = "The link is copied."; } catch { this.verdict.textContent = link; }
    } }, icon("i-link"), el("span", { class: "only-desk" }, "Copy as link"));
    return [share, el("button", { type: "button", class: "btn go lock", disabled: !this.legal, onclick: () => this.table.give(this.command, this.offer.version) }, `Lock this fleet, ${this.sum} points`)];
  }
}
