// Which board a game is played on; for one that brings none of its own here, the picture that the service draws.

import { Hand } from "./hand.js";
import { Sea } from "./sea.js";
import { Tide } from "./tide.js";
import { s } from "./svg.js";
import { words } from "./words.js";

const OWN = /** @type {Record<string, any>} */ ({ "war-at-sea": Sea, "crimson-tide": Tide, "naval-battles": Hand });

/** @param {string} ruleset @param {any} state @param {string} seat @returns {any} */
export function boardFor(ruleset, state, seat) {
  const Own = OWN[ruleset];
  return Own?.fits(state, seat) ? new Own(seat) : new Picture(seat);
}

// What of a picture by the service the board takes in beside the state; null: the picture of each version is the board.
/** @param {string} ruleset @param {any} state @param {string} eyes @returns {string[] | null} */
export function needsOf(ruleset, state, eyes) {
  const Own = OWN[ruleset];
  return Own?.fits(state, /^p\d+$/.test(eyes) ? eyes : "") ? Own.needs(state) : null;
}

export class Picture {
  /** @type {SVGElement} */ drawn;
  /** @type {any} */ stage;

  /** @param {string} seat */
  constructor(seat) { this.seat = seat; }

  /** @param {SVGElement} picture */
  read(picture) { this.drawn = picture; }

  /** @param {any} state */
  phases(state) {
    const step = state?.step;
    return { turn: state?.turn ? `Turn ${state.turn}` : "", names: step?.phase ? [words(step.phase)] : [], now: 0 };
  }

  units() { return []; }

  /** @param {any} stage */
  sketch(stage) {
    const [, , width, height] = (this.drawn.getAttribute("viewBox") ?? "").split(" ").map(Number);
    stage.lay(width, height);
    const inner = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "decklog-board" }, [...this.drawn.cloneNode(true).childNodes].filter((each) => !["title", "desc"].includes(each.nodeName)));
    stage.layers.ground.replaceChildren(inner);
    this.stage = stage;
  }

  /** @param {string} key */
  where(key) {
    const found = this.stage?.picture.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!found) return null;
    const { x, y, width, height } = found.getBBox();
    return { x: x + width / 2, y: y + height / 2, left: x, top: y, wide: width, high: height };
  }

  /** @param {string} key */
  label(key) { return this.stage?.picture.querySelector(`[data-key="${CSS.escape(key)}"] > title`)?.textContent; }
}
