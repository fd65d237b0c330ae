// What @decklog/client signs: one JSON object in, one out. node keys.mjs FOLDER < given
// FOLDER is where its modules are.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const { Client } = await import(new URL("client.js", folder));
const { SeatKey, whatIsSigned } = await import(new URL("keys.js", folder));

const given = JSON.parse(readFileSync(0, "utf-8"));
const bytes = (text) => Uint8Array.from(Buffer.from(text, "hex"));
const key = await SeatKey.from(bytes(given.secret)), other = await SeatKey.make();

async function refusal(act) {
  try { return await act(); } catch (error) { return typeof error.code === "string" ? error.code : error.name; }
}

// A service that answers in turn; what it was sent.
async function asked(answers) {
  const heard = [], left = [...answers];
  const fetch = async (address, { method, headers }) => {
    heard.push([method, headers["Decklog-Signature"] ?? "", headers["Idempotency-Key"] ?? ""]);
    const { status, body } = left.shift();
    return new Response(JSON.stringify(body), { status });
  };
  const client = new Client("http://service", { fetch });
  const known = given.known && answers[0].status !== 200 ? given.known : undefined;
  const came = await refusal(() => client.giveSigned("g", given.command, 5, { seat: "p1", key }, known));
  return { came, heard };
}

process.stdout.write(JSON.stringify({
  able: await SeatKey.able(),
  public: key.public,
  registered: [key.registered, { ...(await SeatKey.make({ keeper: "page" })).registered, public: "" }],
  orders: await Promise.all(given.orders.map(async ([summary, seat, command]) => ({
    text: new TextDecoder().decode(whatIsSigned(summary, seat, command)), signature: await key.sign(summary, seat, command),
  }))),
  passed: await key.passOn("g", "p1", await SeatKey.from(bytes(given.other))),
  unread: await refusal(() => crypto.subtle.exportKey("pkcs8", other.pair.privateKey)),
  read: (await crypto.subtle.exportKey("pkcs8", (await SeatKey.make({ extractable: true })).pair.privateKey)).byteLength,
  again: (await SeatKey.of(structuredClone(other.pair))).public === other.public,
  parts: await Promise.all([1.5, 2 ** 53].map((number) => refusal(async () => whatIsSigned(given.orders[0][0], "p1", { number })))),
  answers: await Promise.all(given.answers.map(asked)),
}));
