// The public API, and the tokens that this browser holds. Nothing here is closed to a program.

import { Reader } from "./client-stream.js";
import { freshKey, patiently, pause } from "./client-wire.js";
import { confirm, newest, note, noteAnswer } from "./heads.js";

const KEPT = "decklog.games";

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `HTTP ${status}`);
    this.status = status;
    this.title = body.title;
    this.code = body.code;
    this.hint = body.hint;
    this.rule = body.rule;
    this.errors = body.errors ?? [];
    this.nearest = body.nearest;
  }
}

// The service may be started anew in the middle of a request. Nobody can tell whether it was heard,
// so the very same request goes out again, with the same idempotency key: it counts once.
// The pauses grow, and what is worth asking again is what the ready-made client takes for it.
const PATIENCE = 60_000;

export async function ask(path, { method = "GET", token = "", beside = "", body, version, accept, patience = PATIENCE } = {}) {
  const headers = { Accept: accept ?? "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (beside) headers["Decklog-With-Token"] = beside;
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    headers["Idempotency-Key"] = freshKey();
  }
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  const request = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  const answer = await patiently(() => heardFrom(path, request), patience, pause);
  noteAnswer(path, answer);
  if (answer.ok) return answer;
  let told = {};
  try { told = await answer.json(); } catch { /* not a problem document */ }
  throw new Problem(answer.status, told);
}

async function heardFrom(path, request) {
  let answer;
  try { answer = await fetch(path, request); } finally { lamp(answer !== undefined && answer.status < 502); }
  return answer;
}

// The lamp in the header: whether the service answers.
export function lamp(lit) {
  const shown = document.getElementById("lamp");
  if (!shown || (shown.dataset.lit === "yes") === lit) return;
  shown.dataset.lit = lit ? "yes" : "no";
  shown.textContent = lit ? "Live" : "Reconnecting";
}

export async function get(path, options = {}) {
  return (await ask(path, options)).json();
}

export async function post(path, body, options = {}) {
  return (await ask(path, { ...options, method: "POST", body })).json();
}

export async function pages(path, options = {}) {
  const items = [];
  let cursor = "";
  do {
    const mark = path.includes("?") ? "&" : "?";
    const page = await get(cursor ? `${path}${mark}cursor=${encodeURIComponent(cursor)}` : path, options);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor);
  return items;
}

// Every event above `after`, as it comes; ends when the game is over or `signal` says so.
export async function follow(game, after, token, signal, heard) {
  const headers = { Accept: "text/event-stream" };
  if (token) headers.Authorization = `Bearer ${token}`;
  await stillSo(game, headers.Authorization, signal);
  const answer = await fetch(`/v1/games/${game}/events?after=${after}`, { headers, signal });
  lamp(answer.status < 502);
  if (answer.status === 204) return;
  if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})));
  const reader = new Reader(after), line = answer.body.getReader();
  for (;;) {
    const { value, done } = await line.read();
    if (done) return;
    for (const { kind, data } of reader.feed(value)) {
      if (kind !== "event") continue;
      note(game, data);
      heard(data);
    }
  }
}

// Whoever comes back asks whether what was told before still stands.
async function stillSo(game, bearer, signal) {
  const kept = newest(game);
  if (!kept) return;
  const headers = { Accept: "application/json", ...(bearer ? { Authorization: bearer } : {}) };
  const answer = await fetch(`/v1/games/${game}/events?after=${kept.seq - 1}&limit=1`, { headers, signal });
  const told = await answer.json().catch(() => ({}));
  if (answer.ok || told.code === "version.unknown") confirm(game, kept, told.items?.[0]);
}

export function held() {
  try { return JSON.parse(localStorage.getItem(KEPT) ?? "{}"); } catch { return {}; }
}

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

export function forget(game) {
  const all = held();
  delete all[game];
  localStorage.setItem(KEPT, JSON.stringify(all));
}
