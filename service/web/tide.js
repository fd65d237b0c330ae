// Crimson Tide: the table in klicks, bases to scale; moves and places are dragged, by handle or by the numbers.
//
// The fan comes from a unit's own template, ghosts from one's own card: other units are left out, and
// nothing is measured that is not declared. Headings are degrees; the record counts in halves of them.

import { post } from "./api.js";
import { el, saying } from "./dom.js";
import { icon, s } from "./svg.js";
import { brief, cut, number, plain, words } from "./words.js";

const UNIT = 20; // of the picture to a klick
const KINDS = { Battleship: "bb", Battlecruiser: "bb", "Fleet Carrier": "cv", "Light Carrier": "cv", "Escort Carrier": "cv", Cruiser: "ca", Destroyer: "dd", Submarine: "ss", Fighter: "fighter", "Dive Bomber": "dive-bomber", "Torpedo Bomber": "torpedo-bomber", "Patrol Bomber": "patrol-bomber" };
const FLIES = new Set(["fighter", "dive-bomber", "torpedo-bomber", "patrol-bomber"]);
const PHASES = [["Dives", ["dive", "dives", "diving"]], ["Naval movement", ["movement"]], ["Air", ["air", "air-mission", "air-attack", "air-defense"]], ["Surface attack", ["surface", "surface-attack", "gunnery"]], ["Submarine attack", ["submarine", "submarine-attack"]], ["Transit", ["transit", "end", "end-of-turn"]]];
// Length and width of a base by its size, in the record's units of length.
const BASES = { capital: [100000, 30000], large: [90000, 25000], medium: [80000, 20000], small: [50000, 20000] };
const FADES = 0.5; // of the table's length
// By arc its two edges: the corner of the base (ahead, to starboard) and the way from there.
const ARCS = { forward: [[1, -1, 1, -1], [1, 1, 1, 1]], starboard: [[1, 1, 1, 1], [-1, 1, -1, 1]], aft: [[-1, 1, -1, 1], [-1, -1, -1, -1]], port: [[-1, -1, -1, -1], [1, -1, 1, -1]] };
const half = (degrees) => Math.round(2 * degrees);

export class Tide {
  constructor(seat) { this.seat = seat; this.turned = null; }

  static fits(state) { return state?.units !== undefined && state.options?.klick !== undefined; }

  // The state tells all that lies on the table, the cards how large bases are.
  static needs() { return []; }

  read() { /* nothing is taken from the picture */ }

  phases(state) {
    const now = PHASES.findIndex(([, steps]) => steps.includes(state.step.phase));
    const turn = state.turn ? `Turn ${state.turn}` : "Set-up";
    return now < 0 || !state.turn ? { turn, names: [words(state.step.phase)], now: 0 } : { turn, names: PHASES.map(([name]) => name), now };
  }

  get south() {
    const order = this.state.seats.indexOf(this.seat), first = this.state.options.home !== "north";
    return order < 0 ? true : (order % 2 === 0) === first;
  }

  // Klicks (east, north) on the board as it lies: my edge left or below.
  at([e, n]) {
    const { width, length } = this.state.options;
    const [u, v] = this.south ? [e, n] : [width - e, length - n];
    return this.lies ? [v * UNIT, u * UNIT] : [u * UNIT, (length - v) * UNIT];
  }

  back([x, y]) {
    const { width, length } = this.state.options;
    const [u, v] = this.lies ? [y / UNIT, x / UNIT] : [x / UNIT, length - y / UNIT];
    return this.south ? [u, v] : [width - u, length - v];
  }

  klicks({ x, y }) { return [x / this.state.options.klick, y / this.state.options.klick]; }

