// The lobby: games, a new game with its options, and seats to take by invitation.

import { able, tipFor } from "./agent.js";
import { get, held, keep, pages, post } from "./api.js";
import { freshKey, signs } from "./seatkeys.js";
import { seatName } from "./seatnames.js";
import { art, badge, icon } from "./svg.js";
import { left, number } from "./words.js";
import { SEED_NAMED, announce, choice, el, labelled, scores, show, teams, trouble } from "./dom.js";

/** @typedef {import("./types.js").GameSummary} GameSummary */
/** @typedef {import("./types.js").RulesetInfo} RulesetInfo */
/** @typedef {Record<string, string>} Titles of rulesets, by their ids */
/** @typedef {{seats: string[], yours: boolean}} Own which seats are this browser's, and whether one of them is to move */
/** @typedef {{id: string, name: string, text: string, playable: boolean}} Scenario what the form reads of it */
/** @typedef {{type?: string, enum?: any[], default?: any, minimum?: number, maximum?: number, multipleOf?: number, description?: string, $ref?: string, $defs?: Record<string, Schema>, properties?: Record<string, Schema>, "x-rule"?: string, "x-editions"?: string[]}} Schema */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

/** @param {AbortSignal} signal */
export async function lobby(signal) {
  const service = await get("/v1"), rulesets = /** @type {RulesetInfo[]} */ (service.rulesets);
  const titles = Object.fromEntries(rulesets.map((each) => [each.id, each.title]));
  const list = el("div", { class: "games" });
  const status = choice([["", "all"], ["open", "open"], ["playing", "playing"], ["finished", "finished"]], "");
  const ruleset = choice([["", "all"], ...rulesets.map((r) => [r.id, r.title])], "");
  let newest = 0;
  const load = async () => {
    const number = ++newest;
    const found = await games(status.value, ruleset.value, titles).catch(trouble);
    // An older answer must never be drawn over a newer one.
    if (number === newest) list.replaceChildren(...[found].flat());
  };
  status.addEventListener("change", load);
  ruleset.addEventListener("change", load);
  const [own, form] = await Promise.all([mine(titles), creation(rulesets), art()]);
  const title = el("h2", { tabindex: -1 }, "New game");
  // On a narrow screen the form stands below the lists; this leads there.
  const toForm = el("button", { type: "button", class: "btn go big main tonew", onclick: () => { title.focus(); title.scrollIntoView(); } }, icon("i-plus"), "New game");
  show(
    signal,
    el("div", { class: "lobby" },
      el("div", { class: "lists" }, toForm, el("h1", { class: "sr" }, "Lobby"), service.announcement ? el("p", { role: "status", class: "announcement" }, service.announcement) : null, own, list,
        el("div", { class: "filters" }, labelled("Status", status), labelled("Games of", ruleset), el("button", { type: "button", class: "btn", onclick: load }, "Refresh"))),
      el("section", { class: "newgame", "aria-label": "New game" }, title, form)),
  );
  await load();
}

// The games whose seats this browser holds; whose move it is stands first.
/** @param {Titles} titles */
async function mine(titles) {
  const known = Object.entries(held()).slice(-8).reverse();
  if (!known.length) return null;
  const found = await Promise.all(known.map(async ([id, kept]) => {
    const token = Object.values(kept.seats)[0] ?? kept.organiser ?? "";
    const game = /** @type {GameSummary | null} */ (await get(`/v1/games/${id}`, { token }).catch(() => null));
    return game && { game, seats: Object.keys(kept.seats), yours: game.status !== "finished" && game.toMove.some(({ seat }) => kept.seats[seat]) };
  }));
  const rows = found.flatMap((each) => each ?? []).sort((one, other) => Number(other.yours) - Number(one.yours));
  // Those stand here, and not among everybody's.
  return rows.length ? el("section", {}, el("h2", {}, "Your games"), rows.map(({ game, seats, yours }) => row(game, titles, { seats, yours }))) : null;
}

