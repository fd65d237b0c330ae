// What is known of a game's versions. The whole film is fetched once, behind the page's back: who steps through it
// then asks for nothing. What is wanted before it has come is asked for alone.

import { ask, get } from "./api.js";
import { needsOf } from "./boards.js";
import { patched } from "./patch.js";

export class Film {
  // asker() says of which game by which rules, and through whose eyes.
  constructor(asker) {
    this.asker = asker;
    this.forget();
  }

  forget() {
    this.states = new Map(); // by version; of two that follow each other almost everything is shared
    this.pictures = new Map(); // of boards that are nothing but their picture, by version; one with a unit pointed out by both
    this.sheets = new Map(); // what lies below the pieces of a board of our own, by what it shows
    this.latest = 0; // up to here everything is known
  }

  // { state, pictures }: a board of our own has those of its sheets, any other its only one.
  async frame(version, unit = "") {
    const state = await this._once(this.states, version, () => this._state(version));
    const needs = this._needs(state);
    if (needs) return { state, pictures: await Promise.all(new Set(needs.map((need) => this._sheet(need, needs, version)))) };
    const key = unit ? `${version}/${unit}` : version;
    return { state, pictures: [await this._once(this.pictures, key, () => this._picture(version, unit))] };
  }

  // Asked for without waiting: playing must not stumble over the network.
  ahead(versions) { for (const version of versions) this.frame(version).catch(() => {}); }

  // The versions up to the latest, page by page; whether it came to its end: not where the page was left or looks
  // with other eyes.
  async load(latest, signal) {
    const { states } = this, { game, as, token } = this.asker();
    const gone = () => signal.aborted || this.states !== states;
    let drawn = false;
    while (this.latest < latest) {
      const query = new URLSearchParams({ after: this.latest, at: latest, ...(drawn ? { pictures: "true" } : {}), ...(as ? { as } : {}) });
      const film = await get(`/v1/games/${game}/film?${query}`, { token });
      if (gone()) return false;
      this._take(film);
      if (!drawn && this._needs(states.get(this.latest)) === null) [drawn, this.latest] = [true, 0];
    }
    for (let version = 1; !drawn && version <= latest; version += 1) {
      if (this._needs(states.get(version))?.some((need) => !this.sheets.has(need))) await this.frame(version);
      if (gone()) return false;
    }
    return true;
  }

  _take({ state, frames, lines }) {
    for (const { version, changes, picture } of frames) {
      state = patched(state, changes.map(({ path, kind, value }) => ({ path, kind, after: value })));
      this.states.set(version, state);
      if (picture.length) this.pictures.set(version, picture.map((number) => lines[number]).join("\n"));
      this.latest = version;
    }
  }

  _needs(state) {
    const { ruleset, as } = this.asker();
    return needsOf(ruleset, state, as);
  }

  _sheet(need, needs, version) {
    if (!this.sheets.has(need)) {
      const found = this._picture(version, "");
      for (const each of needs) if (!this.sheets.has(each)) this._hold(this.sheets, each, found);
    }
    return this.sheets.get(need);
  }

  _once(kept, key, make) { return kept.has(key) ? kept.get(key) : this._hold(kept, key, make()); }

  // What did not come is asked for again.
  _hold(kept, key, found) {
    kept.set(key, found);
    found.catch(() => { if (kept.get(key) === found) kept.delete(key); });
    return found;
  }

  async _state(version) {
    const { game, as, token } = this.asker();
    return (await get(`/v1/games/${game}/view?${new URLSearchParams({ at: version, ...(as ? { as } : {}) })}`, { token })).state;
  }

  async _picture(version, unit) {
    const { game, as, token } = this.asker();
    const query = new URLSearchParams({ at: version, ...(as ? { as } : {}), ...(unit ? { unit } : {}) });
    return (await ask(`/v1/games/${game}/board.svg?${query}`, { token, accept: "image/svg+xml" })).text();
  }
}
