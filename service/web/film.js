// What is known of a game's versions: each is asked for once, and those that come next before they are needed.

import { ask, get } from "./api.js";

const KEPT = 2000; // frames; of a longer game the oldest are asked for again

export class Film {
  // asker() says of which game, through whose eyes, and whether the board needs a picture beside the state.
  constructor(asker) {
    this.asker = asker;
    this.frames = new Map();
  }

  forget() { this.frames.clear(); }

  frame(version, unit = "") {
    const key = unit ? `${version}/${unit}` : String(version);
    let found = this.frames.get(key);
    if (!found) {
      found = this._ask(version, unit);
      found.catch(() => { if (this.frames.get(key) === found) this.frames.delete(key); });
      this.frames.set(key, found);
      if (this.frames.size > KEPT) this.frames.delete(this.frames.keys().next().value);
    }
    return found;
  }

  // Asked for without waiting: playing must not stumble over the network.
  ahead(versions) { for (const version of versions) this.frame(version).catch(() => {}); }

  async _ask(version, unit) {
    const { game, as, token, pictured } = this.asker();
    const query = new URLSearchParams({ at: version, ...(as ? { as } : {}) });
    const aimed = new URLSearchParams(query);
    if (unit) aimed.set("unit", unit);
    const [view, picture] = await Promise.all([
      get(`/v1/games/${game}/view?${query}`, { token }),
      pictured ? ask(`/v1/games/${game}/board.svg?${aimed}`, { token, accept: "image/svg+xml" }).then((answer) => answer.text()) : "",
    ]);
    return { state: view.state, picture };
  }
}
