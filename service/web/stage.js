// What a board lies on: fitted to its window, with pan, wheel and pinch; one listener for all pieces,
// one stop for Tab, arrows round what is lit.

import { el } from "./dom.js";
import { icon, s } from "./svg.js";

const SLIP = 8; // pixels that a finger may move and still tap
const DEEPEST = 6;
const PART = 0.7; // of the board: of less a narrow screen has the whole beside it, small

/** @typedef {{x: number, y: number, width: number, height: number}} Sight */
/** @typedef {{clientX: number, clientY: number}} Spot */

export class Stage {
  /** @param {string} label @param {{pick: (key: string, event: any) => void, look: (key: string) => void, back: () => void, turn?: () => void, drawn?: () => void, grip?: (event: any) => any}} on */
  constructor(label, on) {
    this.on = on;
    this.layers = Object.fromEntries(["ground", "places", "marks", "pieces", "above"].map((name) => [name, s("g", { class: `layer-${name}` })]));
    this.picture = s("svg", { class: "board", role: "group", "aria-label": label, preserveAspectRatio: "xMidYMid meet" }, Object.values(this.layers));
    const tool = (/** @type {string} */ id, /** @type {string} */ name, /** @type {() => void} */ act) => el("button", { type: "button", class: "btn icon", "aria-label": name, title: name, onclick: act }, icon(id));
    this.tools = el("div", { class: "boardtools" }, tool("i-plus", "Nearer", () => this.zoom(1.4)), tool("i-minus", "Farther", () => this.zoom(1 / 1.4)),
      tool("i-fit", "Fit to the window", () => this.fit()), on.turn ? tool("i-turn", "Turn the board", () => /** @type {() => void} */ (on.turn)()) : null);
    this.edges = el("p", { class: "boardcap place", "aria-hidden": "true" });
    this.frame = s("rect", { class: "sight" });
    this.dots = s("g", {});
    this.small = s("svg", { class: "smallmap off", "aria-hidden": "true" }, this.dots, this.frame);
    this.small.addEventListener("click", (event) => this._there(event));
    this.box = el("div", { class: "boardbox board" }, this.picture, this.edges, this.tools, this.small);
    this.size = { width: 100, height: 100 };
    /** @type {Sight | null} */ this.sight = null;
    this.touches = new Map();
    this._listen(this.picture);
    new ResizeObserver(() => this.show()).observe(this.box);
  }