/** @param {string} status @param {string} ruleset @param {Titles} titles */
async function games(status, ruleset, titles) {
  const query = new URLSearchParams({ limit: "50" });
  if (status) query.set("status", status);
  if (ruleset) query.set("ruleset", ruleset);
  const all = /** @type {GameSummary[]} */ ((await get(`/v1/games?${query}`)).items);
  const own = held(), items = all.filter((game) => status || ruleset || !own[game.id]);
  if (!items.length) return el("p", {}, "There are no such games yet.");
  const free = (/** @type {GameSummary} */ game) => game.status !== "finished" && game.seats.some((seat) => seat.held === "open");
  const sections = /** @type {[string, GameSummary[]][]} */ ([["Free seats", items.filter(free)], ["Being played", items.filter((game) => !free(game) && game.status !== "finished")], ["Over", items.filter((game) => game.status === "finished")]]);
  return sections.filter(([, some]) => some.length).map(([title, some]) => el("section", {}, el("h2", {}, title), some.map((game) => row(game, titles))));
}

const HELD = /** @type {Record<string, string>} */ ({ kept: "taken", open: "free", invited: "invited" });

/** @param {GameSummary} game @param {Titles} titles @param {Own} [own] */
function row(game, titles, own) {
  const filled = Object.fromEntries(game.seats.map((seat) => [seat.seat, `${seat.seat} ${seat.bot ? `house bot${seat.strength === "easy" ? ", easy" : ""}` : own?.seats.includes(seat.seat) ? "you" : HELD[seat.held] ?? seat.held}`]));
  const moving = game.status === "finished" ? "" : game.toMove.map((question) => `${question.seat}: ${question.question.replaceAll("-", " ")}`).join(", ");
  const open = game.seats.filter((seat) => seat.held === "open" && game.status !== "finished" && !own);
  const due = own?.yours ? own.seats.map((seat) => game.due[seat]).find(Boolean) : "";
  return el("article", { class: `game${own?.yours ? " yours" : ""}` },
    el("div", { class: "about" }, el("a", { class: "name", href: `#/game/${game.id}` }, game.name || titles[game.rules.ruleset] || game.id.slice(0, 8)),
      el("p", { class: "small quiet" }, [`${titles[game.rules.ruleset] ?? game.rules.ruleset} ${game.rules.edition}, ${game.scenario.replaceAll("-", " ")}`, game.abandoned ? "abandoned" : game.status, moving].filter(Boolean).join(" · "), game.seedNamed ? el("span", { title: SEED_NAMED }, " (seed named)") : ""),
      el("p", { class: "small quiet" }, teams(game, (seat) => filled[seat]) || Object.values(filled).join(", "), game.version > 10 ? `; ${scores(game)}` : "", game.version <= 10 && game.sides.some((side) => side.seats.length > 1) ? `; ${scores(game)}` : "")),
    el("span", { class: "players" }, game.seats.map((seat) => el("span", { class: `seat s${number(seat.seat)}` }, badge(number(seat.seat)), own?.seats.includes(seat.seat) ? "You" : seat.bot ? seatName(game, seat.seat) : ""))),
    el("span", { class: "acts" }, own?.yours ? el("span", { class: "tag move" }, "your move") : "", due ? el("span", { class: "clock run" }, left(Date.parse(due) - Date.now())) : "",
      open.map((seat) => el("a", { class: "btn", href: `#/join/${game.id}/${seat.seat}` }, `Take ${seat.seat}`)), own ? "" : el("a", { class: "btn", href: `#/game/${game.id}` }, "Watch"), el("a", { class: "btn", href: `#/replay/${game.id}` }, "Replay")));
}

const DICE = {
  A0: "of the service's secret, provable after the game",
  A1: "secrets of all players are in each die, given ahead by their open pages",
  A2: "secrets of all players are in each die, given by their open pages once the order is locked",
};
const DAY = 24 * 60 * 60; // seconds
const PORTRAITS = /** @type {Record<string, string>} */ ({ "war-at-sea": "bb", "naval-battles": "cv", "crimson-tide": "dd" });

// Cards of which one is chosen: [value, title, line below, picture].
/** @param {string} legend @param {string} name @param {[value: string, title: string, about?: string, picture?: string][]} all @param {string} chosen @param {(value: string) => void} [changed] */
function cards(legend, name, all, chosen, changed) {
  const box = el("fieldset", { class: "cards" }, el("legend", { class: "label" }, legend), el("div", {}, all.map(([value, title, about, picture]) => {
    const input = el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => changed?.(value) });
    return el("label", { class: "pick" }, input, picture ? icon(picture, picture.startsWith("i-") ? "ico" : "ship") : null, el("b", {}, title), about ? el("span", { class: "small quiet" }, about) : null);
  })));
  return Object.defineProperty(/** @type {HTMLFieldSetElement & {value: string}} */ (box), "value", { get: () => /** @type {HTMLInputElement | null} */ (box.querySelector("input:checked"))?.value ?? "" });
}

