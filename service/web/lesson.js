// A lesson: which step is shown, what leads to it, what shows that it is done; no page, no request.
//
// A step is done by an event of the learner's seat, not by a button that was pressed. Steps come in no fixed order: shown is
// the first open one for which something is offered now. Who does otherwise is told so, and the step stays open.

import { vain, worth } from "./choices.js";
import { plain, short, worthText } from "./words.js";

/** @typedef {import("./choices.js").Item} Offered */
/** @typedef {{command: string, rule?: string, asked?: string, parts?: Record<string, string[]>}} Act */
/** @typedef {{event: string, rule?: string, anyone?: boolean, data?: Record<string, unknown[]>}} Sign */
/** @typedef {{title: string, text: string, rules?: string[], act: Act[], done: Sign[], also?: Sign[], since?: Sign[]}} Step */
/** @typedef {{about: string, start: Record<string, unknown>, steps: Step[], meanwhile: Record<string, {text: string, rules?: string[]}>, end: string}} Script */
/** @typedef {{seq: number, type: string, actor: string, causedBy: string, text: {en: string}, rules: string[], data: any}} Heard */
/** @typedef {{question: string, rule: string}} Asked */
/** @typedef {{seq: number, done: Record<string, string>, left: number[], since: Record<string, string>}} Kept */
/** @typedef {{place: number, state: "act" | "meanwhile" | "wait" | "end" | "over", title: string, text: string, rules: string[], wanted: Offered[], note: string}} Shown */

const NOUNS = /** @type {Record<string, string>} */ ({ unit: "a unit", card: "a card", target: "a target", place: "a place", fleet: "a fleet", side: "a side", weapon: "a weapon", path: "a way", rows: "an order of battle" });

export class Lesson {
  /** @param {Script} script @param {string} seat the learner's @param {Partial<Kept>} kept how far it was */
  constructor(script, seat, kept = {}) {
    this.script = script;
    this.seat = seat;
    /** @type {Kept} */
    this.kept = { seq: 0, done: {}, left: [], since: {}, ...kept };
    /** @type {Shown | null} */
    this.shown = null;
    /** my newest order: what it came to, and whether a step was waiting for another one @type {{command: string, text: string, other: boolean} | null} */
    this.order = null;
  }

  /** @param {number} place */
  open(place) { return !(place in this.kept.done) && !this.kept.left.includes(place); }

  /** @returns {number[]} steps that are neither done nor left out */
  get rest() { return this.script.steps.map((_, place) => place).filter((place) => this.open(place)); }

  /** Whether the lesson has come any further by this event. @param {Heard} event */
  hear(event) {
    if (event.seq <= this.kept.seq) return false;
    this.kept.seq = event.seq;
    const mine = event.actor === this.seat;
    if (mine && event.type === "decklog.takeback") return this._back(event);
    if (mine) this._ordered(event);
    const { steps } = this.script, place = this.rest.find((each) => this._due(each) && steps[each].done.some((sign) => this._told(event, sign)));
    if (place !== undefined) this.kept.done[place] = event.causedBy;
    this._since(event);
    return mine;
  }

  /** @param {Heard} event */
  _ordered(event) {
    const { order, shown } = this, step = shown && this.script.steps[shown.place];
    const meant = step && [...step.done, ...step.also ?? []].some((sign) => this._told(event, sign));
    if (order?.command !== event.causedBy) this.order = { command: event.causedBy, text: event.text.en, other: shown?.state === "act" && !meant };
    else { order.text ||= event.text.en; order.other &&= !meant; }
  }

  /** @param {Heard} event */
  _since(event) {
    const { since } = this.kept;
    this.script.steps.forEach((step, place) => { if (!(place in since) && step.since?.some((sign) => this._told(event, sign))) since[place] = event.causedBy; });
  }

  // What was taken back was not done.
  /** @param {Heard} event */
  _back({ data }) {
    for (const kept of [this.kept.done, this.kept.since]) for (const [place, command] of Object.entries(kept)) if (command === data.command) delete kept[place];
    this.order = null;
    return true;
  }