  /** @param {Element} picture */
  _listen(picture) {
    const { on } = this;
    picture.addEventListener("click", (/** @type {any} */ event) => this._click(event));
    picture.addEventListener("keydown", (/** @type {any} */ event) => this._key(event));
    for (const name of ["pointerover", "focusin"]) picture.addEventListener(name, (/** @type {any} */ event) => on.look(keyOf(event.target)));
    picture.addEventListener("pointerleave", () => on.look(""));
    picture.addEventListener("wheel", (/** @type {any} */ event) => { if (this.html) return; event.preventDefault(); this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event); }, { passive: false });
    picture.addEventListener("pointerdown", (/** @type {any} */ event) => this._down(event));
    picture.addEventListener("pointermove", (/** @type {any} */ event) => this._move(event));
    for (const name of ["pointerup", "pointercancel"]) picture.addEventListener(name, (/** @type {any} */ event) => this.touches.delete(event.pointerId));
  }

  // A board that is made of elements in place of a picture: it is looked at and answered in the same way.
  /** @param {any} root */
  useHtml(root) {
    this._listen(root);
    this.picture.replaceWith(root);
    this.picture = root;
    this.html = true;
    this.tools.hidden = this.edges.hidden = true;
    this.small.remove();
    return root;
  }

  // Pixels of a unit of the picture.
  get scale() {
    const { clientWidth, clientHeight } = this.box, sight = this.sight ?? this._whole();
    return Math.min(clientWidth / sight.width, clientHeight / sight.height) || 1;
  }

  get wide() { return innerWidth > innerHeight; }

  // All of it; on a narrow screen its whole width, and of its height what there is room for: my edge, or what is lit.
  _whole() {
    const { clientWidth, clientHeight } = this.box, { width, height } = this.size;
    const seen = Math.max(this.reach ?? 0, clientWidth ? (width * clientHeight) / clientWidth : height);
    if (innerWidth > 700 || seen >= height) return { x: 0, y: 0, width, height };
    return { x: 0, y: Math.max(0, Math.min(this.middle === undefined ? height : this.middle - seen / 2, height - seen)), width, height: seen };
  }

  // What is lit is to be seen.
  /** @param {number[]} heights */
  reveal(heights) {
    if (!heights.length || this.sight) return;
    const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
    this.middle = (top + bottom) / 2;
    this.reach = Math.min(this.size.height, (bottom - top) * 1.15); // all of it, and a piece at each end is whole
    this.show();
  }

  /** @param {number} width @param {number} height */
  lay(width, height) {
    if (this.size.width !== width || this.size.height !== height) this.sight = null;
    this.size = { width, height };
    this.show();
  }

  // Whose edge is where: at both ends of a board that lies, above and below one that stands.
  /** @param {[string, string]} ends @param {boolean} lies */
  captions([near, far], lies) {
    this.edges.classList.toggle("stands", !lies);
    this.edges.replaceChildren(el("span", {}, lies ? near : far), el("span", {}, lies ? far : near));
  }

  // So near that a unit of length has so many pixels, with a point in the middle.
  /** @param {{x: number, y: number}} middle @param {number} pixels @param {number} unit */
  near({ x, y }, pixels, unit) {
    const width = (this.box.clientWidth / pixels) * unit, height = (this.box.clientHeight / pixels) * unit;
    this._look(x - width / 2, y - height / 2, width, height);
  }

  fit() { this.sight = null; this.show(); }

  show() {
    if (this.html) return;
    const { x, y, width, height } = this.sight ?? this._whole();
    this.picture.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.small.classList.toggle("off", innerWidth > 700 || width * height >= PART * this.size.width * this.size.height);
    this.small.setAttribute("viewBox", `0 0 ${this.size.width} ${this.size.height}`);
    for (const [name, value] of Object.entries({ x, y, width, height })) this.frame.setAttribute(name, String(value));
    requestAnimationFrame(() => this._dot()); // pieces are laid after their board
    const scale = /** @type {string} */ (this.scale.toFixed(3)), wide = /** @type {boolean} */ (this.wide);
    if (scale === this._scale && wide === this._wide) return;
    /** @type {string | undefined} */ this._scale = scale;
    /** @type {boolean | undefined} */ this._wide = wide;
    clearTimeout(this._later);
    this._later = setTimeout(() => this.on.drawn?.(), 30);
  }

  /** @param {number} factor @param {Spot} [at] */
  zoom(factor, at) {
    const old = this.sight ?? this._whole(), whole = this._whole();
    const width = Math.min(this.size.width, Math.max(whole.width / DEEPEST, old.width / factor));
    if (width >= this.size.width && factor < 1) { this.fit(); return; }
    const height = (old.height * width) / old.width;
    const middle = at ? this.point(at) : { x: old.x + old.width / 2, y: old.y + old.height / 2 };
    this._look(middle.x - ((middle.x - old.x) * width) / old.width, middle.y - ((middle.y - old.y) * height) / old.height, width, height);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  _look(x, y, width, height) {
    const keep = (/** @type {number} */ value, /** @type {number} */ part, /** @type {number} */ all) => Math.max(-part / 4, Math.min(value, all - (3 * part) / 4));
    this.sight = { x: keep(x, width, this.size.width), y: keep(y, height, this.size.height), width, height };
    this.show();
  }

  // Where pieces lie, on the small map.
  _dot() {
    if (this.small.classList.contains("off")) return;
    const r = this.size.width / 28;
    this.dots.replaceChildren(.../** @type {SVGGElement[]} */ ([...this.layers.pieces.children]).map((piece) => {
      const { x, y, width, height } = piece.getBBox();
      return s("circle", { cx: x + width / 2, cy: y + height / 2, r, class: `dot ${/\bs\d\b/.exec(/** @type {string} */ (piece.getAttribute("class")))?.[0] ?? ""}` });
    }));
  }

  // A press on the small map leads there.
  /** @param {Spot} at */
  _there({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(/** @type {any} */ (this.small).getScreenCTM().inverse()), { width, height } = this.sight ?? this._whole();
    this._look(x - width / 2, y - height / 2, width, height);
  }

  // Where a pointer is, in units of the picture.
  /** @param {Spot} at */
  point({ clientX, clientY }) {
    if (this.html) return { x: clientX, y: clientY };
    const turned = /** @type {SVGSVGElement} */ (this.picture).getScreenCTM()?.inverse();
    return turned ? new DOMPoint(clientX, clientY).matrixTransform(turned) : { x: 0, y: 0 };
  }

  /** @param {any} event */
  _down(event) {
    this.touches.set(event.pointerId, event);
    if (this.touches.size === 1) { this.began = event; this.slipped = false; }
    this.grip = this.on.grip?.(event) ?? null;
  }

  /** @param {any} event */
  _move(event) {
    const before = this.touches.get(event.pointerId);
    if (!before) return;
    this.touches.set(event.pointerId, event);
    if (this.touches.size === 2) { this._pinch(before, event); return; }
    if (Math.hypot(event.clientX - this.began.clientX, event.clientY - this.began.clientY) > SLIP) this.slipped = true;
    if (!this.slipped) return;
    if (this.grip) { this.grip(event, this.point(event)); return; }
    if (this.html) return;
    const sight = this.sight ?? this._whole();
    if (!this.sight && sight.height >= this.size.height) return;
    this.picture.setPointerCapture(event.pointerId);
    this._look(sight.x - (event.clientX - before.clientX) / this.scale, sight.y - (event.clientY - before.clientY) / this.scale, sight.width, sight.height);
  }

  /** @param {any} before @param {any} event */
  _pinch(before, event) {
    this.slipped = true;
    const other = [...this.touches.values()].find((each) => each.pointerId !== event.pointerId);
    const far = (/** @type {PointerEvent} */ one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    this.zoom(far(event) / far(before), { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 });
  }

  /** @param {any} event */
  _click(event) {
    if (this.slipped) { this.slipped = false; return; }
    if (event.target.closest?.("[data-handle]")) return; // a handle that is let go where it was answers nothing
    const key = keyOf(event.target);
    if (key) this.on.pick(key, event); else this.on.back();
  }

  get lit() { return [...this.picture.querySelectorAll("[data-lit]")]; }

  /** @param {any} event */
  _key(event) {
    const now = event.target.closest("[data-lit]");
    if ((event.key === "Enter" || event.key === " ") && now) { event.preventDefault(); this.on.pick(keyOf(now), event); return; }
    const way = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] })[event.key];
    if (!way || !now) return;
    event.preventDefault();
    event.stopPropagation();
    this.focus(nearest(now, this.lit, way));
  }

  // One stop for Tab: the lit thing that was last looked at, else the first.
  /** @param {any} element */
  focus(element) {
    const all = this.lit;
    for (const each of all) each.setAttribute("tabindex", each === element ? "0" : "-1");
    element?.focus({ preventScroll: true });
  }

  stop() {
    const all = this.lit;
    if (all.length && !all.some((each) => each.getAttribute("tabindex") === "0")) all[0].setAttribute("tabindex", "0");
  }
}

/** @param {any} element @returns {string} */
export function keyOf(element) { return element?.closest?.("[data-key]")?.getAttribute("data-key") ?? ""; }

// The nearest in that direction; where there is none, the farthest on the other side: arrows go round.
/** @param {Element} from @param {Element[]} all @param {[number, number]} way */
export function nearest(from, all, [right, down]) {
  const middle = (/** @type {Element} */ element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const each of all) {
    if (each === from) continue;
    const [a, b] = middle(each), ahead = (a - x) * right + (b - y) * down, beside = Math.abs((a - x) * down) + Math.abs((b - y) * right);
    const cost = ahead > 1 ? ahead + 2 * beside : 1e5 + ahead + 2 * beside;
    if (cost < least) { least = cost; best = each; }
  }
  return best ?? from;
}
