// A moment of a game as an address: "#/replay/ID/745?as=p1&why=1" is version 745 as p1 saw it, with its reasons;
// "#/replay/ID/745?to=790" is a clip: it plays from 745 to 790.

/** @param {string} text */
export function readMoment(text) {
  const [path, query = ""] = text.split("?");
  const [game = "", at = ""] = path.split("/");
  const asked = new URLSearchParams(query);
  const version = (/** @type {string} */ digits) => (/^\d+$/.test(digits) ? Number(digits) : 0);
  return { game, at: version(at), to: version(asked.get("to") ?? ""), as: asked.get("as") ?? "", why: asked.get("why") === "1" };
}

/** @param {string} game @param {{at: number, to?: number, as?: string, why?: boolean}} moment */
export function momentLink(game, { at, to = 0, as = "", why = false }) {
  const asked = new URLSearchParams({ ...(to ? { to: String(to) } : {}), ...(as ? { as } : {}), ...(why ? { why: "1" } : {}) }).toString();
  return `#/replay/${game}${at ? `/${at}` : ""}${asked ? `?${asked}` : ""}`;
}
