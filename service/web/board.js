// A board as an inline picture: its own style is left out, for the page has it as a file.

import { ask } from "./api.js";

let number = 0;

/** @param {string} game @param {{at?: number, as?: string, unit?: string, token?: string}} moment */
export async function board(game, { at, as, unit, token }) {
  const query = new URLSearchParams();
  if (at !== undefined) query.set("at", String(at));
  if (as) query.set("as", as);
  if (unit) query.set("unit", unit);
  const answer = await ask(`/v1/games/${game}/board.svg?${query}`, { token, accept: "image/svg+xml" });
  return inline(await answer.text());
}

/** @param {string} text */
export function inline(text) {
  // Taken out before the text is parsed: the page's policy lets no inline style in.
  const bare = text.replace(/<style>[^<]*<\/style>/, "");
  const picture = document.importNode(
    new DOMParser().parseFromString(bare, "image/svg+xml").documentElement, true);
  // Several pictures on one page must not share ids.
  number += 1;
  const said = ["title", "desc"].map((name) => picture.querySelector(`:scope > ${name}`));
  said.forEach((element, place) => { if (element) element.id = `${["title", "about"][place]}-${number}`; });
  if (said[0]) picture.setAttribute("aria-labelledby", `title-${number}`);
  if (said[1]) picture.setAttribute("aria-describedby", `about-${number}`);
  return picture;
}

/** @param {any} event */
export function pieceAt(event) {
  const key = event.target.closest?.("[data-key]")?.getAttribute("data-key");
  return key ?? "";
}
