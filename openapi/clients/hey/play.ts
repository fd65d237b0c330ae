// Plays a whole game and follows its events: node build/hey/play.js http://127.0.0.1:8000 naval-battles
import { randomUUID } from "node:crypto";
import { createClient } from "../generated/hey/client/index.js";
import { createGame, getGame, giveCommand, listCommands, listEvents } from "../generated/hey/index.js";
import type { NewGame } from "../generated/hey/index.js";

const [baseUrl, ruleset, more = "{}"] = process.argv.slice(2);
const client = createClient({ baseUrl, throwOnError: true });
const fresh = () => ({ "Idempotency-Key": randomUUID() });
const body: NewGame = { ruleset, ...JSON.parse(more) };
const made = await createGame({ client, headers: fresh(), body, throwOnError: true });
const path = { game: made.data.game.id };
const tokens = new Map(made.data.tokens.map((each) => [each.seat, each.token]));
const seen: number[] = [];

async function follow(): Promise<void> {
  const headers = { Accept: "text/event-stream" };
  const { stream } = await listEvents({ client, path, query: { after: 0 }, headers });
  for await (const event of stream) {
    seen.push(event.seq); // a type that is newer than this client comes here like any other
    if (event.type === "decklog.game-closed") console.error(event.data.result.reason);
    if (event.type === "decklog.master-opened") return; // the last one
  }
}

async function play(): Promise<number> {
  for (;;) {
    const { data: game } = await getGame({ client, path, throwOnError: true });
    if (game.status === "finished") return game.version;
    const auth = tokens.get(game.toMove[0].seat);
    const { data: list } = await listCommands({ client, path, auth, throwOnError: true });
    const { command } = list.items[Math.floor(Math.random() * list.items.length)];
    const headers = { ...fresh(), "If-Match": `"${list.version}"` };
    const done = await giveCommand({ client, path, auth, headers, body: command, throwOnError: false });
    if (done.error && done.response.status !== 412) throw new Error(JSON.stringify(done.error));
  }
}
const [version] = await Promise.all([play(), follow()]);
console.log(JSON.stringify({ game: path.game, version, events: seen.length, last: seen.at(-1) }));
