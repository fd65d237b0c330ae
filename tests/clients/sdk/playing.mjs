// Plays a game with the installed @decklog/client, and reads along: node playing.mjs URL WISH
// Says "moved" once in the middle, and how it ended.

import { Client, Heads } from "@decklog/client";

const HALF = 15, PATIENCE = 170_000;
const [url, wish] = process.argv.slice(2);
let seed = 5;

// A small generator of chance, so that every run chooses alike.
function chance(below) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

async function all(generator) {
  const found = [];
  for await (const each of generator) found.push(each);
  return found;
}

const api = new Client(url, { heads: new Heads({ service: url }), patience: PATIENCE });
const table = await api.newTable(JSON.parse(wish));
const seat = Object.values(table.seats)[0];
const reading = [all(api.follow(table.game)), all(seat.watch(table.game))];
let turns = 0;
for await (const turn of table.turns()) {
  if (turns++ === HALF) console.log("moved");
  const items = await turn.items();
  const stays = items.filter(({ command }) => !command.type.endsWith(".resign"));
  const chosen = stays.length ? stays : items;
  await turn.give(chosen[chance(chosen.length)].command);
}
const [news, views] = await Promise.all(reading);
const head = api.heads.newest(table.game);
console.log(JSON.stringify({
  numbers: news.map(({ data }) => data.seq),
  views: views.slice(-1),
  seen: views.length,
  game: table.game,
  view: await seat.view(table.game),
  head: head && [head.seq, head.hash],
  result: (await table.summary()).result,
}));
