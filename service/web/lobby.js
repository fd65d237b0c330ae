// The lobby: games, a new game with its options, and seats to take by invitation.

import { get, held, keep, pages, post } from "./api.js";
import { SEED_NAMED, announce, choice, el, labelled, scores, show, teams, trouble } from "./dom.js";

export async function lobby(signal) {
  const service = await get("/v1");
  const list = el("div", { class: "scroll" });
  const status = choice([["", "all"], ["open", "open"], ["playing", "playing"], ["finished", "finished"]], "");
  const ruleset = choice([["", "all"], ...service.rulesets.map((r) => [r.id, r.title])], "");
  let newest = 0;
  const load = async () => {
    const number = ++newest;
    const found = await games(status.value, ruleset.value).catch(trouble);
    // An older answer must never be drawn over a newer one.
    if (number === newest) list.replaceChildren(found);
  };
  status.addEventListener("change", load);
  ruleset.addEventListener("change", load);
  show(
    signal,
    el("h1", {}, "Lobby"),
    service.announcement ? el("p", { role: "status" }, service.announcement) : null,
    await mine(),
    el("h2", {}, "Games"),
    el("div", { class: "controls" }, labelled("Status", status), labelled("Rules", ruleset),
      el("button", { type: "button", onclick: load }, "Refresh")),
    list,
    el("h2", {}, "New game"),
    await creation(service.rulesets),
  );
  await load();
}

async function mine() {
  const known = Object.entries(held());
  if (!known.length) return null;
  const rows = known.slice(-12).reverse().map(([id, kept]) => el("li", {},
    el("a", { href: `#/game/${id}` }, kept.name || id.slice(0, 8)),
    ` as ${Object.keys(kept.seats).join(", ") || "organiser"}`));
  return el("section", {}, el("h2", {}, "Your games"), el("ul", {}, rows));
}

async function games(status, ruleset) {
  const query = new URLSearchParams({ limit: 50 });
  if (status) query.set("status", status);
  if (ruleset) query.set("ruleset", ruleset);
  const page = await get(`/v1/games?${query}`);
  if (!page.items.length) return el("p", {}, "There are no such games yet.");
  const head = ["Game", "Rules", "Status", "Seats", "To move", "Score", "Look"];
  return el("table", {},
    el("thead", {}, el("tr", {}, head.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, page.items.map(row)));
}

function row(game) {
  const moving = game.toMove.map((question) => `${question.seat}: ${question.question}`).join(", ");
  const filled = Object.fromEntries(game.seats.map((seat) => [seat.seat, `${seat.seat} ${seat.held}`]));
  const seats = teams(game, (seat) => filled[seat]) || Object.values(filled).join(", ");
  const open = game.seats.filter((seat) => seat.held === "open" && game.status !== "finished");
  return el("tr", {},
    el("td", {}, el("a", { href: `#/game/${game.id}` }, game.name || game.id.slice(0, 8))),
    el("td", {}, `${game.rules.ruleset}, ${game.scenario}`),
    el("td", {}, game.abandoned ? "abandoned" : game.status, game.seedNamed ? [" ", el("span", { title: SEED_NAMED }, "(seed named)")] : ""), el("td", {}, seats), el("td", {}, moving), el("td", {}, scores(game)),
    el("td", {}, el("a", { href: `#/replay/${game.id}` }, `Replay ${game.version} versions`),
      open.map((seat) => [" ", el("a", { href: `#/join/${game.id}/${seat.seat}` }, `Take ${seat.seat}`)]).flat()));
}

async function creation(rulesets) {
  const form = el("form", {});
  const which = choice(rulesets.map((r) => [r.id, r.title]), rulesets[0]?.id);
  const rest = el("div", {});
  const said = el("div", {});
  let read = () => ({});
  const fill = async () => {
    const id = which.value;
    read = await fields(rest, id);
    form.dataset.ruleset = id;
  };
  which.addEventListener("change", fill);
  form.append(labelled("Rules", which), rest, el("button", { class: "main", type: "submit" }, "Create"), said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const made = await post("/v1/games", { ruleset: which.value, ...read() });
      made.game.status === "finished" || created(made);
    } catch (error) { said.replaceChildren(trouble(error)); }
  });
  await fill();
  return form;
}

function created(made) {
  const id = made.game.id;
  keep(id, {
    name: made.game.name,
    seats: Object.fromEntries(made.tokens.map((given) => [given.seat, given.token])),
    invitations: Object.fromEntries(made.invitations.map((given) => [given.seat, given.token])),
    organiser: made.organiser,
  });
  announce("The game is created.");
  location.hash = `#/game/${id}`;
}

