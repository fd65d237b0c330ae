// Requests, and the patience with which they are repeated: the very same one, with the same key.

// Answers after which the request is sent again: whether it was worked on, nobody knows.
const SOON = [429, 502, 503, 504];
// Those after which it is sent again if the answer says when.
const WITH_A_TIME = [409, 412];
// Codes that will pass by themselves.
const PASSING = ["idempotency.key-busy", "dice.awaited"];
// Milliseconds of the first pause and of the longest; each is twice the one before.
export const FIRST = 250, MOST = 4000;
// Milliseconds without a word after which a line is cut: a stream gives a sign of life every 15 seconds.
export const SILENCE = 45_000;

/** The service refused. `code` is stable: decide by it; a new one may come at any time. */
export class Problem extends Error {
  /** @param {number} status @param {Record<string, any>} document */
  constructor(status, document) {
    super(`${status} ${document.code ?? ""}: ${document.detail ?? document.title ?? ""}`);
    this.name = "Problem";
    this.status = status;
    /** @type {string} */ this.code = document.code ?? "";
    /** @type {string} */ this.hint = document.hint ?? "";
    /** @type {string} */ this.rule = document.rule ?? "";
    this.document = document;
  }
}

/** @param {Response} answer */
export async function problem(answer) {
  /** @type {unknown} */ let document = {};
  try { document = await answer.json(); } catch { /* it is no document */ }
  return new Problem(answer.status, typeof document === "object" && document ? document : {});
}

// randomUUID exists in secure contexts only; a service in a local network may be without TLS.
export function freshKey() {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} milliseconds @returns {Promise<void>} */
export function pause(milliseconds) {
  return new Promise((later) => { setTimeout(later, milliseconds); });
}

/** @param {Response} answer */
export function asked(answer) {
  const told = answer.headers.get("Retry-After") ?? "";
  return /^[0-9]+$/.test(told) ? 1000 * Number(told) : 0;
}

/** @param {number} status */
export function soon(status) {
  return SOON.includes(status);
}

/**
 * Milliseconds after which to ask again; null: this is the answer.
 * @param {Response} answer
 * @param {number} least
 */
async function pauseAfter(answer, least) {
  const timed = WITH_A_TIME.includes(answer.status) && asked(answer) > 0;
  const passing = answer.status === 409 && PASSING.includes((await problem(answer.clone())).code);
  return soon(answer.status) || timed || passing ? Math.max(least, asked(answer)) : null;
}

/**
 * Ask until there is an answer that is not "later", at most for so many milliseconds of pauses.
 * @param {() => Promise<Response>} ask
 * @param {number} patience
 * @param {(milliseconds: number) => Promise<void>} wait
 */
export async function patiently(ask, patience, wait) {
  for (let waited = 0, least = FIRST; ; least = Math.min(2 * least, MOST)) {
    /** @type {Response | undefined} */ let answer;
    /** @type {unknown} */ let broken;
    try { answer = await ask(); } catch (error) { broken = error; }
    const pausing = answer ? await pauseAfter(answer, least) : least;
    if (pausing === null || waited + pausing > patience) {
      if (answer) return answer;
      throw broken;
    }
    await wait(pausing);
    waited += pausing;
  }
}
