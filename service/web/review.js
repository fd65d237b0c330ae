// The decisions of a game that is over, beside a bot's: the turning points in a list, and on the strip.

import { get } from "./api.js";
import { el, trouble } from "./dom.js";
import { per, plain } from "./words.js";

// asker() says of which game; show(event) leads to one; told(decisions): the turning points, for whoever draws them.
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
        const page = await get(`/v1/games/${game}/review?${new URLSearchParams({ after })}`, { token });
        decisions.push(...page.decisions);
        [after, bot] = [page.next, page.bot];
        list.replaceChildren(...lines(decisions, bot, after, show));
        told(decisions.filter((each) => each.turning));
      }
    } catch (error) { begun = ""; list.replaceChildren(trouble(error)); }
  };
  return { box, open };
}

function lines(decisions, bot, after, show) {
  const turning = decisions.filter((each) => each.turning), apart = decisions.filter(({ advised }) => advised).length;
  return [el("h2", {}, "Turning points"),
    el("p", { class: "small quiet" }, `${decisions.length} decisions${after === null ? "" : " so far"}; the bot "${bot}" would have chosen otherwise in ${apart}. It judges by rules of thumb, from what the seat saw.`),
    turning.length ? el("ol", { class: "upsets" }, turning.map((each) => el("li", {}, el("button", { type: "button", class: "btn flat", onclick: () => show(each.event) },
      `${each.event}. ${each.seat}: ${worth(each.chosen)}; rather ${worth(each.advised)}`)))) : el("p", {}, "There is no turning point.")];
}

function worth({ text, hit, lost }) {
  const found = [hit && `does something ${per(hit)}`, lost && `destroys ${per(lost)}`].filter(Boolean);
  return `${plain(text)} (${found.join(", ") || "no dice"})`;
}
