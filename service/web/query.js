// When something held: a question to the whole game, one's own or a saved one. The answers lead to their moments.

import { get } from "./api.js";
import { el, trouble } from "./dom.js";

let saved = null;

// `asker()` says of which game, in whose eyes; `go(seq)` shows a version.
/** @param {() => {game: string, ruleset: string, as: string, token: string}} asker @param {(seq: number) => void} go */
export function queryPanel(asker, go) {
  const said = el("div", { "aria-live": "polite" });
  const question = el("input", { type: "text", id: "question", maxlength: 2000, autocomplete: "off", spellcheck: "false",
    placeholder: "first(any(rolls, it.score >= 3))" });
  const probes = el("select", { "aria-label": "Saved question", onchange: () => {
    question.value = probes.value;
    if (probes.value) put();
  } });
  const form = el("form", { class: "controls", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); put(); } },
    el("label", { for: "question" }, "Question "), question, el("button", { type: "submit" }, "Ask"));
  const box = el("div", {}, el("h2", {}, "When did it hold?"), probes, form, said);

  async function fill() {
    if (probes.children.length) return;
    saved ??= await (await fetch("/pages/probes.json")).json();
    const own = [...(saved[asker().ruleset] ?? []), ...saved["every-game"]];
    probes.replaceChildren(el("option", { value: "" }, "A question of your own"),
      ...own.map(({ text, query }) => el("option", { value: query }, text)));
  }

  async function put() {
    if (!question.value.trim()) return;
    const { game, as, token } = asker();
    try {
      const query = new URLSearchParams({ question: question.value, limit: "200", ...(as ? { as } : {}) });
      tell(await get(`/v1/games/${game}/query?${query}`, { token }));
    } catch (error) { said.replaceChildren(trouble(error)); }
  }

  /** @param {import("./types.js").MomentsHeld} found */
  function tell({ count, moments, nowhere }) {
    said.replaceChildren(
      el("p", {}, count === 1 ? "At 1 moment." : `At ${count || "no"} moments.`,
        nowhere.length ? ` Nothing ever stood at ${nowhere.join(", ")}.` : ""),
      el("ol", { class: "moments", "aria-label": "Moments" }, moments.map(({ seq, text, type }) => el("li", { value: seq },
        el("button", { type: "button", onclick: () => go(seq) }, text || type)))));
  }

  return { box, open: fill, forget() { said.replaceChildren(); } };
}
