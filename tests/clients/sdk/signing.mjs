// Two seats with keys of their own play a game by the installed @decklog/client: node signing.mjs URL WISH FOLDER
// Says how it ended. One key cannot be read by anybody, the other is made of bytes.

import { writeFileSync } from "node:fs";
import { Client, Problem, SeatKey } from "@decklog/client";

const [url, wish, folder] = process.argv.slice(2);
let seed = 5;

// A small generator of chance, so that every run chooses alike.
function chance(below) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

async function chosen(turn) {
  const items = await turn.items(), stays = items.filter(({ command }) => !command.type.endsWith(".resign"));
  const open = stays.length ? stays : items;
  return open[chance(open.length)].command;
}

// The code with which an order is refused that other keys have signed, or none.
async function refused(table, turn, keys) {
  const kept = table.keys;
  table.keys = keys;
  try {
    await turn.give(await chosen(turn));
    return "";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code;
  } finally {
    table.keys = kept;
  }
}

const api = new Client(url), one = await SeatKey.make(), two = await SeatKey.from(new Uint8Array(32).fill(7));
const first = await api.newTable({ ...JSON.parse(wish), seats: [{ seat: "p1" }, { seat: "p2", hold: "open" }] }, { p1: one });
const second = await api.sitDown(first.game, { seat: "p2" }, two);
const tokens = Object.fromEntries([first, second].flatMap((each) => Object.entries(each.seats)).map(([seat, own]) => [seat, own.token]));
// As after a restart: the tokens and the keys are all that was kept.
const keys = { p1: await SeatKey.of(structuredClone(one.pair)), p2: two }, table = api.table(first.game, tokens, keys);
let codes = null;
for await (const turn of table.turns()) {
  if (!codes) {
    codes = [await refused(table, turn, {}), await refused(table, turn, { [turn.seat]: await SeatKey.make() })];
    keys.p1 = await SeatKey.make();
    await api.holding(tokens.p1).passOn(first.game, "p1", one, keys.p1);
  }
  await turn.give(await chosen(turn));
}
writeFileSync(`${folder}/game.evidence`, await api.evidence(first.game));
console.log(JSON.stringify({ codes, summary: await table.summary() }));
