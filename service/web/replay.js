// The replay desk: any version through any eyes that one may use, what changed, and why.

import { get, held, keep, pages, post } from "./api.js";
import { board, pieceAt } from "./board.js";
import { choice, el, labelled, show, trouble } from "./dom.js";
import { luckPanel } from "./luck.js";
import { provedRoll } from "./proof.js";
import { queryPanel } from "./query.js";

export async function replay(signal, game) {
  await new Desk(signal, game).open();
}

class Desk {
  constructor(signal, game) {
    this.game = game;
    this.signal = signal;
    const kept = held()[game];
    this.token = Object.values(kept?.seats ?? {})[0] ?? "";
    this.as = "";
    this.unit = "";
    this.left = el("div", { class: "board", tabindex: 0, role: "region", "aria-label": "Board" });
    this.right = el("div", { class: "board", tabindex: 0, role: "region", "aria-label": "Board compared", hidden: true });
    this.log = el("ol", { class: "log", tabindex: 0, "aria-label": "Events" });
    this.said = el("p", { "aria-live": "polite" });
    this.trouble = el("div", {});
    this.changes = el("section", { "aria-label": "What changed" });
    this.why = el("section", { "aria-label": "Why" });
    this.luck = luckPanel(() => ({ game: this.game, as: this.as, token: this.token }));
    this.held = queryPanel(() => ({ game: this.game, as: this.as, token: this.token, ruleset: this.summary.rules.ruleset }),
      (seq) => this.go(seq));
    this.dice = el("input", { "aria-describedby": "awaited", autocomplete: "off", disabled: true, placeholder: "6 1 4; 2" });
    this.awaited = el("p", { id: "awaited" });
    this.mine = choice([["", "all seats"]], "");
    this.number = el("output", {});
    this.slider = el("input", { type: "range", min: 1, value: 1, id: "version", "aria-label": "Version",
      oninput: () => this.go(Number(this.slider.value)) });
    this.other = el("input", { type: "number", min: 1, "aria-label": "Version to compare with",
      onchange: () => this.compare() });
    this.phase = el("select", { "aria-label": "Phase", onchange: () => this.go(Number(this.phase.value)) });
    this.filter = el("input", { type: "search", placeholder: "unit, word or rule", oninput: () => this.list() });
  }

  get options() { return { token: this.token }; }

