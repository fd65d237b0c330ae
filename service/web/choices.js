// The choice tree: what is asked, what may be answered, what is left; no page, no request.
//
// Every offered command names its parts in the order in which a page asks. Whoever answers part after
// part is left with one command: of two commands of one type none has the same parts throughout, and
// where commands of several types end at the same place, the type is the last question.

/** @typedef {{role: string, key: string, text: string}} Part */
/** @typedef {{command: {type: string}, text: string, rule?: string, parts: Part[], odds?: object, oddsSummary?: {hit: number, destroyed: number | null, expected: number | null, hopeless: string}, pointless?: string, worthwhile?: {ruleset: string, purposes?: {text: string}[]}}} Item */
/** @typedef {{word: "pointless" | "hopeless", why: string}} Vain */
/** @typedef {{id: string, role: string, key: string, text: string, items: Item[], ends: boolean, vain: Vain | null, pointless: string, reasons: string[], best: Item}} Option */

const ROLES = ["unit", "card", "fleet", "rows", "side", "seat", "weapon", "place", "path", "arc", "target", "ability", "attack", "way", "number"];

const AIMS = new Set(["target", "place", "path"]);

export class Choices {
  /** @param {Item[]} items all that may be done, in the order of the service */
  constructor(items) {
    /** what needs no part stands beside every question: ending the phase, above all */
    this.bare = items.filter((item) => !item.parts.length);
    this.all = items.filter((item) => item.parts.length);
    /** @type {{option: Option, asked: boolean}[]} */
    this.answers = [];
    this._shown = null;
    this._settle();
  }

  /** What is left after the answers. */
  get items() { return this.answers.at(-1)?.option.items ?? this.all; }

  get depth() { return this.answers.length; }

  /** The command that was chosen; null while something is asked. */
  get chosen() {
    const last = this.answers.at(-1);
    if (last?.option.items.length !== 1 || !this.answers.some((each) => each.asked)) return null;
    return this._open(last.option.items[0]) ? null : last.option.items[0];
  }

  // What is aimed at, and where something goes, is always asked: nobody fires by choosing a ship.
  /** @param {Item} item */
  _open(item) { return item.parts.slice(this.depth).some(({ role }) => AIMS.has(role)); }

  /** @returns {Option[]} the answers to what is asked now; pointless and hopeless ones last */
  get options() {
    const after = this.answers.at(-1);
    if (!this._shown || this._shown.after !== after) this._shown = { after, options: this.chosen ? [] : at(this.items, this.depth) };
    return this._shown.options;
  }

  /** The role that is asked for: that of most answers. */
  get role() {
    const count = /** @type {Record<string, number>} */ ({});
    for (const { role } of this.options) count[role] = (count[role] ?? 0) + 1;
    return Object.keys(count).sort((one, other) => count[other] - count[one] || ROLES.indexOf(one) - ROLES.indexOf(other))[0] ?? "";
  }

  /** Answer; the option or its id. Whether it was one of those asked for. @param {any} option */
  choose(option) {
    const found = this.options.find((each) => each === option || each.id === (option.id ?? option));
    if (!found) return false;
    this.answers.push({ option: found, asked: true });
    this._settle();
    return true;
  }

  /** Answer by what lies on the board: now, or at an earlier question, to which it goes back. @param {string} key */
  pick(key) {
    const kept = [...this.answers];
    for (;;) {
      const found = this.options.filter((each) => each.key === key && !each.ends);
      if (found.length) return this.choose(found[0]);
      if (!this.back()) break;
    }
    this.answers = kept;
    return false;
  }

  /** The question at which this key was, or is, among the answers; for what may be clicked besides. */
  others() {
    const found = new Set();
    for (let depth = 0; depth < this.depth; depth += 1) {
      if (!this.answers[depth].asked) continue;
      for (const option of this.beside(depth)) if (option !== this.answers[depth].option && option.key !== this.answers[depth].option.key) found.add(option.key);
    }
    return found;
  }