  units(state, cards) {
    return Object.values(state.units).map((unit) => {
      const data = cards[unit.card]?.data ?? {}, kind = KINDS[data.type] ?? (/Carrier/.test(data.type) ? "cv" : "ax"), flies = FLIES.has(kind) || data.kind === "aircraft";
      const hull = flies ? 0 : data.hullPoints ?? 0;
      return { key: unit.id, seat: unit.seat, name: cards[unit.card]?.name ?? unit.card, kind, flies, type: (data.type ?? "").toLowerCase(), hull: { left: hull - unit.hullLost - unit.pending, soon: unit.pending, all: hull },
        sub: `${data.type ?? ""}${data.movement && !flies ? ` · ${data.movement} klicks` : ""}`, state: unit.doomed ? "doomed" : unit.submerged ? "submerged" : "", doomed: unit.doomed, pose: unit.pose };
    });
  }

  sketch(stage, state, cards, table) {
    Object.assign(this, { state, stage, cards, table });
    const { width, length } = state.options;
    this.lies = this.turned ?? stage.wide;
    stage.lay((this.lies ? length : width) * UNIT, (this.lies ? width : length) * UNIT);
    this.spots = new Map();
    const lines = [];
    for (let k = 5; k < Math.max(width, length); k += 5) {
      if (k < width) lines.push([[k, 0], [k, length]]);
      if (k < length) lines.push([[0, k], [width, k]]);
    }
    const path = (points) => `M${points.map((point) => this.at(point).map((n) => n.toFixed(1)).join(" ")).join("L")}Z`;
    stage.layers.ground.replaceChildren(s("defs", {}, s("pattern", { id: "wave", width: 60, height: 40, patternUnits: "userSpaceOnUse" }, s("path", { d: "M8 20q4-5 8 0t8 0M38 36q4-5 8 0t8 0", class: "ripple" })), s("pattern", { id: "pat2", width: 6, height: 6, patternUnits: "userSpaceOnUse" }, s("path", { d: "M0 6 6 0", class: "pattern" }))),
      s("rect", { width: stage.size.width, height: stage.size.height, class: "water" }), s("rect", { width: stage.size.width, height: stage.size.height, fill: "url(#wave)" }), ...lines.map((line) => s("path", { d: path(line), class: "grid faint-grid" })), ...this._lying(path),
      s("rect", { width: stage.size.width, height: stage.size.height, class: "frame" }));
    stage.layers.places.replaceChildren();
    stage.layers.pieces.replaceChildren(...this.units(state, cards).filter((unit) => unit.pose).map((unit) => this._piece(unit)));
    const mine = this.south ? "south" : "north";
    stage.captions(this.seat ? [`my edge, ${mine}`, `enemy edge, ${mine === "south" ? "north" : "south"}`] : ["south edge", "north edge"], this.lies);
    this.plan?.draw();
  }

  // Land and shallows, storms, objectives, each with what it is.
  _lying(path) {
    const { land, storms, objectives, options: { klick } } = this.state, font = Math.max(12, 11 / this.stage.scale), spot = ([x, y]) => this.klicks({ x, y });
    const told = (name, shape, at, text) => { const [x, y] = this.at(spot(at)); return s("g", { role: "img", "aria-label": name }, s("title", {}, name), shape, s("text", { x, y: y + UNIT + font, "text-anchor": "middle", class: "under", "font-size": font }, text)); };
    return [
      ...land.map(({ corners, shallow, hardness }) => s("path", { d: path(corners.map(spot)), class: shallow ? "shallows" : "coast" }, s("title", {}, shallow ? "shallows" : `${hardness} land`))),
      ...storms.map(({ id, at, radius }) => { const [cx, cy] = this.at(spot(at)); return told(`storm ${id}`, s("circle", { cx, cy, r: (radius / klick) * UNIT, class: "storm" }), at, "storm"); }),
      ...objectives.map(({ id, at, points, kind, turns, landed }) => {
        const [x, y] = this.at(spot(at)), held = Object.entries(turns).filter(([, many]) => many).map(([seat, many]) => `${seat} ${many}`);
        const text = [`${points} points`, ...held, ...(landed.length ? [`${landed.length} landed`] : [])].join(", ");
        return told(`objective ${id} (${kind}): ${text}`, s("use", { href: "#objective", x: x - UNIT, y: y - UNIT, width: 2 * UNIT, height: 2 * UNIT }), at, text);
      }),
    ];
  }

