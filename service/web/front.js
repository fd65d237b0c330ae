// The front page: what this is, a battle to play at once against the house, and the games that there are.

import { alone } from "./alone.js";
import { get } from "./api.js";
import { announce, el, show, trouble } from "./dom.js";
import { learn, lessons } from "./lessons.js";
import { art, icon, s } from "./svg.js";

/** @typedef {{id: string, title: string, seatCounts: number[]}} Ruleset */

/** @type {Record<string, [string, string, number]>} */
const ABOUT = {
  "war-at-sea": ["bb", "Ships and aircraft in sectors; dice against armor.", 1],
  "naval-battles": ["cv", "Cards and hidden hands: salvos, torpedoes, and a near miss just in time.", 3],
  "crimson-tide": ["dd", "An open table, turning templates and arcs; you declare first and measure after.", 2],
};

/** @param {AbortSignal} signal */
export async function front(signal) {
  const [service, over, taught] = await Promise.all([get("/v1"), get("/v1/games?status=finished&limit=50").catch(() => ({ items: [] })), lessons().catch(() => /** @type {Record<string, import("./lesson.js").Script>} */ ({}))]);
  await art();
  const said = el("div", {});
  /** @type {Ruleset[]} */ const games = service.rulesets.filter((/** @type {Ruleset} */ { id }) => ABOUT[id]).sort((/** @type {Ruleset} */ one, /** @type {Ruleset} */ other) => place(one) - place(other));
  /** @type {(id: string) => string | undefined} */ const finished = (id) => over.items.find((/** @type {any} */ each) => (!id || each.rules.ruleset === id) && each.version > 20)?.id;
  const play = (/** @type {Ruleset} */ game) => begin(game).catch((error) => said.replaceChildren(trouble(error)));
  const lesson = (/** @type {string} */ id) => (id in taught ? el("button", { type: "button", class: "btn learn", title: taught[id].about, onclick: () => learn(id).catch((error) => said.replaceChildren(trouble(error))) }, icon("i-book"), "Learn by playing") : null);
  const watch = (/** @type {string} */ id, /** @type {string} */ text) => (finished(id) ? el("a", { href: `#/replay/${finished(id)}` }, text) : null);
  show(signal, el("div", { class: "front" },
    el("section", { class: "pitch" }, el("div", {},
      el("h1", {}, "Naval wargames by the book, against people or the house"),
      el("p", { class: "lead" }, "Take a fleet, click a ship, see what it can do and what it is worth. Every roll can be checked afterwards, by anyone."),
      games[0] ? el("button", { type: "button", class: "btn go big", onclick: () => play(games[0]) }, "Play a first battle now") : null,
      el("p", { class: "small quiet" }, "Against the house bot, at once. No account."), said,
      el("p", { class: "also" }, el("a", { href: "#/lobby" }, "Invite a friend"), watch("", "Watch a finished battle"))), el("div", { class: "herobox" }, hero())),
    el("h2", { class: "label" }, games.length === 3 ? "Three games" : "Games"),
    el("ul", { class: "offers" }, games.map((each) => offered(each, () => play(each), lesson(each.id), watch(each.id, "Watch")))),
    el("p", { class: "proofline" }, icon("shield"), el("span", {}, el("b", {}, "You need not trust this site."), " The dice are fixed before the game by secrets that are opened after it; one file holds the whole game and can be judged offline."), el("a", { href: "#/evidence" }, "Judge a file"))));
}

/** @param {Ruleset} game */
const place = ({ id }) => Object.keys(ABOUT).indexOf(id);

/** @param {Ruleset} game @param {() => unknown} play @param {Node | null} lesson @param {Node | null} watch */
function offered({ id, title, seatCounts }, play, lesson, watch) {
  const [picture, text, colour] = ABOUT[id], many = seatCounts.length > 1 ? `${seatCounts[0]} to ${seatCounts.at(-1)} players` : `${seatCounts[0]} players`;
  return el("li", { class: `s${colour}` }, el("div", { class: "pic" }, icon(picture, "ship")), el("h3", {}, title), el("p", {}, text), el("p", { class: "small quiet" }, many),
    el("p", { class: "acts" }, el("button", { type: "button", class: "btn", onclick: play }, icon("i-bot"), "Play the house bot"), lesson, watch));
}

/** @param {Ruleset} ruleset */
async function begin({ id }) {
  await alone(id, "a first battle");
  announce("The game is created.");
}

// A corner of a battle: one cruiser fires at another, past an atoll.
function hero() {
  const lines = [0, 1, 2, 3].flatMap((n) => [s("path", { d: `M${140 * n} 0V420`, class: "grid" }), s("path", { d: `M0 ${140 * n}H560`, class: "grid" })]);
  const land = "M240 170q40-34 84-6t40 84q-30 36-74 20t-64-46q-10-32 14-52Z";
  return s("svg", { class: "board hero", viewBox: "0 0 560 420", role: "img", "aria-label": "A battle: Alaska fires at Naka" },
    s("rect", { width: 560, height: 420, class: "water" }), lines,
    s("g", { transform: "translate(64 -106)" }, ["ring2", "ring3", "coast"].map((each) => s("path", { d: land, class: each }))),
    s("path", { d: "M112 154L448 322", class: "shot halo" }), s("path", { d: "M112 154L448 322", class: "shot planned" }),
    [["ca", "Alaska", 70, 140, 2, "picked", 4], ["cv", "Yorktown", 210, 70, 2, "", 4], ["dd", "Laffey", 70, 280, 2, "", 2], ["ca", "Naka", 490, 350, 1, "aim", 3], ["bb", "Yamashiro", 490, 210, 1, "", 5], ["dd", "Shigure", 350, 350, 1, "", 2]].map((each) => piece(/** @type {any} */ (each))));
}

/** @param {[string, string, number, number, number, string, number]} ship */
function piece([kind, name, x, y, seat, mark, hull]) {
  const plate = { x: x - 56, y: y - 34, width: 112, height: 68, rx: 4 };
  return s("g", { class: `piece s${seat} ${mark}` }, s("rect", { ...plate, class: "ring0" }), s("rect", { ...plate, class: "ring" }), s("rect", { ...plate, class: "plate" }),
    s("use", { href: `#${kind}`, width: 96, height: 38, transform: seat === 1 ? `translate(${x + 48} ${y - 26}) scale(-1 1)` : `translate(${x - 48} ${y - 26})` }),
    Array.from({ length: hull }, (_, n) => s("rect", { x: x + 50 - 7 * (hull - n), y: y - 30, width: 5, height: 5, class: "hull" })), s("text", { x, y: y + 28, "text-anchor": "middle", "font-size": 15 }, name));
}
