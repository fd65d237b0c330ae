// The decisions of a game that is over, beside a bot's: the turning points in a list, and on the strip.

import { get } from "./api.js";
import { el, trouble } from "./dom.js";
import { per, plain } from "./words.js";

// asker() says of which game; show(event) leads to one; told(decisions): the turning points, for whoever draws them.
/** @typedef {import("./types.js").Decision} Decision */

/** @param {() => {game: string, token: string}} asker @param {(event: number) => void} show @param {(turning: Decision[]) => void} told */
export function reviewPanel(asker, show, told) {
  const list = el("div", { "aria-live": "polite" }), box = el("section", { "aria-label": "Review" }, list);
  let begun = "";
  const open = async () => {
    const { game, token } = asker();
    if (begun === game) return;
    begun = game;
    try {
      const decisions = [];
      for (let after = 0, bot = ""; after !== null;) {
        const page = await get(`/v1/games/${game}/review?${new URLSearchParams({ after: String(after) })}`, { token });
        decisions.push(...page.decisions);
        [after, bot] = [page.next, page.bot];
        list.replaceChildren(...lines(decisions, bot, after, show));
        told(decisions.filter((each) => each.turning));
      }
    } catch (error) { begun = ""; list.replaceChildren(trouble(error)); }
  };
  return { box, open };
}

/** @param {Decision[]} decisions @param {string} bot @param {number | null} after @param {(event: number) => void} show */
function lines(decisions, bot, after, show) {
  const turning = decisions.filter((each) => each.turning), apart = decisions.filter(({ advised }) => advised).length;
  return [el("h2", {}, "Turning points"),
    el("p", { class: "small quiet" }, `${decisions.length} decisions${after === null ? "" : " so far"}; the bot "${bot}" would have chosen otherwise in ${apart}. It judges by rules of thumb, from what the seat saw.`),
    turning.length ? el("ol", { class: "upsets" }, turning.map((each) => el("li", {}, el("button", { type: "button", class: "btn flat", onclick: () => show(each.event) },
      `${each.event}. ${each.seat}: ${worth(each.chosen)}; rather ${worth(each.advised)}`)))) : el("p", {}, "There is no turning point.")];
}

/** @param {import("./types.js").Prospect | null} prospect */
function worth(prospect) {
  if (!prospect) return "nothing";
  const { text, hit, lost } = prospect;
  const found = [hit && `does something ${per(hit)}`, lost && `destroys ${per(lost)}`].filter(Boolean);
  return `${plain(text)} (${found.join(", ") || "no dice"})`;
}
