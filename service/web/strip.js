// The strip of turns below the board: hits, losses and claims by seat, everybody's luck, and where the desk stands.

import { s } from "./svg.js";
import { number } from "./words.js";

const HEAD = 22, LANE = 19, CURVE = 44, LEFT = 8;

export class Strip {
  cut = 0; // the version at which a clip begins
  now = 1;
  wide = 600;
  told = /** @type {(Course & {marks: Mark[], turns: ReturnType<typeof turnsOf>}) | null} */ (null);
  head = s("path", { class: "playhead" });
  part = s("rect", { class: "cut" });
  blocks = /** @type {(SVGElement | null)[][]} */ ([]);

  /** @param {(version: number) => void} go somebody points at a moment */
  constructor(go) {
    this.go = go;
    this.picture = s("svg", { class: "strip", role: "img", "aria-label": "The course of the game" });
    this.picture.addEventListener("click", (event) => go(this.version(event.offsetX)));
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }

  /** @param {Course} what */
  tell(what) {
    this.told = { ...what, marks: [...what.events.flatMap(marksOf), ...(what.turning ?? []).map(turnedAt)], turns: turnsOf(what.chapters, what.latest) };
    this.draw();
  }

  /** @param {number} version */
  x(version) { return LEFT + ((version - 1) / Math.max(1, this.latest - 1)) * (this.wide - 2 * LEFT); }

  /** @param {number} x */
  version(x) { return 1 + Math.round(((x - LEFT) / (this.wide - 2 * LEFT)) * (this.latest - 1)); }

  get latest() { return this.told?.latest ?? 1; }

  draw() {
    if (!this.told) return;
    const { seats, turns, marks, luck } = this.told;
    this.wide = this.picture.clientWidth || 600;
    const lanes = Math.min(seats.length, 6), high = HEAD + lanes * LANE + 6 + CURVE;
    this.picture.setAttribute("viewBox", `0 0 ${this.wide} ${high}`);
    this.picture.style.height = `${high}px`;
    const lane = (/** @type {string} */ seat) => HEAD + LANE * (Math.max(0, seats.indexOf(seat)) + 0.5) + 2;
    this.part.setAttribute("y", String(HEAD - 4));
    this.part.setAttribute("height", String(high - HEAD + 4));
    this.blocks = turns.map((turn) => this._block(turn, high));
    this.picture.replaceChildren(...this.blocks.flat().flatMap((each) => each ?? []),
      ...seats.map((seat) => s("path", { class: "lane", d: `M${LEFT} ${lane(seat)}H${this.wide - LEFT}` })),
      ...marks.map((mark) => this._mark(mark, lane(mark.seat))), ...this._luck(luck ?? [], seats, high), this.part, this.head);
    this.stand(this.now);
  }

  /** @param {{name: string, first: number, last: number}} turn @param {number} high */
  _block({ name, first, last }, high) {
    const x = this.x(first), wide = Math.max(2, this.x(last + 1) - x - 1), fits = wide > name.length * 6.5;
    return [s("rect", { class: "turn-block", "data-first": first, "data-last": last, x, y: 0, width: wide, height: HEAD - 4 }, s("title", {}, name)),
      s("path", { class: "lane", d: `M${x} ${HEAD}V${high}` }),
      fits || wide > 14 ? s("text", { "data-first": first, x: x + wide / 2, y: 13, "text-anchor": "middle", "font-size": 12 }, fits ? name : name.replace(/\D+/, "") || "·") : null];
  }

  // A tick is a hit, a cross a loss, an anchor a claim.
  /** @param {Mark} mark @param {number} y */
  _mark({ what, seq, seat, text }, y) {
    const x = this.x(seq), title = s("title", {}, text);
    if (what === "turning") return s("text", { class: `mark s${number(seat)} turning`, "data-mark": what, x, y: y + 5, "text-anchor": "middle", "font-size": 15 }, title, "?");
    if (what === "claimed") return s("g", { class: `mark s${number(seat)}`, "data-mark": what }, title, s("use", { href: "#objective", x: x - 8, y: y - 8, width: 16, height: 16 }));
    const d = what === "lost" ? `M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}` : `M${x} ${y - 4}V${y + 4}`;
    return s("g", { class: `mark s${number(seat)} ${what}`, "data-mark": what }, title, s("path", { d }));
  }

