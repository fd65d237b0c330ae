// The replay desk: any version through any eyes that one may use, what changed, and why; played, linked, annotated.

import { ask, follow, get, held, keep, pages, post } from "./api.js";
import { board as pictured, inline } from "./board.js";
import { boardFor } from "./boards.js";
import { Choices } from "./choices.js";
import { announce, choice, el, labelled, show, slot, trouble } from "./dom.js";
import { Film } from "./film.js";
import { lieOn, withGhosts } from "./ghosts.js";
import { luckPanel } from "./luck.js";
import { momentLink, readMoment } from "./moment.js";
import { OtherEyes, unlike, unlikeList } from "./eyes.js";
import { Notes } from "./notes.js";
import { namingBots, seatName } from "./seatnames.js";
import { Rulebook, ruleLink } from "./rule.js";
import { otherReadings, whyNot } from "./otherwise.js";
import { queryPanel } from "./query.js";
import { reviewPanel } from "./review.js";
import { Stage } from "./stage.js";
import { Strip } from "./strip.js";
import { art, badge, icon, s } from "./svg.js";
import { Tabs } from "./tabs.js";
import { upsetsOf } from "./upsets.js";
import { place, whyCard } from "./whycard.js";
import { number, plain, words } from "./words.js";

/** @param {AbortSignal} signal @param {string} text */
export async function replay(signal, text) {
  await Promise.all([new Desk(signal, readMoment(text)).open(), art()]);
}