async function fields(rest, id) {
  const [ruleset, scenarios] = await Promise.all([
    get(`/v1/rulesets/${id}`), pages(`/v1/rulesets/${id}/scenarios?limit=200`)]);
  const name = el("input", { maxlength: 60, autocomplete: "off" });
  const edition = choice(ruleset.editions.map((each) => [each]), ruleset.editions.at(-1));
  const playable = scenarios.filter((each) => each.playable);
  const scenario = choice(playable.map((each) => [each.id, each.name]), "standard");
  const counts = choice(ruleset.seatCounts.map((n) => [String(n)]), String(ruleset.seatCounts[0]));
  const seats = el("fieldset", {});
  const holds = [];
  const seatRows = () => {
    holds.length = 0;
    seats.replaceChildren(el("legend", {}, "Seats"));
    for (let n = 1; n <= Number(counts.value); n += 1) {
      const hold = choice([["keep", "I play it"], ["invite", "by invitation"], ["open", "open to all"]],
        n === 1 ? "keep" : "invite");
      holds.push([`p${n}`, hold]);
      seats.append(labelled(`p${n}`, hold));
    }
  };
  counts.addEventListener("change", seatRows);
  seatRows();
  const [options, chosen] = optionFields(ruleset.options, edition);
  rest.replaceChildren(labelled("Name", name), labelled("Edition", edition), labelled("Scenario", scenario),
    ruleset.seatCounts.length > 1 ? labelled("Players", counts) : "", seats, options);
  return () => ({
    name: name.value, edition: edition.value, scenario: scenario.value,
    seats: holds.map(([seat, hold]) => ({ seat, hold: hold.value })),
    options: chosen(),
  });
}

// Only what differs from the default is sent: a default stands for itself. What does nothing in the
// edition is not shown.
function optionFields(schema, edition) {
  const definition = resolve(schema, schema);
  const inputs = [];
  const details = el("details", {}, el("summary", {}, "Options of the rules"));
  for (const [name, given] of Object.entries(definition.properties ?? {})) {
    const property = { ...resolve(given, schema), ...given };
    const control = controlFor(property, property.default);
    const row = el("p", { class: "option" }, labelled(words(name), control),
      el("small", {}, `${(property.description ?? "").replaceAll("`", "")} ${property["x-rule"] ?? ""}`));
    inputs.push([name, control, property, row]);
    details.append(row);
  }
  const works = (property) => (property["x-editions"] ?? [edition.value]).includes(edition.value);
  const fit = () => inputs.forEach(([, , property, row]) => { row.hidden = !works(property); });
  edition.addEventListener("change", fit);
  fit();
  const chosen = () => Object.fromEntries(inputs
    .filter(([, , property]) => works(property))
    .map(([name, control, property]) => [name, valueOf(control, property), property.default])
    .filter(([, value, usual]) => value !== usual).map(([name, value]) => [name, value]));
  return [details, chosen];
}

function resolve(schema, root) {
  if (!schema?.$ref) return schema;
  return root.$defs?.[schema.$ref.split("/").at(-1)] ?? {};
}

function words(name) {
  return name.replace(/([A-Z0-9]+)/g, " $1").toLowerCase();
}

function controlFor(property, usual) {
  if (property.enum) return choice(property.enum.map((each) => [String(each), String(each) || "as usual"]), String(usual));
  if (property.type === "boolean") return el("input", { type: "checkbox", checked: usual === true });
  if (property.type === "integer") {
    return el("input", { type: "number", value: usual, min: property.minimum, max: property.maximum, step: property.multipleOf ?? 1 });
  }
  return el("input", { value: usual ?? "" });
}

function valueOf(control, property) {
  if (property.type === "boolean") return control.checked;
  if (property.enum) return property.enum.find((each) => String(each) === control.value);
  return property.type === "integer" ? Number(control.value) : control.value;
}

export async function join(signal, game, seat, invitation) {
  const summary = await get(`/v1/games/${game}`);
  const said = el("div", {});
  const accept = el("input", { type: "checkbox" });
  const take = el("button", { class: "main", type: "button", onclick: async () => {
    take.disabled = true;
    try {
      const body = invitation ? { seat, invitation } : { seat };
      if (summary.seedNamed && accept.checked) body.acceptNamedSeed = true;
      const given = await post(`/v1/games/${game}/seats`, body);
      keep(game, { name: summary.name, seats: { [seat]: given.token } });
      location.hash = `#/game/${game}`;
    } catch (error) { take.disabled = false; said.replaceChildren(trouble(error)); }
  } }, `Take seat ${seat}`);
  show(signal, el("h1", {}, `Join ${summary.name || "a game"}`),
    el("p", {}, `${summary.rules.ruleset}, ${summary.scenario}, edition ${summary.rules.edition}.`),
    teams(summary) ? el("p", { class: "teams" }, `${partners(summary, seat)} ${teams(summary)}.`) : "",
    summary.seedNamed ? el("p", { class: "problem" }, SEED_NAMED) : "",
    summary.seedNamed ? labelled("I join all the same", accept) : "",
    el("p", {}, "The token of the seat is kept in this browser."), take, said);
}

function partners(summary, seat) {
  const side = summary.sides.find((each) => each.seats.includes(seat));
  const others = side?.seats.filter((each) => each !== seat) ?? [];
  return others.length ? `With ${seat} you play together with ${others.join(" and ")}:` : "";
}
