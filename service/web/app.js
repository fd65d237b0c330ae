// Which page is shown: the part of the address behind "#" says so, and never leaves the browser.

import { announce, byId, el, show, slot, trouble } from "./dom.js";

let leaving = new AbortController();

async function route() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const [name = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  // Each page's modules come when it is shown: a desk has no use for a lobby.
  /** @type {Record<string, [string, () => unknown, string?]>} */
  const pages = {
    "": ["Naval wargames by the book", async () => (await import("./front.js")).front(signal), "deck hall"],
    lobby: ["Lobby", async () => (await import("./lobby.js")).lobby(signal), "deck hall"],
    game: ["Table", async () => (await import("./table.js")).table(signal, .../** @type {[string, string, string]} */ (rest)), "deck"],
    join: ["Join", async () => (await import("./lobby.js")).join(signal, .../** @type {[string, string, string]} */ (rest)), "deck hall"],
    pair: ["Another device", async () => (await import("./pairing.js")).pair(signal, .../** @type {[string, string, string, string]} */ (rest)), "deck hall"],
    paired: ["Another device", async () => (await import("./pairing.js")).paired(signal, .../** @type {[string, string, string]} */ (rest)), "deck hall"],
    replay: ["Replay", async () => (await import("./replay.js")).replay(signal, rest.join("/")), "deck"],
    evidence: ["Evidence", async () => (await import("./evidence.js")).evidence(signal)],
  };
  if (name === "main") return;
  const [title, page, look = "plain"] = pages[name] ?? ["Nowhere", () => show(signal, el("h1", {}, "There is no such page."))];
  announce("");
  slot();
  wear(look);
  document.title = `${title} - Decklog`;
  try { await page(); } catch (error) {
    if (signal.aborted) return;
    show(signal, el("h1", {}, title), trouble(error));
  }
  if (signal.aborted) return;
  const main = byId("main"); // a table goes to its first answer by itself
  if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
}

// Tables have a style of their own; the other sheet is put aside meanwhile.
/** @param {string} look */
function wear(look) {
  document.body.className = look;
  for (const each of ["plain", "deck"]) /** @type {HTMLLinkElement} */ (byId(each)).media = look.startsWith(each) ? "all" : "not all";
}

addEventListener("hashchange", route);
route();
