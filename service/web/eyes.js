// Another pair of eyes beside those of the desk: what each saw of the same moment, and what one of them alone did.

import { inline } from "./board.js";
import { boardFor } from "./boards.js";
import { el } from "./dom.js";
import { Film } from "./film.js";
import { Stage } from "./stage.js";
import { words } from "./words.js";

const MOST = 12;

export class OtherEyes {
  board = /** @type {any} */ (null);

  /** @param {{game: string, ruleset: string, token: string}} game @param {string} as @param {any} desk what a board asks of who shows it */
  constructor(game, as, desk) {
    this.as = as;
    this.ruleset = game.ruleset;
    this.desk = desk;
    this.film = new Film(() => ({ ...game, as }));
    this.box = el("div", { class: "beside-box" });
  }

  // The board of that version; the state as these eyes saw it.
  /** @param {number} version @returns {Promise<any>} */
  async at(version) {
    const { state, pictures } = await this.film.frame(version), seat = /^p\d+$/.test(this.as) ? this.as : "";
    const made = boardFor(this.ruleset, state, seat);
    if (this.board?.constructor !== made.constructor) {
      await made.load?.(this.ruleset);
      this.board = made;
      this.stage = new Stage("Board through other eyes", { pick() {}, look() {}, back() {}, turn() {}, drawn: () => this.sketch() });
      this.box.replaceChildren(el("p", { class: "eyes-of" }, `${whose(this.as)} saw`), this.stage.box);
    }
    this.state = state;
    for (const picture of pictures) this.board.read(inline(picture));
    this.sketch();
    return state;
  }

  sketch() { if (this.state) this.board.sketch(this.stage, this.state, this.desk.cards, this.desk); }
}

/** @param {string} as */
export function whose(as) { return as === "truth" ? "the judge" : as || "own eyes"; }

// Where two views of one moment are unlike, in words: what one knew and the other did not.
/** @param {any} one @param {any} other @returns {string[]} */
export function unlike(one, other) {
  if (Object.is(one, other)) return [];
  if (typeof one !== "object" || typeof other !== "object" || !one || !other || Array.isArray(one) !== Array.isArray(other)) return [""];
  if (Array.isArray(one) && one.length !== other.length) return [""];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) => unlike(one[name], other[name]).map((rest) => [words(name), rest].filter(Boolean).join(", ")));
}

/** @param {string} one @param {string} two @param {string[]} places */
export function unlikeList(one, two, places) {
  if (!places.length) return [el("p", {}, `${whose(one)} and ${whose(two)} saw the same of this moment.`)];
  return [el("h3", {}, `What ${whose(one)} and ${whose(two)} did not see alike`), el("ul", { class: "plain" }, places.slice(0, MOST).map((each) => el("li", {}, each || "all of it")), places.length > MOST ? el("li", {}, `and ${places.length - MOST} more`) : null)];
}
