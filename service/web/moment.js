// A moment of a game as an address: "#/replay/ID/745?as=p1&why=1" is version 745 as p1 saw it, with its reasons.

export function readMoment(text) {
  const [path, query = ""] = text.split("?");
  const [game = "", at = ""] = path.split("/");
  const asked = new URLSearchParams(query);
  return { game, at: /^\d+$/.test(at) ? Number(at) : 0, as: asked.get("as") ?? "", why: asked.get("why") === "1" };
}

export function momentLink(game, { at, as = "", why = false }) {
  const asked = new URLSearchParams({ ...(as ? { as } : {}), ...(why ? { why: "1" } : {}) }).toString();
  return `#/replay/${game}${at ? `/${at}` : ""}${asked ? `?${asked}` : ""}`;
}
