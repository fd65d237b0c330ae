// Elements without templates: text is always text, never markup.

export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export function labelled(text, control) {
  return el("label", {}, `${text} `, control);
}

export function choice(values, chosen, attributes = {}) {
  const options = values.map(([value, text]) =>
    el("option", { value, selected: value === chosen }, text ?? value));
  return el("select", attributes, options);
}

// The page, unless it was left while what it shows was being fetched: then it ends here.
export function show(signal, ...children) {
  signal.throwIfAborted();
  const main = document.getElementById("main");
  main.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return main;
}

// What a page puts into the header: in its middle, and at its end.
export function slot(middle = [], end = []) {
  document.getElementById("slot").replaceChildren(...middle);
  document.getElementById("tools").replaceChildren(...end);
}

export function announce(text) {
  document.getElementById("status").textContent = text;
}

// Of a record that is another than before: both heads as a file, which `decklog equivocation` reads.
function kept(error) {
  const href = URL.createObjectURL(new Blob([JSON.stringify(error.told, null, 2), "\n"], { type: "application/json" }));
  return el("a", { href, download: `${error.game}.heads.json` }, "Keep both heads as a file");
}

// What went wrong, as the service says it.
export function saying(error) { return error.document?.detail || error.document?.title || error.message; }

// `rule`: how the ID of the rule is shown, where it can be opened.
export function trouble(error, rule = (id) => `(${id})`) {
  const title = error.told ? "The service tells another record of this game than before" : error.document?.title ?? "That did not work";
  const parts = [el("strong", {}, title), ` ${saying(error)}`];
  if (error.hint) parts.push(el("br"), error.hint);
  if (error.rule) parts.push(" ", rule(error.rule));
  if (error.told) parts.push(" ", kept(error));
  return el("p", { class: "problem wide", role: "alert" }, parts);
}

// Who plays with whom, where anybody has a partner; else nothing.
export function teams(game, named = (seat) => seat) {
  if (!game.sides.some((side) => side.seats.length > 1)) return "";
  return game.sides.map((side) => side.seats.map(named).join(" and ")).join(", against ");
}

// Points of partners are their side's, once.
export function scores(game) {
  return game.sides.map((side) => `${side.seats.join(" and ")} ${side.score}`).join(", ");
}

// What whoever looks at a game with a named seed, or joins it, has to know.
export const SEED_NAMED = "The seed of the dice was named: whoever knows it can foresee every die and read every hidden card. The dice have the grade none.";
