// The public API by the ready-made client, and the tokens that this browser holds. Nothing here is closed to a program.

import { Client } from "./client.js";
import { Heads } from "./heads.js";

const KEPT = "decklog.games";

// What this browser was told of each game's chain: another record later is shown, and both heads are offered as a file.
// The browser may keep nothing for us; then they are kept while the page is open.
const store = { getItem: (/** @type {string} */ name) => localStorage.getItem(name), setItem: (/** @type {string} */ name, /** @type {string} */ text) => localStorage.setItem(name, text) };
const heads = new Heads({ store, service: location.origin, received });

// A receipt is kept for the evidence file of its game. A browser that keeps nothing plays all the same.
/** @param {string} game @param {string} receipt */
function received(game, receipt) { import("./receipts.js").then(({ keepReceipt }) => keepReceipt(game, receipt)).catch(() => {}); }

// The service may be started anew in the middle of a request: the client sends the very same one again, with its key.
// Its public log is for those to follow who do not have their page from it.
export function client(token = "") { return new Client("", { token, heads, fetch: heardFrom, logged: false }); }

/** @type {typeof fetch} */
async function heardFrom(address, request) {
  try {
    const answer = await fetch(address, request);
    lamp(answer.status < 502);
    return answer;
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") lamp(false); // else it is the page that has gone on
    throw error;
  }
}

// The lamp in the header: whether the service answers.
/** @param {boolean} lit */
export function lamp(lit) {
  const shown = document.getElementById("lamp");
  if (!shown || (shown.dataset.lit === "yes") === lit) return;
  shown.dataset.lit = lit ? "yes" : "no";
  shown.textContent = lit ? "Live" : "Reconnecting";
}

/** @typedef {{method?: string, token?: string, beside?: string, body?: unknown, version?: number, accept?: string}} Asking */

/** @param {string} path @param {Asking} [how] */
export function ask(path, { method = "GET", token = "", beside = "", body, version, accept } = {}) {
  const headers = /** @type {Record<string, string>} */ ({});
  if (accept) headers.Accept = accept;
  if (beside) headers["Decklog-With-Token"] = beside;
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  return client(token).send(path, { method, headers, body });
}

/** @param {string} path @param {Asking} [options] @returns {Promise<any>} */
export async function get(path, options = {}) {
  return (await ask(path, options)).json();
}

/** @param {string} path @param {unknown} body @param {Asking} [options] @returns {Promise<any>} */
export async function post(path, body, options = {}) {
  return (await ask(path, { ...options, method: "POST", body })).json();
}

/** @param {string} path @param {{token?: string}} [how] */
export function pages(path, { token } = {}) {
  return client(token).items(path);
}

// Every event above `after`, as it comes, and what changes at the table, for who keeps one; ends when the game is over or `signal` says so.
/** @param {string} game @param {number} after @param {string} token @param {AbortSignal} signal @param {(event: any) => void} heard @param {(table: {version: number, changes: any[]}) => void} [told] */
export async function follow(game, after, token, signal, heard, told) {
  for await (const { kind, data } of client(token).follow(game, { after, table: Boolean(told), signal })) {
    if (kind === "event") heard(data);
    if (kind === "table") told?.(data);
  }
}

/** @returns {Record<string, any>} */
export function held() {
  try { return JSON.parse(localStorage.getItem(KEPT) ?? "{}"); } catch { return {}; }
}

/** @param {string} game @param {any} more */
export function keep(game, more) {
  const all = held();
  const known = all[game] ?? { seats: {}, invitations: {} };
  all[game] = {
    ...known, ...more,
    seats: { ...known.seats, ...more.seats },
    invitations: { ...known.invitations, ...more.invitations },
  };
  localStorage.setItem(KEPT, JSON.stringify(all));
}

/** @param {string} game */
export function forget(game) {
  const all = held();
  delete all[game];
  localStorage.setItem(KEPT, JSON.stringify(all));
}