  _piece(unit) {
    const [x, y] = this.at(this.klicks(unit.pose)), least = 12 / this.stage.scale;
    const size = this.size(unit.key), mine = unit.seat === this.seat, seat = number(unit.seat), font = Math.max(12, 11 / this.stage.scale);
    this.spots.set(unit.key, { x, y, left: x - UNIT * 2, top: y - UNIT, wide: UNIT * 4, high: UNIT * 2 });
    const d = this.outline(unit.pose, size);
    const name = `${plain(unit.name)}, ${mine ? "" : "enemy "}${unit.type}${unit.hull.all ? `, ${unit.hull.left} of ${unit.hull.all} hull points` : ""}, at ${this.spot(unit.pose)}, heading ${heading(unit.pose.heading)}${unit.state ? `, ${unit.state}` : ""}`;
    const turn = this.course(unit.pose.heading);
    const [long] = size;
    return s("g", { class: `piece s${seat}`, "data-key": unit.key, role: "img", "aria-label": name }, s("title", {}, name), s("circle", { cx: x, cy: y, r: Math.max(least, UNIT * 0.6), class: "reach" }), s("path", { d, class: "ring0" }), s("path", { d, class: "ring" }), s("path", { d, class: "plate" }), seat > 1 ? s("path", { d, class: "pat" }) : null,
      s("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)})` }, s("use", { href: `#${unit.flies ? unit.kind : `${unit.kind}-plan`}`, x: (-long * UNIT * 32) / 240, y: (-long * UNIT) / 2.1, width: (long * UNIT * 32) / 120, height: (long * UNIT) / 1.05 }), s("path", { d: `M-4 ${-long * UNIT * 0.5}L0 ${-long * UNIT * 0.5 - 7}L4 ${-long * UNIT * 0.5}Z`, class: "bow" })),
      s("text", { x, y: y + UNIT * 0.9 + font, "text-anchor": "middle", class: "under", "font-size": font }, this.stage.scale < 0.6 ? "" : cut(brief(unit.name), 16)));
  }

  // Length and width of a unit's base in klicks.
  size(key) { return this.sizeOf(this.state.units[key]?.card); }

  sizeOf(card) {
    const [long, wide] = BASES[this.cards[card]?.data.size] ?? BASES.small, { klick } = this.state.options;
    return [long / klick, wide / klick];
  }

  // Degrees clockwise from up, on the board as it lies.
  course(ticks) { return ticks / 2 + (this.south ? 0 : 180) + (this.lies ? 90 : 0); }

  outline(pose, [long, wide]) {
    const [e, n] = this.klicks(pose), a = (pose.heading * Math.PI) / 360, ahead = [Math.sin(a), Math.cos(a)], right = [Math.cos(a), -Math.sin(a)];
    const corner = (f, r) => this.at([e + (ahead[0] * f * long) / 2 + (right[0] * r * wide) / 2, n + (ahead[1] * f * long) / 2 + (right[1] * r * wide) / 2]).map((v) => v.toFixed(1)).join(" ");
    return `M${corner(1, -1)}L${corner(1, 1)}L${corner(-1, 1)}L${corner(-1, -1)}Z`;
  }

  spot(pose) { return `(${this.klicks(pose).map((each) => each.toFixed(1)).join(", ")})`; }

  nameOf(id) { const unit = this.state.units[id]; return unit ? brief(this.cards[unit.card]?.name ?? unit.card) : words(id); }

  where(key) { return this.spots?.get(key) ?? null; }

  label(key) { const piece = this.stage?.picture.querySelector(`[data-key="${CSS.escape(key)}"]`); return piece?.getAttribute("aria-label") ?? undefined; }

  // --- orders that are free in their numbers ---

  offered(offer) {
    this.moves = new Map(offer.templates.filter((each) => each.type.endsWith(".move")).map((each) => [each.schema.properties.unit?.const, each]));
    this.placing = offer.templates.filter((each) => each.type.endsWith(".place"));
    this.plan = null;
    this.offer = offer;
    this.measured = new Map();
  }

  lit(table) {
    const { choices } = table, chosen = choices.answers[0]?.option;
    const before = this.plan?.key;
    if (!chosen || !table.yours) this.plan = null;
    else if (choices.role === "path" && this.moves?.has(chosen.key)) { if (before !== chosen.key) this.plan = this.begun(new Course(this, chosen.key, this.moves.get(chosen.key))); }
    else if (chosen.role === "card" && choices.role === "place") { if (before !== chosen.key) this.plan = this.begun(new Setting(this, chosen, this.placing)); }
    else this.plan = null;
    if (this.free && table.yours && choices.role === "target") this.measure(choices, table);
    this.stage.layers.places.querySelector(".bearing")?.remove();
    if (this.plan) this.plan.draw(); else { this.stage.layers.above.replaceChildren(); this.stage.layers.places.append(s("g", { class: "bearing" }, ...this.bearing(choices))); }
  }

  // Where the chosen mount bears: from the corners of the base, at 45 degrees. It fades and does not end,
  // as far for each weapon as for any other: a drawn range would be measured.
  bearing(choices) {
    const told = (role) => choices.answers.find(({ option }) => option.role === role)?.option.key;
    const arc = ARCS[told("arc")], pose = this.state.units[told("unit")]?.pose;
    if (!arc || !pose) return [];
    const [long, wide] = this.size(told("unit")), [e, n] = this.klicks(pose), a = (pose.heading * Math.PI) / 360, far = FADES * this.state.options.length;
    const spot = (ahead, right) => this.at([e + Math.sin(a) * ahead + Math.cos(a) * right, n + Math.cos(a) * ahead - Math.sin(a) * right]);
    const edges = arc.map(([f, r, df, dr]) => [[(f * long) / 2, (r * wide) / 2], [(f * long) / 2 + df * far, (r * wide) / 2 + dr * far]].map((point) => spot(...point).map((v) => v.toFixed(1)).join(" ")));
    const [cx, cy] = spot(0, 0), [[one, two], [three, four]] = edges;
    return [s("defs", {}, s("radialGradient", { id: "bears", gradientUnits: "userSpaceOnUse", cx, cy, r: far * UNIT }, s("stop", { offset: 0, class: "bears-near" }), s("stop", { offset: 1, class: "bears-far" }))),
      s("path", { d: `M${one}L${two}L${four}L${three}Z`, class: "bears", fill: "url(#bears)" }), s("path", { d: `M${one}L${two}M${three}L${four}`, class: "bears-edge" })];
  }

  // What is shown first is judged, too.
  begun(plan) { plan.later = setTimeout(() => plan === this.plan && plan.check(), 250); return plan; }

  get free() { return this.state.options.measuring === "free"; }

  // By agreement everybody may measure before declaring: the service tells what it would measure of each target.
  async measure(choices, table) {
    const { measured } = this; // choices and position may be others when an answer comes
    const asked = choices.options.filter(({ items }) => items.length === 1).map((option) => [option, this._shot(choices, option.id)]).filter(([, shot]) => !measured.has(shot));
    for (const [, shot] of asked) measured.set(shot, "");
    for (const [option, shot] of asked) {
      const told = await post(`/v1/games/${table.game}/commands/check`, option.items[0].command, { token: table.token }).catch(() => ({}));
      if (told.preview) measured.set(shot, measure(told.preview));
    }
    if (asked.length && table.choices === choices) table.paint();
  }

  // A target is measured anew from another mount.
  _shot(choices, id) { return [...choices.answers.map(({ option }) => option.id), id].join(); }

  note(choices, table) { return this.plan?.note ?? (choices.role === "target" && !this.free ? "Every legal target is ringed; nothing is measured before it is declared." : undefined); }

  // What is printed for a mount, band by band.
  tells(option, table) {
    if (option.role === "target") return this.measured?.get(this._shot(table.choices, option.id)) || undefined;
    const told = (role) => table.choices.answers.find((each) => each.option.role === role)?.option.key, { card } = this.state.units[told("unit")] ?? {}, data = this.cards[card]?.data;
    if (option.role !== "arc" || !data) return undefined;
    const dice = data[told("weapon")] ?? data[{ starboard: "broadside", port: "broadside" }[option.key] ?? option.key];
    return dice?.length ? `dice by band ${dice.join(" · ")}` : undefined;
  }

  ways() { return this.plan ? [this.plan.go()] : []; }

  dial() { return this.plan ? [this.plan.dial()] : []; }

  question(choices) {
    const name = plain(choices.answers[0]?.option.text ?? "");
    return this.plan ? `${name}: ${choices.role === "path" ? "order its move" : "set it up"}` : undefined;
  }

  dropped() { this.plan = null; if (innerWidth <= 700) this.stage.fit(); }

  // A unit that is still to be set up, for the list beside the board.
  fromCard(id, cards) {
    const data = cards[id]?.data ?? {}, kind = KINDS[data.type] ?? (/Carrier/.test(data.type) ? "cv" : "ax");
    return { kind, flies: FLIES.has(kind), type: (data.type ?? "").toLowerCase(), sub: `${data.type ?? ""}${data.size ? ` · ${data.size} base` : ""}`, hull: { left: data.hullPoints ?? 0, all: FLIES.has(kind) ? 0 : data.hullPoints ?? 0 } };
  }

  grip(event) { return this.plan?.grip(event) ?? null; }

  get bubbles() { return true; }
}

// What would be measured, in words.
function measure({ band, dice, least, impossible }) {
  const at = band === undefined ? "" : `range ${band}`;
  return [at, impossible ? `impossible: ${words(impossible)}` : dice ? `${dice} dice, ${least} or more hit` : ""].filter(Boolean).join(": ");
}

function heading(ticks) { return String(Math.round((((ticks % 720) + 720) % 720) / 2) % 360).padStart(3, "0"); }

// A move by klicks and one turn before each of them: the end is dragged, or told by the numbers.
class Course {
  constructor(board, key, template) {
    Object.assign(this, { board, key, template });
    const { path } = template.schema.properties;
    this.most = path.maxItems;
    this.limit = path.items.maximum / 2;
    // Where the first klick has to be straight, turns begin with the second.
    this.straight = (template.schema.oneOf ?? []).filter((way) => way.properties.astern?.const === false).some((way) => way.properties.path?.prefixItems?.[0]?.const === 0);
    this.klicks = this.most;
    this.degrees = 0;
    this.least = (template.schema.oneOf ?? [])[0]?.properties.path?.minItems ?? 1;
    this.pose = board.state.units[key].pose;
    const [x, y] = board.at(board.klicks(this.pose));
    if (innerWidth <= 700) board.stage.near({ x, y }, 16, UNIT);
    this.note = `Up to ${this.most} klicks, up to ${this.limit}° before each${this.straight ? " but the first" : ""}. The fan does not know of other ships.`;
  }

