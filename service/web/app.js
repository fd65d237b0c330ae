// Which page is shown: the part of the address behind "#" says so, and never leaves the browser.

import { announce, el, show, trouble } from "./dom.js";
import { evidence } from "./evidence.js";
import { join, lobby } from "./lobby.js";
import { replay } from "./replay.js";
import { table } from "./table.js";

let leaving = new AbortController();

async function route() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const [name = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const pages = {
    "": ["Lobby", () => lobby(signal)],
    game: ["Table", () => table(signal, rest[0])],
    join: ["Join", () => join(signal, ...rest)],
    replay: ["Replay", () => replay(signal, rest[0])],
    evidence: ["Evidence", () => evidence(signal)],
  };
  if (name === "main") return;
  const [title, page] = pages[name] ?? ["Nowhere", () => show(signal, el("h1", {}, "There is no such page."))];
  announce("");
  document.title = `${title} - Decklog`;
  try { await page(); } catch (error) {
    if (signal.aborted) return;
    show(signal, el("h1", {}, title), trouble(error));
  }
  if (signal.aborted) return;
  document.getElementById("main").focus({ preventScroll: true });
}

addEventListener("hashchange", route);
route();
