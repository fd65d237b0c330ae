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
  const [name = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const pages = {
    "": ["Lobby", () => lobby()],
    game: ["Table", () => table(rest[0], leaving.signal)],
    join: ["Join", () => join(...rest)],
    replay: ["Replay", () => replay(rest[0], leaving.signal)],
    evidence: ["Evidence", () => evidence()],
  };
  if (name === "main") return;
  const [title, page] = pages[name] ?? ["Nowhere", () => show(el("h1", {}, "There is no such page."))];
  announce("");
  document.title = `${title} - Decklog`;
  try { await page(); } catch (error) { show(el("h1", {}, title), trouble(error)); }
  document.getElementById("main").focus({ preventScroll: true });
}

addEventListener("hashchange", route);
route();