  // How far each seat is ahead of what its dice promised.
  /** @param {Course["luck"]} points @param {string[]} seats @param {number} high */
  _luck(points, seats, high) {
    const most = Math.max(1000, ...points.map(({ ahead }) => Math.abs(ahead))), middle = high - CURVE / 2 - 2;
    const y = (/** @type {number} */ ahead) => middle - (ahead / most) * (CURVE / 2 - 3);
    return [s("path", { class: "even", d: `M${LEFT} ${middle}H${this.wide - LEFT}` }), ...seats.map((seat) => {
      const own = points.filter((point) => point.seat === seat);
      const d = own.map(({ seq, ahead }) => `H${this.x(seq).toFixed(1)}V${y(ahead).toFixed(1)}`).join("");
      return own.length ? s("path", { class: `luck-line s${number(seat)}`, "data-luck": seat, d: `M${LEFT} ${middle}${d}H${this.wide - LEFT}` }, s("title", {}, `Luck of ${seat}`)) : null;
    })].filter((each) => each !== null);
  }

  // Where a clip begins; 0: none is being cut.
  /** @param {number} version */
  mark(version) {
    this.cut = version;
    this.stand(this.now);
  }

  /** @param {number} version */
  stand(version) {
    this.now = version;
    const turns = this.told?.turns;
    if (!turns) return;
    const x = this.x(version), high = /** @type {SVGSVGElement} */ (this.picture).viewBox.baseVal.height;
    this.head.setAttribute("d", `M${x} ${HEAD + 5}l-6 -9h12zV${high}`);
    const from = this.x(this.cut || version);
    this.part.setAttribute("x", String(Math.min(from, x)));
    this.part.setAttribute("width", String(Math.abs(x - from)));
    this.blocks.forEach(([block, , name], place) => {
      const { first = 0, last = 0 } = turns[place] ?? {}, on = first <= version && version <= last;
      for (const each of [block, name]) each?.classList.toggle("on", on);
    });
  }
}

// Whose unit it was, or who did it where the event names nobody.
/** @typedef {{what: string, seq: number, seat: string, text: string}} Mark */
/** @typedef {{latest: number, seats: string[], chapters: {turn: number, first: number}[], events: any[], luck: {seq: number, seat: string, ahead: number}[], turning?: any[]}} Course */

/** @param {any} event @returns {Mark[]} */
function marksOf(event) {
  const made = event.roles.filter((/** @type {any} */ { role }) => role === "damaged" || role === "lost")
    .map((/** @type {any} */ { role, seat, unit }) => ({ what: role, seq: event.seq, seat: seat || /^p\d+(?=-)/.exec(unit)?.[0] || event.actor, text: event.text.en }));
  if (/-claimed$/.test(event.type)) made.push({ what: "claimed", seq: event.seq, seat: event.data.seat ?? event.actor, text: event.text.en });
  return made;
}

// A decision that gave much away.
/** @param {any} decision @returns {Mark} */
function turnedAt({ event, seat, chosen, advised }) { return { what: "turning", seq: event, seat, text: `${chosen.text}; rather ${advised.text}` }; }

/** @param {{turn: number, first: number}[]} chapters @param {number} latest */
export function turnsOf(chapters, latest) {
  const turns = /** @type {{turn: number, first: number, last: number, name: string}[]} */ ([]);
  for (const { turn, first } of chapters) {
    if (turns.at(-1)?.turn !== turn) turns.push({ turn, first, last: latest, name: turn ? `Turn ${turn}` : "Set-up" });
  }
  turns.forEach((turn, place) => { turn.last = (turns[place + 1]?.first ?? latest + 1) - 1; });
  return turns;
}
