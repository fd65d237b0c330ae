// A command that is built by hand: JSON with its schema, checked before it is sent. For what no board asks for.

import { el, trouble } from "./dom.js";

/** @param {any} table @param {{type: string, text: string, schema: unknown, refusals: Refusal[]}} given @param {{items: {command: {type: string}}[], version: number}} offer */
export function template(table, given, offer) {
  const example = offer.items.find((item) => item.command.type === given.type)?.command ?? { type: given.type };
  const text = el("textarea", { "aria-label": `Command: ${given.text}`, spellcheck: "false" });
  text.value = JSON.stringify(example, null, 1);
  const answer = el("div", {});
  const read = () => JSON.parse(text.value);
  const attempt = async (/** @type {() => unknown} */ act) => { try { await act(); } catch (error) { answer.replaceChildren(trouble(error)); } };
  const check = () => attempt(async () => {
    await table.check(read());
    answer.replaceChildren(el("p", { class: "good" }, "That would be accepted."));
  });
  const send = () => attempt(() => table.give(read(), offer.version));
  return el("details", {}, el("summary", {}, `By hand: ${given.text}`), text,
    el("div", { class: "row" }, el("button", { type: "button", class: "btn", onclick: check }, "Check"), el("button", { type: "button", class: "btn", onclick: send }, "Send")),
    answer, el("details", {}, el("summary", {}, "What it may hold"), el("pre", { tabindex: 0 }, JSON.stringify(given.schema, null, 1))), leftOpen(given.refusals));
}

/** @typedef {{code: string, rule: string}} Refusal */

// What the schema cannot say: why a command that fits it may still be refused.
/** @param {Refusal[]} refusals */
function leftOpen(refusals) {
  if (!refusals.length) return null;
  return el("p", { class: "small quiet" }, `It may still be refused: ${refusals.map((each) => `${each.code} (${each.rule})`).join(", ")}.`);
}
