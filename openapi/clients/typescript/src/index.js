// A client of Decklog for browsers and Node, without dependencies; see README.md.

export { Client } from "./client.js";
export { Chain, giving, mark, wanted } from "./dice.js";
export { Heads, OtherRecord } from "./heads.js";
export { SeatKey } from "./keys.js";
export { OtherLog } from "./log.js";
export { patched } from "./patch.js";
export { Table, Turn } from "./turns.js";
export { NotFromTheService, verify } from "./webhooks.js";
export { Problem } from "./wire.js";