const PACE = 1200; // milliseconds that an action stands at 1x
const SPEEDS = /** @type {[number, string][]} */ ([[0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"]]);
const AHEAD = 6; // actions that are fetched before they are shown
const KEPT_BOOKS = new Set(["batch-rolled", "orders-locked", "links-given", "links-closed", "beacon-seen"].map((name) => `decklog.${name}`)); // how dice came about: told where somebody looks for it
const FOLDED = 600; // events from which on the log has only the open phase unfolded

/** @typedef {import("./types.js").GameSummary} Summary */
/** @typedef {any} Told an event of the log, of whichever game */
/** @typedef {import("./types.js").RollRecord} Roll */

class Desk {
  unit = "";
  speed = 1;
  rules = ""; // the ruleset
  parent = ""; // the game that it is a what-if of
  latest = 0;
  cut = 0; // where a clip begins
  events = /** @type {Told[]} */ ([]);
  rolls = /** @type {Roll[]} */ ([]);
  chapters = /** @type {{first: number, turn: number, phase: string}[]} */ ([]);
  course = /** @type {{seq: number, seat: string, ahead: number}[]} */ ([]);
  opening = /** @type {number | undefined} */ (undefined); // the game's own first event
  turning = /** @type {any[]} */ ([]); // decisions that gave much away
  then = /** @type {any} */ (null); // the state whose ghosts are seen
  asked = /** @type {HTMLElement | null} */ (null);
  playing = /** @type {object | null} */ (null);
  wanted = /** @type {object | null} */ (null);
  stood = /** @type {number | null} */ (null);
  stale = false;
  following = /** @type {AbortController | null} */ (null);
  unfolded = /** @type {HTMLDetailsElement | null} */ (null);
  board = /** @type {any} */ (null);
  state = /** @type {any} */ (null);
  /** @type {Summary} */ summary;
  cards = /** @type {Record<string, any>} */ ({});
  relative = /** @type {HTMLSelectElement | null} */ (null);
  beside = /** @type {HTMLInputElement | null} */ (null);
  rows = /** @type {Map<number, HTMLElement>} */ (new Map()); // lines of the log, by event
  // What the frame and the header are made of, from the first drawing on.
  /** @type {Tabs} */ tabs;
  /** @type {Stage} */ stage;
  /** @type {HTMLElement} */ looks;
  /** @type {HTMLElement} */ speeds;
  /** @type {HTMLButtonElement} */ player;
  /** @type {HTMLElement} */ linker;
  /** @type {HTMLElement} */ clipper;
  /** @type {HTMLInputElement} */ split_;
  second = /** @type {OtherEyes | null} */ (null);
  /** @type {HTMLInputElement} */ asOne;

  /** @param {AbortSignal} signal @param {ReturnType<typeof readMoment>} moment */
  constructor(signal, { game, at, as, why, to }) {
    this.game = game;
    this.signal = signal;
    this.as = as;
    this.until = to;
    this.wantsWhy = why;
    this.now = at;
    const kept = held()[game];
    this.token = Object.values(kept?.seats ?? {})[0] ?? "";
    this.film = new Film(() => ({ game: this.game, as: this.as, token: this.token, ruleset: this.rules }));
    const asker = () => ({ game: this.game, as: this.as, token: this.token, ruleset: this.rules });
    this.left = el("div", { class: "desk-board" });
    this.right = el("div", { class: "desk-board board", tabindex: 0, role: "region", "aria-label": "Board compared", hidden: true });
    this.log = el("div", { class: "log scroll", tabindex: 0, role: "group", "aria-label": "Events" });
    this.said = el("p", { class: "now", "aria-live": "polite" });
    this.trouble = el("div", { class: "said-box" });
    this.changes = el("section", { "aria-label": "What changed" });
    this.why = el("section", { class: "why-card scroll", "aria-label": "Why", tabindex: 0, hidden: true });
    this.upsets = el("section", { "aria-label": "Against the odds" });
    this.luck = luckPanel(asker);
    this.review = reviewPanel(asker, (seq) => this.explain(this.events[seq - 1]), (turning) => { this.turning = turning; this.tellLuck(); });
    this.held = queryPanel(asker, (seq) => this.go(seq));
    this.notes = new Notes(game, { now: () => this.now, go: (at) => this.go(at), rules: () => this.events[this.now - 1]?.rules ?? [], shown: ruleLink });
    this.dice = el("input", { "aria-describedby": "awaited", autocomplete: "off", disabled: true, placeholder: "6 1 4; 2" });
    this.awaited = el("p", { id: "awaited", class: "small" });
    this.mine = choice([["", "all seats"]], "");
    this.number = el("output", { class: "small quiet" });
    this.strip = new Strip((version) => this.go(version));
    this.slider = el("input", { type: "range", class: "scrub", min: 1, value: 1, id: "version", "aria-label": "Version", oninput: () => this.go(Number(this.slider.value)) });
    this.other = el("input", { type: "number", min: 1, "aria-label": "Version to compare with", disabled: true, onchange: () => this.compare() });
    this.phase = el("select", { "aria-label": "Phase", onchange: () => this.go(Number(this.phase.value)) });
    this.filter = el("input", { type: "search", placeholder: "unit, word or rule", oninput: () => this.list() });
  }

  get options() { return { token: this.token }; }

  async open() {
    this.summary = await get(`/v1/games/${this.game}`, this.options);
    const { summary } = this;
    this.rules = summary.rules.ruleset;
    const [cards, rules] = await Promise.all([pages(`/v1/rulesets/${this.rules}/units?limit=200`).catch(() => []), get(`/v1/rulesets/${this.rules}`)]);
    this.cards = Object.fromEntries(cards.map((card) => [card.id, card]));
    if (summary.seats.length > 1) this.mine.append(...summary.seats.map(({ seat }) => el("option", { value: seat }, `${seat}, and bots the others`)));
    this.parent = summary.fork?.game ?? "";
    this.latest = summary.version;
    this.now = Math.min(this.now || this.latest, this.latest);
    show(this.signal, this.frame(), new Rulebook(this.rules, summary.rules.digest, this.signal).box);
    this.head(summary, rules);
    document.title = `${summary.name || rules.title}, replay - Decklog`;
    this.signal.addEventListener("abort", () => { this.stop(); this.following?.abort(); });
    document.addEventListener("keydown", (event) => this.key(/** @type {any} */ (event)), { signal: this.signal });
    await this.reload();
    if (this.wantsWhy) await this.explain(this.events[this.now - 1]);
    if (this.until > this.now) this.play();
    if (summary.status !== "finished") this.live();
  }

  /** @param {Summary} summary @param {import("./types.js").RulesetDetail} rules */
  head(summary, rules) {
    const scores = summary.sides.map((side) => `${side.seats.map((seat) => this.called(seat)).join(" and ")} ${side.score}`).join(", ");
    slot([el("h1", {}, `Replay of ${summary.name || rules.title}`, el("small", {}, [`${rules.title} ${summary.rules.edition}`, scores, words(summary.result?.reason ?? "")].filter(Boolean).join(" · ")))],
      [el("div", { class: "row tools-row" }, this.linker = el("button", { type: "button", class: "btn", "aria-label": "Copy link", onclick: () => this.copy() }, icon("i-link"), el("span", { class: "only-desk" }, "Copy link")),
        this.clipper = el("button", { type: "button", class: "btn only-desk", "aria-pressed": "false", title: "A link that plays from one moment to another (X)", onclick: () => this.clip() }, "Clip"),
        el("button", { type: "button", class: "btn only-desk", onclick: () => this.picture() }, "Picture"),
        el("a", { class: "btn only-desk", href: `#/game/${this.game}` }, "Table"), this.evidenceLink())]);
  }

  // Once the game is over its file carries this browser's own receipts, which convict the service where its record lacks what they are for.
  evidenceLink() {
    const path = `/v1/games/${this.game}/evidence`, link = el("a", { class: "btn only-desk", href: path, download: "" }, "Evidence file");
    if (this.summary.opened) this.addReceipts(link, path);
    return link;
  }

  /** @param {HTMLAnchorElement} link @param {string} path */
  async addReceipts(link, path) {
    const { keptReceipts } = await import("./receipts.js"), texts = await keptReceipts(this.game);
    if (!texts.length) return;
    link.title = `With your ${texts.length} receipts of this service`;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.saveWith(texts, path).catch((error) => this.trouble.replaceChildren(trouble(error)));
    });
  }

  /** @param {string[]} texts @param {string} path */
  async saveWith(texts, path) {
    const { withReceipts } = await import("./bundle.js"), answer = await ask(path, { accept: "application/zip" });
    const made = await withReceipts(new Uint8Array(await answer.arrayBuffer()), texts), href = URL.createObjectURL(new Blob([new Uint8Array(made)]));
    el("a", { href, download: `${this.game}.decklog` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  /** @param {string} seat */
  called(seat) { return seatName(this.summary, seat, Object.keys(held()[this.game]?.seats ?? {})[0]); }

  frame() {
    const steps = /** @type {[string, string, () => number][]} */ ([["First", "i-first", () => 1], ["Action back", "i-back", () => this.action(-1)], ["Back", "", () => this.now - 1],
      ["Next", "", () => this.now + 1], ["Action on", "i-step", () => this.action(1)], ["Last", "i-last", () => this.latest]]);
    const made = steps.map(([text, sign, to]) => el("button", { type: "button", class: "btn icon", title: text, "aria-label": text, onclick: () => { this.stop(); this.go(to()); } }, sign ? icon(sign) : text === "Back" ? "−1" : "+1"));
    this.player = el("button", { type: "button", class: "btn go icon", "aria-label": "Play", title: "Play (Space)", onclick: () => this.toggle() }, icon("i-play"));
    made.splice(3, 0, this.player);
    this.speeds = el("span", { class: "seg", role: "group", "aria-label": "Speed" }, SPEEDS.map(([speed, text]) => el("button", { type: "button", class: "btn", "aria-pressed": String(speed === this.speed), onclick: (/** @type {any} */ event) => this.pace(speed, event.target) }, text)));
    this.split_ = el("input", { type: "checkbox", onchange: () => this.split(this.split_.checked) });
    this.asOne = el("input", { type: "checkbox", checked: true, onchange: () => this.split(this.split_.checked) });
    const diff = el("div", { class: "scroll panel" }, el("p", { class: "row" }, el("label", { class: "inline" }, this.split_, " Compare with version "), this.other, el("label", { class: "inline" }, this.asOne, " as one board")), this.changes);
    const panels = /** @type {import("./tabs.js").Panel[]} */ ([["log", "Log", el("div", { class: "panel log-panel" }, labelled("Filter", this.filter), this.log)], ["diff", "Diff", diff],
      ["luck", "Luck", el("div", { class: "scroll panel" }, this.upsets, this.luck.box), () => this.luck.open()], ...this.summary.opened ? [["review", "Review", el("div", { class: "scroll panel" }, this.review.box), () => this.review.open()]] : [], ["ask", "Ask", el("div", { class: "scroll panel" }, this.held.box), () => this.held.open()],
      ["fork", "What if", el("div", { class: "scroll panel" }, ...this.whatIf())], ["notes", "Docket", el("div", { class: "scroll panel" }, this.notes.box)]]);
    this.tabs = new Tabs("What is told", panels);
    this.notes.told = (open) => { this.tabs.buttons[panels.findIndex(([id]) => id === "notes")].textContent = open ? `Docket ${open}` : "Docket"; };
    this.notes.tell();
    return el("div", { class: "desk" }, el("div", { class: "desk-boards" }, this.left, this.right, this.eyes(), this.trouble),
      el("aside", { class: "deskside", "aria-label": "Why and log" }, this.why, this.tabs.bar, ...this.tabs.panels.map(([, , box]) => box)),
      el("section", { class: "time", "aria-label": "Time" }, el("div", { class: "ctl" }, el("span", { class: "row steps", role: "group", "aria-label": "Steps" }, made), this.speeds, this.phase, this.said, this.number, this.legend()),
        el("div", { class: "strip-box" }, this.strip.picture, this.slider)));
  }

  legend() {
    return el("span", { class: "legend only-desk" }, this.summary.seats.slice(0, 6).map(({ seat }) => el("span", { class: `seat s${number(seat)}` }, badge(number(seat)), this.called(seat))), el("span", { class: "small quiet" }, "| hit, × lost; lines: luck"));
  }

  eyes() {
    const open = this.summary.opened ? [...this.summary.seats.map(({ seat }) => [seat, `${seat} sees`]), ["truth", "Judge"]] : [];
    this.looks = el("span", { class: "seg eyes", role: "group", "aria-label": "Through" }, [["", "Own eyes"], ["public", "Public"], ...open].map(([as, text]) => el("button", { type: "button", class: "btn", "data-eyes": as || "own", "aria-pressed": String(as === this.as), onclick: () => this.lookAs(as) }, text)));
    if (open.length) this.looks.append(choice([["", "alone"], ...open.map(([as, text]) => [as, `beside: ${text}`])], "", { "aria-label": "Beside these eyes", onchange: (/** @type {any} */ event) => this.lookBeside(event.target.value) }));
    return this.looks;
  }

  // Two pairs of eyes on one moment, beside each other; in the place of another version that is compared.
  /** @param {string} as */
  async lookBeside(as) {
    this.split_.checked = false;
    await this.split(false);
    this.second = as ? new OtherEyes({ game: this.game, ruleset: this.rules, token: this.token }, as, this) : null;
    this.right.hidden = !as;
    if (as) { this.right.replaceChildren(this.second?.box ?? ""); this.tabs.open("diff"); }
    await this.draw();
  }

  // What the other pair of eyes saw, and where it is unlike.
  /** @param {number} wanted */
  async drawSecond(wanted) {
    const { second } = this;
    if (!second) return;
    const seen = await second.at(wanted);
    if (wanted === this.now && second === this.second) this.changes.replaceChildren(...unlikeList(this.as, second.as, unlike(this.state, seen)));
  }

  /** @param {string} as */
  async lookAs(as) {
    this.as = as;
    for (const each of this.looks.querySelectorAll("[data-eyes]")) {
      const eyes = each.getAttribute("data-eyes");
      each.setAttribute("aria-pressed", String((eyes === "own" ? "" : eyes) === as));
    }
    this.board = null;
    await this.reload();
  }

  // A game of one's own that goes on from here; it is compared with its parent, or with another one.
  whatIf() {
    const go = el("div", { class: "fork" }, labelled("Dice of your choosing", this.dice), labelled("In the what-if I play", this.mine),
      el("button", { type: "button", class: "btn", onclick: () => this.fork() }, "What if it went on otherwise from here?"), this.awaited);
    const found = [go];
    const others = this.kin();
    if (others.length) {
      this.relative = choice([["", "none"], ...others], "", { onchange: () => this.besideAnother() });
      found.unshift(el("div", { class: "fork" }, labelled("Compare with another what-if", this.relative)));
    }
    if (!this.parent) return found;
    const version = this.summary.fork?.version ?? 1;
    const beside = this.beside = el("input", { type: "checkbox", onchange: () => {
      if (this.relative) this.relative.value = "";
      this.other.value = String(version);
      this.split_.checked = beside.checked;
      this.split(beside.checked);
    } });
    return [el("div", { class: "fork" }, `A what-if game, from version ${version} of `,
      el("a", { href: `#/replay/${this.parent}` }, "its parent"),
      el("label", { class: "inline" }, beside, " Compare with the parent")), ...found];
  }

  // What-ifs that were made in this browser, of this game or of the one that it comes from.
  kin() {
    return Object.entries(held())
      .filter(([id, kept]) => id !== this.game && kept.fork && [this.game, this.parent].includes(kept.fork.game))
      .map(([id, kept]) => [id, `${kept.name || "What if"} from version ${kept.fork.version} (${id.slice(0, 6)})`]);
  }

  async besideAnother() {
    if (this.beside) this.beside.checked = false;
    const id = this.relative?.value ?? "";
    this.other.value = "";
    if (id) this.other.value = (await get(`/v1/games/${id}`, { token: tokenOf(id) })).version;
    this.split_.checked = Boolean(id);
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
        seats: Object.fromEntries(made.tokens.map((/** @type {any} */ given) => [given.seat, given.token])),
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
  /** @param {Roll} roll */
  async otherwise(roll) {
    await this.go(roll.seq - 1);
    this.tab("fork");
    this.dice.value = roll.faces.map((pool) => pool.join(" ")).join("; ");
    this.dice.focus();
  }

  /** @param {Record<string, any>} more */
  query(more = {}) {
    const query = new URLSearchParams(more);
    if (this.as) query.set("as", this.as);
    return query;
  }

  // The whole log in one answer, which waits for nothing more.
  /** @param {string} path @returns {Promise<Told[]>} */
  async heard(path) {
    const answer = await ask(`${path}/events?${this.query({ after: 0, follow: "false" })}`, { ...this.options, accept: "application/x-ndjson" });
    return (await answer.text()).split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  }

  async reload() {
    const path = `/v1/games/${this.game}`;
    this.film.forget();
    this.early();
    this.thrown = this.fallen(path);
    const [events, report] = await Promise.all([this.heard(path), get(`${path}/report?${this.query()}`, this.options)]);
    Object.assign(this, { events, chapters: report.chapters });
    this.luck.forget();
    this.held.forget();
    this.lay();
    await this.go(this.now);
    this.unroll();
  }

  // The board is seen before the log has come.
  async early() {
    const wanted = this.now, { as, summary } = this, played = summary.status === "finished" || summary.toMove.length > 0;
    if (this.events.length ? !this.begun(wanted) : !played || wanted < this.latest) return; // there may be no board yet
    try {
      const frame = await this.film.frame(wanted);
      if (!this.board && wanted === this.now && as === this.as) await this.lay_(frame);
    } catch { /* the answer to the log says what is wrong */ }
  }

  // Rolls and luck take longer than all else, and nothing of the moment hangs on them.
  /** @param {string} path */
  async fallen(path) {
    const { as } = this;
    const [rolls, luck] = await Promise.all([pages(`${path}/rolls?${this.query({ limit: 200 })}`, this.options), get(`${path}/luck?${this.query()}`, this.options).catch(() => null)]);
    if (as !== this.as || this.signal.aborted) return;
    Object.assign(this, { rolls, course: luck?.series ?? [] });
    if (this.strip.told) { this.tellLuck(); this.tellAwaited(); }
  }

  // All that will be wanted, fetched while the first of it is looked at. What fails is asked for when it is wanted.
  async unroll() {
    delete this.left.dataset.film;
    if (await this.film.load(this.latest, this.signal).catch(() => false)) this.left.dataset.film = "whole";
  }

  lay() {
    this.phase.replaceChildren(...this.chapters.map((chapter) => el("option", { value: chapter.first }, chapterName(chapter))));
    this.slider.max = String(this.latest);
    this.other.max = String(this.latest);
    this.tellLuck();
    this.list();
  }

  tellLuck() {
    this.strip.tell({ latest: this.latest, seats: this.summary.seats.map(({ seat }) => seat), chapters: this.chapters, events: this.events, luck: this.course, turning: this.turning });
    this.upsets.replaceChildren(...upsetsOf(this.rolls, (seq) => this.explain(this.events[seq - 1])));
  }

  // One that goes on is followed: who stands at its end goes along.
  async live() {
    this.following = new AbortController();
    while (!this.signal.aborted) {
      try {
        await follow(this.game, this.latest, this.token, this.following.signal, (/** @type {Told} */ event) => this.hear(event));
        return;
      } catch { if (this.signal.aborted) return; await new Promise((later) => setTimeout(later, 2000)); }
    }
  }

  /** @param {Told} event */
  hear(event) {
    if (event.seq <= this.latest) return;
    const stood = this.now === this.latest ? this.now : 0;
    this.latest = event.seq;
    if (this.as) { this.stale = true; return; }
    this.stood ??= stood; // events come in batches: where one stood before the first
    this.events.push(event);
    clearTimeout(this.later);
    this.later = setTimeout(async () => {
      const report = await get(`/v1/games/${this.game}/report?${this.query()}`, this.options);
      this.chapters = report.chapters;
      this.lay();
      const along = this.stood === this.now;
      this.stood = null;
      if (along) await this.go(this.latest); else this.stand();
    }, 100);
  }

  // Phases are folded in a long game: only that of the moment has its lines.
  list() {
    const wanted = this.filter.value.toLowerCase();
    const fits = (/** @type {Told} */ event) => event.text.en && (!wanted ? !KEPT_BOOKS.has(event.type) : `${event.text.en} ${event.type} ${event.rules.join(" ")} ${JSON.stringify(event.data)}`.toLowerCase().includes(wanted));
    const shown = this.events.filter(fits), folded = shown.length > FOLDED;
    this.rows.clear();
    let at = 0;
    this.log.replaceChildren(...this.chapters.map((chapter, place) => {
      const next = this.chapters[place + 1]?.first ?? Infinity, own = /** @type {Told[]} */ ([]);
      while (at < shown.length && shown[at].seq < next) own.push(shown[at++]);
      if (!own.length) return null;
      const list = el("ol", {}), box = el("details", { "data-first": chapter.first, open: !folded }, el("summary", {}, `${chapterName(chapter)} `, el("span", { class: "small quiet" }, String(own.length))), list);
      const fill = () => { if (box.open && !list.children.length) list.append(...own.map((event) => this.row(event))); };
      box.addEventListener("toggle", () => { fill(); this.mark(); });
      fill();
      return box;
    }).filter((each) => each !== null));
    this.mark();
  }

  /** @param {Told} event */
  row(event) {
    const row = el("li", {}, el("button", { type: "button", onclick: () => { this.stop(); this.explain(event); } }, `${event.seq}. ${namingBots(this.summary, plain(event.text.en))}`));
    this.rows.set(event.seq, row);
    return row;
  }

  // Who asks again before the answer came is told of the last question only.
  /** @param {Told} event */
  async explain(event) {
    if (!event) return;
    const heading = el("h2", { tabindex: -1 }, `Why: ${this.told(event)}`);
    this.asked = heading;
    this.why.hidden = false;
    this.why.replaceChildren(el("header", {}, heading, el("span", { class: "tag" }, String(event.seq)),
      el("button", { type: "button", class: "btn icon flat", "aria-label": "Close why", onclick: () => this.shutWhy() }, icon("i-x"))));
    await this.go(event.seq);
    this.address();
    const found = [];
    try {
      const reasons = await get(`/v1/games/${this.game}/why?${this.query({ event: event.seq })}`, this.options);
      await this.thrown;
      found.push(...await whyCard(reasons, { rolls: this.rolls, otherwise: (roll) => this.otherwise(roll), go: (version) => this.go(version), ways: (told) => this.ways(told) }));
    } catch (error) { found.push(trouble(error)); }
    if (this.asked === heading) { this.why.append(...found); this.mark(); }
  }

  // From the reasons to what could have been: another order, another reading of the rules, another course.
  /** @param {import("./types.js").Explanation} reasons @returns {HTMLElement[]} */
  ways({ command: [first], rules, event }) {
    if (!first || !event) return [];
    const seat = first.actor, at = first.seq - 1, shown = el("div", { class: "ways-shown", "aria-live": "polite" });
    const mine = Boolean(held()[this.game]?.seats[seat]) && !this.as;
    const way = (/** @type {string} */ name, /** @type {string} */ id, /** @type {() => Promise<HTMLElement[]>} */ ask) => el("button", { type: "button", class: "btn", "aria-expanded": "false", onclick: (/** @type {any} */ { currentTarget }) => this.wayOn(currentTarget, shown, ask) }, icon(id), name);
    const asked = () => whyNot({ game: this.game, ruleset: this.rules, token: held()[this.game]?.seats[seat] ?? this.token, seat, at, unit: unitOf(this.events[event.seq - 1]), units: this.named });
    const given = /^p\d+$/.test(seat) && this.begun(at) && (this.summary.opened || mine);
    return [el("div", { class: "row why-ways" }, given ? way("Why not ...?", "i-x", asked) : null,
      rules.length ? way("The other reading", "i-book", () => otherReadings({ ruleset: this.rules, rules, agreed: /** @type {any} */ (this.summary.options) })) : null,
      this.begun(at) ? el("button", { type: "button", class: "btn", onclick: () => this.before(at) }, icon("i-fork"), "What if") : null), shown];
  }

  // One of them is unfolded at a time; who folds it before its answer comes sees nothing of it.
  /** @param {HTMLElement} button @param {HTMLElement} shown @param {() => Promise<Node[]>} ask */
  async wayOn(button, shown, ask) {
    const folds = button.getAttribute("aria-expanded") === "true";
    for (const each of button.parentElement?.querySelectorAll("[aria-expanded]") ?? []) each.setAttribute("aria-expanded", "false");
    shown.replaceChildren();
    if (folds) return;
    button.setAttribute("aria-expanded", "true");
    const found = await ask().catch((/** @type {any} */ error) => [trouble(error)]);
    if (button.getAttribute("aria-expanded") === "true") { shown.replaceChildren(...found); button.parentElement?.scrollIntoView({ block: "start" }); }
  }

  /** @param {number} version */
  async before(version) {
    await this.go(version);
    this.tab("fork");
  }

  // On a phone a why covers the panels.
  /** @param {string} id */
  tab(id) {
    if (innerWidth <= 700) this.shutWhy();
    this.tabs.open(id);
  }

  /** @returns {{key: string, name: string, seat: string}[]} */
  get named() { return this.state && this.board ? this.board.units(this.state, this.cards) : []; }

  // Of a silent event the last that was said in its action.
  /** @param {Told} event */
  told(event) {
    for (let seq = event.seq; seq > 0 && this.events[seq - 1]?.causedBy === event.causedBy; seq -= 1) {
      if (this.events[seq - 1].text.en) return plain(this.events[seq - 1].text.en);
    }
    return "book-keeping";
  }

  shutWhy() { this.asked = null; this.why.hidden = true; this.why.replaceChildren(); this.address(); }

  /** @param {number} way 1: on, -1: back */
  action(way) {
    const cause = (/** @type {number} */ version) => this.events[version - 1]?.causedBy;
    let at = this.now;
    if (way > 0) {
      at = Math.min(at + 1, this.latest);
      while (at < this.latest && cause(at + 1) === cause(at)) at += 1;
      return at;
    }
    while (at > 1 && cause(at - 1) === cause(at)) at -= 1;
    return at - 1;
  }

  // --- playing ---

  toggle() { if (this.playing) this.stop(); else this.play(); }

  /** @param {number} speed @param {HTMLElement} button */
  pace(speed, button) {
    this.speed = speed;
    for (const each of this.speeds.children) each.setAttribute("aria-pressed", String(each === button));
  }

  stop() {
    this.playing = null;
    this.player?.setAttribute("aria-label", "Play");
    this.player?.replaceChildren(icon("i-play"));
  }

  async play() {
    const playing = {};
    this.playing = playing;
    this.player.setAttribute("aria-label", "Pause");
    this.player.replaceChildren(el("span", { "aria-hidden": "true" }, "❚❚"));
    if (this.now === this.latest) await this.go(1);
    const end = this.now < this.until ? Math.min(this.until, this.latest) : this.latest; // of a clip, or of the game
    while (this.playing === playing && this.now < end && !this.signal.aborted) {
      const began = performance.now();
      await this.go(Math.min(this.action(1), end));
      this.fetchAhead();
      await new Promise((later) => setTimeout(later, Math.max(0, PACE / this.speed - (performance.now() - began))));
    }
    if (this.playing === playing) this.stop();
  }

  fetchAhead() {
    if (this.film.latest >= this.latest) return;
    const { now } = this, next = [];
    for (let n = 0; n < AHEAD && this.now < this.latest; n += 1) { this.now = this.action(1); if (this.begun(this.now)) next.push(this.now); }
    this.now = now;
    this.film.ahead(next);
  }

  /** @param {number} version */
  async go(version) {
    this.now = Math.min(Math.max(version, 1), this.latest);
    this.stand();
    this.address();
    this.mark();
    this.tellAwaited();
    await this.draw();
    if (this.split_.checked) await this.compare();
  }

  stand() {
    this.slider.value = String(this.now);
    this.slider.setAttribute("aria-valuetext", `version ${this.now} of ${this.latest}`);
    this.number.textContent = `${this.now} of ${this.latest}`;
    const event = this.events[this.now - 1];
    this.said.textContent = event ? `${event.actor}: ${this.told(event)}` : "";
    const before = [...this.phase.options].filter((option) => Number(option.value) <= this.now);
    this.phase.value = before.at(-1)?.value ?? this.phase.value;
    this.strip.stand(this.now);
  }

  // The address is always that of the moment, so that it can be copied as it stands.
  get here() { return momentLink(this.game, { at: this.now, as: this.as, why: Boolean(this.asked) }); }

  // Written when somebody rests there: scrubbing passes hundreds.
  address() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => { if (!this.signal.aborted && location.hash !== this.here) history.replaceState(null, "", this.here); }, 100);
  }

  // A clip is cut at two moments: where it begins, and where it ends. What is copied plays from one to the other.
  async clip() {
    if (this.cut) {
      const [at, to] = [Math.min(this.cut, this.now), Math.max(this.cut, this.now)];
      this.cut = 0;
      if (to > at) await this.copy(momentLink(this.game, { at, to, as: this.as }), "The link to the clip is copied.");
    } else {
      this.cut = this.now;
      announce(`The clip begins at version ${this.cut}. Go to its end, and press Clip again.`);
    }
    this.tellCut();
  }

  tellCut() {
    this.clipper.setAttribute("aria-pressed", String(Boolean(this.cut)));
    this.clipper.textContent = this.cut ? `Clip from ${this.cut} to here` : "Clip";
    this.strip.mark(this.cut);
  }

  async copy(link = this.here, said = "The link is copied.") {
    try {
      await navigator.clipboard.writeText(`${location.origin}/${link}`);
      announce(said);
      this.linker.dataset.done = "yes";
    } catch { announce("The browser does not let the page copy: the address above is the link."); }
  }

  // The moment as a picture: a file that anybody can open.
  async picture() {
    const answer = await ask(`/v1/games/${this.game}/board.svg?${this.query({ at: this.now })}`, { ...this.options, accept: "image/svg+xml" });
    const href = URL.createObjectURL(await answer.blob());
    el("a", { href, download: `${this.game}-${this.now}.svg` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  }

  mark() {
    this.log.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const chapters = [...this.log.querySelectorAll("details")].filter((each) => Number(each.dataset.first) <= this.now), own = chapters.at(-1);
    if (this.unfolded && this.unfolded !== own) { this.unfolded.open = false; this.unfolded = null; }
    if (own && !own.open) { own.open = true; this.unfolded = own; return; }
    let at = this.now;
    while (at > 1 && !this.rows?.has(at) && this.now - at < 30) at -= 1;
    const row = this.rows?.get(at);
    row?.setAttribute("aria-current", "step");
    row?.scrollIntoView({ block: "nearest" });
  }

  // Before the game's own first event there is nothing to draw: nobody has to be asked.
  /** @param {number} version */
  begun(version) {
    this.opening ??= this.events.find((event) => !event.type.startsWith("decklog."))?.seq;
    return version >= (this.opening ?? Infinity);
  }

  async draw() {
    const wanted = this.now;
    if (!this.begun(wanted)) {
      this.board = null;
      this.left.replaceChildren(el("p", { class: "nothing" }, "There is no board yet."));
      return;
    }
    try {
      const frame = await this.film.frame(wanted, this.unit);
      if (wanted === this.now) await this.lay_(frame);
      await this.drawSecond(wanted);
      this.trouble.replaceChildren();
    } catch (error) {
      this.trouble.replaceChildren(trouble(error));
    }
  }

  // The board of the game where it has one of its own, and the service's picture where it has none.
  /** @param {{state: any, pictures: string[]}} frame */
  async lay_(frame) {
    const seat = /^p\d+$/.test(this.as) ? this.as : "", made = boardFor(this.rules, frame.state, seat);
    if (this.board?.constructor !== made.constructor) {
      await made.load?.(this.rules);
      this.board = made;
      this.stage = new Stage("Board", { pick: (/** @type {string} */ key) => this.pick(key), look() {}, back: () => this.pick(""), drawn: () => this.sketch(),
        turn: () => { this.board.turned = !(this.board.turned ?? this.stage.wide); this.board.spots = null; this.sketch(); } });
      this.left.replaceChildren(this.stage.box);
    }
    this.state = frame.state;
    for (const picture of frame.pictures) this.board.read(inline(picture));
    this.sketch();
  }

  sketch() {
    if (!this.state || !this.board) return;
    const past = this.then && lieOn(this.board) ? withGhosts(this.board, this.stage, this.then, this.state, this.cards, this) : null;
    if (!past) this.board.sketch(this.stage, this.state, this.cards, this);
    this.acts();
    if (past) this.stage.layers.marks.append(...past);
  }

  get choices() { return new Choices([]); }

  // What the events of this action did: who fired at whom, who was struck, who came from where.
  acts() {
    const { causedBy } = this.events[this.now - 1] ?? {}, made = [], heights = [], at = (/** @type {string} */ key) => this.board.where?.(key);
    // Before the log has come there are none.
    for (let seq = this.now; this.events[seq - 1]?.causedBy === causedBy && this.events[seq - 1]; seq -= 1) {
      for (const { role, unit, by } of this.events[seq - 1].roles) {
        const [from, to] = [by && at(by), unit && at(unit)];
        if (to) heights.push(to.y);
        if (role === "attacked" && from && to && by !== unit) for (const look of ["shot halo", "shot"]) made.push(s("path", { class: look, d: `M${from.x} ${from.y}L${to.x} ${to.y}` }));
        if ((role === "damaged" || role === "lost") && to) made.push(s("use", { href: "#hit", class: "struck", x: to.x - 16, y: to.y - 16, width: 32, height: 32 }));
      }
    }
    this.stage.layers.marks.replaceChildren(...made);
    if (!heights.length) for (const each of this.stage.layers.pieces.children) { const spot = at(each.getAttribute("data-key") ?? ""); if (spot) heights.push(spot.y); }
    this.stage.reveal(heights);
    for (const each of this.stage.picture.querySelectorAll(".picked")) each.classList.remove("picked");
    if (this.unit) this.stage.picture.querySelector(`[data-key="${CSS.escape(this.unit)}"]`)?.classList.add("picked");
  }

  /** @param {string} key */
  pick(key) {
    this.unit = key.includes(":") ? "" : key;
    this.draw();
  }

  /** @param {boolean} on */
  async split(on) {
    this.wanted = null;
    this.second = null;
    this.right.hidden = !on || this.together;
    this.other.disabled = !on;
    if (on) { this.other.value ||= String(Math.max(2, this.now - 10)); await this.compare(); return; }
    this.changes.replaceChildren();
    this.right.replaceChildren();
    this.haunt(null);
  }

  // Whether both moments are seen on one board: of one on which nothing lies there are two beside each other.
  get together() { return this.asOne.checked && lieOn(this.board); }

  /** @param {any} then the state of the other moment */
  haunt(then) {
    if (this.then === then) return;
    this.then = then;
    this.sketch();
  }

  /** @param {string} game @param {{at: number, token?: string}} moment */
  async stateOf(game, { at, token }) {
    if (game === this.game) return (await this.film.frame(at)).state;
    return (await get(`/v1/games/${game}/view?${new URLSearchParams({ at: String(at) })}`, { token })).state;
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
  /** @param {string} game @param {string} called */
  async compareWith(game, called) {
    const token = tokenOf(game);
    const to = Math.max(Number(this.other.value) || 2, 2);
    await this.compared(`From version ${this.now} here to version ${to} of ${called}`, game, { at: to, token },
      { from: this.now, to, with: game }, { ...this.options, beside: token });
  }

  // Far versions take a while: an answer that another question has overtaken is not shown.
  /** @param {string} heading @param {string} game @param {{at: number, as?: string, token?: string}} moment @param {Record<string, any>} query @param {Record<string, string>} options */
  async compared(heading, game, moment, query, options) {
    const wanted = {};
    this.wanted = wanted;
    try {
      const { together } = this, found = together ? await this.stateOf(game, moment) : await pictured(game, moment);
      if (this.wanted === wanted) { this.haunt(together ? found : null); this.right.replaceChildren(together ? "" : found); this.right.hidden = together; }
      const diff = await get(`/v1/games/${this.game}/diff?${this.query(query)}`, options);
      if (this.wanted === wanted) this.changes.replaceChildren(...changed(heading, diff));
    } catch (error) { if (this.wanted === wanted) this.changes.replaceChildren(trouble(error)); }
  }

  /** @param {KeyboardEvent & {target: Element}} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea, [role=region], [role=tab]") && !event.key.startsWith("Page")) return;
    const step = /** @type {Record<string, () => number>} */ ({ ArrowLeft: () => this.now - 1, ArrowRight: () => this.now + 1, PageUp: () => this.action(-1),
      PageDown: () => this.action(1), Home: () => 1, End: () => this.latest, "[": () => this.turn(-1), "]": () => this.turn(1) });
    if (event.shiftKey) Object.assign(step, { ArrowLeft: () => this.chapter(-1), ArrowRight: () => this.chapter(1) });
    const act = /** @type {Record<string, () => unknown>} */ ({ w: () => this.explain(this.events[this.now - 1]), c: () => this.copy(), x: () => this.clip(), e: () => /** @type {HTMLElement | null} */ (this.looks.querySelector("[aria-pressed=true]"))?.focus(), d: () => this.tabs.open("notes"), n: () => this.tabs.open("notes") });
    if (event.key === " " && !event.target.closest("button, a, summary")) act[" "] = () => this.toggle();
    const to = step[event.key], does = act[event.key.toLowerCase()];
    if (!to && !does) return;
    event.preventDefault();
    if (to) { this.stop(); this.go(to()); } else does();
  }

  /** @param {number} way */
  chapter(way) { return beside(this.chapters.map(({ first }) => first), this.now, way) ?? (way < 0 ? 1 : this.latest); }

  /** @param {number} way */
  turn(way) { return beside((this.strip.told?.turns ?? []).map(({ first }) => first), this.now, way) ?? (way < 0 ? 1 : this.latest); }
}

// The unit that acted: by whom something was attacked, or what was moved.
/** @param {Told | undefined} event */
function unitOf(event) {
  const { by = "", unit = "" } = event?.roles.find((/** @type {any} */ role) => role.by || role.unit) ?? {};
  return by || unit;
}

// The next beginning in that direction.
/** @param {number[]} firsts @param {number} now @param {number} way */
function beside(firsts, now, way) { return way < 0 ? firsts.findLast((first) => first < now) : firsts.find((first) => first > now); }

/** @param {{turn: number, phase: string}} chapter */
function chapterName({ turn, phase }) { return turn ? `Turn ${turn}${phase ? `: ${words(phase)}` : ""}` : words(phase || "Set-up"); }

/** @param {string} game */
function tokenOf(game) {
  return Object.values(held()[game]?.seats ?? {})[0] ?? "";
}

// "6 1 4; 2": a list of faces for each pool. What is no number is left for the service to refuse.
/** @param {string} text */
function pools(text) {
  const read = (/** @type {string} */ face) => (/^\d+$/.test(face) ? Number(face) : face);
  return text.split(";").map((pool) => pool.split(/[\s,]+/).filter(Boolean).map(read)).filter((pool) => pool.length);
}

/** @param {string} heading @param {{changes: import("./types.js").Changed[]}} diff */
function changed(heading, diff) {
  const lines = diff.changes.map((change) => el("li", {}, plain(change.text || place(change.path)),
    change.rules?.length ? el("span", { class: "small quiet" }, ` ${change.rules.join(", ")}`) : null));
  return [el("h2", {}, heading), lines.length ? el("ul", {}, lines) : el("p", {}, "Nothing is different.")];
}
