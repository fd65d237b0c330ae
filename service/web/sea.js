// War at Sea: the chart of 7 by 11 sectors, turned to the window, with its ships as tiles.
//
// The map comes from the picture that the service draws, once; all that lies and sails on it from the view of the game.

import { s } from "./svg.js";
import { brief, cut, number, plain, words } from "./words.js";

/** @typedef {import("./types.js").WarAtSeaState} State */
/** @typedef {import("./types.js").WarAtSeaUnit} Ship a unit as the state has it */
/** @typedef {{name: string, data: any}} Card of the catalogue */
/** @typedef {Record<string, Card>} Cards */
/** @typedef {[number, number]} Spot */
/** @typedef {"shoal" | "smoke" | "squall" | "fog" | "mine" | "absent"} Sign */
/** @typedef {{key: string, at: Spot, printed: string[], islands: Spot[][], signs: Sign[]}} Charted a sector as the map has it */
/** @typedef {Charted & {about: string}} Sector */
/** @typedef {{key: string, seat: string, name: string, kind: string, type: string, sector: string, base: string, flies: boolean, hull: {left: number, soon: number, all: number}, sub: string, state: string, doomed: boolean}} Unit as it is drawn */
/** @typedef {[left: number, top: number, wide: number, high: number, form: string]} Box */
/** @typedef {import("./stage.js").Stage} Stage */

const SIDE = 100; // units of a sector
const FINE = 60; // pixels of a sector from which on pieces bear names

export const KINDS = /** @type {Record<string, string>} */ ({
  Battleship: "bb", Carrier: "cv", Cruiser: "ca", Destroyer: "dd", "Torpedo Boat": "pt", Auxiliary: "ax", Submarine: "ss",
  Fighter: "fighter", "Dive Bomber": "dive-bomber", "Torpedo Bomber": "torpedo-bomber", "Patrol Bomber": "patrol-bomber",
});
const FLIES = new Set(["fighter", "dive-bomber", "torpedo-bomber", "patrol-bomber"]);

const PHASES = /** @type {[string, string[]][]} */ ([
  ["Set-up", ["sides", "fleets", "battle-zone", "first-deployer", "edges", "deployment"]],
  ["Initiative", ["initiative"]], ["Sea movement", ["sea-movement"]], ["Air", ["air-mission", "air-defense", "air-attack"]],
  ["Surface attack", ["surface-attack"]], ["Torpedoes", ["torpedo-attack", "submarine-attack"]], ["Return", ["air-return"]], ["Objectives", ["end-of-turn"]],
]);

// How signs stand beside each other; what the picture calls what lies somewhere for a while.
const SIGNS = /** @type {Sign[]} */ (["shoal", "smoke", "squall", "fog", "mine", "absent"]);
const PASSING = /^(smoke until turn \d+|squall|objective|mine \d+)$/;

export class Sea {
  turned = /** @type {boolean | null} */ (null);
  charted = [...bare()];
  sectors = /** @type {Sector[]} */ ([]);
  spots = /** @type {Map<string, {x: number, y: number, left: number, top: number, wide: number, high: number}> | null} */ (null);
  /** @type {State} */ state;
  /** @type {string} */ ground;
  lies = false;
  fine = false;
  scale = 1;
  least = 11;

  /** @param {string} seat */
  constructor(seat) { this.seat = seat; }

  /** @param {any} state */
  static fits(state) { return state?.units !== undefined && state.edges !== undefined; }

  // Which map is laid out; of all else the state tells.
  /** @param {State} state */
  static needs({ zone, customMap }) { return zone ? [JSON.stringify([zone, customMap])] : []; }

