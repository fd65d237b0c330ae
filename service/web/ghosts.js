// Two moments on one board: what lay elsewhere then, or is no more, as a ghost where it lay, with the way to where it is.

import { s } from "./svg.js";

/** @typedef {{x: number, y: number}} Spot */

/** Whether things lie on the board, so that they can have lain elsewhere. @param {any} board */
export function lieOn(board) { return board?.spots !== undefined; } // null: until it is sketched anew

/**
 * Sketches the other moment, keeps what of it lay elsewhere, and sketches the one that is shown; the ghosts.
 * @param {any} board @param {any} stage @param {any} then @param {any} now @param {any} cards @param {any} desk
 */
export function withGhosts(board, stage, then, now, cards, desk) {
  const lay = (/** @type {any} */ state) => new Map(board.units(state, cards).map((/** @type {any} */ { key, pose, sector }) => [key, JSON.stringify(pose ?? sector ?? "")]));
  const [before, after] = [lay(then), lay(now)];
  board.sketch(stage, then, cards, desk);
  const pieces = /** @type {SVGElement[]} */ ([...stage.layers.pieces.children]);
  const past = pieces.map((piece) => /** @type {[SVGElement, string]} */ ([piece, piece.getAttribute("data-key") ?? ""]))
    .filter(([, key]) => before.get(key) !== after.get(key)).map(([piece, key]) => /** @type {[SVGElement, string, Spot]} */ ([piece, key, board.spots.get(key)]));
  board.sketch(stage, now, cards, desk);
  return past.flatMap(([piece, key, from]) => ghost(piece, key, from, board.spots.get(key)));
}

/** @param {SVGElement} piece @param {string} key @param {Spot} from @param {Spot | undefined} to */
function ghost(piece, key, from, to) {
  for (const name of ["data-key", "role", "tabindex"]) piece.removeAttribute(name);
  piece.setAttribute("aria-hidden", "true");
  piece.setAttribute("data-ghost", key);
  piece.classList.add("past");
  const way = to && s("path", { class: "route", d: `M${from.x} ${from.y}L${to.x} ${to.y}` });
  return way ? [way, piece] : [piece];
}