  /** Answer what is asked with what is most useful; it is shown, and may be changed, but was not asked for. @param {Option} option */
  prefer(option) {
    this.answers.push({ option, asked: false });
    this._settle();
  }

  /** The answers among which that at a place was one. @param {number} place */
  beside(place) { return at(this.answers[place - 1]?.option.items ?? this.all, place); }

  /** To the question before; whether there was one. */
  back() {
    const place = this.answers.findLastIndex((each) => each.asked);
    if (place < 0) return false;
    this.answers.length = place;
    return true;
  }

  /** To the question that this answer stands at, whether it was asked or not. @param {number} place */
  return(place) { this.answers.length = Math.min(place, this.depth); }

  clear() { while (this.back()); }

  // What has one answer is not asked; only a list of one command is, for nobody has chosen it yet.
  _settle() {
    while (!this.chosen && this.items.length && (this.items.length > 1 || this.depth)) {
      const found = at(this.items, this.depth);
      if (found.length !== 1 || this.items.length === 1 && AIMS.has(found[0].role)) return;
      this.answers.push({ option: found[0], asked: false });
    }
  }
}

/** Keys at the answers: arrows lead round them all, Enter answers, Escape goes back to the question before. */
export class Cursor {
  /** @param {Choices} choices */
  constructor(choices) { this.choices = choices; this.place = 0; }

  get option() { return this.choices.options[this.place]; }

  /** @param {string} key @returns {"" | "moved" | "answered" | "back"} what the key did */
  press(key) {
    const many = this.choices.options.length;
    const step = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 })[key];
    if (step && many) { this.place = (this.place + step + many) % many; return "moved"; }
    if (key === "Home" || key === "End") { this.place = key === "Home" ? 0 : many - 1; return "moved"; }
    if (key === "Enter" && this.option) { this.choices.choose(this.option); this.place = 0; return "answered"; }
    if (key === "Escape" && this.choices.back()) { this.place = 0; return "back"; }
    return "";
  }
}

/** @param {Item[]} items @param {number} depth @returns {Option[]} */
function at(items, depth) {
  const found = new Map();
  for (const item of items) {
    const part = item.parts[depth];
    const id = part ? `${part.role} ${part.key}` : `end ${item.command.type}`;
    const option = found.get(id);
    if (option) option.items.push(item);
    else found.set(id, { id, role: part?.role ?? "end", key: part?.key ?? "", text: part?.text ?? item.text, items: [item], ends: !part });
  }
  const options = [...found.values()];
  for (const option of options) {
    option.best = option.items.reduce((/** @type {Item} */ best, /** @type {Item} */ item) => worth(item) > worth(best) ? item : best);
    option.vain = option.items.every(vain) ? vain(option.items[0]) : null;
    option.pointless = option.vain?.why ?? "";
    option.reasons = [...new Set(option.items.flatMap(reasons))];
  }
  const rank = (/** @type {Option} */ each) => each.reasons.length ? 0 : each.pointless ? 2 : 1;
  return options.sort((one, other) => rank(one) - rank(other));
}

/** Why it is worth a look, in the service's words, where it says so of some offers. @param {Item} item @returns {string[]} */
export function reasons(item) { return (item.worthwhile?.purposes ?? []).map(({ text }) => text); }

/** Why it is no use: nothing is left to achieve, or no face of its dice achieves it. @param {Item} item @returns {Vain | null} */
export function vain(item) {
  const hopeless = item.oddsSummary?.hopeless;
  return item.pointless ? { word: "pointless", why: item.pointless } : hopeless ? { word: "hopeless", why: hopeless } : null;
}

/** What a command is worth, to sort by: destroying, then hitting, in thousandths. @param {Item} item */
export function worth(item) {
  if (vain(item)) return -1;
  const { hit, lost } = effect(item);
  return 1000 * lost + hit;
}

/** What it may do, in thousandths: hit, and destroy; 0 where its dice do not decide that. @param {Item} item */
export function effect({ oddsSummary }) {
  return { hit: oddsSummary?.hit ?? 0, lost: oddsSummary?.destroyed ?? 0 };
}
