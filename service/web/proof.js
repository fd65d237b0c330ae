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

// Each result that the dice could have, with its exact chance; the one that came is marked.
function odds({ odds: found, outcome, score }) {
  const named = found.outcomes.length > 0;
  const rows = (named ? found.outcomes : found.scores).map((each) => {
    const came = named ? each.outcome === outcome : each.score === score;
    const perMille = Number((BigInt(each.ways) * 1000n) / BigInt(found.of));
    const text = `${named ? each.outcome : each.score}: ${each.ways} in ${found.of} (${(perMille / 10).toFixed(1)}%)`;
    return el("li", {}, came ? el("strong", {}, `${text}, which it was`) : text);
  });
  const { numerator, denominator } = found.expected;
  return [el("p", {}, `The odds it had; on average ${denominator === "1" ? numerator : `${numerator}/${denominator}`}:`), el("ul", {}, rows)];
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