/** @param {RulesetInfo[]} rulesets */
async function creation(rulesets) {
  const form = el("form", {});
  const rest = el("div", {}), said = el("div", {});
  let read = /** @type {() => any} */ (() => ({}));
  const fill = async () => {
    const id = which.value;
    read = await fields(rest, id, form);
    form.dataset.ruleset = id;
  };
  const order = ["war-at-sea", "naval-battles", "crimson-tide"], rank = (/** @type {string} */ id) => (order.indexOf(id) + 9) % 9;
  const sorted = [...rulesets].sort((one, other) => rank(one.id) - rank(other.id));
  const players = (/** @type {number[]} */ counts) => (counts.length > 1 ? `${counts[0]} to ${counts.at(-1)} players` : `${counts[0]} players`);
  const which = cards("Game", "ruleset", sorted.map((r) => [r.id, r.title, players(r.seatCounts), PORTRAITS[r.id] ?? "dd"]), sorted[0]?.id, fill);
  form.append(which, rest, el("button", { class: "btn go big main", type: "submit" }, "Create"), said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { mine, signed, seats, ...wish } = read();
      const made = await post("/v1/games", { ruleset: which.value, ...wish, seats: await Promise.all(seats.map((/** @type {import("./types.js").SeatWish} */ each) => keyed(each, signed && each.hold === "keep"))) });
      if (made.game.status !== "finished") await created(made, mine, signed);
    } catch (error) { said.replaceChildren(trouble(error)); }
  });
  await fill();
  return form;
}

// With a key of this browser's for the seat's orders, where it is to have one.
/** @template T @param {T} seat @param {boolean} signed */
async function keyed(seat, signed) { return signed ? { ...seat, ...await freshKey() } : seat; }

/** @param {import("./types.js").GameCreated} made @param {string[]} mine @param {boolean} signed */
async function created(made, mine, signed) {
  const id = made.game.id;
  keep(id, {
    name: made.game.name,
    seats: Object.fromEntries(made.tokens.map((given) => [given.seat, given.token])),
    invitations: Object.fromEntries(made.invitations.map((given) => [given.seat, given.token])),
    organiser: made.organiser,
  });
  for (const seat of mine) await taken(made.game, await keyed({ seat, invitation: held()[id].invitations[seat] }, signed));
  announce("The game is created.");
  location.hash = `#/game/${id}`;
}

// A seat, with a secret of this browser's in its dice where the game has such dice.
/** @param {GameSummary} game @param {any} taking which seat, by which invitation */
async function taken(game, taking) {
  const given = await post(`/v1/games/${game.id}/seats`, { ...taking, ...await tipFor(game, taking.seat) });
  keep(game.id, { name: game.name, seats: { [taking.seat]: given.token } });
}

