// Naval Battles: the others clockwise from the left, each with rows as they lie; my ships and my hand below.

import { get } from "./api.js";
import { el } from "./dom.js";
import { badge, icon } from "./svg.js";
import { number, plain, words } from "./words.js";

/** @typedef {import("./choices.js").Choices} Choices */
/** @typedef {import("./choices.js").Option} Option */
/** @typedef {{id: string, seat: string, row: number, damage: string[]}} Ship */
/** @typedef {{number: number, kind: string, card: string, target: string, ships: string[]}} Attack */
/** @typedef {{count?: number, items?: string[]}} Held */
/** @typedef {{seats: string[], turn: number, round: number, step: {phase: string}, ships: Record<string, Ship>, hands: Record<string, Held>, nations: Record<string, string>, reserves: Record<string, string[]>, prepared: Record<string, {card: string, used?: boolean}[]>, attacks: Attack[]}} State what this board reads of it */
/** @typedef {{name: string, text?: string, data: any}} Card of the catalogue */
/** @typedef {any} Table the table, or the desk */

const KINDS = /** @type {Record<string, string>} */ ({ battleship: "bb", battlecruiser: "bb", "pocket-battleship": "bb", "heavy-cruiser": "ca", "light-cruiser": "ca", cruiser: "ca", destroyer: "dd", submarine: "ss", carrier: "cv", "escort-carrier": "cv", "light-carrier": "cv", escort: "dd", corvette: "dd", frigate: "dd", "pt-boat": "pt", "torpedo-boat": "pt" });
const FACES = /** @type {Record<string, string>} */ ({ "main-salvo": "gun", "secondary-salvo": "gun2", "secondary-salvo-double": "gun2", "torpedo-spread": "torpedo", "land-air-raid": "bomb", "surprise-attack": "bomb", "depth-charges": "depth", "near-miss": "miss", "armor-plating": "shield", "escort-ship": "shield", "small-target": "shield", "evasive-action": "shield", planning: "i-book", retreat: "i-back", reinforcements: "i-plus" });
// Steps for which a card is of use, and how that is said; any other by its name.
const USES = [["attack", "only to attack"], ["defense", "only when attacked"]];
const PHASES = /** @type {[string, string[]][]} */ ([["Reorganize", ["reorganize"]], ["Prepare", ["prepare"]], ["Declare", ["declare"]], ["Defend", ["defense", "defend"]], ["Damage", ["damage", "resolve", "resolution"]], ["Discard", ["discard"]]]);

/** @param {string} type */
function kind(type) {
  return KINDS[type] ?? (/carrier/.test(type) ? "cv" : /submarine/.test(type) ? "ss" : /cruiser/.test(type) ? "ca" : /battle/.test(type) ? "bb" : /boat/.test(type) ? "pt" : "dd");
}

const DRAWN = /** @type {Record<string, Promise<Record<string, Card>>>} */ ({}); // cards of each ruleset by their ids, asked for once

/** @param {string} rules @returns {Promise<Record<string, Card>>} */
async function faces(rules) {
  const { items } = await get(`/v1/rulesets/${rules}/abilities?limit=200`);
  return Object.fromEntries(items.map((/** @type {any} */ card) => [card.id, card]));
}

export class Hand {
  faces = /** @type {Record<string, Card> | undefined} */ (undefined);
  cards = /** @type {Record<string, Card>} */ ({});
  shownSeat = ""; // of the others, on a phone
  root = /** @type {HTMLElement | undefined} */ (undefined);
  /** @type {State} */ state;
  /** @type {Table} */ table;

  /** @param {string} seat */
  constructor(seat) { this.seat = seat; this.html = true; }

  /** @param {any} state */
  static fits(state) { return state?.ships !== undefined && state.hands !== undefined; }

  /** @param {string} rules */
  async load(rules) {
    this.faces = await (DRAWN[rules] ??= faces(rules).catch((error) => { delete DRAWN[rules]; throw error; }));
  }

  static needs() { return []; }

  read() { /* nothing is taken from the picture */ }

