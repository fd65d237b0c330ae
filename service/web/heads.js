// What this browser was told of each game's chain: the newest head, number and hash of an event.
// A record that is another later is shown, and both heads are offered as a file.

const KEPT = "decklog.heads";
const FIELD = /^([1-9][0-9]*);hash="([0-9a-f]{64})"$/;
const GAME = /\/v1\/games\/([0-9a-f]{32})(?:[/?]|$)/;

export class OtherRecord extends Error {
  constructor(game, kept, found) {
    super(`The service tells another record of this game than before: event ${kept.seq} was ${kept.hash}, and now ${found ? found.hash : "there is none"}.`);
    this.game = game;
    this.told = { format: "decklog-heads", v: 1, game, service: location.origin, heads: [kept, found].filter(Boolean) };
  }
}

function all() {
  try { return JSON.parse(localStorage.getItem(KEPT) ?? "{}"); } catch { return {}; }
}

export function newest(game) {
  return all()[game] ?? null;
}

// Throws OtherRecord where the same number had another hash.
export function note(game, head) {
  const known = all(), kept = known[game];
  if (kept && kept.seq === head.seq && kept.hash !== head.hash) throw new OtherRecord(game, kept, head);
  if (kept && kept.seq >= head.seq) return;
  known[game] = { seq: head.seq, hash: head.hash };
  try { localStorage.setItem(KEPT, JSON.stringify(known)); } catch { /* nothing is kept, then */ }
}

export function noteAnswer(path, answer) {
  const game = GAME.exec(answer.headers.get("Location") ?? path)?.[1];
  const head = FIELD.exec(answer.headers.get("Decklog-Head") ?? "");
  if (game && head) note(game, { seq: Number(head[1]), hash: head[2] });
}

// What the service has now in the place of the head that was kept; `event` is absent where it has none.
export function confirm(game, kept, event) {
  if (event?.hash !== kept.hash) throw new OtherRecord(game, kept, event ? { seq: event.seq, hash: event.hash } : null);
}