  path(klicks = this.klicks, degrees = this.degrees) { return Array.from({ length: klicks }, (_, place) => (this.straight && !place ? 0 : half(degrees))); }

  get command() { return { type: this.template.type, unit: this.key, path: this.path(), astern: false, evade: false, stop: false, ram: false }; }

  // By one's own template over open water: turn on the spot, then a klick along the heading.
  track(path) {
    const { klick } = this.board.state.options, poses = [];
    let { x, y, heading: course } = this.pose;
    for (const ticks of path) {
      course += ticks;
      const a = (course * Math.PI) / 360;
      x += Math.sin(a) * klick;
      y += Math.cos(a) * klick;
      poses.push({ x, y, heading: course });
    }
    return poses;
  }

  draw() {
    const { board } = this, { layers } = board.stage, steps = Array.from({ length: 13 }, (_, place) => ((place - 6) * this.limit) / 6);
    const point = (pose) => board.at(board.klicks(pose));
    const ends = steps.map((degrees) => this.track(this.path(this.most, degrees)).map(point)), first = point(this.pose);
    const far = ends.map((track) => track.at(-1)), d = `M${first}L${ends[0].join("L")}L${far.slice(1).join("L")}L${[...ends.at(-1)].reverse().slice(1).join("L")}Z`;
    const track = this.track(this.path()), end = track.at(-1) ?? this.pose, size = board.size(this.key), [x, y] = point(end);
    const [bx, by] = ahead(board, end, size);
    const font = Math.max(13, 11 / board.stage.scale), r = Math.max(9, 12 / board.stage.scale);
    layers.above.replaceChildren(s("path", { d, class: "fan", "pointer-events": "none" }), ...ends.map((each) => s("path", { d: `M${first}L${each.join("L")}`, class: "fan-line" })),
      s("path", { d: `M${first}L${track.map(point).join("L")}`, class: "course" }), ...track.map((pose) => { const [cx, cy] = point(pose); return s("circle", { cx, cy, r: 4, class: "tick" }); }),
      ...track.filter((_, place) => place === track.length - 1 || place === Math.floor(track.length / 2)).map((pose) => this.ghost(pose, size)),
      s("circle", { cx: x, cy: y, r, class: "handle", "data-handle": "end" }), s("circle", { cx: bx, cy: by, r: r * 0.8, class: "handle", "data-handle": "bow" }),
      tag(board.stage, [x + r + 6, y + r + 8], font, `${this.klicks} ${this.klicks === 1 ? "klick" : "klicks"}, heading ${heading(end.heading)}`, [this.turned(), this.verdict?.textContent].filter(Boolean).join(", ")));
  }

