// The table: the board takes orders, the prompt bar asks, the side tells; it follows the game as it goes on.

import { agentsOf, awaited, graded } from "./agent.js";
import { ask, client, follow, get, held, lamp, pages, post } from "./api.js";
import { inline } from "./board.js";
import { boardFor } from "./boards.js";
import { Choices, Cursor, effect, vain } from "./choices.js";
import { Film } from "./film.js";
import { patched } from "./patch.js";
import { SEED_NAMED, announce, choice, el, scores, show, slot, teams, trouble } from "./dom.js";
import { Notice } from "./notice.js";
import { Peek } from "./peek.js";
import { chip, crumbs, labels, question, versus } from "./prompt.js";
import { Yard } from "./fleet.js";
import { OtherRecord } from "./heads.js";
import { arrived, instead, keptKey, ordersGraded, passedOn, remedy } from "./seatkeys.js";
import { botWords, namingBots, seatName } from "./seatnames.js";
import { Rulebook, ruleLink, ruleLinks } from "./rule.js";
import { Log, fleet } from "./side.js";
import { Stage, keyOf } from "./stage.js";
import { art, icon, s } from "./svg.js";
import { template } from "./template.js";
import { Tray } from "./tray.js";
import { left, number, per, plain, short, words, worthText } from "./words.js";

export async function table(signal, game, what, wish = "") {
  await Promise.all([new Table(signal, game, what === "fleet" ? wish.split(",") : []).open(), art()]);
}

const WORTHWHILE = 100; // thousandths to hit: passing while so much is left is asked once
const KEYS_OFF = "decklog.keys";
const LINES = 200; // events of before that the log tells
const PATIENCE = 3000; // milliseconds that a stream may take to tell of an order

class Table {
  constructor(signal, game, wish) {
    this.game = game;
    this.wish = wish;
    this.signal = signal;
    this.kept = held()[game] ?? { seats: {}, invitations: {} };
    this.seats = Object.keys(this.kept.seats);
    this.seat = this.seats[0] ?? "";
    this.last = 0;
    this.waiters = [];
    this.sheets = new Film(() => ({ game, ruleset: this.rules, as: this.seat, token: this.token }));
    this.choices = new Choices([]);
    this.stage = new Stage("Board", {
      pick: (key, event) => this.pick(key, event), look: (key) => this.look(key), back: () => this.back(), turn: () => this.turnBoard(),
      drawn: () => this.sketch(), grip: (event) => this.board?.grip?.(event, this) });
    this.agents = agentsOf(game, this.kept);
    this.dice = el("p", { class: "small quiet wide dicegrade" });
    this.whose = el("p", { class: "small quiet wide ordergrade" });
    this.lines = new Map(); // ways out, by order
    this.signer = null;
    this.signs = ""; // the public half of the key by which the seat signs
    this.log = new Log(game);
    this.notice = new Notice(game);
    this.tray = new Tray((seq) => `#/replay/${game}/${seq}?why=1`);
    this.turn = el("p", { class: "turn what", "aria-live": "polite", tabindex: -1 });
    this.lead = el("div", { class: "crumbs" });
    this.what = el("p", { class: "what" });
    this.note = el("p", { class: "small quiet note" });
    this.chips = el("div", { class: "chips", role: "toolbar", "aria-label": "Answers" });
    this.ways = el("div", { class: "ways" });
    this.scene = el("div", { class: "scene", hidden: true });
    this.offer = el("section", { class: "ask", "aria-label": "What you may do" }, this.scene, el("div", { class: "lead" }, this.lead, this.what, this.turn, this.note), this.chips, this.ways);
    this.said = el("div", {});
    this.keyless = el("div", { class: "keyless" });
    this.fleets = el("div", { class: "fleets" });
    this.menu = el("div", { class: "menu", hidden: true });
    this.side = el("aside", { class: "side", "aria-label": "Fleets and log" }, this.fleets, this.dice, this.whose,
      el("section", { class: "log-box", "aria-label": "Log" }, el("header", {}, el("h2", {}, "Log"), el("span", { class: "small quiet push" }, "each line opens its moment")), this.log.box));
    this.chips.addEventListener("keydown", (event) => this.keyed(event));
  }

  get place() { return this.rules === "war-at-sea" ? "sector" : "place"; }

  get token() { return this.kept.seats[this.seat] ?? ""; }

  // A what-if game is known to those who hold a token of it only.
  summary() { return get(`/v1/games/${this.game}`, { token: this.token || this.kept.organiser || "" }); }