/** @param {HTMLElement} rest @param {string} id @param {HTMLFormElement} form */
async function fields(rest, id, form) {
  const [ruleset, scenarios, may] = await Promise.all([
    /** @type {Promise<import("./types.js").RulesetDetail>} */ (get(`/v1/rulesets/${id}`)), /** @type {Promise<Scenario[]>} */ (pages(`/v1/rulesets/${id}/scenarios?limit=200`)), signs()]);
  const name = el("input", { maxlength: 60, autocomplete: "off" });
  const edition = choice(ruleset.editions.map((each) => [each]), ruleset.editions.at(-1) ?? "");
  const playable = scenarios.filter((each) => each.playable);
  const sum = el("p", { class: "sum" });
  const tell = () => {
    const chosen = playable.find((each) => each.id === scenario.value);
    sum.textContent = `${ruleset.title} ${edition.value}, ${chosen?.name ?? scenario.value}, ${holds.map(([seat, hold]) => `${seat} ${hold.selectedOptions[0].textContent}`).join(", ")}, ${time.value ? "a day a move" : "no clock"}. Dice of grade ${grade()}: ${DICE[grade()]}. Your orders ${sign.checked ? "are signed, grade O1p" : "are not signed, grade O0"}.`;
  };
  const sign = signing(may, () => tell());
  const first = (/** @type {string} */ text) => text?.split(/[.;:] ?/)[0] ?? "";
  const scenario = cards("Scenario", "scenario", [...playable].sort((one, other) => Number(other.id === "standard") - Number(one.id === "standard")).map((each) => [each.id, each.name, first(each.text)]), playable.some((each) => each.id === "standard") ? "standard" : playable[0]?.id, () => tell());
  const time = cards("Time", "time", [["", "No clock", "whenever you like"], ["day", "A day a move", "who is late is answered for"]], "", () => tell());
  // Somebody else's secret is worth having where there is somebody else, and a browser that can make one.
  const grade = () => (able() && holds.some(([, hold]) => ["invite", "open"].includes(hold.value)) ? (time.value ? "A1" : "A2") : "A0");
  const counts = choice(ruleset.seatCounts.map((n) => [String(n)]), String(ruleset.seatCounts[0]));
  const seats = el("fieldset", { class: "seats" });
  const holds = /** @type {[string, HTMLSelectElement][]} */ ([]);
  // Where each seat has its own way, none of the three is said to be chosen.
  const agree = () => {
    const ways = new Set(holds.slice(1).map(([, hold]) => hold.value)), same = ways.size === 1 && holds[0][1].value === "keep";
    for (const each of against.querySelectorAll("input")) /** @type {HTMLInputElement} */ (each).checked = same && ways.has(/** @type {HTMLInputElement} */ (each).value);
  };
  const seatRows = () => {
    holds.length = 0;
    seats.replaceChildren(el("legend", { class: "label" }, "Seats"));
    for (let n = 1; n <= Number(counts.value); n += 1) {
      const hold = choice([["keep", "I play it"], ["bot", "a bot plays it"], ["easy", "an easy bot plays it"], ["invite", "by invitation"], ["open", "open to all"]],
        n === 1 ? "keep" : against.value, { onchange: () => { agree(); tell(); } });
      holds.push([`p${n}`, hold]);
      seats.append(labelled(`p${n}`, hold));
    }
    tell();
  };
  const against = cards("Against", "against", [["bot", "House bot", "answers at once", "i-bot"], ["invite", "A friend", "by a link", "i-link"], ["open", "Anybody", "a free seat", "i-eye"]], "bot", (value) => { for (const [, hold] of holds.slice(1)) hold.value = value; tell(); });
  counts.addEventListener("change", seatRows);
  edition.addEventListener("change", tell);
  const [options, chosen] = optionFields(/** @type {Schema} */ (ruleset.options), edition);
  seatRows();
  rest.replaceChildren(against, scenario, time, el("div", { class: "pair" }, labelled("Name", name), ruleset.editions.length > 1 ? labelled("Edition", edition) : "", ruleset.seatCounts.length > 1 ? labelled("Players", counts) : ""),
    el("details", { class: "seatwise" }, el("summary", {}, "Seats, one by one"), seats), signLine(may, sign), options, sum);
  return () => ({
    name: name.value, edition: edition.value, scenario: scenario.value,
    signed: sign.checked, grade: grade(), mine: grade() === "A0" ? [] : holds.filter(([, hold]) => hold.value === "keep").map(([seat]) => seat),
    seats: holds.map(([seat, hold]) => (hold.value === "easy" ? { seat, hold: "bot", bot: { strength: "easy" } } : { seat, hold: hold.value === "keep" && grade() !== "A0" ? "invite" : hold.value })),
    options: chosen(), ...(time.value ? { deadline: DAY } : {}),
  });
}

// Whether one's orders are signed; a browser that makes no keys is not asked.
/** @param {boolean} may @param {() => void} [changed] */
function signing(may, changed) { return el("input", { type: "checkbox", checked: may, disabled: !may, ...(changed ? { onchange: changed } : {}) }); }

/** @param {boolean} may @param {HTMLInputElement} sign */
function signLine(may, sign) {
  return may ? el("p", {}, el("label", { class: "inline" }, sign, " Sign my orders: nobody else can have given them; none is taken back, and they are given from this browser alone")) : "";
}

