// One roll of the ledger, rolled again in this browser from what was committed to beforehand.

import { el } from "./dom.js";
import { batchKey, hex, roll as rollAgain, unhex } from "./nwd1.js";

/** @typedef {import("./types.js").RollRecord} Roll */

/** @param {Roll} roll */
export async function provedRoll(roll) {
  const { proof } = roll;
  if (!proof?.link) return el("p", { class: "small quiet" }, "The link of its batch is not open yet: it can be checked once the game is over.");
  return crypto.subtle ? again(roll, proof) : null;
}

/** @param {Roll} roll @param {Roll["proof"]} proof */
async function again(roll, proof) {
  const key = await batchKey({
    g: unhex(proof.params), domain: proof.domain, t: proof.batch, link: unhex(proof.link), playerLinks: proof.playerLinks, beacon: proof.round ? { round: proof.round, signature: proof.beacon } : null,
  });
  const made = await rollAgain(key, roll.id, roll.pools);
  if (!made) return el("p", { class: "bad wide" }, "Rolled again in this browser: the dice run out.");
  const { faces, stream } = made;
  const same = JSON.stringify(faces) === JSON.stringify(roll.faces);
  return el("p", { class: same ? "small good wide" : "bad wide", title: `Dice ${roll.id}, stream ${hex(stream.slice(0, 16))}` },
    same ? "Rolled again in this browser: the same faces." : `Rolled again in this browser: ${JSON.stringify(faces)}!`,
    ` Batch ${proof.batch}.`);
}
