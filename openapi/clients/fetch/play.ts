// Plays a whole game: node build/fetch/play.js http://127.0.0.1:8000 war-at-sea '{"scenario": "convoy"}'
import { randomUUID } from "node:crypto";
import { CommandsApi, Configuration, GamesApi, NewGameFromJSON, ResponseError } from "../generated/fetch/index.js";

const [basePath, ruleset, more = "{}"] = process.argv.slice(2);
const games = new GamesApi(new Configuration({ basePath }));
const newGame = NewGameFromJSON({ ruleset, ...JSON.parse(more) });
const made = await games.createGame({ idempotencyKey: randomUUID(), newGame });
const id = made.game.id;
const seats = new Map(made.tokens.map(({ seat, token }) => {
  return [seat, new CommandsApi(new Configuration({ basePath, accessToken: token }))];
}));
let [events, refused] = [0, 0];
for (;;) {
  const game = await games.getGame({ game: id });
  if (game.status === "finished") {
    console.log(JSON.stringify({ game: id, version: game.version, events, refused }));
    break;
  }
  const seat = seats.get(game.toMove[0].seat);
  if (!seat) throw new Error(`no token for ${game.toMove[0].seat}`);
  const list = await seat.listCommands({ game: id });
  const { command } = list.items[Math.floor(Math.random() * list.items.length)];
  const key = { idempotencyKey: randomUUID(), ifMatch: `"${list.version}"` };
  try {
    events += (await seat.giveCommand({ game: id, ...key, command })).events.length;
  } catch (error) {
    if (!(error instanceof ResponseError) || error.response.status !== 412) throw error;
    refused += 1;
  }
}