  async open() {
    this.summary = await get(`/v1/games/${this.game}`, this.options);
    if (this.summary.seats.length > 1) this.mine.append(...this.summary.seats.map(({ seat }) => el("option", { value: seat }, `${seat}, and bots the others`)));
    this.parent = this.summary.fork?.game ?? "";
    this.latest = this.summary.version;
    const eyes = ["", "public", ...(this.summary.opened ? [...this.summary.seats.map((s) => s.seat), "truth"] : [])];
    const who = choice(eyes.map((each) => [each, each || "your own eyes"]), "",
      { onchange: (event) => { this.as = event.target.value; this.reload(); } });
    const split = el("input", { type: "checkbox", onchange: (event) => this.split(event.target.checked) });
    const steps = [["First", () => 1], ["Action back", () => this.action(-1)], ["Back", () => this.now - 1],
      ["Next", () => this.now + 1], ["Action on", () => this.action(1)], ["Last", () => this.latest]];
    show(
      this.signal,
      el("h1", {}, `Replay of ${this.summary.name || this.summary.rules.ruleset}`),
      el("div", { class: "controls", role: "group", "aria-label": "Steps" },
        steps.map(([text, to]) => el("button", { type: "button", onclick: () => this.go(to()) }, text)),
        this.slider, this.number),
      el("div", { class: "controls" }, labelled("Phase", this.phase), labelled("Through", who),
        el("label", { class: "inline" }, split, " Compare with version "), this.other,
        el("a", { href: `#/game/${this.game}` }, "Table"), el("a", { href: `/v1/games/${this.game}/evidence`, download: "" }, "Evidence file")),
      ...this.whatIf(), this.said, this.trouble,
      el("div", { class: "columns" },
        el("div", { class: "two" }, this.left, this.right),
        el("div", {}, labelled("Filter", this.filter), this.log, this.why, this.changes, this.luck.box, this.held.box)));
    this.other.disabled = true;
    this.left.addEventListener("click", (event) => { const key = pieceAt(event); this.unit = key.includes(":") ? "" : key; this.draw(); });
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.signal });
    await this.reload();
  }

  // A game of one's own that goes on from here; it is compared with its parent, or with another one.
  whatIf() {
    const go = el("div", { class: "controls" }, labelled("Dice of your choosing", this.dice), labelled("In the what-if I play", this.mine),
      el("button", { type: "button", onclick: () => this.fork() }, "What if it went on otherwise from here?"), this.awaited);
    const found = [go];
    const others = this.kin();
    if (others.length) {
      this.relative = choice([["", "none"], ...others], "", { onchange: () => this.besideAnother() });
      found.unshift(el("div", { class: "controls" }, labelled("Compare with another what-if", this.relative)));
    }
    if (!this.parent) return found;
    const { version } = this.summary.fork;
    this.beside = el("input", { type: "checkbox", onchange: () => {
      if (this.relative) this.relative.value = "";
      this.other.value = version;
      this.split(this.beside.checked);
    } });
    return [el("div", { class: "controls" }, `A what-if game, from version ${version} of `,
      el("a", { href: `#/replay/${this.parent}` }, "its parent"),
      el("label", { class: "inline" }, this.beside, " Compare with the parent")), ...found];
  }

  // What-ifs that were made in this browser, of this game or of the one that it comes from.
  kin() {
    return Object.entries(held())
      .filter(([id, kept]) => id !== this.game && kept.fork && [this.game, this.parent].includes(kept.fork.game))
      .map(([id, kept]) => [id, `${kept.name || "What if"} from version ${kept.fork.version} (${id.slice(0, 6)})`]);
  }

  async besideAnother() {
    if (this.beside) this.beside.checked = false;
    const id = this.relative.value;
    this.other.value = "";
    if (id) this.other.value = (await get(`/v1/games/${id}`, { token: tokenOf(id) })).version;
    await this.split(Boolean(id));
  }

  async fork() {
    try {
      const faces = this.dice.disabled ? [] : pools(this.dice.value);
      const mine = this.mine.value, others = mine ? this.summary.seats.filter(({ seat }) => seat !== mine) : [];
      const bots = Object.fromEntries(others.map(({ seat }) => [seat, {}]));
      const wish = { at: this.now, name: "What if", ...(faces.length ? { faces } : {}), ...(mine ? { bots } : {}) };
      const made = await post(`/v1/games/${this.game}/forks`, wish, this.options);
      keep(made.game.id, {
        name: made.game.name, organiser: made.organiser, fork: { game: this.game, version: this.now },
        seats: Object.fromEntries(made.tokens.map((given) => [given.seat, given.token])),
      });
      location.hash = `#/game/${made.game.id}`;
    } catch (error) { this.trouble.replaceChildren(trouble(error)); }
  }

  // Dice can be chosen where they were asked for and have not fallen: just before the event of a roll.
  tellAwaited() {
    const roll = this.rolls.find((each) => each.seq - 1 === this.now);
    this.dice.disabled = !roll;
    if (roll) {
      const count = roll.pools.map((pool) => `${pool.count}d${pool.sides}`).join("; ");
      this.awaited.textContent = `Dice awaited here: ${count}. Left empty, they are thrown anew.`;
    } else this.awaited.textContent = "No dice are awaited at this version.";
  }

  // Where the dice of a roll were asked for, with the faces that fell to begin with.
  async otherwise(roll) {
    await this.go(roll.seq - 1);
    this.dice.value = roll.faces.map((pool) => pool.join(" ")).join("; ");
    this.dice.focus();
  }

  query(more = {}) {
    const query = new URLSearchParams(more);
    if (this.as) query.set("as", this.as);
    return query;
  }

  async reload() {
    const path = `/v1/games/${this.game}`;
    this.events = await pages(`${path}/events?${this.query({ limit: 200 })}`, this.options);
    this.rolls = await pages(`${path}/rolls?${this.query({ limit: 200 })}`, this.options);
    this.luck.forget();
    this.held.forget();
    const report = await get(`${path}/report?${this.query()}`, this.options);
    this.phase.replaceChildren(...report.chapters.map((chapter) =>
      el("option", { value: chapter.first }, chapter.turn ? `Turn ${chapter.turn}: ${chapter.phase}` : chapter.phase)));
    this.slider.max = this.latest;
    this.other.max = this.latest;
    this.list();
    await this.go(this.now ?? this.latest);
  }

  list() {
    const wanted = this.filter.value.toLowerCase();
    const fits = (event) => event.text.en &&
      (!wanted || `${event.text.en} ${event.type} ${event.rules.join(" ")} ${JSON.stringify(event.data)}`.toLowerCase().includes(wanted));
    this.rows = new Map();
    this.log.replaceChildren(...this.events.filter(fits).map((event) => {
      const row = el("li", {}, el("button", { type: "button", onclick: () => this.explain(event) }, `${event.seq}. ${event.text.en}`));
      this.rows.set(event.seq, row);
      return row;
    }));
    this.mark();
  }

  // Who asks again before the answer came is told of the last question only.
  async explain(event) {
    const heading = el("h2", {}, `Why: event ${event.seq}`);
    this.asked = heading;
    this.why.replaceChildren(heading);
    await this.go(event.seq);
    const found = [];
    try {
      const reasons = await get(`/v1/games/${this.game}/why?${this.query({ event: event.seq })}`, this.options);
      found.push(...told(reasons));
      for (const roll of reasons.rolls) {
        found.push(await provedRoll(roll));
        const known = this.rolls.find((each) => each.seq === roll.seq);
        if (known?.id === roll.id && !known.hidden) found.push(el("button", { type: "button", onclick: () => this.otherwise(known) }, "Let them fall otherwise"));
      }
    } catch (error) { found.push(trouble(error)); }
    if (this.asked === heading) this.why.append(...found);
  }

  action(way) {
    const cause = (version) => this.events[version - 1]?.causedBy;
    let at = this.now;
    if (way > 0) {
      at = Math.min(at + 1, this.latest);
      while (at < this.latest && cause(at + 1) === cause(at)) at += 1;
      return at;
    }
    while (at > 1 && cause(at - 1) === cause(at)) at -= 1;
    return at - 1;
  }

  async go(version) {
    this.now = Math.min(Math.max(version, 1), this.latest);
    this.slider.value = this.now;
    this.slider.setAttribute("aria-valuetext", `version ${this.now} of ${this.latest}`);
    this.number.textContent = `${this.now} of ${this.latest}`;
    const event = this.events[this.now - 1];
    this.said.textContent = event ? `${event.actor}: ${event.text.en || "(book-keeping)"}` : "";
    const before = [...this.phase.options].filter((option) => Number(option.value) <= this.now);
    if (before.length) this.phase.value = before.at(-1).value;
    this.mark();
    this.tellAwaited();
    await this.draw();
    if (!this.right.hidden) await this.compare();
  }

  mark() {
    this.log.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = this.rows?.get(this.now);
    row?.setAttribute("aria-current", "step");
    row?.scrollIntoView({ block: "nearest" });
  }

  // Before the game's own first event there is nothing to draw: nobody has to be asked.
  begun(version) {
    return this.events.slice(0, version).some((event) => !event.type.startsWith("decklog."));
  }

  async draw() {
    const wanted = this.now;
    if (!this.begun(wanted)) {
      this.left.replaceChildren(el("p", {}, "There is no board yet."));
      return;
    }
    try {
      const drawn = await board(this.game, { at: wanted, as: this.as, unit: this.unit, token: this.token });
      if (wanted === this.now) this.left.replaceChildren(drawn);
      this.trouble.replaceChildren();
    } catch (error) {
      this.trouble.replaceChildren(trouble(error));
    }
  }

  async split(on) {
    this.wanted = null;
    this.right.hidden = !on;
    this.other.disabled = !on;
    if (on) { this.other.value ||= Math.max(2, this.now - 10); await this.compare(); } else { this.changes.replaceChildren(); this.right.replaceChildren(); }
  }

  async compare() {
    if (!this.now) return; // The first version that is shown is compared when it is.
    if (this.beside?.checked) { await this.compareWith(this.parent, "the parent"); return; }
    if (this.relative?.value) { await this.compareWith(this.relative.value, "the other what-if"); return; }
    const other = Math.min(Math.max(Number(this.other.value) || 2, 2), this.latest);
    const [from, to] = [Math.min(other, this.now), Math.max(other, this.now)];
    await this.compared(`From version ${from} to ${to}`, this.game, { at: other, as: this.as, token: this.token }, { from, to }, this.options);
  }

  // Another game has a token of its own.
  async compareWith(game, called) {
    const token = tokenOf(game);
    const to = Math.max(Number(this.other.value) || 2, 2);
    await this.compared(`From version ${this.now} here to version ${to} of ${called}`, game, { at: to, token },
      { from: this.now, to, with: game }, { ...this.options, beside: token });
  }

  // Far versions take a while: an answer that another question has overtaken is not shown.
  async compared(heading, game, moment, query, options) {
    const wanted = {};
    this.wanted = wanted;
    try {
      const drawn = await board(game, moment);
      if (this.wanted === wanted) this.right.replaceChildren(drawn);
      const diff = await get(`/v1/games/${this.game}/diff?${this.query(query)}`, options);
      if (this.wanted === wanted) this.changes.replaceChildren(...changed(heading, diff));
    } catch (error) { if (this.wanted === wanted) this.changes.replaceChildren(trouble(error)); }
  }

  key(event) {
    if (event.target.matches("input, select, textarea, [role=region]") && !event.key.startsWith("Page")) return;
    const to = { ArrowLeft: () => this.now - 1, ArrowRight: () => this.now + 1, PageUp: () => this.action(-1),
      PageDown: () => this.action(1), Home: () => 1, End: () => this.latest }[event.key];
    if (!to) return;
    event.preventDefault();
    this.go(to());
  }
}

