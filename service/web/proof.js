// One roll of the ledger, rolled again in the browser from what the service opened.

import { get } from "./api.js";
import { el } from "./dom.js";
import { batchKey, params, hex, renewedParams, roll, unhex } from "./nwd1.js";

export async function provedRoll(game, id, query, options, events) {
  const path = `/v1/games/${game}/rolls/${id.split("/").map(encodeURIComponent).join("/")}?${query}`;
  const box = el("div", {}, el("h3", {}, `Dice ${id}`));
  try {
    const found = await get(path, options);
    box.append(el("p", {}, `${found.text ?? ""} faces ${JSON.stringify(found.faces)}`));
    const batch = events.find((event) => event.type === "decklog.batch-rolled" &&
      event.data.rolls?.some((each) => each.label === id || each.label === found.label));
    if (!batch?.data.link) { box.append(el("p", {}, "Its link is not open yet: the dice can be checked once the game is over.")); return box; }
    box.append(await again(events, batch.data, found.label ?? id));
  } catch (error) { box.append(el("p", {}, error.message)); }
  return box;
}

async function again(events, batch, label) {
  const created = events[0].data;
  const renewals = events.filter((event) => event.type === "decklog.chain-renewed" && event.data.first <= batch.t);
  const g = await renewedParams(await params(created.params), renewals.at(-1)?.data.epoch ?? 0);
  const key = await batchKey({ g, domain: batch.domain, t: batch.t, link: unhex(batch.link), playerLinks: batch.playerLinks });
  const recorded = batch.rolls.find((each) => each.label === label);
  const { faces, stream } = await roll(key, label, recorded.pools);
  const same = JSON.stringify(faces) === JSON.stringify(recorded.faces);
  return el("p", { class: same ? "good wide" : "bad wide" },
    same ? "Rolled again in this browser: the same faces." : `Rolled again in this browser: ${JSON.stringify(faces)}!`,
    ` Stream ${hex(stream.slice(0, 16))}, batch ${batch.t}.`);
}
