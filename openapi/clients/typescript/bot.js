// A whole game by chance: node bot.js http://127.0.0.1:8000 naval-battles

import { Client } from "@decklog/client";

const api = new Client(process.argv[2]);
const table = await api.newTable({ ruleset: process.argv[3] });
for await (const turn of table.turns()) {
  const items = await turn.items();
  await turn.give(items[Math.floor(Math.random() * items.length)].command);
}
console.log((await table.summary()).result);