  /** @param {Element} picture */
  read(picture) {
    const sectors = [...picture.querySelectorAll("g.sector")].map((each) => {
      const box = each.querySelector(".sector-edge");
      const number = (/** @type {string} */ name) => Number(box?.getAttribute(name));
      return { key: each.getAttribute("data-key") ?? "", x: number("x"), y: number("y"), wide: number("width"), group: each };
    });
    if (!sectors.length) return;
    const cell = sectors[0].wide, west = Math.min(...sectors.map((each) => each.x)), north = Math.min(...sectors.map((each) => each.y));
    const grid = (/** @type {Spot} */ [x, y]) => /** @type {Spot} */ ([(x - west) / cell, (y - north) / cell]);
    this.charted = sectors.map(({ key, x, y, group }) => ({
      key, at: grid([x + cell / 2, y + cell / 2]), printed: (group.querySelector("title")?.textContent?.replace(/^sector [\d.]+:? ?/, "") ?? "").split(", ").filter((each) => each && !PASSING.test(each)),
      islands: [...group.querySelectorAll(".island")].map((each) => (each.getAttribute("points") ?? "").split(" ").map((pair) => grid(/** @type {Spot} */ (pair.split(",").map(Number))))),
      signs: /** @type {Sign[]} */ (["shoal", "fog", "absent"]).filter((name) => group.querySelector(`.${name}`)),
    }));
  }

  // The sectors as they are now: with what lies there for a while.
  /** @param {State} state @returns {Sector[]} */
  lying({ zone, smoke, squalls, objectives, mines }) {
    return (zone ? this.charted : [...bare()]).map((each) => {
      const name = each.key.replace("sector:", ""), many = mines.filter((sector) => sector === name).length;
      const here = { shoal: each.signs.includes("shoal"), smoke: name in smoke, squall: squalls.includes(name), fog: each.signs.includes("fog"), mine: many > 0, absent: each.signs.includes("absent") };
      const about = [...each.printed, here.smoke && `smoke until turn ${smoke[name]}`, here.squall && "squall", objectives.includes(name) && "objective", many && (many > 1 ? `${many} mines` : "mine")];
      return { ...each, about: about.filter(Boolean).join(", "), signs: SIGNS.filter((sign) => here[sign]) };
    });
  }

  /** @param {State} state */
  phases(state) {
    const now = PHASES.findIndex(([, steps]) => steps.includes(state.step.phase));
    const turn = state.turn ? `Turn ${state.turn}` : "Set-up";
    if (!state.turn) return { turn, names: state.step.phase === "over" ? [] : [words(state.step.phase)], now: 0 };
    return { turn, names: PHASES.slice(1).map(([name]) => name), now: now - 1 };
  }

  /** @param {State} state */
  edge(state) { return state.edges[this.seat] ?? "south"; }

  // A place of the chart (columns from the west, rows from the north) on the board as it lies.
  /** @param {Spot} spot @returns {Spot} */
  at([u, v]) {
    const south = this.side === "south";
    if (this.lies) return south ? [(11 - v) * SIDE, u * SIDE] : [v * SIDE, (7 - u) * SIDE];
    return south ? [u * SIDE, v * SIDE] : [(7 - u) * SIDE, (11 - v) * SIDE];
  }

  /** @param {string} key */
  place(key) { const found = this.sectors.find((each) => each.key === key); return found ? this.at(found.at) : null; }

  /** @param {State} state @param {Cards} cards */
  units(state, cards) {
    return Object.values(state.units).map((unit) => this.unit(unit, cards));
  }

  /** @param {Ship} unit @param {Cards} cards @returns {Unit} */
  unit(unit, cards) {
    const card = cards[unit.card], data = card?.data ?? {};
    const kind = KINDS[data.subtype || data.type] ?? "ax", hull = FLIES.has(kind) ? 0 : data.hullPoints ?? 0;
    const where = unit.sector || (unit.base === "airbase" ? "land airbase" : unit.base ? "aboard" : "off the map");
    const state = unit.doomed ? "doomed" : unit.aborted ? "aborted" : unit.rearming ? "rearms" : "";
    return { key: unit.id, seat: unit.seat, name: card?.name ?? unit.card, kind, type: (data.subtype || data.type || "").toLowerCase(), sector: unit.sector, base: unit.base,
      flies: FLIES.has(kind), hull: { left: hull - unit.damage - unit.pending, soon: unit.pending, all: hull }, sub: `${data.subtype || data.type || ""} · ${where}`, state, doomed: unit.doomed };
  }

  // A unit that is still to be deployed, for the list beside the board.
  /** @param {string} id @param {Cards} cards */
  fromCard(id, cards) {
    const data = cards[id]?.data ?? {}, kind = KINDS[data.subtype || data.type] ?? "ax", hull = FLIES.has(kind) ? 0 : data.hullPoints ?? 0;
    return { kind, flies: FLIES.has(kind), type: (data.subtype || data.type || "").toLowerCase(), sub: `${data.subtype || data.type || ""} · ${data.cost} points`, hull: { left: hull, all: hull } };
  }

