// Whether a message is from the service: Standard Webhooks, by the webhook's secret.

// Seconds that a message may be old, or ahead.
const TOLERANCE = 300;

/** The message is signed by nobody who has the secret, or it is too old. */
export class NotFromTheService extends Error {
  name = "NotFromTheService";
}

/** @param {string} text */
const unbase64 = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));

/**
 * What the message says. Throws NotFromTheService. The same `webhook-id` may come twice.
 * @param {string} secret
 * @param {Headers | Record<string, string>} headers
 * @param {string} body as it came
 * @param {number} [now] seconds
 * @returns {Promise<any>}
 */
export async function verify(secret, headers, body, now = Date.now() / 1000) {
  const fields = new Headers(headers);
  const id = fields.get("webhook-id"), stamp = fields.get("webhook-timestamp") ?? "";
  if (!id || !/^[0-9]+$/.test(stamp)) throw new NotFromTheService("It has no headers of Standard Webhooks.");
  if (Math.abs(now - Number(stamp)) > TOLERANCE) throw new NotFromTheService("It is too old, or from the future.");
  const raw = unbase64(secret.replace(/^whsec_/, ""));
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${stamp}.${body}`);
  for (const each of (fields.get("webhook-signature") ?? "").split(" ")) {
    if (each.startsWith("v1,") && await fits(key, each.slice(3), signed)) return JSON.parse(body);
  }
  throw new NotFromTheService("No signature of it is by this secret.");
}

/** @param {CryptoKey} key @param {string} signature @param {Uint8Array<ArrayBuffer>} signed */
async function fits(key, signature, signed) {
  try { return await crypto.subtle.verify("HMAC", key, unbase64(signature), signed); } catch { return false; }
}