  /** @param {Heard} event @param {Sign} sign */
  _told({ actor, type, rules, data }, { event, rule, anyone, data: wanted = {} }) {
    return type === event && (anyone || actor === this.seat) && (!rule || rules.includes(rule))
      && Object.entries(wanted).every(([way, values]) => values.includes(way.split(".").reduce((at, name) => at?.[name], data)));
  }

  /** @param {number} place */
  _due(place) { return !this.script.steps[place].since || place in this.kept.since; }

  /** The step that is shown is left out. */
  leave() { if (this.shown && this.open(this.shown.place)) { this.kept.left.push(this.shown.place); this.order = null; } }

  /** What is shown now. @param {Asked[]} asked of the learner's seat @param {Offered[]} items all that is offered to it @param {boolean} over @returns {Shown} */
  look(asked, items, over) {
    this.shown = this._looked(asked, items, over);
    return this.shown;
  }

  /** @param {Asked[]} asked @param {Offered[]} items @param {boolean} over @returns {Shown} */
  _looked(asked, items, over) {
    const { rest, script: { steps, end } } = this;
    if (!rest.length) return { place: steps.length, state: "end", title: "The lesson is done", text: end, rules: [], wanted: [], note: this._leftOut() };
    if (over) return { place: rest[0], state: "over", title: "The battle is over", text: `It ended before all was shown. Not shown: ${rest.map((each) => steps[each].title).join(", ")}.`, rules: [], wanted: [], note: "" };
    for (const place of rest.filter((each) => this._due(each))) {
      const wanted = items.filter((item) => steps[place].act.some((act) => fits(item, act, asked)));
      if (wanted.length) return { place, state: "act", title: steps[place].title, text: filled(steps[place].text, wanted), rules: steps[place].rules ?? [], wanted, note: this._note(true) };
    }
    return this._between(rest.find((each) => this._due(each)) ?? rest[0], asked);
  }

  /** @param {number} place @param {Asked[]} asked @returns {Shown} */
  _between(place, asked) {
    const { steps, meanwhile } = this.script, { title } = steps[place], note = this._note(false), next = `Next in the lesson, when it may be done: ${title}.`;
    if (!asked.length) return { place, state: "wait", title: "It is not your move", text: next, rules: [], wanted: [], note };
    const [{ question, rule }] = asked, hint = meanwhile[rule] ?? meanwhile[question];
    return { place, state: "meanwhile", title: `First: ${question.replaceAll("-", " ")}`, text: `${hint?.text ?? "Answer as you like."} ${next}`, rules: hint?.rules ?? [rule], wanted: [], note };
  }

  /** @param {boolean} offered whether the step may be done now */
  _note(offered) {
    if (!this.order?.other) return "";
    const text = plain(this.order.text), said = text ? `"${text}"` : "Your order";
    return `${said} was another order than the step's, and is as good. The step ${offered ? "is open still" : "comes back when it is offered again"}.`;
  }

  _leftOut() {
    const left = this.kept.left.map((place) => this.script.steps[place].title);
    return left.length ? `Left out: ${left.join(", ")}.` : "";
  }
}

/** @param {Offered} item @param {Act} act @param {Asked[]} asked */
function fits(item, { command, rule, asked: by, parts = {} }, asked) {
  return item.command.type === command && (!rule || item.rule === rule) && (!by || asked.some((each) => each.rule === by))
    && Object.entries(parts).every(([role, keys]) => item.parts.some((part) => part.role === role && keys.includes(part.key)));
}

// Names and odds are those of an offer: of the best, where dice tell which that is.
/** @param {string} text @param {Offered[]} wanted */
function filled(text, wanted) {
  const useful = wanted.filter((item) => !vain(item)), best = (useful.length ? useful : wanted).reduce((one, other) => (worth(other) > worth(one) ? other : one));
  return text.replaceAll(/\{(\w+)\}/g, (_, role) => {
    if (role === "worth") return worthText(best) || "what it may achieve";
    if (role === "says") return short(best.text);
    return plain(best.parts.find((part) => part.role === role)?.text ?? NOUNS[role] ?? role);
  });
}