  /** @param {State} state */
  phases(state) {
    const now = PHASES.findIndex(([, steps]) => steps.includes(state.step.phase));
    const turn = state.turn ? `Round ${state.round}, turn ${state.turn}` : "Set-up";
    return now < 0 ? { turn, names: [words(state.step.phase)], now: 0 } : { turn, names: PHASES.map(([name]) => name), now };
  }

  units() { return []; }

  /** @param {Ship} ship */
  hull(ship) {
    const all = this.cards[ship.id]?.data.hull ?? 0;
    const lost = ship.damage.reduce((sum, card) => sum + (this.faces?.[card]?.data.damage || 1), 0);
    return { all, left: Math.max(0, all - lost) };
  }

  /** @param {import("./stage.js").Stage} stage @param {State} state @param {Record<string, Card>} cards @param {Table} table */
  sketch(stage, state, cards, table) {
    this.cards = cards;
    this.state = state;
    this.table = table;
    const others = this.seat ? clockwise(state.seats, this.seat) : state.seats;
    this.shownSeat = others.includes(this.shownSeat) ? this.shownSeat : others[0];
    const kept = this.root?.querySelector(".handcards")?.scrollLeft ?? 0;
    const root = this.root ??= /** @type {HTMLElement} */ (stage.useHtml(el("div", { class: "hands", role: "group", "aria-label": "Board" })));
    root.replaceChildren(
      el("div", { class: "tabs only-phone", role: "group", "aria-label": "Players" }, others.map((seat) => el("button", { type: "button", class: "tab", "aria-pressed": String(seat === this.shownSeat), onclick: (/** @type {Event} */ event) => { event.stopPropagation(); this.shownSeat = seat; table.sketch(); } },
        el("span", { class: `seat s${number(seat)}` }, badge(number(seat)), table.called(seat)), el("span", { class: "small", "data-targets": seat }, "")))),
      el("div", { class: "fleets-round", tabindex: 0, role: "group", "aria-label": "Fleets" }, others.map((seat) => this._tableau(seat))),
      this.seat ? el("div", { class: `mydeck s${number(this.seat)}` }, this._mine(), this._hand()) : "");
    const row = root.querySelector(".handcards");
    if (row) row.scrollLeft = kept;
  }

  /** @param {string} seat */
  _head(seat) {
    const hand = this.state.hands[seat], many = hand?.count ?? hand?.items?.length ?? 0;
    return el("header", {}, el("span", { class: `seat s${number(seat)}` }, badge(number(seat)), this.table.called(seat)), el("span", { class: "small quiet" }, titled(this.state.nations[seat])),
      el("span", { class: "push backs", role: "img", "aria-label": `${many} cards in hand`, title: `${many} cards in hand` }, Array.from({ length: Math.min(many, 8) }, () => el("i")), el("b", {}, String(many))),
      el("b", { class: "points", title: "ships in reserve" }, `${this.state.reserves[seat]?.length ?? 0} in reserve`));
  }

  // Prepare cards lie open before the fleet of whoever played them.
  /** @param {string} seat */
  _laid(seat) {
    const laid = this.state.prepared[seat] ?? [];
    return laid.length ? el("p", { class: "small laid" }, `prepared: ${laid.map(({ card }) => this.faces?.[card]?.name ?? words(card)).join(", ")}`) : "";
  }

