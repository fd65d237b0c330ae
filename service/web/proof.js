// One roll of the ledger: what it was for, the odds that it had, and its faces rolled again here.

import { el } from "./dom.js";
import { batchKey, hex, roll as rollAgain, unhex } from "./nwd1.js";

export async function provedRoll(roll) {
  const box = el("div", {}, el("h3", {}, `Dice ${roll.id}`), el("p", {}, facesOf(roll)));
  if (roll.odds) box.append(...odds(roll));
  const { proof } = roll;
  if (!proof?.link) {
    box.append(el("p", {}, "The link of its batch is not open yet: it can be checked once the game is over."));
  } else if (crypto.subtle) {
    box.append(await again(roll, proof));
  }
  return box;
}

function facesOf(roll) {
  if (roll.hidden) return "The faces are not yours to see.";
  const dice = roll.pools.map((pool, n) => `${pool.count}d${pool.sides}: ${(roll.faces[n] ?? []).join(" ")}`).join("; ");
  return `${dice}${roll.outcome ? ` (${roll.outcome})` : ""}`;
}

function odds({ odds: found, outcome }) {
  const rows = (found.outcomes ?? []).map((each) => {
    const name = each.outcome ?? each.name ?? "";
    return el("li", {}, el(name === outcome ? "strong" : "span", {}, `${name}: ${each.numerator ?? each.count ?? ""}/${each.denominator ?? found.of ?? ""}`));
  });
  return rows.length ? [el("p", {}, "The odds it had:"), el("ul", {}, rows)] : [];
}

async function again(roll, proof) {
  const key = await batchKey({
    g: unhex(proof.params), domain: proof.domain, t: proof.batch, link: unhex(proof.link), playerLinks: proof.playerLinks,
  });
  const { faces, stream } = await rollAgain(key, roll.id, roll.pools);
  const same = JSON.stringify(faces) === JSON.stringify(roll.faces);
  return el("p", { class: same ? "good wide" : "bad wide" },
    same ? "Rolled again in this browser: the same faces." : `Rolled again in this browser: ${JSON.stringify(faces)}!`,
    ` Batch ${proof.batch}, stream ${hex(stream.slice(0, 16))}.`);
}