  // One's own base where the move would bring it.
  ghost(pose, size) {
    this.kind ??= this.board.units(this.board.state, this.board.cards).find((unit) => unit.key === this.key);
    return ghost(this.board, pose, size, this.kind);
  }

  // The nearest of the ends within the template to where the handle is let go.
  grip(event) {
    const handle = event.target.closest?.("[data-handle]")?.dataset.handle;
    if (!handle) return null;
    return (_, at) => {
      const [e, n] = this.board.back([at.x, at.y]), { klick } = this.board.state.options;
      let best = Infinity;
      for (let klicks = handle === "bow" ? this.klicks : this.least; klicks <= (handle === "bow" ? this.klicks : this.most); klicks += 1) {
        for (let degrees = -this.limit; degrees <= this.limit; degrees += 1) {
          const end = this.track(this.path(klicks, degrees)).at(-1);
          if (!end) continue;
          const a = (end.heading * Math.PI) / 360, ahead = handle === "bow" ? this.board.size(this.key)[0] / 2 + 1 : 0;
          const far = Math.hypot(end.x / klick + Math.sin(a) * ahead - e, end.y / klick + Math.cos(a) * ahead - n);
          if (far < best) { best = far; Object.assign(this, { klicks, degrees }); }
        }
      }
      this.changed();
    };
  }

