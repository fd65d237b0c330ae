// Elements without templates: text is always text, never markup.

/** @typedef {Node | string | null | undefined} Child */
/** @typedef {Child | Child[]} Children */

/**
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, any>} attributes what begins with "on" is listened for
 * @param {...any} children
 * @returns {HTMLElementTagNameMap[N]}
 */
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

/** What the page has by that id. @param {string} id */
export function byId(id) { return /** @type {HTMLElement} */ (document.getElementById(id)); }

/** @param {string} text @param {Node} control */
export function labelled(text, control) {
  return el("label", {}, `${text} `, control);
}

/** @param {string[][]} values value and text of each; without one its value is its text @param {string} chosen @param {Record<string, any>} attributes */
export function choice(values, chosen, attributes = {}) {
  const options = values.map(([value, text]) =>
    el("option", { value, selected: value === chosen }, text ?? value));
  return el("select", attributes, options);
}

// The page, unless it was left while what it shows was being fetched: then it ends here.
/** @param {AbortSignal} signal @param {...any} children */
export function show(signal, ...children) {
  signal.throwIfAborted();
  const main = byId("main");
  main.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return main;
}

// What a page puts into the header: in its middle, and at its end.
/** @param {Node[]} middle @param {Node[]} end */
export function slot(middle = [], end = []) {
  byId("slot").replaceChildren(...middle);
  byId("tools").replaceChildren(...end);
}

/** @param {string} text */
export function announce(text) {
  byId("status").textContent = text;
}

// Of a record that is another than before: both heads as a file, which `decklog equivocation` reads.
/** @param {any} error */
function kept(error) {
  const href = URL.createObjectURL(new Blob([JSON.stringify(error.told, null, 2), "\n"], { type: "application/json" }));
  return el("a", { href, download: `${error.game}.heads.json` }, "Keep both heads as a file");
}

// What went wrong, as the service says it.
/** @param {any} error */
export function saying(error) { return error.document?.detail || error.document?.title || error.message; }

/** A problem of the service, or any other error; `rule`: how the ID of the rule is shown, where it can be opened. @param {any} error @param {(id: string) => any} rule */
export function trouble(error, rule = (id) => `(${id})`) {
  const title = error.told ? "The service tells another record of this game than before" : error.document?.title ?? "That did not work";
  const parts = [el("strong", {}, title), ` ${saying(error)}`];
  if (error.hint) parts.push(el("br"), error.hint);
  if (error.rule) parts.push(" ", rule(error.rule));
  if (error.told) parts.push(" ", kept(error));
  return el("p", { class: "problem wide", role: "alert" }, parts);
}

// Who plays with whom, where anybody has a partner; else nothing.
/** @param {import("./types.js").GameSummary} game @param {(seat: string) => string} named */
export function teams(game, named = (seat) => seat) {
  if (!game.sides.some((side) => side.seats.length > 1)) return "";
  return game.sides.map((side) => side.seats.map(named).join(" and ")).join(", against ");
}

// Points of partners are their side's, once.
/** @param {import("./types.js").GameSummary} game */
export function scores(game) {
  return game.sides.map((side) => `${side.seats.join(" and ")} ${side.score}`).join(", ");
}

// What whoever looks at a game with a named seed, or joins it, has to know.
export const SEED_NAMED = "The seed of the dice was named: whoever knows it can foresee every die and read every hidden card. The dice have the grade none.";