  /** @param {string} seat */
  _tableau(seat) {
    const ships = Object.values(this.state.ships).filter((ship) => ship.seat === seat), rows = [...new Set(ships.map((ship) => ship.row))].sort((one, other) => (one || 9) - (other || 9));
    return el("section", { class: `tableau s${number(seat)}${seat === this.shownSeat ? " shown" : ""}`, "aria-label": `Fleet of ${seat}` }, this._head(seat), this._laid(seat),
      el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `Rows of ${seat}` }, rows.map((row) => el("div", { class: "shiprow" }, el("span", { class: "label" }, row ? `row ${row}` : "subs"), el("div", {}, ships.filter((ship) => ship.row === row).map((ship) => this._ship(ship)))))));
  }

  _mine() {
    const ships = Object.values(this.state.ships).filter((ship) => ship.seat === this.seat);
    return el("div", { class: "myships", tabindex: 0, role: "group", "aria-label": "My ships" }, el("h2", {}, el("span", { class: "seat" }, badge(number(this.seat))), "My fleet ", el("span", { class: "small quiet" }, `${titled(this.state.nations[this.seat])}, ${this.state.reserves[this.seat]?.length ?? 0} in reserve`)), el("div", { class: "row" }, ships.map((ship) => this._ship(ship, true))));
  }

  /** @param {Ship} ship @param {boolean} [mine] */
  _ship(ship, mine = false) {
    const card = this.cards[ship.id], data = card?.data ?? {}, { all, left } = this.hull(ship);
    const under = this.state.attacks.filter((each) => each.target === ship.id);
    const said = `${card?.name ?? ship.id}, ${mine ? "" : "enemy "}${words(data.type ?? "ship")}, hull ${left} of ${all}${ship.row ? `, row ${ship.row}` : ""}`;
    const meter = el("i");
    meter.style.width = `${all ? (100 * left) / all : 0}%`;
    return el("div", { class: `shipcard piece s${number(ship.seat)}`, "data-key": ship.id, role: "img", "aria-label": said }, el("span", { class: "points", title: "points" }, String(data.points ?? "")), icon(kind(data.type ?? ""), "ship"),
      el("b", { class: "name" }, card?.name ?? ship.id), el("span", { class: "mounts" }, guns(data.mounts ?? [])), el("span", { class: "hullbar" }, el("span", { class: "meter" }, meter), el("b", {}, left === all ? String(all) : `${left}/${all}`)),
      el("span", { class: "worth bad" }, under.map((each) => `attack ${each.number}`).join(", ")));
  }

  _hand() {
    const hand = this.state.hands[this.seat], items = hand?.items ?? [];
    const laid = this.state.prepared[this.seat] ?? [];
    return el("div", { class: "handcards", tabindex: 0, role: "group", "aria-label": "My hand" }, items.map((id) => this.card(id)), laid.map(({ card, used }) => this.card(card, used ? "prepared, used" : "prepared")));
  }

  /** @param {string} id */
  card(id, note = "") {
    const face = this.faces?.[id], data = face?.data ?? {}, name = (face?.name ?? words(id)).replace(/ \(\d+\)$/, "").replace(/ x\d$/, "").replace(/ [\d-]+ in$/, "");
    const size = data.calibers?.length ? `${data.calibers[0]}-${data.calibers.at(-1)} in` : note;
    return el("div", { class: "card piece", "data-key": `card:${id}`, role: "img", "aria-label": `${face?.name ?? words(id)}${note ? `, ${note}` : ""}`, title: face?.text }, el("b", { class: "value" }, data.damage ? String(data.damage) : data.raids ? `x${data.raids}` : ""), icon(FACES[data.family] ?? "i-book", "face"),
      el("b", { class: "name" }, name), el("span", { class: "size" }, size), el("span", { class: "why" }));
  }

  // After the light is set: what a target would suffer, and why a card is of no use now.
  /** @param {Table} table */
  lit(table) {
    const choices = /** @type {Choices} */ (table.choices), root = /** @type {HTMLElement} */ (this.root), all = (/** @type {string} */ what) => /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(what)), asked = table.yours && !table.over;
    const picked = choices.answers.find(({ option }) => option.role === "card")?.option.key.slice(5) ?? "";
    const damage = this.faces?.[picked]?.data.damage;
    for (const each of all(".shipcard")) {
      const key = each.dataset.key ?? "", worth = /** @type {HTMLElement} */ (each.querySelector(".worth")), ship = this.state.ships[key], { left } = this.hull(ship);
      if (worth.classList.contains("idle")) { worth.textContent = ""; worth.classList.remove("idle"); }
      if (each.dataset.lit && choices.role === "target" && damage) worth.textContent = damage >= left ? `${damage} sink it` : `${damage} of hull ${left}`;
      const idle = asked && !each.dataset.lit && table.reasons?.get(key);
      if (idle && !worth.textContent) { worth.textContent = idle.hint; worth.classList.add("idle"); }
    }
    const may = new Set([...choices.all.flatMap((item) => item.parts)].filter(({ role }) => role === "card").map(({ key }) => key));
    for (const each of all(".card")) {
      const key = each.dataset.key ?? "", idle = asked && !may.has(key);
      each.classList.toggle("idle", idle);
      this._because(each, idle ? table.reasons?.get(key.slice(5)) : null, idle, table);
    }
    for (const each of all("[data-targets]")) {
      const many = all(`.tableau.s${number(each.dataset.targets ?? "")} [data-lit]`).length;
      each.textContent = many ? `${many} targets` : "";
    }
    table.stage.box.closest(".table").classList.toggle("interrupt", Boolean(asked && table.state.step.phase === "defense" && choices.options.length));
  }

  // What the service would refuse the card for, and its rule; until that has come, or where it says nothing of the card, what the catalogue tells.
  /** @param {HTMLElement} card @param {any} refused @param {boolean} idle @param {Table} table */
  _because(card, refused, idle, table) {
    const slot = /** @type {HTMLElement} */ (card.querySelector(".why"));
    card.setAttribute("role", refused ? "group" : "img"); // a picture has nothing in it that can be pressed
    slot.replaceChildren(!idle ? "" : refused ? el("button", { type: "button", class: "rule", "data-rule": refused.rule, "data-code": refused.code, "aria-haspopup": "dialog", title: `What ${refused.rule} says` }, refused.hint) : this.why(this.faces?.[(card.dataset.key ?? "").slice(5)]?.data, table));
  }

  // The steps in which the card may be played stand in the catalogue; within its step only the board can be the reason.
  /** @param {any} data @param {Table} table @returns {string} */
  why(data, table) {
    if (!data) return "not now";
    const phase = /** @type {Record<string, string>} */ ({ defense: "defense", declare: "attack", reorganize: "reorganize", prepare: "prepare" })[table.state.step.phase];
    if (!data.steps.includes(phase)) return USES.find(([step]) => data.steps.includes(step))?.[1] ?? `only to ${data.steps[0]}`;
    if (data.calibers?.length) return `no mount of ${data.calibers[0]}-${data.calibers.at(-1)} in may fire`;
    return /** @type {Record<string, string>} */ ({ "torpedo-spread": "no torpedoes may be launched", "depth-charges": "no submarine to hunt" })[data.family] ?? "nothing to use it on";
  }

  // The attack that a defense is about: the one that was chosen, or the only one.
  /** @param {Choices} choices @param {Table} table @returns {Attack | undefined} */
  met(choices, table) {
    if (table.state.step.phase !== "defense") return undefined;
    const keys = choices.answers.filter(({ option }) => option.role === "attack").map(({ option }) => option.key);
    return table.state.attacks.find((/** @type {Attack} */ { number: each }) => keys.includes(`attack:${each}`));
  }

  /** @param {Choices} choices @param {Table} table */
  question(choices, table) {
    if (table.state.step.phase !== "defense") return undefined;
    const attack = this.met(choices, table);
    if (!attack) return choices.role === "attack" ? `${choices.options.length} attacks. Which do you defend against?` : undefined;
    const { ships } = table.state, name = (/** @type {string} */ id) => this.cards[id]?.name ?? id, target = ships[attack.target];
    const by = attack.ships.length ? `${ships[attack.ships[0]]?.seat ?? ""}’s ${attack.ships.map(name).join(" and ")}: ` : "";
    const whose = target?.seat === this.seat ? "your " : target ? `${target.seat}’s ` : "";
    const asked = choices.depth === 1 || choices.role === "card" ? "Do you defend?" : "Who takes it?";
    return `${by}${plain(this.faces?.[attack.card]?.name ?? words(attack.kind)).replace(/ \(\d+\)$/, "")} on ${whose}${name(attack.target)}. ${asked}`;
  }

  // What is about to happen: the card, at whom, what it would do, and how long there is to say no.
  /** @param {Choices} choices @param {Table} table */
  scene(choices, table) {
    if (table.state.step.phase !== "defense" || !choices.options.length) return [];
    const attack = this.met(choices, table), ship = attack && table.state.ships[attack.target], due = table.now.due[this.seat];
    const shown = /** @type {(HTMLElement | SVGElement)[]} */ (ship ? [this.card(attack.card), icon("i-pass", "ico"), this._ship(ship, ship.seat === this.seat)] : []);
    // They are told in the question: here they are a picture, no second piece.
    for (const each of shown) { each.classList.remove("piece"); delete each.dataset?.key; each.setAttribute("aria-hidden", "true"); }
    const damage = this.faces?.[attack?.card ?? ""]?.data.damage, left = ship ? this.hull(ship).left : 0;
    if (ship && damage) /** @type {HTMLElement} */ (shown[2].querySelector(".worth")).textContent = damage >= left ? `hull ${left}: it would sink` : `${damage} of hull ${left}`;
    if (due) shown.push(el("span", { class: "timer", role: "timer", "aria-label": "Time to answer", "data-due": due, "data-whole": table.now.deadline }, ""));
    return shown;
  }

  /** @param {Choices} choices @param {Table} table */
  note(choices, table) {
    const attacks = /** @type {Attack[]} */ (table.state.attacks);
    if (table.state.step.phase === "defense") return `${table.now.due[this.seat] ? "If the time runs out: no defense. " : ""}` + attacks.map((each) => `Attack ${each.number}: ${this.faces?.[each.card]?.name ?? words(each.kind)} on ${this.cards[each.target]?.name ?? each.target}`).join("; ");
    if (attacks.length) return `Declared: ${attacks.map((each) => `${each.number} ${this.faces?.[each.card]?.name ?? words(each.kind)} at ${this.cards[each.target]?.name ?? "?"}`).join("; ")}`;
    return undefined;
  }

  /** @param {Option} option */
  tells(option) {
    if (option.role === "attack") return [...new Set(option.items.map(({ parts }) => /** @type {import("./choices.js").Item["parts"][number]} */ (parts.at(-1))).map(({ role, text }) => (role === "unit" ? `air cover of ${text}` : plain(text))))].join(", ");
    if (option.role === "card") { const found = this.faces?.[option.key.slice(5)]; return found ? plain(found.data.steps.join(", ")) : undefined; }
    const ship = this.state.ships[option.key];
    return ship ? `hull ${this.hull(ship).left}${ship.row ? `, row ${ship.row}` : ""}` : undefined;
  }

  where() { return null; }

  /** @param {string} key */
  label(key) { return this.root?.querySelector(`[data-key="${CSS.escape(key)}"]`)?.getAttribute("aria-label"); }

  // A card is carried to the ship that fires it, and on to its target: what it is let fall on answers the next question.
  /** @param {any} event @param {Table} table */
  grip(event, table) {
    const from = event.target.closest?.(".card[data-lit], .shipcard[data-lit]");
    if (!from || !table.yours) return null;
    let begun = false;
    const drop = (/** @type {PointerEvent} */ up) => {
      const under = /** @type {HTMLElement | null | undefined} */ (document.elementFromPoint(up.clientX, up.clientY)?.closest("[data-key]"));
      if (begun && under && under !== from) table.pick(under.dataset.key, up);
      table.stage.slipped = begun;
    };
    addEventListener("pointerup", drop, { once: true });
    return () => { if (!begun) { begun = true; table.pick(from.dataset.key, { type: "drag" }); } };
  }
}

function titled(nation = "") { return words(nation).replace(/\b[a-z]/g, (letter) => letter.toUpperCase()); }

/** @param {string[]} seats @param {string} mine */
function clockwise(seats, mine) {
  const place = seats.indexOf(mine);
  return [...seats.slice(place + 1), ...seats.slice(0, place)];
}

// "16 in x2": mounts of one size together.
/** @param {string[]} mounts */
function guns(mounts) {
  const count = new Map();
  for (const mount of mounts) count.set(mount, (count.get(mount) ?? 0) + 1);
  return [...count].map(([mount, many]) => {
    const [family, size] = mount.split("-");
    return el("span", {}, icon(family === "main" ? "gun" : family === "secondary" ? "gun2" : "torpedo"), size ? `${size}″` : "", many > 1 ? `×${many}` : "");
  });
}