  changed() {
    if (this.verdict) this.verdict.textContent = "";
    this.draw();
    this.words();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.check(), 250);
  }

  words() {
    this.far?.replaceChildren(`${this.klicks} ${this.klicks === 1 ? "klick" : "klicks"}`);
    this.course?.replaceChildren(this.turned());
  }

  turned() { return this.degrees ? `${Math.abs(this.degrees)}° to ${this.degrees < 0 ? "port" : "starboard"}` : "straight ahead"; }

  // The service says whether the order would be accepted: of one's own unit over open water only.
  async check() {
    const { table } = this.board;
    try {
      const told = await table.check(this.command);
      const { offTable, meets = [] } = told.preview ?? {}, names = meets.map((id) => this.board.nameOf(id));
      this.verdict.textContent = offTable ? "leaves the table" : names.length ? `legal; meets ${names.join(", ")}` : "legal";
    } catch (error) { this.verdict.textContent = error.hint || saying(error); }
    this.draw();
  }

  // The verdict stands beside the ghost; here it is for who hears it.
  dial() {
    this.far ??= el("b", { class: "dial-told" });
    this.course ??= el("b", { class: "dial-told" });
    this.verdict ??= el("span", { class: "sr", role: "status" });
    this.words();
    const step = (label, name, change) => el("button", { type: "button", class: "btn", "data-id": name, "aria-label": name, title: name, onclick: () => { change(); this.changed(); } }, label);
    return el("span", { class: "dial", role: "group", "aria-label": "By the numbers" }, step("−", "One klick fewer", () => { this.klicks = Math.max(this.least, this.klicks - 1); }), this.far, step("+", "One klick more", () => { this.klicks = Math.min(this.most, this.klicks + 1); }),
      step("port 1°", "One degree to port before each klick", () => { this.degrees = Math.max(-this.limit, this.degrees - 1); }), this.course, step("starb. 1°", "One degree to starboard before each klick", () => { this.degrees = Math.min(this.limit, this.degrees + 1); }), this.verdict);
  }