  /** @param {Stage} stage @param {State} state @param {Cards} cards */
  sketch(stage, state, cards) {
    this.state = state;
    this.sectors = this.lying(state);
    this.chart = JSON.stringify(this.sectors.map(({ key, islands, signs }) => [key, islands, signs]));
    this.side = this.edge(state);
    this.lies = this.turned ?? stage.wide;
    stage.lay((this.lies ? 11 : 7) * SIDE, (this.lies ? 7 : 11) * SIDE);
    const scale = stage.scale;
    this.scale = scale;
    this.fine = scale * SIDE >= FINE;
    this.least = 11 / scale;
    const ground = [this.chart, this.lies, this.side, this.fine, scale.toFixed(2)].join();
    if (ground !== this.ground) { this.ground = ground; stage.layers.ground.replaceChildren(...this._ground()); }
    this.spots = new Map();
    stage.layers.places.replaceChildren(...this.sectors.map((each) => this._sector(each)));
    const crowds = /** @type {Map<string, Unit[]>} */ (new Map());
    for (const unit of this.units(state, cards)) {
      if (unit.sector && this.place(`sector:${unit.sector}`)) crowds.set(unit.sector, [...(crowds.get(unit.sector) ?? []), unit]);
    }
    const order = (/** @type {Unit} */ unit) => (unit.flies ? 2 : unit.kind === "ss" ? 1 : 0);
    const pieces = [...crowds].flatMap(([sector, crowd]) => {
      crowd.sort((one, other) => order(one) - order(other));
      const boxes = this.fine ? tiles(crowd.length) : tokens(crowd.length);
      const [x, y] = this.place(`sector:${sector}`) ?? [0, 0];
      return crowd.map((unit, place) => this._piece(unit, boxes[place], x, y));
    });
    stage.layers.pieces.replaceChildren(...pieces);
    stage.layers.above.replaceChildren(...state.objectives.map((sector) => this._objective(sector, state)));
    this._inhabit(crowds);
    const other = this.side === "south" ? "north" : "south";
    stage.captions(this.seat && state.edges[this.seat] ? [`my edge, ${this.side}`, `enemy edge, ${other}`] : [`${this.side} edge`, `${other} edge`], this.lies);
  }

