// Which board a game is played on; for one that brings none of its own here, the picture that the service draws.

import { Hand } from "./hand.js";
import { Sea } from "./sea.js";
import { Tide } from "./tide.js";
import { s } from "./svg.js";
import { words } from "./words.js";

const OWN = { "war-at-sea": Sea, "crimson-tide": Tide, "naval-battles": Hand };

export function boardFor(ruleset, state, seat) {
  const Own = OWN[ruleset];
  return Own?.fits(state, seat) ? new Own(seat) : new Picture(seat);
}

// What of a picture by the service the board takes in beside the state; null: the picture of each version is the board.
export function needsOf(ruleset, state, eyes) {
  const Own = OWN[ruleset];
  return Own?.fits(state, /^p\d+$/.test(eyes) ? eyes : "") ? Own.needs(state) : null;
}

export class Picture {
  constructor(seat) { this.seat = seat; }

  read(picture) { this.drawn = picture; }

  phases(state) {
    const step = state?.step;
    return { turn: state?.turn ? `Turn ${state.turn}` : "", names: step?.phase ? [words(step.phase)] : [], now: 0 };
  }

  units() { return []; }

  sketch(stage) {
    const [, , width, height] = this.drawn.getAttribute("viewBox").split(" ").map(Number);
    stage.lay(width, height);
    const inner = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "decklog-board" }, [...this.drawn.cloneNode(true).childNodes].filter((each) => !["title", "desc"].includes(each.nodeName)));
    stage.layers.ground.replaceChildren(inner);
    this.stage = stage;
  }

  where(key) {
    const found = this.stage?.picture.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!found) return null;
    const { x, y, width, height } = found.getBBox();
    return { x: x + width / 2, y: y + height / 2, left: x, top: y, wide: width, high: height };
  }

  label(key) { return this.stage?.picture.querySelector(`[data-key="${CSS.escape(key)}"] > title`)?.textContent; }
}