  go() { return el("button", { type: "button", class: "btn go", "data-id": "go", onclick: () => this.board.table.give(this.command, this.board.offer.version) }, icon("i-check"), "Give the order"); }
}

// One's own base, not there yet: its outline, and its plan.
function ghost(board, pose, size, unit) {
  const [cx, cy] = board.at(board.klicks(pose)), [long] = size;
  return s("g", { class: `ghost-base s${number(board.seat || "p1")}` }, s("path", { d: board.outline(pose, size) }), unit ? s("g", { transform: `translate(${cx.toFixed(1)} ${cy.toFixed(1)}) rotate(${board.course(pose.heading).toFixed(1)})` },
    s("use", { href: `#${unit.flies ? unit.kind : `${unit.kind}-plan`}`, x: (-long * UNIT * 32) / 240, y: (-long * UNIT) / 2.1, width: (long * UNIT * 32) / 120, height: (long * UNIT) / 1.05 })) : null);
}

// Where the handle of a bow is: one klick ahead of the base.
function ahead(board, pose, [long]) {
  const a = (pose.heading * Math.PI) / 360, [e, n] = board.klicks(pose);
  return board.at([e + Math.sin(a) * (long / 2 + 1), n + Math.cos(a) * (long / 2 + 1)]);
}

// Two lines beside what is dragged, within the board.
function tag(stage, [x, y], font, first, second) {
  const wide = Math.max(first.length * 0.62, second.length * 0.54) * font + 16, high = font * 2.9, { width, height } = stage.size;
  const [left, top] = [Math.min(x, width - wide - 4), y + high > height ? y - high - 40 : y];
  return s("g", { class: "bubble-box", "pointer-events": "none" }, s("rect", { x: left, y: top, width: wide, height: high, rx: 5, class: "bubble" }), s("text", { x: left + 8, y: top + font * 1.2, class: "bub", "font-size": font }, first), s("text", { x: left + 8, y: top + font * 2.4, class: "bub2", "font-size": Math.max(12, 11 / stage.scale) }, second));
}

// Setting up: the base is dragged in the zone that its template leaves open, turned by the numbers.
class Setting {
  constructor(board, option, templates) {
    Object.assign(this, { board, key: option.key });
    const card = option.key.slice(5);
    this.template = templates.find((each) => each.schema.properties.card?.const === card || each.schema.properties.card?.enum?.includes(card)) ?? templates[0];
    const { command } = option.items[0];
    this.pose = { x: command.x, y: command.y, heading: command.heading };
    this.card = card;
    this.type = command.type;
    this.name = board.cards[card]?.name ?? card;
    this.note = "Drag it in the lit zone, turn it by the bow, or tell it by the numbers.";
    this.size = board.sizeOf(card);
  }

  get command() { return { type: this.type, card: this.card, ...this.pose }; }

  get range() {
    const schema = this.template?.schema, own = schema?.oneOf?.find((each) => each.properties.card?.const === this.card);
    const { x, y } = { ...schema?.properties, ...own?.properties }, { klick, width, length } = this.board.state.options;
    const bound = (given, most) => [given?.minimum ?? 0, given?.maximum ?? most * klick];
    return [bound(x, width), bound(y, length)];
  }

