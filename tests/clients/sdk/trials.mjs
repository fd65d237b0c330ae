// What @decklog/client makes of what is given: one JSON object in, one out. node trials.mjs FOLDER < given
// FOLDER is where its modules are.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const load = (name) => import(new URL(name, folder));
const { Client } = await load("client.js");
const { Chain, mark, wanted } = await load("dice.js");
const { Heads } = await load("heads.js");
const { patched } = await load("patch.js");
const { Frames } = await load("stream.js");
const { verify } = await load("webhooks.js");

const given = JSON.parse(readFileSync(0, "utf-8"));
const secret = Uint8Array.from({ length: 32 }, (_, n) => n);

async function chains() {
  return Promise.all(given.summaries.map(async ([summary, seat]) => {
    const chain = await Chain.of(secret, summary, seat);
    return [chain.tip, chain.link(1), chain.link(summary.chainLength), wanted(summary, seat)];
  }));
}

// Whether a state and the changes stay as they are, and what no change names is the same object in both.
function kept() {
  const state = { ships: { hood: { hull: 3 } }, sky: { clear: true } }, change = { path: "/ships/hood", kind: "changed", after: { hull: 2 } };
  const before = JSON.stringify([state, change]);
  const found = patched(state, [change, { path: "/ships/hood/hull", kind: "changed", after: 1 }]);
  return [found, JSON.stringify([state, change]) === before, found.sky === state.sky];
}

async function once() {
  const [summary, seat] = given.summaries[0], chain = await Chain.of(secret, summary, seat);
  const other = await Chain.of(secret, { ...summary, renewals: summary.renewals + 1 }, seat);
  return [await Chain.of(secret, { ...summary }, seat) === chain, other !== chain];
}

function framed() {
  const bytes = new TextEncoder().encode(given.stream);
  return [1, 2, 3, 7, 1000].map((size) => {
    const frames = new Frames(), told = [];
    for (let at = 0; at < bytes.length; at += size) told.push(...frames.feed(bytes.subarray(at, at + size)));
    return told;
  });
}

async function verified() {
  return Promise.all(given.messages.map(async ([key, headers, body, now]) => {
    try { return await verify(key, headers, body, now); } catch (error) { return error.name; }
  }));
}

const filed = (file) => file ? new Response(Buffer.from(file, "base64")) : new Response("{}", { status: 404 });

// The public log is another folder of files at each time that the client asks for it.
async function logged(times) {
  const heads = new Heads({ service: "http://service" });
  for (const files of times) {
    const fetch = async (address) => filed(files[new URL(address).pathname.slice("/log/".length)]);
    try { await new Client("http://service", { fetch, heads }).confirmLog(); } catch (error) {
      return { error: error.name, message: error.message, kept: error.kept, found: error.found };
    }
  }
  return { kept: heads.checkpoint()?.size ?? null };
}

// A service that answers in turn; what was asked, and how long the client paused.
async function told(answers, act, how = {}) {
  const heard = [], pauses = [], left = [...answers];
  const fetch = async (address, request) => {
    if (address.includes("/log/")) return filed(null); // no public log is kept
    heard.push({ address, method: request.method ?? "GET", key: request.headers["Idempotency-Key"] ?? null, last: request.headers["Last-Event-ID"] ?? null });
    const answer = left.shift();
    if (!answer) throw new TypeError("nobody is there");
    if (answer.cut === undefined) return new Response(answer.status === 204 ? null : answer.body, answer);
    const pieces = [new TextEncoder().encode(answer.body).slice(0, answer.cut)];
    const body = new ReadableStream({
      pull(line) { if (pieces.length) line.enqueue(pieces.pop()); else line.error(new TypeError("cut")); },
    });
    return new Response(body, answer);
  };
  const pause = async (milliseconds) => { pauses.push(milliseconds); };
  const client = new Client("http://service", { fetch, pause, ...how });
  let came;
  try { came = await act(client); } catch (error) { came = { error: error.name, code: error.code, kept: error.kept, found: error.found }; }
  return { came, pauses, heard };
}

async function followed(client) {
  const found = [];
  for await (const { data } of client.follow(given.game)) found.push(data.seq);
  return found;
}

async function watched(client) {
  const found = [];
  for await (const { version, state } of client.watch(given.game)) found.push([version, state]);
  return found;
}

// The first command is known beforehand; the second turn's list is looked at twice.
async function played(client) {
  const seen = [];
  for await (const turn of client.table(given.game, { p1: "t" }).turns()) {
    seen.push([turn.version, turn.question.question]);
    if (turn.version > 1) await turn.items();
    await turn.give(turn.version > 1 ? (await turn.items())[0].command : 5);
  }
  return seen;
}

const patience = await Promise.all(given.later.map((answers) => told(answers, (client) => client.give(given.game, { type: "x" }, 4))));
const cuts = await Promise.all(given.cuts.map((answers) => told(answers, followed)));
const heads = await told(given.heads, async (client) => { for (;;) await client.game(given.game); });
const back = await told(given.back, async (client) => { await client.game(given.game); await client.confirm(given.game); });
const receipts = new Heads();
receipts.heard(`/v1/games/${given.game}`, new Headers({ "Decklog-Receipt": given.receipt }));


// Two pages with one store: the one that is behind writes nothing over what the other was told.
function behind() {
  const kept = new Map(), store = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
  const [one, two] = [new Heads({ store }), new Heads({ store })], head = (seq) => ({ seq, hash: String(seq) });
  one.note(given.game, head(2));
  two.note(given.game, head(9));
  one.note(given.game, head(5));
  two.heard(`/v1/games/${given.game}`, new Headers({ "Decklog-Receipt": btoa(JSON.stringify({ payload: btoa(JSON.stringify({ seq: 10, head: "10" })) })) }));
  one.note(given.game, head(10));
  one.note(given.game, head(11));
  return new Heads({ store }).kept(given.game);
}

process.stdout.write(JSON.stringify({
  chains: await chains(),
  frames: framed(),
  messages: await verified(),
  patched: given.changes.map(([before, changes]) => patched(before, changes)),
  behind: behind(),
  kept: kept(), once: await once(),
  patience, cuts, heads, back,
  marks: await Promise.all([1, 2, 2 ** 40].map((number) => mark(secret, number))),
  logs: await Promise.all(given.logs.map(logged)),
  watched: await told(given.watched, watched),
  turns: await told(given.turns, played),
  receipt: receipts.kept(given.game),
}));
