// Learning by playing: the lessons that there are, a game for one, and the strip at its table that says the next step.

import { alone } from "./alone.js";
import { held, keep } from "./api.js";
import { announce, el, saying } from "./dom.js";
import { Lesson } from "./lesson.js";
import { ruleLinks } from "./rule.js";

/** @typedef {import("./lesson.js").Script} Script */

/** By ruleset. @returns {Promise<Record<string, Script>>} */
export async function lessons() { return (await fetch(new URL("lessons.json", import.meta.url))).json(); }

/** A game for a lesson: the learner has the first seat, easy bots the others. @param {string} id of the ruleset */
export async function learn(id) {
  await alone(id, "a lesson", (await lessons())[id].start, { lesson: {} });
  announce("The lesson begins.");
}

/** The strip of a table whose game is a lesson's; null of another. @param {{game: string, rules: string, seat: string}} table */
export async function stripOf({ game, rules, seat }) {
  const kept = held()[game]?.lesson, script = kept && seat ? (await lessons().catch(() => /** @type {Record<string, Script>} */ ({})))[rules] : null;
  return script ? new LessonStrip(game, rules, new Lesson(script, seat, kept)) : null;
}

class LessonStrip {
  /** @param {string} game @param {string} rules @param {Lesson} lesson */
  constructor(game, rules, lesson) {
    this.game = game;
    this.lesson = lesson;
    this.told = "";
    this.step = el("span", { class: "label" });
    this.title = el("h2", {});
    this.text = el("p", { class: "lesson-text", id: "lesson-text" });
    this.note = el("p", { class: "small note" });
    this.skip = el("button", { type: "button", class: "btn small", onclick: () => { lesson.leave(); this.keep(); this.paint(); } }, "Leave this step out");
    this.anew = el("button", { type: "button", class: "btn small", hidden: true, onclick: () => learn(rules).catch((error) => announce(saying(error))) }, "Begin it anew");
    this.stop = el("button", { type: "button", class: "btn small flat", onclick: () => this.end() }, "End the lesson");
    // On a phone the strip is one line until it is opened; its text is always there for readers.
    this.unfold = el("button", { type: "button", class: "btn small unfold", "aria-expanded": "false", onclick: () => this.fold(this.box.classList.contains("unfolded")) }, "Open");
    this.box = el("section", { class: "lesson", "aria-label": "Lesson" }, el("header", {}, this.step, this.title, this.unfold, el("span", { class: "push acts" }, this.skip, this.anew, this.stop)), this.text, this.note);
    /** @type {any} */ this.table = null;
  }

  /** @param {boolean} folded */
  fold(folded) {
    this.box.classList.toggle("unfolded", !folded);
    this.unfold.setAttribute("aria-expanded", String(!folded));
    this.unfold.textContent = folded ? "Open" : "Fold";
  }

  keep() { keep(this.game, { lesson: this.lesson.kept }); }

  end() {
    keep(this.game, { lesson: null });
    this.box.remove();
    this.clear();
    this.table.lesson = null;
    announce("The lesson is ended; the battle goes on.");
    this.table.focus(true);
  }

  /** @param {any} event @param {number} version of what is on the table */
  hear(event, version) {
    if (!this.lesson.hear(event)) return;
    this.keep();
    if (version >= event.seq) this.paint();
  }

  // Painted with the table, by what is offered there.
  paint(table = this.table) {
    this.table = table;
    // A board that is drawn before its offers have come says nothing of what may be done.
    if (!table.now || table.yours && !table.over && table.list?.version !== table.version) return;
    const { choices, now, seat, yours, over } = table, asked = yours ? now.toMove.filter((/** @type {{seat: string}} */ each) => each.seat === seat) : [];
    const shown = this.lesson.look(asked, yours ? [...choices.all, ...choices.bare] : [], over), { steps } = this.lesson.script;
    const open = shown.state === "act" || shown.state === "meanwhile" || shown.state === "wait";
    if (!open && this.box.dataset.state !== shown.state) this.fold(false);
    this.box.dataset.state = shown.state;
    this.box.dataset.step = String(shown.place + 1);
    this.step.textContent = open ? `Step ${shown.place + 1} of ${steps.length}` : `${Object.keys(this.lesson.kept.done).length} of ${steps.length} steps done`;
    this.title.textContent = shown.title;
    this.skip.hidden = !open;
    this.anew.hidden = shown.state !== "over";
    this.stop.textContent = open ? "End the lesson" : "Close";
    const told = [shown.note, `${this.step.textContent}: ${shown.title}.`, shown.text].filter(Boolean).join(" ");
    if (told !== this.told) {
      this.text.replaceChildren(shown.text, ...ruleLinks(shown.rules));
      this.note.textContent = shown.note;
      this.told = told;
      announce(told);
    }
    this.mark(shown.wanted);
  }

  clear() {
    for (const each of document.querySelectorAll(".taught")) { each.classList.remove("taught"); each.removeAttribute("aria-describedby"); }
  }

  // Of what is lit, what leads to the step; where all of it does, nothing is marked beside.
  /** @param {any[]} wanted */
  mark(wanted) {
    this.clear();
    const { choices, offer, stage } = this.table, all = new Set(wanted), bare = choices.bare.filter((/** @type {any} */ item) => all.has(item));
    const leads = choices.options.filter((/** @type {{items: any[]}} */ { items }) => items.some((item) => all.has(item)));
    if (leads.length === choices.options.length && (!bare.length || bare.length === choices.bare.length)) return;
    const marked = [...leads.flatMap((/** @type {{id: string, key: string}} */ { id, key }) => [...offer.querySelectorAll(`.chips [data-id="${CSS.escape(id)}"]`), ...key ? stage.picture.querySelectorAll(`[data-lit][data-key="${CSS.escape(key)}"]`) : []]),
      ...bare.flatMap((/** @type {{command: {type: string}}} */ { command }) => [...offer.querySelectorAll(`.bare[data-type="${CSS.escape(command.type)}"]`)])];
    for (const each of marked) { each.classList.add("taught"); each.setAttribute("aria-describedby", "lesson-text"); }
  }
}