// Only what differs from the default is sent: a default stands for itself. What does nothing in the
// edition is not shown.
/** @param {Schema} schema @param {HTMLSelectElement} edition @returns {[HTMLElement, () => object]} */
function optionFields(schema, edition) {
  const definition = resolve(schema, schema);
  const inputs = /** @type {[string, Control, Schema, HTMLElement][]} */ ([]);
  const details = el("details", {}, el("summary", {}, "Options of the rules"), el("p", { class: "small quiet" }, "All as printed unless you change them."));
  for (const [name, given] of Object.entries(definition.properties ?? {})) {
    const property = { ...resolve(given, schema), ...given };
    const control = controlFor(property, property.default);
    const row = el("p", { class: "option" }, labelled(words(name), control),
      el("small", {}, `${(property.description ?? "").replaceAll("`", "")} ${property["x-rule"] ?? ""}`));
    inputs.push([name, control, property, row]);
    details.append(row);
  }
  const works = (/** @type {Schema} */ property) => (property["x-editions"] ?? [edition.value]).includes(edition.value);
  const fit = () => inputs.forEach(([, , property, row]) => { row.hidden = !works(property); });
  edition.addEventListener("change", fit);
  fit();
  const chosen = () => Object.fromEntries(inputs
    .filter(([, , property]) => works(property))
    .map(([name, control, property]) => [name, valueOf(control, property), property.default])
    .filter(([, value, usual]) => value !== usual).map(([name, value]) => [name, value]));
  return [details, chosen];
}

/** @param {Schema} schema @param {Schema} root @returns {Schema} */
function resolve(schema, root) {
  if (!schema?.$ref) return schema;
  return root.$defs?.[schema.$ref.split("/").at(-1) ?? ""] ?? {};
}

/** @param {string} name */
function words(name) {
  return name.replace(/([A-Z0-9]+)/g, " $1").toLowerCase();
}

/** @param {Schema} property @param {any} usual @returns {Control} */
function controlFor(property, usual) {
  if (property.enum) return choice(property.enum.map((each) => [String(each), String(each) || "as usual"]), String(usual));
  if (property.type === "boolean") return el("input", { type: "checkbox", checked: usual === true });
  if (property.type === "integer") {
    return el("input", { type: "number", value: usual, min: property.minimum, max: property.maximum, step: property.multipleOf ?? 1 });
  }
  return el("input", { value: usual ?? "" });
}

/** @param {Control} control @param {Schema} property */
function valueOf(control, property) {
  if (property.type === "boolean") return /** @type {HTMLInputElement} */ (control).checked;
  if (property.enum) return property.enum.find((each) => String(each) === control.value);
  return property.type === "integer" ? Number(control.value) : control.value;
}

/** @param {AbortSignal} signal @param {string} game @param {string} seat @param {string} [invitation] */
export async function join(signal, game, seat, invitation) {
  const [summary, may] = await Promise.all([/** @type {Promise<GameSummary>} */ (get(`/v1/games/${game}`)), signs()]);
  const sign = signing(may);
  const said = el("div", {});
  const accept = el("input", { type: "checkbox" });
  const take = el("button", { class: "btn go big main", type: "button", onclick: async () => {
    take.disabled = true;
    try {
      const body = /** @type {Record<string, unknown>} */ (invitation ? { seat, invitation } : { seat });
      if (summary.seedNamed && accept.checked) body.acceptNamedSeed = true;
      await taken(summary, await keyed(body, sign.checked));
      location.hash = `#/game/${game}`;
    } catch (error) { take.disabled = false; said.replaceChildren(trouble(error)); }
  } }, `Take seat ${seat}`);
  show(signal, el("div", { class: "joining" }, el("h1", {}, `Join ${summary.name || "a game"}`),
    el("p", {}, `${summary.rules.ruleset}, ${summary.scenario}, edition ${summary.rules.edition}.`),
    teams(summary) ? el("p", { class: "teams" }, `${partners(summary, seat)} ${teams(summary)}.`) : "",
    summary.seedNamed ? el("p", { class: "problem" }, SEED_NAMED) : "",
    summary.seedNamed ? labelled("I join all the same", accept) : "",
    el("p", {}, "The token of the seat is kept in this browser."), signLine(may, sign), take, said));
}

/** @param {GameSummary} summary @param {string} seat */
function partners(summary, seat) {
  const side = summary.sides.find((each) => each.seats.includes(seat));
  const others = side?.seats.filter((each) => each !== seat) ?? [];
  return others.length ? `With ${seat} you play together with ${others.join(" and ")}:` : "";
}