  _ground() {
    const all = this.sectors.flatMap((each) => each.islands.map((outline) => coast(outline.map((point) => this.at(point)))));
    const rows = this.lies ? [1100, 700] : [700, 1100];
    const halves = [1, 3, 5, 7, 9].flatMap((v) => [[0, v], [6.5, v]].map(([u]) => {
      const [a, b] = this.at(/** @type {Spot} */ ([u, v])), [c, d] = this.at([u + 0.5, v + 1]);
      return s("rect", { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(c - a), height: Math.abs(d - b), class: "no" });
    }));
    const font = Math.max(11.5, this.least);
    return /** @type {any[]} */ ([
      s("defs", {}, s("pattern", { id: "wave", width: 60, height: 40, patternUnits: "userSpaceOnUse" }, s("path", { d: "M8 20q4-5 8 0t8 0M38 36q4-5 8 0t8 0", class: "ripple" })),
        s("pattern", { id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse" }, s("path", { d: "M0 8 8 0", class: "ripple" })),
        s("pattern", { id: "pat2", width: 6, height: 6, patternUnits: "userSpaceOnUse" }, s("path", { d: "M0 6 6 0", class: "pattern" }))),
      s("rect", { width: rows[0], height: rows[1], class: "water" }), s("rect", { width: rows[0], height: rows[1], fill: "url(#wave)" }), halves,
      all.map((d) => s("path", { d, class: "ring2" })), all.map((d) => s("path", { d, class: "ring3" })), all.map((d) => s("path", { d, class: "coast" })),
      this.sectors.map(({ key, at, signs }) => {
        const [x, y] = this.at(at);
        return [s("rect", { x: x - 50, y: y - 50, width: 100, height: 100, class: signs.includes("absent") ? "grid no" : "grid" }),
          signs.filter((sign) => sign !== "absent").map((sign, place) => s("use", { href: `#${sign}`, x: x + 18 - 30 * place, y: y - 46, width: 28, height: 28, class: "sign" })),
          this.fine ? s("text", { x: x - 45, y: y + 46, class: "coord", "font-size": font }, key.replace("sector:", "")) : null];
      }),
      s("rect", { width: rows[0], height: rows[1], class: "frame" }),
    ]).flat(Infinity).filter(Boolean);
  }

  /** @param {Sector} sector */
  _sector({ key, at, about }) {
    const [x, y] = this.at(at);
    return s("g", { class: "sector", "data-key": key, "data-about": about }, s("rect", { class: "hitbox", x: x - 48, y: y - 48, width: 96, height: 96, rx: 5 }));
  }

  /** @param {Map<string, Unit[]>} crowds */
  _inhabit(crowds) {
    this.said = new Map(this.sectors.map(({ key, about }) => {
      const name = key.replace("sector:", ""), crowd = crowds.get(name) ?? [];
      return [key, [name, about, crowd.length ? crowd.map((unit) => brief(unit.name)).join(", ") : "empty"].filter(Boolean).join(", ")];
    }));
  }

  /** @param {Unit} unit @param {Box} box @param {number} x @param {number} y */
  _piece(unit, [bx, by, wide, high, form], x, y) {
    const seat = number(unit.seat), mine = unit.seat === this.seat || !this.seat && seat === 1;
    const [left, top] = [x + bx, y + by];
    this.spots?.set(unit.key, { x: left + wide / 2, y: top + high / 2, left, top, wide, high });
    const name = `${plain(unit.name)}, ${mine ? "" : "enemy "}${unit.type}${unit.hull.all ? `, ${unit.hull.left} of ${unit.hull.all} hull points` : ""}${unit.state ? `, ${unit.state}` : ""}`;
    const plate = { x: left, y: top, width: wide, height: high, rx: 4 };
    const parts = /** @type {any[]} */ ([s("title", {}, name), s("rect", { ...plate, class: "ring0" }), s("rect", { ...plate, class: "ring" }), s("rect", { ...plate, class: "plate" }), seat > 1 ? s("rect", { ...plate, class: "pat" }) : null]);
    const font = Math.max(12, this.least), flip = !mine && !unit.flies;
    const draw = (/** @type {string} */ id, /** @type {number} */ ax, /** @type {number} */ ay, /** @type {number} */ w, /** @type {number} */ h) => s("use", { href: `#${id}`, width: w, height: h, transform: flip ? `translate(${ax + w} ${ay}) scale(-1 1)` : `translate(${ax} ${ay})` });
    const hull = (/** @type {number} */ ax, /** @type {number} */ ay, /** @type {number} */ size) => Array.from({ length: unit.hull.all }, (_, place) => s("rect", { x: ax + place * (size + 1.4), y: ay, width: size, height: size,
      class: place < unit.hull.left ? "hull" : place < unit.hull.left + unit.hull.soon ? "hull soon" : "hull off" }));
    if (form === "tile") {
      const art = high - font - 5;
      parts.push(unit.flies ? draw(unit.kind, left + wide / 2 - art / 2, top + 2, art, art) : draw(unit.kind, left + 8, top + 4, wide - 16, art - 1));
      parts.push(hull(left + wide - 3 - unit.hull.all * 6, top + 3.5, 4.6));
      parts.push(s("text", { x: left + wide / 2, y: top + high - 4.5, "text-anchor": "middle", "font-size": font }, cut(brief(unit.name), Math.floor((wide - 6) / (font * 0.58)))));
    } else if (form === "strip") {
      parts.push(unit.flies ? draw(unit.kind, left + 4, top + (high - 18) / 2, 18, 18) : draw(`${unit.kind}-s`, left + 3, top + 3, 23, 13.4), hull(left + 4, top + high - 5, 3));
      parts.push(s("text", { x: left + 29, y: top + high / 2 + font * 0.36, "font-size": font }, cut(brief(unit.name), Math.floor((wide - 32) / (font * 0.56)))));
    } else {
      parts.push(unit.flies ? draw(unit.kind, left + wide / 2 - (high - 6) / 2, top + 3, high - 6, high - 6) : draw(`${unit.kind}-s`, left + 3, top + 2, wide - 6, high - 11));
      const size = Math.min(5, (wide - 6) / Math.max(1, unit.hull.all) - 1.4);
      parts.push(hull(left + (wide - unit.hull.all * (size + 1.4)) / 2, top + high - 8, size));
    }
    if (unit.doomed) parts.push(s("path", { d: `M${left + 4} ${top + 4}L${left + wide - 4} ${top + high - 4}M${left + wide - 4} ${top + 4}L${left + 4} ${top + high - 4}`, class: "grave-mark" }));
    return s("g", { class: `piece s${seat}`, "data-key": unit.key, role: "img", "aria-label": name }, parts);
  }

  /** @param {string} sector @param {State} state */
  _objective(sector, state) {
    const [x, y] = this.place(`sector:${sector}`) ?? [0, 0];
    const by = state.claimed[sector], r = Math.max(12, 8 / this.scale);
    return s("g", { class: `goal-mark ${by ? `s${number(by)} claimed` : ""}`, "pointer-events": "none" }, s("circle", { cx: x + 50, cy: y - 50, r }),
      s("use", { href: "#objective", x: x + 50 - r * 0.67, y: y - 50 - r * 0.67, width: r * 1.34, height: r * 1.34 }));
  }

  /** @param {string} key */
  where(key) { const spot = this.spots?.get(key); if (spot) return spot; const place = this.place(key); return place ? { x: place[0], y: place[1], left: place[0] - 48, top: place[1] - 48, wide: 96, high: 96 } : null; }

  /** @param {string} key */
  label(key) { return this.said?.get(key); }

  // The sector in which a unit stands.
  /** @param {string} key */
  below(key) { const sector = this.state?.units[key]?.sector; return sector ? `sector:${sector}` : undefined; }
}

// Sectors of a map that is not laid out yet.
/** @returns {Generator<Charted>} */
function* bare() {
  for (let row = 11; row >= 1; row -= 1) {
    const many = row % 2 ? 7 : 6;
    for (let column = 1; column <= many; column += 1) yield { key: `sector:${row}.${column}`, at: [column - (row % 2 ? 0.5 : 0), 11.5 - row], printed: [], islands: [], signs: [] };
  }
}

// Boxes in a sector, from its middle: one tile, two, strips, then two and three columns.
/** @param {number} many @returns {Box[]} */
function tiles(many) {
  if (many === 1) return [[-46, -27, 92, 54, "tile"]];
  if (many === 2) return [[-46, -45, 92, 43, "tile"], [-46, 1, 92, 43, "tile"]];
  if (many <= 4) { const high = Math.min(30, 92 / many - 1.5); return Array.from({ length: many }, (_, n) => [-46, -46 + n * (high + 1.5), 92, high, "strip"]); }
  return grid(many, many <= 8 ? 2 : many <= 12 ? 3 : 4, 94);
}

/** @param {number} many @returns {Box[]} */
function tokens(many) {
  if (many === 1) return [[-40, -28, 80, 56, "token"]];
  return grid(many, many <= 4 ? 2 : many <= 9 ? 3 : 4, 98);
}

/** @param {number} many @param {number} columns @param {number} room @returns {Box[]} */
function grid(many, columns, room) {
  const rows = Math.ceil(many / columns), wide = room / columns - 2, high = Math.min(wide, room / rows - 2);
  return Array.from({ length: many }, (_, n) => [-room / 2 + (n % columns) * (wide + 2) + 1, -(rows * (high + 2)) / 2 + Math.floor(n / columns) * (high + 2) + 1, wide, high, "token"]);
}

// An outline with its corners rounded off.
/** @param {Spot[]} points */
function coast(points) {
  const between = (/** @type {Spot} */ a, /** @type {Spot} */ b) => `${((a[0] + b[0]) / 2).toFixed(1)} ${((a[1] + b[1]) / 2).toFixed(1)}`;
  return `M${between(points[points.length - 1], points[0])}${points.map((point, place) => `Q${point[0].toFixed(1)} ${point[1].toFixed(1)} ${between(point, points[(place + 1) % points.length])}`).join("")}Z`;
}