  async open() {
    const summary = await this.summary();
    this.rules = summary.rules.ruleset;
    const [cards, rules] = await Promise.all([pages(`/v1/rulesets/${this.rules}/units?limit=200`).catch(() => []), get(`/v1/rulesets/${this.rules}`)]);
    this.cards = Object.fromEntries(cards.map((card) => [card.id, card]));
    this.title = summary.name || rules.title;
    this.log.named = (text) => namingBots(summary, text); // whether a bot plays a seat never changes
    this.who = this.seats.length > 1
      ? choice([...this.seats.map((seat) => [seat, `play ${seat}`]), ["", "look on"]], this.seat, { "aria-label": "Seat", onchange: (event) => { this.seat = event.target.value; this.notice.yours = null; this.board = null; this.restart(); } })
      : el("span", { class: "small quiet" }, this.seat ? `You play ${this.seat}.` : "You look on.");
    this.ribbon = el("ol", { class: "ribbon only-desk", "aria-label": "Phases" });
    this.versus = el("div", { class: "versus" });
    this.opener = el("button", { type: "button", class: "btn icon flat", "aria-label": "Menu", "aria-expanded": "false", onclick: () => this.toggle() }, icon("i-menu"));
    this.booked = el("button", { type: "button", class: "btn icon only-phone", "data-id": "book", "aria-label": "Fleets and log", onclick: () => this.side.classList.toggle("open") }, icon("i-book"));
    show(this.signal, el("div", { class: "table" }, this.stage.box, this.side, this.offer, this.tray.box, el("div", { class: "said-box" }, this.keyless, this.said), this.menu));
    slot([el("h1", {}, this.title, el("small", {}, `${rules.title} ${summary.rules.edition}, ${words(summary.scenario)}`)), this.ribbon, this.versus], [this.opener]);
    const book = new Rulebook(this.rules, summary.rules.digest, this.signal);
    const peek = new Peek((key) => this.cards[this.state?.units?.[key]?.card ?? (key.startsWith("card:") ? key.slice(5) : "")], this.signal);
    this.offer.parentElement.append(peek.box, book.box);
    this.lesson = this.kept.lesson ? await (await import("./lessons.js")).stripOf(this) : null;
    if (this.lesson) this.offer.before(this.lesson.box);
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.signal });
    const clock = setInterval(() => this.tick(), 1000);
    this.signal.addEventListener("abort", () => clearInterval(clock));
    await this.restart(summary);
  }

  toggle() {
    this.menu.hidden = !this.menu.hidden;
    this.opener.setAttribute("aria-expanded", String(!this.menu.hidden));
    if (!this.menu.hidden) this.menu.querySelector("a, button, select, summary")?.focus();
  }

  tick() {
    for (const each of [...this.versus.querySelectorAll("[data-due]"), ...this.scene.querySelectorAll("[data-due]")]) {
      const rest = new Date(each.dataset.due) - Date.now();
      each.textContent = left(rest);
      if (each.dataset.whole) each.style.setProperty("--share", `${Math.max(0, Math.min(100, rest / (10 * each.dataset.whole)))}%`);
    }
  }

  invitations(summary) {
    return summary.seats
      .filter((seat) => seat.held !== "kept" && seat.held !== "taken" && this.kept.invitations?.[seat.seat])
      .map((seat) => {
        const link = `${location.origin}/#/join/${this.game}/${seat.seat}/${this.kept.invitations[seat.seat]}`;
        return el("p", { class: "wide" }, `Invitation to ${seat.seat}: `, el("a", { href: link }, link));
      });
  }

  async restart(summary = null) {
    this.following?.abort();
    const following = new AbortController();
    this.following = following;
    this.signal.addEventListener("abort", () => following.abort(), { signal: following.signal });
    this.log.clear();
    this.tray.clear();
    this.sheets.forget();
    this.laid = this.drawn = undefined;
    this.settled = -1;
    this.born = (summary ?? await this.summary()).version;
    this.last = Math.max(0, this.born - LINES);
    this.listen(following.signal);
    await this.reached(this.born);
    // Whoever comes to answer begins at the first answer, not at the head of the page.
    if ([document.body, document.getElementById("main")].includes(document.activeElement)) this.focus(true);
  }

  async listen(signal) {
    // To the last event, also of a game that is over before anybody looks.
    const whole = () => this.over && this.last >= this.version;
    let table = null; // of this stream: what it tells next is a difference from what it told
    while (!signal.aborted && !whole()) {
      try {
        await follow(this.game, this.last, this.token, signal, (event) => this.hear(event), ({ version, changes }) => {
          table = patched(table, changes.map(({ path, kind, value }) => ({ path, kind, after: value })));
          this.take(table, version);
        });
        await this.reached(this.last); // an end whose table was cut off
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof OtherRecord) { this.said.replaceChildren(trouble(error, ruleLink)); return; }
        lamp(false);
      }
      if (!whole()) await new Promise((later) => setTimeout(later, 1000));
    }
  }

  hear(event) {
    if (event.seq <= this.last) return;
    this.last = event.seq;
    this.log.hear(event);
    this.lesson?.hear(event, this.settled);
    const step = this.undoable(); // its words may come after the button is there
    if (step?.command === event.causedBy) for (const each of this.ways.querySelectorAll("button.takes-back")) each.title = `Undo: ${this.stepText(step)}`;
    if (event.seq > (this.born ?? Infinity)) this.act(event);
  }

  // Only the newest act is drawn: what another command did goes when the next is given.
  act(event) {
    if (event.causedBy !== this.cause) { this.cause = event.causedBy; this.acts = []; this.tray.clear(); }
    for (const { role, unit, by } of event.roles) {
      if (["attacked", "damaged", "lost"].includes(role) && by && unit && by !== unit) this.acts.push({ shot: [by, unit], struck: role !== "attacked" });
      if (["moved", "placed"].includes(role)) { const from = this.board?.where?.(unit); if (from) this.acts.push({ move: [from, unit] }); }
    }
    if (/declared$/.test(event.type)) this.declared = event.text.en;
    if (/resolved$/.test(event.type)) this.tray.resolved(event.causedBy, event.text.en);
    const read = this.tray.hear(event, this.declared);
    if (read) announce(read);
  }

  // When that version is on the table, by the stream; where that is silent, by asking.
  reached(version = 0) {
    if (this.settled >= version) { this.free(); return this.queue; }
    return new Promise((come) => {
      const late = setTimeout(() => this.fetched(), PATIENCE);
      this.waiters.push({ version, come: () => { clearTimeout(late); come(); } });
    });
  }

  async fetched() {
    const { seat } = this, options = { token: this.token }, path = `/v1/games/${this.game}`;
    try {
      const game = await this.summary(), at = `at=${game.version}`;
      const [view, commands, pieces] = await Promise.all([get(`${path}/view?${at}`, options), client(this.token).commands(this.game, game.version), get(`${path}/pieces?${at}`, options).catch(() => null)]);
      if (seat === this.seat) await this.take({ game, state: view.state, commands, pieces }, game.version);
    } catch (error) { this.failed(error); }
  }

  // What the service could not give now it may give later; what it refuses it will refuse again.
  failed(error) {
    this.said.replaceChildren(trouble(error, ruleLink));
    if (!(error.status < 500) && !this.signal.aborted) setTimeout(() => this.signal.aborted || this.fetched(), PATIENCE);
  }

  // One after the other: an older table must never be drawn over a newer one.
  take(told, version) {
    const { seat } = this;
    this.queue = (this.queue ?? Promise.resolve()).then(async () => {
      if (seat !== this.seat || version < this.settled) return; // The player changed seats meanwhile, or asked and had a newer one.
      try { await this.lay(told); } catch (error) { this.failed(error); return; }
      if (seat !== this.seat) return;
      this.settled = version;
      for (const each of this.waiters.splice(0)) if (each.version <= version) each.come(); else this.waiters.push(each);
    });
    return this.queue;
  }

  async lay({ game: summary, state, commands, pieces }) {
    const { seat } = this;
    this.over = summary.status === "finished";
    this.version = summary.version;
    this.now = summary;
    for (const agent of this.agents) if (!passedOn(summary, agent.seat)) agent.look(summary); // else its secret is at work elsewhere
    await this.signing(summary);
    if (seat !== this.seat) return;
    this.tell(summary);
    if (state && summary.version !== this.drawn) await this.draw(state, summary.version);
    if (seat !== this.seat) return; // The board is another's by now.
    this.offers(summary, commands);
    this.learn(pieces);
  }

  // The key of the seat, where it signs its orders; one that is not in this browser is asked for in words.
  async signing({ seats }) {
    const { seat } = this, its = seats.find((each) => each.seat === seat)?.orderKey ?? "";
    this.keyless.hidden = this.over;
    if (its === this.signs) return;
    arrived(this.game, seat, its);
    const key = await keptKey(its), other = its && !key ? await instead(this.game, seat) : "";
    if (seat !== this.seat) return;
    [this.signs, this.signer] = [its, key];
    this.keyless.replaceChildren(...(its && !key ? [this.without(other)] : []));
  }

  without(other) {
    const here = el("a", { class: "btn", href: `#/pair/${this.game}/${this.seat}` }, `Play ${this.seat} here again`);
    if (passedOn(this.now, this.seat)) {
      return el("div", { class: "problem elsewhere", role: "alert" }, el("strong", {}, `${this.seat} is played on another device.`), " This browser passed it on, and looks on. To take it back you need that device: it passes the seat on to this one.", el("p", {}, here));
    }
    return el("div", { class: "problem", role: "alert" }, el("strong", {}, `The key of ${this.seat} is not in this browser.`), ` ${this.seat} signs its orders, so that none can be given from here.`,
      el("details", {}, el("summary", {}, "What to do"), el("p", {}, "Where another browser or program has the key, the game goes on there, or it passes the seat on to this one:"), el("p", {}, here), el("p", {}, "Where it is lost, the organiser can put another in its place:"),
        el("pre", { tabindex: 0 }, remedy(this.game, this.seat, other)), el("p", {}, "It stands in the record, and the orders of the game are of grade O0 then: the organiser's word.")));
  }

  async draw(state, version) {
    const { seat } = this;
    if (!this.board) {
      const board = boardFor(this.rules, state, seat);
      await board.load?.(this.rules);
      if (seat !== this.seat) return;
      this.board = board;
    }
    const sheets = await this.sheets.sheetsOf(state, version) ?? [await this.picture(version)];
    if (seat !== this.seat) return;
    if (sheets.join() !== this.laid) for (const each of sheets) this.board.read(inline(each));
    this.laid = sheets.join();
    this.state = state;
    this.drawn = version;
    this.sketch();
    this.stage.box.dataset.drawn = version; // what is on the board, for whoever measures when it came
  }

  async picture(version) {
    return (await ask(`/v1/games/${this.game}/board.svg?at=${version}`, { token: this.token, accept: "image/svg+xml" })).text();
  }

  sketch() {
    if (!this.state || !this.board) return;
    this.board.sketch(this.stage, this.state, this.cards, this);
    const { turn, names, now } = this.board.phases(this.state);
    this.ribbon.replaceChildren(...(turn ? [el("li", {}, turn)] : []), ...names.map((name, place) => el("li", { class: place < now ? "done" : undefined, "aria-current": place === now ? "step" : undefined }, name)));
    this.paint();
  }

  turnBoard() { this.board.turned = !(this.board.turned ?? this.stage.wide); this.board.spots = null; this.sketch(); }

  tell(summary) {
    const asked = summary.toMove.map((question) => question.seat);
    this.yours = asked.includes(this.seat) && !(summary.paused && !summary.paused.orders) && !summary.locked;
    const [grade, why] = graded(summary);
    this.dice.dataset.grade = grade;
    this.dice.textContent = `Dice ${grade}: ${why}`;
    const [orders, whose] = ordersGraded(summary, this.seat);
    this.whose.dataset.grade = orders;
    this.whose.textContent = `Orders: ${whose}`;
    this.offer.classList.toggle("mine", this.yours && !this.over);
    const told = namingBots(summary, this.sentence(summary, asked));
    this.turn.classList.toggle("yours", this.yours);
    if (this.turn.textContent !== told) this.turn.textContent = told;
    document.title = `${this.yours && !this.over ? "Your move - " : ""}${this.title} - Decklog`;
    this.notice.look(this.yours && !this.over, `Your move: ${this.title}`, told);
    this.versus.replaceChildren(...versus(summary, this.seat, (due) => left(new Date(due) - Date.now())));
    this.versus.classList.toggle("many", summary.sides.length > 2);
    this.fillMenu(summary);
  }

  called(seat) { return seatName(this.now, seat, this.seat); }

  sentence(summary, asked) {
    if (summary.abandoned) return `The game is over without a result: ${summary.ruling || "nobody joined it, or nobody played."}`;
    if (summary.paused) return `${summary.paused.orders ? "The clocks are stopped." : "The game is frozen."} ${summary.paused.reason}`;
    if (this.over) return `The game is over: ${summary.result?.reason ?? ""}. ${summary.result?.winners?.join(" and ") || "nobody"} won. Score: ${scores(summary)}.`;
    if (summary.locked) return awaited(summary);
    if (this.yours) return `Your move, ${this.seat}: ${questions(summary, this.seat)}.`;
    return asked.length ? `Waiting for ${[...new Set(asked)].join(", ")}: ${questions(summary, asked[0])}.` : "Waiting for players.";
  }

  // The way to another device: of the seat that is played, and as it signs.
  fillAway({ seats }) {
    this.elsewhere ??= el("details", { class: "away", ontoggle: () => this.elsewhere.open && this.showAway() }, el("summary", {}, "Play on another device"), el("div", {}));
    const signed = Boolean(seats.find((each) => each.seat === this.seat)?.orderKey), what = `${this.seat} ${signed}`;
    this.elsewhere.hidden = !this.token || this.over || signed && !this.signer;
    if (this.elsewhere.dataset.of === what) return;
    this.elsewhere.dataset.of = what;
    this.elsewhere.dataset.signed = signed;
    if (this.elsewhere.open) this.showAway();
  }

  async showAway() {
    const { away } = await import("./pairing.js");
    this.elsewhere.lastElementChild.replaceChildren(...away(this.game, this.seat, this.elsewhere.dataset.signed === "true"));
  }

  fillMenu(summary) {
    const due = Object.entries(summary.due).map(([seat, at]) => `To be answered by ${seat} before ${new Date(at).toLocaleString()}.`).join(" ");
    const keys = el("input", { type: "checkbox", checked: localStorage.getItem(KEYS_OFF) !== "off", onchange: (event) => localStorage.setItem(KEYS_OFF, event.target.checked ? "on" : "off") });
    this.top ??= el("div", {});
    this.top.replaceChildren(el("p", { class: "row" }, this.who, el("a", { class: "btn", href: `#/replay/${this.game}` }, "Replay desk"), el("a", { class: "btn", href: "#/lobby" }, "Lobby")),
      teams(summary) ? el("p", { class: "teams" }, `${teams(summary)}.`) : "", due ? el("p", {}, due) : "", summary.seedNamed ? el("p", { class: "aside" }, SEED_NAMED) : "");
    this.invited ??= el("div", { class: "invited" });
    const links = this.invitations(summary);
    if (this.invited.children.length !== links.length) this.invited.replaceChildren(...links);
    this.invited.hidden = !links.length;
    this.fillAway(summary);
    this.outs ??= el("div", {});
    this.built ??= el("div", {});
    if (!this.menu.children.length) {
      this.menu.append(el("button", { type: "button", class: "btn icon flat close", "aria-label": "Close the menu", onclick: () => { this.toggle(); this.opener.focus(); } }, icon("i-x")), this.top, this.outs, this.built, this.elsewhere,
        this.notice.box(), el("details", {}, el("summary", {}, "Keys"), el("label", { class: "inline" }, keys, " letters act"), el("p", { class: "small" }, KEYS)));
      this.side.append(this.invited);
    }
  }

  offers(summary, offer) {
    if (!offer || !this.seat || this.over || summary.locked) { this.offer.dataset.shape = ""; this.choices = new Choices([]); this.waysOut([]); this.built.replaceChildren(); this.yard?.box.remove(); this.yard = null; this.paint(); return; }
    const shape = [this.seat, offer.version].join(" ");
    // The same offer is left alone: somebody may be in the middle of an answer.
    if (this.offer.dataset.shape === shape) { this.free(); this.goOn(); return; }
    this.list = offer;
    this.choices = new Choices(offer.items);
    this.cursor = new Cursor(this.choices);
    this.confirming = null;
    this.armed = "";
    this.everywhere = false;
    this.offer.dataset.version = offer.version;
    this.offer.dataset.shape = shape;
    this.waysOut(offer.concessions ?? []);
    this.built.replaceChildren(...offer.templates.map((each) => template(this, each, offer)));
    this.board?.offered?.(offer, this);
    this.build(offer);
    this.settle();
    this.paint();
    if (this.keys) this.focus();
    this.goOn();
  }

  // Whoever waited at the sentence that says whose turn it is goes on at the first answer.
  goOn() { if (this.yours && document.activeElement === this.turn) this.focus(true); }

  // A fleet is built from the whole catalogue, over the board; ready ones stand in the bar.
  build(offer) {
    this.yard?.box.remove();
    this.yard = null;
    this.yard = this.yours ? Yard.of(this, offer) : null;
    if (this.yard) this.stage.box.parentElement.append(this.yard.box);
  }

  free() { for (const each of this.offer.querySelectorAll("[data-sent]")) { each.disabled = false; delete each.dataset.sent; } }

  // --- what is asked, painted on board, bar and side ---

  paint() {
    const { choices } = this, focused = document.activeElement;
    const kept = this.offer.contains(focused) ? focused.dataset.id ?? focused.dataset.type : "";
    this.light();
    const asking = this.yours && !this.over && (choices.options.length || choices.bare.length || this.confirming);
    this.turn.classList.toggle("sr", Boolean(asking));
    this.what.hidden = this.lead.hidden = this.note.hidden = !asking;
    this.chips.replaceChildren();
    this.ways.replaceChildren();
    this.scene.replaceChildren(...(asking ? this.board?.scene?.(choices, this) ?? [] : []));
    this.scene.hidden = !this.scene.children.length;
    this.tick();
    if (asking) {
      this.lead.replaceChildren(...crumbs(choices, questions(this.now, this.seat), this.place, (place) => { choices.return(place); this.armed = ""; this.paint(); this.focusChip(); }));
      if (this.confirming) this.confirm(); else this.answers();
    }
    this.ways.append(...this.waysOn(asking));
    this.people();
    this.lesson?.paint(this);
    if (kept) this.again(kept);
  }

  // A bar that is painted anew keeps the focus where it was.
  again(id) {
    const found = this.offer.querySelector(`[data-id="${CSS.escape(id)}"], .bare[data-type="${CSS.escape(id)}"]`);
    if (!found) return;
    for (const each of this.chips.querySelectorAll("button.command")) each.tabIndex = each === found ? 0 : -1;
    found.focus({ preventScroll: true });
  }

  answers() {
    const { choices } = this, { options } = choices;
    this.what.textContent = this.yard ? "Build a fleet, or take a ready one" : options.length ? this.board?.question?.(choices, this) ?? question(choices, this.place) : "Nothing is left but to end it";
    this.note.replaceChildren(this.board?.note?.(choices, this) ?? this.hint(options), ...ruleLinks([this.rule(options)]));
    const names = labels(options), units = new Map(this.known().map((unit) => [unit.key, unit]));
    const digits = ["weapon", "ability", "way", "end", "arc", "number"].includes(choices.role);
    // What lies on the board and has no odds to tell needs no list that hides the board.
    const lies = innerWidth <= 700 && options.length > 2 && options.every(({ key, best }) => !best.odds && this.board?.where?.(key));
    this.chips.classList.toggle("row", choices.role === "place" || Boolean(this.yard) || lies);
    const made = this.sorted(options).map((option, place) => chip(option, names.get(option), {
      unit: units.get(option.key), note: this.board?.tells?.(option, this) ?? this.inhabitants(option), picked: this.armed === option.id, digit: digits && place < 9 ? place + 1 : 0,
    }, (event) => this.answer(option, event)));
    this.chips.append(...(this.board?.dial?.(this) ?? []), ...this.weapons(), ...made);
    made[0]?.setAttribute("tabindex", "0");
  }

  // The rule that all answers are given by; where there are several, that of the question.
  rule(options) {
    const by = new Set(options.flatMap(({ items }) => items.map((item) => item.rule)));
    return by.size === 1 ? [...by][0] : this.now.toMove.find(({ seat }) => seat === this.seat)?.rule;
  }

  // Why a piece of mine that is not lit may not be used: what the service would refuse it for.
  learn(pieces) {
    const asked = this.yours && !this.over ? pieces?.items ?? [] : [];
    // Of two cards of one id, one in hand and one that lies prepared, neither is dim while the other may be used.
    const used = new Set(asked.filter(({ refused }) => !refused).map(({ id }) => id));
    this.reasons = new Map(asked.filter(({ id, refused }) => refused && !used.has(id) && !ELSEWHERE.test(refused.code)).map(({ id, refused }) => [id, refused]));
    if (this.reasons.size) { this.board?.lit?.(this); this.people(); }
  }

  // Weapons beside the one that was chosen beforehand.
  weapons() {
    const place = this.choices.answers.findIndex(({ option, asked }) => option.role === "weapon" && !asked);
    if (place < 0) return [];
    const others = this.choices.beside(place);
    if (others.length < 2) return [];
    return [el("span", { class: "seg", role: "group", "aria-label": "Weapon" }, others.map((option, digit) => el("button", { type: "button", class: "btn weapon", "data-id": `weapon ${digit + 1}`, "aria-pressed": String(option.id === this.choices.answers[place].option.id),
      onclick: () => { this.choices.return(place); this.choices.choose(option); this.paint(); } }, plain(option.text), " ", el("kbd", {}, digit + 1))))];
  }

  inhabitants(option) {
    if (option.role !== "place") return undefined;
    return option.reasons.map(plain).join(", ") || this.board?.label?.(option.key)?.split(", ").slice(1).join(", ") || undefined;
  }

  // Places that are worth a look come first; where the service does not say it, those where somebody is.
  sorted(options) {
    if (this.choices.role !== "place") return options;
    const busy = (option) => (this.worthwhile(option) ? 0 : 1);
    return [...options].sort((one, other) => busy(one) - busy(other));
  }

  get judged() { return this.choices.options.some((each) => each.reasons.length); }

  worthwhile(option) { return this.judged ? option.reasons.length > 0 : !/, empty$/.test(this.board?.label?.(option.key) ?? ", empty"); }

  // Aircraft may go anywhere: lit is what is worth a look, and all with the letter A.
  get shown() {
    const { options, role } = this.choices;
    if (role !== "place" || this.everywhere || options.length < 30) return options;
    const busy = options.filter((option) => this.worthwhile(option));
    return busy.length ? busy : options;
  }

  hint(options) {
    const { shown } = this;
    const noun = { place: "sectors", unit: "units", target: "targets", card: "cards" }[this.choices.role] ?? "answers";
    if (shown.length < options.length) return `${shown.length} ${noun} ${this.judged ? "worth a look" : "with somebody in them"} lit; all ${options.length} with A`;
    return options.length > 1 ? `${options.length} ${noun}` : "";
  }

  known() {
    if (!this.state || !this.board) return [];
    const waiting = new Map(this.choices.all.map((item) => item.parts[0]).filter(({ role }) => role === "card").map((part) => [part.key, part]));
    const cards = this.board.fromCard ? [...waiting.values()].filter(({ key }) => this.cards[key.slice(5)]).map(({ key, text }) => ({ key, seat: this.seat, name: text, state: "", ...this.board.fromCard(key.slice(5), this.cards) })) : [];
    return [...cards, ...this.board.units(this.state, this.cards)];
  }

  light() {
    const { picture } = this.stage, { choices } = this, focused = document.activeElement;
    const kept = picture.contains(focused) ? keyOf(focused) : "";
    for (const each of picture.querySelectorAll("[data-lit], .picked, .other")) {
      each.classList.remove("may", "aim", "picked", "other");
      delete each.dataset.lit;
      each.removeAttribute("tabindex");
      if (each.getAttribute("role") === "button") { each.setAttribute("role", "img"); }
    }
    const find = (key) => [...picture.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)];
    const asking = this.yours && !this.over && !this.confirming;
    for (const option of asking ? this.shown : []) for (const piece of find(option.key)) this.lightOne(piece, option);
    for (const { option } of choices.answers) find(option.key)[0]?.classList.add("picked");
    const others = asking ? choices.others() : new Set();
    for (const key of others) for (const piece of find(key)) piece.classList.add("other");
    if (kept) { const [again] = find(kept); if (again?.dataset.lit) this.stage.focus(again); }
    this.stage.stop();
    this.stage.reveal([...choices.options.map((option) => option.key), ...choices.answers.map(({ option }) => option.key)].map((key) => this.board?.where?.(key)?.y).filter((y) => y !== undefined));
    this.marks();
    this.board?.lit?.(this);
  }

  lightOne(piece, option) {
    const aim = option.role === "target" || option.items.some((item) => item.oddsSummary) && option.role !== "unit";
    piece.classList.add(aim ? "aim" : "may");
    piece.dataset.lit = "yes";
    piece.setAttribute("role", "button");
    piece.setAttribute("tabindex", "-1");
    const worth = worthText(option.best);
    const lies = this.board.label?.(option.key) ?? piece.querySelector("title")?.textContent ?? plain(option.text);
    const why = option.role === "place" ? option.reasons.map(plain).join(", ") : "";
    piece.setAttribute("aria-label", [option.role === "place" ? `To ${lies}` : lies, worth, why, option.pointless].filter(Boolean).join("; "));
  }

  // What is under the pointer or the focus: the way there, the shot; and the newest act.
  marks(key = "") {
    const at = (each) => this.board?.where?.(each), made = [];
    const { choices } = this;
    const option = key ? choices.options.find((each) => each.key === key) : null;
    const mover = choices.answers.findLast(({ option: each }) => ["unit", "card"].includes(each.role))?.option;
    const from = mover && at(mover.key), to = option && at(key);
    if (from && to && option.role === "place") made.push(s("path", { d: `M${from.x} ${from.y}L${to.x} ${to.y}`, class: "route" }), s("rect", { x: to.x - 40, y: to.y - 24, width: 80, height: 48, rx: 4, class: "ghost" }));
    if (from && to && option.role === "target") made.push(...shot(from, to, true));
    if (!key && !choices.answers.length) for (const act of this.acts ?? []) {
      const [one, other] = (act.shot ?? act.move).map((each) => (typeof each === "string" ? at(each) : each));
      if (!one || !other) continue;
      if (act.shot) made.push(...shot(one, other, false), act.struck ? s("use", { href: "#hit", x: other.x - 16, y: other.y - 16, width: 32, height: 32, class: "struck" }) : null);
      else if (Math.hypot(one.x - other.x, one.y - other.y) > 5) made.push(s("path", { d: `M${one.x} ${one.y}L${other.x} ${other.y}`, class: "route" }));
    }
    this.stage.layers.marks.replaceChildren(...made.filter(Boolean));
    if (!this.board?.bubbles) this.bubbles();
  }

  // What a shot is worth, beside its target, where it hides nobody.
  bubbles() {
    this.stage.layers.above.querySelectorAll(".bubble-box").forEach((each) => each.remove());
    if (this.choices.role !== "target" || this.confirming || !this.yours) return;
    const taken = [...this.stage.layers.pieces.children].map((piece) => this.board.where(piece.getAttribute("data-key"))).filter(Boolean);
    const font = Math.max(13, 11 / this.stage.scale), small = Math.max(11.5, 11 / this.stage.scale), high = font * 2.9;
    for (const option of this.choices.options) {
      const spot = this.board.where?.(option.key), { oddsSummary: odds } = option.best;
      if (!spot || !odds || this.stage.scale < 0.7) continue;
      const second = odds.destroyed === null ? hull(odds) : `destroyed ${per(odds.destroyed)}`, wide = Math.max(font * 8, second.length * small * 0.6 + 10);
      const around = [[spot.left + spot.wide + 4, spot.y - high / 2], [spot.left - wide - 4, spot.y - high / 2], [spot.x - wide / 2, spot.top - high - 4], [spot.x - wide / 2, spot.top + spot.high + 4],
        [spot.left + spot.wide + 4, spot.top - high], [spot.left - wide - 4, spot.top + spot.high]];
      const free = ([x, y]) => x > 0 && y > 0 && x + wide < this.stage.size.width && y + high < this.stage.size.height
        && taken.every((box) => x + wide < box.left || x > box.left + box.wide || y + high < box.top || y > box.top + box.high);
      const [x, y] = around.find(free) ?? around[0];
      taken.push({ left: x, top: y, wide, high });
      this.stage.layers.above.append(s("g", { class: "bubble-box", "pointer-events": "none" }, s("rect", { x, y, width: wide, height: high, rx: 5, class: `bubble${this.armed === option.id ? " on" : ""}` }),
        s("text", { x: x + wide / 2, y: y + font * 1.2, "text-anchor": "middle", class: "bub", "font-size": font }, odds.hopeless ? "hopeless" : `hit ${per(odds.hit)}`),
        s("text", { x: x + wide / 2, y: y + font * 2.35, "text-anchor": "middle", class: "bub2", "font-size": small }, second)));
    }
  }

  look(key) { if (this.looked !== key) { this.looked = key; if (!this.confirming) this.marks(key); } }

  people() {
    const units = this.known();
    if (!units.length) { this.fleets.replaceChildren(); this.side.classList.toggle("bare", true); return; }
    this.side.classList.toggle("bare", false);
    const options = new Map(this.yours ? this.choices.options.map((option) => [option.key, option]) : []);
    const others = this.choices.others(), picked = new Set(this.choices.answers.map(({ option }) => option.key));
    const verb = TO[this.state.step?.phase] ?? "to act";
    const mark = (unit) => {
      const option = options.get(unit.key), open = option ?? (others.has(unit.key) || picked.has(unit.key));
      const may = Boolean(open);
      return { may, why: may ? "" : this.reasons?.get(unit.key)?.hint, chosen: picked.has(unit.key), done: unit.doomed || option?.pointless, tag: picked.has(unit.key) ? "chosen" : option?.role === "target" ? "in reach" : may ? verb : unit.state };
    };
    const first = (list) => list.map((unit) => [unit, mark(unit)]).sort((one, other) => other[1].may - one[1].may || one[0].doomed - other[0].doomed).map(([unit]) => unit);
    const mine = first(units.filter((unit) => unit.seat === this.seat)), rest = units.filter((unit) => unit.seat !== this.seat);
    const count = mine.filter((unit) => mark(unit).may).length;
    const pick = (key, event) => this.pick(key, event);
    const parts = this.seat ? [fleet("My fleet", this.seat, "", mine, count ? `${count} ${verb}` : `${mine.length} units`, mark, pick)] : [];
    for (const seat of [...new Set(rest.map((unit) => unit.seat))].sort()) {
      const theirs = first(rest.filter((unit) => unit.seat === seat)), reach = theirs.filter((unit) => mark(unit).may).length;
      parts.push(fleet(this.seat ? "Enemy fleet" : `Fleet of ${seat}`, seat, botWords(this.now, seat) ? this.called(seat) : "", theirs, reach ? `${reach} in reach` : `${theirs.length} units`, mark, pick));
    }
    this.fleets.replaceChildren(...parts);
  }

  waysOn(asking) {
    const made = [];
    if (asking) {
      const asked = this.choices.answers.findLast((each) => each.asked);
      const step = !asked && !this.confirming && this.undoable();
      const told = asked ? `Back: ${plain(asked.option.text)}` : step ? `Undo: ${this.stepText(step)}` : this.signs ? SIGNED : STAYS;
      made.push(el("button", { type: "button", class: `btn undo${step ? " takes-back" : ""}`, "data-id": "undo", disabled: !asked && !this.confirming && !step, title: told, onclick: () => this.undo() },
        icon("i-undo"), el("span", { class: "only-desk" }, asked ? "Back" : "Undo"), el("kbd", {}, "U")));
      const armed = this.armed && this.choices.options.find((option) => option.id === this.armed);
      if (armed) made.push(el("button", { type: "button", class: "btn go", "data-id": "go", onclick: () => this.answer(armed, null) }, PREPOSITIONS[armed.role] ? `${PREPOSITIONS[armed.role]} ${plain(armed.text)}` : plain(armed.text)));
      made.push(...(this.yard?.ways() ?? []), ...(this.board?.ways?.(this) ?? []));
      const sure = armed || this.board?.plan;
      for (const item of sure && innerWidth <= 700 ? [] : this.choices.bare) {
        const ends = item.command.type.endsWith(".pass");
        made.push(el("button", { type: "button", class: "btn command bare", "data-type": item.command.type, title: [item.text, item.rule].filter(Boolean).join(" "), onclick: () => this.plainly(item) }, icon(ends ? "i-pass" : "i-check"), short(item.text), ends ? el("kbd", {}, "P") : null));
      }
    }
    made.push(this.booked);
    return made;
  }

  // --- answering ---

  pick(key, event) {
    if (!this.yours || this.over || this.confirming) return;
    const options = this.choices.options.filter((option) => option.key === key && !option.ends);
    if (options.length) { this.answer(options[0], event); return; }
    if (this.choices.pick(key)) { this.armed = ""; this.settle(); this.paint(); this.tellQuestion(); return; }
    // Whoever stands in a lit sector is pressed for it.
    const below = this.board?.below?.(key), place = this.choices.options.find((option) => option.key === below);
    if (place) this.answer(place, event); else if (event?.type === "click") this.back();
  }

  answer(option, event) {
    const touched = event?.pointerType === "touch";
    if (!this.choices.choose(option)) return;
    const { chosen } = this.choices;
    if (chosen && touched && this.armed !== option.id) { this.choices.back(); this.armed = option.id; this.paint(); return; }
    this.armed = "";
    if (chosen) { this.finish(chosen); return; }
    this.settle();
    this.paint();
    if (event && this.stage.picture.contains(event.target)) this.focusLit(event); else this.focusChip(event);
    this.tellQuestion();
  }

  // The most useful weapon is chosen beforehand.
  settle() {
    const { choices } = this;
    if (choices.role !== "weapon" || choices.options.some((option) => !option.items.every((item) => item.oddsSummary))) return;
    if (choices.options.length < 2) return;
    choices.prefer(choices.options.reduce((best, option) => {
      const [a, b] = [effect(option.best), effect(best.best)];
      return 1000 * a.lost + a.hit > 1000 * b.lost + b.hit ? option : best;
    }));
  }

  finish(item) {
    const no = vain(item);
    if (no) { this.sure(item, `It is ${no.word}: ${no.why}. Go on?`); return; }
    this.give(item.command, this.list.version);
  }

  plainly(item) {
    const left = this.choices.all.filter((each) => effect(each).hit > WORTHWHILE);
    const no = vain(item);
    if (no) this.sure(item, `It is ${no.word}: ${no.why}. Go on?`);
    else if (item.command.type.endsWith(".pass") && left.length) this.sure(item, `${left.length} ${left.length === 1 ? "act" : "acts"} that may well hit ${left.length === 1 ? "is" : "are"} left. Go on?`);
    else this.give(item.command, this.list.version);
  }

  sure(item, why) { this.confirming = { item, why }; this.paint(); this.offer.querySelector("button.no")?.focus(); }

  confirm() {
    const { item, why } = this.confirming;
    this.what.textContent = why;
    this.note.replaceChildren(...ruleLinks([item.rule]));
    this.chips.replaceChildren(el("button", { type: "button", class: "btn sure", "data-id": "sure", onclick: () => this.give(item.command, this.list.version) }, `Yes: ${plain(item.text)}`), el("button", { type: "button", class: "btn no", "data-id": "no", onclick: () => this.back() }, "No, go on"));
  }

  // They stay as they are while others act: whoever is asked whether he is sure must not lose the question.
  waysOut(items) {
    const keys = items.map(({ command }) => JSON.stringify(command));
    if (keys.join() === [...this.lines.keys()].join()) return;
    this.lines = new Map(items.map((item, place) => [keys[place], this.lines.get(keys[place]) ?? this.concession(item)]));
    this.outs.replaceChildren(...(items.length ? [el("details", { open: Boolean(this.outs.querySelector("details[open]")) }, el("summary", {}, "Ways out"), el("ul", { class: "plain actions" }, ...this.lines.values()))] : []));
  }

  concession(item) {
    const line = el("li", {});
    const first = el("button", { type: "button", class: "btn concession", onclick: () => {
      const no = el("button", { type: "button", class: "btn", onclick: () => { line.replaceChildren(first); first.focus(); } }, "No, go on");
      line.replaceChildren(el("span", {}, "Are you sure? "), el("button", { type: "button", class: "btn sure", onclick: () => { this.toggle(); this.give(item.command, this.list.version); } }, `Yes: ${item.text}`), " ", no);
      no.focus();
    } }, item.text);
    line.append(first);
    return line;
  }

  back() {
    if (this.confirming) { this.confirming = null; this.choices.back(); this.paint(); this.focusChip(); return; }
    if (this.armed) { this.armed = ""; this.paint(); return; }
    if (this.choices.back()) { this.board?.dropped?.(); this.paint(); if (this.keys) this.focusChip(); this.tellQuestion(); }
  }

  // One part back; where nothing is chosen, the last step, as an event of the record.
  undo() {
    const chosen = this.confirming || this.armed || this.choices.answers.some((each) => each.asked);
    const step = !chosen && this.undoable();
    if (step) this.takeBack(step); else this.back();
  }

  undoable() { const step = this.now?.takeback; return step && step.seat === this.seat ? step : null; }

  stepText(step) { return this.log.said.get(step.command) ?? "your last step"; }

  async takeBack(step) {
    for (const each of this.ways.querySelectorAll("button.undo")) { each.disabled = true; each.dataset.sent = "yes"; }
    let came;
    try {
      ({ version: came } = await post(`/v1/games/${this.game}/takebacks`, { command: step.command }, { token: this.token }));
      this.said.replaceChildren();
      announce(`Taken back: ${this.stepText(step)}`);
      this.keys = true;
    } catch (error) { this.said.replaceChildren(trouble(error, ruleLink)); }
    await (came === undefined ? this.fetched() : this.reached(came));
    this.focus();
    this.keys = false;
  }

  tellQuestion() {
    const { options } = this.choices;
    const some = this.sorted(options).slice(0, 8).map((option) => [plain(option.text), worthText(option.best)].filter(Boolean).join(", "));
    announce(`${this.what.textContent}. ${options.length}: ${some.join("; ")}${options.length > 8 ? "; and more" : ""}`);
  }

  async give(command, version) {
    if (this.signs && !this.signer) { announce(this.keyless.textContent); this.keyless.querySelector("summary")?.focus(); return; }
    for (const each of this.offer.querySelectorAll("button.command, button.sure, button.go")) { each.disabled = true; each.dataset.sent = "yes"; }
    this.confirming = null;
    let came;
    try {
      ({ version: came } = await this.send(command, version));
      this.said.replaceChildren();
      this.keys = true;
    } catch (error) {
      if (error.code === "version.stale") announce("The game had moved on; look again.");
      else this.said.replaceChildren(trouble(error, ruleLink));
      this.choices.clear();
      this.paint();
    }
    await (came === undefined ? this.fetched() : this.reached(came));
    this.focus();
    this.keys = false;
  }

  // One request. What a signature is bound to is in the table as it was told last.
  async send(command, version) {
    const { game, seat, signer: key, now } = this, as = client(this.token);
    return key ? as.giveSigned(game, await this.asShown(command), version, { seat, key }, now) : as.give(game, command, version);
  }

  // An order that is made by hand is signed in the form in which the service shows it; one of a list has it already.
  async asShown(command) {
    const listed = [...this.list.items, ...(this.list.concessions ?? [])].some((item) => item.command === command);
    return listed ? command : (await this.check(command)).item.command;
  }

  // Whether an order would be accepted, by the service's word, asked once for each order and version.
  check(command) {
    const text = `${this.list?.version} ${JSON.stringify(command)}`;
    if (this.checked?.text === text) return this.checked.told;
    const told = post(`/v1/games/${this.game}/commands/check`, command, { token: this.token });
    const checked = this.checked = { text, told };
    told.catch(() => { if (this.checked === checked) this.checked = null; });
    return told;
  }

  // --- keys and focus ---

  focus(asked = this.keys) {
    if (!asked || this.menu.contains(document.activeElement)) return;
    if (this.onBoard && this.stage.lit.length) this.stage.focus(this.stage.lit[0]);
    else (this.chips.querySelector("button.command") ?? this.ways.querySelector("button.command") ?? this.turn).focus();
  }

  focusChip(event) { if (event !== null) (this.chips.querySelector("button.command[tabindex='0']") ?? this.ways.querySelector("button"))?.focus({ preventScroll: false }); }

  focusLit(event) { if (event.type === "keydown") this.stage.focus(this.stage.lit[0]); }

  keyed(event) {
    const all = [...this.chips.querySelectorAll("button.command")], place = all.indexOf(event.target);
    if (place < 0) return;
    this.cursor.place = place;
    if (event.key !== "Enter" && event.key !== "Escape" && this.cursor.press(event.key) === "moved") {
      event.preventDefault();
      const next = all[Math.min(this.cursor.place, all.length - 1)];
      for (const each of all) each.tabIndex = each === next ? 0 : -1;
      next.focus();
      next.scrollIntoView({ block: "nearest", inline: "nearest" });
      this.look(next.dataset.key);
    }
  }

  key(event) {
    this.onBoard = this.stage.picture.contains(document.activeElement);
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    if (event.key === "Escape") { if (!this.menu.hidden) { this.toggle(); this.opener.focus(); } else { this.keys = true; this.back(); this.keys = false; } return; }
    if (localStorage.getItem(KEYS_OFF) === "off") return;
    const digit = Number(event.key);
    const acts = {
      u: () => this.undo(), p: () => this.ways.querySelector('[data-type$=".pass"]')?.click(), a: () => { this.everywhere = !this.everywhere; this.paint(); }, f: () => this.stage.fit(), r: () => this.turnBoard(),
      l: () => this.log.box.focus(), "+": () => this.stage.zoom(1.4), "-": () => this.stage.zoom(1 / 1.4), "?": () => this.toggle(), "/": () => this.find(),
    };
    if (digit >= 1) { const all = this.chips.querySelectorAll("button.weapon"); (all.length ? all : this.chips.querySelectorAll("button.command"))[digit - 1]?.click(); } else if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
  }

  // "What is on 5.4", "where is Akagi".
  find() {
    const answer = el("p", { "aria-live": "polite" });
    const field = el("input", { "aria-label": "Find a unit or a place", autocomplete: "off", oninput: () => {
      const text = field.value.trim().toLowerCase();
      const units = text ? this.known().filter((unit) => plain(unit.name).toLowerCase().includes(text)).slice(0, 4).map((unit) => `${plain(unit.name)}: ${unit.sub}`) : [];
      const place = this.board?.label?.(`sector:${text}`);
      answer.textContent = [place, ...units].filter(Boolean).join("; ") || (text ? "nothing found" : "");
    }, onkeydown: (event) => { if (event.key === "Escape" || event.key === "Enter") { event.stopPropagation(); box.remove(); this.focusChip(); } } });
    const box = el("div", { class: "finder" }, field, answer);
    this.said.replaceChildren(box);
    field.focus();
  }
}

