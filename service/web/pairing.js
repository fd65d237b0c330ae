// A seat goes to another device, and back. A link takes its token there, behind "#", which no server sees. Of a seat that
// signs the link is not enough: the other device makes a key, this one's signs it, and both show the same words before.

import { client, follow, get, held, keep } from "./api.js";
import { announce, el, labelled, show, trouble } from "./dom.js";
import { wordsOf } from "./pairwords.js";
import { instead, keptKey } from "./seatkeys.js";

/** @typedef {import("./types.js").GameSummary} GameSummary */

const PUBLIC = /^[0-9a-f]{64}$/;

/** @param {...string} parts */
const address = (...parts) => `${location.origin}/#/${parts.map(encodeURIComponent).join("/")}`;

/** @param {GameSummary} summary @param {string} seat */
const keyOf = (summary, seat) => summary.seats.find((each) => each.seat === seat)?.orderKey ?? "";

/** A link to be sent to the other device, with a way to copy it. @param {string} label @param {string} href */
function sent(label, href) {
  const text = el("input", { class: "linkto", readonly: true, value: href, "aria-label": label, onfocus: () => text.select() });
  const copy = el("button", { type: "button", class: "btn", onclick: async () => {
    try { await navigator.clipboard.writeText(href); announce("The link is copied."); } catch { text.focus(); }
  } }, "Copy the link");
  return el("p", { class: "row wide" }, text, copy);
}

/** At the table of the device that plays: the link to the other one, and where its answer is pasted. @param {string} game @param {string} seat @param {boolean} signed whether the seat signs its orders */
export function away(game, seat, signed) {
  const { seats, secrets } = held()[game], secret = secrets?.[seat] ?? "";
  const link = sent("Link for the other device", address("pair", game, seat, seats[seat], ...(secret ? [secret] : [])));
  const first = el("p", {}, `Open this link on the other device. Whoever has it sees what ${seat} sees${signed ? "" : ", and plays it"}: show it to nobody else.`);
  if (!signed) return [first, link];
  const answer = el("input", { inputmode: "url", autocomplete: "off" }), said = el("p", { class: "small" });
  const take = () => {
    const found = answer.value.match(/#\/(paired\/.+?)\s*$/);
    if (found) location.hash = `#/${found[1]}`; else said.textContent = "That is not the other device's link.";
  };
  return [first, link, el("p", {}, `${seat} signs its orders: the other device makes a key, and shows a link back. Open that here, in this browser, or paste it:`),
    el("p", { class: "row wide" }, labelled("Link of the other device", answer), el("button", { type: "button", class: "btn", onclick: take }, "Go on")), said];
}

/** On the device that is to play: it takes the token, and of a seat that signs it makes a key and waits until that is the seat's. @param {AbortSignal} signal @param {string} game @param {string} seat @param {string} [token] @param {string} [secret] */
export async function pair(signal, game, seat, token = "", secret = "") {
  const own = token || held()[game]?.seats?.[seat];
  if (!own) throw new Error(`This browser has no token of ${seat}: open the link that the other device shows.`);
  const summary = await get(`/v1/games/${game}`, { token: own });
  if (token) keep(game, { seats: { [seat]: token }, ...(secret ? { secrets: { ...held()[game]?.secrets, [seat]: secret } } : {}) });
  // The token is in this browser now: it need not stay in its history.
  history.replaceState(null, "", `#/pair/${encodeURIComponent(game)}/${encodeURIComponent(seat)}`);
  const title = el("h1", {}, `Play ${seat} on this device`), its = keyOf(summary, seat);
  const on = el("p", {}, el("a", { class: "btn go big main", href: `#/game/${game}` }, "To the table"));
  if (!its || await keptKey(its) || summary.status === "finished") {
    show(signal, el("div", { class: "joining" }, title, el("p", {}, `${seat} is played from here now.`), on));
    return;
  }
  const made = await instead(game, seat);
  if (!made) {
    show(signal, el("div", { class: "joining" }, title, el("p", { class: "problem" }, `${seat} signs its orders, and this browser can make or keep no key: it can only look on.`), on));
    return;
  }
  show(signal, el("div", { class: "joining" }, title,
    el("p", {}, `${seat} signs its orders. This device has made a key; the other one, which plays ${seat} now, has to pass the seat on to it.`),
    el("p", {}, "Open this link there, in the browser in which you played:"), sent("Link back to the other device", address("paired", game, seat, made)),
    el("p", {}, "It has to show the same words:"), await worded(game, seat, made),
    el("p", { class: "waiting", role: "status" }, "Waiting for the other device.")));
  await passedTo(signal, game, seat, own, made);
  if (!signal.aborted) location.hash = `#/game/${game}`;
}

/** Until that key is the seat's. @param {AbortSignal} signal @param {string} game @param {string} seat @param {string} token @param {string} made */
async function passedTo(signal, game, seat, token, made) {
  for (;;) {
    const summary = await get(`/v1/games/${game}`, { token });
    if (signal.aborted || keyOf(summary, seat) === made || summary.status === "finished") return;
    const heard = new AbortController(), stop = () => heard.abort();
    signal.addEventListener("abort", stop);
    await follow(game, summary.version, token, heard.signal, ({ type }) => { if (type === "decklog.key-changed") stop(); })
      .catch((error) => { if (!heard.signal.aborted) throw error; });
    signal.removeEventListener("abort", stop);
  }
}

/** @param {string} game @param {string} seat @param {string} publicKey */
async function worded(game, seat, publicKey) {
  return el("ol", { class: "words", "aria-label": "Words of the key" }, (await wordsOf(game, seat, publicKey)).map((word) => el("li", {}, word)));
}

/** On the device that has played until now: it asks, signs and sends. @param {AbortSignal} signal @param {string} game @param {string} seat @param {string} made public half of the other device's key */
export async function paired(signal, game, seat, made) {
  const token = held()[game]?.seats?.[seat];
  if (!token || !PUBLIC.test(made)) throw new Error(`Open this link in the browser in which ${seat} is played.`);
  const summary = await get(`/v1/games/${game}`, { token }), its = keyOf(summary, seat), key = await keptKey(its);
  const title = el("h1", {}, `Pass ${seat} on to another device`), back = el("a", { class: "btn", href: `#/game/${game}` }, "No: keep it here");
  if (its === made) { gone(game, seat, made); return; }
  if (!key) throw new Error(`The key of ${seat} is not in this browser: open the link in the one in which ${seat} is played.`);
  const said = el("div", {});
  const yes = el("button", { class: "btn go big main", type: "button", onclick: async () => {
    yes.disabled = true;
    try {
      await client(token).passOn(game, seat, key, { registered: { public: made, keeper: "page" } });
      gone(game, seat, made);
    } catch (error) { yes.disabled = false; said.replaceChildren(trouble(error)); }
  } }, "Yes, the same words: pass it on");
  show(signal, el("div", { class: "joining" }, title, el("p", {}, "Does the other device show these words, in this order?"), await worded(game, seat, made),
    el("p", {}, `If not, somebody else has your link: keep ${seat} here. If so, the other device plays ${seat} from now on, and this one looks on.`), el("p", { class: "row" }, yes, back), said));
}

/** The seat is played elsewhere: this browser knows why its key is good for nothing more. @param {string} game @param {string} seat @param {string} made */
function gone(game, seat, made) {
  keep(game, { passed: { ...held()[game]?.passed, [seat]: made } });
  location.hash = `#/game/${game}`;
}
