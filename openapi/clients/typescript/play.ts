// Plays a whole game: node build/typescript/play.js http://127.0.0.1:8000 war-at-sea '{"scenario": "convoy"}'
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "../generated/api.js";

type NewGame = components["schemas"]["NewGame"];
const [baseUrl, ruleset, more = "{}"] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl });
const fresh = () => ({ "Idempotency-Key": randomUUID() });
const wish: NewGame = { ruleset, ...JSON.parse(more) };
const made = await api.POST("/v1/games", { params: { header: fresh() }, body: wish });
if (!made.data) throw new Error(JSON.stringify(made.error));
const path = { game: made.data.game.id };
const tokens = new Map(made.data.tokens.map((each) => [each.seat, each.token]));
let [version, sunk] = [0, 0];
for (;;) {
  const { data: game } = await api.GET("/v1/games/{game}", { params: { path } });
  if (!game || game.status === "finished") {
    console.log(JSON.stringify({ game: path.game, version, sunk, result: game?.result }));
    break;
  }
  const headers = { Authorization: `Bearer ${tokens.get(game.toMove[0].seat)}` };
  const { data: list } = await api.GET("/v1/games/{game}/commands", { params: { path }, headers });
  const items = list?.items ?? []; // ways to give up are apart from these
  const item = items[Math.floor(Math.random() * items.length)];
  const header = { ...fresh(), "If-Match": `"${list?.version}"` };
  const done = await api.POST("/v1/games/{game}/commands", { params: { path, header }, headers, body: item.command });
  if (done.error && done.response.status !== 412) throw new Error(JSON.stringify(done.error));
  for (const event of done.data?.events ?? []) {
    version = event.seq;
    switch (event.type) {
      case "war-at-sea.attack-resolved":
        if (event.data.outcome === "destroyed") sunk += 1; // the type says which fields there are
        break;
      default: // nothing to do, also for a type that is newer than this client
    }
  }
}