  draw() {
    const { board } = this, { klick } = board.state.options, [[west, east], [south, north]] = this.range;
    const [a, b] = board.at([west / klick, south / klick]), [c, d] = board.at([east / klick, north / klick]);
    const { size } = this, [x, y] = board.at(board.klicks(this.pose)), [bx, by] = ahead(board, this.pose, size), r = Math.max(9, 12 / board.stage.scale), font = Math.max(13, 11 / board.stage.scale);
    board.stage.layers.above.replaceChildren(s("rect", { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(c - a), height: Math.abs(d - b), class: "fan zone", "pointer-events": "none" }),
      ghost(board, this.pose, size, board.fromCard(this.card, board.cards)), s("circle", { cx: x, cy: y, r, class: "handle", "data-handle": "end" }), s("circle", { cx: bx, cy: by, r: r * 0.8, class: "handle", "data-handle": "bow" }),
      tag(board.stage, [x + r + 8, y + r + 8], font, cut(plain(this.name), 24), [`${board.spot(this.pose)}, heading ${heading(this.pose.heading)}`, this.verdict?.textContent].filter(Boolean).join(", ")));
  }

  grip(event) {
    const handle = event.target.closest?.("[data-handle]")?.dataset.handle;
    if (!handle) return null;
    return (_, at) => { const [e, n] = this.board.back([at.x, at.y]); if (handle === "bow") this.face(e, n); else this.set(e, n); };
  }

  // With the bow towards a point; five degrees are fine enough for a hand, as of the dial.
  face(e, n) {
    const [x, y] = this.board.klicks(this.pose), degrees = (Math.atan2(e - x, n - y) * 180) / Math.PI;
    this.pose.heading = (half(Math.round(degrees / 5) * 5) + 720) % 720;
    this.changed();
  }

  // Half klicks are fine enough for a hand.
  set(e, n) {
    const { klick } = this.board.state.options, [[west, east], [south, north]] = this.range, step = (value) => Math.round(2 * value) * (klick / 2);
    this.pose.x = Math.min(east, Math.max(west, step(e)));
    this.pose.y = Math.min(north, Math.max(south, step(n)));
    this.changed();
  }

  changed() { if (this.verdict) this.verdict.textContent = ""; this.draw(); this.told?.replaceChildren(this.words()); clearTimeout(this.later); this.later = setTimeout(() => this.check(), 250); }

  words() { return `${this.board.spot(this.pose)}, heading ${heading(this.pose.heading)}`; }

  async check() {
    const { table } = this.board;
    try {
      await table.check(this.command);
      this.verdict.textContent = "legal";
    } catch (error) { this.verdict.textContent = error.hint || saying(error); }
    this.draw();
  }

  dial() {
    this.told ??= el("b", { class: "dial-told" }, this.words());
    this.verdict ??= el("span", { class: "sr", role: "status" });
    const [e, n] = [1, 1].map(() => 0.5), go = (east, north) => () => { const [x, y] = this.board.klicks(this.pose); this.set(x + east * e, y + north * n); };
    const step = (label, name, act) => el("button", { type: "button", class: "btn", "data-id": name, "aria-label": name, title: name, onclick: act }, label);
    const turn = (degrees) => () => { this.pose.heading = (((this.pose.heading + half(degrees)) % 720) + 720) % 720; this.changed(); };
    return el("span", { class: "dial", role: "group", "aria-label": "By the numbers" }, step("west ½", "Half a klick west", go(-1, 0)), step("east ½", "Half a klick east", go(1, 0)), step("north ½", "Half a klick north", go(0, 1)), step("south ½", "Half a klick south", go(0, -1)), step("↺", "Five degrees to port", turn(-5)), step("↻", "Five degrees to starboard", turn(5)), this.told, this.verdict);
  }

  go() { return el("button", { type: "button", class: "btn go", "data-id": "go", onclick: () => this.board.table.give(this.command, this.board.offer.version) }, icon("i-check"), "Set up here"); }
}
