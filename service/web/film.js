// What is known of a game's versions. The whole film is fetched once, behind the page's back: who steps through it
// then asks for nothing. What is wanted before it has come is asked for alone.

import { ask, get } from "./api.js";
import { needsOf } from "./boards.js";
import { patched } from "./patch.js";

export class Film {
  states = /** @type {Map<number, any>} */ (new Map()); // by version; of two that follow each other almost everything is shared
  pictures = /** @type {Map<number | string, string | Promise<string>>} */ (new Map()); // of boards that are nothing but their picture, by version; one with a unit pointed out by both
  sheets = /** @type {Map<string, string | Promise<string>>} */ (new Map()); // what lies below the pieces of a board of our own, by what it shows
  latest = 0; // up to here everything is known

  /**
   * asker() says of which game by which rules, and through whose eyes.
   * @param {() => {game: string, ruleset: string, as: string, token: string}} asker
   */
  constructor(asker) { this.asker = asker; }

  forget() {
    [this.states, this.pictures, this.sheets] = [new Map(), new Map(), new Map()];
    this.latest = 0;
  }

  // { state, pictures }: a board of our own has those of its sheets, any other its only one.
  /** @param {number} version @returns {Promise<{state: any, pictures: string[]}>} */
  async frame(version, unit = "") {
    const state = await this._once(this.states, version, () => this._state(version));
    const sheets = this.sheetsOf(state, version);
    if (sheets) return { state, pictures: await sheets };
    const key = unit ? `${version}/${unit}` : version;
    return { state, pictures: [await this._once(this.pictures, key, () => this._picture(version, unit))] };
  }

  // What lies below the pieces, each asked for once; null where the picture of each version is the board.
  /** @param {any} state @param {number} version @returns {Promise<string[]> | null} */
  sheetsOf(state, version) {
    const needs = this._needs(state);
    return needs && Promise.all(new Set(needs.map((need) => this._sheet(need, needs, version))));
  }

  // Asked for without waiting: playing must not stumble over the network.
  /** @param {number[]} versions */
  ahead(versions) { for (const version of versions) this.frame(version).catch(() => {}); }

  // The versions up to the latest, page by page; whether it came to its end: not where the page was left or looks
  // with other eyes.
  /** @param {number} latest @param {AbortSignal} signal */
  async load(latest, signal) {
    const { states } = this, { game, as, token } = this.asker();
    const gone = () => signal.aborted || this.states !== states;
    let drawn = false;
    while (this.latest < latest) {
      const query = new URLSearchParams({ after: String(this.latest), at: String(latest), ...(drawn ? { pictures: "true" } : {}), ...(as ? { as } : {}) });
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

  /** @param {{state: any, frames: any[], lines: string[]}} film */
  _take({ state, frames, lines }) {
    for (const { version, changes, picture } of frames) {
      state = patched(state, changes.map((/** @type {any} */ { path, kind, value }) => ({ path, kind, after: value })));
      this.states.set(version, state);
      if (picture.length) this.pictures.set(version, picture.map((/** @type {number} */ number) => lines[number]).join("\n"));
      this.latest = version;
    }
  }

  /** @param {any} state @returns {string[] | null} */
  _needs(state) {
    const { ruleset, as } = this.asker();
    return needsOf(ruleset, state, as);
  }

  /** @param {string} need @param {string[]} needs @param {number} version */
  _sheet(need, needs, version) {
    if (!this.sheets.has(need)) {
      const found = this._picture(version, "");
      for (const each of needs) if (!this.sheets.has(each)) this._hold(this.sheets, each, found);
    }
    return this.sheets.get(need) ?? "";
  }

  /** @template K, V @param {Map<K, V | Promise<V>>} kept @param {K} key @param {() => Promise<V>} make */
  _once(kept, key, make) { const known = kept.get(key); return known !== undefined ? known : this._hold(kept, key, make()); }

  // What did not come is asked for again.
  /** @template K, V @param {Map<K, V | Promise<V>>} kept @param {K} key @param {Promise<V>} found */
  _hold(kept, key, found) {
    kept.set(key, found);
    found.catch(() => { if (kept.get(key) === found) kept.delete(key); });
    return found;
  }

  /** @param {number} version */
  async _state(version) {
    const { game, as, token } = this.asker();
    return (await get(`/v1/games/${game}/view?${new URLSearchParams({ at: String(version), ...(as ? { as } : {}) })}`, { token })).state;
  }

  /** @param {number} version @param {string} unit @returns {Promise<string>} */
  async _picture(version, unit) {
    const { game, as, token } = this.asker();
    const query = new URLSearchParams({ at: String(version), ...(as ? { as } : {}), ...(unit ? { unit } : {}) });
    return (await ask(`/v1/games/${game}/board.svg?${query}`, { token, accept: "image/svg+xml" })).text();
  }
}