// Refusals that say nothing of the piece: it is another's step, or another kind of act is named.
const ELSEWHERE = /^(turn\.|attack\.(no-raid|no-surprise|wrong-phase)|raid\.not-a-carrier|cover\.no-carrier|deploy\.no-aircraft|move\.aircraft|dive\.no-submarine|place\.not-in-fleet)/;
const STAYS = "Nothing to undo: only your own last step is taken back, while no die was rolled, nothing is hidden and nobody else was asked since";
const SIGNED = "Nothing to undo: your orders are signed, and none that is signed is taken back";
const KEYS = "Arrows go round what is lit, Enter takes it, Escape goes back; U: back, or undo your last step; 1 to 9: weapon or option; P: end the phase; A: all places; F: fit, R: turn, + and -: nearer and farther; /: find; L: log.";
const PREPOSITIONS = { place: "To", target: "At", way: "", unit: "Choose", card: "Play" };
const TO = { movement: "to move", placing: "to place", "sea-movement": "to move", "surface-attack": "to fire", "torpedo-attack": "to fire", "submarine-attack": "to fire", "air-attack": "to attack", "air-defense": "to fire", "air-mission": "to place", "air-return": "to return" };

// Of a shot whose dice do not say whether it destroys: what hull it costs on average.
function hull({ expected }) { return expected === null ? "" : `hull ${(expected / 1000).toFixed(1)}`; }

function shot(from, to, planned) {
  const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
  return [s("path", { d, class: "shot halo" }), s("path", { d, class: `shot${planned ? " planned" : ""}` })];
}

function questions(summary, seat) {
  return [...new Set(summary.toMove.filter((each) => each.seat === seat).map((each) => words(each.question)))].join(", ");
}
