// Who was lucky: the plot that the service draws, and the same in tables. Asked for when opened.

import { ask, get } from "./api.js";
import { inline } from "./board.js";
import { el, trouble } from "./dom.js";

/** @param {() => {game: string, as: string, token: string}} asker */
export function luckPanel(asker) {
  const inside = el("div", {});
  let told = false, seen = false;
  async function fill() {
    if (!seen || told) return;
    told = true;
    const { game, as, token } = asker();
    const path = `/v1/games/${game}/luck${as ? `?${new URLSearchParams({ as })}` : ""}`;
    try {
      const report = await get(path, { token });
      const plot = await ask(path, { token, accept: "image/svg+xml" });
      inside.replaceChildren(inline(await plot.text()), ...tables(report));
    } catch (error) { inside.replaceChildren(trouble(error)); }
  }
  return { box: inside, open() { seen = true; fill(); }, forget() { told = false; fill(); } };
}

/** @param {import("./types.js").LuckReport} report */
function tables(report) {
  if (!report.seats.length) return [el("p", {}, "No dice of which a score is kept have fallen.")];
  const parts = [
    grouped("By seat", "", report.seats),
    grouped("By phase", "Phase", report.phases),
    grouped("By weapon", "Weapon", report.weapons),
    course(report.series),
  ];
  for (const { what, count, millionths, verdict } of report.trials) {
    parts.push(el("p", {}, `${what}, ${count}: ${verdict}; fair dice look so odd or odder in ${millionths} of 1000000 games.`));
  }
  return parts;
}

/** @param {string} caption @param {string} kind @param {import("./types.js").LuckOf[]} groups */
function grouped(caption, kind, groups) {
  const heads = ["Seat", ...(kind ? [kind] : []), "Rolls", "Dice", "Brought", "Expected", "Worse in"];
  return table(caption, heads, groups.map((each) => [each.seat, ...(kind ? [each.name || "-"] : []),
    each.rolls, each.dice, each.actual, decimal(each.expected), `${each.perMille} of 1000`]));
}

/** @param {import("./types.js").LuckPoint[]} series */
function course(series) {
  const rows = series.map(({ seq, seat, ahead }) => [seq, seat, decimal({ numerator: String(ahead), denominator: "1000" })]);
  return el("details", {}, el("summary", {}, "The course of it in figures"), table("Ahead of what was expected", ["Event", "Seat", "Ahead"], rows));
}

/** @param {string} caption @param {string[]} heads @param {unknown[][]} rows */
function table(caption, heads, rows) {
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    el("table", {}, el("caption", {}, caption),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell) => el("td", {}, String(cell))))))));
}

// An exact ratio of whole numbers, to two places, towards zero.
/** @param {{numerator: string | number, denominator: string | number}} ratio */
function decimal({ numerator, denominator }) {
  const hundredths = (BigInt(numerator) * 100n) / BigInt(denominator);
  const size = hundredths < 0n ? -hundredths : hundredths;
  return `${hundredths < 0n ? "-" : ""}${size / 100n}.${String(size % 100n).padStart(2, "0")}`;
}