function tokenOf(game) {
  return Object.values(held()[game]?.seats ?? {})[0] ?? "";
}

// "6 1 4; 2": a list of faces for each pool. What is no number is left for the service to refuse.
function pools(text) {
  const read = (face) => (/^\d+$/.test(face) ? Number(face) : face);
  return text.split(";").map((pool) => pool.split(/[\s,]+/).filter(Boolean).map(read)).filter((pool) => pool.length);
}

function changed(heading, diff) {
  const lines = diff.changes.map((change) => el("li", {}, change.text || change.path,
    change.rules?.length ? ` (${change.rules.join(", ")})` : ""));
  return [el("h2", {}, heading), lines.length ? el("ul", {}, lines) : el("p", {}, "Nothing is different.")];
}

function told(reasons) {
  const parts = [el("p", {}, reasons.event.text || reasons.event.type)];
  if (reasons.declared && reasons.declared.seq !== reasons.event.seq) parts.push(el("p", {}, `Declared at ${reasons.declared.seq}: ${reasons.declared.text}`));
  if (reasons.changes.length) parts.push(el("h3", {}, "It changed"), el("ul", {}, reasons.changes.map((each) => el("li", {}, each.text || each.path))));
  for (const [name, tally] of Object.entries({ ...reasons.figures, ...reasons.tallies })) parts.push(...tallied(name, tally));
  if (reasons.rules.length) {
    parts.push(el("h3", {}, "By the rules"), el("dl", {}, reasons.rules.flatMap((rule) => [
      el("dt", {}, `${rule.id}: ${rule.title}`), el("dd", {}, rule.text)])));
  }
  return parts;
}

function tallied(name, tally) {
  if (!tally?.reasons?.length) return [];
  const lines = tally.reasons.map((reason) => el("li", {},
    `${reason.value >= 0 ? "+" : ""}${reason.value} ${reason.label} (${reason.rule})`, reason.counted === false ? ", not counted" : ""));
  return [el("h3", {}, `${name}: ${tally.total}`), el("ul", {}, lines)];
}
